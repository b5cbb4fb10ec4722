"""The feed of events: everything that notifications tell of, in order and without a gap."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

from payframe import calls
from payframe.transport import AsyncSender, Sender
from payframe.types import EventPage, EventQuery, FeedEvent


class Events:
    """Calls of ``payframe.events``."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def list(self, query: EventQuery | None = None) -> EventPage:
        """A page of the feed, the oldest event first.

        For the next page repeat the call with ``after`` = ``nextCursor``. A cursor whose event is no longer in the feed
        is refused with the code ``GW9011``.
        """
        return self._sender.run(calls.list_events(query))

    def since(self, cursor: str | None = None) -> Iterator[FeedEvent]:
        """The events behind a cursor that are there now, page by page; without one from the oldest event on.

        Store the ``cursor`` of an event once it is processed, and begin there the next time.
        """
        after = cursor
        while True:
            page = self.list({} if after is None else {"after": after})
            yield from page["events"]
            if not page["hasMore"]:
                return
            after = page["nextCursor"]


class AsyncEvents:
    """Calls of ``payframe.events``, for asyncio."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def list(self, query: EventQuery | None = None) -> EventPage:
        """A page of the feed, the oldest event first.

        For the next page repeat the call with ``after`` = ``nextCursor``. A cursor whose event is no longer in the feed
        is refused with the code ``GW9011``.
        """
        return await self._sender.run(calls.list_events(query))

    async def since(self, cursor: str | None = None) -> AsyncIterator[FeedEvent]:
        """The events behind a cursor that are there now, page by page; without one from the oldest event on.

        Store the ``cursor`` of an event once it is processed, and begin there the next time.
        """
        after = cursor
        while True:
            page = await self.list({} if after is None else {"after": after})
            for event in page["events"]:
                yield event
            if not page["hasMore"]:
                return
            after = page["nextCursor"]
