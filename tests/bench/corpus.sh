#!/usr/bin/env bash
# A shared corpus at size: how fast 1, 2 and 4 workers fill it, whether workers that are killed lose or double anything, and how
# well and how fast it is searched. Run by `make bench-corpus`; NEXI_BENCH_PASSAGES says how large it grows.
set -euo pipefail
cd "$(dirname "$0")/../.."
built=$PWD/target/${NEXI_BENCH_PROFILE:-release}
nexi=$built/nexi
wanted=${NEXI_BENCH_PASSAGES:-1000000}
pages=$PWD/../shared/data/nq-dev/pages
[ -d "$pages" ] || { echo "SKIPPED: a corpus at size; $pages is not there"; exit 0; }
. tests/conformance/postgres.sh "a corpus at size" -A trust
# What a small server is set to; the rest is as PostgreSQL comes.
options="$options -c shared_buffers=1GB -c max_wal_size=4GB -c maintenance_work_mem=256MB"
start
address=postgres://admin@127.0.0.1:$port/postgres
sql() { psql "$address" -At -v ON_ERROR_STOP=1 -c "$1"; }
corpus() { "$nexi" corpus "$@" --to "$address" --data-dir "$place/data"; }
corpus create > /dev/null

fill() { python3 tests/bench/notes.py "$pages" "$1" "$2" "$3"; }

each=$((wanted >= 100000 ? 500 : wanted / 1000 + 1))
number=0
for workers in 1 2 4; do
  fill "$place/some$workers" "$number" "$each"
  number=$((number + each))
  before=$(sql "SELECT count(*) FROM nexi.passages")
  corpus index "$place/some$workers" --only-queue 2> /dev/null
  began=$(date +%s%N)
  running=()
  for worker in $(seq "$workers"); do
    "$nexi" corpus index --workers 1 --to "$address" --data-dir "$place/data$worker" > /dev/null & running+=($!)
  done
  for process in "${running[@]}"; do wait "$process" || fail "a worker failed"; done
  took=$((($(date +%s%N) - began) / 1000000))
  after=$(sql "SELECT count(*) FROM nexi.passages")
  echo "$workers workers on $(nproc) cores, the database beside them: $(((after - before) * 1000 / took)) passages/s ($((after - before)) in $took ms)"
done

# All of it, by four processes of which one is killed every few seconds.
mean=$(sql "SELECT count(*)::float / (SELECT count(*) FROM nexi.documents) FROM nexi.passages")
count=$(python3 -c "print(int(max(0, $wanted - $(sql "SELECT count(*) FROM nexi.passages")) / $mean))")
fill "$place/many" "$number" "$count"
corpus index "$place/many" "$pages" --only-queue 2> /dev/null
began=$(date +%s)
spawn() { "$nexi" corpus index --workers 1 --to "$address" --data-dir "$place/data$1" > "$place/worker$1.log" 2>&1 & running[$1]=$!; }
running=()
for worker in 1 2 3 4; do spawn "$worker"; done
kills=0
left() { sql "SELECT count(*) FROM nexi.jobs WHERE state IN ('waiting', 'taken')"; }
while [ "$(left)" -gt 2000 ]; do
  sleep $((RANDOM % 7 + 4))
  victim=$((RANDOM % 4 + 1))
  kill -9 "${running[$victim]}" 2> /dev/null || true
  wait "${running[$victim]}" 2> /dev/null || true
  kills=$((kills + 1))
  spawn "$victim"
done
sleep 1
# Nobody waits two minutes here for the leases of those that were killed.
sql "UPDATE nexi.jobs SET due = now() WHERE state = 'taken' AND changed < now() - interval '20 seconds'" > /dev/null
for process in "${running[@]}"; do wait "$process" || fail "a worker failed: $(cat "$place"/worker*.log)"; done
took=$(($(date +%s) - began))
files=$((3 * each + count + $(find "$pages" -name '*.html' | wc -l)))
[ "$(sql "SELECT count(*) FROM nexi.documents")" = "$files" ] || fail "$(sql "SELECT count(*) FROM nexi.documents") documents and not $files"
[ "$(sql "SELECT count(DISTINCT address) FROM nexi.documents")" = "$files" ] || fail "documents are there twice"
[ "$(sql "SELECT count(*) FROM nexi.passages p WHERE NOT EXISTS (SELECT FROM nexi.documents d WHERE d.id = p.document_id)")" = 0 ] || fail "passages without a document"
echo "$(sql "SELECT count(*) FROM nexi.passages") passages of $files files by 4 processes in $took s, $kills of them killed: none lost, none twice"
sql "VACUUM ANALYZE nexi.passages, nexi.documents" > /dev/null
echo "on the disk: $(sql "SELECT pg_size_pretty(sum(pg_total_relation_size(c.oid))) FROM pg_class c WHERE c.relnamespace = 'nexi'::regnamespace AND c.relkind = 'r'")"
NEXI_BENCH_FILES=$place/some1:$place/some2:$place/some4:$place/many NEXI_BENCH_CORPUS=$address "$built/examples/corpus-bench"
