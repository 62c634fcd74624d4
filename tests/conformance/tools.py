"""Uses tool servers of others through Nexi: a scripted model calls, a person at a terminal decides."""

import json
import os
import pty
import re
import socket
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

NEXI, PLACE = sys.argv[1], Path(sys.argv[2])
KEY = "canary-5f2c9e7b41"
NPM, NEW, OLD = PLACE / "node_modules/.bin", PLACE / "new/bin", PLACE / "old/bin"
failures = []


class Model(BaseHTTPRequestHandler):
    """Calls what stands in `script`, one call a reply, then says `answer`."""

    script, answer, results = [], "", []

    def log_message(self, *_):
        pass

    def do_GET(self):
        body = b"<html><head><title>Orvik</title></head><body><h1>Orvik</h1><p>The lighthouse of Orvik was lit in 1877.</p></body></html>"
        self.send_response(200 if self.path == "/page" else 404)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        Model.results = [one["content"] for one in request["messages"] if one["role"] == "tool"]
        done = len(Model.results)
        if done < len(Model.script):
            tool, arguments = Model.script[done]
            call = {"index": 0, "id": f"c{done}", "type": "function", "function": {"name": tool, "arguments": json.dumps(arguments)}}
            delta, finish = {"role": "assistant", "tool_calls": [call]}, "tool_calls"
        else:
            delta, finish = {"role": "assistant", "content": Model.answer}, "stop"
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        for choice in ({"delta": delta, "finish_reason": None}, {"delta": {}, "finish_reason": finish}):
            event = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [{"index": 0, **choice}]}
            self.wfile.write(f"data: {json.dumps(event)}\n\n".encode())
        self.wfile.write(b"data: [DONE]\n\n")


