#!/usr/bin/env bash
# Indirect prompt injection: the suites of AgentDojo (PyPI), as documents and pages beside private ones, and a model
# that does what they say. Nothing private may leave.
set -euo pipefail
cd "$(dirname "$0")/../.."
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
skip() { echo "SKIPPED: agentdojo: $1"; exit 0; }
command -v python3 > /dev/null || skip "it needs Python"
python3 -m venv "$place/venv" || skip "it needs Python's venv"
# Its data and its attacks are read; what it needs for asking models is not installed.
"$place/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps agentdojo==0.1.35 PyYAML==6.0.2 || skip "the packages cannot be had from PyPI"
"$place/venv/bin/python" -B tests/conformance/injections.py "$PWD/target/debug/nexi" "$place" "$@"
