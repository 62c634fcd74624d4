"""The peer of the page bench: Python trafilatura on the same pages, one core, Markdown without comments.

Prints pages per second, recall, leak and F1. Arguments: the folder of the corpus.
"""
import gzip
import json
import re
import sys
import time
from pathlib import Path

import trafilatura

folder = Path(sys.argv[1])
truth = json.loads((folder / "truth.json").read_text())
pages = [gzip.decompress((folder / "html" / page["html"]).read_bytes()) for page in truth]


def plain(text):
    return " ".join(re.sub(r"[*_`#>|\\\[\]]", "", text).split())


trafilatura.extract(pages[0], output_format="markdown")
texts = []
began = time.process_time()
for page, html in zip(truth, pages):
    texts.append(trafilatura.extract(html, url=page["url"], output_format="markdown", include_comments=False) or "")
took = time.process_time() - began
found = missed = leaked = kept = 0
for page, text in zip(truth, texts):
    text = plain(text)
    for sentence in page["with"]:
        found, missed = (found + 1, missed) if plain(sentence) in text else (found, missed + 1)
    for sentence in page["without"]:
        leaked, kept = (leaked + 1, kept) if plain(sentence) in text else (leaked, kept + 1)
recall, precision = found / (found + missed), found / max(1, found + leaked)
print(len(pages) / took, recall, leaked / (leaked + kept), 2 * precision * recall / (precision + recall))
