#!/usr/bin/env bash
# A clock that jumps by years, forwards and backwards, as libfaketime (PyPI) pretends to the real program: nothing is
# lost, every question is answered, and copies of other days stay.
set -euo pipefail
cd "$(dirname "$0")/../.."
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
skip() { echo "SKIPPED: clock: $1"; exit 0; }
python3 -m venv "$place/venv" 2> /dev/null || skip "it needs Python's venv"
"$place/venv/bin/pip" install --quiet --disable-pip-version-check libfaketime==3.0.1 2> /dev/null || skip "libfaketime cannot be built from PyPI"
fake=$(find "$place/venv" -name 'libfaketimeMT.so*' -print -quit)
fake=${fake:-$(find "$place/venv" -name 'libfaketime.so*' -print -quit)}
[ -n "$fake" ] || skip "the package holds no library"
echo 'search_backends = ["documents"]' > "$place/config.toml"
nexi() { at=$1; shift; FAKETIME=$at LD_PRELOAD=$fake target/debug/nexi "$@" --data-dir "$place/data" --config "$place/config.toml"; }
fail() { echo "FAILED: clock: $1"; exit 1; }

# The pretence works at all.
nexi +4000d ask "Where are keys kept?" --quiet > "$place/out" || fail "no answer in ten years"
nexi +0 history | grep -q "Where are keys kept" || fail "a question of another time is not listed"
id=$(nexi +0 history --json | python3 -c 'import json, sys; print(int(json.load(sys.stdin)[0]["id"][:12], 16) // 1000)')
[ "$id" -gt $(($(date +%s) + 300000000)) ] || fail "the clock did not move"
count=1
for at in +0 -4000d +1d +0 +300d -1d; do
  nexi "$at" ask "How do I add a folder of documents?" --quiet > "$place/out" || fail "no answer at $at: $(cat "$place/out")"
  count=$((count + 1))
  # Answers within a limit of time go by the time that passes and not by the clock.
  nexi "$at" ask "What is the popup?" --quiet --time-target 60 --continue > "$place/out" || fail "no answer within a limit at $at"
  count=$((count + 1))
done
kept=$(nexi +0 history --last 100 --json | python3 -c 'import json, sys; print(len(json.load(sys.stdin)))')
[ "$kept" = "$count" ] || fail "$kept of $count questions are left"
# Each day on which a copy was due has one, whatever day it was before.
copies=$(ls "$place/data/backups" | wc -l)
[ "$copies" -ge 4 ] || fail "only $copies copies: $(ls "$place/data/backups")"
newest=$(nexi +0 restore --json | python3 -c 'import json, sys; print(max(json.load(sys.stdin), key=lambda copy: copy["turns"])["name"])')
nexi +0 restore "$newest" --yes > "$place/out" 2>&1 || fail "no way back to $newest: $(cat "$place/out")"
nexi +0 doctor --json > "$place/doctor.json" || true
python3 - "$place/doctor.json" <<'P' || fail "doctor finds the library damaged"
import json, sys
report = json.load(open(sys.argv[1]))
text = json.dumps(report)
assert "damaged" not in text.lower(), text
P
# The same while one process runs. Time that passes goes on as ever: a clock that is set does not touch it.
FAKETIME_TIMESTAMP_FILE=$place/offset FAKETIME_NO_CACHE=1 FAKETIME_DONT_FAKE_MONOTONIC=1 LD_PRELOAD=$fake \
  python3 -B tests/conformance/clock_within.py "$place/offset" "$PWD/target/debug/nexi" --data-dir "$place/within" --config "$place/config.toml" || fail "a clock that jumps within one process"
echo "clock, libfaketime 3.0.1: $count questions over seven jumps of up to eleven years, none lost; $copies copies, the fullest restored"
