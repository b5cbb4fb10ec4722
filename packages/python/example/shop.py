"""A shop server: a page with the payment form, a receiver of notifications, and the page that the buyer comes back to.

    PAYFRAME_GATEWAY=http://localhost:8080 PAYFRAME_API_KEY=… PAYFRAME_NOTIFICATION_SECRET=whsec_… python shop.py

Orders are in memory, to keep it short. A real shop has them in its database, and follows docs/order-keeper.md.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import cast
from urllib.parse import parse_qs, urlsplit

from payframe import Payframe, PayframeError, money, verify_notification

PRICE = money(3545, "EUR")
SCRIPT = """document.querySelector('payment-form').addEventListener('result', ({ detail, target }) => {
  if (detail.final) location.assign('/result?order=' + target.parentElement.dataset.order);
});"""
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Pay</title>
<script type="module" src="{gateway}/sdk/payframe.js"></script><script type="module" src="/checkout.js"></script>
<main data-order="{order_id}">{form}</main></html>"""

Answer = tuple[int, str, str]  # status, type, body
NOT_FOUND: Answer = (404, "text/plain", "")


class Shop(ThreadingHTTPServer):
    """The server. ``report`` hears of what failed."""

    def __init__(self, payframe: Payframe, gateway: str, secrets: list[str], port: int = 0) -> None:
        super().__init__(("localhost", port), Visit)
        self.payframe, self.gateway, self.secrets = payframe, gateway, secrets
        self.origin = f"http://localhost:{self.server_port}"
        self.security_tokens: dict[str, str] = {}
        self.paid: set[str] = set()
        self.report: Callable[[PayframeError], None] = print

    def checkout(self) -> Answer:
        order_id = uuid.uuid4().hex[:18]
        session = self.payframe.sessions.create({
            "merchantUrl": self.origin,
            "order": {"orderId": order_id, "amount": PRICE["amount"], "currency": PRICE["currency"]},
            "paymentSession": {
                "amount": PRICE["amount"],
                "paymentService": "CARDS",
                "resultUrl": f"{self.origin}/result?order={order_id}",
                "cancelUrl": f"{self.origin}/",
                "notificationUrl": f"{self.origin}/notifications",
            },
            "form": {"closing": "FRAME", "attempts": 3},
        })
        self.security_tokens[order_id] = session["securityToken"]
        form = session["form"]["html"] if "form" in session else ""
        return 200, "text/html; charset=utf-8", PAGE.format(gateway=self.gateway, order_id=order_id, form=form)

    def notified(self, headers: list[tuple[str, str]], body: bytes) -> Answer:
        event = verify_notification(headers, body, self.secrets)
        order_id = event["operation"]["orderId"]
        # The gateway sends it again: the order may be on its way into the database.
        if self.security_tokens.get(order_id) != event["securityToken"]:
            return NOT_FOUND
        self.settle(order_id)
        return 204, "text/plain", ""

    def result(self, order_id: str) -> Answer:
        if order_id not in self.security_tokens:
            return NOT_FOUND
        self.settle(order_id)
        return 200, "text/plain", "paid" if order_id in self.paid else "waiting"

    def settle(self, order_id: str) -> None:
        """The gateway says whether an order is paid."""
        status = self.payframe.orders.read(order_id)["orderStatus"]
        kept = int(status["authorizedAmount"]) - int(status["refundedAmount"])
        (self.paid.add if kept >= int(PRICE["amount"]) else self.paid.discard)(order_id)


class Visit(BaseHTTPRequestHandler):
    """One request."""

    def do_GET(self) -> None:
        url, shop = urlsplit(self.path), cast(Shop, self.server)
        routes: dict[str, Callable[[], Answer]] = {
            "/": shop.checkout,
            "/checkout.js": lambda: (200, "text/javascript", SCRIPT),
            "/result": lambda: shop.result(parse_qs(url.query).get("order", [""])[0]),
        }
        self._answer(routes.get(url.path))

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        routes = {"/notifications": lambda: cast(Shop, self.server).notified(self.headers.items(), body)}
        self._answer(routes.get(self.path))

    def _answer(self, route: Callable[[], Answer] | None) -> None:
        try:
            status, kind, body = route() if route else NOT_FOUND
        except PayframeError as error:
            cast(Shop, self.server).report(error)
            status, kind, body = 400 if error.kind == "notification" else 502, "text/plain", ""
        self.send_response(status)
        self.send_header("content-type", kind)
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Requests are not logged."""


if __name__ == "__main__":
    at = os.environ["PAYFRAME_GATEWAY"]
    with Payframe(gateway=at, api_key=os.environ["PAYFRAME_API_KEY"]) as client:
        shop = Shop(client, at, [os.environ["PAYFRAME_NOTIFICATION_SECRET"]], int(os.environ.get("PORT", "3000")))
        print(shop.origin)
        shop.serve_forever()
