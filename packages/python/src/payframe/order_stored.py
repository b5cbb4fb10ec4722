"""Stored orders: which are possible."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, TypeGuard, cast, get_args

from payframe.bodies import members_of
from payframe.errors import refused_value
from payframe.order_types import Cause, Goods, Intent, KeptOrder, OrderState
from payframe.order_working import READS_UNTIL_PERSON


def checked_order(order: KeptOrder) -> KeptOrder:
    """A copy of an order, if this package can have made it."""
    members = members_of(order)
    if members is None or not _has_form(members):
        raise refused_value("order", "must be an order as it was stored: new_order() makes the first")
    impossible = _impossibility(order)
    if impossible:
        raise refused_value("order", f"must be an order that the keeper made: {impossible}")
    copy: dict[str, Any] = {name: members[name] for name in KeptOrder.__annotations__}
    copy["open"] = [{"number": one["number"], "isClosing": one["isClosing"]} for one in order["open"]]
    copy["returning"] = list(order["returning"])
    return cast(KeptOrder, copy)


def is_count(value: object) -> TypeGuard[int]:
    """Whether it is a whole number from 0."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _has_form(order: Mapping[str, Any]) -> bool:
    if not all(name in order for name in KeptOrder.__annotations__):
        return False
    attempts, returning = order["open"], order["returning"]
    if not isinstance(attempts, list) or not isinstance(returning, list):
        return False
    return (
        all(is_count(order[name]) for name in ("due", "attempts", "tickets", "reads"))
        and order["due"] <= _LARGEST_AMOUNT
        and (order["asked"] is None or is_count(order["asked"]))
        and (order["called"] is None or order["called"] in get_args(Cause))
        and order["status"] in get_args(OrderState)
        and order["statusDetail"] in _DETAILS.get(order["status"], (None,))
        and order["intent"] in get_args(Intent)
        and order["goods"] in get_args(Goods)
        and all(_is_attempt(one) for one in cast("list[object]", attempts))
        and all(isinstance(one, str) and re.fullmatch("[0-9]{18}", one) for one in cast("list[object]", returning))
    )


def _is_attempt(value: object) -> bool:
    attempt = members_of(value) or {}
    return is_count(attempt.get("number")) and isinstance(attempt.get("isClosing"), bool)


def _impossibility(order: KeptOrder) -> str | None:
    """Why it can not be."""
    if order["due"] == 0:
        return "FREE"
    numbers = [one["number"] for one in order["open"]]
    if numbers != sorted(set(numbers)) or not all(1 <= number <= order["attempts"] for number in numbers):
        return "ATTEMPTS"
    if order["asked"] is not None and not 1 <= order["asked"] <= order["tickets"]:
        return "TICKET"
    if order["reads"] > READS_UNTIL_PERSON:
        return "READS"
    expected = None if order["statusDetail"] == "ISSUER" else _GOODS.get(order["status"])
    return "GOODS" if expected and order["goods"] != expected else None


_DETAILS: Final[dict[str, tuple[str, ...]]] = {"PAYING": ("BUYER", "ISSUER"), "NEEDS_PERSON": get_args(Cause)}
"""What ``statusDetail`` can be."""
_GOODS: Final = {"UNPAID": "RESERVED", "PAYING": "RESERVED", "PAID": "FULFILLED", "GIVEN_UP": "RELEASED"}
"""Where the goods of an order must be."""
_LARGEST_AMOUNT: Final = 999_999_999_999
