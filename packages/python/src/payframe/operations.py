"""What is done with the money of a payment afterwards: capture, refund, void, cancel.

The payment itself is made by a session.
"""

from __future__ import annotations

import builtins

from payframe import calls
from payframe.money import Money
from payframe.transport import AsyncSender, Sender
from payframe.types import AllowedAction, CaptureRequest, Operation, OperationQuery, RefundRequest, Taken


class Operations:
    """Calls of ``payframe.operations``."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def read(self, operation_id: str) -> Operation:
        """One operation."""
        return self._sender.run(calls.read_operation(operation_id))

    def actions(self, operation_id: str) -> builtins.list[AllowedAction]:
        """What may be done with an operation now."""
        return self._sender.run(calls.list_actions(operation_id))

    def capture(
        self,
        operation_id: str,
        request: CaptureRequest | Money,
        *,
        idempotency_key: str | None = None,
        order_version: str | None = None,
    ) -> Taken:
        """Captures money that an authorization holds, all of it or a part.

        With the ``orderVersion`` of the order that was read, nothing is done if the order has changed since: the error
        has the code ``GW9012``.
        """
        return self._sender.run(calls.capture(operation_id, request, order_version), idempotency_key)

    def refund(
        self,
        operation_id: str,
        request: RefundRequest | Money,
        *,
        idempotency_key: str | None = None,
        order_version: str | None = None,
    ) -> Taken:
        """Gives captured money of an authorization or a capture back, all of it or a part.

        With the ``orderVersion`` of the order that was read, nothing is done if the order has changed since: the error
        has the code ``GW9012``.
        """
        return self._sender.run(calls.refund(operation_id, request, order_version), idempotency_key)

    def void(
        self, operation_id: str, *, description: str | None = None, idempotency_key: str | None = None
    ) -> Taken:
        """Releases what an authorization still holds.

        The gateway has no call of its own for this: it takes a refund of exactly the held amount for a release, but for
        a refund if that much or more is captured. Such a void is refused here (``void_ambiguous``).

        To repeat a void whose outcome is not known, call this again: ``nothing_to_void`` says that nothing is held any
        more. Captures made at the same time can change what the gateway takes the amount for. Make them one after the
        other, and read the operation that this answers: its ``operationType`` is ``VOID``.
        """
        actions = self.actions(operation_id)
        return self._sender.run(calls.void(operation_id, actions, description), idempotency_key)

    def cancel(
        self,
        operation_id: str,
        *,
        description: str | None = None,
        idempotency_key: str | None = None,
        order_version: str | None = None,
    ) -> Taken:
        """Cancels a capture on the day on which it was made. ``order_version`` is as in ``refund``."""
        return self._sender.run(calls.cancel_operation(operation_id, description, order_version), idempotency_key)

    def list(self, query: OperationQuery | None = None) -> builtins.list[Operation]:
        """Operations, the newest first.

        For the next page repeat the call with ``toTime`` = ``operationTime`` of the last row.
        """
        return self._sender.run(calls.list_operations(query))


class AsyncOperations:
    """Calls of ``payframe.operations``, for asyncio."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def read(self, operation_id: str) -> Operation:
        """One operation."""
        return await self._sender.run(calls.read_operation(operation_id))

    async def actions(self, operation_id: str) -> builtins.list[AllowedAction]:
        """What may be done with an operation now."""
        return await self._sender.run(calls.list_actions(operation_id))

    async def capture(
        self,
        operation_id: str,
        request: CaptureRequest | Money,
        *,
        idempotency_key: str | None = None,
        order_version: str | None = None,
    ) -> Taken:
        """Captures money that an authorization holds, all of it or a part.

        With the ``orderVersion`` of the order that was read, nothing is done if the order has changed since: the error
        has the code ``GW9012``.
        """
        return await self._sender.run(calls.capture(operation_id, request, order_version), idempotency_key)

    async def refund(
        self,
        operation_id: str,
        request: RefundRequest | Money,
        *,
        idempotency_key: str | None = None,
        order_version: str | None = None,
    ) -> Taken:
        """Gives captured money of an authorization or a capture back, all of it or a part.

        With the ``orderVersion`` of the order that was read, nothing is done if the order has changed since: the error
        has the code ``GW9012``.
        """
        return await self._sender.run(calls.refund(operation_id, request, order_version), idempotency_key)

    async def void(
        self, operation_id: str, *, description: str | None = None, idempotency_key: str | None = None
    ) -> Taken:
        """Releases what an authorization still holds.

        The gateway has no call of its own for this: it takes a refund of exactly the held amount for a release, but for
        a refund if that much or more is captured. Such a void is refused here (``void_ambiguous``).

        To repeat a void whose outcome is not known, call this again: ``nothing_to_void`` says that nothing is held any
        more. Captures made at the same time can change what the gateway takes the amount for. Make them one after the
        other, and read the operation that this answers: its ``operationType`` is ``VOID``.
        """
        actions = await self.actions(operation_id)
        return await self._sender.run(calls.void(operation_id, actions, description), idempotency_key)

    async def cancel(
        self,
        operation_id: str,
        *,
        description: str | None = None,
        idempotency_key: str | None = None,
        order_version: str | None = None,
    ) -> Taken:
        """Cancels a capture on the day on which it was made. ``order_version`` is as in ``refund``."""
        return await self._sender.run(calls.cancel_operation(operation_id, description, order_version), idempotency_key)

    async def list(self, query: OperationQuery | None = None) -> builtins.list[Operation]:
        """Operations, the newest first.

        For the next page repeat the call with ``toTime`` = ``operationTime`` of the last row.
        """
        return await self._sender.run(calls.list_operations(query))
