//! Disputes and settlements by the Rust package, against a gateway's process.

use super::{SETTINGS, Sandbox};
use crate::process::command;
use crate::shop::APPROVED;
use payframe_server::types::{
    ActionType, DisputeCategory, DisputeKind, DisputeQuery, DisputeResult, DisputeState,
    EventQuery, EvidenceRequest, SandboxDisputeRequest, SettlementLineQuery, SettlementQuery,
};
use payframe_server::{Payframe, money};

const PDF: &[u8] = b"%PDF-1.7 a delivery note";

/// Takes the money of an order, and answers the operation.
async fn captured(sandbox: &Sandbox, order_id: &str) -> String {
    let session = sandbox.session(order_id, ActionType::Pay).await;
    sandbox.enter_card(&session, APPROVED, None).unwrap();
    let state = sandbox.payframe.sessions.finalize(&session).await.unwrap();
    let operation = state.operation.unwrap();
    assert_eq!(operation.operation_result, "EXECUTED");
    operation.operation_id
}

async fn opened(payframe: &Payframe, operation_id: &str, amount: Option<&str>) -> String {
    let request = SandboxDisputeRequest {
        operation_id: operation_id.to_owned(),
        category: Some(DisputeCategory::Fraud),
        amount: amount.map(str::to_owned),
        ..SandboxDisputeRequest::default()
    };
    let dispute = payframe.test_disputes.open(&request).await.unwrap();
    assert_eq!(dispute.state, DisputeState::NeedsResponse);
    assert_eq!(dispute.kind, DisputeKind::Chargeback);
    dispute.dispute_id
}

#[tokio::test]
async fn a_dispute_by_the_rust_package_is_opened_answered_decided_and_told_of_in_the_feed() {
    let sandbox = Sandbox::start();
    let payframe = &sandbox.payframe;
    let operation = captured(&sandbox, "RUST1").await;
    let page = payframe.events.list(&EventQuery::default()).await.unwrap();
    let id = opened(payframe, &operation, None).await;
    let sum = money(3545, "EUR").unwrap();
    let refused = payframe.operations.refund(&operation, sum).await;
    assert_eq!(refused.unwrap_err().code(), "GW9014");
    let order = payframe.orders.read("RUST1").await.unwrap();
    assert_eq!(order.disputed_amount.as_deref(), Some("3545"));

    let disputes = &payframe.disputes;
    let add = |name| disputes.add_file(&id, name, PDF);
    let file = add("note.pdf").idempotency_key("file").await.unwrap();
    let again = add("note.pdf").idempotency_key("file").await.unwrap();
    assert_eq!(again.file_id, file.file_id);
    let read = disputes.read_file(&file.file_id).await.unwrap();
    assert_eq!((&read.file, read.content.as_slice()), (&file, PDF));
    let other = add("twice.pdf").await.unwrap();
    disputes.remove_file(&other.file_id).await.unwrap();
    let gone = disputes.read_file(&other.file_id).await.unwrap_err();
    assert_eq!(gone.code(), "not_found");
    let text = disputes.add_file(&id, "note.txt", b"a note").await;
    let text = text.unwrap_err();
    assert_eq!((text.code(), text.member()), ("PS0026", Some("content")));

    let evidence = EvidenceRequest {
        delivery: Some("handed over at the counter".into()),
        ..EvidenceRequest::default()
    };
    let answered = disputes.submit_evidence(&id, &evidence).await.unwrap();
    assert_eq!(answered.state, DisputeState::UnderReview);
    assert_eq!(answered.evidence.unwrap().delivery, evidence.delivery);
    assert_eq!(answered.files, Some(vec![file]));
    let late = disputes.accept(&id).await.unwrap_err();
    assert_eq!(late.code(), "GW9003");
    let decided = payframe.test_disputes.decide(&id, DisputeResult::Won);
    assert_eq!(decided.await.unwrap().state, DisputeState::Won);
    let read = disputes.read(&id).await.unwrap();
    assert_eq!(read.state, DisputeState::Won);

    let mut events = payframe.events.since(Some(&page.next_cursor));
    let mut told = Vec::new();
    while let Some(event) = events.next().await.unwrap() {
        told.extend(event.dispute.map(|dispute| dispute.state));
    }
    use DisputeState::{NeedsResponse, UnderReview, Won};
    assert_eq!(told, [NeedsResponse, UnderReview, Won]);
}

