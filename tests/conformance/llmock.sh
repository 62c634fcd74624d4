#!/usr/bin/env bash
# Our model clients against llmock (PyPI), which breaks replies on purpose and judges how a client
# takes it: rate limits, errors, broken streams. `llmock report --strict` is the verdict.
set -euo pipefail
cd "$(dirname "$0")/../.."
nexi=$PWD/target/debug/nexi
place=$(mktemp -d)
server=
trap '[ -n "$server" ] && kill "$server" 2>/dev/null; rm -rf "$place"' EXIT
python3 -m venv "$place/venv" && "$place/venv/bin/pip" install --quiet llmock==0.2.2 || { echo "SKIPPED: llmock cannot be installed from PyPI"; exit 0; }
llmock=$place/venv/bin/llmock
port=$((20000 + RANDOM % 20000))

settings() { # type, path, model
  cat > "$place/config.toml" <<END
llm_backends = ["judged"]
search_backends = ["documents"]
model_timeout = 4
llm_max_retries = 8
[providers.judged]
type = "$1"
base_url = "http://127.0.0.1:$port$2"
model = "$3"
api_key_env = "JUDGED_KEY"
END
}

failed=0
judge() { # name, then options of the server
  local name=$1; shift
  "$llmock" serve -p "$port" --log-level error "$@" > "$place/server.log" 2>&1 &
  server=$!
  for _ in $(seq 100); do curl -s -o /dev/null "http://127.0.0.1:$port/health" && break; sleep 0.1; done
  local runs=0 ended=0
  for target in "openai_compatible /v1 gpt-4o" "anthropic /anthropic claude-sonnet-4-5" "gemini /gemini gemini-2.5-flash"; do
    # shellcheck disable=SC2086
    settings $target
    # Questions differ: the judge takes the same request of two runs for a retry.
    for run in 1 2 3; do
      runs=$((runs + 1))
      # Whatever happens, a run ends with a label and without a panic.
      state=$(JUDGED_KEY="key-$run" timeout 120 "$nexi" ask "Where does Nexi keep my keys, for the $name of $target, number $run?" --max-steps 3 --json \
        --config "$place/config.toml" --data-dir "$place/data" 2> "$place/err" | python3 -c 'import json,sys; print(json.load(sys.stdin)["state"])' || true)
      case "$state" in answered|partial|failed) ended=$((ended + 1)) ;; *) echo "  $target: no labelled end ($state)"; cat "$place/err" ;; esac
      if grep -q panicked "$place/err"; then echo "  $target: a panic"; failed=1; fi
    done
  done
  if "$llmock" report --strict --url "http://127.0.0.1:$port" > "$place/report" 2>&1; then verdict=clean; else verdict=MISBEHAVED; failed=1; cat "$place/report"; fi
  echo "llmock, $name: $ended of $runs runs ended with a label, verdict: $verdict"
  [ "$ended" = "$runs" ] || failed=1
  kill "$server"; wait "$server" 2>/dev/null || true
  server=
}

judge "no faults"
judge "rate limits" --rpm 6
judge "errors" --error-rate 429=0.2 --error-rate 500=0.15 --error-rate 503=0.15
judge "errors that must not be retried" --error-rate 401=0.3 --error-rate 400=0.3
judge "truncated streams" --stream-fault truncate=0.4
judge "broken connections" --stream-fault disconnect=0.4
# With a pause between pieces the judge can see that reading stops at the broken one.
judge "malformed events" --stream-fault malformed=0.3 --stream-chunk-delay-ms 60
judge "stalls" --stream-fault stall=0.3 --stream-stall-seconds 8
exit "$failed"
