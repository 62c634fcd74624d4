#!/usr/bin/env bash
# A shared corpus in a real PostgreSQL, 15 or later, as Debian packages it: workers that are killed, groups, wrong passwords, a
# database that goes away. NEXI_CORPUS_FILES says how many files are indexed.
set -euo pipefail
cd "$(dirname "$0")/../.."
nexi=$PWD/target/debug/nexi
files=${NEXI_CORPUS_FILES:-2000}
. tests/conformance/postgres.sh "a corpus in PostgreSQL" -A scram-sha-256
start
sql() { PGPASSWORD=admin psql -h 127.0.0.1 -p "$port" -U admin -d "${2:-archive}" -At -v ON_ERROR_STOP=1 -c "$1"; }
sql "CREATE DATABASE archive" postgres > /dev/null
sql "CREATE ROLE board NOLOGIN; CREATE ROLE worker LOGIN PASSWORD 'w'; CREATE ROLE anna LOGIN PASSWORD 'a'; CREATE ROLE ben LOGIN PASSWORD 'b'" > /dev/null
to() { echo "postgres://$1@127.0.0.1:$port/archive"; }
run() { local user=$1 password=$2; shift 2; PGPASSWORD=$password "$nexi" corpus "$@" --to "$(to "$user")" --data-dir "$place/data"; }

