"""Words kept of each document and the time it takes, beside what people use: markitdown (PyPI) and pdftotext (poppler).

    python formats.py NEXI FOLDER

Each program is started once for a file. Words count as kept where the other one found them.
"""

import collections
import json
import pathlib
import re
import shutil
import subprocess
import sys
import time

KINDS = ("docx", "odt", "rtf", "pdf", "pptx", "odp", "xlsx", "xls", "ods", "epub", "eml", "ipynb", "csv")


def words(text):
    return collections.Counter(re.findall(r"\w+", text.lower()))


def timed(command):
    begun = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True)
    return (done.stdout if done.returncode == 0 else None), (time.perf_counter() - begun) * 1000


def main(nexi, folder):
    markitdown = pathlib.Path(sys.executable).with_name("markitdown")
    if not markitdown.exists():
        print("SKIPPED: formats: markitdown is not installed")
        return
    for path in sorted(pathlib.Path(folder).iterdir(), key=lambda path: path.suffix):
        if path.suffix[1:] not in KINDS:
            continue
        own, own_ms = timed([nexi, "read", str(path), "--full", "--json"])
        own = words(json.loads(own)["pages"][0]["content"]) if own else collections.Counter()
        peers = {"markitdown": [str(markitdown), str(path)]}
        if path.suffix == ".pdf" and shutil.which("pdftotext"):
            peers["pdftotext"] = ["pdftotext", str(path), "-"]
        for name, command in peers.items():
            text, ms = timed(command)
            if text is None:
                print(f"{path.name:18} {name}: does not read it; ours {own_ms:.0f} ms, {sum(own.values())} words")
                continue
            theirs = words(text)
            kept = sum((own & theirs).values()) / max(1, sum(theirs.values()))
            back = sum((own & theirs).values()) / max(1, sum(own.values()))
            print(f"{path.name:18} {name}: {own_ms:.0f}/{ms:.0f} ms ({own_ms / ms:.2f}), {kept:.2f} of its words kept, {back:.2f} of ours in it")


main(*sys.argv[1:])
