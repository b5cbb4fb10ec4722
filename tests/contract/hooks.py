"""Hooks of schemathesis: calls of a frame need a session, which a merchant's call creates."""

import json
import os
import urllib.request
import uuid

import schemathesis
from schemathesis.generation.meta import CoverageScenario

API = os.environ["PAYFRAME_API"]
KEY = os.environ["PAYFRAME_API_KEY"]

# The credential of frames in schemathesis.toml. Each call gets a session of its own in its place, because many calls end
# their session.
PLACEHOLDER_SESSION = "a-session-of-its-own"

# The example in the OpenAPI document. With the same key, every call but the first would be refused.
EXAMPLE_KEY = "6f1d3a9e-0c52-4b7e-8a14-2e9b5c7d8f30"


def open_session() -> str:
    """A new build session whose card inputs are open."""
    body = {
        "merchantUrl": "https://shop.example",
        "order": {"orderId": uuid.uuid4().hex[:20], "amount": "3545", "currency": "EUR"},
        "paymentSession": {
            "actionType": "PAY",
            "amount": "3545",
            "paymentService": "CARDS",
            "resultUrl": "https://shop.example/ok",
            "cancelUrl": "https://shop.example/ko",
        },
    }
    headers = {
        "Content-Type": "application/json",
        "X-API-KEY": KEY,
        "Correlation-Id": str(uuid.uuid4()),
    }
    request = urllib.request.Request(f"{API}/orders/build", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["sessionId"]


@schemathesis.hook
def before_call(context, case, kwargs):
    """Replaces the placeholder by a new session, and the example by a new idempotency key."""
    headers = kwargs.get("headers") or {}
    for name in list(headers):
        if name.lower() == "session" and headers[name] == PLACEHOLDER_SESSION:
            headers[name] = open_session()
    if case.headers and case.headers.get("session") == PLACEHOLDER_SESSION:
        case.headers["session"] = open_session()
    if case.headers and case.headers.get("Idempotency-Key") == EXAMPLE_KEY:
        case.headers["Idempotency-Key"] = str(uuid.uuid4())


@schemathesis.hook
def filter_case(context, case):
    """Skips calls whose only fault is a number in place of a string: the API accepts it, as the document's text says."""
    data = case.meta.phase.data if case.meta else None
    if getattr(data, "scenario", None) != CoverageScenario.INCORRECT_TYPE or case.media_type != "application/json":
        return True
    # The location of the broken rule in the schema, for example `/properties/order/properties/orderId/type`.
    value = case.body
    for name in (data.location or "").strip("/").removesuffix("type").split("/"):
        if name == "items" and isinstance(value, list) and value:
            value = value[0]
        elif isinstance(value, dict):
            value = value.get(name, value)
    return isinstance(value, bool) or not isinstance(value, (int, float))
