"""What a session of the gateway is opened with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from django.urls import reverse
from django.utils.module_loading import import_string
from payframe import SessionRequest

from payframe_oscar.settings import PayframeSettings


@dataclass(frozen=True)
class Sale:
    """What is paid, and by whom."""

    reference: str
    due: int
    currency: str
    language: str
    """Of the buyer, as Django has it, such as ``de`` or ``pt-br``."""
    customer: str | None
    """The id of a customer who is logged in; a guest has none, whatever e-mail address was typed."""


def session_request(settings: PayframeSettings, sale: Sale, request: Any = None) -> SessionRequest:
    """The body of ``POST /orders/build``. ``request`` is given to the shop's function ``SESSION``."""
    amount = str(sale.due)
    customer = customer_id(sale.customer) if settings.saved_cards and sale.customer is not None else None
    back = settings.shop + reverse("payframe:return", kwargs={"reference": sale.reference})
    order: dict[str, Any] = {"orderId": sale.reference, "amount": amount, "currency": sale.currency}
    payment: dict[str, Any] = {
        "amount": amount,
        "paymentService": "CARDS",
        "language": _LANGUAGES.get(sale.language[:2], "eng"),
        "resultUrl": back,
        "cancelUrl": back,
        "notificationUrl": settings.notifications + reverse("payframe:notifications"),
    }
    form: dict[str, Any] = {"closing": "FRAME", "attempts": 3}
    if customer:
        order["customerId"] = customer
        payment["recurrence"] = {
            "action": "CONTRACT_CREATION",
            "contractId": sale.reference,
            "contractType": "CIT",
        }
        form |= {"savedCards": "USE_AND_REMOVE", "consent": "OPTIONAL"}
    parts: dict[str, dict[str, Any]] = import_string(settings.session)(request, sale) if settings.session else {}
    body = {
        "merchantUrl": settings.shop,
        "order": order | parts.get("order", {}),
        "paymentSession": payment | parts.get("paymentSession", {}),
        "form": form | parts.get("form", {}),
    }
    return cast(SessionRequest, body)


def reference_of(prefix: str, order_number: str, number: int) -> str:
    """The id of an order at the gateway: that of a further try has a number behind it."""
    return f"{prefix}{order_number}" if number == 1 else f"{prefix}{order_number}-{number}"


def customer_id(user: str) -> str:
    """An id that the gateway takes: 27 characters are enough for a UUID without its version and variant."""
    return f"u{user.replace('-', '')[-26:]}"


_LANGUAGES = {
    "ar": "ara", "bg": "bul", "ca": "cat", "cs": "ces", "da": "dan", "de": "deu", "el": "ell", "en": "eng",
    "es": "spa", "et": "est", "fi": "fin", "fr": "fra", "he": "heb", "hr": "hrv", "hu": "hun", "id": "ind",
    "it": "ita", "ja": "jpn", "ko": "kor", "lt": "lit", "lv": "lav", "nb": "nob", "no": "nob", "pl": "pol",
    "pt": "por", "ro": "ron", "ru": "rus", "sk": "slk", "sl": "slv", "sv": "swe", "th": "tha", "tr": "tur",
    "uk": "ukr", "vi": "vie", "zh": "zha",
}  # fmt: skip
"""The languages of the form."""
