"""Sums between django-oscar and the gateway."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path

import pytest
from payframe import PayframeError

from payframe_oscar.amounts import major_of, minor_digits, minor_of


@pytest.mark.parametrize(
    ("amount", "currency", "minor"),
    [
        ("35.45", "EUR", 3545),
        ("35.450", "EUR", 3545),
        ("0", "EUR", 0),
        ("3545.00", "JPY", 3545),
        ("3.545", "KWD", 3545),
        ("3.50", "KWD", 3500),
        ("9999999999.99", "EUR", 999999999999),
    ],
)
def test_a_sum_and_back(amount: str, currency: str, minor: int) -> None:
    assert minor_of(Decimal(amount), currency) == minor
    assert major_of(minor, currency) == Decimal(amount)


@pytest.mark.parametrize(("amount", "currency"), [("35.455", "EUR"), ("35.45", "JPY"), ("-1", "EUR"), ("NaN", "EUR")])
def test_a_fraction_is_never_rounded(amount: str, currency: str) -> None:
    with pytest.raises(PayframeError) as refused:
        minor_of(Decimal(amount), currency)
    assert refused.value.code == "bad_value"


def test_the_digits_are_those_of_iso_4217_and_not_those_that_people_write() -> None:
    # Babel writes these two without decimals, and ISO 4217 has two.
    assert [minor_digits(currency) for currency in ("ALL", "RSD")] == [2, 2]
    assert [minor_digits(currency) for currency in ("CLP", "ISK", "KRW", "VND", "BHD", "JOD")] == [0, 0, 0, 0, 3, 3]


def test_currencies_that_the_gateway_has_taken_from_elsewhere_have_its_digits() -> None:
    source = (Path(__file__).parents[3] / "crates/money/src/lib.rs").read_text(encoding="utf-8")
    withdrawn = re.findall(r'\("([A-Z]{3})", ([0-9])\)', source)
    assert withdrawn
    assert [minor_digits(currency) for currency, _ in withdrawn] == [int(digits) for _, digits in withdrawn]
