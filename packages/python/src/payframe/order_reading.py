"""The gateway's order as a shop reads it: which payments there are, and how much money is held."""

from __future__ import annotations

import re
from typing import Any, Final, Literal, cast

from payframe.bodies import members_of
from payframe.errors import PayframeError
from payframe.order_types import KeeperInput, OrderPayment, Reading
from payframe.types import Order

Outcome = Literal["UNDECIDED", "APPROVED", "RETURNED"]


def read_input(ticket: int, answer: Order | None, currency: str) -> KeeperInput:
    """The input that the answer of ``orders.read()`` is: ``READ``, or ``READ_UNREADABLE`` if it can not be understood.

    - ``ticket``: of the ``ASK`` that this answers.
    - ``answer``: ``None`` if the gateway has no such order (``not_found``).
    - ``currency``: of the shop's order.
    """
    if answer is None:
        return {"type": "READ", "ticket": ticket, "reading": {"held": 0, "payments": []}}
    try:
        return {"type": "READ", "ticket": ticket, "reading": reading_of(answer, currency)}
    except PayframeError:
        return {"type": "READ_UNREADABLE", "ticket": ticket}


def reading_of(answer: Order, currency: str) -> Reading:
    """What an answer of ``orders.read()`` says of the money of an order in this currency.

    Raises ``PayframeError`` with the code ``order_currency``, ``order_form``, ``order_unknown`` or ``order_totals``.
    """
    status = members_of(answer.get("orderStatus")) or {}
    if (members_of(status.get("order")) or {}).get("currency") != currency:
        raise _unreadable("order_currency", "Its currency is not that of the shop's order.")
    held = _amount(status.get("authorizedAmount")) - _amount(status.get("refundedAmount"))
    if held < 0:
        raise _unreadable("order_totals", "More is refunded than was approved.")
    operations = cast(object, answer.get("operations"))
    if not isinstance(operations, list):
        raise _malformed()
    payments: list[OrderPayment] = []
    # The gateway has the newest first.
    for given in reversed(cast("list[object]", operations)):
        operation = members_of(given) or {}
        outcome = _outcome(operation)
        if outcome:
            amount = operation.get("operationAmount")
            number = _id(operation.get("operationId"))
            payments.append({"operation": number, "outcome": outcome, "amount": _amount(amount)})
    if held > 0 and not any(payment["outcome"] == "APPROVED" for payment in payments):
        raise _unreadable("order_totals", "The held money belongs to no payment.")
    return {"held": held, "payments": payments}


def _outcome(operation: dict[str, Any]) -> Outcome | None:
    """``None`` without money of its own."""
    kind, result = operation.get("operationType"), operation.get("operationResult")
    if kind in _FOLLOW_UPS:
        return None
    if kind != "AUTHORIZATION" or result not in _OUTCOMES:
        raise _unreadable("order_unknown", "It has an operation or a result that the contract does not have.")
    return _OUTCOMES[result]


def _amount(text: object) -> int:
    if isinstance(text, str) and re.fullmatch("[0-9]{1,12}", text):
        return int(text)
    raise _malformed()


def _id(text: object) -> str:
    if isinstance(text, str) and re.fullmatch("[0-9]{18}", text):
        return text
    raise _malformed()


def _malformed() -> PayframeError:
    return _unreadable("order_form", "An amount or an id does not have the form of the contract.")


def _unreadable(code: str, message: str) -> PayframeError:
    return PayframeError(f"The order can not be used. {message}", kind="gateway", code=code)


_FOLLOW_UPS: Final = ("CAPTURE", "VOID", "REFUND", "CANCEL", "CARD_VERIFICATION")
"""Operations that follow a payment. The sums of the order include them."""
_OUTCOMES: Final[dict[str, Outcome | None]] = {
    "AUTHORIZED": "APPROVED",
    "EXECUTED": "APPROVED",
    "PENDING": "UNDECIDED",
    "VOIDED": "RETURNED",
    "REFUNDED": "RETURNED",
    "DECLINED": None,
    "DENIED_BY_RISK": None,
    "THREEDS_VALIDATED": None,
    "THREEDS_FAILED": None,
    "CANCELED": None,
    "FAILED": None,
}
"""``None``: refused."""
