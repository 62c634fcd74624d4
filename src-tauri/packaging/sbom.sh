#!/usr/bin/env bash
# Lists what each program is built from, as CycloneDX. Usage: sbom.sh [FOLDER], target/package/built by default.
set -euo pipefail
cd "$(dirname "$0")/../.."
out=${1:-target/package/built}
mkdir -p "$out"
# The tool writes a list beside the manifest of every package; those of the two programs have everything in them.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git archive HEAD | tar -x -C "$work"
cargo cyclonedx --manifest-path "$work/Cargo.toml" --format json --spec-version 1.5 --override-filename sbom.cdx
# Where it was built is nobody's business.
for program in nexi-desktop nexi; do
  folder=$([ "$program" = nexi ] && echo "$work/src-tauri/crates/cli" || echo "$work")
  sed "s|$work|.|g" "$folder/sbom.cdx.json" > "$out/$program-$(uname -m).cdx.json"
  echo "$out/$program-$(uname -m).cdx.json"
done
