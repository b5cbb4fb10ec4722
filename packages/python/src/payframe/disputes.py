"""Disputes: a buyer's bank asks about a captured payment, or takes its money back.

The merchant answers with evidence before a deadline, or accepts. Which payments are disputed, the bank decides.
"""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any, TypedDict

from payframe import calls
from payframe.errors import PayframeError
from payframe.transport import AsyncSender, Sender
from payframe.types import Dispute, DisputeFile, DisputePage, DisputeQuery, EvidenceRequest


class DisputeFileContent(TypedDict):
    """A file of evidence, with its content."""

    file: DisputeFile
    content: bytes


class Disputes:
    """Calls of ``payframe.disputes``."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def list(self, query: DisputeQuery | None = None) -> DisputePage:
        """A page of disputes, the newest first, without their evidence.

        For the next page repeat the call with ``after`` = ``disputeId`` of the last row.
        """
        return self._sender.run(calls.list_disputes(query))

    def all(self, query: DisputeQuery | None = None) -> Iterator[Dispute]:
        """All disputes that the query asks for, page by page, such as those of ``{"state": "NEEDS_RESPONSE"}``."""
        wanted: DisputeQuery = {**(query or {})}
        while True:
            page = self.list(wanted)
            yield from page["disputes"]
            if not page["hasMore"] or not page["disputes"]:
                return
            wanted["after"] = page["disputes"][-1]["disputeId"]

    def read(self, dispute_id: str) -> Dispute:
        """A dispute, with the evidence that was submitted last and its files."""
        return self._sender.run(calls.read_dispute(dispute_id))

    def add_file(
        self, dispute_id: str, name: str, content: bytes, *, idempotency_key: str | None = None
    ) -> DisputeFile:
        """Adds a file to the evidence that is submitted next.

        It is a PDF document, or a PNG or JPEG picture, of at most 4.5 MB.
        """
        return self._sender.run(calls.add_dispute_file(dispute_id, name, content), idempotency_key)

    def read_file(self, file_id: str) -> DisputeFileContent:
        """A file with its content. Show it to nobody as a page of yours: somebody uploaded it."""
        return _decoded(self._sender.run(calls.read_dispute_file(file_id)))

    def remove_file(self, file_id: str, *, idempotency_key: str | None = None) -> None:
        """Removes a file that was not submitted yet."""
        self._sender.run(calls.remove_dispute_file(file_id), idempotency_key)

    def submit_evidence(
        self, dispute_id: str, request: EvidenceRequest | None = None, *, idempotency_key: str | None = None
    ) -> Dispute:
        """Submits texts, with all files of the dispute: at least one text or one file.

        Nothing can be changed afterwards.
        """
        return self._sender.run(calls.submit_evidence(dispute_id, request), idempotency_key)

    def accept(self, dispute_id: str, *, idempotency_key: str | None = None) -> Dispute:
        """The buyer keeps the money, and the dispute is over."""
        return self._sender.run(calls.accept_dispute(dispute_id), idempotency_key)


class AsyncDisputes:
    """Calls of ``payframe.disputes``, for asyncio."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def list(self, query: DisputeQuery | None = None) -> DisputePage:
        """A page of disputes, the newest first, without their evidence.

        For the next page repeat the call with ``after`` = ``disputeId`` of the last row.
        """
        return await self._sender.run(calls.list_disputes(query))

    async def all(self, query: DisputeQuery | None = None) -> AsyncIterator[Dispute]:
        """All disputes that the query asks for, page by page, such as those of ``{"state": "NEEDS_RESPONSE"}``."""
        wanted: DisputeQuery = {**(query or {})}
        while True:
            page = await self.list(wanted)
            for row in page["disputes"]:
                yield row
            if not page["hasMore"] or not page["disputes"]:
                return
            wanted["after"] = page["disputes"][-1]["disputeId"]

    async def read(self, dispute_id: str) -> Dispute:
        """A dispute, with the evidence that was submitted last and its files."""
        return await self._sender.run(calls.read_dispute(dispute_id))

    async def add_file(
        self, dispute_id: str, name: str, content: bytes, *, idempotency_key: str | None = None
    ) -> DisputeFile:
        """Adds a file to the evidence that is submitted next.

        It is a PDF document, or a PNG or JPEG picture, of at most 4.5 MB.
        """
        return await self._sender.run(calls.add_dispute_file(dispute_id, name, content), idempotency_key)

    async def read_file(self, file_id: str) -> DisputeFileContent:
        """A file with its content. Show it to nobody as a page of yours: somebody uploaded it."""
        return _decoded(await self._sender.run(calls.read_dispute_file(file_id)))

    async def remove_file(self, file_id: str, *, idempotency_key: str | None = None) -> None:
        """Removes a file that was not submitted yet."""
        await self._sender.run(calls.remove_dispute_file(file_id), idempotency_key)

    async def submit_evidence(
        self, dispute_id: str, request: EvidenceRequest | None = None, *, idempotency_key: str | None = None
    ) -> Dispute:
        """Submits texts, with all files of the dispute: at least one text or one file.

        Nothing can be changed afterwards.
        """
        return await self._sender.run(calls.submit_evidence(dispute_id, request), idempotency_key)

    async def accept(self, dispute_id: str, *, idempotency_key: str | None = None) -> Dispute:
        """The buyer keeps the money, and the dispute is over."""
        return await self._sender.run(calls.accept_dispute(dispute_id), idempotency_key)


def _decoded(answer: Mapping[str, Any]) -> DisputeFileContent:
    try:
        return {"file": answer["file"], "content": base64.b64decode(answer["content"], validate=True)}
    except (KeyError, TypeError, ValueError):
        raise PayframeError(
            "The content of the file is no base64.", kind="gateway", code="unreadable_answer"
        ) from None
