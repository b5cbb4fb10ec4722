//! Charges of the sandbox acquirer: outcomes, repetitions, refunds and increments.

use super::*;
use crate::cards::samples::{Typed, card};
use payframe_money::Amount;
use payframe_payment_domain::method::Method;
use payframe_payment_domain::operation::{ActionType, Capture};
use payframe_payment_ports::acquirer::AcceptedOffer;
use payframe_storage::query_scalar;
use std::time::Duration;

/// An acquirer whose clock starts at 1970-01-01, and the clock.
async fn acquirer(folder: &tempfile::TempDir) -> (SandboxAcquirer, Clock) {
    let settings = SandboxSettings {
        storage: StorageSettings {
            folder: folder.path().to_owned(),
            server_url: None,
        },
        origin: String::from("https://pay.example"),
        pending: Duration::from_secs(30),
    };
    let clock = Clock::manual(0);
    let acquirer = SandboxAcquirer::open(&settings, clock.clone())
        .await
        .unwrap();
    (acquirer, clock)
}

async fn ask(acquirer: &SandboxAcquirer, reference: &str, number: &str) -> AuthorizationResponse {
    let typed = Typed::of(number);
    let instrument = Instrument::Card(card(&typed));
    charge(acquirer, reference, instrument, Capture::Implicit).await
}

async fn charge(
    acquirer: &SandboxAcquirer,
    reference: &str,
    instrument: Instrument<'_>,
    capture: Capture,
) -> AuthorizationResponse {
    let request = AuthorizationRequest {
        reference,
        terminal_id: "terminal",
        action: ActionType::Pay,
        capture,
        amount: Amount::parse("3545").unwrap(),
        currency: "EUR",
        conversion: None,
        instrument,
    };
    acquirer.authorize(&request).await.unwrap()
}

fn about(reference: &str) -> InquiryRequest<'_> {
    InquiryRequest {
        reference,
        terminal_id: "terminal",
        amount: Amount::parse("3545").unwrap(),
        currency: "EUR",
    }
}

#[tokio::test]
async fn a_decline_keeps_its_reason_in_every_answer() {
    let folder = tempfile::tempdir().unwrap();
    let (acquirer, _) = acquirer(&folder).await;
    let first = ask(&acquirer, "1", "4761730000003114").await;
    assert_eq!(first.result, AuthorizationResult::Declined);
    let demanded = Some(DeclineReason::AuthenticationRequired);
    assert_eq!(first.decline_reason, demanded);
    assert_eq!(ask(&acquirer, "1", "4761730000003114").await, first);
    let inquired = acquirer.inquire(&about("1")).await.unwrap();
    assert_eq!(inquired, Some(first));
}

#[tokio::test]
async fn the_same_reference_is_charged_once() {
    let folder = tempfile::tempdir().unwrap();
    let (acquirer, clock) = acquirer(&folder).await;
    let first = ask(&acquirer, "1", "4761730000000003").await;
    clock.advance(Duration::from_millis(5));
    let second = ask(&acquirer, "1", "4761730000000003").await;
    assert_eq!(first, second);
    assert_eq!(first.result, AuthorizationResult::Approved);
    let count: i64 = query_scalar("SELECT count(*) FROM charge")
        .fetch_one(&mut acquirer.records.read().await.unwrap())
        .await
        .unwrap();
    assert_eq!(count, 1);
}

#[tokio::test]
async fn money_moves_once_for_each_reference_and_never_more_than_there_is() {
    let folder = tempfile::tempdir().unwrap();
    let (acquirer, _) = acquirer(&folder).await;
    let typed = Typed::of("4761730000000003");
    let instrument = Instrument::Card(card(&typed));
    charge(&acquirer, "charge", instrument, Capture::Explicit).await;
    let moved = async |reference: &str, movement, minor| {
        let request = FollowUpRequest {
            reference,
            authorization: "charge",
            target: "charge",
            terminal_id: "terminal",
            operation: movement,
            amount: Amount::from_minor(minor).unwrap(),
            currency: "EUR",
            conversion: None,
        };
        acquirer.follow_up(&request).await.unwrap().response_code
    };
    for (reference, movement, minor, expected) in [
        ("0", FollowUpOperation::Refund, 1, "110"),
        ("1", FollowUpOperation::Capture, 3546, "110"),
        ("2", FollowUpOperation::Capture, 3000, "000"),
        ("2", FollowUpOperation::Capture, 3000, "000"),
        ("3", FollowUpOperation::Void, 546, "110"),
        ("4", FollowUpOperation::Void, 545, "000"),
        ("5", FollowUpOperation::Refund, 2000, "000"),
        ("6", FollowUpOperation::Cancel, 3000, "110"),
        ("7", FollowUpOperation::Refund, 1001, "110"),
        ("8", FollowUpOperation::Refund, 1000, "000"),
        ("8", FollowUpOperation::Refund, 1000, "000"),
        ("9", FollowUpOperation::Refund, 1, "110"),
    ] {
        assert_eq!(
            moved(reference, movement, minor).await,
            expected,
            "{reference}"
        );
    }
    let request = FollowUpRequest {
        reference: "10",
        authorization: "unknown",
        target: "unknown",
        terminal_id: "terminal",
        operation: FollowUpOperation::Refund,
        amount: Amount::from_minor(1).unwrap(),
        currency: "EUR",
        conversion: None,
    };
    assert_eq!(
        acquirer.follow_up(&request).await.unwrap().response_code,
        "110"
    );
}

