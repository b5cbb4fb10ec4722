"""Orders: the truth about payments. There is no call that changes one: see ``operations``."""

from __future__ import annotations

import builtins

from payframe import calls
from payframe.transport import AsyncSender, Sender
from payframe.types import Order, OrderQuery, OrderStatus


class Orders:
    """Calls of ``payframe.orders``."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def read(self, order_id: str) -> Order:
        """An order with its totals and its operations, the newest first. Ask before anything is shipped.

        An id that no call has named yet is ``not_found``.
        """
        return self._sender.run(calls.read_order(order_id))

    def list(self, query: OrderQuery | None = None) -> builtins.list[OrderStatus]:
        """Orders, the newest first.

        For the next page repeat the call with ``toTime`` = ``lastOperationTime`` of the last row.
        """
        return self._sender.run(calls.list_orders(query))


class AsyncOrders:
    """Calls of ``payframe.orders``, for asyncio."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def read(self, order_id: str) -> Order:
        """An order with its totals and its operations, the newest first. Ask before anything is shipped.

        An id that no call has named yet is ``not_found``.
        """
        return await self._sender.run(calls.read_order(order_id))

    async def list(self, query: OrderQuery | None = None) -> builtins.list[OrderStatus]:
        """Orders, the newest first.

        For the next page repeat the call with ``toTime`` = ``lastOperationTime`` of the last row.
        """
        return await self._sender.run(calls.list_orders(query))
