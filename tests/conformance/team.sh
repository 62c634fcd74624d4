#!/usr/bin/env bash
# A team library in a real PostgreSQL, 15 or later, as Debian packages it: what is shared and what stays, groups, branches,
# withdrawing, a database that is away, and eight people who share for NEXI_TEAM_SECONDS while their programs are killed.
set -euo pipefail
cd "$(dirname "$0")/../.."
nexi=$PWD/target/debug/nexi
seconds=${NEXI_TEAM_SECONDS:-60}
. tests/conformance/postgres.sh "a team library in PostgreSQL" -A scram-sha-256
start
sql() { PGPASSWORD=admin psql -h 127.0.0.1 -p "$port" -U admin -d team -At -v ON_ERROR_STOP=1 -c "$1"; }
as_user() { PGPASSWORD=$1 psql -h 127.0.0.1 -p "$port" -U "$1" -d team -At -v ON_ERROR_STOP=1 -c "$2"; }
PGPASSWORD=admin psql -h 127.0.0.1 -p "$port" -U admin -d postgres -c "CREATE DATABASE team" > /dev/null
people="anna ben cara dora"
for person in $people; do sql "CREATE ROLE $person LOGIN PASSWORD '$person'" > /dev/null; done
sql "CREATE ROLE board NOLOGIN; GRANT board TO anna, cara" > /dev/null
to() { echo "postgres://$1@127.0.0.1:$port/team"; }
# Each person has a home of their own, where the password is kept in a variable that the settings name.
settings() {
  cat > "$place/$1.toml" << TOML
llm_backends = ["builtin"]
search_backends = ["documents"]
team_library = "team"
[documents]
folders = ["$place/notes-$1"]
[providers.team]
type = "postgres"
base_url = "$(to "$1")"
api_key_env = "TEAM_PASSWORD"
TOML
  mkdir -p "$place/notes-$1"
}
with() { local person=$1; shift; TEAM_PASSWORD=$person "$nexi" "$@" --config "$place/$person.toml" --data-dir "$place/home-$person"; }
for person in $people; do settings "$person"; done
said() { local wanted=$1; shift; local out; if out=$("$@" 2>&1); then fail "$* should have failed: $out"; fi; grep -qi -- "$wanted" <<< "$out" || fail "$*: $out"; }
json() { python3 -c "import json, sys; found = json.load(sys.stdin); print($1)"; }

# What is wrong is said.
said "no team library" with anna team list
said "does not allow anna" env PGPASSWORD=anna "$nexi" team create --to "$(to anna)" --data-dir "$place/home-admin"
env PGPASSWORD=admin "$nexi" team create --to "$(to admin)" --data-dir "$place/home-admin" > /dev/null || fail "no tables"
env PGPASSWORD=admin "$nexi" team create --to "$(to admin)" --data-dir "$place/home-admin" | grep -q "already" || fail "creating it again"
said "does not allow anna" with anna team list
sql "GRANT nexi_team TO anna, ben, cara" > /dev/null
said "does not allow dora" with dora team list
said "did not let anna in" env TEAM_PASSWORD=wrong "$nexi" team list --config "$place/anna.toml" --data-dir "$place/home-anna"
said "is not set" "$nexi" team list --data-dir "$place/home-none"

