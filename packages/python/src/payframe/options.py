"""The options of a client, checked.

Messages name the option and what it accepts, and never hold the API key. Nothing is read from the environment.
"""

from __future__ import annotations

import random
import re
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv4Address
from typing import NoReturn

from payframe.errors import refused_value


def _random_uuid() -> str:
    return str(uuid.uuid4())


@dataclass(frozen=True)
class Runtime:
    """Time and randomness, for tests."""

    now: Callable[[], float] = time.time
    """Seconds since 1970."""
    clock: Callable[[], float] = time.monotonic
    """Seconds of a clock that nobody sets."""
    random: Callable[[], float] = random.random
    """From 0 up to, but not including, 1."""
    uuid: Callable[[], str] = _random_uuid


class Secret:
    """A text that is not shown: not in logs, not by debuggers, and not pickled."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def expose(self) -> str:
        """The text. Each use says why."""
        return self._text

    def __repr__(self) -> str:
        return "Secret(…)"

    def __reduce__(self) -> NoReturn:
        raise TypeError("A secret is not pickled")


@dataclass(frozen=True)
class Settings:
    """The options of a client, after they were checked."""

    base: str
    """Where the API is, without a slash at the end."""
    api_key: Secret
    timeout: float
    max_retries: int
    runtime: Runtime


def settings_of(
    *, gateway: object, api_key: object, timeout: object, max_retries: object, runtime: Runtime
) -> Settings:
    """The options, or an error that names the first wrong one."""
    if not isinstance(api_key, str) or not re.fullmatch("[A-Za-z0-9_-]+", api_key):
        raise refused_value("api_key", "must be an API key as the gateway printed it: letters, digits, - and _")
    is_time = isinstance(timeout, (int, float)) and not isinstance(timeout, bool)
    if not isinstance(timeout, (int, float)) or not is_time or not 0 < timeout <= 600:
        raise refused_value("timeout", "must be a number of seconds above 0, up to 600")
    if not isinstance(max_retries, int) or isinstance(max_retries, bool) or not 0 <= max_retries <= 10:
        raise refused_value("max_retries", "must be a whole number from 0 to 10")
    return Settings(f"{origin_of(gateway)}/api", Secret(api_key), timeout, max_retries, runtime)


def origin_of(gateway: object) -> str:
    """The origin of a gateway, in small letters and without a slash at the end."""
    found = _ORIGIN.fullmatch(gateway.lower()) if isinstance(gateway, str) else None
    if not found or int(found["port"] or 0) > 65535:
        raise refused_value("gateway", "must be an origin without a path, such as https://gateway.example")
    if found["scheme"] == "http" and not _is_loopback(found["host"]):
        raise refused_value(
            "gateway",
            "must be https: over http the API key could be read on the way. Only loopback addresses may be http",
        )
    return found["origin"]


_ORIGIN = re.compile(
    r"(?P<origin>(?P<scheme>https?)://(?P<host>[a-z0-9]([a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\])(:(?P<port>[0-9]{1,5}))?)/?"
)


def _is_loopback(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost") or host == "[::1]":
        return True
    try:
        return IPv4Address(host).is_loopback
    except ValueError:
        return False
