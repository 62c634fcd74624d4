#!/usr/bin/env bash
# Collects everything the packages contain besides the app in target/package/staged: the command, manual pages, completions, the
# handbook, licences and the description for software centres. NEXI_PICTURES is the base URL of
# the pictures; without it, that description names none.
set -euo pipefail
cd "$(dirname "$0")/../.."

from=src-tauri/packaging
out=target/package/staged
nexi=target/release/nexi
# What is packed is the same whoever builds it.
export NEXI_LANGUAGE=en
version=$(bash "$from/version.sh")
# The day of the last commit, so that the same state gives the same package.
day=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}

rm -rf "$out"
mkdir -p "$out"
install -m 755 "$nexi" "$out/nexi"
"$nexi" man --dir "$out/man" > /dev/null
cp "$from/nexi-desktop.1" "$out/man/nexi-desktop.1"
gzip -9n "$out"/man/*.1
for shell in bash zsh fish; do "$nexi" completions "$shell" > "$out/completions.$shell"; done
sed -e "s|@PICTURES@|${NEXI_PICTURES:-}|; s|@VERSION@|$version|; s|@DATE@|$(date -u -d "@$day" +%F)|" "$from/metainfo.xml.in" > "$out/metainfo.xml"
# Software centres fetch pictures from the web; where they are nowhere, none are named.
[ -n "${NEXI_PICTURES:-}" ] || sed -i '/<screenshots>/,/<\/screenshots>/d' "$out/metainfo.xml"
cp -r src-tauri/handbook "$out/handbook"
rm -rf "$out/handbook/asked"
cp -r ui/pictures "$out/pictures"
cp "$from/copyright" "$out/copyright"
gzip -9n < CHANGELOG.md > "$out/changelog.gz"
node "$from/licences.mjs" | gzip -9n > "$out/licences.txt.gz"
