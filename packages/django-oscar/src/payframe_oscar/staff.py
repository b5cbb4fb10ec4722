"""What the staff does with the money of a payment. A call that had no answer is repeated by pressing again.

Each call carries the version of the order that the page showed: if the order has changed, nothing is done. The key of a
call is made of this version, so that a second press of the same page is the same call.
"""

from __future__ import annotations

from dataclasses import dataclass

from payframe import AllowedAction, Order, PayframeError, money

from payframe_oscar.book import Book
from payframe_oscar.models import Payment
from payframe_oscar.outbox import paying_operation


@dataclass(frozen=True)
class Money:
    """How the money of a payment stands, and what can be done with it now. Sums are in the minor unit."""

    version: str
    operation: str | None
    """The authorization that pays the order."""
    authorized: int
    captured: int
    refunded: int
    can_capture: int
    can_refund: int
    can_release: int

    @property
    def held(self) -> int:
        """What the shop has of the buyer's money, captured or not."""
        return self.authorized - self.refunded

    @property
    def can_cancel(self) -> bool:
        """Whether all of it can go back at once: either nothing is captured, or everything."""
        return self.held > 0 and (self.captured == 0 or self.captured == self.authorized)


def money_of(book: Book, row: Payment) -> Money | None:
    """As the gateway says; ``None`` if it has no such order yet."""
    try:
        answer = book.payframe.orders.read(row.reference)
    except PayframeError as problem:
        if problem.code == "not_found":
            return None
        raise
    operation = paying_operation(answer, 1, row.currency)
    actions = book.payframe.operations.actions(operation) if operation else []
    return _money(answer, operation, actions)


def capture(book: Book, row: Payment, seen: Money, amount: int) -> None:
    """Captures held money, all of it or a part."""
    operation = _operation(seen)
    book.payframe.operations.capture(
        operation,
        money(amount, row.currency),
        idempotency_key=f"capture {operation} {seen.version} {amount}",
        order_version=seen.version,
    )
    book.look(row.reference, {"type": "FEED"})


def refund(book: Book, row: Payment, seen: Money, amount: int) -> str:
    """Gives captured money back, all of it or a part. Answers the result: ``EXECUTED``, ``PENDING``, …

    The gateway takes a refund of exactly what is still held for a release, so that such a refund is refused here.
    """
    operation = _operation(seen)
    if amount == seen.can_release:
        raise PayframeError(
            "As much as this is still held, so that it would be released. Release the rest first, or refund in parts.",
            kind="caller",
            code="refund_ambiguous",
        )
    taken = book.payframe.operations.refund(
        operation,
        money(amount, row.currency),
        idempotency_key=f"refund {operation} {seen.version} {amount}",
        order_version=seen.version,
    )
    result = book.payframe.operations.read(taken["operationId"])["operationResult"]
    book.look(row.reference, {"type": "FEED"})
    return result


def release(book: Book, row: Payment, seen: Money) -> None:
    """Releases what is held and not captured: a refund of exactly this sum, which the gateway takes for a release."""
    operation = _operation(seen)
    if seen.can_release == 0:
        raise PayframeError("Nothing is held that can be released.", kind="caller", code="nothing_to_void")
    book.payframe.operations.refund(
        operation,
        money(seen.can_release, row.currency),
        idempotency_key=f"release {operation} {seen.version}",
        order_version=seen.version,
    )
    book.look(row.reference, {"type": "FEED"})


def _operation(seen: Money) -> str:
    if seen.operation is None:
        raise PayframeError("No payment of this order has money.", kind="caller", code="no_payment")
    return seen.operation


def _money(answer: Order, operation: str | None, actions: list[AllowedAction]) -> Money:
    status = answer["orderStatus"]

    def most(kind: str) -> int:
        return max((int(action["maxAmount"]) for action in actions if action["actionType"] == kind), default=0)

    return Money(
        version=answer["orderVersion"],
        operation=operation,
        authorized=int(status["authorizedAmount"]),
        captured=int(status["capturedAmount"]),
        refunded=int(status["refundedAmount"]),
        can_capture=most("CAPTURE"),
        can_refund=most("REFUND"),
        can_release=most("VOID"),
    )