# A thread as a model would have answered it: with memories and reasoning in its events, which stay here.
thread() { # title, question, answer, ids begin with
  python3 - "$@" << 'PY'
import json, sys, time
title, question, answer, begins = sys.argv[1:5]
thread, turn, now = begins.ljust(32, "0"), begins.ljust(32, "1"), int(time.time() * 1000)
event = lambda seq, event: {"turn": turn, "seq": seq, "elapsed_ms": seq, "event": event}
page = {"url": "https://example.org/ferries", "title": "Ferries", "text": "The ferry to Ostholm leaves at nine. It takes forty minutes.", "lines": []}
source = {"number": 1, "url": page["url"], "title": "Ferries", "site": "example.org", "cited": True,
          "passages": [{"start": 0, "end": 36, "quote": "The ferry to Ostholm leaves at nine."}]}
print(json.dumps({"nexi_thread": 1, "id": thread, "title": title, "created_ms": now, "updated_ms": now, "titled": True, "turns": [{
    "id": turn, "thread": thread, "question": question, "effort": "m", "model": "m", "asked_ms": now, "duration_ms": 5,
    "ending": {"state": "answered", "answer": answer, "sources": [source], "citations": [], "steps": 1, "usage": {"prompt": 1, "completion": 1}},
    "events": [event(0, {"type": "started", "question": question, "effort": "m", "max_steps": 4, "model": "m", "memories": ["I am allergic to penicillin."]}),
               event(1, {"type": "reasoning", "step": 1, "text": "They are allergic to penicillin."}), event(2, {"type": "step_started", "step": 1})]}],
    "sources": [{"number": 1, "page": page, "read_ms": now}]}))
PY
}
thread "Ferries to Ostholm" "When does the ferry to Ostholm leave?" "It leaves at nine [1]." aaaa > "$place/ferry.json"
with anna history import "$place/ferry.json" > /dev/null
with anna team share aaaa | grep -q "Ferries to Ostholm.* is shared with everybody" || fail "sharing says nothing"
[ "$(sql "SELECT count(*) FROM nexi_team.events WHERE body LIKE '%penicillin%'")" = 0 ] || fail "a memory has left"
[ "$(sql "SELECT count(*) FROM nexi_team.events WHERE body LIKE '%forty minutes%'")" = 1 ] || fail "the source is not shared"
with ben team search "ferry osth" --json | json 'found[0]["author"] + found[0]["title"]' | grep -q "annaFerries to Ostholm" || fail "ben does not find it"
with ben team list | grep -q "Ferries to Ostholm" || fail "ben does not see it"
said "does not allow dora" with dora team search ferry
shared=$(with ben team list --json | json 'found[0]["id"]')
with ben team show "${shared: -6}" | grep -q "leaves at nine" || fail "ben cannot read it"
# A program that ben uses over MCP finds and reads it, too, and is told when the database lets nobody in.
mcp() { # whose, words
  { printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}' \
      '{"jsonrpc":"2.0","method":"notifications/initialized"}' \
      "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"library\",\"arguments\":{\"text\":\"$2\"}}}" \
      "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"resources/read\",\"params\":{\"uri\":\"nexi://team/$shared\"}}"; sleep 4; } | with "$1" mcp 2> /dev/null
}
mcp ben ferry > "$place/mcp.out"
grep -q '"author":"anna"' "$place/mcp.out" && grep -q "nexi://team/$shared" "$place/mcp.out" || fail "MCP does not find what anna shares: $(cat "$place/mcp.out")"
grep '"id":3' "$place/mcp.out" | grep -q "leaves at nine" || fail "MCP does not read what anna shares: $(cat "$place/mcp.out")"
mcp dora ferry | grep '"id":2' | grep -q "The team library could not be searched: .*does not allow dora" || fail "MCP does not say why dora finds nothing"

# Gone on from, as a branch of one's own, which can be shared, too.
with ben team continue "$shared" > /dev/null
with ben ask "Where does Nexi keep my keys?" --continue > /dev/null 2>&1 || fail "ben cannot ask more"
[ "$(with ben history --json | json 'len(found)')" = 2 ] || fail "ben does not have both turns"
said "not a member of the role" with ben team share --group board
said "no role" with ben team share --group nobody
with ben team share > /dev/null
with anna team list --json | json '[(row["author"], row["origin"], row["turns"]) for row in found]' | grep -q "('ben', 'anna', 2)" || fail "the branch is not there: $(with anna team list --json)"
[ "$(with anna team list --json | json '[row["turns"] for row in found if row["author"] == "anna"][0]')" = 1 ] || fail "the branch has changed the thread"

