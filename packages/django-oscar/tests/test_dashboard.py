"""The staff: captures, refunds, releases, cancels, and compares the books."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

import pytest
from buyer import Buyer, account
from django.contrib.auth.models import Permission
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from fake_gateway import FakeGateway
from oscar.core.loading import get_model

from payframe_oscar.differences import ShopSide, compare
from payframe_oscar.models import Payment

Order = get_model("order", "Order")


class Staff:
    """Somebody of the staff, at the page of a payment."""

    def __init__(self, reference: str) -> None:
        self.client = Client()
        self.client.force_login(account("staff@example.com", is_staff=True, is_superuser=True))
        self.url = reverse("payframe:card-payment", kwargs={"reference": reference})

    def page(self) -> str:
        return self.client.get(self.url).content.decode()

    def version(self) -> str:
        found = re.search(r'name="version" value="([^"]*)"', self.page())
        return found[1] if found else ""

    def does(self, action: str, amount: str = "", **more: str) -> str:
        """Presses a button, and reads the page that follows."""
        data = {"action": action, "version": self.version(), "amount": amount, **more}
        return self.client.post(self.url, data, follow=True).content.decode()


@pytest.fixture
def row(shop: Any, fake: FakeGateway) -> Payment:
    """A paid order."""
    buyer = Buyer(shop)
    buyer.payment_page()
    fake.pay("session-1")
    row = Payment.objects.get()
    buyer.comes_back(row.reference)
    row.refresh_from_db()
    assert row.order is not None
    return row


def sums(row: Payment) -> tuple[Decimal, Decimal, Decimal]:
    """What the books of django-oscar say."""
    source = row.order.sources.get()
    return source.amount_allocated, source.amount_debited, source.amount_refunded


def no_differences(fake: FakeGateway, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("payframe_differences")
    assert capsys.readouterr().out == "0 differences\n"


def test_a_payment_is_captured_in_parts_and_given_back_in_parts(
    row: Payment, fake: FakeGateway, capsys: pytest.CaptureFixture[str]
) -> None:
    staff = Staff(row.reference)
    assert "30.00 EUR captured." in staff.does("capture", "30")
    assert "5.45 EUR captured." in staff.does("capture", "5.45")
    assert sums(row) == (Decimal("35.45"), Decimal("35.45"), 0)
    assert "20.00 EUR given back." in staff.does("refund", "20.00")
    assert "15.45 EUR given back." in staff.does("refund", "15.45", went_back="on")
    assert sums(row) == (Decimal("35.45"), Decimal("35.45"), Decimal("35.45"))
    kinds = row.order.sources.get().transactions.order_by("pk").values_list("txn_type", flat=True)
    assert list(kinds) == ["Authorise", "Debit", "Debit", "Refund", "Refund"]
    assert fake.orders[row.reference].fulfilment == ["FULFILLED", "RETURNED"]
    no_differences(fake, capsys)


def test_a_second_press_of_the_same_page_is_the_same_call(row: Payment, fake: FakeGateway) -> None:
    staff = Staff(row.reference)
    staff.does("capture", "35.45")
    version = staff.version()
    for _ in range(2):
        staff.client.post(staff.url, {"action": "refund", "version": version, "amount": "10"})
    assert fake.orders[row.reference].refunded == 1000


def test_nothing_is_done_if_the_order_has_changed_since_the_page_was_shown(row: Payment, fake: FakeGateway) -> None:
    staff = Staff(row.reference)
    staff.does("capture", "35.45")
    version = staff.version()
    staff.does("refund", "10")
    data = {"action": "refund", "version": version, "amount": "5"}
    assert "has changed since this page was shown" in staff.client.post(staff.url, data, follow=True).content.decode()
    assert fake.orders[row.reference].refunded == 1000


def test_the_rest_is_released(row: Payment, fake: FakeGateway, capsys: pytest.CaptureFixture[str]) -> None:
    staff = Staff(row.reference)
    staff.does("capture", "30")
    assert "as this is still held" in staff.does("refund", "5.45")
    assert "A part is captured" in staff.does("cancel")
    assert "is released" in staff.does("release")
    assert sums(row) == (Decimal("30.00"), Decimal("30.00"), 0)
    no_differences(fake, capsys)


def test_an_order_is_cancelled_and_its_stock_is_free(
    row: Payment, fake: FakeGateway, capsys: pytest.CaptureFixture[str]
) -> None:
    staff = Staff(row.reference)
    assert "its money goes back" in staff.does("cancel")
    assert fake.orders[row.reference].authorized == 0
    staff.does("look")
    row.refresh_from_db()
    assert row.status == "REFUNDED"
    assert row.order.status == "Cancelled"
    assert row.order.lines.get().stockrecord.num_allocated == 0
    assert fake.orders[row.reference].fulfilment == ["FULFILLED", "CANCELED"]
    assert "Cancel the order" not in staff.page()
    no_differences(fake, capsys)


def test_a_captured_order_is_cancelled_by_a_refund(row: Payment, fake: FakeGateway) -> None:
    staff = Staff(row.reference)
    staff.does("capture", "35.45")
    staff.does("cancel")
    assert fake.orders[row.reference].refunded == 3545


@pytest.mark.parametrize(
    ("amount", "said"),
    [
        ("0", "above 0"),
        ("-1", "no sum"),
        ("35.46", "at most 35.45 EUR"),
        ("1.005", "no sum"),
        ("", "required"),
        ("x", "number"),
    ],
)
def test_a_wrong_sum_is_said_beside_it(row: Payment, fake: FakeGateway, amount: str, said: str) -> None:
    assert said in Staff(row.reference).does("capture", amount)
    assert fake.orders[row.reference].captured == 0


def test_an_action_that_there_is_not_is_refused(row: Payment, fake: FakeGateway) -> None:
    assert "There is no such action." in Staff(row.reference).does("explode")


def test_a_gateway_that_does_not_answer_is_said_so(row: Payment, fake: FakeGateway) -> None:
    staff = Staff(row.reference)
    version = staff.version()
    fake.lost = {"POST /operations"}
    data = {"action": "capture", "version": version, "amount": "35.45"}
    assert "did not answer" in staff.client.post(staff.url, data, follow=True).content.decode()
    fake.lost = set()
    assert "captured." in staff.does("capture", "35.45")
    assert fake.orders[row.reference].captured == 3545


def test_pages_are_for_the_staff(row: Payment, fake: FakeGateway, client: Any) -> None:
    pages = [reverse("payframe:card-payments"), reverse("payframe:card-differences"), Staff(row.reference).url]
    for page in pages:
        assert client.get(page).status_code == 302
    client.force_login(account("ada@example.com"))
    for page in pages:
        assert client.get(page).status_code == 403
    assert client.post(pages[2], {"action": "cancel"}).status_code == 403
    # Somebody who may see orders, and not change them.
    viewer = account("viewer@example.com", is_staff=True)
    viewer.user_permissions.add(Permission.objects.get(codename="view_order"))
    client.force_login(viewer)
    assert client.get(pages[2]).status_code == 200
    assert client.post(pages[2], {"action": "cancel"}).status_code == 403
    assert fake.orders[row.reference].authorized == 3545


def test_lists_and_reports(row: Payment, fake: FakeGateway) -> None:
    staff = Staff(row.reference)
    assert row.reference in staff.client.get(reverse("payframe:card-payments")).content.decode()
    detail = reverse("dashboard:order-detail", kwargs={"number": row.order.number})
    assert staff.url in staff.client.get(detail).content.decode()
    report = reverse("payframe:card-differences")
    assert "No differences." in staff.client.get(report).content.decode()
    assert "No differences." in staff.client.get(report, {"days": "many"}).content.decode()
    row.order.sources.update(amount_debited=1)
    assert "SUMS_DIFFER" in staff.client.get(report).content.decode()
    staff.does("look")
    assert "No differences." in staff.client.get(report).content.decode()
    assert staff.client.get(reverse("payframe:card-payment", kwargs={"reference": "NOBODY"})).status_code == 404


def test_the_command_ends_with_1_if_there_is_a_difference(row: Payment, fake: FakeGateway) -> None:
    row.order.sources.update(amount_debited=1)
    with pytest.raises(SystemExit) as ended:
        call_command("payframe_differences")
    assert ended.value.code == 1


def test_what_the_back_office_of_the_gateway_does_is_in_the_books(row: Payment, fake: FakeGateway) -> None:
    order = fake.orders[row.reference]
    fake.operate(order, "CAPTURE", "EXECUTED", 3545)
    call_command("payframe_events")
    assert sums(row) == (Decimal("35.45"), Decimal("35.45"), 0)


def status(authorized: int = 0, captured: int = 0, refunded: int = 0) -> Any:
    """Sums of the gateway."""
    return {"authorizedAmount": str(authorized), "capturedAmount": str(captured), "refundedAmount": str(refunded)}


PLACED = ShopSide("1", "EUR", "PAID", "", True, (Decimal("35.45"), Decimal("0.00"), Decimal("0.00")))
OPEN = ShopSide("1", "EUR", "PAYING", "", False, None)


@pytest.mark.parametrize(
    ("shop_side", "gateway", "kinds"),
    [
        (PLACED, status(3545), []),
        (OPEN, None, []),
        (OPEN, status(), []),
        (OPEN, status(3545), ["PAID_NOT_PLACED"]),
        (PLACED, None, ["PLACED_UNPAID"]),
        (PLACED, status(), ["PLACED_UNPAID", "SUMS_DIFFER"]),
        (PLACED, status(3545, 3545), ["SUMS_DIFFER"]),
        (ShopSide("1", "EUR", "PARTLY_PAID", "TOO_LITTLE", False, None), status(), ["NEEDS_PERSON"]),
        (ShopSide("1", "EUR", "REFUNDED", "", True, (Decimal("0.00"),) * 3), status(), []),  # type: ignore[arg-type]
    ],
)
def test_books_are_compared(shop_side: ShopSide, gateway: Any, kinds: list[str]) -> None:
    assert [difference.kind for difference in compare(shop_side, gateway)] == kinds


def test_a_payment_of_this_moment_is_no_difference() -> None:
    assert list(compare(OPEN, status(3545), is_settled=False)) == []
