"""Notifications, against those that the reference library signs."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import traceback
from datetime import datetime, timezone
from email.message import Message
from typing import Any

import httpx
import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from payframe import PayframeError, verify_notification

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
OTHER_SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
SENT = datetime(2030, 1, 31, 10, tzinfo=timezone.utc)
ID = "554ccc00-28fb-4344-a3fa-4bb8d1999bd5"
EVENT: dict[str, Any] = {
    "eventId": ID,
    "eventTime": "2030-01-31T09:59:59.000Z",
    "eventType": "PAYMENT",
    "securityToken": "2f0e",
    "operation": {"operationId": "347074400000000001", "orderId": "Fünf"},
}
BODY = json.dumps(EVENT, ensure_ascii=False)


def _signed(*secrets: str, body: str = BODY) -> dict[str, str]:
    """The headers of the reference library."""
    signature = " ".join(Webhook(secret).sign(ID, SENT, body) for secret in secrets or [SECRET])
    timestamp = str(int(SENT.timestamp()))
    return {"webhook-id": ID, "webhook-timestamp": timestamp, "webhook-signature": signature}


def _verify(**change: Any) -> Any:
    given: dict[str, Any] = {"headers": _signed(), "body": BODY, "secrets": SECRET, "now": SENT.timestamp, **change}
    return verify_notification(given.pop("headers"), given.pop("body"), given.pop("secrets"), **given)


def _refuses(code: str, kind: str = "notification", **change: Any) -> PayframeError:
    with pytest.raises(PayframeError) as caught:
        _verify(**change)
    error = caught.value
    assert (error.kind, error.code) == (kind, code)
    assert (error.__cause__, error.__context__) == (None, None)
    shown = repr(error) + repr(vars(error)) + "".join(traceback.format_exception_only(error))
    for hidden in (SECRET[6:], _signed()["webhook-signature"][3:], BODY):
        assert hidden not in shown
    return error


@pytest.mark.parametrize("body", [BODY, BODY.encode(), bytearray(BODY.encode()), memoryview(BODY.encode())], ids=type)
def test_what_the_reference_library_signs_is_verified_as_text_and_as_bytes(body: object) -> None:
    assert _verify(body=body) == EVENT


def _message() -> Message:
    """Headers as ``http.server`` has them."""
    message = Message()
    for name, value in _signed().items():
        message[name.title()] = value
    return message


@pytest.mark.parametrize(
    "headers",
    [
        {name.upper(): value for name, value in _signed().items()},
        {name: [value, "another"] for name, value in _signed().items()},
        {**_signed(), "webhook": None, "count": 7},
        list(_signed().items()),
        iter(_signed().items()),
        [(name.encode(), value.encode()) for name, value in _signed().items()],
        httpx.Headers(_signed()),
        _message(),
    ],
    ids=["capitals", "lists", "others", "pairs", "iterator", "bytes", "httpx", "http.server"],
)
def test_headers_are_accepted_as_web_frameworks_have_them(headers: object) -> None:
    assert _verify(headers=headers) == EVENT


def test_during_a_rotation_either_secret_is_enough_on_both_sides() -> None:
    assert _verify(secrets=[OTHER_SECRET, SECRET]) == EVENT
    assert _verify(secrets=(SECRET, OTHER_SECRET)) == EVENT
    assert _verify(headers=_signed(OTHER_SECRET, SECRET)) == EVENT
    assert _verify(secrets=SECRET[6:]) == EVENT
    _refuses("signature_mismatch", secrets=OTHER_SECRET)
    _refuses("signature_mismatch", headers=_signed(OTHER_SECRET))


@pytest.mark.parametrize(
    "change",
    [
        {"body": BODY.replace("347", "348")},
        {"body": f" {BODY}"},
        {"body": ""},
        {"headers": {**_signed(), "webhook-id": "another"}},
        {"headers": {**_signed(), "webhook-timestamp": str(int(SENT.timestamp()) + 1)}},
    ],
)
def test_whatever_the_gateway_did_not_sign_is_refused_as_by_the_reference_library(change: dict[str, Any]) -> None:
    _refuses("signature_mismatch", **change)
    given: dict[str, Any] = {"headers": _signed(), "body": BODY, **change}
    with pytest.raises(WebhookVerificationError):
        Webhook(SECRET).verify(given["body"], given["headers"])


GOOD = _signed()["webhook-signature"]
FLIPPED = f"v1,{'B' if GOOD[3] == 'A' else 'A'}{GOOD[4:]}"


@pytest.mark.parametrize(
    "signature",
    [GOOD.replace("v1,", "v1a,"), GOOD.replace("v1,", "v2,"), GOOD[:-1], GOOD[3:], f"{GOOD}\n", "v1,", "v1", ",", " "],
)
def test_signatures_of_other_versions_and_malformed_ones_do_not_count(signature: str) -> None:
    _refuses("signature_malformed", headers={**_signed(), "webhook-signature": signature})


def test_a_wrong_signature_beside_a_right_one_does_no_harm() -> None:
    _refuses("signature_mismatch", headers={**_signed(), "webhook-signature": FLIPPED})
    assert _verify(headers={**_signed(), "webhook-signature": f"v2,x {FLIPPED} {GOOD}"}) == EVENT
    # No more than eight are compared.
    _refuses("signature_mismatch", headers={**_signed(), "webhook-signature": f"{f'{FLIPPED} ' * 8}{GOOD}"})


def _at(seconds: float) -> dict[str, Any]:
    return {"now": lambda: SENT.timestamp() + seconds}


def test_a_notification_from_another_time_is_refused_on_either_side() -> None:
    for seconds in (-300, 0, 300):
        assert _verify(**_at(seconds)) == EVENT
    _refuses("timestamp_too_old", **_at(301))
    _refuses("timestamp_too_new", **_at(-301))
    assert _verify(**_at(3600), tolerance_seconds=3600) == EVENT
    _refuses("timestamp_too_old", **_at(1), tolerance_seconds=0)


@pytest.mark.parametrize("timestamp", ["-1", "1.5", "2030-01-31", "1e9", "0x10", " 1", "1\n", "٣", "1" * 13])
def test_a_time_is_seconds(timestamp: str) -> None:
    _refuses("timestamp_malformed", headers={**_signed(), "webhook-timestamp": timestamp})


@pytest.mark.parametrize("name", ["webhook-id", "webhook-timestamp", "webhook-signature"])
@pytest.mark.parametrize("value", [None, "", [], 7])
def test_a_missing_header_is_named(name: str, value: object) -> None:
    error = _refuses("header_missing", headers={**_signed(), name: value})
    assert f"The header {name} is missing" in error.message


@pytest.mark.parametrize(
    "body",
    [
        "",
        "[]",
        "null",
        "{",
        '{"eventId":"x"}',
        json.dumps({**EVENT, "eventId": "another"}),
        json.dumps({**EVENT, "operation": None}),
        json.dumps({**EVENT, "operation": {}}),
        json.dumps({**EVENT, "eventType": 1}),
        "[" * 100_000,
    ],
    ids=lambda body: body[:20],
)
def test_a_body_that_is_signed_but_is_no_notification_is_refused(body: str) -> None:
    _refuses("body_malformed", body=body, headers=_signed(body=body))


@pytest.mark.parametrize(
    "more",
    [{"eventType": "TERMINAL_ATTACK", "attack": {"terminalId": "91000001", "state": "BEGUN"}}, {"eventType": "NEW"}],
)
def test_what_is_not_about_money_has_no_operation_and_unknown_kinds_are_verified_too(more: dict[str, object]) -> None:
    event = {"eventId": EVENT["eventId"], "eventTime": EVENT["eventTime"], **more}
    body = json.dumps(event)
    assert _verify(body=body, headers=_signed(body=body)) == event


def test_a_body_that_is_no_utf_8_is_refused() -> None:
    body = BODY.encode("latin-1")
    headers = _signed()
    signed = f"{ID}.{headers['webhook-timestamp']}.".encode() + body
    signature = hmac.new(base64.b64decode(SECRET[6:]), signed, hashlib.sha256).digest()
    headers["webhook-signature"] = f"v1,{base64.b64encode(signature).decode()}"
    _refuses("body_malformed", body=body, headers=headers)


WRONG: list[dict[str, Any]] = [
    *({"secrets": secrets} for secrets in ([], "", "whsec_", "whsec_%", ["short"], [SECRET, ""], None, 7, "A" * 25)),
    *({"body": body} for body in (EVENT, None, 7)),
    *({"tolerance_seconds": seconds} for seconds in (-1, float("nan"), float("inf"), "300", True)),
    *({"headers": headers} for headers in (None, 7, "webhook-id: 1")),
]


@pytest.mark.parametrize("change", WRONG, ids=repr)
def test_wrong_arguments_are_the_fault_of_the_caller(change: dict[str, Any]) -> None:
    assert _refuses("bad_value", "caller", **change).member == next(iter(change))
