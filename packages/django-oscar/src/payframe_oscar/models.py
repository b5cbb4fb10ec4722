"""The tables of the app: one row for each order at the gateway, and the place up to which its events were read."""

from __future__ import annotations

from typing import Any, ClassVar

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.utils.translation import gettext_lazy as _


class Payment(models.Model):
    """An order at the gateway, kept by the order keeper. Only ``payframe_oscar.book`` changes it."""

    reference = models.CharField(_("Reference"), max_length=27, primary_key=True)
    """The id of the order at the gateway: the number of the order, and behind it that of a further try."""
    order_number = models.CharField(_("Order number"), max_length=128, db_index=True)
    basket = models.ForeignKey("basket.Basket", null=True, on_delete=models.SET_NULL, related_name="payframe_payments")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="payframe_payments"
    )
    order = models.ForeignKey("order.Order", null=True, on_delete=models.SET_NULL, related_name="payframe_payments")
    """The order of django-oscar. It is written in one transaction with that order."""
    revision = models.PositiveIntegerField(default=0)
    currency = models.CharField(_("Currency"), max_length=3)
    kept = models.JSONField()
    """The order as the order keeper has it."""
    outbox = models.JSONField(default=list)
    """What is to be carried out."""
    sessions = models.JSONField(default=dict)
    """Sessions of the gateway by the number of their attempt."""
    new_sum = models.JSONField(null=True)
    """The sum that the open session is being given, with the key of that call."""
    untold = models.CharField(max_length=9, default="", blank=True)
    """The state of the goods that the gateway is to be told."""
    order_version = models.CharField(max_length=64, default="", blank=True)
    """Of the newest answer of the gateway that the keeper was given."""
    submission = models.JSONField(encoder=DjangoJSONEncoder, default=dict)
    """What the page with the form showed: address, shipping method, lines."""
    ask_at = models.DateTimeField(null=True)
    pay_by = models.DateTimeField(null=True)
    work_at = models.DateTimeField(null=True)
    wake_at = models.DateTimeField(null=True, db_index=True)
    """The first of these times."""
    needs_person = models.CharField(_("Needs a person"), max_length=24, default="", blank=True)
    """Why somebody has to look at it; empty if nobody has to."""
    created_at = models.DateTimeField(_("Created"), auto_now_add=True, db_index=True)

    class Meta:
        app_label = "payframe"
        ordering: ClassVar[list[str]] = ["-created_at"]
        verbose_name = _("Payment")
        verbose_name_plural = _("Payments")

    def __str__(self) -> str:
        return self.reference

    @property
    def due(self) -> int:
        """What it costs, in the minor unit."""
        return self.kept["due"]

    @property
    def status(self) -> str:
        """Where it stands, in the words of the order keeper, and ``GIVING_BACK`` while money goes back."""
        status: str = self.kept["status"]
        return "GIVING_BACK" if self.kept["intent"] == "GIVE_BACK" and not self.is_over else status

    @property
    def is_over(self) -> bool:
        """Whether nobody can pay with this reference any more, and no money is held."""
        return self.kept["status"] in ("GIVEN_UP", "REFUNDED")

    @property
    def has_work(self) -> bool:
        return bool(self.outbox) or bool(self.untold)

    def set_wake_time(self) -> None:
        times = [time for time in (self.ask_at, self.pay_by, self.work_at) if time is not None]
        self.wake_at = min(times, default=None)

    def session_of(self, number: int) -> str | None:
        """The session of an attempt; JSON has texts as names."""
        sessions: dict[str, Any] = self.sessions
        return sessions.get(str(number))


class FeedPosition(models.Model):
    """How far the feed of events was read."""

    name = models.CharField(max_length=16, primary_key=True)
    cursor = models.CharField(max_length=128, default="", blank=True)

    class Meta:
        app_label = "payframe"

    def __str__(self) -> str:
        return self.cursor
