#!/usr/bin/env bash
# Runs a command with a fresh home folder and an unlocked keyring of its own.
set -euo pipefail
real_home=$HOME
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
export CARGO_HOME=${CARGO_HOME:-$real_home/.cargo} RUSTUP_HOME=${RUSTUP_HOME:-$real_home/.rustup}
export HOME=$home XDG_DATA_HOME=$home/data XDG_CONFIG_HOME=$home/config XDG_RUNTIME_DIR=$home/run
mkdir -p "$XDG_RUNTIME_DIR" && chmod 700 "$XDG_RUNTIME_DIR"
printf 'x\n' | gnome-keyring-daemon --components=secrets --unlock >/dev/null 2>&1
"$@"
