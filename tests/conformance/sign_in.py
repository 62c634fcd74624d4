"""Signs in to tool servers of others through Nexi, as a person with a browser does."""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

NEXI, PLACE = sys.argv[1], Path(sys.argv[2])
HERE = Path(__file__).parent
passphrase = PLACE / "passphrase"
passphrase.write_text("correct horse battery")
passphrase.chmod(0o600)
ENVIRONMENT = {"HOME": str(PLACE), "PATH": os.environ["PATH"], "NEXI_KEYS_PASSPHRASE_FILE": str(passphrase)}


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def wait_for(port):
    for _ in range(300):
        with socket.socket() as one:
            if one.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    sys.exit(f"FAILED: nothing listens on port {port}")


def command(*arguments):
    return [NEXI, *arguments, "--config", str(PLACE / "config.toml"), "--data-dir", str(PLACE / "data")]


def run(*arguments, fails=False):
    done = subprocess.run(command(*arguments), env=ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    if (done.returncode != 0) != fails:
        sys.exit(f"FAILED: {arguments}: {done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def sign_in(name):
    process = subprocess.Popen(command("tools", "sign-in", name), env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    address = next((line.strip() for line in process.stdout if line.strip().startswith("http")), None)
    if address is None:
        sys.exit(f"FAILED: no address to sign in to {name}")
    page = urllib.request.urlopen(address, timeout=30).read().decode()
    said = process.stdout.read()
    if process.wait(60) != 0 or "You are signed in." not in page:
        sys.exit(f"FAILED: {name}: {said} {page[-400:]}")


def tools_of(name):
    return [tool["definition"]["name"] for tool in json.loads(run("tools", "test", name, "--json"))["tools"]]


sdk, provider, cards = free_port(), free_port(), free_port()
example = PLACE / "node_modules/@modelcontextprotocol/sdk/dist/esm/examples/server/simpleStreamableHttp.js"
servers = [
    subprocess.Popen(["node", str(example), "--oauth", "--oauth-strict"], cwd=PLACE, env={**os.environ, "MCP_PORT": str(sdk), "MCP_AUTH_PORT": str(provider)}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL),
    subprocess.Popen([str(PLACE / "venv/bin/python"), str(HERE / "sign_in_server.py"), str(cards)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL),
]
try:
    (PLACE / "config.toml").write_text(f'keys = "file"\n[tools.sdk]\nurl = "http://localhost:{sdk}/mcp"\n[tools.cards]\nurl = "http://127.0.0.1:{cards}/mcp"\n')
    for port in (sdk, cards):
        wait_for(port)
    for name, tool in (("sdk", "greet"), ("cards", "whoami")):
        refused = run("tools", "test", name, fails=True)
        if "nexi tools sign-in" not in refused:
            sys.exit(f"FAILED: {name} without a sign-in: {refused}")
        sign_in(name)
        if tool not in tools_of(name):
            sys.exit(f"FAILED: {name} does not offer {tool}")
        print(f"{name}: signed in, its tools are listed")
    # Renewed without a word.
    for _ in range(3):
        time.sleep(4)
        if tools_of("cards") != ["whoami"]:
            sys.exit("FAILED: cards after its token ran out")
    print("cards: its token was renewed three times")
    run("tools", "sign-out", "cards")
    run("tools", "test", "cards", fails=True)
    print("cards: signed out")
finally:
    for server in servers:
        server.kill()
