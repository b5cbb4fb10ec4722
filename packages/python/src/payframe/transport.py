"""Sends the attempts of a call, and waits between them: once for threads, once for asyncio.

It decides nothing: ``exchange`` does. It uses the transports of httpx without the client of httpx, which follows
redirects, keeps cookies and writes addresses with sessions into logs.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

import httpx

from payframe.calls import Call
from payframe.errors import PayframeError
from payframe.exchange import Answered, Exchange, Request
from payframe.options import Settings
from payframe.retry import Attempt

T = TypeVar("T")


class Sender:
    """Calls that block their thread. Threads may share it."""

    def __init__(self, settings: Settings, transport: httpx.BaseTransport, sleep: Callable[[float], None]) -> None:
        self._settings = settings
        self._transport = transport
        self._sleep = sleep
        self._is_closed = False

    def run(self, call: Call[T], idempotency_key: str | None = None) -> T:
        if self._is_closed:
            raise _closed()
        exchange = Exchange(self._settings, call, idempotency_key)
        while True:
            verdict = exchange.judge(self._attempt(exchange))
            if isinstance(verdict, Answered):
                return verdict.answer
            self._sleep(verdict.seconds)

    def close(self) -> None:
        self._is_closed = True
        self._transport.close()

    def _attempt(self, exchange: Exchange[T]) -> Attempt:
        clock = self._settings.runtime.clock
        request = _outgoing(self._settings, exchange.request)
        until = clock() + self._settings.timeout
        body = bytearray()
        try:
            response = self._transport.handle_request(request)
            try:
                for chunk in response.iter_bytes():
                    body += chunk
                    if clock() > until:
                        return _LATE
            finally:
                response.close()
        except Exception as error:
            return _failed(error)
        return exchange.read(response.status_code, response.headers, bytes(body))


class AsyncSender:
    """Calls of tasks. A task that is cancelled leaves its call; the gateway may have carried it out."""

    def __init__(
        self, settings: Settings, transport: httpx.AsyncBaseTransport, sleep: Callable[[float], Awaitable[object]]
    ) -> None:
        self._settings = settings
        self._transport = transport
        self._sleep = sleep
        self._is_closed = False

    async def run(self, call: Call[T], idempotency_key: str | None = None) -> T:
        if self._is_closed:
            raise _closed()
        exchange = Exchange(self._settings, call, idempotency_key)
        while True:
            verdict = exchange.judge(await self._attempt(exchange))
            if isinstance(verdict, Answered):
                return verdict.answer
            await self._sleep(verdict.seconds)

    async def aclose(self) -> None:
        self._is_closed = True
        await self._transport.aclose()

    async def _attempt(self, exchange: Exchange[T]) -> Attempt:
        clock = self._settings.runtime.clock
        request = _outgoing(self._settings, exchange.request)
        until = clock() + self._settings.timeout
        body = bytearray()
        try:
            response = await self._transport.handle_async_request(request)
            try:
                async for chunk in response.aiter_bytes():
                    body += chunk
                    if clock() > until:
                        return _LATE
            finally:
                await response.aclose()
        except Exception as error:
            return _failed(error)
        return exchange.read(response.status_code, response.headers, bytes(body))


def _outgoing(settings: Settings, request: Request) -> httpx.Request:
    # The only place where the key is used, as a credential.
    headers = {**request.headers, "x-api-key": settings.api_key.expose()}
    limits = httpx.Timeout(settings.timeout).as_dict()
    extensions = {"timeout": limits}
    return httpx.Request(request.verb, request.url, headers=headers, content=request.body, extensions=extensions)


def _failed(error: Exception) -> Attempt:
    """What an error of the transport means. The error itself is not kept: it may hold headers or addresses."""
    is_unsent = isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout))
    is_late = isinstance(error, (httpx.TimeoutException, TimeoutError))
    return Attempt(failure="timeout" if is_late else "unreachable", is_unsent=is_unsent)


def _closed() -> PayframeError:
    return PayframeError("The client is closed.", kind="caller", code="client_closed")


_LATE = Attempt(failure="timeout")
