"""Payment links: an address at which a customer pays. It sends no link to anybody."""

from __future__ import annotations

import builtins

from payframe import calls
from payframe.transport import AsyncSender, Sender
from payframe.types import CreatedLink, LinkDetails, LinkQuery, LinkRequest, PaymentLink


class PaymentLinks:
    """Calls of ``payframe.links``."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def create(self, request: LinkRequest, *, idempotency_key: str | None = None) -> CreatedLink:
        """A new link. ``paymentLink["link"]`` of the answer is the address to send."""
        return self._sender.run(calls.create_link(request), idempotency_key)

    def read(self, link_id: str) -> LinkDetails:
        """A link, with its order."""
        return self._sender.run(calls.read_link(link_id))

    def renew(self, link_id: str, *, idempotency_key: str | None = None) -> PaymentLink:
        """Makes an expired or failed link valid again, or prolongs an unpaid one."""
        return self._sender.run(calls.renew_link(link_id), idempotency_key)

    def cancel(self, link_id: str, *, idempotency_key: str | None = None) -> PaymentLink:
        """Gives up a link that is not paid. To do it again is no error."""
        return self._sender.run(calls.cancel_link(link_id), idempotency_key)

    def list(self, query: LinkQuery | None = None) -> builtins.list[PaymentLink]:
        """Links, the newest first.

        For the next page repeat the call with ``toTime`` = ``creationTime`` of the last row.
        """
        return self._sender.run(calls.list_links(query))


class AsyncPaymentLinks:
    """Calls of ``payframe.links``, for asyncio."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def create(self, request: LinkRequest, *, idempotency_key: str | None = None) -> CreatedLink:
        """A new link. ``paymentLink["link"]`` of the answer is the address to send."""
        return await self._sender.run(calls.create_link(request), idempotency_key)

    async def read(self, link_id: str) -> LinkDetails:
        """A link, with its order."""
        return await self._sender.run(calls.read_link(link_id))

    async def renew(self, link_id: str, *, idempotency_key: str | None = None) -> PaymentLink:
        """Makes an expired or failed link valid again, or prolongs an unpaid one."""
        return await self._sender.run(calls.renew_link(link_id), idempotency_key)

    async def cancel(self, link_id: str, *, idempotency_key: str | None = None) -> PaymentLink:
        """Gives up a link that is not paid. To do it again is no error."""
        return await self._sender.run(calls.cancel_link(link_id), idempotency_key)

    async def list(self, query: LinkQuery | None = None) -> builtins.list[PaymentLink]:
        """Links, the newest first.

        For the next page repeat the call with ``toTime`` = ``creationTime`` of the last row.
        """
        return await self._sender.run(calls.list_links(query))
