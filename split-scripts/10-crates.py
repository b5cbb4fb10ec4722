"""Splits crates/checkout into crates/card-rules, crates/money and crates/checkout-flow. Run by 10-crates.sh."""
import re
from tree import *

CARD = "card_number co_badge digit disclosure entry expiry history holder keys network secret security_code".split()
FLOW = "decline flow".split()
MONEY = {"money": "payframe_money", "sum": "payframe_money::currency_format"}
PLACE = {**{m: "payframe_card_rules::" + m for m in CARD}, **{m: "payframe_checkout_flow::" + m for m in FLOW}, **MONEY}
FOLDER = {**{m: "crates/card-rules" for m in CARD}, **{m: "crates/checkout-flow" for m in FLOW}}
OLD = "crates/checkout"

if not (ROOT / OLD / "Cargo.toml").exists():
    fail("crates/checkout is not there: this has run already")
clean()

# What a later change may have added has to be put somewhere by hand.
modules = re.findall(r"^pub mod (\w+);", read(f"{OLD}/src/lib.rs"), re.M)
if unknown := set(modules) ^ set(PLACE):
    fail(f"modules of {OLD} that this script does not place: {sorted(unknown)}. Add them to CARD, FLOW or MONEY")

# 1. Files.
for path in git("ls-files", OLD).splitlines():
    rest = path.removeprefix(OLD + "/")
    top = rest.removeprefix("src/").split("/")[0].removesuffix(".rs")
    if rest == "src/lib.rs":
        move(path, "crates/card-rules/src/lib.rs")
    elif rest == "Cargo.toml":
        move(path, "crates/card-rules/Cargo.toml")
    elif rest.startswith("tests/"):
        move(path, f"crates/card-rules/{rest}")
    elif top == "money":
        move(path, "crates/money/src/lib.rs" if rest == "src/money.rs" else f"crates/money/{rest}")
    elif top == "sum":
        move(path, "crates/money/" + rest.replace("src/sum", "src/currency_format"))
    elif top in FOLDER:
        move(path, f"{FOLDER[top]}/{rest}")
    else:
        fail(f"no place for {path}")

# 2. Heads of the crates.
CARD_HEAD = """\
//! The rules of card data: numbers and networks, expiry, security code, names, and how typing behaves.
//!
//! Use it wherever card data is read or typed: the widget and the gateway share every rule here, so that the two
//! never disagree about what a good card number is. Nothing in it knows a clock, a screen, a network or a wire
//! format; what depends on the day takes the day as a parameter.
//!
//! Types are made by parsing and are right once they exist: a [`card_number::CardNumber`] has passed its check digit.
//! Problems name a cause by a stable code and never repeat what was typed.

"""
FLOW_HEAD = """\
//! How the card form moves through a payment: its phases, what it asks next, and what a refusal means for the buyer.
//!
//! [`flow`] is the state machine: an event goes in, effects come out, and its caller carries them out. [`decline`] sorts
//! refusals. Nothing in it knows a clock, a screen, a network or a wire format. It handles no card data: it is told that
//! the data is complete, never what it is.

"""
write("crates/card-rules/src/lib.rs", CARD_HEAD + "".join(f"pub mod {m};\n" for m in sorted(CARD)))
write("crates/checkout-flow/src/lib.rs", FLOW_HEAD + "".join(f"pub mod {m};\n" for m in sorted(FLOW)))
edit(
    "crates/money/src/lib.rs",
    "//! Money: amounts in the minor unit of their currency, and how many digits that unit has.\n//!\n"
    "//! Amounts are integers; nothing here rounds. How an amount is written for a reader is in [`crate::sum`].\n\nuse core::fmt;\n",
    "//! Money: amounts in the minor unit of their currency, and how many digits that unit has.\n//!\n"
    "//! Amounts are integers; nothing here rounds. How an amount is written for a reader is in [`currency_format`]. Nothing\n"
    "//! in it knows a clock, a screen, a network or a wire format.\n\npub mod currency_format;\n\nuse core::fmt;\n",
)
edit("crates/money/src/currency_format.rs", "use crate::money::{Amount, minor_digits};", "use crate::{Amount, minor_digits};")
edit("crates/money/src/currency_format.rs", "use crate::money::currencies;", "use crate::currencies;")

