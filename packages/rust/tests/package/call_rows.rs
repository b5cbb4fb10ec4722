//! The methods of the client, each with the call that it makes.

use payframe_server::types::{
    AmountType, Confirmation, DisputeKind, DisputeQuery, DisputeResult, DisputeState, EventQuery,
    EvidenceRequest, FulfilmentRequest, FulfilmentState, HostedPageRequest, LinkQuery, LinkRequest,
    LinkStatus, OperationQuery, OrderQuery, OrderState, SandboxDisputeRequest, SessionChange,
    SessionRequest, SettlementLineQuery, SettlementQuery,
};
use payframe_server::{Call, Money, Payframe, Verb, money};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::pin::Pin;

pub(crate) type Made = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A method, and the call that it makes.
pub(crate) struct Row {
    pub(crate) call: Box<dyn Fn(&Payframe) -> Made>,
    pub(crate) verb: &'static str,
    pub(crate) path: &'static str,
    pub(crate) body: Value,
}

fn row<T: DeserializeOwned + 'static>(
    call: impl Fn(&Payframe) -> Call<T> + 'static,
    verb: &'static str,
    path: &'static str,
    body: Value,
) -> Row {
    let made = move |payframe: &Payframe| -> Made {
        let call = call(payframe);
        Box::pin(async move {
            // What is answered does not matter here.
            let _ = call.await;
        })
    };
    Row {
        call: Box::new(made),
        verb,
        path,
        body,
    }
}

pub(crate) fn sum() -> Money {
    money(3545, "EUR").unwrap()
}

