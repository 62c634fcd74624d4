#!/usr/bin/env bash
# Tool servers that others wrote, each used in a run with grants: @modelcontextprotocol/server-filesystem, -everything and
# -memory (npm), mcp-server-fetch, -git, -time and -sqlite (PyPI). The model is scripted; the servers are what is tried.
set -euo pipefail
cd "$(dirname "$0")/../.."
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
if ! (cd "$place" && npm install --silent --no-audit --no-fund @modelcontextprotocol/server-filesystem@2026.8.31 \
      @modelcontextprotocol/server-everything@2026.8.31 @modelcontextprotocol/server-memory@2026.8.31 > /dev/null 2>&1); then
  echo "SKIPPED: the reference servers cannot be installed from npm"
  exit 0
fi
# The server for SQLite was written for the generation before.
if ! (python3 -m venv "$place/new" && "$place/new/bin/pip" install --quiet mcp-server-fetch==2026.10.24 mcp-server-git==2026.10.19 mcp-server-time==2026.10.19 &&
      python3 -m venv "$place/old" && "$place/old/bin/pip" install --quiet mcp-server-sqlite==2025.4.25 'mcp<2') 2> /dev/null; then
  echo "SKIPPED: the reference servers cannot be installed from PyPI"
  exit 0
fi
python3 tests/conformance/tools.py "$PWD/target/debug/nexi" "$place"
