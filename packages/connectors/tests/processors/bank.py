"""The books of a fake processor, and the faults of its line. The two interfaces of `fakes` are skins over it."""

import threading
from collections import deque
from dataclasses import dataclass, field
from enum import Enum


class Fault(Enum):
    """What goes wrong with a request."""

    LOST_REQUEST = "the connection breaks before anything was done"
    LOST_ANSWER = "everything is done, and the connection breaks before the answer"
    LATE_ANSWER = "everything is done, and the answer comes after nobody waits any more"
    DOUBLED_ANSWER = "the answer comes twice on the connection"
    BROKEN_ANSWER = "everything is done, and a proxy answers in its place"
    SERVER_FAULT = "everything is done, and the status is 503"
    OTHER_AMOUNT = "everything is done, and the answer tells a smaller amount"
    LARGER_AMOUNT = "everything is done, and the answer tells a larger amount"


@dataclass
class Paid:
    """A payment."""

    id: str
    reference: str
    amount: int
    currency: str
    is_captured_at_once: bool
    is_declined: bool
    is_pending: bool
    captured: int = 0
    refunded: int = 0
    is_released: bool = False

    @property
    def held(self) -> int:
        return 0 if self.is_released or self.is_declined else self.amount - self.captured


@dataclass
class GivenBack:
    """A refund."""

    id: str
    reference: str
    amount: int
    payment: Paid


class TooMuch(Exception):
    """More than is there."""


@dataclass
class Bank:
    """It carries out whatever it is asked: two payments with one reference are two payments."""

    payments: list[Paid] = field(default_factory=list[Paid])
    refunds: list[GivenBack] = field(default_factory=list[GivenBack])
    requests: list[tuple[str, str, str]] = field(default_factory=list[tuple[str, str, str]])
    faults: deque[Fault] = field(default_factory=deque[Fault])
    polls: int = 0
    lock: threading.RLock = field(default_factory=threading.RLock)
    arrived: threading.Event = field(default_factory=threading.Event)
    """Set when a request has come whose answer is late."""
    released: threading.Event = field(default_factory=threading.Event)
    """Late answers wait for it."""

    def pay(self, reference: str, number: str, amount: int, currency: str, at_once: bool) -> Paid:
        case = number[-4:-1]
        if case == "010":
            # A part is approved.
            amount -= 400
        payment = Paid(
            f"pay{len(self.payments) + 1}", reference, amount, currency, at_once, case == "116", case == "911"
        )
        if at_once and not payment.is_declined:
            payment.captured = amount
        self.payments.append(payment)
        return payment

    def find(self, payment_id: str) -> Paid:
        return next(one for one in self.payments if one.id == payment_id)

    def capture(self, payment_id: str, amount: int) -> Paid:
        payment = self.find(payment_id)
        if amount > payment.held:
            raise TooMuch
        payment.captured += amount
        return payment

    def release(self, payment_id: str) -> Paid:
        payment = self.find(payment_id)
        if payment.held == 0:
            raise TooMuch
        payment.is_released = True
        return payment

    def give_back(self, payment_id: str, amount: int, reference: str) -> GivenBack:
        payment = self.find(payment_id)
        if amount > payment.captured - payment.refunded:
            raise TooMuch
        payment.refunded += amount
        refund = GivenBack(f"back{len(self.refunds) + 1}", reference, amount, payment)
        self.refunds.append(refund)
        return refund
