"""The app, as Django loads it."""

from __future__ import annotations

from oscar.apps.checkout.apps import CheckoutConfig as OscarCheckoutConfig


class CheckoutConfig(OscarCheckoutConfig):
    """``oscar.apps.checkout`` with the views of this package."""

    name = "payframe_oscar.checkout"
