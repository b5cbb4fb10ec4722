"""The order book of the example shop, with a gateway whose answers are the test's."""

from __future__ import annotations

from typing import Any

import pytest
from order_book import OrderBook, Row
from stage import LOST, Answer, Stage, Step

from payframe import PayframeError, Session, money


def _sale(operation_id: str) -> dict[str, str]:
    return {
        "operationId": operation_id,
        "operationType": "AUTHORIZATION",
        "operationResult": "EXECUTED",
        "operationAmount": "3545",
    }


FIRST, SECOND = _sale("347074400000000001"), _sale("347074400000000002")


def _order(authorized: str, refunded: str, *newest_first: dict[str, str]) -> Answer:
    status = {"order": {"currency": "EUR"}, "authorizedAmount": authorized, "refundedAmount": refunded}
    return Answer(json={"orderStatus": status, "operations": list(newest_first)})


def _book(*steps: Step) -> tuple[OrderBook, Row, Stage, list[Any]]:
    stage = Stage("threads", list(steps), max_retries=0)
    reported: list[Any] = []
    payframe: Any = stage.payframe
    orders = OrderBook(payframe, reported.append)
    return orders, orders.place("A1", money(3545, "EUR"), 600), stage, reported


def test_a_second_charge_is_given_back_with_one_key_also_when_the_first_try_fails() -> None:
    both = _order("7090", "0", SECOND, FIRST)
    after = _order("7090", "3545", SECOND, FIRST)
    orders, row, stage, reported = _book(
        both, Answer(json={"state": "FULFILLED"}), Answer(503), Answer(json={"operationId": "1"}), after
    )
    orders.happens(row, {"type": "NOTIFICATION"})
    assert (row.order["status"], row.shipped, len(row.outbox)) == ("PAID", 1, 1)
    assert [problem.status for problem in reported] == [503]
    orders.happens(row, {"type": "RETURN_PAGE"})
    told = [sent for sent in stage.writes() if sent.verb == "PUT"]
    assert [(sent.url.split("/api")[1], sent.body) for sent in told] == [
        ("/orders/A1/fulfilment", {"state": "FULFILLED"})
    ]
    refunds = [sent for sent in stage.writes() if sent.verb == "POST"]
    assert len(refunds) == 2
    for sent in refunds:
        assert sent.url.endswith("/operations/347074400000000002/refunds")
        assert sent.body == {"amount": "3545", "currency": "EUR"}
        assert sent.headers["idempotency-key"] == "give back 347074400000000002"
    assert (row.order["status"], row.shipped, len(row.outbox)) == ("PAID", 1, 0)


def test_an_order_that_is_paid_when_a_further_attempt_is_built_is_read_at_once() -> None:
    def refused() -> Session:
        raise PayframeError("an approved payment", kind="caller", code="GW9006")

    orders, row, _, _ = _book(_order("3545", "0", FIRST))
    with pytest.raises(PayframeError):
        orders.pay(row, refused)
    assert (row.order["status"], row.shipped, row.order["open"]) == ("PAID", 1, [])


def test_a_gateway_that_does_not_answer_is_asked_again_and_a_person_is_called_when_it_can_not_be_understood() -> None:
    orders, row, _, reported = _book(LOST, Answer(json={"orderStatus": {}}))
    orders.happens(row, {"type": "FEED"})
    assert (row.order["status"], row.order["asked"], len(reported)) == ("UNPAID", 2, 1)
    orders.happens(row, {"type": "FEED"})
    assert (row.order["statusDetail"], reported[1]) == ("UNREADABLE", "Order A1 needs a person: UNREADABLE")
