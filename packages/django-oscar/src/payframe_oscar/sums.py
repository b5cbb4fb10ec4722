"""A sum that changes while the buyer is in the checkout: the open session is given the new one.

What is being given is stored first, so that the row and the gateway agree again after a crash, before the order is
read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from payframe import PayframeError

from payframe_oscar.models import Payment
from payframe_oscar.rows import known_row, locked

if TYPE_CHECKING:
    from payframe_oscar.book import Book

SumRefusal = Literal["ALREADY_PAID", "BEING_PAID", "SUM_CHANGED"]
"""``BEING_PAID``: the sum can not change now. ``SUM_CHANGED``: it never can; end the row, and use another reference."""


def change(book: Book, row: Payment, due: int) -> SumRefusal | None:
    """Gives a row another sum, or says why it can not have it."""
    reference = row.reference
    finish(book, row)
    with locked(reference) as row:
        kept = row.kept
        if kept["due"] == due:
            return None
        if kept["status"] in ("PAID", "PARTLY_PAID"):
            return "ALREADY_PAID"
        if kept["attempts"] == 0:
            row.kept = {**kept, "due": due}
            return None
        attempts = kept["open"]
        if len(attempts) != 1 or attempts[0]["isClosing"] or row.session_of(attempts[0]["number"]) is None:
            return "SUM_CHANGED"
        if row.new_sum is None:
            row.new_sum = {"due": due, "key": f"sum {reference} {row.revision}"}
    finish(book, row)
    changed = known_row(reference)
    if changed.due == due:
        return None
    book.happens(reference, {"type": "FEED"})
    return "BEING_PAID" if changed.kept["statusDetail"] == "BUYER" else "SUM_CHANGED"


def finish(book: Book, row: Payment) -> None:
    """Ends a change of the sum that was begun."""
    new_sum = row.new_sum
    if not new_sum:
        return
    newest_attempt = row.kept["open"][-1]["number"] if row.kept["open"] else 0
    session_id = row.session_of(newest_attempt)
    is_changed = session_id is not None and _give(book, session_id, new_sum["due"], new_sum["key"])
    with locked(row.reference) as newest:
        if newest.new_sum and newest.new_sum["key"] == new_sum["key"]:
            newest.new_sum = None
            if is_changed:
                newest.kept = {**newest.kept, "due": new_sum["due"]}


def _give(book: Book, session_id: str, due: int, key: str) -> bool:
    """``False`` if the session charges the former sum, or nothing."""
    try:
        book.payframe.sessions.change({"sessionId": session_id, "amount": str(due)}, idempotency_key=key)
    except PayframeError as error:
        if error.code in _REFUSALS:
            return False
        raise
    return True


_REFUSALS = ("GW9003", "GW9006", "PS0061")
"""The payment is on its way or over; the session is over."""
