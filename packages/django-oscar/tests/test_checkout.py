"""A buyer pays: from the basket to the order."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from buyer import Buyer, account, notify
from django.core import mail
from django.db import connections
from django.test import Client
from django.urls import reverse
from fake_gateway import FakeGateway, FakeOrder
from oscar.core.loading import get_class, get_model

from payframe_oscar.book import book
from payframe_oscar.models import Payment

Order = get_model("order", "Order")
Basket = get_model("basket", "Basket")


def paid(buyer: Buyer, fake: FakeGateway) -> Payment:
    """The buyer pays in the form and comes back."""
    buyer.payment_page()
    fake.pay(fake.newest_session())
    row = Payment.objects.latest("created_at")
    assert buyer.comes_back(row.reference).status_code == 302
    row.refresh_from_db()
    return row


def test_a_guest_pays_and_has_the_order(shop: Any, fake: FakeGateway) -> None:
    buyer = Buyer(shop)
    page = buyer.payment_page()
    assert b'<payment-form session="session-1">' in page.content
    assert b"https://gateway.example/sdk/payframe.js" in page.content
    row = Payment.objects.get()
    request = fake.requests[0]
    assert request["order"] == {"orderId": row.reference, "amount": "3545", "currency": "EUR"}
    assert request["paymentSession"]["notificationUrl"] == "https://shop.example/payframe/notifications/"
    assert request["merchantUrl"] == "https://shop.example"
    assert "savedCards" not in request["form"]
    assert Order.objects.count() == 0

    fake.pay("session-1")
    answer = buyer.comes_back(row.reference)
    assert (answer.status_code, answer.url) == (302, reverse("checkout:thank-you"))
    order = Order.objects.get()
    assert (order.number, order.total_incl_tax) == (row.order_number, Decimal("35.45"))
    assert order.guest_email == "guest@example.com"
    assert order.shipping_address.line1 == "Way 1"
    assert order.status == "Pending"
    assert order.basket.status == Basket.SUBMITTED
    assert order.lines.get().stockrecord.num_allocated == 1
    source = order.sources.get()
    assert (source.reference, source.amount_allocated, source.amount_debited) == (row.reference, Decimal("35.45"), 0)
    assert [(one.txn_type, one.amount) for one in source.transactions.all()] == [("Authorise", Decimal("35.45"))]
    assert b"Your order has been placed" in buyer.client.get(answer.url).content
    assert [message.to for message in mail.outbox] == [["guest@example.com"]]
    assert fake.orders[row.reference].fulfilment == ["FULFILLED"]


def test_an_order_is_placed_once_whoever_tells_of_it_and_however_often(shop: Any, fake: FakeGateway) -> None:
    buyer = Buyer(shop)
    buyer.payment_page()
    fake.pay("session-1")
    event = fake.events[0]["notification"]
    assert [notify(event), notify(event)] == [204, 204]
    assert Order.objects.count() == 1
    assert buyer.comes_back(Payment.objects.get().reference).url == reverse("checkout:thank-you")
    assert notify(event) == 204
    assert Order.objects.count() == 1
    assert len(mail.outbox) == 1
    assert fake.orders[event["operation"]["orderId"]].fulfilment == ["FULFILLED"]


def test_the_page_shows_the_same_form_again_and_opens_one_session(shop: Any, fake: FakeGateway) -> None:
    buyer = Buyer(shop)
    buyer.payment_page()
    assert b'session="session-1"' in buyer.payment_page().content
    assert list(fake.sessions) == ["session-1"]


def test_the_open_form_gets_the_new_sum_of_the_basket(shop: Any, fake: FakeGateway) -> None:
    buyer = Buyer(shop)
    buyer.payment_page()
    buyer.add()
    buyer.payment_page()
    assert fake.sessions["session-1"]["amount"] == "7090"
    fake.pay("session-1")
    buyer.comes_back(Payment.objects.get().reference)
    assert Order.objects.get().total_incl_tax == Decimal("70.90")


def test_what_is_paid_for_a_basket_that_has_changed_goes_back(shop: Any, fake: FakeGateway) -> None:
    buyer = Buyer(shop)
    buyer.payment_page()
    buyer.add()
    fake.pay("session-1")
    first = Payment.objects.get().reference
    assert buyer.comes_back(first).url == reverse("basket:summary")
    assert Order.objects.count() == 0
    assert (fake.orders[first].authorized, fake.orders[first].refunded) == (0, 0)

    row = Payment.objects.get(pk=first)
    book().look(first)
    row.refresh_from_db()
    assert row.status == "REFUNDED"
    buyer.payment_page()
    fake.pay(fake.newest_session())
    assert buyer.comes_back(f"{first}-2").url == reverse("checkout:thank-you")
    assert Order.objects.get().total_incl_tax == Decimal("70.90")


def test_a_refusal_is_no_order_and_can_be_tried_again(shop: Any, fake: FakeGateway) -> None:
    buyer = Buyer(shop)
    buyer.payment_page()
    fake.pay("session-1", "DECLINED")
    reference = Payment.objects.get().reference
    assert buyer.comes_back(reference).url == reverse("checkout:payment-details")
    assert Order.objects.count() == 0
    buyer.payment_page()
    fake.pay("session-1")
    assert buyer.comes_back(reference).url == reverse("checkout:thank-you")


def test_a_session_that_was_cancelled_is_followed_by_another(shop: Any, fake: FakeGateway) -> None:
    buyer = Buyer(shop)
    buyer.payment_page()
    fake.sessions["session-1"]["state"] = "OVER"
    assert b'session="session-2"' in buyer.payment_page().content
    fake.pay("session-2")
    assert buyer.comes_back(Payment.objects.get().reference).url == reverse("checkout:thank-you")


def test_an_issuer_that_does_not_decide_is_waited_for(shop: Any, fake: FakeGateway) -> None:
    buyer = Buyer(shop)
    buyer.payment_page()
    operation = fake.pay("session-1", "PENDING")
    reference = Payment.objects.get().reference
    assert b"Your payment is on its way" in buyer.comes_back(reference).content
    assert b"has not decided" in buyer.payment_page().content
    operation["operationResult"] = "AUTHORIZED"
    assert buyer.comes_back(reference).url == reverse("checkout:thank-you")


def test_a_part_payment_calls_a_person_and_is_no_order(shop: Any, fake: FakeGateway) -> None:
    buyer = Buyer(shop)
    buyer.payment_page()
    fake.pay("session-1", amount=1000)
    row = Payment.objects.get()
    assert buyer.comes_back(row.reference).url == reverse("basket:summary")
    row.refresh_from_db()
    assert (row.status, row.needs_person) == ("PARTLY_PAID", "TOO_LITTLE")
    assert Order.objects.count() == 0


def test_only_the_buyer_is_led_to_the_order(shop: Any, fake: FakeGateway) -> None:
    row = paid(Buyer(shop), fake)
    assert Buyer(shop).comes_back(row.reference).url == reverse("basket:summary")


def test_a_customer_has_saved_cards_and_the_order(shop: Any, fake: FakeGateway) -> None:
    user = account("ada@example.com")
    row = paid(Buyer(shop, user=user), fake)
    assert fake.requests[0]["order"]["customerId"] == f"u{user.pk}"
    assert fake.requests[0]["form"]["savedCards"] == "USE_AND_REMOVE"
    assert row.order.user == user
    assert user.addresses.get().line1 == "Way 1"


def test_goods_that_are_sold_out_meanwhile_are_not_sold(shop: Any, fake: FakeGateway) -> None:
    buyer = Buyer(shop)
    buyer.payment_page()
    shop.stockrecords.update(num_in_stock=0)
    fake.pay("session-1")
    buyer.comes_back(Payment.objects.get().reference)
    assert Order.objects.count() == 0
    order = next(iter(fake.orders.values()))
    assert (order.authorized, order.refunded) == (0, 0)


def test_what_is_free_needs_no_payment_and_nothing_else_is_placed_by_the_preview(shop: Any, fake: FakeGateway) -> None:
    buyer = Buyer(shop)
    answer = buyer.client.post(reverse("checkout:preview"), {"action": "place_order"})
    assert answer.url == reverse("checkout:payment-details")
    assert Order.objects.count() == 0
    shop.stockrecords.update(price=0)
    assert buyer.payment_page().url == reverse("checkout:preview")
    buyer.client.post(reverse("checkout:preview"), {"action": "place_order"})
    assert Order.objects.get().total_incl_tax == 0
    assert fake.calls == []


def test_a_gateway_that_is_not_there_is_said_so(shop: Any, fake: FakeGateway, caplog: pytest.LogCaptureFixture) -> None:
    fake.lost = {"POST /orders/build"}
    page = Buyer(shop).payment_page()
    assert b"can not be started at the moment" in page.content
    assert "timeout" in caplog.text
    assert "whsec_" not in caplog.text


def test_a_sum_with_a_fraction_of_the_minor_unit_is_not_rounded(shop: Any, fake: FakeGateway) -> None:
    shop.stockrecords.update(price_currency="JPY")
    assert b"can not be started at the moment" in Buyer(shop).payment_page().content
    assert fake.calls == []


def test_an_order_of_another_shop_of_the_merchant_pays_nothing_here(shop: Any, fake: FakeGateway) -> None:
    # The same number, of a shop that has the same merchant, or of this shop before its database was made anew.
    buyer = Buyer(shop)
    number = str(100000 + Basket.objects.get().pk)
    fake.orders[number] = FakeOrder(number, "EUR")
    fake.operate(fake.orders[number], "AUTHORIZATION", "AUTHORIZED", 999999)
    buyer.payment_page()
    row = Payment.objects.get()
    assert row.reference == f"{number}-2"
    assert notify(fake.events[-1]["notification"]) == 404
    assert Order.objects.count() == 0
    fake.pay("session-1")
    assert buyer.comes_back(row.reference).url == reverse("checkout:thank-you")
    assert Order.objects.get().number == number


def test_a_shop_whose_generator_counts_has_one_number_for_each_basket(
    shop: Any, fake: FakeGateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = iter(range(7000, 8000))
    generator = get_class("order.utils", "OrderNumberGenerator")
    monkeypatch.setattr(generator, "order_number", lambda *_: next(numbers))
    buyer = Buyer(shop)
    for _ in range(3):
        buyer.payment_page()
    assert [row.reference for row in Payment.objects.all()] == ["7000"]


def test_views_work_in_a_shop_whose_requests_are_transactions(
    shop: Any, fake: FakeGateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(connections.settings["default"], "ATOMIC_REQUESTS", True)
    row = paid(Buyer(shop), fake)
    assert row.order is not None
    assert notify(fake.events[-1]["notification"]) == 204
    staff = account("staff@example.com", is_staff=True, is_superuser=True)
    client = Client()
    client.force_login(staff)
    page = reverse("payframe:card-payment", kwargs={"reference": row.reference})
    assert client.post(page, {"action": "cancel"}).status_code == 302
    assert fake.orders[row.reference].authorized == 0


def test_the_staff_cancels_before_it_is_paid(shop: Any, fake: FakeGateway) -> None:
    buyer = Buyer(shop)
    buyer.payment_page()
    row = Payment.objects.get()
    book().cancel(row.reference)
    row.refresh_from_db()
    assert (row.status, fake.sessions["session-1"]["state"]) == ("GIVEN_UP", "OVER")


def test_a_failure_of_the_shop_leaves_no_order_and_is_tried_again(
    shop: Any, fake: FakeGateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    from payframe_oscar import ledger

    buyer = Buyer(shop)
    buyer.payment_page()
    fake.pay("session-1")
    row = Payment.objects.get()

    def fail(*_: object) -> None:
        raise RuntimeError("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(ledger, "record", fail)
        assert b"Your payment is on its way" in buyer.comes_back(row.reference).content
    row.refresh_from_db()
    assert (Order.objects.count(), row.status, row.needs_person) == (0, "PAID", "NOT_PLACED")
    Payment.objects.update(wake_at=row.created_at)
    book().wake()
    row.refresh_from_db()
    assert (Order.objects.count(), row.needs_person, row.outbox) == (1, "", [])
    assert len(mail.outbox) == 1
