"""Bodies in JSON: how they are written, and how they are read. It does not know what is in them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, cast

from payframe.errors import refused_value


def json_of(body: Mapping[str, object]) -> bytes:
    """The JSON of a body.

    No member of the API has a fraction, so one is a sum in the major unit, or a rounding error: it is refused.
    """
    return json.dumps(_plain("body", body), separators=(",", ":")).encode()


def parsed(body: bytes) -> object:
    """``None`` if it is no JSON in UTF-8."""
    try:
        return json.loads(body.decode())
    except (ValueError, RecursionError):
        return None


def members_of(value: object) -> dict[str, Any] | None:
    """``None`` if it is no object."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def _plain(name: str, value: object) -> object:
    """A copy of what JSON has. ``name`` is the member that holds the value."""
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, Mapping):
        members = cast("Mapping[object, object]", value)
        return {_name(name, key): _plain(str(key), inner) for key, inner in members.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(name, inner) for inner in cast("list[object]", value)]
    if isinstance(value, (float, Decimal)):
        raise refused_value(name, "must be text of digits, or a whole number: money() makes sums")
    raise refused_value(name, "must be what JSON has: text, a whole number, True, False, None, a list or a dict")


def _name(member: str, key: object) -> str:
    if isinstance(key, str):
        return key
    raise refused_value(member, "must have text as names of its members")
