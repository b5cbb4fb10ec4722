"""What the gateway and the buyer's browser come back to: notifications, and the return page."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST
from oscar.apps.checkout.signals import post_checkout
from oscar.core.loading import get_class
from payframe import PayframeError, verify_notification

from payframe_oscar.book import book
from payframe_oscar.models import Payment
from payframe_oscar.offer import SESSION_KEY
from payframe_oscar.rows import known_row, report
from payframe_oscar.settings import payframe_settings


@csrf_exempt
@transaction.non_atomic_requests
@require_POST
def notifications(request: HttpRequest) -> HttpResponse:
    """A notification is only a reason to ask the gateway.

    One that names no order of this shop is answered with 404, and one that can not be heeded with 503, so that it comes
    again.
    """
    try:
        event = verify_notification(request.headers, request.body, payframe_settings().notification_secrets)
        operation = event.get("operation")
        # What is not about money is nothing to a shop.
        if operation is not None:
            book().happens(operation["orderId"], {"type": "NOTIFICATION"})
    except PayframeError as problem:
        if problem.code == "order_unknown":
            return HttpResponse(status=404)
        if problem.kind == "notification":
            return HttpResponse(status=400)
        report(problem)
        return HttpResponse(status=503)
    return HttpResponse(status=204)


@never_cache
@transaction.non_atomic_requests
@require_GET
def return_page(request: HttpRequest, reference: str) -> HttpResponse:
    """The buyer is back, or the page has heard an outcome: the gateway is asked, and the buyer goes where it says."""
    if reference not in request.session.get(SESSION_KEY, []):
        return redirect("basket:summary")
    try:
        row = known_row(reference)
        if row.order_id is None:
            row = book().look(reference)
    except PayframeError as problem:
        report(problem)
        return _wait(request)
    if row.order_id is not None:
        return _placed(request, row)
    status = row.status
    if status == "PAID" or row.kept["statusDetail"] == "ISSUER":
        return _wait(request)
    if status in ("GIVING_BACK", "REFUNDED"):
        messages.warning(request, _("Your basket has changed while you paid. The money goes back to you."))
        return redirect("basket:summary")
    if status in ("NEEDS_PERSON", "PARTLY_PAID"):
        messages.warning(request, _("Somebody of the shop has to look at your payment. Please contact us."))
        return redirect("basket:summary")
    messages.info(request, _("You have not paid. Nothing was charged."))
    return redirect("checkout:payment-details")


def _placed(request: Any, row: Payment) -> HttpResponse:
    """The page of the order, and everything that django-oscar does when an order is placed in a browser."""
    get_class("checkout.utils", "CheckoutSessionData")(request).flush()
    is_new = request.session.get("checkout_order_id") != row.order_id
    request.session["checkout_order_id"] = row.order_id
    request.session[SESSION_KEY] = [one for one in request.session[SESSION_KEY] if one != row.reference]
    response = redirect("checkout:thank-you")
    if is_new:
        post_checkout.send(sender=return_page, order=row.order, user=request.user, request=request, response=response)
    return response


def _wait(request: HttpRequest) -> HttpResponse:
    """A page that looks again by itself."""
    return render(request, "payframe_oscar/waiting.html")
