"""A clock that jumps while one process runs: questions of one thread are answered, and keep their order.

usage: clock_within.py FILE NEXI ARGUMENTS...

FILE is where libfaketime reads how far the clock is off.
"""

import json
import pathlib
import subprocess
import sys

file, *program = sys.argv[1:]
offset = pathlib.Path(file)
offset.write_text("+0d")
server = subprocess.Popen([*program[:1], "mcp", *program[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def call(number, method, params):
    server.stdin.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}) + "\n")
    server.stdin.flush()
    for line in server.stdout:
        reply = json.loads(line)
        if reply.get("id") == number:
            assert "result" in reply, reply
            return reply["result"]
    raise AssertionError(f"the server ended at {method}")


call(1, "initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "clock", "version": "1"}})
server.stdin.write(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}) + "\n")
jumps = ["+0d", "+400d", "-4000d", "+1d", "-3d", "+0d"]
questions = [f"Where does Nexi keep API keys, asked at {jump} ({index})?" for index, jump in enumerate(jumps)]
thread = None
for index, (jump, question) in enumerate(zip(jumps, questions)):
    offset.write_text(jump)
    arguments = {"query": question} | ({"thread": thread} if thread else {})
    result = call(index + 2, "tools/call", {"name": "research", "arguments": arguments})
    assert not result.get("isError"), result
    report = result["structuredContent"]
    assert report["state"] == "answered" and report["answer"], report
    thread = report["thread"]
server.stdin.close()
assert server.wait(30) == 0
exported = subprocess.run([program[0], "history", "export", thread, "--format", "json", *program[1:]], capture_output=True, text=True)
assert exported.returncode == 0, exported.stderr
text = exported.stdout
places = [text.find(question) for question in questions]
assert -1 not in places and places == sorted(places), places
print(f"clock within one process: {len(jumps)} questions of one thread over {len(jumps) - 1} jumps, all answered and in order")