# Nobody changes what is somebody else's, by whatever way.
as_user ben "SELECT nexi_team.append(gen_random_uuid(), '$shared', NULL, 'withdrawn', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)" | grep -q foreign || fail "ben takes anna's thread back"
if as_user ben "DELETE FROM nexi_team.events" 2> /dev/null || as_user ben "UPDATE nexi_team.threads SET title = 'x'" 2> /dev/null; then fail "ben changes tables"; fi
said "somebody else" with ben team withdraw "$shared"
if as_user dora "SELECT count(*) FROM nexi_team.threads" 2> /dev/null; then fail "dora reads tables"; fi

# Private text is held back, with all that follows it, until it is shared with it; then the cited passages go along.
printf '# The roof\n\nThe roof of the boathouse was tarred in 1931 by Aksel Holt.\n\n%s\n\nThe key to the safe lies under the third stone.\n' "$(printf 'A sentence about the weather of April, which was mild. %.0s' $(seq 60))" > "$place/notes-anna/roof.md"
with anna ask "Who tarred the roof of the boathouse?" > "$place/roof.out" 2>&1 || fail "anna's notes are not found: $(cat "$place/roof.out")"
with anna team share > "$place/held.out" 2>&1
grep -q "held back" "$place/held.out" || fail "nobody is told that an answer is held back: $(cat "$place/held.out")"
[ "$(sql "SELECT count(*) FROM nexi_team.events WHERE body LIKE '%boathouse%'")" = 0 ] || fail "private text has left: $(sql "SELECT body FROM nexi_team.events WHERE body LIKE '%boathouse%'")"
[ "$(sql "SELECT count(*) FROM nexi_team.threads WHERE title LIKE '%boathouse%'")" = 0 ] || fail "a question that is held back has left as a title"
if with ben team search boathouse > /dev/null 2>&1; then fail "ben finds what is held back"; fi
with anna team share --with-documents > /dev/null
[ "$(sql "SELECT count(*) FROM nexi_team.events WHERE body LIKE '%Aksel Holt%'")" -ge 1 ] || fail "what is wanted is not shared"
[ "$(sql "SELECT count(*) FROM nexi_team.events WHERE body LIKE '%third stone%'")" = 0 ] || fail "more than the cited passages has left: $(sql "SELECT body FROM nexi_team.events WHERE body LIKE '%third stone%'")"
[ "$(sql "SELECT count(*) FROM nexi_team.events WHERE body LIKE '%notes-anna%'")" = 0 ] || fail "where files lie has left"
with ben team search "boathouse" --json | json 'found[0]["author"]' | grep -q anna || fail "ben does not find the boathouse"

# For the members of a role alone.
thread "The board's budget" "What is the budget of the board?" "It is 240,000 [1]." bbbb > "$place/board.json"
with anna history import "$place/board.json" > /dev/null
with anna team share bbbb --group board > /dev/null
with cara team search budget --json | json 'found[0]["role"]' | grep -q board || fail "cara is on the board and finds nothing"
[ "$(with ben team list --json | json 'sum(row["role"] is not None for row in found)')" = 0 ] || fail "ben sees what is the board's"
if with ben team search budget > /dev/null 2>&1; then fail "ben finds what is the board's"; fi
[ "$(as_user ben "SELECT count(*) FROM nexi_team.turns WHERE answer LIKE '%240,000%'")$(as_user ben "SELECT count(*) FROM nexi_team.events WHERE body LIKE '%240,000%'")" = 00 ] || fail "ben reads what is the board's"

