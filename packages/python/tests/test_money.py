"""Sums are whole numbers in the minor unit, here and in bodies."""

from __future__ import annotations

from collections import OrderedDict
from decimal import Decimal
from enum import IntEnum
from fractions import Fraction
from typing import Any

import pytest
from conftest import NewStage
from stage import Answer

from payframe import PayframeError, money


class Price(IntEnum):
    SHIRT = 3545


@pytest.mark.parametrize(
    ("amount", "expected"),
    [
        (3545, "3545"),
        ("3545", "3545"),
        ("0", "0"),
        (0, "0"),
        (Price.SHIRT, "3545"),
        (Decimal(3545), "3545"),
        (Decimal("35E2"), "3500"),
        (999_999_999_999, "999999999999"),
    ],
)
def test_a_whole_number_is_a_sum(amount: Any, expected: str) -> None:
    assert money(amount, "EUR") == {"amount": expected, "currency": "EUR"}


WRONG_NUMBERS: list[object] = [35.45, 35.0, -1, float("nan"), float("inf"), 10**12, 10**5000, True, False, Fraction(1)]
WRONG_DECIMALS: list[object] = list(map(Decimal, ("35.45", "35.00", "-1", "NaN", "Infinity", "1E13", "1E999999")))
WRONG_TEXTS: list[object] = ["35.45", "", " 1", "1\n", "007", "1e3", "1000000000000", "٣", "-0", None, [1], b"1"]


WRONG = [*WRONG_NUMBERS, *WRONG_DECIMALS, *WRONG_TEXTS]


@pytest.mark.parametrize("amount", WRONG, ids=range(len(WRONG)))
def test_anything_else_is_refused(amount: Any) -> None:
    with pytest.raises(PayframeError) as caught:
        money(amount, "EUR")
    assert (caught.value.code, caught.value.member) == ("bad_value", "amount_minor")


@pytest.mark.parametrize("currency", ["eur", "EURO", "EUR\n", "", None, 978])
def test_a_currency_is_three_letters(currency: Any) -> None:
    with pytest.raises(PayframeError) as caught:
        money(1, currency)
    assert caught.value.member == "currency"


@pytest.mark.parametrize(
    ("body", "member"),
    [
        ({"amount": 35.45}, "amount"),
        ({"amount": 35.0}, "amount"),
        ({"order": {"amount": float("nan")}}, "amount"),
        ({"order": {"amount": Decimal("35.45")}}, "amount"),
        ({"order": {"installments": [{"amount": "1"}, {"amount": 1.5}]}}, "amount"),
        ({"counts": [1, 2.5]}, "counts"),
        ({"data": b"bytes"}, "data"),
        ({"data": {1: "one"}}, "data"),
        ({"data": {1, 2}}, "data"),
    ],
    ids=repr,
)
def test_a_fraction_in_a_body_is_refused_before_anything_is_sent(
    stage: NewStage, body: dict[str, object], member: str
) -> None:
    made = stage([Answer()])
    error = made.error(lambda p: p.call("POST", "/orders/mit", body=body))
    assert (error.code, error.member, made.sent) == ("bad_value", member, [])


def test_what_json_has_is_sent(stage: NewStage) -> None:
    body: dict[str, object] = {"a": [1, "ü", None, True, (2, 3)], "b": OrderedDict(c=Price.SHIRT)}
    made = stage([Answer()])
    made.run(lambda p: p.call("POST", "/orders/mit", body=body))
    assert made.sent[0].body == {"a": [1, "ü", None, True, [2, 3]], "b": {"c": 3545}}
