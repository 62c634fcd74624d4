#!/usr/bin/env bash
# Servers that others wrote and that want a sign-in: the example server of npm's @modelcontextprotocol/sdk 1.32.2 with --oauth
# (its own sample provider), and PyPI's fastmcp 4.2.3 with its provider in memory, whose tokens are made to last 3 seconds.
set -euo pipefail
cd "$(dirname "$0")/../.."
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
if ! (cd "$place" && npm install --silent --no-audit --no-fund @modelcontextprotocol/sdk@1.32.2 express@5.3.0 > /dev/null 2>&1); then
  echo "SKIPPED: the SDK cannot be installed from npm"
  exit 0
fi
if ! (python3 -m venv "$place/venv" && "$place/venv/bin/pip" install --quiet --disable-pip-version-check fastmcp==4.2.3) 2> /dev/null; then
  echo "SKIPPED: fastmcp cannot be installed from PyPI"
  exit 0
fi
python3 tests/conformance/sign_in.py "$PWD/target/debug/nexi" "$place"
