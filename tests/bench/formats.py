"""Words kept of each kind of document and the time it takes, beside what people use: markitdown (PyPI), pdftotext
(Poppler) and pandoc (Debian); and pages of a long PDF a second.

    python formats.py NEXI FOLDER...

Each program is started once for a file. Words count as kept where the other one found them.
"""

import collections
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

KINDS = (
    "docx odt rtf pdf pptx odp xlsx xls ods csv tsv epub eml mbox ipynb vtt srt html md org rst tex py log txt"
).split()
# What pandoc calls the kinds that it reads.
PANDOC = {
    "docx": "docx", "odt": "odt", "rtf": "rtf", "epub": "epub", "html": "html", "org": "org", "rst": "rst",
    "tex": "latex", "ipynb": "ipynb", "csv": "csv", "tsv": "tsv", "md": "markdown",
}
# Copies of a document that make a long one.
COPIES = 40


def words(text):
    return collections.Counter(re.findall(r"\w+", text.lower()))


def timed(command):
    begun = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    return (done.stdout if done.returncode == 0 else None), (time.perf_counter() - begun) * 1000


class Sum:
    """Of all files of a kind: words of ours, of a peer's and of both, and the time that each took."""

    def __init__(self):
        self.files = self.unread = self.own = self.theirs = self.both = self.own_ms = self.their_ms = 0

    def add(self, own, own_ms, text, their_ms):
        self.files += 1
        if text is None:
            self.unread += 1
            return
        theirs = words(text)
        self.own += sum(own.values())
        self.theirs += sum(theirs.values())
        self.both += sum((own & theirs).values())
        self.own_ms += own_ms
        self.their_ms += their_ms

    def line(self, kind, name):
        if self.unread == self.files:
            return f"  {kind:6} {name}: does not read it"
        kept, back = self.both / max(1, self.theirs), self.both / max(1, self.own)
        time_ = f"{self.own_ms:.0f}/{self.their_ms:.0f} ms ({self.own_ms / self.their_ms:.2f})"
        unread = f", {self.unread} of {self.files} not read by it" if self.unread else ""
        return f"  {kind:6} {name}: {time_}, {kept:.2f} of its words kept, {back:.2f} of ours in it{unread}"


def peers(path, markitdown):
    kind = path.suffix[1:]
    if markitdown.exists():
        yield "markitdown", [str(markitdown), str(path)]
    if kind == "pdf" and shutil.which("pdftotext"):
        yield "pdftotext", ["pdftotext", str(path), "-"]
    if kind in PANDOC and shutil.which("pandoc"):
        yield "pandoc", ["pandoc", "-f", PANDOC[kind], "-t", "plain", "--wrap=none", str(path)]


def by_kind(nexi, folders, markitdown):
    sums = collections.defaultdict(Sum)
    for path in sorted(path for folder in folders for path in pathlib.Path(folder).iterdir()):
        if path.suffix[1:] not in KINDS:
            continue
        text, own_ms = timed([nexi, "read", str(path), "--full", "--json"])
        pages = json.loads(text)["pages"] if text else [{}]
        own = words(pages[0].get("content") or "")
        for name, command in peers(path, markitdown):
            sums[path.suffix[1:], name].add(own, own_ms, *timed(command))
    for (kind, name), found in sorted(sums.items()):
        print(found.line(kind, name))


def long_pdf(nexi, markitdown):
    source = pathlib.Path(__file__).parents[1] / "documents/museum/paper-machine-manual.pdf"
    if not shutil.which("pdfunite"):
        print("SKIPPED: a long PDF: pdfunite (Poppler) is not installed")
        return
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "long.pdf"
        subprocess.run(["pdfunite", *[str(source)] * COPIES, str(path)], check=True)
        info = subprocess.run(["pdfinfo", str(path)], capture_output=True, text=True, check=True).stdout
        count = int(re.search(r"Pages:\s+(\d+)", info)[1])
        commands = {"nexi": [nexi, "read", str(path), "--full", "--json"], "pdftotext": ["pdftotext", str(path), "-"]}
        if markitdown.exists():
            commands["markitdown"] = [str(markitdown), str(path)]
        rates = {name: count / timed(command)[1] * 1000 for name, command in commands.items()}
        figures = ", ".join(f"{name} {rate:.0f}" for name, rate in rates.items())
        print(f"  a PDF of {count} pages, pages a second: {figures}")


def main(nexi, *folders):
    markitdown = pathlib.Path(sys.executable).with_name("markitdown")
    for name, there in (("markitdown", markitdown.exists()), ("pandoc", shutil.which("pandoc"))):
        if not there:
            print(f"SKIPPED: formats beside {name}: it is not installed")
    print("documents, ours beside the other's: milliseconds a file with starting, and words")
    by_kind(nexi, folders, markitdown)
    long_pdf(nexi, markitdown)


main(*sys.argv[1:])
