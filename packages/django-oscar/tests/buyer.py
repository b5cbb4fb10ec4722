"""A buyer of the shop, and its staff, as browsers without scripts: Django's client."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

ADDRESS = {
    "first_name": "Ada",
    "last_name": "Lovelace",
    "line1": "Way 1",
    "line4": "Berlin",
    "postcode": "10115",
    "country": "DE",
}


class Buyer:
    """Somebody with a basket, who is through with the address."""

    def __init__(self, product: Any, *, user: Any = None) -> None:
        self.client = Client()
        self.product = product
        if user:
            self.client.force_login(user)
        self.add()
        if not user:
            self.client.post(reverse("checkout:index"), {"username": "guest@example.com", "options": "anonymous"})
        self.client.post(reverse("checkout:shipping-address"), ADDRESS)
        self.client.get(reverse("checkout:shipping-method"))

    def add(self) -> None:
        """One more piece."""
        self.client.post(reverse("basket:add", kwargs={"pk": self.product.pk}), {"quantity": 1})

    def payment_page(self) -> Any:
        """The page with the form."""
        return self.client.get(reverse("checkout:payment-details"))

    def comes_back(self, reference: str) -> Any:
        return self.client.get(reverse("payframe:return", kwargs={"reference": reference}))


def account(email: str, **more: Any) -> Any:
    """A user of the shop."""
    return get_user_model().objects.create_user(email, email, "secret-word", **more)


def notify(event: dict[str, Any], *, secret: str | None = None, body: bytes | None = None) -> int:
    """Hands a notification to the shop, as the gateway signs it. Answers the status."""
    content = json.dumps(event).encode()
    timestamp = str(int(time.time()))
    key = base64.b64decode((secret or settings.PAYFRAME["NOTIFICATION_SECRETS"][0]).removeprefix("whsec_"))
    signed = f"{event['eventId']}.{timestamp}.".encode() + content
    signature = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    headers = {"webhook-id": event["eventId"], "webhook-timestamp": timestamp, "webhook-signature": f"v1,{signature}"}
    # The client of a gateway: it has no token of the shop's.
    client = Client(enforce_csrf_checks=True)
    data = content if body is None else body
    return client.post(reverse("payframe:notifications"), data, "application/json", headers=headers).status_code
