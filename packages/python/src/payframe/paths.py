"""Ids as parts of a path. It does not know the paths."""

from __future__ import annotations

import re
from urllib.parse import quote

from payframe.errors import refused_value


def segment(value: str, name: str) -> str:
    """``value`` percent-encoded. ``name`` is that of the id, for the message."""
    return quote(checked_id(value, name), safe="")


def checked_id(value: object, name: str) -> str:
    """``value``, if it can be an id."""
    # URL parsers take "." and ".." for steps of the path, however they are encoded. A lone surrogate is no text.
    if isinstance(value, str) and value not in ("", ".", "..") and not re.search("[\ud800-\udfff]", value):
        return value
    raise refused_value(name, 'must be an id: a text that is not empty, "." or ".."')


def checked_path(value: object) -> str:
    """``value``, if it can be the part of an address behind ``/api``."""
    is_path = isinstance(value, str) and re.fullmatch(r"/[!-~]*", value) and not re.search(r"[?#\\]", value)
    if isinstance(value, str) and is_path and not re.search(r"/(\.|%2e){1,2}(/|$)", value, re.IGNORECASE):
        return value
    raise refused_value("path", "must begin with a slash, without a query: it is the part of the address behind /api")
