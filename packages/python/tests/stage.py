"""A client whose gateway, time and randomness are the test's. Nothing here waits."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import httpx
import pytest

from payframe import AsyncPayframe, Payframe, PayframeError, Runtime

API_KEY = "key-of-the-shop_1"
GATEWAY = "https://gateway.example"
CID = "1e4a678b-29b8-4826-b73b-987218a3b7b0"
NOW = 1896084000.0  # 2030-01-31T10:00:00Z

Kind = Literal["threads", "asyncio"]


@dataclass(frozen=True)
class Answer:
    """What the gateway, or something before it, answers."""

    status: int = 200
    json: object = field(default_factory=dict[str, object])
    text: str | None = None
    headers: Mapping[str, str] = field(default_factory=lambda: {"cid": CID})


def refusal(status: int, code: str, description: str, **headers: str) -> Answer:
    """A refusal of the gateway."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status, {"errors": [{"code": code, "description": description}]}, headers={"cid": CID, **named})


LOST = httpx.ReadError(f"{API_KEY} was sent to {GATEWAY}")
SILENT = httpx.ReadTimeout(f"{API_KEY} was sent to {GATEWAY}")
NO_CONNECTION = httpx.ConnectError(f"{API_KEY} is to be sent to {GATEWAY}")
NO_CONNECTION_IN_TIME = httpx.ConnectTimeout(f"{API_KEY} is to be sent to {GATEWAY}")
FOREIGN = RuntimeError(f"a transport that somebody wrote, with {API_KEY}")

Step = Answer | Exception
"""What comes of one attempt."""


@dataclass(frozen=True)
class Sent:
    """An attempt as the gateway sees it."""

    verb: str
    url: str
    headers: httpx.Headers
    body: Any


class Stage:
    """A client of one kind, and what it does. The last step is repeated."""

    def __init__(self, kind: Kind, steps: list[Step], *, random: float = 0.0, **options: Any) -> None:
        self.sent: list[Sent] = []
        self.waits: list[float] = []
        self._steps = steps
        self._ids = 0
        runtime = Runtime(now=lambda: NOW, clock=lambda: 0.0, random=lambda: random, uuid=self._uuid)
        common: dict[str, Any] = {"gateway": GATEWAY, "api_key": API_KEY, "runtime": runtime, **options}
        self.payframe: Payframe | AsyncPayframe
        transport = httpx.MockTransport(self._handle)
        if kind == "threads":
            self.payframe = Payframe(transport=transport, sleep=self.waits.append, **common)
        else:
            self.payframe = AsyncPayframe(transport=transport, sleep=self._sleep, **common)

    def run(self, action: Callable[[Any], Any]) -> Any:
        """What a call answers."""
        result = action(self.payframe)
        return asyncio.run(_awaited(result)) if inspect.isawaitable(result) else result

    def error(self, action: Callable[[Any], Any]) -> PayframeError:
        """The error that a call ends with."""
        with pytest.raises(PayframeError) as caught:
            self.run(action)
        return caught.value

    def writes(self) -> list[Sent]:
        return [sent for sent in self.sent if sent.verb != "GET"]

    def _handle(self, request: httpx.Request) -> httpx.Response:
        content = request.content
        body = json.loads(content) if content else None
        self.sent.append(Sent(request.method, str(request.url), request.headers, body))
        step = self._steps[min(len(self.sent), len(self._steps)) - 1]
        if isinstance(step, Exception):
            raise step
        text = json.dumps(step.json) if step.text is None else step.text
        return httpx.Response(step.status, text=text, headers=dict(step.headers))

    def _uuid(self) -> str:
        self._ids += 1
        return f"id-{self._ids}"

    async def _sleep(self, seconds: float) -> None:
        self.waits.append(seconds)


async def _awaited(result: Any) -> Any:
    return await result


def all_of(rows: Any) -> Any:
    """What an iterator of either client gives, or what awaits it."""

    async def awaited() -> list[Any]:
        return [row async for row in rows]

    return awaited() if hasattr(rows, "__aiter__") else list(rows)
