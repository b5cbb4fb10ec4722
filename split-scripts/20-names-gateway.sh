#!/usr/bin/env bash
# usage: 20-names-gateway.sh CHECKOUT. Renames in the gateway; leaves the change staged, uncommitted.
set -euo pipefail
tree=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
python3 "$here/20-names-gateway.py" "$tree"
cd "$tree"
cargo fmt --all
git add -u
git status --short | wc -l
