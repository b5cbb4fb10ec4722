"""The gateway's side of the protocol, for tests: signs requests, and believes only signed answers."""

import base64
import hashlib
import hmac
import json
import secrets
import time
from collections.abc import Mapping
from typing import Any

import httpx

SECRET = "whsec_" + base64.b64encode(b"a secret of thirty-two bytes, no").decode()
APPROVED, DECLINED, PENDING = "4761730000000003", "4761730000001167", "4761730000009111"


def new_reference() -> str:
    """A reference as the gateway makes them."""
    return str(10**17 + secrets.randbelow(9 * 10**17))


def authorize(reference: str, **changes: Any) -> dict[str, Any]:
    """A request to `/authorize`. Changes of the card are given as `card`."""
    card = {
        "number": APPROVED,
        "expiryMonth": 12,
        "expiryYear": 2040,
        "network": "VISA",
        "securityCodeStatus": "GIVEN",
        "securityCode": "123",
        "holderName": "Anna Rossi",
        "origin": "ENTERED",
        "initiator": "CARDHOLDER",
        "exemption": "NONE",
    } | changes.pop("card", {})
    request = {
        "reference": reference,
        "terminalId": "55000001",
        "action": "PAY",
        "capture": "EXPLICIT",
        "amountMinor": 1000,
        "currency": "EUR",
        "minorDigits": 2,
        "card": card,
    }
    return request | changes


def follow_up(reference: str, authorization: str, operation: str, amount_minor: int, **changes: Any) -> dict[str, Any]:
    """A request to `/follow-up`."""
    request = {
        "reference": reference,
        "authorization": authorization,
        "target": authorization,
        "terminalId": "55000001",
        "operation": operation,
        "amountMinor": amount_minor,
        "currency": "EUR",
        "minorDigits": 2,
    }
    return request | changes


class Gateway:
    """Calls an adapter."""

    def __init__(self, url: str, secret: str = SECRET, seconds: float = 20) -> None:
        self.url = httpx.URL(url)
        self._key = base64.b64decode(secret.removeprefix("whsec_"))
        self._client = httpx.Client(trust_env=False, timeout=seconds)

    def close(self) -> None:
        self._client.close()

    def sign(self, message: str, body: bytes) -> str:
        mac = hmac.new(self._key, message.encode() + body, hashlib.sha256).digest()
        return "v1," + base64.b64encode(mac).decode()

    def post(self, endpoint: str, body: bytes, **changes: str) -> httpx.Response:
        """Sends a request, with changed headers where they are given."""
        request_id, timestamp = secrets.token_hex(16), changes.get("timestamp", str(int(time.time())))
        path = f"{self.url.path}/{endpoint}"
        head = f"request\n{request_id}\n{timestamp}\nPOST\n{path}\n"
        headers = {
            "content-type": "application/json",
            "payframe-protocol": changes.get("protocol", "1"),
            "payframe-id": request_id,
            "payframe-timestamp": timestamp,
            "payframe-signature": changes.get("signature", self.sign(head, body)),
        }
        response = self._client.post(self.url.copy_with(path=path), content=body, headers=headers)
        if response.status_code == 200:
            head = f"answer\n{request_id}\n{response.headers['payframe-timestamp']}\n200\n"
            assert response.headers["payframe-signature"] == self.sign(head, response.content)
        return response

    def call(self, endpoint: str, message: Mapping[str, Any]) -> dict[str, Any]:
        """Sends a request that has to be answered."""
        response = self.post(endpoint, json.dumps(message).encode())
        assert response.status_code == 200, response.status_code
        answer: dict[str, Any] = response.json()
        return answer

    def pay(self, reference: str, **changes: Any) -> dict[str, Any]:
        return self.call("authorize", authorize(reference, **changes))

    def move(self, reference: str, authorization: str, operation: str, amount_minor: int) -> dict[str, Any]:
        return self.call("follow-up", follow_up(reference, authorization, operation, amount_minor))

    def inquire(self, reference: str) -> dict[str, Any]:
        return self.call("inquire", {"reference": reference, "terminalId": "55000001"})