# 3. Manifests.
edit("crates/card-rules/Cargo.toml", 'name = "payframe-checkout"\n',
     'name = "payframe-card-rules"\ndescription = "The rules of card data: numbers, networks, expiry, security code, names, typing."\n')
FACTS = """\
version.workspace = true
edition.workspace = true
rust-version.workspace = true
license.workspace = true
publish.workspace = true

[lints]
workspace = true
"""
write("crates/money/Cargo.toml", '[package]\nname = "payframe-money"\ndescription = "Amounts, their currencies, and how they are read and written."\n'
      + FACTS + "\n[dev-dependencies]\nproptest.workspace = true\n")
write("crates/checkout-flow/Cargo.toml", '[package]\nname = "payframe-checkout-flow"\ndescription = "How the card form moves through a payment."\n' + FACTS)
for name in ("card-rules", "money", "checkout-flow"):
    for part in ("src", "tests"):
        for path in (ROOT / "crates" / name / part).rglob("*.rs") if (ROOT / "crates" / name / part).exists() else ():
            if name == "checkout-flow" and "proptest" in path.read_text():
                fail("crates/checkout-flow uses proptest: add it to its manifest here")

# 4. Paths in Rust, in code and in comments.
def path_of(found):
    if found.group(1) not in PLACE:
        fail(f"payframe_checkout::{found.group(1)} is nowhere. Write that import with one module a line")
    return PLACE[found.group(1)]

for path in files(".rs"):
    text = read(path)
    new = re.sub(r"\bpayframe_checkout::(\w+|\{)", path_of, text)
    if new != text:
        write(path, new)
    if re.search(r"\bpayframe_checkout\b", new):
        fail(f"{path}: payframe_checkout without a module")
    if path.startswith(("crates/card-rules/", "crates/checkout-flow/", "crates/money/")):
        own = "card_rules" if "card-rules" in path else "checkout_flow" if "checkout-flow" in path else "money"
        for module in re.findall(r"\bcrate::(\w+)", new):
            if module in PLACE and not PLACE[module].startswith("payframe_" + own):
                fail(f"{path} uses crate::{module}, which is now in another crate: {PLACE[module]}")

# 5. Who needs which crate, by what the sources name.
NAMES = {"payframe_card_rules": "payframe-card-rules", "payframe_checkout_flow": "payframe-checkout-flow", "payframe_money": "payframe-money"}
for path in files("Cargo.toml"):
    text = read(path)
    lines = re.findall(r"^payframe-checkout\b.*$", text, re.M)
    if path == "Cargo.toml":
        edit(path, 'payframe-checkout = { path = "crates/checkout" }\n',
             "".join(f'payframe-{n} = {{ path = "crates/{n}" }}\n' for n in ("card-rules", "checkout-flow", "money")))
        text = read(path)
        if text.count('"crates/checkout",') != 2:
            fail("Cargo.toml: members and default-members are not as expected")
        write(path, text.replace('"crates/checkout",', '"crates/card-rules", "crates/checkout-flow", "crates/money",'))
        lines = re.findall(r"^payframe-checkout\.workspace.*$", read(path), re.M)
    if not lines:
        continue
    if lines != ["payframe-checkout.workspace = true"]:
        fail(f"{path}: cannot read {lines}")
    folder = path.removesuffix("Cargo.toml")
    sources = [p for p in files(".rs", folder) if folder or p.startswith(("src/", "tests/"))]
    in_src = {n for n in NAMES if any(p.startswith(folder + "src/") and re.search(rf"\b{n}\b", read(p)) for p in sources)}
    in_all = {n for n in NAMES if any(re.search(rf"\b{n}\b", read(p)) for p in sources)}
    line = lambda names: "".join(f"{NAMES[n]}.workspace = true\n" for n in sorted(names))
    edit(path, "payframe-checkout.workspace = true\n", line(in_src))
    if only_tests := in_all - in_src:
        text = read(path)
        if "\n[dev-dependencies]\n" in text:
            write(path, text.replace("\n[dev-dependencies]\n", "\n[dev-dependencies]\n" + line(only_tests), 1))
        else:
            write(path, text.rstrip() + "\n\n[dev-dependencies]\n" + line(only_tests))

