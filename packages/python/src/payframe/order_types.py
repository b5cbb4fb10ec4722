"""The types of the order keeper: the stored order, what happens to it, and what is to be carried out.

Members are named as in the project's test vectors, so that an order is plain JSON. There is nothing here but types.
"""

from __future__ import annotations

from typing import Literal, TypedDict

OrderState = Literal["UNPAID", "PAYING", "PAID", "PARTLY_PAID", "REFUNDED", "GIVEN_UP", "NEEDS_PERSON"]
Intent = Literal["SELL", "GIVE_UP", "GIVE_BACK"]
Goods = Literal["RESERVED", "FULFILLED", "RELEASED"]
Cause = Literal[
    "UNDECIDED",
    "NOT_GIVEN_BACK",
    "TOO_MUCH",
    "TOO_LITTLE",
    "PAID_AFTER_RELEASE",
    "FULFILLED_UNPAID",
    "UNREADABLE",
]
"""Why a person is called."""
PaymentUnavailable = Literal["ALREADY_PAID", "NOT_FOR_SALE", "UNDECIDED", "NEEDS_PERSON", "TOO_MANY_ATTEMPTS"]
"""Why no form is shown."""
Detail = Literal["BUYER", "ISSUER"] | Cause


class OpenAttempt(TypedDict):
    """An attempt that may still lead to a payment."""

    number: int
    isClosing: bool


class KeptOrder(TypedDict):
    """An order, to be stored as it is: as JSON or as columns."""

    due: int
    """What it costs, in the minor unit."""
    status: OrderState
    statusDetail: Detail | None
    """Whose turn it is in ``PAYING``, why in ``NEEDS_PERSON``."""
    intent: Intent
    goods: Goods
    open: list[OpenAttempt]
    """Attempts that are not known to be over, by number."""
    attempts: int
    returning: list[str]
    """Payments for which ``GIVE_BACK`` was an output."""
    asked: int | None
    """The ticket of the open request."""
    tickets: int
    reads: int
    """Answers in a row without a result."""
    called: Cause | None
    """Why a person was called last."""


class OrderPayment(TypedDict):
    """A payment that has money (``APPROVED``), may get it (``UNDECIDED``), or had it (``RETURNED``)."""

    operation: str
    outcome: Literal["UNDECIDED", "APPROVED", "RETURNED"]
    amount: int
    """The requested one."""


class Reading(TypedDict):
    """What an answer of the gateway says of the money."""

    held: int
    """Approved minus released and refunded."""
    payments: list[OrderPayment]
    """Oldest first."""


class Happened(TypedDict):
    """An input without a member."""

    type: Literal[
        "ATTEMPT_WANTED",
        "RETURN_PAGE",
        "NOTIFICATION",
        "FEED",
        "TIME_OUT",
        "STAFF_CANCEL",
        "STAFF_LOOK_AGAIN",
    ]


class AttemptChanged(TypedDict):
    """The build call, or the cancel call, of an attempt has answered."""

    type: Literal["ATTEMPT_OPENED", "ATTEMPT_CLOSED"]
    number: int


class Read(TypedDict):
    """The order was read. ``read_input`` makes it."""

    type: Literal["READ"]
    ticket: int
    reading: Reading


class ReadFailed(TypedDict):
    """The request got no answer, or one that can not be understood."""

    type: Literal["READ_FAILED", "READ_UNREADABLE"]
    ticket: int


KeeperInput = Happened | AttemptChanged | Read | ReadFailed
"""What happens to an order."""


class AttemptOutput(TypedDict):
    """To do with an attempt."""

    type: Literal["OPEN_ATTEMPT", "SHOW_FORM", "CLOSE_ATTEMPT"]
    number: int


class RefuseAttempt(TypedDict):
    """There is no form; the buyer is told why."""

    type: Literal["REFUSE_ATTEMPT"]
    why: PaymentUnavailable


class StockOutput(TypedDict):
    """Ship, or free the stock."""

    type: Literal["FULFIL", "RELEASE_STOCK"]


class Ask(TypedDict):
    """Read the order after so many seconds. It replaces the request before."""

    type: Literal["ASK"]
    ticket: int
    seconds: int


class GiveBack(TypedDict):
    """Refund a payment, in whole or in part."""

    type: Literal["GIVE_BACK"]
    operation: str
    amount: int


class CallPerson(TypedDict):
    """Somebody has to look."""

    type: Literal["CALL_PERSON"]
    why: Cause


KeeperOutput = AttemptOutput | RefuseAttempt | StockOutput | Ask | GiveBack | CallPerson
"""What to carry out. Each may be carried out twice, with the key that ``docs/order-keeper.md`` names."""
