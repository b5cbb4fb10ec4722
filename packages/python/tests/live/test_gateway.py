"""The package against a gateway that runs in the sandbox, with faults allowed. ``sandbox.py`` has the variables."""

from __future__ import annotations

import asyncio
import queue
import re
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from http.server import HTTPServer
from typing import Any

import httpx
import pytest
from live.buyer import APPROVED, NO_FUNDS, enter_card
from live.sandbox import (
    API,
    API_KEY,
    GATEWAY,
    SECRET,
    Faulty,
    Receiver,
    authorized,
    faulty,
    new_order_id,
    served,
    session_request,
    types_and_amounts,
)
from shop import Shop
from standardwebhooks import Webhook, WebhookVerificationError

from payframe import AsyncPayframe, Payframe, PayframeError, verify_notification
from payframe.errors import kind_of


@pytest.fixture
def payframe() -> Iterator[Payframe]:
    with Payframe(gateway=GATEWAY, api_key=API_KEY) as client:
        yield client


def test_a_payment_session_other_sum_card_close_order_capture_refund(payframe: Payframe) -> None:
    order_id = new_order_id()
    session = payframe.sessions.create(session_request(order_id, "PREAUTH"))
    session_id = session["sessionId"]
    assert "form" in session
    assert session["form"]["html"].startswith("<payment-form ")
    assert re.fullmatch("[0-9a-f]{32}", session["securityToken"])
    assert payframe.sessions.change({"sessionId": session_id, "amount": "3000"})["orderAmount"] == "3000"
    enter_card(GATEWAY, session_id, APPROVED)
    assert payframe.sessions.read(session_id)["state"] == "READY_FOR_PAYMENT"
    assert payframe.sessions.read_card(session_id)["lastFourDigits"] == APPROVED.number[-4:]
    state = payframe.sessions.finalize(session_id)
    assert "operation" in state

    captured = payframe.operations.capture(state["operation"]["operationId"], {"amount": "2000", "currency": "EUR"})
    assert payframe.operations.read(captured["operationId"])["operationType"] == "CAPTURE"
    key = f"refund of {order_id}"
    first = payframe.operations.refund(captured["operationId"], {"amount": "500"}, idempotency_key=key)
    replay = payframe.operations.refund(captured["operationId"], {"amount": "500"}, idempotency_key=key)
    assert replay["operationId"] == first["operationId"]
    with pytest.raises(PayframeError) as caught:
        payframe.operations.refund(captured["operationId"], {"amount": "501"}, idempotency_key=key)
    error = caught.value
    assert (error.code, error.member, error.outcome_unknown) == ("PS0025", "Idempotency-Key", False)

    status = payframe.orders.read(order_id)["orderStatus"]
    assert (status["authorizedAmount"], status["capturedAmount"], status["refundedAmount"]) == ("3000", "2000", "500")
    assert types_and_amounts(payframe, order_id) == ["REFUND 500", "CAPTURE 2000", "AUTHORIZATION 3000"]
    assert len(payframe.orders.list({"orderId": order_id})) == 1
    refunds = payframe.operations.list({"operationType": "REFUND"})
    assert first["operationId"] in [refund["operationId"] for refund in refunds]


def test_a_payment_of_an_asyncio_server() -> None:
    async def paid() -> tuple[str, str]:
        order_id = new_order_id()
        async with AsyncPayframe(gateway=GATEWAY, api_key=API_KEY) as payframe:
            # Several calls at a time, of one client.
            first, _ = await asyncio.gather(payframe.sessions.create(session_request(order_id)), payframe.orders.list())
            await asyncio.to_thread(enter_card, GATEWAY, first["sessionId"], APPROVED)
            state = await payframe.sessions.finalize(first["sessionId"])
            order = await payframe.orders.read(order_id)
            assert "operation" in state
            return state["operation"]["operationResult"], order["orderStatus"]["capturedAmount"]

    assert asyncio.run(paid()) == ("EXECUTED", "3545")