# 6. Prose.
def doc_path(found):
    module = found.group(1)
    if module in ("money",):
        return "crates/money/src/lib.rs" if found.group(2) == ".rs" else fail(f"no such path: {found.group()}")
    if module == "sum":
        return "crates/money/src/currency_format" + found.group(2)
    if module not in FOLDER:
        fail(f"no such path: {found.group()}")
    return f"{FOLDER[module]}/src/{module}{found.group(2)}"

for path in git("ls-files").splitlines():
    if path.endswith((".md", ".rs", ".mjs", ".js", ".toml", ".json", ".ts")) and (ROOT / path).is_file() and path != "CHANGELOG.md":
        text = read(path)
        new = re.sub(r"\bcrates/checkout/src/(\w+)(\.rs|/)", doc_path, text)
        new = new.replace("crates/checkout/tests", "crates/card-rules/tests")
        if new != text:
            write(path, new)
edit_prose("docs/architecture.md",
     "crates/checkout/  pure rules: card numbers, networks, expiry, typing, money, the form's state machine\n",
     "crates/card-rules/ pure rules of card data: numbers, networks, expiry, security code, names, typing\n"
     "crates/money/     amounts, currencies, and how they are read and written\n"
     "crates/checkout-flow/ the form's state machine: phases, events, effects, refusals\n")
edit_prose("docs/architecture.md", "`crates/checkout` has no clock, no I/O, no serde, no DOM. Today's date is a parameter.",
     "`crates/card-rules`, `crates/money` and `crates/checkout-flow` have no clock, no I/O, no serde, no DOM. Today's date is a parameter.")
edit_prose("CONTRIBUTING.md", "cargo test --locked -p payframe-checkout expiry                     # rules of the form, in a second",
     "cargo test --locked -p payframe-card-rules expiry                   # rules of card data, in a second")
edit_prose("CONTRIBUTING.md", "| a rule: numbers, networks, dates, the flow of a payment | the same file, or `crates/card-rules/tests` |",
     "| a rule: numbers, networks, dates, amounts, the flow of a payment | the same file, or `crates/card-rules/tests` |")
edit_prose("crates/protocol/src/lib.rs", "Rules live in `payframe-checkout`.", "Rules live in `payframe-card-rules`.")
# What the widget is made of; it has no use for money.
edit("xtask/src/widget.rs", '        "crates/checkout",\n', '        "crates/card-rules",\n        "crates/checkout-flow",\n')
edit_prose("src/lib.rs", "rules and the flow of a payment are in `payframe-checkout`, the wire is in `payframe-protocol`.",
     "rules are in `payframe-card-rules`, the flow of a payment is in `payframe-checkout-flow`, the wire in `payframe-protocol`.")

# 7. Nothing names the old crate any more.
for path in git("ls-files").splitlines():
    if path in ("Cargo.lock", "CHANGELOG.md") or not (ROOT / path).is_file():
        continue
    try:
        text = read(path)
    except UnicodeDecodeError:
        continue
    if found := re.search(r"payframe[-_]checkout(?![-_]flow)|crates/checkout(?!-flow)", text):
        fail(f"{path} still names the old crate: {text[max(0, found.start() - 40):found.end() + 40]!r}")

sort_behaviours()
