"""Which failed attempts are repeated, and how long to wait before.

Only calls that the gateway carries out once come here: reads, and writes with an idempotency key, which is the same in
every attempt. Nothing here waits or sends.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Literal

from payframe.options import Runtime

Failure = Literal["timeout", "unreachable"]


@dataclass(frozen=True)
class Attempt:
    """What an attempt came to: an answer, or why there is none."""

    failure: Failure | None = None
    is_unsent: bool = False
    """Whether the gateway can not have seen the call, because there was no connection."""
    status: int | None = None
    """``None`` without an answer."""
    code: str | None = None
    """Of the gateway."""
    description: str | None = None
    request_id: str | None = None
    """``None`` if something else than the gateway answered."""
    retry_after: str | None = None
    """The header."""
    answer: object = field(default=None, repr=False)
    is_readable: bool = False


def can_be_repeated(attempt: Attempt) -> bool:
    """Whether the same call may succeed later.

    So it is without an answer, after a failure of the gateway or of something before it, after too many calls, and
    while a call with the same key is still running.
    """
    if attempt.status is None or attempt.status in (429, 500, 502, 503, 504):
        return True
    return attempt.status == 409 and attempt.code == "GW9001"


def is_outcome_unknown(attempt: Attempt, was_unknown: bool) -> bool:
    """Whether a write may have been carried out, after this attempt and those before it."""
    if attempt.is_unsent:
        return was_unknown
    # A redirect or a success that is not the gateway's answer tells nothing.
    if attempt.status is None or attempt.status == 409 or attempt.status < 400:
        return True
    if attempt.status >= 500:
        return attempt.code != "GW9005" or was_unknown
    # The gateway looks for the answer to the key before it reads the object: such a refusal answers all attempts.
    if attempt.request_id and (attempt.status in (400, 404) or attempt.code == "GW9012"):
        return False
    return was_unknown


def delay(attempt: Attempt, retries: int, runtime: Runtime) -> float | None:
    """How many seconds to wait before the next attempt, after so many retries.

    ``None`` if the gateway asks for more than a call should wait.
    """
    asked = _asked(attempt.retry_after, runtime.now()) if attempt.retry_after else 0.0
    if asked > _LONGEST_WAIT:
        return None
    ceiling = min(_LONGEST_BACKOFF, _FIRST_BACKOFF * 2.0**retries)
    # Half of it is fixed, so that there always is a pause; half is random, so that clients do not come back together.
    return asked + ceiling / 2 + runtime.random() * ceiling / 2


def _asked(retry_after: str, now: float) -> float:
    """Seconds, from seconds or a date."""
    text = retry_after.strip()
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        until: datetime = parsedate_to_datetime(text)
        # A date without a zone is in UTC, as all dates of HTTP.
        aware = until if until.tzinfo else until.replace(tzinfo=timezone.utc)
        return max(0.0, aware.timestamp() - now)
    except (ValueError, TypeError, OverflowError, IndexError):
        return 0.0


_FIRST_BACKOFF = 0.5
_LONGEST_BACKOFF = 8.0
_LONGEST_WAIT = 60.0
