"""The world around a scenario: one page, a search that finds it, and any number of scripted services.

Everything is on loopback. A service answers the requests it gets one after the other by its script,
and every request is judged before it is answered.
"""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

QUESTION = "When was the lighthouse of Orvik lit?"
PAGE = (
    "<!doctype html><html><head><title>Orvik Lighthouse</title></head><body><article><h1>Orvik Lighthouse</h1>"
    "<p>The lighthouse of Orvik was lit for the first time on 3 October 1877. Its tower of red brick is 41 metres high.</p>"
    "<p>The last keeper, Marit Solberg, left the island in 1986, when the light was automated.</p></article></body></html>"
)
ANSWER = "It was first lit on 3 October 1877 [1]."


class Reply:
    """What a service sends: a status, headers, and a body as bytes."""

    def __init__(self, body, status=200, kind="application/json", headers=()):
        self.body = body if isinstance(body, bytes) else body.encode()
        self.status, self.kind, self.headers = status, kind, dict(headers)


def sse(events, done=True):
    """Server-sent events. An event is a dict, or a pair of a name and a dict."""
    lines = []
    for event in events:
        name, data = event if isinstance(event, tuple) else (None, event)
        lines.append((f"event: {name}\n" if name else "") + f"data: {json.dumps(data)}\n\n")
    return Reply("".join(lines) + ("data: [DONE]\n\n" if done else ""), kind="text/event-stream")


def ndjson(events):
    return Reply("".join(json.dumps(event) + "\n" for event in events), kind="application/x-ndjson")


def error(status, body, headers=()):
    return Reply(json.dumps(body) if not isinstance(body, str) else body, status=status, headers=headers)


class Service:
    """A scripted service below a path of its own."""

    def __init__(self, script, judge, others=None):
        self.script, self.judge = list(script), judge
        # Replies to requests that are no question to the model, by the end of their path.
        self.others = others or {}
        self.requests, self.problems = [], []

    def answer(self, path, query, headers, body):
        for end, reply in self.others.items():
            if path.endswith(end):
                return reply(query, headers, body) if callable(reply) else reply
        self.requests.append((path, query, headers, body))
        for problem in self.judge(path, query, headers, body) or ():
            self.problems.append(problem)
        if not self.script:
            self.problems.append(f"request {len(self.requests)} to {path}: nobody expected it")
            return error(500, {"error": {"message": "the script is at its end"}})
        step = self.script.pop(0)
        return step(body) if callable(step) else step


class World:
    def __init__(self):
        self.services = {}
        world = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def serve(self):
                url = urlsplit(self.path)
                length = int(self.headers.get("content-length") or 0)
                raw = self.rfile.read(length)
                try:
                    body = json.loads(raw) if raw else None
                except ValueError:
                    body = raw
                reply = world.reply(url.path, parse_qs(url.query), {k.lower(): v for k, v in self.headers.items()}, body)
                self.send_response(reply.status)
                self.send_header("content-type", reply.kind)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(reply.body)))
                self.end_headers()
                self.wfile.write(reply.body)

            do_GET = do_POST = serve

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        self.origin = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def reply(self, path, query, headers, body):
        if path == "/lighthouse":
            return Reply(PAGE, kind="text/html; charset=utf-8")
        if path == "/robots.txt":
            return Reply("", status=404)
        if path == "/searx/search":
            hit = {"title": "Orvik Lighthouse", "url": f"{self.origin}/lighthouse", "content": "A lighthouse"}
            return Reply(json.dumps({"query": "q", "results": [hit], "unresponsive_engines": []}))
        name = path.strip("/").split("/")[0]
        service = self.services.get(name)
        if service is None:
            return error(404, {"error": {"message": f"no service {name}"}})
        return service.answer(path[len(name) + 1 :], query, headers, body)
