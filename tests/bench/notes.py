"""Makes notes: sentences of pages in another order, twenty passages to a file, which have the same words and no answers.
Usage: notes.py PAGES TARGET FIRST COUNT"""

import html, pathlib, random, re, sys
pages, target, first, count = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
sentences = []
for page in sorted(pathlib.Path(pages).glob("*.html")):
    text = html.unescape(re.sub(r"<[^>]+>", " ", page.read_text(errors="replace")))
    sentences += [sentence.strip() for sentence in re.split(r"(?<=[.!?])\s+", " ".join(text.split())) if 5 <= len(sentence.split()) <= 60]
random.seed(first)
target.mkdir(parents=True, exist_ok=True)
for number in range(first, first + count):
    parts = [" ".join(random.choices(sentences, k=5)) for _ in range(20)]
    folder = target / f"{number // 1000}"
    folder.mkdir(exist_ok=True)
    (folder / f"note{number}.md").write_text("\n\n".join(parts) + "\n")