web = ThreadingHTTPServer(("127.0.0.1", 0), Model)
threading.Thread(target=web.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{web.server_port}"


def nexi(*arguments):
    environment = {"HOME": str(PLACE), "PATH": os.environ["PATH"], "TEST_KEY": KEY}
    places = ["--config", str(PLACE / "config.toml"), "--data-dir", str(PLACE / "data")]
    return [NEXI, *arguments, *places], environment


def run(*arguments):
    command, environment = nexi(*arguments)
    done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        failures.append(f"{arguments}: {done.stderr}")
    return done.stdout


def ask(script, answer, says):
    """Asks a question; `says` is what the person types at each question that is put."""
    Model.script, Model.answer = script, answer
    command, environment = nexi("ask", "What do the tools say?", "--json")
    person, terminal = pty.openpty()
    process = subprocess.Popen(command, env=environment, stdin=terminal, stderr=terminal, stdout=subprocess.PIPE, text=True)
    os.close(terminal)
    says = list(says)

    def answers():
        seen = ""
        while True:
            try:
                seen += os.read(person, 4096).decode(errors="replace")
            except OSError:
                return
            # Each question ends where something can be typed.
            while says and (place := re.search(r"Allow this call\? (?:\[y/N\] |y once[^:]*: )$|(?:\*|\)|\[y/n\]|numbers?|[a-z])( \*)?: $", seen)):
                seen = seen[place.end():]
                os.write(person, f"{says.pop(0)}\n".encode())

    listener = threading.Thread(target=answers, daemon=True)
    listener.start()
    output, _ = process.communicate(timeout=120)
    os.close(person)
    return json.loads(output), list(Model.results)


def is_server(path):
    try:
        words = path.read_bytes()
    except OSError:
        return False
    return str(PLACE).encode() in words and b"mcp-server" in words


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def show(name, wanted, found):
    """Each wanted text has to stand in the result of the same place; a list of texts, all of them."""
    wrong = []
    for number, texts in enumerate(wanted):
        result = found[number] if number < len(found) else ""
        wrong += [f"{text!r} is not in {result[:400]!r}" for text in ([texts] if isinstance(texts, str) else texts) if text not in result]
    print(f"{name}: {'used' if not wrong else 'FAILED'}, {len(found)} calls")
    failures.extend(f"{name}: {one}" for one in wrong)


notes = PLACE / "notes"
notes.mkdir()
(notes / "wall.md").write_text("# The wall\n\nAda Lund built the harbour wall in 1877.\n")
repository = PLACE / "repository"
subprocess.run(["git", "init", "-q", str(repository)], check=True)
subprocess.run(["git", "-C", str(repository), "-c", "user.email=a@example.org", "-c", "user.name=Ada", "commit", "-q", "--allow-empty", "-m", "Build the harbour wall"], check=True)

SERVERS = {
    "files": ([NPM / "mcp-server-filesystem", notes], ["list_directory", "read_text_file"]),
    "everything": ([NPM / "mcp-server-everything", "stdio"], ["echo", "get-sum", "get-env", "get-structured-content", "get-resource-links", "get-resource-reference", "get-tiny-image", "trigger-long-running-operation"]),
    "memory": ([NPM / "mcp-server-memory"], ["read_graph", "search_nodes"]),
    "fetch": ([NEW / "mcp-server-fetch", "--ignore-robots-txt", "--allow-private-ips"], ["fetch"]),
    "git": ([NEW / "mcp-server-git", "--repository", repository], ["git_log", "git_status"]),
    "time": ([NEW / "mcp-server-time"], ["get_current_time", "convert_time"]),
    "sqlite": ([OLD / "mcp-server-sqlite", "--db-path", PLACE / "a.db"], []),
}
settings = f'check = "local"\nllm_backends = ["work"]\nsearch_backends = ["documents"]\n[providers.work]\ntype = "openai_compatible"\nbase_url = "{address}/v1"\nmodel = "m"\napi_key_env = "TEST_KEY"\n'
for name, (words, _) in SERVERS.items():
    first, *rest = [str(word) for word in words]
    settings += f"[tools.{name}]\ncommand = {json.dumps(first)}\nargs = {json.dumps(rest)}\n"
    settings += f'env = {{ MEMORY_FILE_PATH = "{PLACE}/memory.jsonl" }}\n' if name == "memory" else ""
(PLACE / "config.toml").write_text(settings)
for name, (_, allowed) in SERVERS.items():
    run("tools", "approve", name, "--yes")
    for tool in allowed:
        run("tools", "allow", name, tool)

asked, found = ask(
    [
        ("files__list_directory", {"path": str(notes)}),
        ("files__read_text_file", {"path": str(notes / "wall.md")}),
        ("files__write_file", {"path": str(notes / "refused.md"), "content": "no"}),
        ("files__write_file", {"path": str(notes / "written.md"), "content": "yes"}),
        ("files__read_text_file", {"path": "/etc/hostname"}),
    ],
    "Ada Lund built the harbour wall in 1877 [2].",
    ["n", "y"],
)
show("@modelcontextprotocol/server-filesystem 2026.8.31", ["wall.md", ["Ada Lund", "Sources to cite: [2]"], "did not allow", "written.md", "returned nothing"], found)
if asked["citations"][0]["support"] != "supported":
    failures.append(f"files: the answer is not supported by its source: {asked}")
if (notes / "refused.md").exists() or not (notes / "written.md").exists():
    failures.append("files: what was refused was written, or what was allowed was not")

_, found = ask(
    [
        ("everything__echo", {"message": "Grüße"}),
        ("everything__get-sum", {"a": 2, "b": 40}),
        ("everything__get-env", {}),
        ("everything__get-structured-content", {"location": "New York"}),
        ("everything__get-resource-links", {"count": 2}),
        ("everything__get-resource-reference", {"resourceType": "Text", "resourceId": 1}),
        ("everything__get-tiny-image", {}),
        ("everything__trigger-long-running-operation", {"duration": 3, "steps": 6}),
    ],
    "Done.",
    [],
)
show(
    "@modelcontextprotocol/server-everything 2026.8.31",
    ["Grüße", "42", "PATH", "temperature", "Sources to cite: [5], [6]", "Sources to cite", "an image (image/png)", "Long running operation completed"],
    found,
)
if KEY in found[2]:
    failures.append("everything: a server sees the key of a model")
_, found = ask([("everything__trigger-elicitation-request", {})], "Done.", ["y", "Ada"] + [""] * 30)
show("the same, asking the person", [["Ada"]], found)

_, found = ask(
    [
        ("memory__create_entities", {"entities": [{"name": "Orvik", "entityType": "town", "observations": ["has a lighthouse"]}]}),
        ("memory__search_nodes", {"query": "lighthouse"}),
    ],
    "Done.",
    ["y"],
)
show("@modelcontextprotocol/server-memory 2026.8.31", ["Orvik", ["Orvik", "has a lighthouse"]], found)
_, found = ask([("fetch__fetch", {"url": f"{address}/page"})], "Done.", [])
show("mcp-server-fetch 2026.10.24", ["lit in 1877"], found)
_, found = ask([("git__git_log", {"repo_path": str(repository)}), ("git__git_status", {"repo_path": str(repository)})], "Done.", [])
show("mcp-server-git 2026.10.19", ["Build the harbour wall", "branch"], found)
_, found = ask([("time__get_current_time", {"timezone": "Europe/Oslo"}), ("time__convert_time", {"source_timezone": "Europe/Oslo", "time": "12:00", "target_timezone": "Asia/Tokyo"})], "Done.", [])
show("mcp-server-time 2026.10.19", ["Europe/Oslo", "Asia/Tokyo"], found)
_, found = ask(
    [
        ("sqlite__create_table", {"query": "CREATE TABLE walls (name TEXT, built INTEGER)"}),
        ("sqlite__write_query", {"query": "INSERT INTO walls VALUES ('harbour', 1877)"}),
        ("sqlite__read_query", {"query": "SELECT * FROM walls"}),
    ],
    "Done.",
    ["y", "y", "y"],
)
show("mcp-server-sqlite 2025.4.25", ["created", "affected", ["harbour", "1877"]], found)

port = free_port()
served = subprocess.Popen([NPM / "mcp-server-everything", "streamableHttp"], env={**os.environ, "PORT": str(port)}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
try:
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.1)
    run("tools", "add", "remote", "--no-test", "--url", f"http://127.0.0.1:{port}/mcp")
    run("tools", "approve", "remote", "--yes")
    run("tools", "allow", "remote", "echo")
    _, found = ask([("remote__echo", {"message": "over HTTP"}), ("remote__trigger-elicitation-request", {})], "Done.", ["y", "Ada"] + [""] * 30)
    show("@modelcontextprotocol/server-everything 2026.8.31 over HTTP", ["over HTTP", "Ada"], found)
finally:
    served.kill()

for _ in range(50):
    left = [path for path in Path("/proc").glob("[0-9]*/cmdline") if is_server(path)]
    if not left:
        break
    time.sleep(0.1)
print(f"processes left: {len(left)}")
if left:
    failures.append(f"processes are left: {left}")
for failure in failures:
    print(f"FAILED: {failure}")
sys.exit(1 if failures else 0)
