"""A shop's order that always agrees with the gateway about its money.

It is ``crates/order-keeper`` of the project in Python, held to the same vectors. It is pure: it has no clock, does no
I/O and knows no database. ``docs/order-keeper.md`` says how to store the order, and what to do for each output.
"""

from __future__ import annotations

from payframe.errors import refused_value
from payframe.order_evaluation import apply_reading
from payframe.order_reading import read_input, reading_of
from payframe.order_stored import checked_order, is_count
from payframe.order_types import (
    Ask,
    AttemptChanged,
    AttemptOutput,
    CallPerson,
    Cause,
    GiveBack,
    Goods,
    Happened,
    Intent,
    KeeperInput,
    KeeperOutput,
    KeptOrder,
    OpenAttempt,
    OrderPayment,
    OrderState,
    PaymentUnavailable,
    Read,
    ReadFailed,
    Reading,
    RefuseAttempt,
    StockOutput,
)
from payframe.order_working import Working

__all__ = [
    "Ask",
    "AttemptChanged",
    "AttemptOutput",
    "CallPerson",
    "Cause",
    "GiveBack",
    "Goods",
    "Happened",
    "Intent",
    "KeeperInput",
    "KeeperOutput",
    "KeptOrder",
    "OpenAttempt",
    "OrderPayment",
    "OrderState",
    "PaymentUnavailable",
    "Read",
    "ReadFailed",
    "Reading",
    "RefuseAttempt",
    "StockOutput",
    "new_order",
    "read_input",
    "reading_of",
    "step",
]


def new_order(due: int) -> KeptOrder:
    """A new order of which nothing is paid. Its stock is reserved.

    ``due`` is what it costs, in the minor unit: above 0, at most 12 digits.
    """
    order: KeptOrder = {
        "due": due,
        "status": "UNPAID",
        "statusDetail": None,
        "intent": "SELL",
        "goods": "RESERVED",
        "open": [],
        "attempts": 0,
        "returning": [],
        "asked": None,
        "tickets": 0,
        "reads": 0,
        "called": None,
    }
    return checked_order(order)


def step(order: KeptOrder, given: KeeperInput) -> tuple[KeptOrder, list[KeeperOutput]]:
    """The order after an input, and what to carry out. Store both in one transaction.

    The given order is not changed. Raises ``PayframeError`` of kind ``caller`` if ``order`` is none that this module
    made, or if there is no such input.
    """
    working = Working(checked_order(order))
    at = working.order
    match given["type"]:
        case "ATTEMPT_WANTED":
            _wanted(working)
        case "ATTEMPT_OPENED":
            _opened(working, _counted(given["number"]))
        case "ATTEMPT_CLOSED":
            _closed(working, _counted(given["number"]))
        case "RETURN_PAGE" | "NOTIFICATION" | "FEED":
            working.ask_now()
        case "READ":
            if _takes(at, given["ticket"]):
                apply_reading(working, given["reading"])
        case "READ_FAILED":
            if _takes(at, given["ticket"]):
                working.ask_later()
        case "READ_UNREADABLE":
            if _takes(at, given["ticket"]):
                working.needs_person("UNREADABLE")
                working.ask_later()
        case "TIME_OUT":
            if at["intent"] == "SELL" and at["goods"] == "RESERVED":
                _end(working, "GIVE_UP")
        case "STAFF_CANCEL":
            _end(working, "GIVE_BACK")
        case "STAFF_LOOK_AGAIN":
            at["reads"] = 0
            at["called"] = None
            working.ask_now()
        case _:
            raise refused_value("given", "must have one of the types of KeeperInput")
    return at, working.outputs


def _wanted(working: Working) -> None:
    order = working.order
    why = _refusal(order)
    if why:
        working.outputs.append({"type": "REFUSE_ATTEMPT", "why": why})
        return
    order["attempts"] += 1
    order["open"].append({"number": order["attempts"], "isClosing": False})
    working.set_status("PAYING", "BUYER")
    working.outputs.append({"type": "OPEN_ATTEMPT", "number": order["attempts"]})


def _refusal(order: KeptOrder) -> PaymentUnavailable | None:
    match order["status"]:
        case "PAID" | "PARTLY_PAID":
            return "ALREADY_PAID"
        case "REFUNDED" | "GIVEN_UP":
            return "NOT_FOR_SALE"
        case "NEEDS_PERSON":
            return "NEEDS_PERSON"
        case "UNPAID" | "PAYING":
            if order["statusDetail"] == "ISSUER":
                return "UNDECIDED"
            if order["intent"] != "SELL":
                return "NOT_FOR_SALE"
            return None if len(order["open"]) < _MAX_OPEN_ATTEMPTS else "TOO_MANY_ATTEMPTS"


def _opened(working: Working, number: int) -> None:
    """An attempt may have been closed during its call. Then its form is never shown."""
    order = working.order
    if number == 0 or number > order["attempts"]:
        return
    is_open = {"number": number, "isClosing": False} in order["open"]
    if order["intent"] == "SELL" and order["statusDetail"] == "BUYER" and is_open:
        working.outputs.append({"type": "SHOW_FORM", "number": number})
        order["reads"] = 0
        working.ask_later_uncounted()
        return
    working.outputs.append({"type": "CLOSE_ATTEMPT", "number": number})
    others = [one for one in order["open"] if one["number"] != number]
    order["open"] = sorted([*others, {"number": number, "isClosing": True}], key=lambda one: one["number"])


def _closed(working: Working, number: int) -> None:
    """When the last attempt is closed, nothing new can happen at the gateway: a later answer is final."""
    order = working.order
    before = len(order["open"])
    order["open"] = [one for one in order["open"] if one["number"] != number or not one["isClosing"]]
    if len(order["open"]) < before and not order["open"]:
        working.ask_now()


def _takes(order: KeptOrder, ticket: int) -> bool:
    """Whether this answers the newest request, which is then no longer open."""
    is_newest = order["asked"] is not None and order["asked"] == ticket
    if is_newest:
        order["asked"] = None
    return is_newest


def _end(working: Working, intent: Intent) -> None:
    working.order["intent"] = intent
    working.order["reads"] = 0
    working.close_all()
    working.ask_now()


def _counted(number: object) -> int:
    if is_count(number):
        return number
    raise refused_value("number", "must be the number of an attempt")


_MAX_OPEN_ATTEMPTS = 8
"""Further attempts are refused until the shop has closed some."""
