"""Each method makes the call that the document has, with its headers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest
from conftest import NewStage
from stage import API_KEY, GATEWAY, Answer, Stage, all_of

DOCUMENT = json.loads((Path(__file__).parents[2] / "server" / "types" / "openapi.json").read_text(encoding="utf-8"))
BODY: Any = {"order": {"orderId": "A1"}}
SUM = {"amount": "3545", "currency": "EUR"}
NEW_YEAR = datetime(2027, 1, 1, tzinfo=timezone.utc)
GOODS = {"state": "NONE", "note": "to be sent"}
PDF = {"name": "a.pdf", "content": "JVBERi0="}
ROWS_OF_LISTS = {
    "orders": [1],
    "operations": [2],
    "paymentLinks": [3],
    "actions": [4],
    "paymentLink": {"linkId": "l"},
    "file": {"fileId": "f"},
    "content": "",
}

Row = tuple[Callable[[Any], Any], str, str, object]
ROWS: list[Row] = [
    (lambda p: p.sessions.create(BODY), "POST", "/orders/build", BODY),
    (lambda p: p.sessions.change({"sessionId": "s"}), "PATCH", "/build/session", {"sessionId": "s"}),
    (lambda p: p.sessions.read("s+1"), "GET", "/build/state?sessionId=s%2B1", None),
    (lambda p: p.sessions.read_card("s"), "GET", "/build/cardData?sessionId=s", None),
    (lambda p: p.sessions.finalize("s"), "POST", "/build/finalize_payment", {"sessionId": "s"}),
    (lambda p: p.sessions.confirm({"amount": "1"}), "POST", "/build/confirm_payment", {"amount": "1"}),
    (lambda p: p.sessions.cancel("s"), "POST", "/build/cancel", {"sessionId": "s"}),
    (lambda p: p.orders.read("A#1?"), "GET", "/orders/A%231%3F", None),
    (lambda p: p.orders.list({"maxRecords": 10, "orderId": "A"}), "GET", "/orders?maxRecords=10&orderId=A", None),
    (lambda p: p.orders.tell_fulfilment("A#1", GOODS), "PUT", "/orders/A%231/fulfilment", GOODS),
    (lambda p: p.operations.read("1"), "GET", "/operations/1", None),
    (lambda p: p.operations.list(), "GET", "/operations", None),
    (lambda p: p.operations.actions("1"), "GET", "/operations/1/actions", None),
    (lambda p: p.operations.capture("1", SUM), "POST", "/operations/1/captures", SUM),
    (lambda p: p.operations.refund("1", SUM), "POST", "/operations/1/refunds", SUM),
    (lambda p: p.operations.cancel("1"), "POST", "/operations/1/cancels", {}),
    (lambda p: p.operations.cancel("1", description="d"), "POST", "/operations/1/cancels", {"description": "d"}),
    (lambda p: p.links.create(BODY), "POST", "/v2/orders/paybylink", BODY),
    (lambda p: p.links.read("l"), "GET", "/orders/paybylink/l", None),
    (lambda p: p.links.list({"status": "ACTIVE"}), "GET", "/orders/paybylink?status=ACTIVE", None),
    (lambda p: p.links.renew("l"), "POST", "/orders/paybylink/l/renewals", None),
    (lambda p: p.links.cancel("l"), "POST", "/paybylink/l/cancels", None),
    (lambda p: p.hosted_pages.create(BODY), "POST", "/orders/hpp", BODY),
    (lambda p: p.events.list({"after": "1-a", "limit": 9}), "GET", "/events?after=1-a&limit=9", None),
    (lambda p: p.disputes.list({"state": "WON", "limit": 9}), "GET", "/disputes?state=WON&limit=9", None),
    (lambda p: p.disputes.read("d/1"), "GET", "/disputes/d%2F1", None),
    (lambda p: p.disputes.add_file("d", "a.pdf", b"%PDF-"), "POST", "/disputes/d/files", PDF),
    (lambda p: p.disputes.read_file("f"), "GET", "/disputes/files/f", None),
    (lambda p: p.disputes.remove_file("f"), "POST", "/disputes/files/f/removal", None),
    (lambda p: p.disputes.submit_evidence("d", {"goods": "g"}), "POST", "/disputes/d/evidence", {"goods": "g"}),
    (lambda p: p.disputes.submit_evidence("d"), "POST", "/disputes/d/evidence", {}),
    (lambda p: p.disputes.accept("d"), "POST", "/disputes/d/acceptance", None),
    (lambda p: p.settlements.list({"limit": 9}), "GET", "/settlements?limit=9", None),
    (lambda p: p.settlements.read("1", {"after": "101"}), "GET", "/settlements/1?after=101", None),
    (lambda p: p.test_clock.read(), "GET", "/test/clock", None),
    (lambda p: p.test_clock.advance_to(NEW_YEAR), "POST", "/test/clock/advance", {"to": "2027-01-01T00:00:00+00:00"}),
    (lambda p: p.test_disputes.open({"operationId": "1"}), "POST", "/test/disputes", {"operationId": "1"}),
    (lambda p: p.test_disputes.decide("d", "WON"), "POST", "/test/disputes/d/result", {"result": "WON"}),
    (lambda p: p.call("POST", "/orders/mit", body=BODY), "POST", "/orders/mit", BODY),
    (lambda p: p.call("GET", "/x", query={"a": True, "b": None, "c": "ü"}), "GET", "/x?a=true&c=%C3%BC", None),
]


@pytest.mark.parametrize(("action", "verb", "path", "body"), ROWS)
def test_each_method_makes_its_call(
    stage: NewStage, action: Callable[[Any], Any], verb: str, path: str, body: object
) -> None:
    made = stage([Answer(json=ROWS_OF_LISTS)])
    made.run(action)
    assert [(sent.verb, sent.url, sent.body) for sent in made.sent] == [(verb, f"{GATEWAY}/api{path}", body)]
    headers = made.sent[0].headers
    assert headers["x-api-key"] == API_KEY
    assert re.fullmatch("id-[0-9]", headers["correlation-id"])
    assert headers["payframe-version"] == "2026-11-27"
    assert ("idempotency-key" in headers) == (verb != "GET")
    assert headers.get("content-type") == (None if body is None else "application/json")
    assert "cookie" not in headers


def test_every_documented_call_has_a_method() -> None:
    made = {(verb, path.partition("?")[0]) for _, verb, path, _ in ROWS}
    missing = [
        (verb, path)
        for path, verbs in DOCUMENT["paths"].items()
        for verb in verbs
        if not any(known[0] == verb.upper() and _fits(path, known[1]) for known in made)
    ]
    assert missing == []


def _fits(template: str, path: str) -> bool:
    return re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), path) is not None


def test_a_span_of_time_is_added_to_what_the_clock_is_ahead_already(stage: NewStage) -> None:
    made = stage([Answer(json={"secondsAhead": 60})])
    made.run(lambda p: p.test_clock.advance(timedelta(days=1, milliseconds=1)))
    assert [sent.body for sent in made.sent] == [None, {"secondsAhead": 60 + 86_401}]


def test_time_does_not_go_back_and_an_instant_has_a_zone(stage: NewStage) -> None:
    made = stage([Answer()])
    assert made.error(lambda p: p.test_clock.advance(timedelta(seconds=-1))).member == "by"
    assert made.error(lambda p: p.test_clock.advance_to(datetime(2027, 1, 1))).member == "instant"
    assert made.sent == []


def test_a_given_idempotency_key_is_sent_as_it_is(stage: NewStage) -> None:
    made = stage([Answer()])
    made.run(lambda p: p.operations.refund("1", SUM, idempotency_key="refund of 1"))
    made.run(lambda p: p.operations.refund("1", SUM))
    made.run(lambda p: p.operations.refund("1", SUM))
    keys = [sent.headers["idempotency-key"] for sent in made.sent]
    assert keys[0] == "refund of 1"
    assert len(set(keys)) == 3


@pytest.mark.parametrize("key", ["", "x" * 64, "é", "a\nb", "a\n", 7])
def test_an_idempotency_key_that_the_gateway_would_refuse_is_refused(stage: NewStage, key: Any) -> None:
    made = stage([Answer()])
    error = made.error(lambda p: p.sessions.cancel("s", idempotency_key=key))
    assert (error.member, made.sent) == ("idempotency_key", [])


def test_the_default_idempotency_key_is_a_random_uuid(stage: NewStage) -> None:
    made = stage([Answer()], runtime=None)
    made.run(lambda p: p.sessions.cancel("s"))
    pattern = "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
    assert re.fullmatch(pattern, made.sent[0].headers["idempotency-key"])


def _with(method: str, *values: object) -> Callable[[Any], Any]:
    """A call of a method with values that no type checker has seen."""
    return lambda payframe: attrgetter(method)(payframe)(*values)


def test_an_id_can_not_change_the_path_of_a_call(stage: NewStage) -> None:
    made = stage([Answer()])
    for order_id in ("", ".", "..", None, 7, "\ud800"):
        assert made.error(_with("orders.read", order_id)).member == "order_id"
        assert made.error(_with("sessions.cancel", order_id)).member == "session_id"
    stepping = ["/orders/../..", "/%2e%2E/office", "//../x"]
    for path in ["orders", "/orders?x=1", "/a\\b", "/x#y", "/a b", "/x\n", "/é", 7, *stepping]:
        assert made.error(_with("call", "GET", path)).member == "path", path
    assert made.error(lambda p: p.call("HEAD", "/x")).member == "verb"
    assert made.error(lambda p: p.orders.read("x" * 20_000)).member == "path"
    assert made.error(lambda p: p.call("GET", "/x", query={"limit": 1.5})).member == "limit"
    made.run(lambda p: p.orders.read("a/../b"))
    made.run(lambda p: p.orders.read("%2e%2e"))
    wanted = [f"{GATEWAY}/api/orders/a%2F..%2Fb", f"{GATEWAY}/api/orders/%252e%252e"]
    assert [sent.url for sent in made.sent] == wanted


def test_a_list_answers_its_rows(stage: NewStage) -> None:
    made = stage([Answer(json=ROWS_OF_LISTS)])
    assert made.run(lambda p: p.orders.list()) == [1]
    assert made.run(lambda p: p.operations.list()) == [2]
    assert made.run(lambda p: p.links.list()) == [3]
    assert made.run(lambda p: p.operations.actions("1")) == [4]
    assert made.run(lambda p: p.links.renew("l")) == {"linkId": "l"}


@pytest.mark.parametrize(("cursor", "first"), [(None, ""), ("1-a", "?after=1-a")])
def test_events_are_read_page_by_page_until_there_is_none(stage: NewStage, cursor: str | None, first: str) -> None:
    made = stage(
        [
            Answer(json={"events": [{"cursor": "2-b"}, {"cursor": "3-c"}], "nextCursor": "3-c", "hasMore": True}),
            Answer(json={"events": [{"cursor": "4-d"}], "nextCursor": "4-d", "hasMore": False}),
        ]
    )
    read = made.run(lambda p: all_of(p.events.since(cursor)))
    assert [event["cursor"] for event in read] == ["2-b", "3-c", "4-d"]
    assert [sent.url for sent in made.sent] == [f"{GATEWAY}/api/events{first}", f"{GATEWAY}/api/events?after=3-c"]


def _held(stage: NewStage, *actions: tuple[str, str]) -> Stage:
    rows = [{"actionType": kind, "maxAmount": amount, "currency": "EUR"} for kind, amount in actions]
    return stage([Answer(json={"actions": rows}), Answer(json={"operationId": "2"})])


def test_a_void_releases_exactly_what_is_held(stage: NewStage) -> None:
    made = _held(stage, ("REFUND", "1000"), ("VOID", "2545"))
    answer = made.run(lambda p: p.operations.void("1", description="sold out", idempotency_key="k"))
    assert answer == {"operationId": "2"}
    (sent,) = made.writes()
    assert sent.body == {"amount": "2545", "currency": "EUR", "description": "sold out"}
    assert sent.headers["idempotency-key"] == "k"


@pytest.mark.parametrize(
    ("actions", "code"),
    [
        ([("CAPTURE", "1545"), ("REFUND", "2000")], "void_ambiguous"),
        ([("REFUND", "2000")], "nothing_to_void"),
    ],
)
def test_a_void_that_the_gateway_would_take_for_a_refund_is_not_sent(
    stage: NewStage, actions: list[tuple[str, str]], code: str
) -> None:
    made = _held(stage, *actions)
    assert made.error(lambda p: p.operations.void("1")).code == code
    assert made.writes() == []


def test_a_refund_of_an_order_that_was_seen_carries_its_version(stage: NewStage) -> None:
    made = stage([Answer(json={})])
    made.run(lambda p: p.operations.refund("1", SUM, order_version="5f2b8c1e"))
    assert made.sent[0].headers["if-match"] == '"5f2b8c1e"'
    for wrong in ("", 'a"b', "a b", "a\nb"):
        assert made.error(_refund(wrong)).member == "order_version"
    assert len(made.sent) == 1


def _refund(order_version: str) -> Callable[[Any], Any]:
    return lambda payframe: payframe.operations.refund("1", SUM, order_version=order_version)
