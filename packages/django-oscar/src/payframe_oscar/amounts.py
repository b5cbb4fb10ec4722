"""Sums: django-oscar has them in the major unit, the gateway in the minor one. No floating point number is in between.

How many digits a minor unit has is ISO 4217's word, as at the gateway. Babel, which django-oscar writes prices with,
says how many digits people write, which is another number for some currencies.
"""

from __future__ import annotations

from decimal import Decimal

from payframe import PayframeError


def minor_digits(currency: str) -> int:
    """How many digits the minor unit of a currency has."""
    if currency in _NONE:
        return 0
    return 3 if currency in _THREE else 2


def minor_of(amount: Decimal, currency: str) -> int:
    """A sum in the minor unit. One with a fraction of it is refused, and never rounded."""
    scaled = amount.scaleb(minor_digits(currency))
    if not scaled.is_finite() or scaled != scaled.to_integral_value() or scaled < 0:
        raise PayframeError(
            f"{amount} {currency} is no sum of whole minor units. Round it where the shop calculates it.",
            kind="caller",
            code="bad_value",
            member="amount",
        )
    return int(scaled)


def major_of(minor: int, currency: str) -> Decimal:
    """A sum as django-oscar stores it: with two decimal places at least."""
    digits = minor_digits(currency)
    return Decimal(minor).scaleb(-digits).quantize(Decimal(1).scaleb(-max(digits, 2)))


_NONE = frozenset(
    "BIF BYR CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".split()  # noqa: SIM905
)
_THREE = frozenset("BHD IQD JOD KWD LYD OMR TND".split())  # noqa: SIM905
