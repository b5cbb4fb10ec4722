"""Disputes and settlements of a gateway that runs in the sandbox. ``sandbox.py`` has the variables."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from live.sandbox import API_KEY, GATEWAY, captured, new_order_id

from payframe import AsyncPayframe, Payframe, PayframeError

PDF = b"%PDF-1.7 a delivery note"


@pytest.fixture
def payframe() -> Iterator[Payframe]:
    with Payframe(gateway=GATEWAY, api_key=API_KEY) as client:
        yield client


def refused(action: Callable[[], Any]) -> tuple[str, str | None]:
    """Code and member of the refusal of a call."""
    with pytest.raises(PayframeError) as caught:
        action()
    return caught.value.code, caught.value.member


def test_a_dispute_is_opened_answered_decided_and_told_of_in_the_feed(payframe: Payframe) -> None:
    order_id = new_order_id()
    operation_id = captured(payframe, order_id)
    cursor = payframe.events.list({"after": "latest"})["nextCursor"]
    opened = payframe.test_disputes.open({"operationId": operation_id, "category": "FRAUD", "reasonCode": "10.4"})
    dispute_id = opened["disputeId"]
    assert (opened["state"], opened["kind"], opened["amount"]) == ("NEEDS_RESPONSE", "CHARGEBACK", "3545")
    assert payframe.disputes.list({"orderId": order_id})["disputes"] == [opened]
    assert refused(lambda: payframe.operations.refund(operation_id, {"amount": "3545"}))[0] == "GW9014"
    assert payframe.orders.read(order_id).get("disputedAmount") == "3545"

    key = f"file of {order_id}"
    file = payframe.disputes.add_file(dispute_id, "delivery note.pdf", PDF, idempotency_key=key)
    assert payframe.disputes.add_file(dispute_id, "delivery note.pdf", PDF, idempotency_key=key) == file
    assert (file["mediaType"], file["size"]) == ("application/pdf", len(PDF))
    assert payframe.disputes.read_file(file["fileId"]) == {"file": file, "content": PDF}
    other = payframe.disputes.add_file(dispute_id, "twice.pdf", PDF)
    payframe.disputes.remove_file(other["fileId"])
    assert refused(lambda: payframe.disputes.read_file(other["fileId"])) == ("not_found", None)
    text = refused(lambda: payframe.disputes.add_file(dispute_id, "note.txt", b"a note"))
    assert text == ("PS0026", "content")

    answered = payframe.disputes.submit_evidence(dispute_id, {"delivery": "handed over at the counter"})
    assert (answered["state"], answered.get("files")) == ("UNDER_REVIEW", [file])
    assert refused(lambda: payframe.disputes.accept(dispute_id))[0] == "GW9003"
    assert payframe.test_disputes.decide(dispute_id, "WON")["state"] == "WON"
    assert payframe.disputes.read(dispute_id)["state"] == "WON"
    told = [event["dispute"] for event in payframe.events.since(cursor) if "dispute" in event]
    states = [dispute["state"] for dispute in told if dispute["disputeId"] == dispute_id]
    assert states == ["NEEDS_RESPONSE", "UNDER_REVIEW", "WON"]


def test_a_dispute_is_accepted_and_all_are_read_page_by_page(payframe: Payframe) -> None:
    order_id = new_order_id()
    operation_id = captured(payframe, order_id)
    opened = [
        payframe.test_disputes.open({"operationId": operation_id, "amount": amount})["disputeId"]
        for amount in ("1000", "2000", "545")
    ]
    assert payframe.disputes.accept(opened[2])["state"] == "ACCEPTED"
    read = payframe.disputes.all({"orderId": order_id, "limit": 1})
    assert [dispute["disputeId"] for dispute in read] == opened[::-1]


def test_an_asyncio_server_answers_a_dispute(payframe: Payframe) -> None:
    operation_id = captured(payframe, new_order_id())

    async def answered() -> tuple[bytes, str]:
        async with AsyncPayframe(gateway=GATEWAY, api_key=API_KEY) as client:
            dispute = await client.test_disputes.open({"operationId": operation_id})
            file = await client.disputes.add_file(dispute["disputeId"], "note.pdf", PDF)
            content = (await client.disputes.read_file(file["fileId"]))["content"]
            await client.disputes.submit_evidence(dispute["disputeId"])
            return content, (await client.test_disputes.decide(dispute["disputeId"], "LOST"))["state"]

    assert asyncio.run(answered()) == (PDF, "LOST")


def test_no_settlement_is_imported(payframe: Payframe) -> None:
    assert payframe.settlements.list({"limit": 10})["settlements"] == []
    assert list(payframe.settlements.all()) == []
    assert refused(lambda: payframe.settlements.read("347074400000000000")) == ("not_found", None)
    assert refused(lambda: payframe.settlements.list({"after": "x"})) == ("PS0026", "after")
