"""The difference report: the books of the shop against those of the gateway. No difference is normal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from django.db.models import QuerySet
from django.utils import timezone
from payframe import Order, OrderStatus, Payframe, PayframeError

from payframe_oscar.amounts import major_of
from payframe_oscar.ledger import SOURCE_TYPE
from payframe_oscar.models import Payment


@dataclass(frozen=True)
class Difference:
    """One difference: what it is, and what ends it."""

    reference: str
    kind: str
    cause: str
    action: str


@dataclass(frozen=True)
class ShopSide:
    """What the shop's books say of a payment. Sums are those of django-oscar's source."""

    reference: str
    currency: str
    status: str
    needs_person: str
    is_placed: bool
    sums: tuple[Decimal, Decimal, Decimal] | None
    """Allocated, debited, refunded; ``None`` without a source."""


def differences(payframe: Payframe, *, days: int, now: datetime | None = None) -> list[Difference]:
    """Differences of the payments of the last days.

    Payments that wait for something are left out for a quarter of an hour: a shop between two calls is no difference.
    """
    until = now or timezone.now()
    rows = Payment.objects.filter(created_at__gte=until - timedelta(days=days)).select_related("order")
    found: list[Difference] = []
    for row in rows.iterator(chunk_size=200):
        is_settled = row.created_at <= until - PATIENCE
        found += compare(shop_side(row), _status(payframe, row.reference), is_settled=is_settled)
    return found


def compare(shop: ShopSide, gateway: OrderStatus | None, *, is_settled: bool = True) -> Iterator[Difference]:
    """Both sides of one payment. ``gateway`` is ``None`` if it has no such order."""
    reference = shop.reference
    held = int(gateway["authorizedAmount"]) - int(gateway["refundedAmount"]) if gateway else 0
    if shop.needs_person:
        yield Difference(reference, "NEEDS_PERSON", _PERSON.get(shop.needs_person, shop.needs_person), _LOOK)
    if held > 0 and not shop.is_placed and is_settled:
        yield Difference(reference, "PAID_NOT_PLACED", "Money is held, and the shop has no order.", _LOOK)
    if shop.is_placed and held == 0 and shop.status in ("PAID", "PARTLY_PAID"):
        cause = "The shop has the order, and the gateway holds no money for it."
        yield Difference(reference, "PLACED_UNPAID", cause, _LOOK)
    if gateway and shop.is_placed and shop.sums != _sums(gateway, shop.currency):
        cause = "The sums of the payment source are not those of the gateway."
        yield Difference(reference, "SUMS_DIFFER", cause, "Press Look again: they are read anew.")


def shop_side(row: Payment) -> ShopSide:
    """What the shop's books say."""
    sources = row.order.sources.filter(source_type__name=SOURCE_TYPE, reference=row.reference) if row.order else None
    source = sources.first() if sources is not None else None
    sums = (source.amount_allocated, source.amount_debited, source.amount_refunded) if source else None
    return ShopSide(row.reference, row.currency, row.status, row.needs_person, row.order is not None, sums)


def needing_person() -> QuerySet[Payment]:
    """Payments at which somebody has to look."""
    return Payment.objects.exclude(needs_person="")


def _status(payframe: Payframe, reference: str) -> OrderStatus | None:
    try:
        answer: Order = payframe.orders.read(reference)
    except PayframeError as problem:
        if problem.code == "not_found":
            return None
        raise
    return answer["orderStatus"]


def _sums(gateway: OrderStatus, currency: str) -> tuple[Decimal, Decimal, Decimal]:
    amounts = (gateway["authorizedAmount"], gateway["capturedAmount"], gateway["refundedAmount"])
    # django-oscar stores two decimal places of every currency.
    allocated, debited, refunded = (major_of(int(amount), currency).quantize(Decimal("0.01")) for amount in amounts)
    return allocated, debited, refunded


PATIENCE = timedelta(minutes=15)
_LOOK = "Open the payment: press Look again, or Cancel to give the money back."
_PERSON = {
    "UNDECIDED": "The issuer has not decided for a long time.",
    "NOT_GIVEN_BACK": "Money that has to go back does not.",
    "TOO_MUCH": "More is held than the order costs.",
    "TOO_LITTLE": "Only a part of the order is paid.",
    "PAID_AFTER_RELEASE": "Money came after the order was given up.",
    "FULFILLED_UNPAID": "The order is placed, and no money is held.",
    "UNREADABLE": "The gateway's answer can not be understood.",
    "NOT_PLACED": "The money is held, and placing the order fails. The log has the cause.",
}
"""Why a person is called."""
