"""The order keeper against the vectors of the Rust crate. PAYFRAME_DECISIONS can name a file with further ones."""

from __future__ import annotations

import copy
import json
import os
from pathlib import Path
from typing import Any

import pytest

from payframe import PayframeError
from payframe.order_keeper import new_order, read_input, reading_of, step

FOLDER = Path(__file__).parents[3] / "crates/order-keeper"


def _vectors(path: Path) -> list[Any]:
    vectors: list[Any] = json.loads(path.read_text(encoding="utf-8"))
    return vectors


DECISIONS = _vectors(Path(os.environ.get("PAYFRAME_DECISIONS", FOLDER / "decisions.json")))


def test_each_input_changes_an_order_as_the_vectors_say_and_not_the_given_object() -> None:
    assert len(DECISIONS) >= 500
    for vector in DECISIONS:
        order = copy.deepcopy(vector["order"])
        assert step(order, vector["input"]) == (vector["after"], vector["outputs"]), vector
        assert order == vector["order"]


def test_an_answer_of_the_gateway_is_read_as_the_vectors_say() -> None:
    vectors = _vectors(FOLDER / "readings.json")
    assert len(vectors) >= 100
    for vector in vectors:
        answer, currency = vector["answer"], vector["currency"]
        if "reading" in vector:
            assert reading_of(answer, currency) == vector["reading"]
            assert read_input(7, answer, currency) == {"type": "READ", "ticket": 7, "reading": vector["reading"]}
        else:
            with pytest.raises(PayframeError) as caught:
                reading_of(answer, currency)
            assert (caught.value.code, caught.value.kind) == (f"order_{vector['unreadable'].lower()}", "gateway")
            assert read_input(7, answer, currency) == {"type": "READ_UNREADABLE", "ticket": 7}


def test_an_order_that_the_gateway_does_not_have_has_no_payments() -> None:
    assert read_input(7, None, "EUR") == {"type": "READ", "ticket": 7, "reading": {"held": 0, "payments": []}}


NO_OPERATIONS = {"orderStatus": {"order": {"currency": "EUR"}, "authorizedAmount": "0", "refundedAmount": "0"}}


@pytest.mark.parametrize("answer", [{}, {"orderStatus": None}, NO_OPERATIONS, {**NO_OPERATIONS, "operations": [None]}])
def test_what_is_no_answer_of_the_gateway_is_unreadable(answer: Any) -> None:
    assert read_input(7, answer, "EUR") == {"type": "READ_UNREADABLE", "ticket": 7}


def test_a_new_order_is_the_first_of_the_vectors() -> None:
    assert new_order(DECISIONS[0]["order"]["due"]) == DECISIONS[0]["order"]


@pytest.mark.parametrize("due", [0, -1, 1.5, 1_000_000_000_000, True, "3545", None])
def test_an_order_has_an_amount(due: Any) -> None:
    with pytest.raises(PayframeError) as caught:
        new_order(due)
    assert (caught.value.kind, caught.value.member) == ("caller", "order")


def test_a_stored_order_that_the_keeper_can_not_have_made_is_refused_as_the_vectors_say() -> None:
    for vector in _vectors(FOLDER / "stored.json"):
        if vector["refused"] is None:
            assert step(vector["order"], {"type": "FEED"})[0]["due"] == vector["order"]["due"]
        else:
            with pytest.raises(PayframeError, match=f": {vector['refused']}$"):
                step(vector["order"], {"type": "FEED"})


def test_a_stored_order_without_its_form_is_refused() -> None:
    good: Any = new_order(3545)
    changes: list[dict[str, Any]] = [{name: value} for name in good for value in ("x", -1, True)]
    changes += [{"open": [None]}, {"open": [{"number": 1}], "attempts": 1}, {"returning": ["1"]}]
    changes += [{"status": "PAYING"}, {"statusDetail": "BUYER"}, {"status": "NEEDS_PERSON", "statusDetail": "BUYER"}]
    wrong = [{**good, **change} for change in changes]
    wrong += [{name: value for name, value in good.items() if name != left_out} for left_out in good]
    others: list[Any] = [*wrong, None, []]
    for order in others:
        with pytest.raises(PayframeError):
            step(order, {"type": "FEED"})


@pytest.mark.parametrize("given", [{"type": "PAID"}, {"type": "ATTEMPT_CLOSED", "number": 1.5}])
def test_an_input_that_does_not_exist_is_refused(given: Any) -> None:
    with pytest.raises(PayframeError) as caught:
        step(new_order(3545), given)
    assert caught.value.kind == "caller"
