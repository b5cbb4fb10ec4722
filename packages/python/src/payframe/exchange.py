"""One call from its first attempt to its answer or error, without I/O.

The clients send the request, and hand over what came of it; this says whether to wait and send it again, what the
answer is, or which error the call ends with.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, cast
from urllib.parse import urlencode

from payframe.bodies import json_of, members_of, parsed
from payframe.calls import Call, Verb
from payframe.errors import ErrorKind, PayframeError, kind_of, refused_value
from payframe.options import Settings
from payframe.retry import Attempt, can_be_repeated, delay, is_outcome_unknown

T = TypeVar("T")

# The version of the API that this package is written for.
_API_VERSION = "2026-11-27"


@dataclass(frozen=True)
class Request:
    """What is sent. All attempts of a call send the same. The API key is added by who sends it."""

    verb: Verb
    url: str = field(repr=False)
    headers: Mapping[str, str]
    body: bytes | None = field(repr=False)


@dataclass(frozen=True)
class Pause:
    """The request is sent again, after so many seconds."""

    seconds: float


@dataclass(frozen=True)
class Answered(Generic[T]):
    """The call is over, with this answer."""

    answer: T = field(repr=False)


class Exchange(Generic[T]):
    """A call under way."""

    def __init__(self, settings: Settings, call: Call[T], idempotency_key: str | None) -> None:
        self._settings = settings
        self._member = call.member
        self._retries = 0
        self._is_unknown = False
        self.request = _request(settings, call, idempotency_key)

    def judge(self, attempt: Attempt) -> Pause | Answered[T]:
        """What follows from an attempt. Raises the error of a call that has failed."""
        if attempt.is_readable:
            answer = cast("dict[str, Any]", attempt.answer)
            return Answered(cast(T, answer if self._member is None else answer.get(self._member)))
        if self.request.verb != "GET":
            self._is_unknown = is_outcome_unknown(attempt, self._is_unknown)
        is_retryable = can_be_repeated(attempt)
        if is_retryable and self._retries < self._settings.max_retries:
            seconds = delay(attempt, self._retries, self._settings.runtime)
            if seconds is not None:
                self._retries += 1
                return Pause(seconds)
        raise self._error(attempt, is_retryable)

    def read(self, status: int, headers: Mapping[str, str], body: bytes) -> Attempt:
        """An answer. ``headers`` finds names in small letters."""
        request_id = headers.get("cid")
        retry_after = headers.get("retry-after")
        answer = members_of(parsed(body))
        if status == 200:
            is_readable = answer is not None and (self._member is None or self._member in answer)
            return Attempt(status=status, request_id=request_id, answer=answer, is_readable=is_readable)
        code, description = _problem(answer)
        if code is None and request_id and status == 404:
            code, description = "not_found", "The gateway has no such object of this merchant, or no such call."
        if description is not None:
            # To look for the key is no way out for it.
            description = description.replace(self._settings.api_key.expose(), "…")
        return Attempt(
            status=status, request_id=request_id, retry_after=retry_after, code=code, description=description
        )

    def _error(self, attempt: Attempt, is_retryable: bool) -> PayframeError:
        kind, code, message = self._fault(attempt)
        if self._is_unknown:
            message += (
                f" Whether the {self.request.verb} was carried out is not known:"
                " repeat it with the same idempotency key, or read the order."
            )
        return PayframeError(
            message,
            kind=kind,
            code=code,
            status=attempt.status,
            member=_member_in(attempt),
            request_id=attempt.request_id,
            correlation_id=self.request.headers["correlation-id"],
            idempotency_key=self.request.headers.get("idempotency-key"),
            is_retryable=is_retryable,
            outcome_unknown=self._is_unknown,
        )

    def _fault(self, attempt: Attempt) -> tuple[ErrorKind, str, str]:
        if attempt.status is None:
            if attempt.failure == "timeout":
                return "network", "timeout", "The gateway did not answer in time."
            return "network", "unreachable", "The gateway can not be reached, or the connection was lost."
        status = attempt.status
        if status < 400:
            message = f"The answer, with status {status}, is not the gateway's. Check the option gateway."
            return "gateway", "unreadable_answer", message
        code = attempt.code or f"http_{status}"
        description = attempt.description or f"The gateway answered {status}."
        return kind_of(code, status), code, f"{code}: {description}"


def _request(settings: Settings, call: Call[Any], idempotency_key: str | None) -> Request:
    headers = {
        "accept": "application/json",
        "correlation-id": settings.runtime.uuid(),
        "payframe-version": _API_VERSION,
    }
    if call.verb != "GET":
        headers["idempotency-key"] = _key(settings.runtime.uuid() if idempotency_key is None else idempotency_key)
    if call.order_version is not None:
        headers["if-match"] = f'"{_version(call.order_version)}"'
    body = None if call.body is None else json_of(call.body)
    if body is not None:
        headers["content-type"] = "application/json"
    given = [(name, _text(name, value)) for name, value in (call.query or {}).items() if value is not None]
    url = f"{settings.base}{call.path}{'?' if given else ''}{urlencode(given)}"
    if len(url) > _LONGEST_URL:
        raise refused_value("path", f"must not be longer than {_LONGEST_URL} characters, with its query")
    return Request(call.verb, url, headers, body)


def _key(key: object) -> str:
    if isinstance(key, str) and re.fullmatch("[ -~]{1,63}", key):
        return key
    raise refused_value("idempotency_key", "must be 1 to 63 printable ASCII characters")


def _version(version: object) -> str:
    if isinstance(version, str) and re.fullmatch("[!#-~]{1,63}", version):
        return version
    raise refused_value("order_version", "must be the orderVersion of an order that was read")


def _text(name: str, value: object) -> str:
    """A value of a query."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, str) and not re.search("[\ud800-\udfff]", value):
        return str(value)
    raise refused_value(name, "must be text, a whole number, True or False")


def _problem(answer: dict[str, Any] | None) -> tuple[str | None, str | None]:
    """Code and sentence of a refusal of the gateway."""
    errors: object = (answer or {}).get("errors")
    problem = members_of(cast("list[object]", errors)[0]) if isinstance(errors, list) and errors else None
    code, text = (problem or {}).get("code"), (problem or {}).get("description")
    if not isinstance(code, str) or not isinstance(text, str) or not re.fullmatch("[A-Z]{2,3}[0-9]{3,4}", code):
        return None, None
    return code, text[:500]


def _member_in(attempt: Attempt) -> str | None:
    """The member that a refusal names. The gateway puts it into its sentence: in front, or behind "script in"."""
    found = _NAMED.match(attempt.description or "")
    is_about_member = found and _MEMBER_CODES.fullmatch(attempt.code or "")
    return next(filter(None, found.groups()), None) if found and is_about_member else None


_NAMED = re.compile(
    r"script in ([A-Za-z0-9_.\[\]]+)\Z|header ([A-Za-z0-9_-]+)"
    r"|([a-z][a-zA-Z]*(?:\.[A-Za-z0-9_]+|\[[0-9]*\])*) (?:is|must|exceed|holds)\b"
)
_MEMBER_CODES = re.compile("PS00(0[5-9]|1[0-37]|25|26|29|36|41|42)|GW(0001|9020|9106|9107)")
"""Refusals that are about a member."""
_LONGEST_URL = 16_000
