"""What schemathesis cannot know: calls of a frame need a session, which a merchant's call makes."""

import json
import os
import urllib.request
import uuid

import schemathesis
from schemathesis.generation.meta import CoverageScenario

API = os.environ["PAYFRAME_API"]
KEY = os.environ["PAYFRAME_API_KEY"]

# What schemathesis.toml gives as the credential of frames. It stands for a session of the call's own, because
# many calls end the session that they are made for.
STAND_IN = "a-session-of-its-own"

# The example of the document. With one key for all, every call but the first would be refused.
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
    """Puts a fresh session where the stand-in is, and a fresh key where that of the document is."""
    headers = kwargs.get("headers") or {}
    for name in list(headers):
        if name.lower() == "session" and headers[name] == STAND_IN:
            headers[name] = open_session()
    if case.headers and case.headers.get("session") == STAND_IN:
        case.headers["session"] = open_session()
    if case.headers and case.headers.get("Idempotency-Key") == EXAMPLE_KEY:
        case.headers["Idempotency-Key"] = str(uuid.uuid4())


@schemathesis.hook
def filter_case(context, case):
    """Leaves out calls that only write a number where a text is: the document says in words that it is taken."""
    data = case.meta.phase.data if case.meta else None
    if getattr(data, "scenario", None) != CoverageScenario.INCORRECT_TYPE or case.media_type != "application/json":
        return True
    # `/properties/order/properties/orderId/type` is where the schema's rule is that the body breaks.
    value = case.body
    for name in (data.location or "").strip("/").removesuffix("type").split("/"):
        if name == "items" and isinstance(value, list) and value:
            value = value[0]
        elif isinstance(value, dict):
            value = value.get(name, value)
    return isinstance(value, bool) or not isinstance(value, (int, float))
