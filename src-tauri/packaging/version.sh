#!/usr/bin/env bash
# The version of Nexi.
set -euo pipefail
sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' "$(dirname "$0")/../../Cargo.toml"
