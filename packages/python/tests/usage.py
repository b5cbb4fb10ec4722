"""A merchant's program, for type checkers alone: what is right is accepted, and each wrong line is an error.

It is never run. A wrong line that a checker accepts leaves its comment unused, which is an error too.
"""

from __future__ import annotations

from typing_extensions import assert_type

from payframe import (
    AsyncPayframe,
    Dispute,
    DisputeFile,
    ErrorKind,
    Notice,
    Notification,
    Operation,
    Order,
    Payframe,
    PayframeError,
    Session,
    SettlementLine,
    money,
    verify_notification,
)

payframe = Payframe(api_key="k", gateway="https://gateway.example", timeout=10, max_retries=1)
Payframe(api_key="k")  # type: ignore[call-arg]
Payframe(api_key="k", gateway="https://gateway.example", retries=1)  # type: ignore[call-arg]

price = money(3545, "EUR")
money(35.45, "EUR")  # type: ignore[arg-type]
session = payframe.sessions.create({
    "merchantUrl": "https://shop.example",
    "order": {"orderId": "A1", "amount": "1", "currency": "EUR", "customerInfo": {"cardHolderName": "Anna Rossi"}},
    "paymentSession": {"amount": "1", "paymentService": "CARDS", "resultUrl": "https://a", "cancelUrl": "https://b"},
    "form": {"closing": "FRAME", "attempts": 3},
})
assert_type(session, Session)
payframe.sessions.create({"merchantUrl": "https://shop.example"})  # type: ignore[typeddict-item]
payframe.operations.refund("1", {"amount": 35.45})  # type: ignore[typeddict-item]
payframe.operations.capture("1", price, idempotency_key="capture of A1")
payframe.links.list({"status": "OPEN"})  # type: ignore[arg-type]
payframe.call("HEAD", "/x")  # type: ignore[arg-type]

order = payframe.orders.read("A1")
assert_type(order, Order)
assert_type(order["operations"], list[Operation])

for dispute in payframe.disputes.all({"state": "NEEDS_RESPONSE"}):
    assert_type(dispute, Dispute)
    assert_type(payframe.disputes.add_file(dispute["disputeId"], "note.pdf", b"%PDF-"), DisputeFile)
    assert_type(payframe.disputes.read_file("f")["content"], bytes)
    payframe.disputes.submit_evidence(dispute["disputeId"], {"delivery": "by hand"}, idempotency_key="answer to 1")
payframe.disputes.list({"state": "OPEN"})  # type: ignore[arg-type]
payframe.disputes.add_file("d", "note.pdf", "%PDF-")  # type: ignore[arg-type]
payframe.disputes.submit_evidence("d", {"proof": "none"})  # type: ignore[arg-type]
payframe.test_disputes.open({"kind": "INQUIRY"})  # type: ignore[typeddict-item]
payframe.test_disputes.decide("d", "DRAWN")  # type: ignore[arg-type]
for line in payframe.settlements.lines("347074400000000001"):
    assert_type(line, SettlementLine)
    assert_type(line["grossAmount"], str)

try:
    event = verify_notification({"webhook-id": "1"}, b"", ["whsec_"])
    assert_type(event, Notification | Notice)
    assert_type(event.get("operation"), Operation | None)
except PayframeError as error:
    kind: ErrorKind = error.kind
    error.code = "x"  # type: ignore[misc]


async def usage() -> None:
    async with AsyncPayframe(api_key="k", gateway="https://gateway.example") as client:
        assert_type(await client.orders.list(), list[Order])  # type: ignore[assert-type]
        assert_type(await client.operations.list({"operationType": "REFUND"}), list[Operation])
        async for dispute in client.disputes.all():
            assert_type(dispute, Dispute)
        assert_type(await client.disputes.read("d"), Dispute)