/// All methods that make one call.
pub(crate) fn rows() -> Vec<Row> {
    let sum_sent = || json!({ "amount": "3545", "currency": "EUR" });
    let session = || json!({ "sessionId": "s" });
    let payment = json!({ "amount": "", "cancelUrl": "", "resultUrl": "" });
    let order = json!({ "amount": "", "currency": "", "orderId": "" });
    let both = json!({ "order": order, "paymentSession": payment });
    let opened =
        json!({ "merchantUrl": "https://shop.example", "order": order, "paymentSession": payment });
    let linked = json!({ "expirationDate": "2030-01-31", "order": order, "paymentSession": { "amount": "" } });
    vec![
        row(
            |p| {
                p.sessions.create(&SessionRequest {
                    merchant_url: "https://shop.example".into(),
                    ..Default::default()
                })
            },
            "POST",
            "/orders/build",
            opened,
        ),
        row(
            |p| {
                p.sessions.change(&SessionChange {
                    session_id: "s".into(),
                    amount: Some("1".into()),
                    ..Default::default()
                })
            },
            "PATCH",
            "/build/session",
            json!({ "sessionId": "s", "amount": "1" }),
        ),
        row(
            |p| p.sessions.read("s+1"),
            "GET",
            "/build/state?sessionId=s%2B1",
            Value::Null,
        ),
        row(
            |p| p.sessions.read_card("s"),
            "GET",
            "/build/cardData?sessionId=s",
            Value::Null,
        ),
        row(
            |p| p.sessions.finalize("s"),
            "POST",
            "/build/finalize_payment",
            session(),
        ),
        row(
            |p| {
                p.sessions.confirm(&Confirmation {
                    session_id: Some("s".into()),
                    amount: "1".into(),
                    confirm: Some(false),
                    ..Default::default()
                })
            },
            "POST",
            "/build/confirm_payment",
            json!({ "sessionId": "s", "amount": "1", "confirm": false }),
        ),
        row(
            |p| p.sessions.cancel("s"),
            "POST",
            "/build/cancel",
            session(),
        ),
        row(
            |p| p.orders.read("A#1?"),
            "GET",
            "/orders/A%231%3F",
            Value::Null,
        ),
        row(
            |p| {
                p.orders.list(&OrderQuery {
                    amount_type: Some(AmountType::CapturedAmount),
                    max_records: Some(10),
                    order_state: Some(OrderState::Captured),
                    ..Default::default()
                })
            },
            "GET",
            "/orders?amountType=CAPTURED_AMOUNT&maxRecords=10&orderState=CAPTURED",
            Value::Null,
        ),
        row(
            |p| {
                let request = FulfilmentRequest {
                    state: FulfilmentState::Fulfilled,
                    note: Some("by hand".into()),
                };
                p.orders.tell_fulfilment("A#1", &request)
            },
            "PUT",
            "/orders/A%231/fulfilment",
            json!({ "state": "FULFILLED", "note": "by hand" }),
        ),
        row(
            |p| p.operations.read("1"),
            "GET",
            "/operations/1",
            Value::Null,
        ),
        row(
            |p| p.operations.list(&OperationQuery::default()),
            "GET",
            "/operations",
            Value::Null,
        ),
        row(
            |p| p.operations.actions("1"),
            "GET",
            "/operations/1/actions",
            Value::Null,
        ),
        row(
            |p| p.operations.capture("1", sum()),
            "POST",
            "/operations/1/captures",
            sum_sent(),
        ),
        row(
            |p| p.operations.refund("1", sum()),
            "POST",
            "/operations/1/refunds",
            sum_sent(),
        ),
        row(
            |p| p.operations.cancel("1", None),
            "POST",
            "/operations/1/cancels",
            json!({}),
        ),
        row(
            |p| {
                p.links.create(&LinkRequest {
                    expiration_date: Some("2030-01-31".into()),
                    ..Default::default()
                })
            },
            "POST",
            "/v2/orders/paybylink",
            linked,
        ),
        row(
            |p| p.links.read("l"),
            "GET",
            "/orders/paybylink/l",
            Value::Null,
        ),
        row(
            |p| {
                p.links.list(&LinkQuery {
                    status: Some(LinkStatus::Active),
                    ..Default::default()
                })
            },
            "GET",
            "/orders/paybylink?status=ACTIVE",
            Value::Null,
        ),
        row(
            |p| p.links.renew("l"),
            "POST",
            "/orders/paybylink/l/renewals",
            Value::Null,
        ),
        row(
            |p| p.links.cancel("l"),
            "POST",
            "/paybylink/l/cancels",
            Value::Null,
        ),
        row(
            |p| p.hosted_pages.create(&HostedPageRequest::default()),
            "POST",
            "/orders/hpp",
            both,
        ),
        row(
            |p| {
                p.events.list(&EventQuery {
                    after: Some("42-554ccc00".into()),
                    limit: Some(10),
                })
            },
            "GET",
            "/events?after=42-554ccc00&limit=10",
            Value::Null,
        ),
        row(
            |p| {
                p.disputes.list(&DisputeQuery {
                    state: Some(DisputeState::NeedsResponse),
                    limit: Some(10),
                    ..Default::default()
                })
            },
            "GET",
            "/disputes?limit=10&state=NEEDS_RESPONSE",
            Value::Null,
        ),
        row(
            |p| p.disputes.read("d/1"),
            "GET",
            "/disputes/d%2F1",
            Value::Null,
        ),
        row(
            |p| p.disputes.add_file("d", "a.pdf", b"%PDF-"),
            "POST",
            "/disputes/d/files",
            json!({ "name": "a.pdf", "content": "JVBERi0=" }),
        ),
        row(
            |p| p.disputes.read_file("f"),
            "GET",
            "/disputes/files/f",
            Value::Null,
        ),
        row(
            |p| p.disputes.remove_file("f"),
            "POST",
            "/disputes/files/f/removal",
            Value::Null,
        ),
        row(
            |p| {
                p.disputes.submit_evidence(
                    "d",
                    &EvidenceRequest {
                        goods: Some("two tickets".into()),
                        ..Default::default()
                    },
                )
            },
            "POST",
            "/disputes/d/evidence",
            json!({ "goods": "two tickets" }),
        ),
        row(
            |p| p.disputes.accept("d"),
            "POST",
            "/disputes/d/acceptance",
            Value::Null,
        ),
        row(
            |p| {
                p.settlements.list(&SettlementQuery {
                    limit: Some(10),
                    ..Default::default()
                })
            },
            "GET",
            "/settlements?limit=10",
            Value::Null,
        ),
        row(
            |p| {
                p.settlements.read(
                    "1",
                    &SettlementLineQuery {
                        after: Some("101".into()),
                        ..Default::default()
                    },
                )
            },
            "GET",
            "/settlements/1?after=101",
            Value::Null,
        ),
        row(
            |p| {
                p.test_disputes.open(&SandboxDisputeRequest {
                    operation_id: "1".into(),
                    kind: Some(DisputeKind::Inquiry),
                    ..Default::default()
                })
            },
            "POST",
            "/test/disputes",
            json!({ "operationId": "1", "kind": "INQUIRY" }),
        ),
        row(
            |p| p.test_disputes.decide("d", DisputeResult::Won),
            "POST",
            "/test/disputes/d/result",
            json!({ "result": "WON" }),
        ),
        row(|p| p.test_clock.read(), "GET", "/test/clock", Value::Null),
        row(
            |p| p.test_clock.advance_to("2027-01-01T00:00:00Z"),
            "POST",
            "/test/clock/advance",
            json!({ "to": "2027-01-01T00:00:00Z" }),
        ),
        row(
            |p| {
                p.call(
                    Verb::Post,
                    "/orders/mit",
                    &[("a b", "é")],
                    Some(&json!({ "order": 1 })),
                )
            },
            "POST",
            "/orders/mit?a+b=%C3%A9",
            json!({ "order": 1 }),
        ),
    ]
}
