"""The peers of the engine bench that are Python programs, at work on the servers of the bench.

    python_peers.py once QUESTION    a question as a process of its own
    python_peers.py warm RUNS        the same question RUNS times in one process; prints a line of milliseconds for each
    python_peers.py openai ADDRESS   reads a streamed reply; prints microseconds for each of its pieces
    python_peers.py tokens NAME      counts the text of standard input; prints tokens and seconds

NEXI for Python (github.com/lirrensi/nexi-search) finds its settings by HOME. Where NEXI_BENCH_READER is set, its reader of
cleaned pages asks there instead of at r.jina.ai.
"""
import asyncio
import os
import sys
import time

PAGES = 8


def redirect_reader():
    reader = os.environ.get("NEXI_BENCH_READER")
    if not reader:
        return
    import httpx

    get = httpx.AsyncClient.get

    def elsewhere(client, address, **more):
        return get(client, str(address).replace("https://r.jina.ai", reader, 1), **more)

    httpx.AsyncClient.get = elsewhere


def once(question):
    redirect_reader()
    from nexi.cli import main

    sys.argv = ["nexi", "--plain", question]
    main()


def warm(runs):
    redirect_reader()
    from nexi.config import load_config
    from nexi.search import run_search

    config = load_config()

    async def measure():
        for _ in range(runs):
            begun = time.perf_counter()
            found = await run_search("When were the lighthouses of Orvik lit?", config)
            print((time.perf_counter() - begun) * 1000)
            assert len(found.urls) == PAGES and "1871" in found.answer, found

    asyncio.run(measure())


def openai(address):
    from openai import OpenAI

    client = OpenAI(base_url=address, api_key="key")
    begun = time.perf_counter()
    pieces = 0
    for piece in client.chat.completions.create(model="m", messages=[{"role": "user", "content": "x"}], stream=True):
        pieces += bool(piece.choices and piece.choices[0].delta.content)
    print((time.perf_counter() - begun) * 1e6 / pieces)


def tokens(name):
    import tiktoken

    encoding = tiktoken.get_encoding(name)
    encoding.encode("warm")
    text = sys.stdin.read()
    begun = time.perf_counter()
    count = len(encoding.encode(text))
    print(count, time.perf_counter() - begun)


act, given = sys.argv[1:3]
{"once": once, "warm": lambda runs: warm(int(runs)), "openai": openai, "tokens": tokens}[act](given)
