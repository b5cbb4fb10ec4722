"""The clients: one merchant's key at one gateway, for threads and for asyncio.

A client holds connections and no other state, so one is enough for a whole server. Close it at the end, or use it as a
context manager.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from types import TracebackType
from typing import Any, Final

import httpx

from payframe import calls
from payframe.calls import QueryValue, Verb
from payframe.disputes import AsyncDisputes, Disputes
from payframe.errors import refused_value
from payframe.events import AsyncEvents, Events
from payframe.hosted_pages import AsyncHostedPages, HostedPages
from payframe.links import AsyncPaymentLinks, PaymentLinks
from payframe.operations import AsyncOperations, Operations
from payframe.options import Runtime, settings_of
from payframe.orders import AsyncOrders, Orders
from payframe.sandbox_clock import AsyncSandboxClock, SandboxClock
from payframe.sandbox_disputes import AsyncSandboxDisputes, SandboxDisputes
from payframe.sessions import AsyncSessions, Sessions
from payframe.settlements import AsyncSettlements, Settlements
from payframe.transport import AsyncSender, Sender


class Payframe:
    """A client whose calls block their thread. Threads may share it.

    - ``gateway``: origin of the gateway, such as ``https://gateway.example``.
    - ``api_key``: of the merchant, as the gateway printed it. It stays on the server.
    - ``timeout``: how many seconds one attempt may take: up to 600. The gateway answers within 30.
    - ``max_retries``: how often a call is repeated: 0 to 10.
    - ``transport``: used in place of ``httpx.HTTPTransport()``, for instance for a proxy. ``close`` closes it.
    - ``runtime``, ``sleep``: time and randomness, for tests.
    """

    def __init__(
        self,
        *,
        gateway: str,
        api_key: str,
        timeout: float = 35.0,
        max_retries: int = 2,
        transport: httpx.BaseTransport | None = None,
        runtime: Runtime | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        settings = settings_of(
            gateway=gateway, api_key=api_key, timeout=timeout, max_retries=max_retries, runtime=runtime or Runtime()
        )
        _check_transport(transport, httpx.BaseTransport)
        self._sender = Sender(settings, transport or httpx.HTTPTransport(), sleep)
        self.sessions: Final = Sessions(self._sender)
        self.orders: Final = Orders(self._sender)
        self.operations: Final = Operations(self._sender)
        self.links: Final = PaymentLinks(self._sender)
        self.hosted_pages: Final = HostedPages(self._sender)
        self.events: Final = Events(self._sender)
        self.disputes: Final = Disputes(self._sender)
        self.settlements: Final = Settlements(self._sender)
        self.test_clock: Final = SandboxClock(self._sender)
        self.test_disputes: Final = SandboxDisputes(self._sender)

    def call(
        self,
        verb: Verb,
        path: str,
        *,
        body: Mapping[str, object] | None = None,
        query: Mapping[str, QueryValue] | None = None,
        idempotency_key: str | None = None,
    ) -> Any:
        """Any other call of the API, with the same key, retries and errors.

        ``path`` is below ``/api``, such as ``/orders/mit``, with its ids percent-encoded.
        """
        return self._sender.run(calls.any_call(verb, path, body, query), idempotency_key)

    def close(self) -> None:
        """Closes the connections. To do it again is no error."""
        self._sender.close()

    def __enter__(self) -> Payframe:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


class AsyncPayframe:
    """A client for asyncio, with the options of ``Payframe``. With trio give ``sleep=trio.sleep``.

    A task that is cancelled leaves its call, and the gateway may have carried it out: give an idempotency key to writes
    of tasks that can be cancelled.
    """

    def __init__(
        self,
        *,
        gateway: str,
        api_key: str,
        timeout: float = 35.0,
        max_retries: int = 2,
        transport: httpx.AsyncBaseTransport | None = None,
        runtime: Runtime | None = None,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        settings = settings_of(
            gateway=gateway, api_key=api_key, timeout=timeout, max_retries=max_retries, runtime=runtime or Runtime()
        )
        _check_transport(transport, httpx.AsyncBaseTransport)
        self._sender = AsyncSender(settings, transport or httpx.AsyncHTTPTransport(), sleep)
        self.sessions: Final = AsyncSessions(self._sender)
        self.orders: Final = AsyncOrders(self._sender)
        self.operations: Final = AsyncOperations(self._sender)
        self.links: Final = AsyncPaymentLinks(self._sender)
        self.hosted_pages: Final = AsyncHostedPages(self._sender)
        self.events: Final = AsyncEvents(self._sender)
        self.disputes: Final = AsyncDisputes(self._sender)
        self.settlements: Final = AsyncSettlements(self._sender)
        self.test_clock: Final = AsyncSandboxClock(self._sender)
        self.test_disputes: Final = AsyncSandboxDisputes(self._sender)

    async def call(
        self,
        verb: Verb,
        path: str,
        *,
        body: Mapping[str, object] | None = None,
        query: Mapping[str, QueryValue] | None = None,
        idempotency_key: str | None = None,
    ) -> Any:
        """Any other call of the API, with the same key, retries and errors.

        ``path`` is below ``/api``, such as ``/orders/mit``, with its ids percent-encoded.
        """
        return await self._sender.run(calls.any_call(verb, path, body, query), idempotency_key)

    async def aclose(self) -> None:
        """Closes the connections. To do it again is no error."""
        await self._sender.aclose()

    async def __aenter__(self) -> AsyncPayframe:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.aclose()


def _check_transport(transport: object, wanted: type) -> None:
    if transport is not None and not isinstance(transport, wanted):
        raise refused_value("transport", f"must be a httpx.{wanted.__name__}")
