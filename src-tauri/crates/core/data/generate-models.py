#!/usr/bin/env python3
"""Writes models.jsonl, the table of prices and context windows that Nexi comes with.

Usage: generate-models.py [TABLE] > models.jsonl

TABLE is the published price table that the PyPI package `litellm` carries (MIT licence), by default
the one of the litellm that is installed for this Python. Only facts are taken over: ids, prices and
sizes, of the services that Nexi has a preset for.
"""

import datetime
import json
import pathlib
import sys

# The name of a service in the published table, and its id in Nexi.
SERVICES = {
    "openai": "openai",
    "anthropic": "anthropic",
    "gemini": "gemini",
    "deepseek": "deepseek",
    "mistral": "mistral",
    "xai": "xai",
    "moonshot": "moonshot",
    "zai": "zai",
    "groq": "groq",
    "together_ai": "together",
    "fireworks_ai": "fireworks",
    "cerebras": "cerebras",
    "azure": "azure",
}
# What the table lacks or has wrong, by id, over what it says: {"openai/gpt-x": {"input": 1.0, "output": 4.0}}.
OVERRIDES = {}
PER_TOKEN = {
    "input": "input_cost_per_token",
    "output": "output_cost_per_token",
    "cached": "cache_read_input_token_cost",
    "written": "cache_creation_input_token_cost",
}
# From how many tokens of prompt on another price counts.
TIERS = [(100_000, "100k"), (128_000, "128k"), (200_000, "200k"), (272_000, "272k"), (512_000, "512k")]


def million(value):
    """US dollars for a million tokens, without the noise of binary fractions."""
    return round(float(value) * 1e6, 6)


def row(entry):
    out = {}
    context = entry.get("max_input_tokens") or entry.get("max_tokens")
    if context:
        out["context"] = int(context)
    if entry.get("max_output_tokens"):
        out["max_output"] = int(entry["max_output_tokens"])
    for name, field in PER_TOKEN.items():
        if entry.get(field) is not None:
            out[name] = million(entry[field])
    for tokens, word in TIERS:
        over = {}
        for name, field in PER_TOKEN.items():
            value = entry.get(f"{field}_above_{word}_tokens")
            if value is not None:
                over[name] = million(value)
        if "input" in over and "output" in over:
            out["over"] = {"tokens": tokens, **over}
    endpoints = entry.get("supported_endpoints") or []
    if entry.get("mode") == "responses" or (endpoints and "/v1/chat/completions" not in endpoints and "/v1/responses" in endpoints):
        out["responses"] = True
    if entry.get("supports_reasoning"):
        out["reasons"] = True
        if entry.get("supports_none_reasoning_effort"):
            out["lowest"] = "none"
        elif entry.get("supports_minimal_reasoning_effort"):
            out["lowest"] = "minimal"
        elif entry.get("supports_low_reasoning_effort") is False:
            out["lowest"] = "medium"
        if entry.get("supports_adaptive_thinking"):
            out["adaptive"] = True
        if entry.get("thinking_always_on"):
            out["always_thinks"] = True
    if entry.get("deprecation_date"):
        out["retires"] = entry["deprecation_date"]
    if entry.get("supports_function_calling") is False:
        out["tools"] = False
    return out


def main():
    if len(sys.argv) > 1:
        path, source = pathlib.Path(sys.argv[1]), "litellm"
    else:
        import importlib.metadata
        import litellm

        path = pathlib.Path(litellm.__file__).parent / "model_prices_and_context_window_backup.json"
        source = "litellm " + importlib.metadata.version("litellm")
    table = json.loads(path.read_text())
    rows = {}
    for name, entry in table.items():
        service = SERVICES.get(entry.get("litellm_provider"))
        if service is None or entry.get("mode") not in ("chat", "responses", "embedding") or name.startswith("ft:"):
            continue
        model = name.removeprefix(entry["litellm_provider"] + "/")
        facts = row(entry)
        if entry["mode"] == "embedding":
            # What makes vectors says nothing.
            facts = {"input": facts["input"], "output": 0.0} if "input" in facts else {}
        if facts:
            # The same model stands there with and without the service's name; the more complete one counts.
            key = f"{service}/{model}"
            if len(facts) >= len(rows.get(key, {})):
                rows[key] = facts
    print(json.dumps({"source": source, "date": datetime.date.today().isoformat()}))
    for key, facts in OVERRIDES.items():
        rows[key] = {**rows.get(key, {}), **facts}
    for key in sorted(rows):
        print(json.dumps({"id": key, **rows[key]}))


main()
