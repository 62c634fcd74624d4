#!/usr/bin/env bash
# Our Word documents, read by a program that others wrote: python-docx (PyPI).
set -euo pipefail
cd "$(dirname "$0")/../.."
nexi=$PWD/target/debug/nexi
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
printf 'llm_backends = ["builtin"]\nsearch_backends = ["documents"]\n' > "$place/config.toml"
args=(--config "$place/config.toml" --data-dir "$place/data")
python3 -m venv "$place/venv" && "$place/venv/bin/pip" install --quiet python-docx==1.2.0 2> /dev/null || { echo "SKIPPED: python-docx cannot be had from PyPI"; exit 0; }
"$nexi" ask "How do I add a folder of documents?" --quiet "${args[@]}" > /dev/null
id=$("$nexi" history --json "${args[@]}" | python3 -c 'import json, sys; print(json.load(sys.stdin)[0]["id"])')
for style in numbered footnotes apa; do
  "$nexi" history export "$id" --format docx --style "$style" --out "$place/$style.docx" "${args[@]}"
done
"$place/venv/bin/python" - "$place" <<'END'
import sys
from importlib.metadata import version
from zipfile import ZipFile

import docx

place = sys.argv[1]
for style in ["numbered", "footnotes", "apa"]:
    document = docx.Document(f"{place}/{style}.docx")
    texts = [(paragraph.style.name, paragraph.text) for paragraph in document.paragraphs]
    assert texts[0] == ("Heading 1", "How do I add a folder of documents?"), texts[0]
    assert any("statements are supported" in text for _, text in texts), texts
    links = [link.address for paragraph in document.paragraphs for link in paragraph.hyperlinks]
    notes = ZipFile(f"{place}/{style}.docx").read("word/footnotes.xml").decode() if style == "footnotes" else ""
    # In APA a file of the person's own has no address.
    assert {"numbered": links, "footnotes": "documents.md" in notes, "apa": True}[style], (style, links)
    assert document.sections[0].footer.paragraphs, "page numbers"
print(f"python-docx {version('python-docx')}: headings, links, notes and footers of three styles are read")
END
