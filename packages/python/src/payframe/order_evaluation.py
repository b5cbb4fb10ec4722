"""The meaning of an answer of the gateway for an order. Only this module decides what is paid."""

from __future__ import annotations

from dataclasses import dataclass

from payframe.order_types import KeptOrder, OrderPayment, Reading
from payframe.order_working import READS_UNTIL_PERSON, Working


@dataclass(frozen=True)
class Evaluation:
    """The evaluated answer."""

    is_covered: bool
    """Whether a payment covers the whole amount and is kept."""
    extra: list[tuple[str, int]]
    """Payments to refund, each with the amount to refund."""
    kept: int
    """The held money besides these."""
    is_undecided: bool
    was_returned: bool


def apply_reading(working: Working, reading: Reading) -> None:
    """Evaluates the answer to the newest question."""
    order = working.order
    evaluation = _evaluate(order, reading)
    for operation, amount in evaluation.extra:
        if operation not in order["returning"]:
            order["returning"].append(operation)
            working.outputs.append({"type": "GIVE_BACK", "operation": operation, "amount": amount})
    if evaluation.is_covered:
        _paid(working, evaluation.kept)
    elif evaluation.kept > 0:
        _partly_paid(working)
    elif not evaluation.extra:
        _nothing_held(working, evaluation)
    elif order["goods"] == "RELEASED":
        working.needs_person("PAID_AFTER_RELEASE")
    _go_on(working, evaluation)


def _evaluate(order: KeptOrder, reading: Reading) -> Evaluation:
    keeps = order["intent"] != "GIVE_BACK" and order["goods"] != "RELEASED"
    approved = [payment for payment in reading["payments"] if payment["outcome"] == "APPROVED"]
    cover = next((one for one in approved if keeps and _covers(order, one)), None)
    kept = reading["held"]
    extra: list[tuple[str, int]] = []
    if cover is not None or not keeps:
        excess = max(0, kept - (cover["amount"] if cover else 0))
        for payment in approved:
            amount = min(payment["amount"], excess)
            if payment != cover and amount > 0:
                excess -= amount
                kept -= amount
                extra.append((payment["operation"], amount))
    else:
        # Money that is being refunded already is not a part payment.
        for payment in approved:
            amount = min(payment["amount"], kept)
            if payment["operation"] in order["returning"] and amount > 0:
                kept -= amount
                extra.append((payment["operation"], amount))
    outcomes = {payment["outcome"] for payment in reading["payments"]}
    return Evaluation(
        is_covered=cover is not None and kept >= order["due"],
        extra=extra,
        kept=kept,
        is_undecided="UNDECIDED" in outcomes,
        was_returned="RETURNED" in outcomes,
    )


def _covers(order: KeptOrder, payment: OrderPayment) -> bool:
    return payment["amount"] >= order["due"] and payment["operation"] not in order["returning"]


def _paid(working: Working, kept: int) -> None:
    order = working.order
    order["intent"] = "SELL"
    working.close_all()
    if kept > order["due"]:
        working.needs_person("TOO_MUCH")
        return
    working.set_status("PAID")
    if order["called"] != "NOT_GIVEN_BACK":
        order["called"] = None
    working.fulfil()


def _partly_paid(working: Working) -> None:
    working.set_status("PARTLY_PAID")
    working.close_all()
    if working.order["goods"] != "FULFILLED":
        working.call("TOO_LITTLE")


def _nothing_held(working: Working, evaluation: Evaluation) -> None:
    order = working.order
    is_over = order["intent"] != "SELL" or evaluation.was_returned
    if is_over:
        working.close_all()
    if evaluation.is_undecided:
        if order["goods"] == "RESERVED" and order["status"] != "NEEDS_PERSON":
            working.set_status("PAYING", "ISSUER")
    elif evaluation.was_returned:
        # The open attempts are being closed. When the last one is closed, the order is read again.
        if not order["open"]:
            working.set_status("REFUNDED")
            order["called"] = None
            working.release()
    elif order["goods"] == "FULFILLED":
        working.needs_person("FULFILLED_UNPAID")
    elif order["open"]:
        if order["goods"] == "RESERVED":
            working.set_status("PAYING", "BUYER")
    elif is_over:
        working.set_status("GIVEN_UP")
        order["called"] = None
        working.release()
    else:
        working.set_status("UNPAID")
        order["called"] = None


def _go_on(working: Working, evaluation: Evaluation) -> None:
    """Reads again while the order can change without a message, and calls a person if nothing changes for too long."""
    order = working.order
    is_with_buyer = order["status"] == "PAYING" and order["statusDetail"] == "BUYER"
    if not evaluation.is_undecided and not evaluation.extra and not is_with_buyer:
        order["reads"] = 0
        return
    working.ask_later()
    if order["reads"] < READS_UNTIL_PERSON:
        return
    if evaluation.extra:
        working.call("NOT_GIVEN_BACK")
    elif evaluation.is_undecided:
        if order["status"] == "PAYING" and order["statusDetail"] == "ISSUER":
            working.set_status("NEEDS_PERSON", "UNDECIDED")
        working.call("UNDECIDED")
