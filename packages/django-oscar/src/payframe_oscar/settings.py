"""The settings of the app: the dictionary ``PAYFRAME`` in the settings of the shop, checked when it starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error
from django.core.exceptions import ImproperlyConfigured
from payframe import PayframeError
from payframe.options import origin_of


@dataclass(frozen=True)
class PayframeSettings:
    """The settings, after they were checked."""

    gateway: str
    """Origin of the gateway."""
    api_key: str = field(repr=False)
    """Of the merchant. It stays on the server."""
    notification_secrets: tuple[str, ...] = field(repr=False)
    """As the gateway printed them: the present one, and while it changes also the next."""
    shop: str
    """Origin of the shop's pages, proven for the terminal."""
    notifications: str
    """Origin at which the gateway reaches the shop: that of the pages by default."""
    saved_cards: bool = False
    """Whether customers who are logged in can save cards and pay with them."""
    pay_within_minutes: int = 1440
    """After which time a payment that nobody has made is closed at the gateway."""
    retry_seconds: int = 10
    """After which time work that failed is done again."""
    reference_prefix: str = ""
    """Before the number of each order at the gateway, where several shops have one merchant."""
    cancelled_status: str = ""
    """The status of django-oscar that an order gets when the staff cancels it. Empty: none."""
    session: str = ""
    """Dotted name of a function that adds members to each session. Empty: none."""
    placement: str = "payframe_oscar.placement.Placement"
    """Dotted name of the class that places orders."""


def payframe_settings() -> PayframeSettings:
    """The shop's settings, or an error that names the first wrong one."""
    given = getattr(settings, "PAYFRAME", None)
    if not isinstance(given, Mapping):
        raise _refused("PAYFRAME", "must be a dictionary in the settings of the shop")
    return settings_of(cast("Mapping[str, object]", given))


def settings_of(given: Mapping[str, object]) -> PayframeSettings:
    """What a dictionary says."""
    values: dict[str, Any] = {}
    for name, value in given.items():
        if name not in _NAMES:
            raise _refused(name, f"is no setting; there are: {', '.join(_NAMES)}")
        values[name.lower()] = value
    for name in ("GATEWAY", "API_KEY", "NOTIFICATION_SECRETS", "SHOP"):
        if not values.get(name.lower()):
            raise _refused(name, "is missing")
    values.setdefault("notifications", values["shop"])
    values["notification_secrets"] = _secrets(values["notification_secrets"])
    for name in ("GATEWAY", "SHOP", "NOTIFICATIONS"):
        values[name.lower()] = _origin(name, values[name.lower()])
    for name in ("SAVED_CARDS",):
        if not isinstance(values.get(name.lower(), False), bool):
            raise _refused(name, "must be True or False")
    for name in ("PAY_WITHIN_MINUTES", "RETRY_SECONDS"):
        if not _is_positive(values.get(name.lower(), 1)):
            raise _refused(name, "must be a whole number from 1")
    for name in ("API_KEY", "REFERENCE_PREFIX", "CANCELLED_STATUS", "SESSION", "PLACEMENT"):
        if not isinstance(values.get(name.lower(), ""), str):
            raise _refused(name, "must be text")
    if len(values.get("reference_prefix", "")) > 8:
        raise _refused("REFERENCE_PREFIX", "must have at most 8 characters")
    return PayframeSettings(**values)


def check_settings(**_: object) -> list[CheckMessage]:
    """What ``manage.py check`` says."""
    try:
        payframe_settings()
    except ImproperlyConfigured as problem:
        return [Error(str(problem), id="payframe.E001")]
    return []


def _secrets(value: object) -> tuple[str, ...]:
    secrets = (value,) if isinstance(value, str) else value
    if not isinstance(secrets, (list, tuple)) or not all(_is_secret(one) for one in secrets):
        raise _refused("NOTIFICATION_SECRETS", "must be secrets as the gateway printed them: whsec_…")
    return tuple(secrets)


def _is_secret(value: object) -> bool:
    return isinstance(value, str) and value.startswith("whsec_")


def _origin(name: str, value: object) -> str:
    if name == "GATEWAY":
        try:
            return origin_of(value)
        except PayframeError as problem:
            raise ImproperlyConfigured(f'PAYFRAME["GATEWAY"]: {problem.message}') from None
    parts = urlsplit(value) if isinstance(value, str) else None
    if not parts or parts.scheme not in ("http", "https") or not parts.netloc or parts.path not in ("", "/"):
        raise _refused(name, "must be an origin without a path, such as https://shop.example")
    return f"{parts.scheme}://{parts.netloc}"


def _is_positive(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def _refused(name: str, why: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(f"PAYFRAME {why}" if name == "PAYFRAME" else f'PAYFRAME["{name}"] {why}')


_NAMES = tuple(name.upper() for name in PayframeSettings.__dataclass_fields__)
