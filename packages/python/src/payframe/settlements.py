"""Settlements: the clearing files of acquirers that the operator imported.

Each line is held against the gateway's operations. Nothing is imported here: ``payframe-gateway settlement`` does that.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

from payframe import calls
from payframe.transport import AsyncSender, Sender
from payframe.types import (
    Settlement,
    SettlementDetails,
    SettlementLine,
    SettlementLineQuery,
    SettlementPage,
    SettlementQuery,
)


class Settlements:
    """Calls of ``payframe.settlements``."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def list(self, query: SettlementQuery | None = None) -> SettlementPage:
        """A page of clearing files with their sums, the newest first.

        For the next page repeat the call with ``after`` = ``nextCursor``, until there is none.
        """
        return self._sender.run(calls.list_settlements(query))

    def all(self, query: SettlementQuery | None = None) -> Iterator[Settlement]:
        """All clearing files, page by page, the newest first."""
        wanted: SettlementQuery = {**(query or {})}
        while True:
            page = self.list(wanted)
            yield from page["settlements"]
            if "nextCursor" not in page:
                return
            wanted["after"] = page["nextCursor"]

    def read(self, settlement_id: str, query: SettlementLineQuery | None = None) -> SettlementDetails:
        """A clearing file, with its payouts and a page of its lines.

        For more lines repeat the call with ``after`` = ``nextCursor``, until there is none.
        """
        return self._sender.run(calls.read_settlement(settlement_id, query))

    def lines(self, settlement_id: str, query: SettlementLineQuery | None = None) -> Iterator[SettlementLine]:
        """All lines of a clearing file, page by page, in the order of the file."""
        wanted: SettlementLineQuery = {**(query or {})}
        while True:
            page = self.read(settlement_id, wanted)
            yield from page["lines"]
            if "nextCursor" not in page:
                return
            wanted["after"] = page["nextCursor"]


class AsyncSettlements:
    """Calls of ``payframe.settlements``, for asyncio."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def list(self, query: SettlementQuery | None = None) -> SettlementPage:
        """A page of clearing files with their sums, the newest first.

        For the next page repeat the call with ``after`` = ``nextCursor``, until there is none.
        """
        return await self._sender.run(calls.list_settlements(query))

    async def all(self, query: SettlementQuery | None = None) -> AsyncIterator[Settlement]:
        """All clearing files, page by page, the newest first."""
        wanted: SettlementQuery = {**(query or {})}
        while True:
            page = await self.list(wanted)
            for row in page["settlements"]:
                yield row
            if "nextCursor" not in page:
                return
            wanted["after"] = page["nextCursor"]

    async def read(self, settlement_id: str, query: SettlementLineQuery | None = None) -> SettlementDetails:
        """A clearing file, with its payouts and a page of its lines.

        For more lines repeat the call with ``after`` = ``nextCursor``, until there is none.
        """
        return await self._sender.run(calls.read_settlement(settlement_id, query))

    async def lines(
        self, settlement_id: str, query: SettlementLineQuery | None = None
    ) -> AsyncIterator[SettlementLine]:
        """All lines of a clearing file, page by page, in the order of the file."""
        wanted: SettlementLineQuery = {**(query or {})}
        while True:
            page = await self.read(settlement_id, wanted)
            for row in page["lines"]:
                yield row
            if "nextCursor" not in page:
                return
            wanted["after"] = page["nextCursor"]