# What is wrong is said.
said() { local wanted=$1; shift; local out; if out=$("$@" 2>&1); then fail "$* should have failed"; fi; grep -q -- "$wanted" <<< "$out" || fail "$*: $out"; }
said "no corpus" run admin admin status
said "did not let anna in" run anna wrong status
said "no role" run admin admin create --group nobody
run admin admin create --group board > /dev/null || fail "no tables"
run admin admin create | grep -q "already" || fail "creating it again"
# One that an older program made is brought up to date: groups went by the names of roles.
sql "ALTER TABLE nexi.groups DROP COLUMN role_id CASCADE; ALTER TABLE nexi.groups ADD CONSTRAINT groups_role_key UNIQUE (role)" > /dev/null
run admin admin create > /dev/null || fail "an older corpus is not brought up to date"
[ "$(sql "SELECT role_id FROM nexi.groups")" = board ] || fail "a group of an older corpus has no role"
sql "UPDATE nexi.meta SET version = 7" > /dev/null
said "has version 7" run admin admin status
sql "UPDATE nexi.meta SET version = 1; ALTER FUNCTION nexi.candidates RENAME TO formerly" > /dev/null
said "created by an older version" run admin admin search "mill"
sql "DROP FUNCTION nexi.formerly; ALTER TABLE nexi.jobs DROP COLUMN absent, DROP COLUMN again" > /dev/null
echo "An early note." > "$place/note.md"
said "created by an older version" run admin admin index "$place/note.md"
run admin admin create > /dev/null || fail "a corpus without the newest functions is not brought up to date"
run admin admin index "$place/note.md" > /dev/null 2>&1 || fail "a corpus that was brought up to date is not filled"
run admin admin remove "$place/note.md" --yes > /dev/null
sql "TRUNCATE nexi.jobs, nexi.documents, nexi.passages" > /dev/null
# Without pgvector there are no vectors, and that is said.
printf '[embeddings]\nmodel = "stub/words"\n[providers.stub]\ntype = "openai_compatible"\nbase_url = "http://127.0.0.1:%s/v1"\nmodel = "none"\n' "$((port + 4))" > "$place/embed.toml"
cat > "$place/embed.py" << 'PY'
import http.server, json, sys
class Vectors(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        texts = asked["input"] if isinstance(asked["input"], list) else [asked["input"]]
        body = json.dumps({"object": "list", "model": "words", "data": [{"object": "embedding", "index": i, "embedding": [1.0, 0.5, 0.25]} for i, _ in enumerate(texts)]}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Vectors).serve_forever()
PY
python3 "$place/embed.py" "$((port + 4))" & embed=$!
for wait in $(seq 50); do python3 -c "import socket; socket.create_connection(('127.0.0.1', $((port + 4))))" 2> /dev/null && break; sleep 0.1; done
said "has no pgvector" run admin admin create --vectors --config "$place/embed.toml"
kill "$embed"
run admin admin status | grep -q "0 documents" || fail "a corpus without vectors does not stay as it was"
said "leave the password out" "$nexi" corpus status --to "postgres://admin:admin@127.0.0.1:$port/archive" --data-dir "$place/data"
said "unencrypted" "$nexi" corpus status --to "postgres://a@db.example.org/x?sslmode=disable" --data-dir "$place/data"
said "no database" env PGPASSWORD=admin "$nexi" corpus status --to "postgres://admin@127.0.0.1:$port/none" --data-dir "$place/data"
said "could not be reached" env PGPASSWORD=x "$nexi" corpus status --to "postgres://a@127.0.0.1:1/x" --data-dir "$place/data"
said "no encrypted connection" env PGPASSWORD=admin "$nexi" corpus status --to "postgres://admin@127.0.0.1:$port/archive?sslmode=require" --data-dir "$place/data"
sql "GRANT nexi_writer TO worker; GRANT nexi_reader TO anna, ben; GRANT board TO anna" > /dev/null

# One process goes on by itself when the database comes back, and ends; nobody frees what it had.
mkdir "$place/early"
for number in $(seq 400); do echo "Early file $number." > "$place/early/$number.md"; done
PGPASSWORD=w "$nexi" corpus index "$place/early" --workers 2 --to "$(to worker)" --data-dir "$place/data" > "$place/early.log" 2>&1 & early=$!
for wait in $(seq 100); do [ "$(sql "SELECT count(*) > 20 FROM nexi.documents")" = t ] && break; sleep 0.05; done
restart immediate
for wait in $(seq 300); do kill -0 "$early" 2> /dev/null || break; sleep 0.1; done
kill -9 "$early" 2> /dev/null && fail "a process does not end after the database came back: $(sql "SELECT state, count(*) FROM nexi.jobs GROUP BY 1")"
wait "$early" || { cat "$place/early.log"; fail "a process does not outlive a restart"; }
[ "$(sql "SELECT count(*) FROM nexi.documents")" = 400 ] || fail "not all early files are there"
sql "TRUNCATE nexi.jobs, nexi.documents, nexi.passages" > /dev/null

# Files of a few passages, and one for the board.
mkdir "$place/files" "$place/board"
python3 - "$place/files" "$files" << 'PY'
import pathlib, random, sys
random.seed(7)
words = [line for line in (a + b for a in ("ba ke li mo nu pra sto vi wen zu".split()) for b in "dor fal gim hest jun kar lor min".split())]
for number in range(int(sys.argv[2])):
    parts = [" ".join(random.choice(words) for _ in range(60)).capitalize() + "." for _ in range(4)]
    pathlib.Path(sys.argv[1], f"file{number}.md").write_text(f"# Report {number}\n\n" + "\n\n".join(parts) + f"\n\nThe mark of this file is mark{number}x.\n")
PY
echo "The board has decided to sell the old mill for 240,000 pounds." > "$place/board/mill.md"
mkfifo "$place/pipe.md"
dd if=/dev/urandom of="$place/files/noise.md" bs=1k count=4 2> /dev/null
run worker w index "$place/files" --only-queue 2> /dev/null
run worker w index "$place/board" --group board --only-queue 2> /dev/null
[ "$(sql "SELECT count(*) FROM nexi.jobs")" = $((files + 2)) ] || fail "not everything is queued"

# Four processes; one after the other is killed at any moment and replaced, while the database goes away once.
began=$(date +%s)
workers=()
spawn() { PGPASSWORD=w "$nexi" corpus index --workers 1 --to "$(to worker)" --data-dir "$place/data$1" > "$place/worker$1.log" 2>&1 & workers[$1]=$!; }
for number in 0 1 2 3; do spawn "$number"; done
for kill in $(seq 6); do
  sleep "0.$((RANDOM % 9 + 1))"
  victim=$((RANDOM % 4))
  kill -9 "${workers[$victim]}" 2> /dev/null || true
  wait "${workers[$victim]}" 2> /dev/null || true
  if [ "$kill" = 3 ]; then restart fast; fi
  spawn "$victim"
done
# The lease of a killed worker ends by itself; here nobody waits two minutes for it.
sleep 1
sql "UPDATE nexi.jobs j SET due = now() WHERE state = 'taken' AND changed < now() - interval '1 second'" > /dev/null
for worker in "${workers[@]}"; do wait "$worker" || { cat "$place"/worker*.log; fail "a worker failed"; }; done
took=$(($(date +%s) - began))
[ "$(sql "SELECT count(*) FROM nexi.documents")" = $((files + 1)) ] || fail "$(sql "SELECT count(*) FROM nexi.documents") documents and not $((files + 1))"
[ "$(sql "SELECT count(*) FROM (SELECT address FROM nexi.documents GROUP BY address, group_id HAVING count(*) > 1) d")" = 0 ] || fail "documents are there twice"
[ "$(sql "SELECT count(*) FROM nexi.passages p WHERE NOT EXISTS (SELECT FROM nexi.documents d WHERE d.id = p.document_id)")" = 0 ] || fail "passages without a document"
[ "$(sql "SELECT count(*) FROM nexi.documents d WHERE NOT EXISTS (SELECT FROM nexi.passages p WHERE p.document_id = d.id)")" = 0 ] || fail "documents without passages"
[ "$(sql "SELECT count(*) FROM nexi.jobs WHERE state <> 'done'")" = 1 ] || fail "$(sql "SELECT state, count(*) FROM nexi.jobs GROUP BY 1")"
run worker w status | grep -q "noise.md" || fail "what could not be read is not named"
echo "corpus: $files files by 4 processes, 6 of them killed and the database restarted, in $took s; none lost, none twice"

# Found by words, and only by those who may.
first() { run "$1" "$2" search "$3" --json | python3 -c 'import json, sys; found = json.load(sys.stdin); print(found[0]["url"].rsplit("/")[-1] if found else "nothing")'; }
[ "$(first anna a "mark17x")" = file17.md ] || fail "anna does not find file17"
[ "$(first anna a "who sells the old mill")" = mill.md ] || fail "anna is on the board and finds nothing"
[ "$(first ben b "who sells the old mill")" != mill.md ] || fail "ben is not on the board and finds its mill"
[ "$(PGPASSWORD=b psql -h 127.0.0.1 -p "$port" -U ben -d archive -At -c "SELECT count(*) FROM nexi.documents WHERE text LIKE '%mill%'")" = 0 ] || fail "ben reads what is the board's"
said "does not allow" run anna a index "$place/files"

# Titles are found by their words alone, and long questions find something, too.
[ "$(sql "SELECT count(*) > 0 FROM nexi.passages WHERE words @@ \$\$'=report'\$\$")" = t ] || fail "titles have no words of their own"
[ "$(sql "SELECT count(*) FROM nexi.candidates(ARRAY['report', 'mark', 'mark17x', 'oak', 'quartz', 'gilt', 'sabl', 'heron', 'almanac', 'velvet', 'copper', 'lantern'], 100, NULL)")" -gt 1 ] || fail "many words find nothing"
# What is the same is not read again, what has changed is.
echo "The mark of this file is another one now." > "$place/files/file3.md"
run worker w index "$place/files" --json 2> /dev/null | python3 -c '
import json, sys
done = json.load(sys.stdin)
assert done["read"] == 1 and done["unchanged"] == int(sys.argv[1]) - 1, done' "$files" || fail "not one file was read anew"
[ "$(first anna a "mark3x")" != file3.md ] || fail "the old text of a file is found"
# A file that this computer does not have waits for one that has it, however often it is missed here; a pipe is none, and a
# role that is dropped takes nothing else with it.
echo "short" > "$place/gone.md"
run worker w index "$place/gone.md" "$place/pipe.md" --only-queue 2> /dev/null
mv "$place/gone.md" "$place/gone.away"
for time in $(seq 7); do
  timeout 20 env PGPASSWORD=w "$nexi" corpus index --workers 2 --to "$(to worker)" --data-dir "$place/data" > "$place/gone.log" 2>&1 || fail "a worker does not end where a file is missing: $(cat "$place/gone.log")"
done
grep -q "1 not on this computer" "$place/gone.log" || fail "a missing file is not told: $(cat "$place/gone.log")"
run worker w status | grep -q "gone.md: " || fail "status does not name a file that is missing"
mv "$place/gone.away" "$place/gone.md"
run worker w index 2> /dev/null | grep -q "^1 read" || fail "a file that is back is not read: $(sql "SELECT * FROM nexi.jobs WHERE address LIKE '%gone%'")"
run worker w remove "$place/gone.md" --yes > /dev/null
# What a database has no place for keeps nothing else from being read, wherever in a document it stands.
mkdir "$place/odd"
printf 'From: =?utf-8?q?A=00nna?= <anna@example.org>\nSubject: =?utf-8?q?The_=00mark_of_the_odd?=\nDate: Mon, 3 Jun 2024 10:00:00 +0000\n\nThe oddest letter is oddmarkx.\n' > "$place/odd/letter.eml"
for number in 1 2 3 4 5; do echo "Even file $number is evenmark$number." > "$place/odd/even$number.md"; done
sql "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS \$\$ BEGIN IF NEW.address LIKE '%even3.md' THEN RAISE 'too long for a word' USING ERRCODE = '54000'; END IF; RETURN NEW; END \$\$;
  CREATE TRIGGER refuse BEFORE INSERT ON nexi.documents FOR EACH ROW EXECUTE FUNCTION refuse()" > /dev/null
run worker w index "$place/odd" --workers 1 > "$place/odd.log" 2>&1 || fail "one odd file stops a worker: $(cat "$place/odd.log")"
grep -q "5 read, 1 not readable" "$place/odd.log" || fail "odd files: $(cat "$place/odd.log")"
[ "$(first anna a "oddmarkx")" = letter.eml ] || fail "a letter with a character that PostgreSQL does not know is not found"
run worker w status | grep -q "even3.md: .*cannot store" || fail "what cannot be stored is not named: $(run worker w status)"
sql "DROP TRIGGER refuse ON nexi.documents; DROP FUNCTION refuse" > /dev/null
# Most of a folder that is missing is not forgotten: a drive may be away. A few files are.
rm "$place/odd"/even[124].md
run worker w index "$place/odd" 2>&1 | grep -q "3 documents removed" || fail "a few files that are gone are not forgotten"
for number in $(seq 10); do echo "Even file $number is evenmark$number." > "$place/odd/even$number.md"; done
run worker w index "$place/odd" > /dev/null 2>&1
mkdir "$place/elsewhere" && mv "$place/odd"/even*.md "$place/elsewhere" && echo "Another thing of the same name." > "$place/odd/even1.md"
run worker w index "$place/odd" 2>&1 | grep -q "9 documents of these folders stay" || fail "a folder that is another one here has emptied the corpus"
run worker w remove "$place/odd" --yes > /dev/null
# What is put into the queue while it is being read is looked at once more.
sql "INSERT INTO nexi.jobs (address, state, worker, attempts, due) VALUES ('file:///nowhere/busy.md', 'taken', gen_random_uuid(), 1, now() + interval '1 hour');
  UPDATE nexi.jobs SET again = false" > /dev/null
sql "INSERT INTO nexi.jobs (address) VALUES ('file://$place/files/file7.md') ON CONFLICT (address, group_id) DO UPDATE SET state = 'taken', worker = gen_random_uuid(), due = now() + interval '1 hour'" > /dev/null
run worker w index "$place/files/file7.md" --only-queue 2> /dev/null
[ "$(sql "SELECT again AND state = 'taken' FROM nexi.jobs WHERE address LIKE '%file7.md'")" = t ] || fail "a file that is being read is not noted for another look"
sql "DELETE FROM nexi.jobs WHERE address LIKE '%busy.md'; UPDATE nexi.jobs SET state = 'done', again = false, worker = NULL WHERE address LIKE '%file7.md'" > /dev/null
# A file whose workers die is taken by itself from the third time on, and given up after the fifth.
sql "INSERT INTO nexi.jobs (address, state, worker, attempts, due) SELECT 'file://$place/files/file' || n || '.md', 'taken', gen_random_uuid(), n - 7, now() - interval '1 second' FROM generate_series(8, 12) n
  ON CONFLICT (address, group_id) DO UPDATE SET state = 'taken', worker = excluded.worker, attempts = excluded.attempts, due = excluded.due" > /dev/null
run worker w index --workers 1 > /dev/null 2>&1 || fail "files whose workers died are not read"
[ "$(sql "SELECT string_agg(state, ',' ORDER BY address) FROM nexi.jobs WHERE address ~ '/file(8|9|10|11|12).md'")" = "done,done,failed,done,done" ] || fail "files whose workers died: $(sql "SELECT address, state, attempts FROM nexi.jobs WHERE address ~ '/file(8|9|10|11|12).md'")"
run worker w status | grep -q "file12.md: every process" || fail "a file that was given up is not named: $(run worker w status)"
sql "UPDATE nexi.jobs SET state = 'done' WHERE address LIKE '%file12.md'" > /dev/null
# A lease ends by itself, and is renewed while its process lives: a page that takes its time stays with who reads it.
cat > "$place/slow.py" << 'PY'
import http.server, sys, time
class Slow(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass
    def do_GET(self):
        if self.path == "/robots.txt": return self.send_error(404)
        time.sleep(1000)
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Slow).serve_forever()
PY
python3 "$place/slow.py" "$((port + 3))" & slow=$!
for wait in $(seq 50); do python3 -c "import socket; socket.create_connection(('127.0.0.1', $((port + 3))))" 2> /dev/null && break; sleep 0.1; done
printf '[network]\nallowed_private_hosts = ["127.0.0.1"]\n' > "$place/slow.toml"
# Each is waited for as long as for any page; together they take longer than until the next sign of life.
PGPASSWORD=w "$nexi" corpus index "http://127.0.0.1:$((port + 3))/slow"{1,2,3,4} --workers 1 --to "$(to worker)" --config "$place/slow.toml" --data-dir "$place/data" > "$place/slow.log" 2>&1 & reader=$!
for wait in $(seq 100); do [ "$(sql "SELECT count(*) FROM nexi.jobs WHERE state = 'taken'")" = 4 ] && break; sleep 0.1; done
lease() { sql "SELECT coalesce(max(extract(epoch FROM due)::int), 0) FROM nexi.jobs WHERE state = 'taken'"; }
began=$(lease)
for wait in $(seq 45); do [ "$(lease)" -gt "$began" ] && break; sleep 1; done
[ "$(lease)" -gt "$began" ] || fail "a lease is not renewed: $(sql "SELECT * FROM nexi.jobs WHERE state <> 'done'") $(cat "$place/slow.log")"
kill -9 "$reader"; wait "$reader" 2> /dev/null || true
kill "$slow"
sql "DELETE FROM nexi.jobs WHERE address LIKE '%/slow_' AND id < (SELECT max(id) FROM nexi.jobs WHERE state = 'taken');
  UPDATE nexi.jobs SET address = 'file://$place/left.md' WHERE state = 'taken'" > /dev/null
echo "What was left behind is leftmarkx." > "$place/left.md"
began=$(date +%s)
run worker w index --workers 1 > "$place/left.log" 2>&1
took=$(($(date +%s) - began))
[ "$(first anna a leftmarkx)" = left.md ] || fail "what a killed worker had is not read: $(cat "$place/left.log")"
[ "$took" -gt 60 ] || fail "a lease ended after $took s"
echo "corpus: a lease was renewed, and ended by itself $took s after its worker was killed"
run worker w remove "$place/left.md" --yes > /dev/null
sql "CREATE ROLE other NOLOGIN" > /dev/null
run admin admin create --group other > /dev/null
sql "DROP ROLE other" > /dev/null
[ "$(first anna a "who sells the old mill")" = mill.md ] || fail "a dropped role breaks the search"
# A role that is made again under the same name is another one, until its group is created again.
echo "The vault behind the panel holds seven ledgers." > "$place/vault.md"
sql "CREATE ROLE vault NOLOGIN" > /dev/null
run admin admin create --group vault > /dev/null
run worker w index "$place/vault.md" --group vault > /dev/null 2>&1
sql "DROP ROLE vault; CREATE ROLE vault NOLOGIN; GRANT vault TO ben" > /dev/null
[ "$(first ben b "vault behind the panel")" != vault.md ] || fail "a role that was made again sees what the old one had"
[ "$(PGPASSWORD=b psql -h 127.0.0.1 -p "$port" -U ben -d archive -At -c "SELECT count(*) FROM nexi.documents WHERE text LIKE '%ledgers%'")" = 0 ] || fail "a role that was made again reads what the old one had"
said "no group for the role" run worker w index "$place/vault.md" --group vault
run admin admin create --group vault > /dev/null
[ "$(first ben b "vault behind the panel")" = vault.md ] || fail "a group that was created again is empty"
# Documents are removed, of everybody or of a group, whether or not their files are there; a group goes with what it has.
run worker w index "$place/vault.md" > /dev/null 2>&1
said "add --yes" run worker w remove "$place/vault.md"
run worker w remove "$place/vault.md" --group vault --yes | grep -q "^1 document removed" || fail "a document of a group is not removed"
[ "$(first anna a "vault behind the panel")" = vault.md ] || fail "everybody's document went with that of a group"
run worker w index "$place/vault.md" --group vault > /dev/null 2>&1
mkdir "$place/cellar"
for number in 1 2 3; do echo "Cask $number is empty." > "$place/cellar/cask$number.md"; done
run worker w index "$place/cellar" > /dev/null 2>&1
rm -r "$place/cellar"
run worker w remove "$place/cellar" "$place/vault.md" --yes | grep -q "^5 documents removed" || fail "what is gone is not removed"
said "documents removed" run worker w remove "$place/nowhere" --yes
run worker w index "$place/vault.md" --group vault > /dev/null 2>&1
run admin admin remove --group vault --yes | grep -q "^1 document removed" || fail "a group is not removed"
said "no group for the role" run worker w index "$place/vault.md" --group vault
[ "$(sql "SELECT count(*) FROM nexi.passages p WHERE NOT EXISTS (SELECT FROM nexi.documents d WHERE d.id = p.document_id)")" = 0 ] || fail "passages of removed documents stay"
[ "$(sql "SELECT count(*) FROM nexi.jobs WHERE address LIKE '%vault%' OR address LIKE '%cask%'")" = 0 ] || fail "removed documents are still in the queue"
# The password comes from the file of PostgreSQL's own programs, unless others may read it.
printf '# ours\n127.0.0.1:*:archive:anna:a\n' > "$place/pgpass"
chmod 600 "$place/pgpass"
by_file() { env -u PGPASSWORD PGPASSFILE="$place/pgpass" "$nexi" corpus status --to "$(to anna)" --data-dir "$place/data" < /dev/null; }
by_file | grep -q "documents" || fail "a password of a file is not used"
chmod 644 "$place/pgpass"
said "needs a password" by_file
# A word that stands nearly everywhere is found, too, also where it stands in no title.
mkdir "$place/common"
for number in $(seq 3500); do echo "Harbour log $number: ship number$number arrived with cargo$((number % 50))." > "$place/common/c$number.md"; done
run worker w index "$place/common" > /dev/null 2>&1
for common in harbour ship "harbour log"; do run anna a search "$common" | grep -qi "harbour" || fail "nothing is found for $common"; done
run worker w remove "$place/common" --yes > /dev/null
# A folder that may not be looked into is not one whose files are gone.
mkdir -p "$place/closed/inner" && chmod 755 "$place/closed" "$place/closed/inner"
for number in $(seq 9); do echo "Open file $number." > "$place/closed/open$number.md"; done
echo "Closed file." > "$place/closed/inner/closed.md"
run worker w index "$place/closed" > /dev/null 2>&1
if [ "$(id -u)" = 0 ]; then
  chmod 700 "$place/closed/inner"
  mkdir -p "$place/nobody" && chown nobody "$place/nobody"
  runuser -u nobody -- env HOME="$place/nobody" PGPASSWORD=w "$nexi" corpus index "$place/closed" --to "$(to worker)" --data-dir "$place/nobody" 2>&1 | grep -q "1 document of these folders stays" || fail "a folder that may not be looked into is forgotten"
fi
mv "$place/closed" "$place/closed.away" && mkdir "$place/closed"
run worker w index "$place/closed" 2>&1 | grep -q "10 documents of these folders stay" || fail "an empty folder says nothing"
run worker w remove "$place/closed" --yes > /dev/null
# Nobody learns from how common words are what stands in documents of others.
[ "$(PGPASSWORD=b psql -h 127.0.0.1 -p "$port" -U ben -d archive -At -c "SELECT nexi.rarity('{mill,pound}')")" = "{0.001,0.001}" ] || fail "ben learns that there are documents about a mill"
PGPASSWORD=b psql -h 127.0.0.1 -p "$port" -U ben -d archive -At -c "SELECT count(*) FROM nexi.candidates('{mill}', 3, '{\"endings\": [\"md\"], \"path\": \"x\"}')" > /dev/null 2>&1 || fail "a filter that is none tells by its error what there is"
sql "CREATE DATABASE latin ENCODING LATIN1 LOCALE 'C' TEMPLATE template0" > /dev/null
said "keeps text as LATIN1" env PGPASSWORD=admin "$nexi" corpus create --to "postgres://admin@127.0.0.1:$port/latin" --data-dir "$place/data"
# What is gone is found no more, unless the whole folder seems to be gone.
rm "$place/files/file5.md"
run worker w index "$place/files" > /dev/null 2>&1
[ "$(first anna a "mark5x")" != file5.md ] || fail "a file that is gone is found"
mkdir "$place/away" && mv "$place/files"/* "$place/away"
run worker w index "$place/files" > /dev/null 2>&1
[ "$(sql "SELECT count(*) FROM nexi.documents")" = "$files" ] || fail "an empty folder has emptied the corpus"
echo "corpus: groups, changes and errors are right"

# Questions: by the built-in researcher, and by a model that searches with a filter and reads a part.
settings() {
  cat > "$place/$1.toml" << TOML
llm_backends = ["$3"]
search_backends = ["documents", "archive"]
fetch_backends = ["builtin"]
[providers.archive]
type = "postgres"
base_url = "$(to "$1")"
api_key_env = "CORPUS_PASSWORD"
[providers.stub]
type = "openai_compatible"
base_url = "http://127.0.0.1:$((port + 1))/v1"
model = "stub"
TOML
  echo "$2" > "$place/$1.password"
}
with() { local user=$1; shift; CORPUS_PASSWORD=$(cat "$place/$user.password") "$nexi" "$@" --config "$place/$user.toml" --data-dir "$place/asked-$user"; }
settings anna a builtin && settings ben b builtin
with anna ask "Who sells the old mill, and for how much?" --json 2> /dev/null | python3 -c '
import json, sys
answer = json.load(sys.stdin)
assert "240,000" in answer["answer"], answer["answer"]
urls = [source["url"] for source in answer["sources"]]
assert urls and urls[0].startswith("nexi://corpus/archive/") and urls[0].endswith("/mill.md"), urls' || fail "a question finds nothing in a corpus"
with ben ask "Who sells the old mill, and for how much?" --json > "$place/ben.json" 2> /dev/null || true
! grep -q "240,000" "$place/ben.json" || fail "ben is answered with what is the board's"
with anna search "old mill" --backend archive | grep -q "mill.md" || fail "nexi search does not find the mill"
document=$(sql "SELECT id FROM nexi.documents WHERE address LIKE '%mill.md'")
with anna read "nexi://corpus/archive/$document/mill.md" | grep -q "240,000" || fail "nexi read does not read a document of a corpus"
said "no longer in the corpus" with ben read "nexi://corpus/archive/$document/mill.md"
said "no reader takes" with anna read "nexi://corpus/other/$document/mill.md"
with anna corpus status --to archive | grep -q "documents" || fail "a corpus is not found by its name"
with anna doctor 2> /dev/null | grep -A1 "^.*archive" | grep -q "documents that you may see" || fail "nexi doctor says nothing of the corpus: $(with anna doctor)"
said "did not let ben in" env CORPUS_PASSWORD=wrong "$nexi" search mill --backend archive --config "$place/ben.toml" --data-dir "$place/asked-ben"
# Pages of the web are read like files, and one that is not there is named.
mkdir "$place/site"
echo "<html><title>Opening hours</title><body><main><h1>Opening hours</h1><p>The reading room of the archive is open on Tuesdays from nine to four, and on the first Saturday of a month.</p></main></body></html>" > "$place/site/hours.html"
python3 -m http.server --bind 127.0.0.1 --directory "$place/site" "$((port + 2))" > /dev/null 2>&1 & site=$!
printf '[network]\nallowed_private_hosts = ["127.0.0.1"]\n' > "$place/worker.toml"
for wait in $(seq 50); do python3 -c "import socket; socket.create_connection(('127.0.0.1', $((port + 2))))" 2> /dev/null && break; sleep 0.1; done
run worker w index "http://127.0.0.1:$((port + 2))/hours.html" "http://127.0.0.1:$((port + 2))/none.html" --config "$place/worker.toml" > /dev/null 2>&1
run anna a search "when is the reading room open" | head -3 | grep -q "Opening hours" || fail "a page of the web is not found"
run worker w status | grep -q "none.html: .*does not exist" || fail "a page that is not there is not named: $(run worker w status)"
run worker w index "http://127.0.0.1:$((port + 2))/hours.html" --config "$place/worker.toml" --json 2> /dev/null | grep -q '"unchanged": 1' || fail "a page that is the same is read again"
kill "$site"
# The file of a document changes, and the document keeps its number.
echo "The board has decided to sell the old mill for 250,000 pounds." > "$place/board/mill.md"
run worker w index "$place/board" --group board 2> /dev/null > /dev/null
with anna read "nexi://corpus/archive/$document/mill.md" | grep -q "250,000" || fail "a document that was read anew has another number"
chosen() { sql "SELECT count(*) FROM nexi.documents d WHERE nexi.fits(d.path, coalesce(d.dated, d.modified), '$1')"; }
[ "$(chosen '{"endings": ["md"], "others": false, "path": ["BOARD"]}')" = 1 ] || fail "a filter by path"
[ "$(chosen '{"endings": ["md"], "others": true}')" = 1 ] || fail "a filter by kind"
[ "$(chosen "{\"after\": \"$(date -d yesterday +%F)\", \"path\": [\"mill.md\"]}")" = 1 ] || fail "a filter by day"
[ "$(chosen '{"before": "2001-02"}')" = 0 ] || fail "a filter by month"
cat > "$place/model.py" << 'PY'
# Searches with a filter, reads what is found, and answers with what it read.
import http.server, json, re, sys, time
class Model(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        results = [message["content"] for message in asked["messages"] if message["role"] == "tool"]
        def call(name, **arguments):
            return {"tool_calls": [{"index": 0, "id": f"c{len(results)}", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}]}
        if not asked.get("tools"): delta = {"content": "The mill is sold for 250,000 pounds [1]."}
        elif not results: delta = call("document_search", queries=["old mill"], kind="text", path="mill")
        elif len(results) == 1: delta = call("document_read", urls=re.findall(r"nexi://\S+", results[0])[:1], range="1-1")
        else:
            number = re.search(r"\[(s?\d+)\]|number[^0-9]*(\d+)", results[1])
            delta = {"content": f"The mill is sold for 250,000 pounds [{next(filter(None, number.groups()), 1) if number else 1}]."}
        body = "".join(f"data: {json.dumps(part)}\n\n" for part in [
            {"choices": [{"index": 0, "delta": {"role": "assistant", **delta}, "finish_reason": None}]},
            {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls" if "tool_calls" in delta else "stop"}], "usage": {"prompt_tokens": 9, "completion_tokens": 9, "total_tokens": 18}}]) + "data: [DONE]\n\n"
        open(sys.argv[2], "a").write("\n".join(results[-1:]) + "\n---\n")
        if "in the end" in str(asked["messages"]) and len(results) == 1: time.sleep(3)
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        self.wfile.write(body.encode())
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Model).serve_forever()
PY
python3 "$place/model.py" "$((port + 1))" "$place/results" & model=$!
settings anna a stub
with anna ask "What does the mill cost?" --json > "$place/model.json" || { cat "$place/results"; fail "a model cannot ask a corpus: $(cat "$place/model.json")"; }
python3 -c '
import json, sys
answer = json.load(open(sys.argv[1]))
assert "250,000" in answer["answer"] and answer["sources"][0]["url"].startswith("nexi://corpus/archive/"), answer' "$place/model.json" || { cat "$place/results"; fail "a model does not cite a corpus"; }
# The database goes away in the middle of a question, and one that is reached says nothing any more: what was found stays.
settings anna a stub
: > "$place/results"
while [ ! -s "$place/results" ]; do sleep 0.05; done && pg_ctl stop -m immediate & stopper=$!
with anna ask "What does the mill cost in the end?" --json > "$place/middle.json" 2> "$place/middle.err" || fail "a question does not outlive the database: $(cat "$place/middle.json" "$place/middle.err")"
wait "$stopper" || true
python3 -c '
import json, sys
answer = json.load(open(sys.argv[1]))
assert "250,000" in answer["answer"], answer' "$place/middle.json" || fail "nothing is left of a question in whose middle the database went away: $(cat "$place/middle.json")"
start
settings anna a builtin
kill -STOP "$(head -1 "$place/db/postmaster.pid")"
began=$(date +%s)
with anna ask "Where does Nexi keep my keys?" > "$place/hung.out" 2> "$place/hung.err" || fail "a database that says nothing keeps everything waiting: $(cat "$place/hung.err")"
took=$(($(date +%s) - began))
kill -CONT "$(head -1 "$place/db/postmaster.pid")"
grep -qi "keyring" "$place/hung.out" || fail "the handbook is not asked beside a database that says nothing: $(cat "$place/hung.out")"
grep -q "did not answer in time\|could not be reached" "$place/hung.out" "$place/hung.err" || fail "nobody is told that the database says nothing: $(cat "$place/hung.out" "$place/hung.err")"
[ "$took" -lt 60 ] || fail "a database that says nothing is waited for, $took s"
echo "corpus: a question outlives a database that stops in its middle, and one that says nothing ($took s)"
# Encrypted, with a certificate of an authority that the settings name, and not without.
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=Authority of a test" -keyout "$place/ca.key" -out "$place/ca.pem" 2> /dev/null
openssl req -newkey rsa:2048 -nodes -subj "/CN=127.0.0.1" -keyout "$place/server.key" -out "$place/server.csr" 2> /dev/null
openssl x509 -req -in "$place/server.csr" -CA "$place/ca.pem" -CAkey "$place/ca.key" -CAcreateserial -days 2 -out "$place/server.pem" \
  -extfile <(echo "subjectAltName = IP:127.0.0.1") 2> /dev/null
chmod 600 "$place/server.key"
[ "$(id -u)" != 0 ] || chown postgres "$place/server.key"
options="$options -c ssl=on -c ssl_cert_file=$place/server.pem -c ssl_key_file=$place/server.key"
restart fast
settings anna a builtin
sed -i 's|/archive"|/archive?sslmode=require"|' "$place/anna.toml"
said "certificate is not trusted" with anna corpus status --to archive
printf '[network]\nroot_certificates = ["%s"]\n' "$place/ca.pem" >> "$place/anna.toml"
with anna corpus status --to archive | grep -q "documents" || fail "an encrypted connection is not made: $(with anna corpus status --to archive 2>&1)"
with anna search "old mill" --backend archive | grep -q "mill.md" || fail "an encrypted search"
# The database goes away: the question is answered with what else there is, and the answer says so.
settings anna a builtin
pg_ctl stop -m immediate
with anna ask "Where does Nexi keep my keys?" > "$place/gone.out" 2> "$place/gone.err" || fail "without the database nothing is answered: $(cat "$place/gone.err")"
grep -qi "keyring" "$place/gone.out" || fail "the handbook is not asked without the database: $(cat "$place/gone.out")"
grep -q "could not be reached" "$place/gone.out" "$place/gone.err" || fail "nobody is told that the database is gone: $(cat "$place/gone.out" "$place/gone.err")"
kill "$model"
echo "corpus: questions find, read and cite it, and go on without it"
