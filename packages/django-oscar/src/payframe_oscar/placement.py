"""Orders of django-oscar: what the page with the form showed is stored, and placed when the money is held.

The order may be placed by a notification, when the buyer's browser is gone. So nothing of it is read from the buyer's
session then: what is placed is what the page showed, and if the basket has another price or other lines by then, the
money goes back.
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.contrib.sites.models import Site
from django.db import transaction
from django.urls import NoReverseMatch, reverse
from django.utils import translation
from oscar.apps.order.exceptions import UnableToPlaceOrder
from oscar.core.loading import get_class, get_model
from payframe import PayframeError

from payframe_oscar.amounts import major_of, minor_of
from payframe_oscar.models import Payment

OrderPlacementMixin: Any = get_class("checkout.mixins", "OrderPlacementMixin")


class NotForSale(Exception):
    """The order can not be placed for what was paid. It ends the transaction, and the money goes back."""


class Placement(OrderPlacementMixin):
    """Places orders without a request. A shop that needs more stores and places it in a subclass (``PLACEMENT``)."""

    # Those of OrderPlacementMixin are the view's; there is none.
    request = None

    def submission(self, submission: dict[str, Any], checkout: Any) -> dict[str, Any]:
        """What is stored of a checkout: as JSON. ``submission`` is what ``build_submission()`` of its view made."""
        site = Site.objects.get_current(checkout.request)
        return {
            "lines": _lines(submission["basket"]),
            "shipping_address": _fields(submission["shipping_address"]),
            "billing_address": _fields(submission["billing_address"]),
            "shipping_method": submission["shipping_method"].code,
            "guest_email": submission["order_kwargs"].get("guest_email"),
            "language": translation.get_language() or "en",
            "site": site.pk,
        }

    def place(self, row: Payment, operation: str) -> Any:
        """The order, placed. It is part of the transaction that locks the row.

        Raises ``NotForSale`` if it is not what was paid.
        """
        basket = self.locked_basket(row)
        stored = row.submission
        user = row.user or AnonymousUser()
        basket.strategy = get_class("partner.strategy", "Selector")().strategy(request=None, user=user)
        if basket.is_empty or _lines(basket) != stored["lines"]:
            raise NotForSale("the basket has other lines now")
        _check_availability(basket)
        get_class("offer.applicator", "Applicator")().apply(basket, user, None)
        shipping_address = _address("ShippingAddress", stored["shipping_address"])
        billing_address = _address("BillingAddress", stored["billing_address"])
        method = self.stored_shipping_method(basket, user, shipping_address, stored["shipping_method"])
        charge = method.calculate(basket)
        surcharges = get_class("checkout.applicator", "SurchargeApplicator")(None).get_applicable_surcharges(
            basket=basket, shipping_charge=charge
        )
        total = get_class("checkout.calculators", "OrderTotalCalculator")(None).calculate(basket, charge, surcharges)
        _check_sum(row, total)
        self._payment_events = None
        self.add_payment_event("Paid", major_of(row.due, row.currency), reference=operation)
        kwargs = {"guest_email": stored["guest_email"]} if stored["guest_email"] else {}
        with translation.override(stored["language"]):
            try:
                order = self.place_order(
                    order_number=row.order_number,
                    user=user,
                    basket=basket,
                    shipping_address=shipping_address,
                    shipping_method=method,
                    shipping_charge=charge,
                    order_total=total,
                    billing_address=billing_address,
                    surcharges=surcharges,
                    request=None,
                    site=Site.objects.filter(pk=stored["site"]).first(),
                    **kwargs,
                )
            except (ValueError, UnableToPlaceOrder) as problem:
                # The words of django-oscar for a number that is taken, or a voucher that is used up.
                raise NotForSale(str(problem)) from problem
        basket.submit()
        transaction.on_commit(lambda: self.confirm(order, stored["language"]), robust=True)
        return order

    def confirm(self, order: Any, language: str) -> None:
        """Tells the buyer that the order is placed. A mail that can not be sent is logged, and not sent again."""
        with translation.override(language):
            self.send_order_placed_email(order)

    def cancel(self, row: Payment, user: Any) -> None:
        """The staff cancels a placed order: its stock is free, and it has the shop's status for this, if there is one.

        It is part of the transaction that locks the row.
        """
        from payframe_oscar.settings import payframe_settings

        handler = get_class("order.processing", "EventHandler")(user)
        handler.cancel_stock_allocations(row.order)
        status = payframe_settings().cancelled_status
        if status and status in row.order.available_statuses():
            handler.handle_order_status_change(row.order, status, note_msg=f"Payment {row.reference} goes back.")

    def locked_basket(self, row: Payment) -> Any:
        """The basket, which nobody changes before the order is placed."""
        model = get_model("basket", "Basket")
        basket = model.objects.select_for_update().filter(pk=row.basket_id).first()
        if basket is None or basket.status not in (model.OPEN, model.FROZEN, model.SAVED):
            raise NotForSale("the basket was ordered, merged or removed")
        return basket

    def stored_shipping_method(self, basket: Any, user: Any, address: Any, code: str) -> Any:
        """The shipping method that the buyer chose."""
        repository = get_class("shipping.repository", "Repository")()
        for method in repository.get_shipping_methods(basket, shipping_addr=address, user=user, request=None):
            if method.code == code:
                return method
        raise NotForSale(f"the shipping method {code} is not offered any more")

    def get_message_context(self, order: Any) -> dict[str, Any]:
        """That of OrderPlacementMixin needs a request."""
        context: dict[str, Any] = {"user": order.user, "order": order, "lines": order.lines.all(), "site": order.site}
        try:
            if order.user:
                path = reverse("customer:order", kwargs={"order_number": order.number})
            else:
                kwargs = {"order_number": order.number, "hash": order.verification_hash()}
                path = reverse("customer:anon-order", kwargs=kwargs)
        except NoReverseMatch:
            return context
        domain = order.site.domain if order.site else ""
        return {**context, "status_path": path, "status_url": f"https://{domain}{path}"}


def _lines(basket: Any) -> list[list[Any]]:
    """What is in a basket, so that it can be compared."""
    return [[line.product_id, line.stockrecord_id, line.quantity] for line in basket.all_lines()]


def _check_availability(basket: Any) -> None:
    for line in basket.all_lines():
        availability = basket.strategy.fetch_for_line(line).availability
        is_permitted, reason = availability.is_purchase_permitted(line.quantity)
        if not is_permitted:
            raise NotForSale(f"{line.product.get_title()}: {reason}")


def _check_sum(row: Payment, total: Any) -> None:
    try:
        due = minor_of(total.incl_tax, total.currency)
    except PayframeError as problem:
        raise NotForSale(problem.message) from problem
    if due != row.due or total.currency != row.currency:
        raise NotForSale(f"it costs {total.incl_tax} {total.currency} now")


def _fields(address: Any) -> dict[str, Any] | None:
    """An address that is not saved."""
    if address is None:
        return None
    columns = [column for column in address._meta.concrete_fields if getattr(address, column.attname) is not None]
    return {column.attname: column.value_to_string(address) for column in columns if not column.primary_key}


def _address(name: str, fields: dict[str, Any] | None) -> Any:
    return None if fields is None else get_model("order", name)(**fields)
