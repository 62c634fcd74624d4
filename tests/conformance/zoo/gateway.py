"""LiteLLM's proxy, as it is published, in front of services of the zoo: what a gateway does to
requests, replies and errors on their way."""

import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

from models import SCENARIOS, chat_run, chat_text
from world import error

PACKAGE = "litellm[proxy] 1.106.2"
GATEWAY = []


class Behind:
    """A scenario whose service stands behind the proxy."""

    kind, provider, settings, others, package = "openai_compatible", "", "", None, PACKAGE

    def __init__(self, name, upstream, script, judge, state="answered", most=3, says="", check=None, key="sk-zoo-gateway"):
        self.__dict__.update(locals())
        self.model = f"g{len(GATEWAY)}"
        GATEWAY.append(self)


def lenient(path, query, headers, body):
    # What the proxy adds is its own affair; what comes from us was judged without it.
    return []


Behind("gateway: a plain run", "openai", chat_run, lenient)
Behind("gateway: an overflow behind it", "openai",
       lambda page: chat_run(page)[:2] + [error(400, {"error": {"message": "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.", "type": "invalid_request_error", "param": "messages", "code": "context_length_exceeded"}})] + [chat_text("The lighthouse was lit on 3 October 1877 [1].")] * 3,
       lenient, state=("answered", "partial"), most=6)
Behind("gateway: the key behind it is refused", "openai", lambda page: [error(401, {"error": {"message": "Incorrect API key provided", "type": "invalid_request_error", "code": "invalid_api_key"}})] * 4, lenient, state="failed", says="refused the API key", most=4)
Behind("gateway: its own key is refused", "openai", lambda page: [], lenient, state="failed", says="refused the API key", key="sk-zoo-other", most=0)
Behind("gateway: asked too often behind it, once", "openai", lambda page: [error(429, {"error": {"message": "Rate limit reached", "type": "requests", "code": "rate_limit_exceeded"}}, [("retry-after", "1")])] + chat_run(page), lenient, most=4)
Behind("gateway: thinking of Anthropic comes back signed", "anthropic",
       next(s for s in SCENARIOS if s.name.startswith("anthropic: thinking blocks")).script, lenient,
       check=lambda report, service: [] if "signature" in json.dumps(service.requests[-1][3]["messages"]) else ["the signature was not sent back"])


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Proxy:
    """The proxy with one model for each scenario."""

    def __init__(self, world):
        self.port, self.place = free_port(), tempfile.TemporaryDirectory()
        models = []
        for scenario in GATEWAY:
            name = scenario.model
            base = f"{world.origin}/{name}" + ("/v1" if scenario.upstream == "openai" else "")
            model = "openai/test-model" if scenario.upstream == "openai" else "anthropic/claude-sonnet-4-5"
            models.append({"model_name": name, "litellm_params": {"model": model, "api_base": base, "api_key": "zoo-key-0123456789", "max_retries": 0}})
        config = pathlib.Path(self.place.name) / "config.yaml"
        config.write_text(json.dumps({"model_list": models, "general_settings": {"master_key": "sk-zoo-gateway"}, "router_settings": {"num_retries": 0, "disable_cooldowns": True}, "litellm_settings": {"num_retries": 0}}))
        env = {**os.environ, "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
        program = pathlib.Path(sys.executable).parent / "litellm"
        self.log = open(pathlib.Path(self.place.name) / "log", "w+")
        self.process = subprocess.Popen([program, "--config", config, "--host", "127.0.0.1", "--port", str(self.port)], env=env, stdout=self.log, stderr=self.log)
        for _ in range(120):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health/liveliness", timeout=2).read()
                return
            except OSError:
                if self.process.poll() is not None:
                    break
                time.sleep(1)
        self.process.kill()
        self.log.seek(0)
        raise RuntimeError("the proxy does not start: " + self.log.read()[-600:])

    def address(self, _name):
        return f"http://127.0.0.1:{self.port}/v1"

    def stop(self):
        self.process.terminate()
        self.process.wait(10)
