"""Pages of the dashboard: payments, one payment with what can be done with its money, and the difference report.

Who may see them says ``PayframeConfig``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.generic import ListView, TemplateView, View
from payframe import PayframeError

from payframe_oscar import staff
from payframe_oscar.amounts import major_of
from payframe_oscar.book import Book, book
from payframe_oscar.differences import differences, needing_person
from payframe_oscar.forms import AmountForm
from payframe_oscar.gateway import gateway
from payframe_oscar.models import Payment
from payframe_oscar.rows import known_row, report


class PaymentListView(ListView):
    """The newest payments, and those at which somebody has to look."""

    model = Payment
    template_name = "payframe_oscar/dashboard/payments.html"
    context_object_name = "payments"
    paginate_by = 50

    def get_queryset(self) -> Any:
        return Payment.objects.select_related("order")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return {**super().get_context_data(**kwargs), "needing_person": needing_person()[:50]}


class DifferencesView(TemplateView):
    """The books of the shop against those of the gateway."""

    template_name = "payframe_oscar/dashboard/differences.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**kwargs)
        try:
            days = min(max(int(self.request.GET.get("days", "7")), 1), 366)
        except ValueError:
            days = 7
        context["days"] = days
        try:
            context["differences"] = differences(gateway(), days=days)
        except PayframeError as problem:
            report(problem)
            context["problem"] = sentence(problem)
        return context


@method_decorator(transaction.non_atomic_requests, name="dispatch")
class PaymentView(View):
    """One payment: its sums as the gateway has them, and what can be done with them now."""

    def get(self, request: HttpRequest, reference: str) -> HttpResponse:
        return self._page(request, _row(reference))

    def post(self, request: HttpRequest, reference: str) -> HttpResponse:
        """Does what was pressed. What is wrong with a sum is shown beside it."""
        if not request.user.has_perm("order.change_order"):
            raise PermissionDenied
        row = _row(reference)
        shop_book = book()
        action = request.POST.get("action", "")
        try:
            if action in ("capture", "refund"):
                form = self._move(request, shop_book, row, action)
                if form is not None:
                    return self._page(request, row, **{action: form})
            elif action == "release":
                seen, _is_current = _seen(shop_book, row, request.POST.get("version", ""))
                staff.release(shop_book, row, seen)
                messages.success(request, _("What was held is released."))
            elif action == "cancel":
                self._cancel(request, shop_book, row)
            elif action == "look":
                shop_book.look_again(reference)
                messages.info(request, _("The payment was read again."))
            else:
                messages.error(request, _("There is no such action."))
        except PayframeError as problem:
            report(problem)
            messages.error(request, sentence(problem))
        return redirect("payframe:card-payment", reference=reference)

    def _move(self, request: HttpRequest, shop_book: Book, row: Payment, action: str) -> AmountForm | None:
        """Captures or refunds. The form, if it is wrong."""
        seen, is_current = _seen(shop_book, row, request.POST.get("version", ""))
        most = seen.can_capture if action == "capture" else seen.can_refund
        # A second press of the same page is the same call, which the gateway answers again or refuses.
        form = AmountForm(request.POST, currency=row.currency, most=most if is_current else row.due)
        if not form.is_valid():
            return form
        amount = form.cleaned_data["amount"]
        shown = f"{major_of(amount, row.currency)} {row.currency}"
        if action == "capture":
            staff.capture(shop_book, row, seen, amount)
            messages.success(request, _("%(sum)s captured.") % {"sum": shown})
            return None
        result = staff.refund(shop_book, row, seen, amount)
        if result == "PENDING":
            messages.warning(request, _("The refund of %(sum)s is not decided yet.") % {"sum": shown})
        elif result in ("EXECUTED", "REFUNDED"):
            messages.success(request, _("%(sum)s given back.") % {"sum": shown})
        else:
            messages.error(request, _("The refund of %(sum)s was refused.") % {"sum": shown})
        if form.cleaned_data["went_back"] and amount == seen.held:
            shop_book.tell(row.reference, "RETURNED")
        return None

    def _cancel(self, request: HttpRequest, shop_book: Book, row: Payment) -> None:
        seen = staff.money_of(shop_book, row)
        if seen and seen.held > 0 and not seen.can_cancel:
            messages.error(request, _("A part is captured: release the rest first, and refund what is captured."))
            return
        shop_book.cancel(row.reference, request.user)
        messages.success(request, _("The order is cancelled, and its money goes back."))

    def _page(self, request: HttpRequest, row: Payment, **forms: AmountForm) -> HttpResponse:
        context: dict[str, Any] = {"payment": row, "due": major_of(row.due, row.currency)}
        try:
            seen = staff.money_of(book(), row)
        except PayframeError as problem:
            report(problem)
            return render(request, _TEMPLATE, {**context, "problem": sentence(problem)})
        if seen:
            initial = {"version": seen.version}
            context |= {
                "money": seen,
                "sums": [
                    (_("Authorized"), major_of(seen.authorized, row.currency)),
                    (_("Captured"), major_of(seen.captured, row.currency)),
                    (_("Given back"), major_of(seen.refunded, row.currency)),
                ],
            }
            for name, most in (("capture", seen.can_capture), ("refund", seen.can_refund)):
                unbound = AmountForm(initial=initial, currency=row.currency, most=most, auto_id=f"id_{name}_%s")
                context[f"{name}_form"] = forms.get(name, unbound) if most else None
            context["released"] = major_of(seen.can_release, row.currency)
        return render(request, _TEMPLATE, context)


def sentence(problem: PayframeError) -> str:
    """What the staff is told."""
    if problem.code == "GW9012":
        return _("The order has changed since this page was shown, and nothing was done. Look at it, and decide again.")
    if problem.outcome_unknown:
        return _("The gateway did not answer. Look at the sums: if nothing has changed, press again.")
    return problem.message


def _seen(shop_book: Book, row: Payment, version: str) -> tuple[staff.Money, bool]:
    """How the money stands, with the version that the page showed, and whether this is the newest one.

    The gateway refuses a call with another version than its own.
    """
    seen = staff.money_of(shop_book, row)
    if seen is None or not version:
        raise PayframeError("No payment of this order has money.", kind="caller", code="no_payment")
    return replace(seen, version=version), version == seen.version


def _row(reference: str) -> Payment:
    try:
        return known_row(reference)
    except PayframeError:
        raise Http404 from None


_TEMPLATE = "payframe_oscar/dashboard/payment.html"
