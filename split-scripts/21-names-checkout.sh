#!/usr/bin/env bash
# usage: 21-names-checkout.sh CHECKOUT. Renames in the form, the model, load and shop; leaves the change staged, uncommitted.
set -euo pipefail
tree=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
python3 "$here/21-names-checkout.py" "$tree"
cd "$tree"
cargo fmt --all
git add -u
git status --short | wc -l
