#!/usr/bin/env bash
# usage: 10-crates.sh CHECKOUT. Splits crates/checkout in three; leaves the change in the working tree, uncommitted.
set -euo pipefail
tree=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
python3 "$here/10-crates.py" "$tree"
cd "$tree"
cargo update --offline --quiet --workspace # writes Cargo.lock
cargo fmt --all
git add -u
git add crates/card-rules crates/money crates/checkout-flow
git status --short | wc -l
