"""Which attempts are repeated, how long the pauses are, and what is known of a write that failed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest
from conftest import NewStage
from stage import (
    API_KEY,
    FOREIGN,
    GATEWAY,
    LOST,
    NO_CONNECTION,
    NO_CONNECTION_IN_TIME,
    SILENT,
    Answer,
    Step,
    refusal,
)

from payframe import AsyncPayframe, Payframe, PayframeError, Runtime

SUM = {"amount": "3545", "currency": "EUR"}
BUSY = refusal(429, "GW9002", "too many requests", retry_after="3")
AWAY = refusal(503, "GW9013", "the gateway has no access to its data now", retry_after="5")
RUNNING = refusal(409, "GW9001", "a request with this idempotency key is still running")
FAILURE = refusal(500, "PS0000", "a failure of ours")
MISSING = refusal(400, "PS0026", "amount is missing")
DENIED = refusal(401, "GW9020", "header X-API-KEY must hold a valid API key")
TOO_MUCH = refusal(400, "PS0029", "amount is above what is captured")
TAKEN = Answer(json={"operationId": "2", "operationTime": "2030-01-31T10:00:00.000Z"})
HTML = Answer(502, text="<html>", headers={})

NO_ANSWER: list[Step] = [LOST, SILENT, NO_CONNECTION, FOREIGN, HTML, Answer(503), Answer(504)]
PASSING: list[Step] = [*NO_ANSWER, BUSY, AWAY, RUNNING, FAILURE]
LASTING: list[Step] = [MISSING, DENIED, refusal(409, "GW9999", "x"), *map(Answer, (404, 413, 302)), Answer(text="no")]


@pytest.mark.parametrize("step", PASSING, ids=repr)
def test_a_call_that_failed_on_the_way_is_repeated_with_the_same_key_and_the_same_id(
    stage: NewStage, step: Step
) -> None:
    made = stage([step, TAKEN])
    assert made.run(lambda p: p.operations.refund("1", SUM)) == TAKEN.json
    first, second = made.sent
    for header in ("idempotency-key", "correlation-id", "x-api-key"):
        assert second.headers[header] == first.headers[header]
    assert (second.verb, second.url, second.body) == (first.verb, first.url, first.body)


def test_a_read_is_repeated_too(stage: NewStage) -> None:
    made = stage([LOST, SILENT, Answer(json={"orders": []})])
    assert made.run(lambda p: p.orders.list()) == []
    assert len(made.sent) == 3


@pytest.mark.parametrize("step", LASTING, ids=repr)
def test_a_refusal_is_not_repeated(stage: NewStage, step: Step) -> None:
    made = stage([step])
    assert made.error(lambda p: p.operations.refund("1", SUM)).is_retryable is False
    assert len(made.sent) == 1


def test_the_pauses_grow_up_to_a_limit_and_half_of_each_is_random(stage: NewStage) -> None:
    made = stage([Answer(503)], max_retries=7)
    made.error(lambda p: p.orders.list())
    assert made.waits == [0.25, 0.5, 1, 2, 4, 4, 4]
    late = stage([Answer(503)], max_retries=1, random=0.999_999)
    late.error(lambda p: p.orders.list())
    assert late.waits == pytest.approx([0.5], abs=1e-6)


@pytest.mark.parametrize(
    ("retry_after", "expected"),
    [
        ("3", 3.25),
        ("60", 60.25),
        ("Thu, 31 Jan 2030 10:00:20 GMT", 20.25),
        ("Thu, 31 Jan 2030 10:00:20", 20.25),
        ("Thu, 31 Jan 2030 09:00:00 GMT", 0.25),
        ("Thu, 31 Jan 99999999999 09:00:00 GMT", 0.25),
        ("soon", 0.25),
        ("-5", 0.25),
        ("", 0.25),
    ],
)
def test_retry_after_is_heeded_as_seconds_and_as_a_date(stage: NewStage, retry_after: str, expected: float) -> None:
    made = stage([Answer(503, headers={"retry-after": retry_after}), Answer()])
    made.run(lambda p: p.orders.read("A1"))
    assert made.waits == [expected]


@pytest.mark.parametrize("retry_after", ["61", "9" * 5000, "Thu, 31 Jan 2030 10:01:01 GMT"])
def test_a_call_does_not_wait_for_more_than_a_minute_because_it_is_asked_to(stage: NewStage, retry_after: str) -> None:
    made = stage([Answer(503, headers={"retry-after": retry_after})])
    error = made.error(lambda p: p.orders.read("A1"))
    assert (error.code, error.is_retryable, len(made.sent), made.waits) == ("http_503", True, 1, [])


@pytest.mark.parametrize("max_retries", [0, 1, 5])
def test_max_retries_is_the_number_of_repetitions(stage: NewStage, max_retries: int) -> None:
    made = stage([LOST], max_retries=max_retries)
    made.error(lambda p: p.orders.list())
    assert len(made.sent) == max_retries + 1


def _refund_error(stage: NewStage, steps: list[Step]) -> PayframeError:
    made = stage(steps, max_retries=len(steps) - 1)
    return made.error(lambda p: p.operations.refund("1", SUM, idempotency_key="k"))


@pytest.mark.parametrize(
    ("steps", "code"),
    [
        ([LOST], "unreachable"),
        ([FOREIGN], "unreachable"),
        ([SILENT], "timeout"),
        ([Answer(502)], "http_502"),
        ([RUNNING], "GW9001"),
        ([FAILURE], "PS0000"),
        ([AWAY], "GW9013"),
        ([Answer(text="<html>")], "unreadable_answer"),
        ([Answer(307)], "unreadable_answer"),
        # What came first may have been carried out, and what came last says nothing of it.
        ([LOST, BUSY], "GW9002"),
        ([SILENT, DENIED], "GW9020"),
        ([LOST, Answer(403, headers={})], "http_403"),
        ([LOST, NO_CONNECTION], "unreachable"),
    ],
    ids=repr,
)
def test_a_write_without_an_answer_says_that_its_outcome_is_not_known(
    stage: NewStage, steps: list[Step], code: str
) -> None:
    error = _refund_error(stage, steps)
    assert (error.code, error.outcome_unknown, error.idempotency_key) == (code, True, "k")
    assert "not known: repeat it with the same idempotency key" in error.message


@pytest.mark.parametrize(
    "steps",
    [
        [TOO_MUCH],
        [BUSY],
        [DENIED],
        [refusal(500, "GW9005", "a fault")],
        # The gateway looks the key up first, so this refusal is of the first attempt too.
        [LOST, TOO_MUCH],
        [SILENT, Answer(404)],
        # Without a connection nothing was sent.
        [NO_CONNECTION],
        [NO_CONNECTION_IN_TIME, NO_CONNECTION],
    ],
    ids=repr,
)
def test_a_write_that_was_refused_or_not_sent_has_an_outcome(stage: NewStage, steps: list[Step]) -> None:
    error = _refund_error(stage, steps)
    assert error.outcome_unknown is False
    assert "not known" not in error.message


def test_a_read_never_has_an_unknown_outcome(stage: NewStage) -> None:
    error = stage([LOST]).error(lambda p: p.orders.read("A1"))
    found = (error.kind, error.outcome_unknown, error.is_retryable, error.idempotency_key)
    assert found == ("network", False, True, None)


class Slow(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body that comes byte by byte, and takes a second for each."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.is_closed = False

    def __iter__(self) -> Iterator[bytes]:
        while self.seconds < 1000:
            self.seconds += 1
            yield b" "

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for chunk in self:
            yield chunk

    def close(self) -> None:
        self.is_closed = True

    async def aclose(self) -> None:
        self.is_closed = True


def test_an_answer_that_trickles_is_given_up_when_the_time_is_over() -> None:
    slow = Slow()
    transport = httpx.MockTransport(lambda _: httpx.Response(200, stream=slow))
    runtime = Runtime(clock=lambda: slow.seconds)
    options: dict[str, Any] = {"gateway": GATEWAY, "api_key": API_KEY, "timeout": 9, "max_retries": 0}
    options |= {"transport": transport, "runtime": runtime}
    with Payframe(**options) as payframe, pytest.raises(PayframeError) as caught:
        payframe.orders.list()
    assert (caught.value.code, slow.seconds, slow.is_closed) == ("timeout", 10, True)

    async def listed() -> None:
        async with AsyncPayframe(**options) as payframe:
            await payframe.orders.list()

    slow.is_closed = False
    with pytest.raises(PayframeError) as caught:
        asyncio.run(listed())
    assert (caught.value.code, slow.seconds, slow.is_closed) == ("timeout", 20, True)


def test_a_task_that_is_cancelled_ends_its_call() -> None:
    sent: list[httpx.Request] = []

    async def cancelled() -> bool:
        arrived = asyncio.Event()

        async def hang(request: httpx.Request) -> httpx.Response:
            sent.append(request)
            arrived.set()
            await asyncio.Event().wait()
            raise AssertionError

        async with AsyncPayframe(gateway=GATEWAY, api_key=API_KEY, transport=httpx.MockTransport(hang)) as payframe:
            task = asyncio.create_task(payframe.operations.refund("1", {"amount": "1"}))
            await arrived.wait()
            task.cancel()
            await asyncio.wait([task])
            return task.cancelled()

    assert asyncio.run(cancelled())
    assert len(sent) == 1
