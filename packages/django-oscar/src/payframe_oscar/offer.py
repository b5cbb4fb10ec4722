"""The form for the buyer's basket: opened, found again, or refused."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.utils import translation
from django.utils.safestring import SafeString, mark_safe
from payframe import PayframeError

from payframe_oscar.amounts import minor_of
from payframe_oscar.book import Book, Formed, book
from payframe_oscar.models import Payment
from payframe_oscar.rows import known_row
from payframe_oscar.session_request import Sale, reference_of, session_request
from payframe_oscar.settings import payframe_settings

SESSION_KEY = "payframe_references"
"""References of a buyer, in the session of the shop: only they lead to the page of the order."""


@dataclass(frozen=True)
class Offer:
    """A form to be shown."""

    reference: str
    session_id: str
    gateway: str
    html: SafeString
    """The printed form; empty if the form was opened before."""


@dataclass(frozen=True)
class NoForm:
    """There is no form now."""

    why: str
    reference: str = ""


def offer_form(view: Any, submission: dict[str, Any]) -> Offer | NoForm:
    """The form for what a checkout would submit. ``view`` is a view with django-oscar's ``OrderPlacementMixin``."""
    total = submission["order_total"]
    due = minor_of(total.incl_tax, total.currency)
    basket = submission["basket"]
    order_number = _order_number(view, basket)
    view.checkout_session.set_order_number(order_number)
    settings = payframe_settings()
    shop_book = book()
    number = 0
    while True:
        number += 1
        reference = reference_of(settings.reference_prefix, order_number, number)
        if _is_of_others(shop_book, reference):
            continue
        user = view.request.user if view.request.user.is_authenticated else None
        row = shop_book.place(
            reference,
            due=due,
            currency=total.currency,
            pay_within=timedelta(minutes=settings.pay_within_minutes),
            order_number=order_number,
            basket=basket,
            user=user,
        )
        if row.is_over:
            continue
        if row.order_id is not None:
            return NoForm("ALREADY_PAID", reference)
        _remember(view.request, reference)
        sale = Sale(reference, due, total.currency, translation.get_language() or "en", str(user.pk) if user else None)
        if row.currency == total.currency and row.user == user:
            shop_book.describe(reference, shop_book.placement.submission(submission, view))
            request = session_request(settings, sale, view.request)
            formed = shop_book.form(reference, due, request)
        else:
            # The buyer has logged in, or the shop has changed its currency: the former form is closed.
            formed = Formed(refused="SUM_CHANGED")
        shown = _answered(shop_book, reference, formed)
        if shown is not None:
            return shown


def _order_number(view: Any, basket: Any) -> str:
    """The number that the basket has got before: some shops make a new one for each call."""
    row = Payment.objects.filter(basket=basket).first()
    return row.order_number if row else str(view.generate_order_number(basket))


def _is_of_others(shop_book: Book, reference: str) -> bool:
    """Whether the gateway knows an order that this shop has not made: of another shop, or of a database before this.

    Its payment is no payment of this buyer.
    """
    if Payment.objects.filter(pk=reference).exists():
        return False
    try:
        shop_book.payframe.orders.read(reference)
    except PayframeError as problem:
        if problem.code == "not_found":
            return False
        raise
    return True


def _answered(shop_book: Book, reference: str, formed: Formed) -> Offer | NoForm | None:
    """``None`` if this reference is used up, and the next one is to be tried."""
    if formed.refused is None:
        html = mark_safe(formed.html)  # It is HTML already, of the gateway.
        return Offer(reference, formed.session_id, payframe_settings().gateway, html)
    if formed.refused in ("SUM_CHANGED", "TOO_MANY_ATTEMPTS"):
        shop_book.happens(reference, {"type": "TIME_OUT"})
    row = known_row(reference)
    if row.is_over:
        return None
    return NoForm("GIVING_BACK" if row.status == "GIVING_BACK" else formed.refused, reference)


def _remember(request: Any, reference: str) -> None:
    references: list[str] = request.session.get(SESSION_KEY, [])
    if reference not in references:
        request.session[SESSION_KEY] = [*references, reference][-_MOST_REFERENCES:]


_MOST_REFERENCES = 20
