"""What grows with the library and with the cache of pages: the same commands at 0, 10,000 and 100,000 turns, with an empty
and a full cache, as ratios to nothing at all; then how much each grows with 100,000 turns and with the cache. Usage:
growth.py NEXI [TURNS ...]"""

import json
import os
import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

RUNS = 9
LIMIT = 1.2
CACHE_MIB = 200
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}},
}
nexi = sys.argv[1]
sizes = [int(turns) for turns in sys.argv[2:]] or [0, 10_000, 100_000]


class Web(BaseHTTPRequestHandler):
    """Pages, and a SearXNG that finds a new one for every question."""

    found = iter(range(10**6))

    def do_GET(self):
        kind, status, body = "text/html; charset=utf-8", 200, b""
        if self.path.startswith("/page"):
            text = "<title>Harbour</title><article><p>" + "The harbour of Orvik was opened in 1931 after long works. " * 60 + "</p></article>"
            body = text.encode()
        elif self.path.startswith("/search"):
            address = f"http://127.0.0.1:{self.server.server_port}/page-found-{next(self.found)}"
            result = {"url": address, "title": "The harbour of Orvik", "content": "The harbour of Orvik was opened in 1931."}
            kind, body = "application/json", json.dumps({"results": [result]}).encode()
        else:
            status = 404
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def words(chance, known, count):
    # Few words stand often, many seldom.
    picked = (known[min(chance.randrange(8000), chance.randrange(8000), chance.randrange(8000))] for _ in range(count))
    return " ".join(picked)


def threads(path, turns):
    chance = random.Random(7)
    known = ["".join(chance.choice(["ba", "cor", "del", "fin", "gor", "hal", "mir", "nos"]) for _ in range(4)) for _ in range(8000)]
    with open(path, "w") as out:
        for number in range(turns // 5):
            asked = 1_600_000_000_000 + number * 3_600_000
            thread, address = f"0190{number:028x}", f"https://site{number % 400}.org/a"
            source = {"number": 1, "url": address, "title": "Harbour", "site": f"site{number % 400}.org", "cited": True, "passages": []}
            all_turns = []
            for index in range(5):
                answer = f"{words(chance, known, 150)} [1]\n\n{words(chance, known, 150)}"
                ending = {"state": "answered", "answer": answer, "citations": [], "steps": 3, "usage": {"prompt": 9, "completion": 9}}
                all_turns.append({
                    "id": f"0191{number * 1000 + index:028x}",
                    "thread": thread,
                    "question": words(chance, known, 9),
                    "effort": "m",
                    "model": "m",
                    "asked_ms": asked,
                    "duration_ms": 9000,
                    "events": [],
                    "ending": {**ending, "sources": [source]},
                })
            page = {"number": 1, "read_ms": asked, "page": {"url": address, "title": "Harbour", "text": "The harbour."}}
            whole = {"nexi_thread": 1, "id": thread, "title": all_turns[0]["question"], "created_ms": asked, "updated_ms": asked}
            out.write(json.dumps({**whole, "turns": all_turns, "sources": [page]}) + "\n")


def fill(path):
    """Pages of others up to just below the limit of the cache."""
    chance = random.Random(8)
    with sqlite3.connect(path) as cache:
        size = 40_000
        for number in range(CACHE_MIB * 1024 * 1024 * 9 // 10 // size):
            row = (f"https://filled.example/{number}", 0, 0, 0, number, size, chance.randbytes(size))
            cache.execute("INSERT INTO pages (key, read_by, fetched_ms, fresh_until_ms, used, size, body) VALUES (?, ?, ?, ?, ?, ?, ?)", row)


def run(place, *args, given=None, settings="config"):
    command = [nexi, *args, "--config", f"{place}/{settings}.toml", "--data-dir", f"{place}/data"]
    begun = time.perf_counter()
    done = subprocess.run(command, input=given, capture_output=True, text=True)
    took = time.perf_counter() - begun
    if done.returncode:
        sys.exit(f"{' '.join(args)} failed: {done.stderr}")
    return took * 1000, done.stdout


def on_the_web(place):
    took, answer = run(place, "ask", "When was the harbour of Orvik opened?", settings="web")
    assert "1931" in answer, answer
    return took, answer


def measured(place, port):
    """Medians in milliseconds, by what was done."""
    hello = json.dumps(HELLO) + "\n"
    fresh = iter(range(10**6))
    actions = {
        "history --last 1": lambda: run(place, "history", "--last", "1"),
        "ask": lambda: run(place, "ask", "Where does Nexi keep my keys?"),
        "ask the web": lambda: on_the_web(place),
        "mcp, initialize": lambda: run(place, "mcp", given=hello),
        "read a page": lambda: run(place, "read", f"http://127.0.0.1:{port}/page{next(fresh)}"),
    }
    out = {}
    for what, act in actions.items():
        # The first one makes the backup of the day.
        act()
        out[what] = statistics.median(act()[0] for _ in range(RUNS))
    return out


def main():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Web)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    port = server.server_port
    allowed = f'[network]\nallowed_private_hosts = ["127.0.0.1:{port}"]\n'
    base = None
    points = []
    for turns in sizes:
        with tempfile.TemporaryDirectory() as place:
            with open(f"{place}/config.toml", "w") as settings:
                settings.write('search_backends = ["documents"]\n' + allowed)
            with open(f"{place}/web.toml", "w") as settings:
                settings.write(f'search_backends = ["searx"]\n{allowed}[providers.searx]\ntype = "searxng"\nbase_url = "http://127.0.0.1:{port}"\n')
            run(place, "ask", "Where does Nexi keep my keys?")
            run(place, "read", f"http://127.0.0.1:{port}/page")
            if turns:
                threads(f"{place}/many.jsonl", turns)
                run(place, "history", "import", f"{place}/many.jsonl")
            for cache in ["empty", "full"]:
                if cache == "full":
                    fill(f"{place}/data/pages.db")
                times = measured(place, port)
                base = base or times
                points.append((turns, cache == "full", times))
                ratios = ", ".join(f"{what} {took:.0f} ms ({took / base[what]:.2f})" for what, took in times.items())
                size = os.path.getsize(f"{place}/data/nexi.db") / 1e6
                print(f"{turns} turns ({size:.0f} MB), cache {cache}: {ratios}; limit {LIMIT} of nothing at all", flush=True)
    for what, took in base.items():
        # Least squares in the number of turns; the cache alone beside it.
        mean_turns = statistics.mean(turns for turns, _, _ in points)
        mean = statistics.mean(times[what] for _, _, times in points)
        spread = sum((turns - mean_turns) ** 2 for turns, _, _ in points)
        slope = sum((turns - mean_turns) * (times[what] - mean) for turns, _, times in points) / spread if spread else 0
        by_cache = [statistics.mean(times[what] for _, is_full, times in points if is_full == full) for full in (False, True)]
        print(
            f"{what}: {slope * 100_000:+.1f} ms with 100,000 turns ({slope * 100_000 / took:+.2f} of it), "
            f"{by_cache[1] - by_cache[0]:+.1f} ms with a full cache; limit {(LIMIT - 1):+.2f}"
        )


main()
