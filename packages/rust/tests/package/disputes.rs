//! Disputes and settlements: files are bytes, and lists are read to their end.

use crate::stage::{Stage, answer, refusal};
use payframe_server::types::{
    DisputeFileContent, DisputeQuery, DisputeState, SettlementLineQuery, SettlementQuery,
};
use payframe_server::{ErrorKind, Rows};
use serde_json::{Value, json};

fn file() -> Value {
    json!({ "fileId": "f", "name": "a.pdf", "mediaType": "application/pdf", "size": 5, "addedTime": "2030-01-31T10:00:00.000Z" })
}

fn dispute(id: &str) -> Value {
    let time = "2030-01-31T10:00:00.000Z";
    json!({
        "disputeId": id, "orderId": "A1", "operationId": "1", "terminalId": "91000001", "kind": "CHARGEBACK", "category": "FRAUD", "reasonCode": "10.4",
        "amount": "3545", "currency": "EUR", "state": "NEEDS_RESPONSE", "openedTime": time, "deadline": time, "changedTime": time,
    })
}

fn settlement(id: &str) -> Value {
    json!({
        "settlementId": id, "fileName": "clearing.csv", "terminalIds": ["91000001"], "importedTime": "2030-01-31T10:00:00.000Z", "firstDay": "2030-01-30",
        "lastDay": "2030-01-30", "openDifferences": 0, "sums": [],
    })
}

fn line(number: u32) -> Value {
    json!({
        "line": number, "kind": "PAYMENT", "bookedDay": "2030-01-30", "grossAmount": "3545", "feeAmount": "45", "netAmount": "3500", "currency": "EUR",
    })
}

async fn all<T>(mut rows: Rows<T>) -> Vec<T> {
    let mut read = Vec::new();
    while let Some(row) = rows.next().await.unwrap() {
        read.push(row);
    }
    read
}

fn paths(stage: &Stage) -> Vec<String> {
    stage.received().into_iter().map(|call| call.path).collect()
}

#[tokio::test]
async fn every_byte_of_a_file_arrives_as_it_was() {
    let bytes: Vec<u8> = (0..=u8::MAX).cycle().take(100_000).collect();
    let stage = Stage::new(&[answer(&file())]).await;
    let disputes = &stage.payframe.disputes;
    disputes.add_file("d", "a.pdf", &bytes).await.unwrap();
    let sent = stage.received()[0].body["content"].clone();

    let stage = Stage::new(&[answer(&json!({ "file": file(), "content": sent }))]).await;
    let content = stage.payframe.disputes.read_file("f").await.unwrap();
    assert_eq!((content.file.size, &content.content), (5, &bytes));
    // It is stored as it is on the wire, and not shown.
    let stored = serde_json::to_value(&content).unwrap();
    assert_eq!(stored["content"], sent);
    let again: DisputeFileContent = serde_json::from_value(stored).unwrap();
    assert_eq!(again, content);
    let shown = format!("{content:?}");
    assert!(!shown.contains("content:") && shown.len() < 300, "{shown}");
}

#[tokio::test]
async fn a_content_that_is_no_base64_is_not_the_gateways() {
    for content in [json!("%"), json!(7), Value::Null] {
        let stage = Stage::new(&[answer(&json!({ "file": file(), "content": content }))]).await;
        let error = stage.payframe.disputes.read_file("f").await.unwrap_err();
        assert_eq!(
            (error.kind(), error.code()),
            (ErrorKind::Gateway, "unreadable_answer")
        );
    }
}

#[tokio::test]
async fn the_error_of_a_file_that_the_gateway_refuses_has_the_member() {
    let text = "content is refused: the file must be a PDF document, or a PNG or JPEG picture";
    let stage = Stage::new(&[refusal(400, "PS0026", text)]).await;
    let call = stage.payframe.disputes.add_file("d", "a.txt", b"a");
    let error = call.idempotency_key("k").await.unwrap_err();
    assert_eq!(
        (error.kind(), error.code(), error.member()),
        (ErrorKind::Caller, "PS0026", Some("content"))
    );
    assert_eq!(
        (error.idempotency_key(), error.outcome_unknown()),
        (Some("k"), false)
    );
}

#[tokio::test]
async fn a_removed_file_answers_nothing() {
    let stage = Stage::new(&[answer(&json!({}))]).await;
    let removed = stage.payframe.disputes.remove_file("f").await.unwrap();
    assert_eq!(serde_json::to_value(removed).unwrap(), json!({}));
}

#[tokio::test]
async fn disputes_are_read_page_by_page_until_there_is_none() {
    let stage = Stage::new(&[
        answer(&json!({ "disputes": [dispute("c"), dispute("b")], "hasMore": true })),
        answer(&json!({ "disputes": [dispute("a")], "hasMore": false })),
    ])
    .await;
    let query = DisputeQuery {
        state: Some(DisputeState::NeedsResponse),
        ..Default::default()
    };
    let read = all(stage.payframe.disputes.all(&query)).await;
    let ids: Vec<_> = read.iter().map(|one| one.dispute_id.as_str()).collect();
    assert_eq!(ids, ["c", "b", "a"]);
    assert_eq!(
        paths(&stage),
        [
            "/disputes?state=NEEDS_RESPONSE",
            "/disputes?after=b&state=NEEDS_RESPONSE"
        ]
    );
    let stage = Stage::new(&[answer(&json!({ "disputes": [], "hasMore": false }))]).await;
    let mut none = stage.payframe.disputes.all(&DisputeQuery::default());
    assert_eq!(none.next().await, Ok(None));
    assert_eq!(none.next().await, Ok(None));
    assert_eq!(paths(&stage), ["/disputes"]);
}

#[tokio::test]
async fn settlements_and_the_lines_of_one_are_read_page_by_page_until_there_is_none() {
    let page = json!({ "settlement": settlement("2"), "payouts": [], "lines": [line(2), line(3)], "nextCursor": "3" });
    let last = json!({ "settlement": settlement("2"), "payouts": [], "lines": [line(4)] });
    let stage = Stage::new(&[
        answer(&json!({ "settlements": [settlement("2")], "nextCursor": "5-2" })),
        answer(&json!({ "settlements": [settlement("1")] })),
        answer(&page),
        answer(&last),
    ])
    .await;
    let settlements = &stage.payframe.settlements;
    let files = all(settlements.all(&SettlementQuery::default())).await;
    let ids: Vec<_> = files.iter().map(|one| one.settlement_id.as_str()).collect();
    assert_eq!(ids, ["2", "1"]);
    let query = SettlementLineQuery {
        limit: Some(2),
        ..Default::default()
    };
    let lines = all(settlements.lines("2", &query)).await;
    let numbers: Vec<_> = lines.iter().map(|one| one.line).collect();
    assert_eq!(numbers, [2, 3, 4]);
    assert_eq!(
        paths(&stage),
        [
            "/settlements",
            "/settlements?after=5-2",
            "/settlements/2?limit=2",
            "/settlements/2?after=3&limit=2"
        ]
    );
}
