"""A shop server: a page with the payment form, a receiver of notifications, and the page that the buyer comes back to.

    PAYFRAME_GATEWAY=http://localhost:8080 PAYFRAME_API_KEY=… PAYFRAME_NOTIFICATION_SECRET=whsec_… python shop.py

The order keeper says when an order is paid: see order_book.py.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import cast
from urllib.parse import parse_qs, urlsplit

from order_book import OrderBook, Row

from payframe import Payframe, PayframeError, money, verify_notification

PRICE = money(3545, "EUR")
PAY_WITHIN_SECONDS = 30 * 60
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
        self.report: Callable[[object], None] = print
        self.orders = OrderBook(payframe, lambda problem: self.report(problem))

    def checkout(self) -> Answer:
        return self.payment(self.orders.place(uuid.uuid4().hex[:18], PRICE, PAY_WITHIN_SECONDS))

    def payment(self, row: Row | None) -> Answer:
        """The first attempt of an order, and every other."""
        if row is None:
            return NOT_FOUND
        order_id = row.order_id
        session = self.orders.pay(row, lambda: self.payframe.sessions.create({
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
        }))
        if isinstance(session, str):
            return 409, "text/plain", session
        form = session["form"]["html"] if "form" in session else ""
        return 200, "text/html; charset=utf-8", PAGE.format(gateway=self.gateway, order_id=order_id, form=form)

    def notified(self, headers: list[tuple[str, str]], body: bytes) -> Answer:
        """A notification is only a reason to read the order."""
        event = verify_notification(headers, body, self.secrets)
        operation = event.get("operation")
        # Not about money: this shop asks for no such events.
        if operation is None:
            return 204, "text/plain", ""
        row = self.orders.rows.get(operation["orderId"])
        # The gateway sends it again: the order may be on its way into the database.
        if row is None:
            return NOT_FOUND
        self.orders.happens(row, {"type": "NOTIFICATION"})
        return 204, "text/plain", ""

    def result(self, row: Row | None) -> Answer:
        if row is None:
            return NOT_FOUND
        self.orders.happens(row, {"type": "RETURN_PAGE"})
        return 200, "text/plain", row.order["status"]


class Visit(BaseHTTPRequestHandler):
    """One request."""

    def do_GET(self) -> None:
        url, shop = urlsplit(self.path), cast(Shop, self.server)
        row = shop.orders.rows.get(parse_qs(url.query).get("order", [""])[0])
        routes: dict[str, Callable[[], Answer]] = {
            "/": shop.checkout,
            "/checkout.js": lambda: (200, "text/javascript", SCRIPT),
            "/pay": lambda: shop.payment(row),
            "/result": lambda: shop.result(row),
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
