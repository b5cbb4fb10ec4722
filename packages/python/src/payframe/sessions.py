"""Sessions of the embedded form: from the first call of a payment to the one that closes it.

The card is not here: the form sends it to the gateway.
"""

from __future__ import annotations

from payframe import calls
from payframe.transport import AsyncSender, Sender
from payframe.types import (
    CardData,
    ChangedSession,
    Confirmation,
    Session,
    SessionChange,
    SessionRequest,
    SessionState,
)


class Sessions:
    """Calls of ``payframe.sessions``."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def create(self, request: SessionRequest, *, idempotency_key: str | None = None) -> Session:
        """Opens a payment: the first call.

        Keep ``securityToken`` with the order; give ``sessionId`` or ``form["html"]`` to the page.
        """
        return self._sender.run(calls.open_session(request), idempotency_key)

    def change(self, change: SessionChange, *, idempotency_key: str | None = None) -> ChangedSession:
        """Changes what an open session charges. Members that are left out stay as they are."""
        return self._sender.run(calls.change_session(change), idempotency_key)

    def read(self, session_id: str) -> SessionState:
        """Where the session stands."""
        return self._sender.run(calls.read_session(session_id))

    def read_card(self, session_id: str) -> CardData:
        """What a shop may know about the card that was entered."""
        return self._sender.run(calls.read_card(session_id))

    def finalize(self, session_id: str, *, idempotency_key: str | None = None) -> SessionState:
        """Charges the card of a session of version 3 whose ``form["closing"]`` is ``SERVER``.

        A declined payment is an answer, not an error: see ``operation["operationResult"]``.
        """
        return self._sender.run(calls.finalize_session(session_id), idempotency_key)

    def confirm(self, confirmation: Confirmation, *, idempotency_key: str | None = None) -> SessionState:
        """Fixes the amount of a session of version 2, and charges the card unless ``confirm`` is ``False``."""
        return self._sender.run(calls.confirm_session(confirmation), idempotency_key)

    def cancel(self, session_id: str, *, idempotency_key: str | None = None) -> SessionState:
        """Ends a session. Money that was approved goes back."""
        return self._sender.run(calls.cancel_session(session_id), idempotency_key)


class AsyncSessions:
    """Calls of ``payframe.sessions``, for asyncio."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def create(self, request: SessionRequest, *, idempotency_key: str | None = None) -> Session:
        """Opens a payment: the first call.

        Keep ``securityToken`` with the order; give ``sessionId`` or ``form["html"]`` to the page.
        """
        return await self._sender.run(calls.open_session(request), idempotency_key)

    async def change(self, change: SessionChange, *, idempotency_key: str | None = None) -> ChangedSession:
        """Changes what an open session charges. Members that are left out stay as they are."""
        return await self._sender.run(calls.change_session(change), idempotency_key)

    async def read(self, session_id: str) -> SessionState:
        """Where the session stands."""
        return await self._sender.run(calls.read_session(session_id))

    async def read_card(self, session_id: str) -> CardData:
        """What a shop may know about the card that was entered."""
        return await self._sender.run(calls.read_card(session_id))

    async def finalize(self, session_id: str, *, idempotency_key: str | None = None) -> SessionState:
        """Charges the card of a session of version 3 whose ``form["closing"]`` is ``SERVER``.

        A declined payment is an answer, not an error: see ``operation["operationResult"]``.
        """
        return await self._sender.run(calls.finalize_session(session_id), idempotency_key)

    async def confirm(self, confirmation: Confirmation, *, idempotency_key: str | None = None) -> SessionState:
        """Fixes the amount of a session of version 2, and charges the card unless ``confirm`` is ``False``."""
        return await self._sender.run(calls.confirm_session(confirmation), idempotency_key)

    async def cancel(self, session_id: str, *, idempotency_key: str | None = None) -> SessionState:
        """Ends a session. Money that was approved goes back."""
        return await self._sender.run(calls.cancel_session(session_id), idempotency_key)