# A role that is dropped and made again is another one.
sql "CREATE ROLE crew NOLOGIN; GRANT crew TO anna" > /dev/null
thread "The crew's rota" "Who is on the rota?" "Only the first crew [1]." dddd > "$place/crew.json"
with anna history import "$place/crew.json" > /dev/null
with anna team share dddd --group crew > /dev/null
sql "DROP ROLE crew; CREATE ROLE crew NOLOGIN; GRANT crew TO ben" > /dev/null
[ "$(as_user ben "SELECT count(*) FROM nexi_team.threads WHERE role = 'crew'")" = 0 ] || fail "a new role sees what was shared with an old one"
with anna team withdraw dddd > /dev/null
# So is somebody who is given the name of somebody else: threads of the first one are not theirs. A private thread stays.
sql "CREATE ROLE otto LOGIN PASSWORD 'otto'; GRANT nexi_team, board TO otto" > /dev/null
as_otto() { PGPASSWORD=otto psql -h 127.0.0.1 -p "$port" -U otto -d team -At -c "$1"; }
as_otto "SELECT nexi_team.append(gen_random_uuid(), '00000000-0000-4000-8000-00000000000a', 'board', 'head', '{\"title\": \"Of the first otto\"}', '', NULL, NULL, NULL, NULL, NULL, NULL)" | grep -q kept || fail "otto cannot share"
sql "DROP ROLE otto; CREATE ROLE otto LOGIN PASSWORD 'otto'; GRANT nexi_team TO otto" > /dev/null
[ "$(as_otto "SELECT count(*) FROM nexi_team.threads WHERE title LIKE '%first otto%'")" = 0 ] || fail "whoever has the name of somebody else reads what is theirs"
as_otto "SELECT nexi_team.append(gen_random_uuid(), '00000000-0000-4000-8000-00000000000a', NULL, 'withdrawn', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)" | grep -q foreign || fail "whoever has the name of somebody else takes back what is theirs"
# Whoever tries to take back what an earlier login of the name shared is told that it stays.
sql "CREATE ROLE pia LOGIN PASSWORD 'pia'; GRANT nexi_team TO pia" > /dev/null
sed 's/anna/pia/g' "$place/anna.toml" > "$place/pia.toml"; mkdir -p "$place/notes-pia"
thread "Pia's plan" "What does Pia plan?" "A trip to the sea [1]." eeee > "$place/pia.json"
with pia history import "$place/pia.json" > /dev/null
with pia team share eeee > /dev/null
with ben team list | grep -q "Pia's plan" || fail "pia does not share"
sql "DROP ROLE pia; CREATE ROLE pia LOGIN PASSWORD 'pia'; GRANT nexi_team TO pia" > /dev/null
with pia team withdraw eeee > "$place/pia.out" 2>&1 || true
! grep -q "^Withdrawn" "$place/pia.out" && grep -q "earlier login" "$place/pia.out" || fail "pia is told that it is withdrawn: $(cat "$place/pia.out")"
with ben team list | grep -q "Pia's plan" || fail "somebody with the name of somebody else withdraws"
with anna ask "Where does Nexi keep my keys?" --private > /dev/null 2>&1 || fail "a private question"
if with anna team share > "$place/private.out" 2>&1; then grep -q "Where does Nexi keep" "$place/private.out" && fail "a private thread is shared"; fi
[ "$(sql "SELECT count(*) FROM nexi_team.events WHERE body LIKE '%keep my keys%' AND thread IN (SELECT id FROM nexi_team.threads WHERE author = 'anna')")" = 0 ] || fail "a private question has left"
# A library of an older program, in which people and roles went by their names, is brought up to date.
before=$(with ben team list --json | json 'len(found)')
sql "DROP POLICY members ON nexi_team.threads; DROP POLICY members ON nexi_team.events; DROP POLICY members ON nexi_team.turns; DROP FUNCTION nexi_team.is_self(oid) CASCADE; ALTER TABLE nexi_team.threads DROP COLUMN author_id" > /dev/null
said "created by an older version" with ben team list
env PGPASSWORD=admin "$nexi" team create --to "$(to admin)" --data-dir "$place/home-admin" | grep -q "up to date" || fail "an older library is not brought up to date"
[ "$(with ben team list --json | json 'len(found)')" = "$before" ] || fail "an older library has lost threads"
# So is one that is restored from a dump in another database of the server, with the roles of the first one.
as_postgres "$bin/pg_dump" -h "$place/socket" -p "$port" -U admin --schema nexi_team team > "$place/dump.sql" 2> "$place/dump.err" || PGPASSWORD=admin "$bin/pg_dump" -h 127.0.0.1 -p "$port" -U admin --schema nexi_team team > "$place/dump.sql"
sql "CREATE DATABASE restored" > /dev/null
PGPASSWORD=admin psql -h 127.0.0.1 -p "$port" -U admin -d restored -q -v ON_ERROR_STOP=1 -f "$place/dump.sql" > /dev/null || fail "a dump cannot be restored"
[ "$(PGPASSWORD=ben psql -h 127.0.0.1 -p "$port" -U ben -d restored -At -c "SELECT count(*) FROM nexi_team.threads WHERE turns > 0")" = "$before" ] || fail "a restored library shows ben something else"

