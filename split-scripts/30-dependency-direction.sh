#!/usr/bin/env bash
# usage: 30-dependency-direction.sh CHECKOUT (after 10-crates.sh). Adds xtask/src/dependencies.rs and its line; staged, uncommitted.
set -euo pipefail
tree=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
cd "$tree"
[ -e xtask/src/dependencies.rs ] && { echo "STOPPED: xtask/src/dependencies.rs is there: this has run already" >&2; exit 1; }
[ "$(grep -c '^mod demo;$' xtask/src/main.rs)" = 1 ] || { echo "STOPPED: xtask/src/main.rs has no line 'mod demo;'" >&2; exit 1; }
[ -d crates/card-rules ] || { echo "STOPPED: run 10-crates.sh first" >&2; exit 1; }
cp "$here/dependencies.rs" xtask/src/dependencies.rs
sed -i 's/^mod demo;$/mod demo;\n#[cfg(test)]\nmod dependencies;/' xtask/src/main.rs
line='11. No half-built release is served: `target/dist` is written as a whole and renamed.'
grep -qF "$line" docs/architecture.md || { echo "STOPPED: docs/architecture.md: no line 11 of what never happens" >&2; exit 1; }
sed -i '/^11\. No half-built release is served/a 12. No crate depends on one that is put together from it: `xtask/src/dependencies.rs` says who may use whom, and that the crates of rules have no effects.' docs/architecture.md
cargo fmt --all
git add xtask/src/dependencies.rs xtask/src/main.rs docs/architecture.md
