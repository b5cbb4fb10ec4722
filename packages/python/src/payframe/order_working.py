"""An order in the middle of a step, and its outputs so far."""

from __future__ import annotations

from typing import Final

from payframe.order_types import Cause, Detail, KeeperOutput, KeptOrder, OrderState


class Working:
    """The step changes ``order``."""

    def __init__(self, order: KeptOrder) -> None:
        self.order = order
        self.outputs: list[KeeperOutput] = []

    def set_status(self, status: OrderState, detail: Detail | None = None) -> None:
        self.order["status"] = status
        self.order["statusDetail"] = detail

    def close_all(self) -> None:
        for one in self.order["open"]:
            if not one["isClosing"]:
                self.outputs.append({"type": "CLOSE_ATTEMPT", "number": one["number"]})
            one["isClosing"] = True

    def ask_now(self) -> None:
        self._ask(0)

    def ask_later(self) -> None:
        """Reads the order again after an answer without a result."""
        self.order["reads"] = min(self.order["reads"] + 1, READS_UNTIL_PERSON)
        self.ask_later_uncounted()

    def ask_later_uncounted(self) -> None:
        self._ask(_ASK_AFTER_SECONDS[min(self.order["reads"], len(_ASK_AFTER_SECONDS) - 1)])

    def _ask(self, seconds: int) -> None:
        self.order["tickets"] += 1
        self.order["asked"] = self.order["tickets"]
        self.outputs.append({"type": "ASK", "ticket": self.order["tickets"], "seconds": seconds})

    def needs_person(self, why: Cause) -> None:
        self.set_status("NEEDS_PERSON", why)
        self.call(why)

    def call(self, why: Cause) -> None:
        """Calls a person, once for each cause in a row."""
        if self.order["called"] != why:
            self.order["called"] = why
            self.outputs.append({"type": "CALL_PERSON", "why": why})

    def fulfil(self) -> None:
        if self.order["goods"] == "RESERVED":
            self.order["goods"] = "FULFILLED"
            # Shipping is first in the list, so that the buyer does not wait for the other outputs.
            self.outputs.insert(0, {"type": "FULFIL"})

    def release(self) -> None:
        """An order whose stock is released is never sold."""
        if self.order["intent"] == "SELL":
            self.order["intent"] = "GIVE_UP"
        if self.order["goods"] == "RESERVED":
            self.order["goods"] = "RELEASED"
            self.outputs.append({"type": "RELEASE_STOCK"})


READS_UNTIL_PERSON: Final = 6
"""A person is called after this number of answers in a row without a result. The requests continue."""
_ASK_AFTER_SECONDS: Final = (5, 15, 60, 300, 1800, 7200)
"""Seconds until the next request, by the number of answers without a result."""
