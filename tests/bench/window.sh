#!/usr/bin/env bash
# Start to the first picture on the screen: Nexi against an empty Tauri window of the same versions.
set -euo pipefail
cd "$(dirname "$0")/../.."
command -v xdotool >/dev/null || { echo "SKIPPED: xdotool is missing"; exit 0; }
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
median() { sort -n | awk '{v[NR]=$1} END {print v[int((NR+1)/2)]}'; }
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
own=$(measure "Nexi" target/debug/nexi-desktop --data-dir "$place")
empty=$(measure "Empty ready" target/debug/examples/empty-window)
awk -v own="$own" -v empty="$empty" 'BEGIN {printf "start to interactive window: %d ms, %.2f times an empty Tauri window (%d ms)\n", own, own/empty, empty}'