def test_a_declined_payment_is_an_answer_and_a_session_can_be_given_up(payframe: Payframe) -> None:
    session_id = payframe.sessions.create(session_request(new_order_id()))["sessionId"]
    enter_card(GATEWAY, session_id, NO_FUNDS)
    state = payframe.sessions.finalize(session_id)
    assert "operation" in state
    assert state["operation"]["operationResult"] == "DECLINED"
    other = payframe.sessions.cancel(payframe.sessions.create(session_request(new_order_id()))["sessionId"])
    assert "operation" in other
    assert other["operation"]["operationResult"] == "CANCELED"


def test_a_void_releases_what_is_held_and_never_touches_captured_money(payframe: Payframe) -> None:
    order_id = new_order_id()
    operation_id = authorized(payframe, order_id)
    payframe.operations.capture(operation_id, {"amount": "1000"})
    voided = payframe.operations.void(operation_id)
    assert payframe.operations.read(voided["operationId"])["operationType"] == "VOID"
    assert types_and_amounts(payframe, order_id) == ["VOID 2545", "CAPTURE 1000", "AUTHORIZATION 3545"]
    with pytest.raises(PayframeError) as caught:
        payframe.operations.void(operation_id)
    assert caught.value.code == "nothing_to_void"

    another = authorized(payframe, new_order_id())
    payframe.operations.capture(another, {"amount": "2000"})
    with pytest.raises(PayframeError) as caught:
        payframe.operations.void(another)
    assert caught.value.code == "void_ambiguous"
    with pytest.raises(PayframeError) as caught:
        payframe.operations.void("347074400000000000")
    assert caught.value.code == "not_found"


def test_a_capture_is_cancelled_on_its_day(payframe: Payframe) -> None:
    order_id = new_order_id()
    captured = payframe.operations.capture(authorized(payframe, order_id), {"amount": "3545"})
    payframe.operations.cancel(captured["operationId"], description="ordered twice")
    assert payframe.orders.read(order_id)["orderStatus"]["capturedAmount"] == "0"


@pytest.mark.parametrize(
    ("fault", "timeout", "replayed"), [("timeout", 2, ["true"]), ("drop", 35, [None]), ("500", 35, [None, None])]
)
def test_a_capture_whose_answer_is_lost_on_the_way_is_made_once(
    payframe: Payframe, fault: str, timeout: float, replayed: list[str | None]
) -> None:
    order_id = new_order_id()
    authorization = authorized(payframe, order_id)
    transport = Faulty(fault)
    with faulty(transport, timeout=timeout) as unlucky:
        captured = unlucky.operations.capture(authorization, {"amount": "3545"})
    assert types_and_amounts(payframe, order_id) == ["CAPTURE 3545", "AUTHORIZATION 3545"]
    assert payframe.orders.read(order_id)["operations"][0]["operationId"] == captured["operationId"]
    assert transport.replayed == replayed


def test_a_capture_without_any_answer_tells_the_key_and_the_key_tells_the_outcome(payframe: Payframe) -> None:
    order_id = new_order_id()
    authorization = authorized(payframe, order_id)
    with faulty(Faulty("timeout"), max_retries=0, timeout=2) as unlucky, pytest.raises(PayframeError) as caught:
        unlucky.operations.capture(authorization, {"amount": "3545"})
    error = caught.value
    found = (error.code, error.kind, error.outcome_unknown, error.is_retryable)
    assert found == ("timeout", "network", True, True)
    payframe.operations.capture(authorization, {"amount": "3545"}, idempotency_key=error.idempotency_key)
    assert types_and_amounts(payframe, order_id) == ["CAPTURE 3545", "AUTHORIZATION 3545"]


def test_refusals_name_the_member_the_fault_and_the_id_of_the_call(payframe: Payframe) -> None:
    wrong: Any = {"merchantUrl": "https://shop.example", "order": {"orderId": "A1"}, "paymentSession": {}}
    with pytest.raises(PayframeError) as caught:
        payframe.sessions.create(wrong)
    missing = caught.value
    assert (missing.kind, missing.code, missing.status, missing.member) == ("caller", "PS0026", 400, "order.amount")
    assert re.fullmatch("[0-9a-f-]{36}", missing.request_id or "")
    with pytest.raises(PayframeError) as caught:
        payframe.orders.read("no-such-order")
    assert (caught.value.code, caught.value.status, caught.value.kind) == ("not_found", 404, "caller")
    with Payframe(gateway=GATEWAY, api_key="no-such-key") as stranger, pytest.raises(PayframeError) as caught:
        stranger.orders.list()
    assert (caught.value.code, caught.value.status, caught.value.member) == ("GW9020", 401, "X-API-KEY")


