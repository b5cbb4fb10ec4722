"""The gateway of the live tests, what is prepared there, and servers that receive.

PAYFRAME_API is the address of the gateway's API, PAYFRAME_API_KEY a key, and PAYFRAME_NOTIFICATION_SECRET a secret of
the key's terminal. Nothing is tested here.
"""

from __future__ import annotations

import os
import queue
import threading
import uuid
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any, Literal

import httpx
from live.buyer import APPROVED, enter_card

from payframe import Payframe, SessionRequest

API = os.environ.get("PAYFRAME_API", "")
API_KEY = os.environ.get("PAYFRAME_API_KEY", "")
SECRET = os.environ.get("PAYFRAME_NOTIFICATION_SECRET", "")
if not (API and API_KEY and SECRET):
    raise RuntimeError(
        "These tests need a gateway: set PAYFRAME_API, PAYFRAME_API_KEY and PAYFRAME_NOTIFICATION_SECRET."
    )
GATEWAY = API.removesuffix("/api")


def new_order_id() -> str:
    return uuid.uuid4().hex[:18]


def session_request(
    order_id: str, action: Literal["PAY", "PREAUTH"] = "PAY", notification_url: str = "https://shop.example/hook"
) -> SessionRequest:
    """A session whose payment the shop's server closes."""
    return {
        "version": "3",
        "merchantUrl": "https://shop.example",
        "order": {"orderId": order_id, "amount": "3545", "currency": "EUR"},
        "paymentSession": {
            "actionType": action,
            "amount": "3545",
            "paymentService": "CARDS",
            "resultUrl": "https://shop.example/ok",
            "cancelUrl": "https://shop.example/ko",
            "notificationUrl": notification_url,
        },
        "form": {"closing": "SERVER"},
    }


def authorized(payframe: Payframe, order_id: str) -> str:
    """Holds the money of an order, and answers the operation."""
    session = payframe.sessions.create(session_request(order_id, "PREAUTH"))
    enter_card(GATEWAY, session["sessionId"], APPROVED)
    state = payframe.sessions.finalize(session["sessionId"])
    assert "operation" in state
    assert state["operation"]["operationResult"] == "AUTHORIZED"
    return state["operation"]["operationId"]


def captured(payframe: Payframe, order_id: str) -> str:
    """Takes the money of an order, and answers the operation."""
    session = payframe.sessions.create(session_request(order_id))
    enter_card(GATEWAY, session["sessionId"], APPROVED)
    state = payframe.sessions.finalize(session["sessionId"])
    assert "operation" in state
    assert state["operation"]["operationResult"] == "EXECUTED"
    return state["operation"]["operationId"]


def types_and_amounts(payframe: Payframe, order_id: str) -> list[str]:
    operations = payframe.orders.read(order_id)["operations"]
    return [f"{operation['operationType']} {operation['operationAmount']}" for operation in operations]


class Faulty(httpx.HTTPTransport):
    """The first attempt of each write has a fault of the sandbox."""

    def __init__(self, fault: str) -> None:
        super().__init__()
        self._fault = fault
        self._keys: set[str] = set()
        self.replayed: list[str | None] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        key = request.headers.get("idempotency-key")
        if key and key not in self._keys:
            self._keys.add(key)
            request.headers["x-sandbox-fault"] = self._fault
        response = super().handle_request(request)
        self.replayed.append(response.headers.get("idempotency-replayed"))
        return response


def faulty(transport: Faulty, **options: Any) -> Payframe:
    """Only the time limit of an attempt is real."""
    return Payframe(gateway=GATEWAY, api_key=API_KEY, transport=transport, sleep=lambda _: None, **options)


class Receiver(BaseHTTPRequestHandler):
    """Keeps what it receives."""

    received: queue.Queue[tuple[dict[str, str], bytes]]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.send_response(204)
        self.end_headers()
        self.received.put((dict(self.headers.items()), body))

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Nothing."""


@contextmanager
def served(server: HTTPServer) -> Generator[str, None, None]:
    """A server while it serves, by its address."""
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://localhost:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
