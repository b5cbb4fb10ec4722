"""The port to a processor: what the adapter asks, and what it may be told.

`connector` implements it; tests have processors of their own.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from .messages import Card


class Result(Enum):
    """What became of an operation."""

    APPROVED = "APPROVED"
    DECLINED = "DECLINED"
    FAILED = "FAILED"
    UNKNOWN = "UNKNOWN"
    """The processor did not answer, or not yet, or said things that do not fit together."""
    PARTIAL = "PARTIAL"
    """A part of an authorization was approved. The protocol has no such outcome, so the adapter releases it."""


@dataclass(frozen=True)
class Answer:
    """What a processor said of an operation. It has no card data."""

    result: Result
    response_code: str = "911"
    transaction: str | None = None
    """The processor's id of the operation."""
    state: str | None = None
    """What the library wants back with the next request about the payment."""
    authorization_code: str | None = None
    scheme_id: str | None = None
    decline_reason: str | None = None
    """Why the issuer declined, in the protocol's words, if the gateway can do something about it."""
    cause: str = ""
    """For the log: why the outcome is not known, or why it was not possible."""


UNSUPPORTED = Answer(Result.FAILED, "909", cause="the operation is not supported")


@dataclass(frozen=True)
class Payment:
    """An authorization, as later requests about it name it."""

    reference: str
    capture: str
    amount_minor: int
    currency: str
    transaction: str | None
    state: str | None
    captured_before: bool = False
    """Whether other captures of it are approved or may be."""


@dataclass(frozen=True)
class Movement:
    """A capture, release or refund of a payment."""

    reference: str
    operation: str
    amount_minor: int
    transaction: str | None = None
    """The processor's id of the movement, if it told one."""
    is_repeated: bool = False
    """Whether it may have been asked for before."""
    sequence: int = 1
    """Which capture of the payment it is, from 1. Those that were refused count, too."""


class Processor(Protocol):
    """A processor. No method raises: what is not certain is `Result.UNKNOWN`."""

    @property
    def operations(self) -> list[str]:
        """What it supports, in the protocol's words."""
        ...

    @property
    def takes_several_captures(self) -> bool:
        """Whether a payment may be captured in parts. Otherwise the first capture releases the rest."""
        ...

    @property
    def repeats_for_seconds(self) -> int:
        """For how long it carries a request with the same key out once.

        So long a follow-up operation may be sent again. 0: never.
        """
        ...

    def authorize(self, payment: Payment, card: Card, minor_digits: int) -> Answer:
        """Asks for the money."""
        ...

    def move(self, payment: Payment, movement: Movement) -> Answer:
        """Captures, releases or gives back."""
        ...

    def payment_status(self, payment: Payment) -> Answer:
        """Asks what became of an authorization. Moves no money."""
        ...

    def movement_status(self, payment: Payment, movement: Movement) -> Answer:
        """Asks what became of a capture, release or refund. Moves no money."""
        ...
