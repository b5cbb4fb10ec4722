"""A processor for tests that says what the test tells it to say, and counts what it was asked."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from payframe_connectors.messages import Card
from payframe_connectors.processor import Answer, Movement, Payment, Result

OK = Answer(Result.APPROVED, "000", transaction="t1", state="s1")
SILENCE = Answer(Result.UNKNOWN, cause="no answer")


@dataclass
class Scripted:
    """Without a script, everything is approved."""

    operations: list[str] = field(default_factory=list[str])
    takes_several_captures: bool = True
    repeats_for_seconds: int = 0
    says: Callable[[str], Answer] = lambda _asked: OK
    asked: list[str] = field(default_factory=list[str])
    lock: threading.Lock = field(default_factory=threading.Lock)

    def _say(self, asked: str) -> Answer:
        with self.lock:
            self.asked.append(asked)
        return self.says(asked)

    def authorize(self, payment: Payment, card: Card, minor_digits: int) -> Answer:  # noqa: ARG002
        return self._say(f"authorize {payment.amount_minor}")

    def move(self, payment: Payment, movement: Movement) -> Answer:  # noqa: ARG002
        again = " again" if movement.is_repeated else ""
        return self._say(f"{movement.operation} {movement.amount_minor} #{movement.sequence}{again}")

    def payment_status(self, payment: Payment) -> Answer:  # noqa: ARG002
        return self._say("status")

    def movement_status(self, payment: Payment, movement: Movement) -> Answer:  # noqa: ARG002
        return self._say(f"status of {movement.operation}")
