#!/usr/bin/env bash
# Packs what was built and staged into a .deb and an .rpm. Usage: bundle.sh [VERSION [FOLDER]]; without a version it is
# Nexi's own, and the packages go to target/package/built.
set -euo pipefail
umask 022
cd "$(dirname "$0")/../.."
version=${1:-$(bash src-tauri/packaging/version.sh)}
out=${2:-target/package/built}

rm -rf target/release/bundle "$out"
mkdir -p "$out"
# Kept out of tauri.conf.json, which is built into the app: only bundling needs these settings.
src-tauri/packaging/node_modules/.bin/tauri bundle --ci --bundles deb,rpm \
  --config src-tauri/packaging/bundle.json --config "{\"version\":\"$version\"}"
mv target/release/bundle/deb/*.deb target/release/bundle/rpm/*.rpm "$out"

# The bundler packs with gzip alone; xz makes the package a third smaller.
for package in "$out"/*.deb; do
  unpacked=$(mktemp -d)
  chmod 755 "$unpacked"
  dpkg-deb --raw-extract "$package" "$unpacked"
  dpkg-deb --root-owner-group -Zxz --build "$unpacked" "$package" > /dev/null
  rm -rf "$unpacked"
done
ls -l "$out"

# What a newcomer has to download and keep. Whoever needs more says so here.
limit() { # file, megabytes
  local size
  size=$(stat -c %s "$1")
  awk -v name="$(basename "$1")" -v size="$size" -v most="$2" 'BEGIN {
    printf "%s: %.1f MB, %.2f of %d\n", name, size / 1e6, size / 1e6 / most, most
    exit size > most * 1e6
  }' || { echo "That is more than it may be." >&2; exit 1; }
}
limit target/release/nexi 64
for package in "$out"/*.deb; do limit "$package" 38; done
