//! What is made of the gateway's answers: lists, the amount that is held, the feed of events.

use crate::stage::{Stage, answer, taken};
use payframe_server::types::{LinkQuery, MoneyStatus, OperationQuery, OrderQuery};
use serde_json::{Value, json};

#[tokio::test]
async fn a_list_answers_its_rows() {
    let action = json!({ "actionType": "VOID", "currency": "EUR", "maxAmount": "1", "minAmount": "1", "path": "/" });
    let order = json!({ "order": { "orderId": "A1" }, "authorizedAmount": "1", "capturedAmount": "0", "refundedAmount": "0", "status": "SOON" });
    let lists = json!({ "actions": [action], "orders": [order], "operations": [], "paymentLinks": [], "new": 1 });
    let stage = Stage::new(&[answer(&lists)]).await;
    let payframe = &stage.payframe;
    assert_eq!(
        payframe.operations.actions("1").await.unwrap()[0].max_amount,
        "1"
    );
    let orders = payframe.orders.list(&OrderQuery::default()).await.unwrap();
    assert_eq!(orders[0].order["orderId"], "A1");
    // A word of a later gateway is kept.
    assert_eq!(orders[0].status, MoneyStatus::Other("SOON".into()));
    assert_eq!(serde_json::to_value(&orders).unwrap(), lists["orders"]);
    assert!(
        payframe
            .operations
            .list(&OperationQuery::default())
            .await
            .unwrap()
            .is_empty()
    );
    assert!(
        payframe
            .links
            .list(&LinkQuery::default())
            .await
            .unwrap()
            .is_empty()
    );
}

async fn held(actions: Value) -> Stage {
    Stage::new(&[answer(&json!({ "actions": actions })), taken()]).await
}

fn action(kind: &str, amount: &str) -> Value {
    json!({ "actionType": kind, "maxAmount": amount, "minAmount": "1", "currency": "EUR", "path": "/" })
}

#[tokio::test]
async fn a_void_releases_exactly_what_is_held() {
    let stage = held(json!([action("REFUND", "1000"), action("VOID", "2545")])).await;
    let void = stage
        .payframe
        .operations
        .void("1")
        .description("sold out")
        .idempotency_key("k")
        .order_version("v");
    assert_eq!(void.await.unwrap().operation_id, "2");
    let refund = &stage.received()[1];
    assert_eq!(refund.path, "/operations/1/refunds");
    assert_eq!(
        refund.body,
        json!({ "amount": "2545", "currency": "EUR", "description": "sold out" })
    );
    assert_eq!(
        (refund.header("idempotency-key"), refund.header("if-match")),
        (Some("k"), Some("\"v\""))
    );
}

#[tokio::test]
async fn a_void_that_the_gateway_would_take_for_a_refund_is_not_sent() {
    for (actions, code) in [
        (
            json!([action("CAPTURE", "1545"), action("REFUND", "2000")]),
            "void_ambiguous",
        ),
        (json!([action("REFUND", "2000")]), "nothing_to_void"),
    ] {
        let stage = held(actions).await;
        assert_eq!(
            stage
                .payframe
                .operations
                .void("1")
                .await
                .unwrap_err()
                .code(),
            code
        );
        assert_eq!(stage.received().len(), 1);
    }
}

fn event(cursor: &str) -> Value {
    json!({ "cursor": cursor, "eventId": cursor, "eventType": "ORDER_FULFILMENT", "recordedTime": "2030-01-31T10:00:00.000Z" })
}

#[tokio::test]
async fn events_are_read_page_by_page_until_there_is_none() {
    for (cursor, first) in [(None, "/events"), (Some("1-a"), "/events?after=1-a")] {
        let stage = Stage::new(&[
            answer(&json!({ "events": [event("2-b"), event("3-c")], "nextCursor": "3-c", "hasMore": true })),
            answer(&json!({ "events": [], "nextCursor": "3-c", "hasMore": true })),
            answer(&json!({ "events": [event("4-d")], "nextCursor": "4-d", "hasMore": false })),
        ])
        .await;
        let mut events = stage.payframe.events.since(cursor);
        let mut read = Vec::new();
        while let Some(event) = events.next().await.unwrap() {
            read.push(event.cursor);
        }
        assert_eq!(read, ["2-b", "3-c", "4-d"]);
        assert_eq!(events.next().await, Ok(None));
        let received = stage.received();
        let paths: Vec<_> = received.iter().map(|call| call.path.as_str()).collect();
        assert_eq!(paths, [first, "/events?after=3-c", "/events?after=3-c"]);
    }
}
