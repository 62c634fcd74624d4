#!/usr/bin/env bash
# Every wire Nexi speaks, against the types, parsers and servers that their makers publish: scripted
# services whose requests are judged by the official SDKs' own types and whose replies are made with
# them (the versions are in zoo/requirements.txt, and each line of the output names its own).
set -euo pipefail
cd "$(dirname "$0")/../.."
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
skip() { echo "SKIPPED: zoo: $1"; exit 0; }
command -v python3 > /dev/null || skip "it needs Python"
python3 -m venv "$place/venv" || skip "it needs Python's venv"
"$place/venv/bin/pip" install --quiet --disable-pip-version-check -r tests/conformance/zoo/requirements.txt || skip "the packages cannot be had from PyPI"
"$place/venv/bin/python" -B tests/conformance/zoo/run.py "$PWD/target/debug/nexi" "$@"
# The table of prices, against the one that it is made from.
prices=$(find "$place/venv" -name model_prices_and_context_window_backup.json | head -n 1)
NEXI_PRICES="$prices" cargo test --quiet --workspace --lib -- --nocapture live_models_find_the_published_price | grep -E '^(prices|[a-z]+): |FAILED|panicked' \
  | sed 's/wrong or unknown.*//'
NEXI_PRICES="$prices" cargo test --quiet --workspace --lib live_models_find_the_published_price > /dev/null
