"""The gateway's own payment page, for shops without a page for the form."""

from __future__ import annotations

from payframe import calls
from payframe.transport import AsyncSender, Sender
from payframe.types import HostedPage, HostedPageRequest


class HostedPages:
    """Calls of ``payframe.hosted_pages``."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def create(self, request: HostedPageRequest, *, idempotency_key: str | None = None) -> HostedPage:
        """A new page. ``hostedPage`` of the answer is where to send the browser."""
        return self._sender.run(calls.create_hosted_page(request), idempotency_key)


class AsyncHostedPages:
    """Calls of ``payframe.hosted_pages``, for asyncio."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def create(self, request: HostedPageRequest, *, idempotency_key: str | None = None) -> HostedPage:
        """A new page. ``hostedPage`` of the answer is where to send the browser."""
        return await self._sender.run(calls.create_hosted_page(request), idempotency_key)
