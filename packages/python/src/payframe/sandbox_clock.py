"""The clock of a sandbox, for tests: days pass at once.

A gateway in production has no such calls, so they are ``not_found`` there.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from payframe import calls
from payframe.transport import AsyncSender, Sender
from payframe.types import ClockReading


class SandboxClock:
    """Calls of ``payframe.test_clock``."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def read(self) -> ClockReading:
        """The time of payments."""
        return self._sender.run(calls.read_clock())

    def advance(self, by: timedelta) -> ClockReading:
        """Lets time pass for the whole sandbox, such as ``timedelta(days=31)``.

        What is due by then has happened when the call answers, and notifications are on their way.
        """
        seconds = calls.seconds_of(by)
        return self._sender.run(calls.put_clock_ahead(self.read()["secondsAhead"] + seconds))

    def advance_to(self, instant: datetime) -> ClockReading:
        """The same, until an instant with a time zone. One that has passed changes nothing."""
        return self._sender.run(calls.advance_clock(instant))


class AsyncSandboxClock:
    """Calls of ``payframe.test_clock``, for asyncio."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def read(self) -> ClockReading:
        """The time of payments."""
        return await self._sender.run(calls.read_clock())

    async def advance(self, by: timedelta) -> ClockReading:
        """Lets time pass for the whole sandbox, such as ``timedelta(days=31)``.

        What is due by then has happened when the call answers, and notifications are on their way.
        """
        seconds = calls.seconds_of(by)
        reading = await self.read()
        return await self._sender.run(calls.put_clock_ahead(reading["secondsAhead"] + seconds))

    async def advance_to(self, instant: datetime) -> ClockReading:
        """The same, until an instant with a time zone. One that has passed changes nothing."""
        return await self._sender.run(calls.advance_clock(instant))
