"""What the book carries out for the keeper. Each output leaves the outbox in one transaction with what it leads to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from payframe import Order, PayframeError, money
from payframe.order_keeper import GiveBack, KeeperOutput, reading_of

from payframe_oscar import ledger
from payframe_oscar.models import Payment
from payframe_oscar.placement import NotForSale
from payframe_oscar.rows import locked, logger, report

if TYPE_CHECKING:
    from payframe_oscar.book import Book


def carry_out(book: Book, row: Payment, output: KeeperOutput) -> None:
    """Does what the keeper wants. Every output may be carried out twice, also at the same time."""
    reference = row.reference
    if output["type"] == "FULFIL":
        _fulfil(book, row, output)
        return
    if output["type"] == "CLOSE_ATTEMPT":
        number = output["number"]
        _close(book, row.session_of(number), f"close {reference} {number}")
        book.happens(reference, {"type": "ATTEMPT_CLOSED", "number": number}, done=output)
        return
    if output["type"] == "GIVE_BACK":
        _give_back(book, row, output)
    with locked(reference) as newest:
        if output["type"] == "CALL_PERSON":
            newest.needs_person = output["why"]
            logger.error("Payment %s needs a person: %s", reference, output["why"])
        if output["type"] == "RELEASE_STOCK" and output in newest.outbox:
            # django-oscar allocates stock when the order is placed, so nothing is reserved before.
            newest.untold = "CANCELED"
        _leave(newest, output)


def tell_goods(book: Book, row: Payment) -> None:
    """Tells the gateway what became of the goods. A refusal is reported and not repeated: it changes no money."""
    goods: Any = row.untold
    if not goods:
        return
    try:
        key = f"goods {goods} {row.reference}"
        book.payframe.orders.tell_fulfilment(row.reference, {"state": goods}, idempotency_key=key)
    except PayframeError as error:
        if error.is_retryable:
            raise
        report(error)
    with locked(row.reference) as newest:
        if newest.untold == goods:
            newest.untold = ""
        _rest(newest)


def without(outputs: Sequence[Any], output: KeeperOutput | None) -> list[Any]:
    """An outbox without an output."""
    return [one for one in outputs if one != output]


def paying_operation(answer: Order, due: int, currency: str) -> str | None:
    """The authorization that covers an order."""
    payments = reading_of(answer, currency)["payments"]
    return next((one["operation"] for one in payments if one["outcome"] == "APPROVED" and one["amount"] >= due), None)


def _fulfil(book: Book, row: Payment, output: KeeperOutput) -> None:
    """Places the order of django-oscar, in one transaction with the mark that it is placed."""
    answer = book.payframe.orders.read(row.reference)
    operation = paying_operation(answer, row.due, row.currency)
    if operation is None:
        raise PayframeError("The gateway names no payment of a paid order.", kind="gateway", code="order_totals")
    try:
        with locked(row.reference) as newest:
            if output not in newest.outbox:
                return  # Another server has done it.
            order = book.placement.place(newest, operation)
            newest.order = order
            newest.untold = "FULFILLED"
            newest.needs_person = ""
            ledger.record(newest, order, answer)
            _leave(newest, output)
        logger.info("Payment %s: the order %s is placed", row.reference, order.number)
    except NotForSale as why:
        logger.warning("The money of %s goes back: %s", row.reference, why)
        book.happens(row.reference, {"type": "STAFF_CANCEL"}, done=output)
    except Exception:
        # The shop's own code has failed. It is tried again, and somebody can see it.
        with locked(row.reference) as newest:
            newest.needs_person = "NOT_PLACED"
        raise


def _give_back(book: Book, row: Payment, output: GiveBack) -> None:
    """Gives a payment back if the order is still the one on which the keeper decided.

    If it has changed, it is looked at again: somebody else may have given another payment of it back, and the one that
    is left pays the order.
    """
    operation, amount = output["operation"], output["amount"]

    def refund(version: str) -> None:
        book.payframe.operations.refund(
            operation,
            money(amount, row.currency),
            idempotency_key=f"give back {operation}",
            order_version=version or None,
        )

    try:
        refund(row.order_version)
    except PayframeError as error:
        if error.code != "GW9012":
            raise
        answer = book.payframe.orders.read(row.reference)
        is_sold = row.kept["intent"] != "GIVE_BACK" and row.kept["goods"] != "RELEASED"
        if reading_of(answer, row.currency)["held"] - amount >= (row.due if is_sold else 0):
            refund(answer["orderVersion"])
            return
        with locked(row.reference) as newest:
            newest.needs_person = "NOT_GIVEN_BACK"
        logger.error("Payment %s needs a person: NOT_GIVEN_BACK", row.reference)


def _close(book: Book, session_id: str | None, key: str) -> None:
    """Ends a session. One that nobody knows was never shown."""
    if session_id is None:
        return
    try:
        book.payframe.sessions.cancel(session_id, idempotency_key=key)
    except PayframeError as error:
        if error.code != SESSION_OVER:
            raise


def _leave(row: Payment, output: KeeperOutput) -> None:
    row.outbox = without(row.outbox, output)
    _rest(row)


def _rest(row: Payment) -> None:
    if not row.has_work:
        row.work_at = None


SESSION_OVER = "PS0061"
"""The gateway's code for a session that has ended: it is closed."""
