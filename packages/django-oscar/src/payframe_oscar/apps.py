"""The app, as Django and the dashboard of django-oscar load it."""

from __future__ import annotations

from typing import Any

from django.core import checks
from django.urls import path
from oscar.core.application import OscarDashboardConfig


class PayframeConfig(OscarDashboardConfig):
    """``"payframe_oscar"`` among ``INSTALLED_APPS``, before the apps of django-oscar."""

    default = True
    name = "payframe_oscar"
    label = "payframe"
    verbose_name = "Payframe"
    default_auto_field = "django.db.models.BigAutoField"
    default_permissions = ["is_staff", "order.view_order"]
    """Of the pages of the dashboard. To move money, ``order.change_order`` is needed too."""

    def ready(self) -> None:
        from payframe_oscar.settings import check_settings

        checks.register(check_settings)

    def get_urls(self) -> list[Any]:
        """The pages of the dashboard."""
        from payframe_oscar.dashboard import DifferencesView, PaymentListView, PaymentView

        urls = [
            path("", PaymentListView.as_view(), name="card-payments"),
            path("differences/", DifferencesView.as_view(), name="card-differences"),
            path("payments/<str:reference>/", PaymentView.as_view(), name="card-payment"),
        ]
        return self.post_process_urls(urls)
