"""One HTTP request to a processor, and its answer.

Redirects are not followed, proxies of the environment are not read, and an answer has a time and a size limit.
Nothing is repeated here.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address

import httpx

LONGEST_ANSWER_BYTES = 1024 * 1024


class NoAnswer(Exception):
    """There was no complete answer. The request may have come, or not."""


class NotSent(Exception):
    """The request was not sent: its address is not one that card data may go to."""


@dataclass(frozen=True)
class Reply:
    """An answer."""

    status: int
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)


class Exchange:
    """The way to one processor. Threads share it."""

    def __init__(self, answer_seconds: float, allows_loopback: bool) -> None:
        self._answer_seconds = answer_seconds
        self._allows_loopback = allows_loopback
        self._client = httpx.Client(
            timeout=httpx.Timeout(answer_seconds, connect=min(5.0, answer_seconds)),
            # A connection that the other side has closed meanwhile would leave an outcome unknown for nothing.
            limits=httpx.Limits(max_keepalive_connections=0),
            follow_redirects=False,
            trust_env=False,
        )

    def send(self, method: str, url: str, headers: Mapping[str, str], body: bytes | None) -> Reply:
        """Sends a request once. Raises `NoAnswer` or `NotSent`; neither message has anything of the request."""
        self._check(url)
        deadline = time.monotonic() + self._answer_seconds
        try:
            with self._client.stream(method, url, headers=dict(headers), content=body) as response:
                parts: list[bytes] = []
                size = 0
                for part in response.iter_bytes():
                    size += len(part)
                    if size > LONGEST_ANSWER_BYTES:
                        raise NoAnswer("the answer is too long")
                    if time.monotonic() > deadline:
                        raise NoAnswer("the answer took too long")
                    parts.append(part)
                lower = {name.lower(): value for name, value in response.headers.items()}
                return Reply(response.status_code, lower, b"".join(parts))
        except httpx.HTTPError as problem:
            raise NoAnswer(type(problem).__name__) from None

    def close(self) -> None:
        """Ends what is left of connections."""
        self._client.close()

    def _check(self, url: str) -> None:
        try:
            parsed = httpx.URL(url)
        except httpx.InvalidURL:
            raise NotSent("the address of the processor can not be read") from None
        if parsed.scheme == "https" and parsed.host:
            return
        if not (parsed.scheme == "http" and self._allows_loopback and is_loopback(parsed.host)):
            raise NotSent("the address of the processor is not https")


def is_loopback(host: str) -> bool:
    """Whether a host is this machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
