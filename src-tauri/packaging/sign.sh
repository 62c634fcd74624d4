#!/usr/bin/env bash
# Signs what updates are downloaded as, each for the version of Nexi, into a file beside it. Usage: sign.sh FOLDER
# The key is in TAURI_SIGNING_PRIVATE_KEY, its password in TAURI_SIGNING_PRIVATE_KEY_PASSWORD. Nothing is compiled here.
set -euo pipefail
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
version=$(bash src-tauri/packaging/version.sh)
shopt -s nullglob
for file in "$folder"/*.AppImage "$folder"/*.app.tar.gz "$folder"/*-setup.exe; do
  case "$file" in
    *_"$version"_* | */Nexi.app.tar.gz) ;;
    *) echo "$file is not version $version." >&2 && exit 1 ;;
  esac
  src-tauri/packaging/node_modules/.bin/tauri signer sign --app-version "$version" "$file" > /dev/null
  echo "$file.sig"
done