#[tokio::test]
async fn a_dispute_is_accepted_and_all_are_read_page_by_page_by_the_rust_package() {
    let sandbox = Sandbox::start();
    let payframe = &sandbox.payframe;
    let operation = captured(&sandbox, "RUST1").await;
    let mut ids = Vec::new();
    for amount in ["1000", "2000", "545"] {
        ids.insert(0, opened(payframe, &operation, Some(amount)).await);
    }
    let accepted = payframe.disputes.accept(&ids[0]).await.unwrap();
    assert_eq!(accepted.state, DisputeState::Accepted);
    let query = DisputeQuery {
        order_id: Some("RUST1".into()),
        limit: Some(1),
        ..DisputeQuery::default()
    };
    let mut disputes = payframe.disputes.all(&query);
    let mut read = Vec::new();
    while let Some(dispute) = disputes.next().await.unwrap() {
        read.push(dispute.dispute_id);
    }
    assert_eq!(read, ids);
}

#[tokio::test]
async fn a_clearing_file_that_the_operator_imported_is_read_by_the_rust_package() {
    let sandbox = Sandbox::start();
    let operation = captured(&sandbox, "RUST1").await;
    let booked = sandbox.payframe.operations.read(&operation).await.unwrap();
    let day = &booked.operation_time[..10];
    let path = sandbox.data.path().join("clearing.csv");
    let rows = [
        "Merchant reference;RRN;Acquirer reference;Type;Gross;Currency;Fee;Net;Payout;Booked",
        &format!("{operation};;X1;SALE;35.45;EUR;0.45;35.00;P1;{day}"),
        &format!(";4711;X2;SALE;1.00;EUR;0.00;1.00;P1;{day}"),
    ];
    std::fs::write(&path, rows.join("\n")).unwrap();
    let mapping = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../examples/settlement/mapping.toml"
    );
    let imported = command(sandbox.data.path(), &SETTINGS)
        .args(["settlement", "import", "--terminal", "91000001"])
        .args(["--mapping", mapping])
        .arg(&path)
        .output()
        .unwrap();
    assert!(imported.status.success(), "{imported:?}");

    let settlements = &sandbox.payframe.settlements;
    let mut files = settlements.all(&SettlementQuery::default());
    let file = files.next().await.unwrap().unwrap();
    assert_eq!(files.next().await, Ok(None));
    assert_eq!(
        (file.file_name.as_str(), file.open_differences),
        ("clearing.csv", 1)
    );
    let sum = &file.sums[0];
    assert_eq!(
        [&sum.gross_amount, &sum.fee_amount, &sum.net_amount],
        ["3645", "45", "3600"]
    );
    let one = SettlementLineQuery {
        limit: Some(1),
        ..SettlementLineQuery::default()
    };
    let details = settlements.read(&file.settlement_id, &one).await.unwrap();
    assert_eq!(details.payouts[0].payout_id.as_deref(), Some("P1"));
    let mut lines = settlements.lines(&file.settlement_id, &one);
    let line = lines.next().await.unwrap().unwrap();
    assert_eq!(line.order_id.as_deref(), Some("RUST1"));
    assert_eq!(line.difference, None);
    let line = lines.next().await.unwrap().unwrap();
    assert_eq!(line.difference.as_deref(), Some("NOT_IN_BOOKS"));
    assert_eq!(lines.next().await, Ok(None));
    let unknown = settlements.read("347074400000000000", &one).await;
    assert_eq!(unknown.unwrap_err().code(), "not_found");
}
