"""Sums as the gateway has them: text in the minor unit, with a currency.

It does no arithmetic, and does not know how many decimal places a currency has. Floating point numbers are refused.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TypedDict, cast

from payframe.errors import refused_value


class Money(TypedDict):
    """``amount`` in the minor unit: ``"3545"`` is 35.45 EUR."""

    amount: str
    currency: str


def money(amount_minor: int | str | Decimal, currency: str) -> Money:
    """A sum for a request.

    ``amount_minor`` is whole, not negative, in the minor unit of the currency, with at most 12 digits. A ``Decimal``
    must have no decimal places, not even ``.00``: it could be in the major unit. ``currency`` is three letters of
    ISO 4217.
    """
    if not isinstance(_unchecked(currency), str) or not re.fullmatch("[A-Z]{3}", currency):
        raise refused_value("currency", "must be three capital letters of ISO 4217, such as EUR")
    text = _digits(amount_minor)
    if not re.fullmatch("0|[1-9][0-9]{0,11}", text):
        raise refused_value(
            "amount_minor",
            "must be a whole number of at most 12 digits, in the minor unit of the currency (3545 for 35.45 EUR)",
        )
    return {"amount": text, "currency": currency}


def _digits(value: object) -> str:
    """The digits of a whole number; empty for anything else."""
    if isinstance(value, str):
        return value
    if isinstance(value, Decimal):
        exponent = value.as_tuple().exponent
        # A Decimal with a large exponent is not written out: it has too many digits in any case.
        return format(value, "f") if isinstance(exponent, int) and 0 <= exponent <= 12 else ""
    is_whole = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**12
    return str(int(cast(int, value))) if is_whole else ""


def _unchecked(value: object) -> object:
    """A value of a program that no type checker has seen."""
    return value
