#!/usr/bin/env bash
# Our clients against aimock (npm) for the shapes of replies: reasoning, Anthropic, Gemini, Ollama.
set -euo pipefail
cd "$(dirname "$0")/../.."
nexi=$PWD/target/debug/nexi
place=$(mktemp -d)
server=
trap '[ -n "$server" ] && kill "$server" 2>/dev/null; rm -rf "$place"' EXIT
(cd "$place" && npm install --silent --no-audit --no-fund @copilotkit/aimock@1.43.0 > /dev/null 2>&1) || { echo "SKIPPED: aimock cannot be installed from npm"; exit 0; }
port=$((20000 + RANDOM % 20000))
mkdir "$place/fixtures"
cat > "$place/fixtures/research.json" <<'END'
{"fixtures": [
  {"match": {"userMessage": "harbour", "hasToolResult": false},
   "response": {"toolCalls": [{"name": "web_search", "arguments": "{\"queries\": [\"where are keys kept\"]}"}]}},
  {"match": {"userMessage": "harbour", "hasToolResult": true},
   "response": {"content": "Keys are kept in the keyring.", "reasoning": "The handbook says so."}}
]}
END
"$place/node_modules/.bin/aimock" --help > "$place/help" 2>&1 || true
(cd "$place" && exec node_modules/.bin/llmock --port "$port" --fixtures fixtures) > "$place/server.log" 2>&1 &
server=$!
for _ in $(seq 100); do curl -s -o /dev/null "http://127.0.0.1:$port/" && break; sleep 0.1; done
failed=0
for target in "openai_compatible /v1 gpt-4o" "anthropic / claude-sonnet-4-5" "gemini / gemini-2.5-flash" "ollama / llama3.2"; do
  set -- $target
  cat > "$place/config.toml" <<END
llm_backends = ["mock"]
search_backends = ["documents"]
[providers.mock]
type = "$1"
base_url = "http://127.0.0.1:$port${2%/}"
model = "$3"
api_key_env = "MOCK_KEY"
tools = true
END
  out=$(MOCK_KEY=key timeout 60 "$nexi" ask "Tell me about the harbour" --json --config "$place/config.toml" --data-dir "$place/data" 2> "$place/err" || true)
  if verdict=$(printf '%s' "$out" | python3 -c '
import json, sys
report = json.load(sys.stdin)
assert report["state"] == "answered", report
assert report["answer"].startswith("Keys are kept in the keyring"), report["answer"]
assert "handbook says" not in report["answer"], "reasoning in the answer"
assert report["steps"] == 2, report["steps"]
print("searched, answered, reasoning kept apart")' 2>&1); then
    echo "aimock, $1: $verdict"
  else
    echo "aimock, $1: FAILED: $verdict"; cat "$place/err"; tail -5 "$place/server.log"; failed=1
  fi
done
exit "$failed"
