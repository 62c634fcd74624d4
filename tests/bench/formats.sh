#!/usr/bin/env bash
# Documents read by Nexi and by markitdown 0.1.9 (PyPI), pdftotext (Poppler) and pandoc (Debian): words kept and time.
set -euo pipefail
cd "$(dirname "$0")/../.."
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place/venv" && "$place/venv/bin/pip" -q install "markitdown[pdf,docx,pptx,xlsx,xls]==0.1.9" 2> /dev/null || true
"$place/venv/bin/python" -B tests/bench/formats.py "${NEXI:-$PWD/target/release/nexi}" tests/documents/files tests/documents/museum
