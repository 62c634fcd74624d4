#!/usr/bin/env python3
"""Runs every scenario against the real program and prints one line for each.

Usage: run.py NEXI [PART OF A NAME]
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from gateway import GATEWAY, Proxy  # noqa: E402
from llama import LLAMA, Llama  # noqa: E402
from models import SCENARIOS  # noqa: E402
from searches import SEARCHES  # noqa: E402
from world import QUESTION, Service, World  # noqa: E402


def run(nexi, place, settings, args, key="zoo-key-0123456789"):
    place = pathlib.Path(place)
    (place / "config.toml").write_text(settings)
    env = {**{k: v for k, v in os.environ.items() if "KEY" not in k and "PROXY" not in k.upper()}, "ZOO_KEY": key}
    done = subprocess.run([nexi, *args, "--config", place / "config.toml", "--data-dir", place / "data"], env=env, capture_output=True, text=True, timeout=180)
    return done


def model_scenario(world, nexi, scenario, number, proxy=None):
    page = f"{world.origin}/lighthouse"
    service = Service(scenario.script(page), scenario.judge, {"/props": lambda *_: absent(), "/models": lambda *_: absent(), **(scenario.others or {})})
    name = scenario.model if proxy else f"s{number}"
    world.services[name] = service
    address = proxy.address(name) if proxy else f"{world.origin}/{name}{scenario.path}"
    settings = (
        f'llm_backends = ["zoo"]\nsearch_backends = ["searx"]\nmodel_timeout = 10\n{scenario.settings}\n'
        f'[network]\nallowed_private_hosts = ["127.0.0.1:{world.port}"]\n'
        f'[providers.zoo]\ntype = "{scenario.kind}"\nbase_url = "{address}"\nmodel = "{scenario.model}"\napi_key_env = "ZOO_KEY"\n{scenario.provider}\n'
        f'[providers.searx]\ntype = "searxng"\nbase_url = "{world.origin}/searx"\n'
    )
    with tempfile.TemporaryDirectory() as place:
        done = run(nexi, place, settings, ["ask", QUESTION, "--json"], **({"key": scenario.key} if proxy else {}))
    try:
        report = json.loads(done.stdout)
    except ValueError:
        return [f"no report: {done.stderr[-600:]}"]
    problems = list(service.problems)
    states = scenario.state if isinstance(scenario.state, tuple) else (scenario.state,)
    if report["state"] not in states:
        problems.append(f"state {report['state']}: {report.get('reason')} {done.stderr[-300:]}")
    if "answered" in states and "1877" not in report["answer"]:
        problems.append(f"answer {report['answer']!r}")
    if len(service.requests) > scenario.most:
        problems.append(f"{len(service.requests)} requests instead of at most {scenario.most}")
    if scenario.says and scenario.says not in json.dumps(report):
        problems.append(f"does not say {scenario.says!r}: {report.get('reason')}")
    if "zoo-key" in done.stdout + done.stderr:
        problems.append("shows the key")
    if scenario.check and not problems:
        problems += scenario.check(report, service)
    return problems


def absent():
    from world import error

    return error(404, {"error": {"message": "no such path"}})


def search_scenario(world, nexi, scenario, number):
    service = Service(scenario.script, scenario.judge)
    name = f"f{number}"
    world.services[name] = service
    chain = f'search_backends = ["{scenario.kind}"]' if scenario.command == "search" else f'fetch_backends = ["{scenario.kind}"]'
    settings = f'{chain}\n[search]\n{scenario.settings}\n[providers.{scenario.kind}]\ntype = "{scenario.kind}"\nbase_url = "{world.origin}/{name}"\napi_key_env = "ZOO_KEY"\n'
    with tempfile.TemporaryDirectory() as place:
        args = ["search", "harbour wall"] if scenario.command == "search" else ["read", "https://e.org/a"]
        done = run(nexi, place, settings, args)
    problems = list(service.problems)
    if scenario.says not in done.stdout + done.stderr:
        problems.append(f"does not say {scenario.says!r}: {done.stdout[-300:]} {done.stderr[-300:]}")
    if len(service.requests) > scenario.most:
        problems.append(f"{len(service.requests)} requests instead of at most {scenario.most}")
    return problems


def llama_scenario(nexi, server, scenario):
    with tempfile.TemporaryDirectory() as place:
        done = run(nexi, place, server.settings(), ["ask", scenario.question, "--json"])
    try:
        return scenario.judge(json.loads(done.stdout))
    except ValueError:
        return [f"no report: {done.stderr[-600:]}"]


def play(list_, one, part):
    """Plays the scenarios of a list whose names hold `part`; how many passed and failed."""
    passed = failed = 0
    for number, scenario in enumerate(list_):
        if part not in scenario.name:
            continue
        try:
            problems = one(scenario, number)
        except Exception as wrong:  # noqa: BLE001
            problems = [f"{type(wrong).__name__}: {wrong}"]
        print(f"{'ok    ' if not problems else 'FAILED'} {scenario.name} ({scenario.package})", flush=True)
        for problem in problems:
            print(f"         {problem}")
        passed, failed = passed + (not problems), failed + bool(problems)
    return passed, failed


def main():
    nexi, part = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
    world = World()
    counts = [
        play(SCENARIOS, lambda scenario, number: model_scenario(world, nexi, scenario, number), part),
        play(SEARCHES, lambda scenario, number: search_scenario(world, nexi, scenario, number), part),
    ]
    if any(part in scenario.name for scenario in GATEWAY):
        proxy = Proxy(world)
        try:
            counts.append(play(GATEWAY, lambda scenario, number: model_scenario(world, nexi, scenario, number, proxy), part))
        finally:
            proxy.stop()
    if any(part in scenario.name for scenario in LLAMA):
        server = Llama()
        try:
            counts.append(play(LLAMA, lambda scenario, _: llama_scenario(nexi, server, scenario), part))
        finally:
            server.stop()
    passed, failed = (sum(column) for column in zip(*counts))
    print(f"zoo: {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
