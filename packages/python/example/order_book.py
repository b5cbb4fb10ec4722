"""The shop's orders, each kept by the order keeper.

What happens to an order is given to it, and what it answers is carried out. Rows are in memory here. A real shop has
them in its database, and the lock is a transaction; see docs/order-keeper.md.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from payframe import Money, Payframe, PayframeError, Session, money
from payframe.order_keeper import KeeperInput, KeeperOutput, KeptOrder, new_order, read_input, step
from payframe.types import FulfilmentState


@dataclass
class Row:
    """One order."""

    order_id: str
    price: Money
    order: KeptOrder
    outbox: deque[KeeperOutput] = field(default_factory=deque[KeeperOutput])
    sessions: dict[int, Session] = field(default_factory=dict[int, Session])
    question: threading.Timer | None = None
    shipped: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


class OrderBook:
    """All orders. ``report`` hears of what failed, and of orders that need a person."""

    def __init__(self, payframe: Payframe, report: Callable[[object], None]) -> None:
        self._payframe, self._report = payframe, report
        self.rows: dict[str, Row] = {}

    def place(self, order_id: str, price: Money, pay_within_seconds: float) -> Row:
        """A new order. Its row is there before the gateway hears of it."""
        row = Row(order_id, price, new_order(int(price["amount"])))
        self.rows[order_id] = row
        _later(pay_within_seconds, lambda: self.happens(row, {"type": "TIME_OUT"}))
        return row

    def pay(self, row: Row, build: Callable[[], Session]) -> Session | str:
        """The buyer presses Pay: the session to show, or why there is none.

        ``build`` is ``POST /orders/build``. The form is shown only if the keeper says so.
        """
        answer = self.happens(row, {"type": "ATTEMPT_WANTED"})[0]
        if answer["type"] == "REFUSE_ATTEMPT":
            return answer["why"]
        assert answer["type"] == "OPEN_ATTEMPT"
        try:
            session = build()
        except PayframeError as error:
            if error.code == "GW9006":  # Another attempt has paid the order.
                self.happens(row, {"type": "FEED"})
            raise
        row.sessions[answer["number"]] = session
        outputs = self.happens(row, {"type": "ATTEMPT_OPENED", "number": answer["number"]})
        return session if any(output["type"] == "SHOW_FORM" for output in outputs) else "NOT_FOR_SALE"

    def happens(self, row: Row, given: KeeperInput) -> list[KeeperOutput]:
        """Answers when everything that can be done at once is done."""
        with row.lock:  # The transaction.
            row.order, outputs = step(row.order, given)
            row.outbox.extend(output for output in outputs if output["type"] not in _AT_ONCE)
        self._work(row)
        for output in outputs:
            if output["type"] == "ASK":
                self._ask(row, output["ticket"], output["seconds"])
        return outputs

    def _work(self, row: Row) -> None:
        """Carries out what is in the outbox. What fails is tried again when something happens."""
        while row.outbox:
            output = row.outbox.popleft()
            try:
                self._carry_out(row, output)
            except PayframeError as error:
                self._report(error)
                row.outbox.append(output)
                return

    def _carry_out(self, row: Row, output: KeeperOutput) -> None:
        if output["type"] == "FULFIL":
            row.shipped += 1
            self._tell(row, "FULFILLED")
        elif output["type"] == "CLOSE_ATTEMPT":
            self._close(row, output["number"])
        elif output["type"] == "GIVE_BACK":
            operation = output["operation"]
            amount = money(output["amount"], row.price["currency"])
            self._payframe.operations.refund(operation, amount, idempotency_key=f"give back {operation}")
        elif output["type"] == "CALL_PERSON":
            self._report(f"Order {row.order_id} needs a person: {output['why']}")
        elif output["type"] == "RELEASE_STOCK":  # This shop has enough of everything.
            self._tell(row, "CANCELED")

    def _tell(self, row: Row, state: FulfilmentState) -> None:
        """Tells the gateway what became of the goods. If that fails, ``payframe-gateway reconcile`` finds it."""
        try:
            self._payframe.orders.tell_fulfilment(row.order_id, {"state": state})
        except PayframeError as error:
            self._report(error)

    def _close(self, row: Row, number: int) -> None:
        session = row.sessions.get(number)
        if session:
            key = f"close {row.order_id} {number}"
            try:
                self._payframe.sessions.cancel(session["sessionId"], idempotency_key=key)
            except PayframeError as error:
                if error.code != "PS0061":  # A session that is over is closed.
                    raise
        self.happens(row, {"type": "ATTEMPT_CLOSED", "number": number})

    def _ask(self, row: Row, ticket: int, seconds: int) -> None:
        """One question at a time: a new one replaces the one before."""
        if row.question:
            row.question.cancel()
        if seconds == 0:
            self._read(row, ticket)
        else:
            row.question = _later(seconds, lambda: self._read(row, ticket))

    def _read(self, row: Row, ticket: int) -> None:
        given: KeeperInput = {"type": "READ_FAILED", "ticket": ticket}
        try:
            given = read_input(ticket, self._payframe.orders.read(row.order_id), row.price["currency"])
        except PayframeError as error:
            if error.code == "not_found":
                given = read_input(ticket, None, row.price["currency"])
            else:
                self._report(error)
        self.happens(row, given)


def _later(seconds: float, action: Callable[[], object]) -> threading.Timer:
    """Does something later, unless the program has ended by then."""
    timer = threading.Timer(seconds, action)
    timer.daemon = True
    timer.start()
    return timer


_AT_ONCE = ("OPEN_ATTEMPT", "SHOW_FORM", "REFUSE_ATTEMPT", "ASK")
"""Answers to the caller who waits, and the question, which has a place of its own."""
