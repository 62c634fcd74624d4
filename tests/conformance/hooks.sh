#!/usr/bin/env bash
# Our webhooks, received and verified by the libraries of the Standard Webhooks: standardwebhooks (PyPI and npm).
set -euo pipefail
cd "$(dirname "$0")/../.."
nexi=$PWD/target/debug/nexi
here=$PWD/tests/conformance
place=$(mktemp -d)
pids=()
trap 'kill "${pids[@]}" 2>/dev/null || true; rm -rf "$place"' EXIT
printf 'llm_backends = ["builtin"]\nsearch_backends = ["documents"]\nkeys = "file"\n' > "$place/config.toml"
printf 'correct horse battery' > "$place/passphrase"
chmod 600 "$place/passphrase"
export NEXI_KEYS_PASSPHRASE_FILE=$place/passphrase
failed=0

# Asks one question where this receiver listens, which prints its address and then what it makes of the request.
try() {
  local name=$1
  shift
  mkfifo "$place/$name.in"
  "$@" < "$place/$name.in" > "$place/$name.log" 2>&1 &
  pids+=($!)
  exec 3> "$place/$name.in"
  for _ in $(seq 100); do grep -q '^http' "$place/$name.log" && break; sleep 0.1; done
  local places=(--config "$place/config.toml" --data-dir "$place/data")
  "$nexi" hook add "$name" --url "$(grep -m1 '^http' "$place/$name.log")" "${places[@]}" > /dev/null 2>&1
  "$nexi" hook secret "$name" "${places[@]}" >&3
  "$nexi" ask "Where are keys kept?" "${places[@]}" > /dev/null 2>&1
  "$nexi" hook remove "$name" "${places[@]}" > /dev/null
  exec 3>&-
  if grep -q '^verified research.answered$' "$place/$name.log" && grep -q '^refused another secret$' "$place/$name.log"; then
    echo "standardwebhooks ($name): verified"
  else
    cat "$place/$name.log"
    failed=1
  fi
}

if python3 -m venv "$place/venv" && "$place/venv/bin/pip" install --quiet standardwebhooks==1.1.0 2> /dev/null; then
  try pypi "$place/venv/bin/python" "$here/webhook_receiver.py"
else
  echo "SKIPPED: standardwebhooks cannot be installed from PyPI"
fi
if (cd "$place" && npm install --silent --no-audit --no-fund standardwebhooks@1.1.1 > /dev/null 2>&1); then
  cp "$here/webhook_receiver.mjs" "$place"
  try npm node "$place/webhook_receiver.mjs"
else
  echo "SKIPPED: standardwebhooks cannot be installed from npm"
fi
exit $failed
