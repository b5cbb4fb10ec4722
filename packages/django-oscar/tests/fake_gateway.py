"""A gateway in memory, as far as the app uses it: sessions, orders, follow-ups, events. A test plays the buyer."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import httpx
from payframe import Payframe

API_KEY = "key-of-the-shop_1"


@dataclass
class FakeOrder:
    """An order with its operations, oldest first."""

    id: str
    currency: str
    operations: list[dict[str, Any]] = field(default_factory=list)
    fulfilment: list[str] = field(default_factory=list)
    version: int = 1

    def sum(self, kind: str) -> int:
        done = (one for one in self.operations if one["operationType"] == kind and one["operationResult"] in _DONE)
        return sum(int(one["operationAmount"]) for one in done)

    @property
    def authorized(self) -> int:
        return self.sum("AUTHORIZATION") - self.sum("VOID")

    @property
    def captured(self) -> int:
        return self.sum("CAPTURE")

    @property
    def refunded(self) -> int:
        return self.sum("REFUND")


class FakeGateway:
    """What it was asked is in ``calls``: verb and path."""

    def __init__(self) -> None:
        self.orders: dict[str, FakeOrder] = {}
        self.sessions: dict[str, dict[str, Any]] = {}
        self.requests: list[dict[str, Any]] = []
        self.calls: list[str] = []
        self.events: list[dict[str, Any]] = []
        self.lost: set[str] = set()
        """Calls that get no answer: verb and the beginning of the path."""
        self._answers: dict[str, httpx.Response] = {}
        self._number = 0

    def client(self) -> Payframe:
        transport = httpx.MockTransport(self._handle)
        return Payframe(
            gateway="https://gateway.example", api_key=API_KEY, transport=transport, sleep=lambda _: None, max_retries=0
        )

    def pay(self, session_id: str, result: str = "AUTHORIZED", amount: int | None = None) -> dict[str, Any]:
        """The buyer pays in the form of a session."""
        session = self.sessions[session_id]
        order = self.orders[session["orderId"]]
        operation = self.operate(order, "AUTHORIZATION", result, amount or int(session["amount"]))
        if result in ("AUTHORIZED", "PENDING"):
            session["state"] = "PAYMENT_COMPLETE"
        return operation

    def newest_session(self) -> str:
        return list(self.sessions)[-1]

    def writes(self) -> list[str]:
        return [call for call in self.calls if not call.startswith("GET ")]

    def operate(self, order: FakeOrder, kind: str, result: str, amount: int) -> dict[str, Any]:
        self._number += 1
        operation = {
            "operationId": f"{self._number:018}",
            "operationType": kind,
            "operationResult": result,
            "operationAmount": str(amount),
            "operationCurrency": order.currency,
            "orderId": order.id,
        }
        order.operations.append(operation)
        order.version += 1
        event_id = f"event-{len(self.events) + 1}"
        notification = {"eventId": event_id, "eventType": "OPERATION", "operation": operation}
        self.events.append({"cursor": str(len(self.events) + 1), "eventId": event_id, "notification": notification})
        return operation

    def _handle(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path.removeprefix("/api")
        call = f"{request.method} {path}"
        self.calls.append(call)
        key = request.headers.get("idempotency-key", "")
        if any(call.startswith(lost) for lost in self.lost):
            raise httpx.ReadTimeout("no answer")
        if key and key in self._answers:
            return self._answers[key]
        body = json.loads(request.content) if request.content else {}
        answer = self._answer(request, path.strip("/").split("/"), body)
        if key and answer.status_code < 400:
            self._answers[key] = answer
        return answer

    def _answer(self, request: httpx.Request, path: list[str], body: dict[str, Any]) -> httpx.Response:
        match [request.method, *path]:
            case ["POST", "orders", "build"]:
                return self._build(body)
            case ["GET", "build", "state"]:
                session = self.sessions[request.url.params["sessionId"]]
                return _refused("PS0061") if session["state"] == "OVER" else httpx.Response(200, json=session)
            case ["PATCH", "build", "session"]:
                session = self.sessions[body["sessionId"]]
                if session["state"] != "PAYMENT_METHOD_SELECTION":
                    return _refused("GW9006")
                session["amount"] = body["amount"]
                return httpx.Response(200, json=session)
            case ["POST", "build", "cancel"]:
                session = self.sessions[body["sessionId"]]
                if session["state"] == "OVER":
                    return _refused("PS0061")
                session["state"] = "OVER"
                return httpx.Response(200, json=session)
            case ["GET", "orders", order_id]:
                order = self.orders.get(order_id)
                return httpx.Response(200, json=_order(order)) if order else _unknown()
            case ["PUT", "orders", order_id, "fulfilment"]:
                self.orders[order_id].fulfilment.append(body["state"])
                return httpx.Response(200, json={"orderId": order_id, "state": body["state"]})
            case ["GET", "operations", operation_id, "actions"]:
                return httpx.Response(200, json={"actions": self._actions(self._order_with(operation_id))})
            case ["GET", "operations", operation_id]:
                found = [one for order in self.orders.values() for one in order.operations]
                return httpx.Response(200, json=next(one for one in found if one["operationId"] == operation_id))
            case ["POST", "operations", operation_id, kind]:
                return self._follow_up(request, self._order_with(operation_id), kind, int(body["amount"]))
            case ["GET", "events"]:
                after = int(request.url.params.get("after", "0"))
                events = self.events[after:]
                page = {"events": events, "nextCursor": str(after + len(events)), "hasMore": False}
                return httpx.Response(200, json=page)
        raise AssertionError(f"{request.method} {path}")

    def _build(self, body: dict[str, Any]) -> httpx.Response:
        self.requests.append(body)
        order_id, currency = body["order"]["orderId"], body["order"]["currency"]
        order = self.orders.setdefault(order_id, FakeOrder(order_id, currency))
        if order.authorized - order.refunded > 0:
            return _refused("GW9006")
        for session in self.sessions.values():
            if session["orderId"] == order_id:
                session["state"] = "OVER"
        session_id = f"session-{len(self.sessions) + 1}"
        amount = body["paymentSession"]["amount"]
        session = {"sessionId": session_id, "orderId": order_id, "amount": amount, "state": "PAYMENT_METHOD_SELECTION"}
        self.sessions[session_id] = session
        html = f'<payment-form session="{session_id}"></payment-form>'
        return httpx.Response(200, json={**session, "form": {"html": html}})

    def _order_with(self, operation_id: str) -> FakeOrder:
        orders = self.orders.values()
        return next(order for order in orders if any(one["operationId"] == operation_id for one in order.operations))

    def _actions(self, order: FakeOrder) -> list[dict[str, str]]:
        held, kept = order.authorized - order.captured, order.captured - order.refunded
        kinds = {"CAPTURE": held, "VOID": held, "REFUND": kept}
        return [{"actionType": kind, "maxAmount": str(most)} for kind, most in kinds.items() if most > 0]

    def _follow_up(self, request: httpx.Request, order: FakeOrder, kind: str, amount: int) -> httpx.Response:
        version = request.headers.get("if-match", "").strip('"')
        if version and version != str(order.version):
            return _refused("GW9012", 412)
        if kind == "captures":
            operation = self.operate(order, "CAPTURE", "EXECUTED", amount)
        else:
            is_release = amount == order.authorized - order.captured
            operation = self.operate(order, "VOID" if is_release else "REFUND", "EXECUTED", amount)
        # An authorization of which nothing is left is known by its result.
        if order.authorized - order.refunded == 0:
            order.operations[0]["operationResult"] = "REFUNDED" if order.captured else "VOIDED"
        return httpx.Response(200, json={"operationId": operation["operationId"]})


def _order(order: FakeOrder) -> dict[str, Any]:
    status = {
        "order": {"orderId": order.id, "currency": order.currency},
        "authorizedAmount": str(order.authorized),
        "capturedAmount": str(order.captured),
        "refundedAmount": str(order.refunded),
    }
    return {"orderVersion": str(order.version), "orderStatus": status, "operations": order.operations[::-1]}


def _refused(code: str, status: int = 400) -> httpx.Response:
    return httpx.Response(status, json={"errors": [{"code": code, "description": "It is refused."}]})


def _unknown() -> httpx.Response:
    return httpx.Response(404, headers={"cid": "1e4a678b-29b8-4826-b73b-987218a3b7b0"})


_DONE = ("AUTHORIZED", "EXECUTED", "VOIDED", "REFUNDED")