#[tokio::test]
async fn refunds_of_the_stubborn_card_fail_in_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let (acquirer, clock) = acquirer(&folder).await;
    ask(&acquirer, "charge", "4761730000007305").await;
    let request = FollowUpRequest {
        reference: "refund",
        authorization: "charge",
        target: "charge",
        terminal_id: "terminal",
        operation: FollowUpOperation::Refund,
        amount: Amount::from_minor(5).unwrap(),
        currency: "EUR",
        conversion: None,
    };
    clock.advance(Duration::from_millis(1_000));
    let first = acquirer.follow_up(&request).await.unwrap();
    assert_eq!(
        (first.result, first.ask_again_ms),
        (AuthorizationResult::Pending, Some(31_000))
    );
    clock.advance(Duration::from_millis(30_000));
    let last = acquirer.follow_up(&request).await.unwrap();
    assert_eq!(
        (last.result, last.response_code.as_str()),
        (AuthorizationResult::Failed, "909")
    );
}

#[tokio::test]
async fn a_method_keeps_to_its_first_answer() {
    let folder = tempfile::tempdir().unwrap();
    let (acquirer, clock) = acquirer(&folder).await;
    let ask = async |return_data| {
        let method = Method::from_code("PAYPAL").unwrap();
        let instrument = Instrument::Method {
            method,
            return_data,
        };
        charge(&acquirer, "1", instrument, Capture::Implicit).await
    };
    clock.advance(Duration::from_millis(1_000));
    let first = ask(methods::WAITING).await;
    assert_eq!(
        (first.result, first.ask_again_ms),
        (AuthorizationResult::Pending, Some(31_000))
    );
    clock.advance(Duration::from_millis(29_999));
    assert_eq!(ask(methods::REFUSING).await, first);
    clock.advance(Duration::from_millis(1));
    let late = acquirer.inquire(&about("1")).await.unwrap().unwrap();
    assert_eq!(late.result, AuthorizationResult::Approved);
    assert!(late.approval.is_some());
}

#[tokio::test]
async fn a_pending_charge_becomes_final_in_time() {
    let folder = tempfile::tempdir().unwrap();
    let (acquirer, clock) = acquirer(&folder).await;
    clock.advance(Duration::from_millis(1_000));
    let first = ask(&acquirer, "1", "4761730000009079").await;
    assert_eq!(
        (first.result, first.ask_again_ms),
        (AuthorizationResult::Pending, Some(31_000))
    );
    clock.advance(Duration::from_millis(29_999));
    let early = acquirer.inquire(&about("1")).await.unwrap().unwrap();
    assert_eq!(early.result, AuthorizationResult::Pending);
    clock.advance(Duration::from_millis(1));
    let late = acquirer.inquire(&about("1")).await.unwrap().unwrap();
    assert_eq!(
        (late.result, late.response_code.as_str(), late.ask_again_ms),
        (AuthorizationResult::Declined, "907", None)
    );
    assert_eq!(acquirer.inquire(&about("2")).await.unwrap(), None);
}

#[tokio::test]
async fn both_sums_of_a_payment_in_the_cards_own_currency_are_on_record() {
    let folder = tempfile::tempdir().unwrap();
    let (acquirer, _) = acquirer(&folder).await;
    assert!(acquirer.converts());
    let typed = Typed::of("4761738400000002");
    let offer = |minor| {
        let amount = Amount::from_minor(minor).unwrap();
        AcceptedOffer::of(amount, "EUR", "USD", "0.897085020").unwrap()
    };
    let (whole, part) = (offer(3545), offer(1000));
    let request = AuthorizationRequest {
        reference: "1",
        terminal_id: "terminal",
        action: ActionType::Pay,
        capture: Capture::Implicit,
        amount: Amount::parse("3545").unwrap(),
        currency: "EUR",
        conversion: Some(&whole),
        instrument: Instrument::Card(card(&typed)),
    };
    acquirer.authorize(&request).await.unwrap();
    let refund = FollowUpRequest {
        reference: "2",
        authorization: "1",
        target: "1",
        terminal_id: "terminal",
        operation: FollowUpOperation::Refund,
        amount: Amount::parse("1000").unwrap(),
        currency: "EUR",
        conversion: Some(&part),
    };
    acquirer.follow_up(&refund).await.unwrap();
    for (records, expected) in [
        ("SELECT * FROM charge", [3545, 3952]),
        ("SELECT * FROM movement", [1000, 1115]),
    ] {
        let row = query(records)
            .fetch_one(&mut acquirer.records.read().await.unwrap())
            .await
            .unwrap();
        let sums: [i64; 2] =
            ["amount_minor", "cardholder_amount_minor"].map(|name| row.try_get(name).unwrap());
        assert_eq!(sums, expected, "{records}");
        let texts: [String; 2] =
            ["cardholder_currency", "exchange_rate"].map(|name| row.try_get(name).unwrap());
        assert_eq!(texts, ["USD", "0.897085020"], "{records}");
    }
}
