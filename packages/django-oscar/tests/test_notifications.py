"""Notifications, the feed of events, and what is due: nothing that gets lost is missed."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any

import pytest
from buyer import Buyer, notify
from django.core.management import CommandError, call_command
from django.db import connection
from django.urls import reverse
from django.utils import timezone
from fake_gateway import FakeGateway
from oscar.core.loading import get_model

from payframe_oscar.book import book
from payframe_oscar.models import FeedPosition, Payment

Order = get_model("order", "Order")


def event_of(fake: FakeGateway) -> dict[str, Any]:
    """The newest event."""
    event: dict[str, Any] = fake.events[-1]["notification"]
    return event


def opened(shop: Any) -> Buyer:
    buyer = Buyer(shop)
    buyer.payment_page()
    return buyer


def test_a_notification_alone_is_enough(shop: Any, fake: FakeGateway) -> None:
    opened(shop)
    fake.pay("session-1")
    assert notify(event_of(fake)) == 204
    assert Order.objects.count() == 1


def test_a_forged_notification_asks_nothing(shop: Any, fake: FakeGateway) -> None:
    opened(shop)
    fake.pay("session-1")
    before = list(fake.calls)
    assert notify(event_of(fake), secret="whsec_YW5vdGhlci1zZWNyZXQtb2YtYS10aGllZg==") == 400
    assert notify(event_of(fake), body=b"{}") == 400
    assert fake.calls == before
    assert Order.objects.count() == 0


def test_a_notification_of_an_unknown_order_is_to_come_again(shop: Any, fake: FakeGateway) -> None:
    operation = {"operationId": "1" * 18, "orderId": "NOBODY"}
    assert notify({"eventId": "e", "eventType": "PAYMENT", "operation": operation}) == 404


def test_a_notification_that_is_not_about_money_is_nothing_to_a_shop(shop: Any, fake: FakeGateway) -> None:
    before = list(fake.calls)
    assert notify({"eventId": "e", "eventType": "TERMINAL_ATTACK", "attack": {"terminalId": "91000001"}}) == 204
    assert fake.calls == before


def test_only_posts_are_taken(shop: Any, fake: FakeGateway, client: Any) -> None:
    assert client.get(reverse("payframe:notifications")).status_code == 405


def test_a_lost_notification_is_not_missed(shop: Any, fake: FakeGateway) -> None:
    opened(shop)
    fake.pay("session-1")
    call_command("payframe_events")
    assert Order.objects.count() == 1
    assert FeedPosition.objects.get().cursor == "1"
    before = list(fake.calls)
    call_command("payframe_events")
    assert fake.calls[len(before) :] == ["GET /events"]


def test_events_of_other_shops_of_the_merchant_are_passed_over(shop: Any, fake: FakeGateway) -> None:
    opened(shop)
    fake.pay("session-1")
    fake.events[0]["notification"] = {"operation": {"orderId": "ANOTHER"}}
    fake.events.append({"cursor": "2", "eventId": "e", "eventType": "ORDER_FULFILMENT"})
    call_command("payframe_events")
    assert Order.objects.count() == 0
    assert FeedPosition.objects.get().cursor == "2"


def test_a_feed_that_is_not_there_is_said_so(shop: Any, fake: FakeGateway) -> None:
    fake.lost = {"GET /events"}
    with pytest.raises(CommandError, match="could not be read"):
        call_command("payframe_events")
    with pytest.raises(CommandError, match="--every"):
        call_command("payframe_events", every=0)


def test_an_order_that_nobody_pays_is_given_up_after_the_session_was_closed(shop: Any, fake: FakeGateway) -> None:
    buyer = opened(shop)
    Payment.objects.update(pay_by=timezone.now() - timedelta(seconds=1), wake_at=timezone.now())
    call_command("payframe_events")
    row = Payment.objects.get()
    assert (row.status, row.pay_by, row.wake_at) == ("GIVEN_UP", None, None)
    assert fake.sessions["session-1"]["state"] == "OVER"
    assert fake.orders[row.reference].fulfilment == ["CANCELED"]
    # The buyer can still pay, under a new id.
    buyer.payment_page()
    fake.pay("session-2")
    assert buyer.comes_back(f"{row.reference}-2").url == reverse("checkout:thank-you")


def test_a_payment_that_comes_just_before_the_time_out_is_kept(shop: Any, fake: FakeGateway) -> None:
    opened(shop)
    fake.pay("session-1")
    Payment.objects.update(pay_by=timezone.now() - timedelta(seconds=1), wake_at=timezone.now())
    book().wake()
    assert Order.objects.count() == 1
    assert Payment.objects.get().status == "PAID"


def test_what_the_gateway_did_not_answer_is_done_again_with_the_same_key(shop: Any, fake: FakeGateway) -> None:
    buyer = opened(shop)
    buyer.add()
    fake.pay("session-1")
    fake.lost = {"POST /operations"}
    row = Payment.objects.get()
    buyer.comes_back(row.reference)
    row.refresh_from_db()
    assert (row.status, len(row.outbox)) == ("GIVING_BACK", 1)
    fake.lost = set()
    Payment.objects.update(work_at=timezone.now(), wake_at=timezone.now())
    book().wake()
    row.refresh_from_db()
    assert row.outbox == []
    assert fake.orders[row.reference].authorized == 0


def test_two_servers_at_the_same_time_place_one_order(shop: Any, fake: FakeGateway) -> None:
    opened(shop)
    fake.pay("session-1")
    event, together, statuses = event_of(fake), threading.Barrier(4), []

    def server() -> None:
        together.wait()
        try:
            statuses.append(notify(event))
        finally:
            connection.close()

    servers = [threading.Thread(target=server) for _ in range(4)]
    for one in servers:
        one.start()
    for one in servers:
        one.join()
    assert statuses == [204] * 4
    assert Order.objects.count() == 1
    row = Payment.objects.get()
    assert (row.status, row.outbox, row.needs_person) == ("PAID", [], "")
    assert row.order.sources.get().transactions.count() == 1