def test_a_gateway_that_does_not_listen_has_not_carried_out_anything() -> None:
    # The port is taken and nobody listens, so that no other program can have it.
    unused = HTTPServer(("127.0.0.1", 0), Receiver, bind_and_activate=False)
    unused.server_bind()
    address = f"http://127.0.0.1:{unused.server_port}"
    with Payframe(gateway=address, api_key=API_KEY, max_retries=0) as nowhere, pytest.raises(PayframeError) as caught:
        nowhere.operations.refund("1", {"amount": "1"})
    unused.server_close()
    assert (caught.value.code, caught.value.outcome_unknown) == ("unreachable", False)


def test_links_and_hosted_pages(payframe: Payframe) -> None:
    order_id = new_order_id()
    created = payframe.links.create({
        "order": {"orderId": order_id, "amount": "12000", "currency": "EUR"},
        "paymentSession": {"amount": "12000", "language": "eng", "resultUrl": "https://shop.example/"},
        "expirationDate": str((datetime.now(timezone.utc) + timedelta(days=7)).date()),
    })
    link_id = created["paymentLink"]["linkId"]
    assert payframe.links.read(link_id)["paymentLink"]["status"] == "ACTIVE"
    assert [link["linkId"] for link in payframe.links.list({"orderId": order_id})] == [link_id]
    assert payframe.links.renew(link_id).get("renewals") == 1
    assert payframe.links.cancel(link_id)["status"] == "CANCELED"
    page = payframe.hosted_pages.create({
        "order": {"orderId": new_order_id(), "amount": "12000", "currency": "EUR"},
        "paymentSession": {
            "amount": "12000",
            "language": "eng",
            "resultUrl": "https://shop.example/ok",
            "cancelUrl": "https://shop.example/ko",
        },
    })
    assert page["hostedPage"].startswith(f"{GATEWAY}/pay/")


def test_any_other_call_of_the_api(payframe: Payframe) -> None:
    assert payframe.call("GET", "/payment_methods")["paymentMethods"]


def test_a_notification_of_the_gateway_is_verified_and_refused_once_it_was_changed(payframe: Payframe) -> None:
    Receiver.received = queue.Queue()
    order_id = new_order_id()
    with served(HTTPServer(("localhost", 0), Receiver)) as address:
        request = session_request(order_id, notification_url=f"{address}/hook")
        session_id = payframe.sessions.create(request)["sessionId"]
        enter_card(GATEWAY, session_id, APPROVED)
        payframe.sessions.finalize(session_id)
        headers, body = Receiver.received.get(timeout=60)
    event = verify_notification(headers, body, [SECRET])
    operation = event.get("operation")
    assert operation is not None
    assert (event["eventType"], operation["orderId"], operation["operationResult"]) == ("PAYMENT", order_id, "EXECUTED")
    assert Webhook(SECRET).verify(body, {name.lower(): value for name, value in headers.items()}) == event

    changed = body.replace(b"EXECUTED", b"DECLINED")
    with pytest.raises(PayframeError) as caught:
        verify_notification(headers, changed, [SECRET])
    assert caught.value.code == "signature_mismatch"
    with pytest.raises(WebhookVerificationError):
        Webhook(SECRET).verify(changed, {name.lower(): value for name, value in headers.items()})


class ObservedShop(Shop):
    """The example shop. The test hears of each notification, and of what was reported."""

    def __init__(self, payframe: Payframe) -> None:
        super().__init__(payframe, GATEWAY, [SECRET])
        self.statuses: queue.Queue[int] = queue.Queue()
        self.reported: list[object] = []
        self.report = self.reported.append

    def notified(self, headers: list[tuple[str, str]], body: bytes) -> tuple[int, str, str]:
        answer = super().notified(headers, body)
        self.statuses.put(answer[0])
        return answer


