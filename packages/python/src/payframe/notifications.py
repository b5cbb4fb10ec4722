"""Notifications of the gateway, verified by the headers of Standard Webhooks 1.0.0.

A notification that is verified comes from the gateway, and is not older than the tolerance. It may come more than once:
heed each ``eventId`` once. It does not replace ``orders.read()``.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, Protocol, cast

from payframe.bodies import members_of, parsed
from payframe.errors import PayframeError, refused_value
from payframe.types import Notice, Notification

NotificationFault = Literal[
    "header_missing",
    "timestamp_malformed",
    "timestamp_too_old",
    "timestamp_too_new",
    "signature_malformed",
    "signature_mismatch",
    "body_malformed",
]


class HasItems(Protocol):
    """Headers as a mapping, or as the objects of web frameworks and of ``http.server`` have them."""

    def items(self) -> Iterable[tuple[str, object]]: ...


Headers = HasItems | Iterable[tuple[str, str]] | Iterable[tuple[bytes, bytes]]
"""In any letter case. ASGI has pairs of bytes."""


def verify_notification(
    headers: Headers,
    body: str | bytes | bytearray | memoryview,
    secrets: str | Sequence[str],
    *,
    tolerance_seconds: float = 300,
    now: Callable[[], float] = time.time,
) -> Notification | Notice:
    """The event of a notification. What is not about money has no ``operation``.

    Ignore an ``eventType`` that you do not know.

    - ``body``: as it arrived, before any JSON parser.
    - ``secrets``: as the gateway printed them, ``whsec_…``: the present one, and while it changes also the next.
    - ``tolerance_seconds``: how far the time of sending may be from now.
    - ``now``: seconds since 1970, for tests.

    Raises ``PayframeError`` of kind ``notification``, with a ``NotificationFault`` as code. Answer 400 then.
    """
    keys = _keys(secrets)
    if not _is_tolerance(tolerance_seconds):
        raise refused_value("tolerance_seconds", "must be a number from 0 to 86400")
    content = _content(body)
    named = _named(headers)
    event_id, timestamp = _header(named, "webhook-id"), _header(named, "webhook-timestamp")
    given = _signatures(_header(named, "webhook-signature"))
    _check_time(timestamp, now(), tolerance_seconds)
    signed = f"{event_id}.{timestamp}.".encode() + content
    # All are compared, each in constant time: how long it takes tells nothing of the secrets.
    fits = [hmac.compare_digest(_signature(key, signed), signature) for key in keys for signature in given]
    if not any(fits):
        raise _refused("signature_mismatch", "No signature fits. Check the secret, and that the body is as it arrived.")
    return _event(content, event_id)


def _keys(secrets: object) -> list[bytes]:
    given: object = [secrets] if isinstance(secrets, str) else secrets
    texts = list(cast("Iterable[object]", given)) if isinstance(given, (list, tuple, set, frozenset)) else []
    keys = [_key(text) for text in texts]
    if not keys or any(len(key) < 16 for key in keys):
        raise refused_value("secrets", "must be secrets as the gateway printed them: whsec_ and base64")
    return keys


def _key(secret: object) -> bytes:
    """Empty if it is no secret."""
    encoded = secret.removeprefix("whsec_") if isinstance(secret, str) else ""
    return _decoded(encoded.rstrip("=")) if re.fullmatch("[A-Za-z0-9+/]+={0,2}", encoded) else b""


def _decoded(digits: str) -> bytes:
    """Base64 without padding. Empty if no bytes have that many digits."""
    return b"" if len(digits) % 4 == 1 else base64.b64decode(digits + "=" * (-len(digits) % 4))


def _is_tolerance(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 86_400


def _content(body: object) -> bytes:
    if isinstance(body, str):
        return body.encode("utf-8", "surrogatepass")
    if isinstance(body, (bytes, bytearray, memoryview)):
        return bytes(cast("bytes | bytearray | memoryview[int]", body))
    raise refused_value("body", "must be the raw body: text or bytes, not what a JSON parser made of it")


def _named(headers: object) -> dict[str, str]:
    """The first header of each name, in small letters."""
    items = getattr(headers, "items", None)
    pairs = items() if callable(items) else headers
    if isinstance(pairs, (str, bytes)) or not isinstance(pairs, Iterable):
        raise refused_value("headers", "must be a mapping, an object with items(), or pairs of name and value")
    named: dict[str, str] = {}
    for name, value in cast("Iterable[tuple[object, object]]", pairs):
        first = next(iter(cast("Sequence[object]", value)), "") if isinstance(value, (list, tuple)) else value
        named.setdefault(_text(name).lower(), _text(first))
    return named


def _text(value: object) -> str:
    """Empty for what is no text."""
    if isinstance(value, bytes):
        return value.decode("latin-1")
    return value if isinstance(value, str) else ""


def _header(named: dict[str, str], name: str) -> str:
    text = named.get(name, "")
    if not text:
        raise _refused("header_missing", f"The header {name} is missing. The terminal may have no notification secret.")
    return text


def _check_time(text: str, now: float, tolerance: float) -> None:
    if not re.fullmatch("[0-9]{1,12}", text):
        raise _refused("timestamp_malformed", "The header webhook-timestamp is not a time in seconds.")
    age = now - int(text)
    if age > tolerance:
        raise _refused("timestamp_too_old", f"The notification was sent more than {tolerance} seconds ago.")
    if age < -tolerance:
        ahead = f"The notification is dated more than {tolerance} seconds ahead. Check the clock."
        raise _refused("timestamp_too_new", ahead)


def _signatures(text: str) -> list[bytes]:
    """The signatures of version 1. Others are left out."""
    parts = [part for part in text.split(" ") if re.fullmatch("v1,[A-Za-z0-9+/]{43}=", part)]
    if not parts:
        raise _refused("signature_malformed", "The header webhook-signature has no signature of version 1.")
    return [_decoded(part[3:-1]) for part in parts[:_MOST_SIGNATURES]]


def _signature(key: bytes, signed: bytes) -> bytes:
    return hmac.new(key, signed, hashlib.sha256).digest()


def _event(content: bytes, event_id: str) -> Notification | Notice:
    event = members_of(parsed(content)) or {}
    operation = members_of(event.get("operation")) or {}
    is_named = event.get("eventId") == event_id and isinstance(event.get("eventType"), str)
    is_whole = "operation" not in event or isinstance(operation.get("operationId"), str)
    if not is_named or not is_whole:
        raise _refused("body_malformed", "The body is no notification of the gateway.")
    return cast("Notification | Notice", event)


def _refused(code: NotificationFault, message: str) -> PayframeError:
    return PayframeError(message, kind="notification", code=code)


_MOST_SIGNATURES = 8
"""The gateway sends one for each valid secret."""
