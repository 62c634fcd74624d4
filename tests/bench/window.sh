#!/usr/bin/env bash
# Windows against an empty Tauri window of the same versions: start, memory, and the popup's way to the screen.
set -euo pipefail
cd "$(dirname "$0")/../.."
command -v xdotool >/dev/null || { echo "SKIPPED: xdotool is missing"; exit 0; }
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir -p "$place/config/nexi"
printf 'llm_backends = ["builtin"]\nsearch_backends = ["documents"]\n' > "$place/config/nexi/config.toml"
export XDG_CONFIG_HOME=$place/config
if command -v openbox > /dev/null; then openbox > /dev/null 2>&1 & sleep 0.5; fi
median() { sort -n | awk '{v[NR]=$1} END {print v[int((NR+1)/2)]}'; }
# A process and all that it started.
family() {
  local pids=$1 next=$1
  while [ -n "$next" ]; do
    next=$(for pid in $next; do pgrep -P "$pid" || true; done)
    pids="$pids $next"
  done
  echo "$pids"
}
# Their time on the processors, in ticks.
ticks() { for pid in $(family "$1"); do sed 's/.*) //' "/proc/$pid/stat" 2> /dev/null | awk '{print $12 + $13}' || true; done | awk '{sum += $1} END {print sum + 0}'; }
# Their proportional memory, in MB.
memory() {
  for pid in $(family "$1"); do awk '/^Pss:/ {print $2}' "/proc/$pid/smaps_rollup" 2> /dev/null || true; done | awk '{sum += $1} END {print int(sum / 1024)}'
}
# Both pages name their window when their script has run.
measure() {
  local title=$1; shift
  for _ in 1 2 3 4 5; do
    start=$(date +%s%N)
    "$@" > /dev/null 2>&1 &
    pid=$!
    until xdotool search --name "^$title\$" > /dev/null 2>&1; do sleep 0.005; done
    end=$(date +%s%N)
    kill "$pid"; wait "$pid" 2>/dev/null || true
    echo $(((end - start) / 1000000))
  done | median
}
idle() {
  local title=$1; shift
  "$@" > /dev/null 2>&1 &
  pid=$!
  until xdotool search --name "^$title\$" > /dev/null 2>&1; do sleep 0.05; done
  # Before what it does at its start is over, it is not idle.
  sleep 8
  local megabytes before
  megabytes=$(memory "$pid")
  before=$(ticks "$pid")
  sleep 60
  echo "$megabytes $((($(ticks "$pid") - before) * 10000 / $(getconf CLK_TCK) / 60))"
  kill "$pid"; wait "$pid" 2>/dev/null || true
}
nexi=(target/release/nexi-desktop --data-dir "$place/data")
empty=target/release/examples/empty-window
own_start=$(measure "Nexi" "${nexi[@]}")
empty_start=$(measure "Empty ready" "$empty")
awk -v own="$own_start" -v empty="$empty_start" 'BEGIN {printf "start to interactive window: %d ms, %.2f times an empty Tauri window (%d ms; limit 1.15)\n", own, own/empty, empty}'
read -r own_memory own_work < <(idle "Nexi" "${nexi[@]}")
read -r empty_memory empty_work < <(idle "Empty ready" "$empty")
awk -v own="$own_work" -v empty="$empty_work" 'BEGIN {printf "idle for a minute, the caret in its field: %.2f %% of a core (limit 0.5), an empty Tauri window %.2f %%\n", own/100, empty/100}'
awk -v own="$own_memory" -v empty="$empty_memory" 'BEGIN {printf "idle memory with window, hidden popup and index: %d MB (PSS of all processes), %.2f times an empty Tauri window (%d MB; limit 1.2)\n", own, own/empty, empty}'
# From the key to the painted frame, as the app itself takes the time; the first press finds a popup that was never shown.
"${nexi[@]}" --verbose > /dev/null 2> "$place/log" &
pid=$!
until xdotool search --name "^Nexi\$" > /dev/null 2>&1; do sleep 0.05; done
sleep 2
painted() { grep -c 'the popup was painted' "$place/log" || true; }
for press in $(seq 51); do
  xdotool key --clearmodifiers ctrl+shift+space
  for _ in $(seq 100); do [ "$(painted)" -ge "$press" ] && break; sleep 0.02; done
  sleep 0.2
  xdotool key --clearmodifiers ctrl+shift+space
  sleep 0.3
done
kill "$pid"; wait "$pid" 2>/dev/null || true
sed 's/\x1b\[[0-9;]*m//g' "$place/log" | sed -n 's/.*the popup was painted.*took_ms=\([0-9.]*\).*/\1/p' > "$place/times"
head -1 "$place/times" | awk '{printf "popup, from the key to the painted frame, first time: %.0f ms (%.2f of a 150 ms limit)\n", $1, $1/150}'
tail -n +2 "$place/times" | sort -n | awk '{v[NR]=$1} END {p=v[int(NR*0.95+0.999)]; printf "popup, from the key to the painted frame, p95 of %d: %.0f ms (%.2f of an 80 ms limit), median %.0f ms\n", NR, p, p/80, v[int((NR+1)/2)]}'
kill %1 2> /dev/null || true
# The figures that need hands in the window are printed by its tests, of the release.
export NEXI_DESKTOP=$PWD/target/release/nexi-desktop NEXI_EMPTY_WINDOW=$PWD/$empty NEXI_LIBRARY_TURNS=100000
tests() { cargo test --quiet --workspace --test desktop -- --nocapture "$@" 2>&1 | grep -oE "(library of|a thread of|memory|layout shift|a running question|frames of it|[0-9]+ turns|panicked).*"; }
tests five_hundred a_large_library still::
tests --ignored an_answer_arrives