class DeafShop(ObservedShop):
    """A shop that loses every notification."""

    def notified(self, headers: list[tuple[str, str]], body: bytes) -> tuple[int, str, str]:  # noqa: ARG002
        return 503, "text/plain", ""


def opened(browser: httpx.Client, path: str) -> tuple[str, str]:
    """Order and session of a page with a form."""
    page = browser.get(path).text
    found = re.search(r'data-order="(\w+)".* session="([\w-]+)"', page)
    assert found, page
    return found[1], found[2]


def test_the_example_shop_its_page_a_payment_the_notification_the_result(payframe: Payframe) -> None:
    shop = ObservedShop(payframe)
    with served(shop) as origin, httpx.Client(base_url=origin, trust_env=False, timeout=60) as browser:
        order_id, session_id = opened(browser, "/")
        row = shop.orders.rows[order_id]
        result = f"/result?order={order_id}"
        assert browser.get(result).text == "PAYING"
        enter_card(GATEWAY, session_id, APPROVED, shown_sum="3545 EUR")
        assert shop.statuses.get(timeout=60) == 204
        assert row.order["status"] == "PAID"
        assert browser.get(result).text == "PAID"
        assert (row.shipped, row.order["open"]) == (1, [])
        assert browser.get(f"/pay?order={order_id}").text == "ALREADY_PAID"
        for path in ("/result?order=unknown", "/pay?order=unknown", "/elsewhere"):
            assert browser.get(path).status_code == 404
        assert "/result?order=" in browser.get("/checkout.js").text
        assert browser.post("/notifications", content=b"{}").status_code == 400
    assert [getattr(problem, "code", problem) for problem in shop.reported] == ["header_missing"]


def test_the_example_shop_gives_up_an_order_that_is_not_paid_in_time(payframe: Payframe) -> None:
    shop = ObservedShop(payframe)
    with served(shop) as origin, httpx.Client(base_url=origin, trust_env=False, timeout=60) as browser:
        order_id, session_id = opened(browser, "/")
        shop.orders.happens(shop.orders.rows[order_id], {"type": "TIME_OUT"})
        assert browser.get(f"/result?order={order_id}").text == "GIVEN_UP"
        with pytest.raises(AssertionError, match="GW9003"):
            enter_card(GATEWAY, session_id, APPROVED, shown_sum="3545 EUR")
        assert browser.get(f"/pay?order={order_id}").text == "NOT_FOR_SALE"
    assert (shop.orders.rows[order_id].shipped, shop.reported) == (0, [])


def test_the_example_shop_fulfils_once_though_a_second_tab_was_open_and_the_notification_is_lost(
    payframe: Payframe,
) -> None:
    shop = DeafShop(payframe)
    with served(shop) as origin, httpx.Client(base_url=origin, trust_env=False, timeout=60) as browser:
        order_id, first = opened(browser, "/")
        _, second = opened(browser, f"/pay?order={order_id}")
        with pytest.raises(AssertionError, match="PS0061"):
            enter_card(GATEWAY, first, APPROVED, shown_sum="3545 EUR")
        enter_card(GATEWAY, second, APPROVED, shown_sum="3545 EUR")
        assert shop.orders.rows[order_id].order["status"] == "PAYING"
        for _ in range(2):
            assert browser.get(f"/result?order={order_id}").text == "PAID"
    assert types_and_amounts(payframe, order_id) == ["AUTHORIZATION 3545"]
    row = shop.orders.rows[order_id]
    assert (row.shipped, row.order["open"], shop.reported) == (1, [], [])


KINDS = {
    "who calls": "caller",
    "the buyer": "buyer",
    "issuer, network or method": "issuer",
    "the gateway": "gateway",
    "the gateway's operator": "operator",
}


def test_the_kinds_of_errors_are_those_of_this_gateway() -> None:
    document = httpx.get(f"{API}/openapi.json", trust_env=False).json()
    rows = re.findall(
        r"^\| `(\w+)` \| (\d{3})[^|]*\| [^|]+ \| ([^|]+) \|", document["info"]["description"], re.MULTILINE
    )
    assert len(rows) > 40
    for code, status, fault in rows:
        assert kind_of(code, int(status)) == KINDS[fault], code
