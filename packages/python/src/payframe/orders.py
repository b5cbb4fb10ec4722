"""Orders: the truth about payments. Their money is moved by ``operations``."""

from __future__ import annotations

import builtins

from payframe import calls
from payframe.transport import AsyncSender, Sender
from payframe.types import Fulfilment, FulfilmentRequest, Order, OrderQuery, OrderStatus


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

    def tell_fulfilment(
        self, order_id: str, request: FulfilmentRequest, *, idempotency_key: str | None = None
    ) -> Fulfilment:
        """Tells the gateway the state of an order's goods, so that its books can be compared with the shop's.

        It moves no money. The same state with the same note again changes nothing.
        """
        return self._sender.run(calls.tell_fulfilment(order_id, request), idempotency_key)


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

    async def tell_fulfilment(
        self, order_id: str, request: FulfilmentRequest, *, idempotency_key: str | None = None
    ) -> Fulfilment:
        """Tells the gateway the state of an order's goods, so that its books can be compared with the shop's.

        It moves no money. The same state with the same note again changes nothing.
        """
        return await self._sender.run(calls.tell_fulfilment(order_id, request), idempotency_key)
