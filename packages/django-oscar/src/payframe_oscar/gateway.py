"""The client of the gateway: one for each process, made when it is first needed."""

from __future__ import annotations

from functools import lru_cache

from payframe import Payframe

from payframe_oscar.settings import payframe_settings


@lru_cache(maxsize=1)
def gateway() -> Payframe:
    """The client with the shop's settings. Threads share it."""
    settings = payframe_settings()
    return Payframe(gateway=settings.gateway, api_key=settings.api_key)
