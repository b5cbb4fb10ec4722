"""What django-oscar's own books say of a payment: its source and its transactions, as the gateway has them."""

from __future__ import annotations

from typing import Any

from oscar.core.loading import get_model
from payframe import Order

from payframe_oscar.amounts import major_of
from payframe_oscar.models import Payment

SOURCE_TYPE = "Payframe"


def record(row: Payment, order: Any, answer: Order) -> None:
    """Writes sums and operations of an answer of the gateway. To do it again changes nothing.

    It is part of the transaction that locks the row.
    """
    source_type, _ = get_model("payment", "SourceType").objects.get_or_create(name=SOURCE_TYPE)
    source, _ = get_model("payment", "Source").objects.get_or_create(
        order=order, source_type=source_type, reference=row.reference, defaults={"currency": row.currency}
    )
    for operation in reversed(answer["operations"]):
        kind = _KINDS.get(operation["operationType"])
        if kind is None or operation["operationResult"] not in _HAPPENED:
            continue
        source.transactions.update_or_create(
            reference=operation["operationId"],
            defaults={"status": operation["operationResult"]},
            create_defaults={
                "txn_type": kind,
                "amount": major_of(int(operation["operationAmount"]), row.currency),
                "status": operation["operationResult"],
            },
        )
    status = answer["orderStatus"]
    source.amount_allocated = major_of(int(status["authorizedAmount"]), row.currency)
    source.amount_debited = major_of(int(status["capturedAmount"]), row.currency)
    source.amount_refunded = major_of(int(status["refundedAmount"]), row.currency)
    source.save()


_KINDS = {
    "AUTHORIZATION": "Authorise",
    "CAPTURE": "Debit",
    "REFUND": "Refund",
    "VOID": "Release",
    "CANCEL": "Cancel",
}
"""The words of django-oscar, and two that it leaves to payment apps."""
_HAPPENED = ("AUTHORIZED", "EXECUTED", "VOIDED", "REFUNDED")
"""Results of operations that have moved money."""