# Later changes follow, and what is deleted or withdrawn is gone.
with anna ask "Where does Nexi keep my keys?" --thread "$(printf 'aaaa%028d' 0 | tr 0 1)" > /dev/null 2>&1 || fail "anna cannot ask more"
[ "$(with ben team list --json | json '[row["turns"] for row in found if row["title"] == "Ferries to Ostholm" and row["author"] == "anna"][0]')" = 2 ] || fail "a later answer is not shared: $(with ben team list)"
with anna team withdraw "$shared" > /dev/null
[ "$(sql "SELECT count(*) FROM nexi_team.events WHERE thread = '$shared' AND body IS NOT NULL")$(sql "SELECT count(*) FROM nexi_team.turns WHERE thread = '$shared'")" = 00 ] || fail "something is left of what was withdrawn"
said "no longer shared" with ben team show "$shared"
with ben history --json | grep -q "leaves at nine" || fail "ben's copy is gone"
with anna history delete bbbb --yes > /dev/null 2>&1 || with anna history delete bbbb > /dev/null
if with cara team search budget > /dev/null 2>&1; then fail "what was deleted is still shared"; fi

# Without the database what is shared waits, and is sent later.
pg_ctl stop -m fast
thread "Tide tables" "Where are the tide tables?" "In the harbour office [1]." cccc > "$place/tide.json"
with cara history import "$place/tide.json" > /dev/null
with cara team share cccc > "$place/away.out" 2>&1 || fail "without the database nothing can be shared: $(cat "$place/away.out")"
grep -q "wait to be sent" "$place/away.out" && grep -q "could not be reached" "$place/away.out" || fail "nobody is told that it waits: $(cat "$place/away.out")"
said "could not be reached" with cara team list
with cara ask "Where does Nexi keep my keys?" > /dev/null 2>&1 || fail "without the database nothing is answered"
start
with cara team send | grep -q "Everything has been sent" || fail "what waited is not sent"
with anna team search "tide tables" | grep -q "Tide tables" || fail "what waited is not there"
# The doctor knows of the team library; a change that is refused is told with its thread.
with cara doctor 2> /dev/null | grep -A1 "team library" | grep -q "of your threads" || fail "the doctor says nothing: $(with cara doctor)"
thread "Lock gates" "Who oils the lock gates?" "The keeper does [1]." abab > "$place/gates.json"
with anna history import "$place/gates.json" > /dev/null
with anna team share abab --group board > /dev/null || fail "anna is on the board"
sql "REVOKE board FROM anna" > /dev/null
with anna ask "Where does Nexi keep my keys?" --thread abab > /dev/null 2>&1 || fail "anna cannot ask more"
with anna team status 2>&1 | grep -q "Lock gates.*not a member" || fail "what was refused is not named: $(with anna team status 2>&1)"
sql "GRANT board TO anna" > /dev/null
with anna team send | grep -q "Everything has been sent" || fail "what was refused is not sent later"
echo "team: sharing, branches, groups, withdrawing, private text and a database that was away are right"

# Eight people share for a minute: threads come into a shared space, change and are told, while programs are killed at random
# and the database is restarted in the middle.
for number in 1 2 3 4 5 6 7 8; do
  sql "CREATE ROLE person$number LOGIN PASSWORD 'person$number' IN ROLE nexi_team" > /dev/null
  settings "person$number"
  with "person$number" space add House > /dev/null
  with "person$number" team share --space House > /dev/null
