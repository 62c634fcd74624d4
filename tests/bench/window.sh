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
# Proportional memory of a process and all that it started, in MB.
memory() {
  local pids=$1 next=$1
  while [ -n "$next" ]; do
    next=$(for pid in $next; do pgrep -P "$pid" || true; done)
    pids="$pids $next"
  done
  for pid in $pids; do awk '/^Pss:/ {print $2}' "/proc/$pid/smaps_rollup" 2> /dev/null || true; done | awk '{sum += $1} END {print int(sum / 1024)}'
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
  sleep 4
  memory "$pid"
  kill "$pid"; wait "$pid" 2>/dev/null || true
}
nexi=(target/debug/nexi-desktop --data-dir "$place/data")
empty=target/debug/examples/empty-window
own_start=$(measure "Nexi" "${nexi[@]}")
empty_start=$(measure "Empty ready" "$empty")
awk -v own="$own_start" -v empty="$empty_start" 'BEGIN {printf "start to interactive window: %d ms, %.2f times an empty Tauri window (%d ms)\n", own, own/empty, empty}'
own_memory=$(idle "Nexi" "${nexi[@]}")
empty_memory=$(idle "Empty ready" "$empty")
awk -v own="$own_memory" -v empty="$empty_memory" 'BEGIN {printf "idle memory with window, hidden popup and index: %d MB (PSS of all processes), %.2f times an empty Tauri window (%d MB)\n", own, own/empty, empty}'
"${nexi[@]}" > /dev/null 2>&1 &
pid=$!
until xdotool search --name "^Nexi\$" > /dev/null 2>&1; do sleep 0.05; done
sleep 2
for _ in 1 2 3 4 5 6 7; do
  start=$(date +%s%N)
  xdotool key --clearmodifiers ctrl+shift+space
  until xdotool search --onlyvisible --name "^Ask Nexi\$" > /dev/null 2>&1; do sleep 0.002; done
  end=$(date +%s%N)
  echo $(((end - start) / 1000000))
  sleep 0.5
  xdotool key --clearmodifiers ctrl+shift+space
  sleep 0.5
done | median | awk '{printf "popup, from the key to the screen: %d ms median (%.2f of a 150 ms limit; xdotool itself is in it)\n", $1, $1/150}'
kill "$pid"; wait "$pid" 2>/dev/null || true
kill %1 2> /dev/null || true
# The figures that need hands in the window are printed by its tests.
cargo test --quiet --workspace --test desktop -- --nocapture five_hundred hundred_thousand 2>&1 | grep -E "^(library|a thread|memory|popup|[0-9]+ turns)" || true
