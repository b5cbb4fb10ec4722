"""The buyer's bank of a sandbox, for tests: it disputes payments, and decides.

A gateway in production has no such calls, so they are ``not_found`` there.
"""

from __future__ import annotations

from payframe import calls
from payframe.transport import AsyncSender, Sender
from payframe.types import Dispute, DisputeResult, SandboxDisputeRequest


class SandboxDisputes:
    """Calls of ``payframe.test_disputes``."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def open(self, request: SandboxDisputeRequest, *, idempotency_key: str | None = None) -> Dispute:
        """Opens a dispute of a captured payment.

        It is a chargeback of all that can be disputed, unless the request says otherwise.
        """
        return self._sender.run(calls.open_sandbox_dispute(request), idempotency_key)

    def decide(self, dispute_id: str, result: DisputeResult, *, idempotency_key: str | None = None) -> Dispute:
        """Decides for the merchant (``WON``) or for the buyer (``LOST``), or takes the dispute to a later stage."""
        return self._sender.run(calls.decide_sandbox_dispute(dispute_id, result), idempotency_key)


class AsyncSandboxDisputes:
    """Calls of ``payframe.test_disputes``, for asyncio."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def open(self, request: SandboxDisputeRequest, *, idempotency_key: str | None = None) -> Dispute:
        """Opens a dispute of a captured payment.

        It is a chargeback of all that can be disputed, unless the request says otherwise.
        """
        return await self._sender.run(calls.open_sandbox_dispute(request), idempotency_key)

    async def decide(self, dispute_id: str, result: DisputeResult, *, idempotency_key: str | None = None) -> Dispute:
        """Decides for the merchant (``WON``) or for the buyer (``LOST``), or takes the dispute to a later stage."""
        return await self._sender.run(calls.decide_sandbox_dispute(dispute_id, result), idempotency_key)