done
many() { # how many threads, of whom, in which round
  python3 - "$@" << 'PY'
import json, sys, time, uuid
for number in range(int(sys.argv[1])):
    thread, now = uuid.uuid4().hex, int(time.time() * 1000)
    turns = [{"id": uuid.uuid4().hex, "thread": thread, "question": f"Question {number} of {sys.argv[2]} in round {sys.argv[3]}?", "effort": "m", "model": "m",
              "asked_ms": now + place, "duration_ms": 5, "events": [],
              "ending": {"state": "answered", "answer": f"Answer {place}. " + "It is so. " * 50, "sources": [], "citations": [], "steps": 1, "usage": {"prompt": 1, "completion": 1}}}
             for place in range(1 + number % 3)]
    print(json.dumps({"nexi_thread": 1, "id": thread, "title": f"Thread {number}", "created_ms": now, "updated_ms": now, "titled": True, "space": "House",
                      "turns": turns, "sources": []}))
PY
}
person() {
  local name=$1 round=0 until=$(($(date +%s) + seconds))
  while [ "$(date +%s)" -lt "$until" ]; do
    round=$((round + 1))
    many 12 "$name" "$round" > "$place/$name.jsonl"
    with "$name" history import "$place/$name.jsonl" > /dev/null 2>> "$place/$name.log" || true
    # Some are killed while they send.
    if [ $((RANDOM % 2)) = 0 ]; then timeout -s KILL "0.$((RANDOM % 8 + 1))" env TEAM_PASSWORD="$name" "$nexi" team send --config "$place/$name.toml" --data-dir "$place/home-$name" > /dev/null 2>&1 || true
    else with "$name" team send > /dev/null 2>> "$place/$name.log" || true; fi
  done
}
writers=()
for number in 1 2 3 4 5 6 7 8; do person "person$number" 2> /dev/null & writers+=($!); done
sleep $((seconds / 2))
restart immediate
for writer in "${writers[@]}"; do wait "$writer" || true; done
for number in 1 2 3 4 5 6 7 8; do
  for try in 1 2 3; do with "person$number" team send 2>&1 | grep -q "Everything has been sent" && break; done
  with "person$number" team status --json | json 'found["waiting"]' | grep -qx 0 || fail "person$number still waits: $(with "person$number" team status)"
done
wanted=$(python3 - "$place" << 'PY'
import glob, sqlite3, sys
threads = turns = 0
for path in glob.glob(sys.argv[1] + "/home-person*/nexi.db"):
    base = sqlite3.connect(path)
    threads += base.execute("SELECT count(*) FROM shared").fetchone()[0]
    turns += base.execute("SELECT count(*) FROM turns t JOIN shared s ON s.thread_id = t.thread_id").fetchone()[0]
print(threads, turns)
PY
)
found="$(sql "SELECT count(*) FROM nexi_team.threads WHERE author::text LIKE 'person%' AND turns > 0") $(sql "SELECT count(*) FROM nexi_team.turns u JOIN nexi_team.threads t ON t.id = u.thread WHERE t.author::text LIKE 'person%'")"
[ "$wanted" = "$found" ] || fail "$wanted threads and turns are shared and $found there"
doubled=$(sql "SELECT count(*) FROM (SELECT FROM nexi_team.events e JOIN nexi_team.threads t ON t.id = e.thread WHERE kind = 'turn' AND t.author::text LIKE 'person%' GROUP BY e.thread, e.turn HAVING count(*) > 1) d")
[ "$doubled" = 0 ] || fail "$doubled turns were told twice"
[ "${wanted%% *}" -gt 50 ] || fail "only $wanted were shared"
echo "team: 8 people shared ${wanted%% *} threads with ${wanted##* } answers in $seconds s, their programs killed and the database restarted: none lost, none twice"
