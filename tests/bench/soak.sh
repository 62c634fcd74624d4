#!/usr/bin/env bash
# Many Nexis on one small disk that is full now and then, killed and suspended at random: what was acknowledged is there.
set -euo pipefail
cd "$(dirname "$0")/../.."
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
unshare --mount --map-root-user true 2> /dev/null || { echo "SKIPPED: soak: this user may not mount file systems"; exit 0; }
NEXI=$PWD/target/release/nexi PLACE=$place SECONDS_WANTED=${NEXI_SOAK_SECONDS:-600} unshare --mount --map-root-user \
  sh -c 'mount -t tmpfs -o size=96m tmpfs "$PLACE" && exec python3 tests/bench/soak.py'
