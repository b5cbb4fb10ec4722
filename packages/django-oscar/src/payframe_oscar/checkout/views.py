"""The page for payment details: it shows the order as it will be placed, and the form."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy as _
from oscar.apps.checkout import exceptions
from oscar.apps.checkout.views import PaymentDetailsView as OscarPaymentDetailsView
from payframe import PayframeError

from payframe_oscar.offer import NoForm, Offer, offer_form
from payframe_oscar.rows import report


class PayframePaymentMixin:
    """For a shop's own ``PaymentDetailsView``: put it before ``oscar.apps.checkout.views.PaymentDetailsView``."""

    template_name = "payframe_oscar/payment_details.html"
    preview: bool
    request: Any
    checkout_session: Any

    # The rows of the book have transactions of their own.
    @method_decorator(transaction.non_atomic_requests)
    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        return super().dispatch(request, *args, **kwargs)  # type: ignore[misc]

    def get(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        if self.preview:
            return super().get(request, *args, **kwargs)  # type: ignore[misc]
        context: dict[str, Any] = self.get_context_data(**kwargs)  # type: ignore[attr-defined]
        try:
            shown = offer_form(self, context)
        except PayframeError as problem:
            report(problem)
            shown = NoForm("UNREACHABLE")
        if isinstance(shown, NoForm):
            if shown.why == "ALREADY_PAID":
                return redirect("payframe:return", reference=shown.reference)
            context["no_form"] = NO_FORM.get(shown.why, NO_FORM["UNDECIDED"])
        if isinstance(shown, Offer):
            context["form_offer"] = shown
        return self.render_to_response(context)  # type: ignore[attr-defined]

    def check_payment_data_is_captured(self, request: Any) -> None:
        """Only what is free is placed by a press on the preview's button."""
        total = self.build_submission()["order_total"]  # type: ignore[attr-defined]
        if total is None or total.incl_tax > 0:
            raise exceptions.FailedPreCondition(url=reverse("checkout:payment-details"))


class PaymentDetailsView(PayframePaymentMixin, OscarPaymentDetailsView):
    """That of django-oscar, with the form."""


NO_FORM = {
    "UNDECIDED": _("Your bank has not decided about the payment yet. Look again in a few minutes; do not pay twice."),
    "BEING_PAID": _("A payment for the former sum is on its way. Look again in a moment."),
    "GIVING_BACK": _("Your basket has changed while you paid. That money goes back; then you can pay the new sum."),
    "NEEDS_PERSON": _("Somebody of the shop has to look at your payment. Please contact us, and do not pay again."),
    "NOT_FOR_SALE": _("This order can not be paid any more."),
    "UNREACHABLE": _("The payment can not be started at the moment. Nothing was charged. Please try again."),
}
