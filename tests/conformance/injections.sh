#!/usr/bin/env bash
# Indirect prompt injection: the suites of AgentDojo (PyPI) and BIPIA (GitHub), as documents and pages beside private
# ones, and a model that does what they say. Nothing private may leave. NEXI_BIPIA names a checkout of BIPIA where
# GitHub cannot be reached.
set -euo pipefail
cd "$(dirname "$0")/../.."
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
skip() { echo "SKIPPED: agentdojo: $1"; exit 0; }
command -v python3 > /dev/null || skip "it needs Python"
python3 -m venv "$place/venv" || skip "it needs Python's venv"
# Its data and its attacks are read; what it needs for asking models is not installed.
"$place/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps agentdojo==0.1.35 PyYAML==6.0.2 || skip "the packages cannot be had from PyPI"
bipia=${NEXI_BIPIA:-$place/bipia}
commit=1a2a91da6bb12838e05d1b2e54d98e2f37b835f3
if [ ! -d "$bipia/benchmark" ]; then
  git init --quiet "$bipia"
  if ! timeout 60 git -C "$bipia" fetch --quiet --depth 1 https://github.com/microsoft/BIPIA "$commit" 2> /dev/null || ! git -C "$bipia" checkout --quiet FETCH_HEAD; then
    echo "SKIPPED: BIPIA: GitHub cannot be reached; NEXI_BIPIA may name a checkout of microsoft/BIPIA at $commit"
    bipia=""
  fi
fi
"$place/venv/bin/python" -B tests/conformance/injections.py "$PWD/target/debug/nexi" "$place" "$bipia" "$@"
