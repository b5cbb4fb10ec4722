"""Disputes and settlements: files are bytes, and lists are read to their end."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from conftest import NewStage
from stage import GATEWAY, Answer, all_of, refusal

BYTES = bytes(index * 7 % 256 for index in range(100_000))


def test_every_byte_of_a_file_arrives_as_it_was(stage: NewStage) -> None:
    made = stage([Answer(json={"file": {"fileId": "f"}, "content": base64.b64encode(BYTES).decode()})])
    made.run(lambda p: p.disputes.add_file("d", "a.pdf", BYTES))
    assert base64.b64decode(made.sent[0].body["content"], validate=True) == BYTES
    assert made.run(lambda p: p.disputes.read_file("f")) == {"file": {"fileId": "f"}, "content": BYTES}


@pytest.mark.parametrize("content", ["%PDF-", None, 7])
def test_a_content_that_is_no_bytes_is_not_sent(stage: NewStage, content: Any) -> None:
    made = stage([Answer()])
    assert made.error(lambda p: p.disputes.add_file("d", "a.pdf", content)).member == "content"
    assert made.sent == []


@pytest.mark.parametrize("answer", [{}, {"file": {}, "content": "%"}, {"file": {}, "content": 7}])
def test_a_content_that_is_no_base64_is_not_the_gateways(stage: NewStage, answer: object) -> None:
    error = stage([Answer(json=answer)]).error(lambda p: p.disputes.read_file("f"))
    assert (error.kind, error.code) == ("gateway", "unreadable_answer")


def test_the_error_of_a_file_that_the_gateway_refuses_has_the_member(stage: NewStage) -> None:
    sentence = "content is refused: the file must be a PDF document, or a PNG or JPEG picture"
    made = stage([refusal(400, "PS0026", sentence)])
    error = made.error(lambda p: p.disputes.add_file("d", "a.txt", b"a", idempotency_key="k"))
    found = (error.kind, error.code, error.member, error.idempotency_key, error.outcome_unknown)
    assert found == ("caller", "PS0026", "content", "k", False)


def test_a_removed_file_answers_nothing(stage: NewStage) -> None:
    assert stage([Answer()]).run(lambda p: p.disputes.remove_file("f")) is None


def test_disputes_are_read_page_by_page_until_there_is_none(stage: NewStage) -> None:
    made = stage(
        [
            Answer(json={"disputes": [{"disputeId": "c"}, {"disputeId": "b"}], "hasMore": True}),
            Answer(json={"disputes": [{"disputeId": "a"}], "hasMore": False}),
        ]
    )
    query = {"state": "WON"}
    read = made.run(lambda p: all_of(p.disputes.all(query)))
    assert [dispute["disputeId"] for dispute in read] == ["c", "b", "a"]
    assert _paths(made.sent) == ["/disputes?state=WON", "/disputes?state=WON&after=b"]
    assert query == {"state": "WON"}
    assert stage([Answer(json={"disputes": [], "hasMore": False})]).run(lambda p: all_of(p.disputes.all())) == []


def test_settlements_are_read_page_by_page_until_there_is_none(stage: NewStage) -> None:
    made = stage(
        [
            Answer(json={"settlements": [{"settlementId": "2"}], "nextCursor": "5-2"}),
            Answer(json={"settlements": [{"settlementId": "1"}]}),
        ]
    )
    read = made.run(lambda p: all_of(p.settlements.all()))
    assert [settlement["settlementId"] for settlement in read] == ["2", "1"]
    assert _paths(made.sent) == ["/settlements", "/settlements?after=5-2"]


def test_the_lines_of_a_settlement_are_read_page_by_page_until_there_is_none(stage: NewStage) -> None:
    made = stage(
        [
            Answer(json={"lines": [{"line": 2}, {"line": 3}], "nextCursor": "3"}),
            Answer(json={"lines": [{"line": 4}]}),
        ]
    )
    read = made.run(lambda p: all_of(p.settlements.lines("2", {"limit": 2})))
    assert [line["line"] for line in read] == [2, 3, 4]
    assert _paths(made.sent) == ["/settlements/2?limit=2", "/settlements/2?limit=2&after=3"]


def _paths(sent: list[Any]) -> list[str]:
    return [call.url.removeprefix(f"{GATEWAY}/api") for call in sent]
