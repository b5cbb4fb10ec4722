//! The acquirer against hosts that others wrote (`host.py`), through a proxy that drops, doubles, delays and reorders their answers.
//!
//! They need the hosts, which `cargo xtask test contract` installs. So they are behind the feature `counterparts`, which that step sets.

// This file has only tests: a panic fails the test.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod bench;
mod examiner;
mod proxy;

use bench::{ANSWER_LIMIT, BOTH, Bench, Books, Version};
use payframe_money::Amount;
use payframe_payment_ports::acquirer::{
    Acquirer, AuthorizationResult, Capture, FollowUpOperation, InquiryRequest,
};
use proxy::Act;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Far longer than a test takes.
const LIMIT: Duration = Duration::from_secs(60);

/// Runs a test against both hosts at the same time.
async fn against_both<T: Future<Output = ()>>(test: impl Fn(Version) -> T) {
    let [first, second] = BOTH.map(test);
    let both = async { tokio::join!(first, second) };
    tokio::time::timeout(LIMIT, both)
        .await
        .expect("both tests end");
}

/// The state and the amount of each movement, by its kind.
fn moves(books: &Books) -> Vec<(&str, &str, u64)> {
    let moves = books.moves.values();
    moves
        .map(|one| (one.kind.as_str(), one.state.as_str(), one.amount))
        .collect()
}

#[tokio::test]
async fn a_payment_and_everything_after_it() {
    against_both(|version| async move {
        let mut bench = Bench::start(version, 2).await;
        let held = bench.authorize("1", Capture::Explicit, 3545).await.unwrap();
        assert_eq!(held.result, AuthorizationResult::Approved);
        assert_eq!(held.response_code, "000");
        let approval = held.approval.clone().unwrap();
        assert!(approval.authorization_code.starts_with('A'), "{approval:?}");
        assert_eq!(approval.retrieval_reference.len(), 12);
        let again = bench.authorize("1", Capture::Explicit, 3545).await.unwrap();
        assert_eq!(again, held);
        for (reference, operation, target, minor) in [
            ("2", FollowUpOperation::Increment, "1", 100),
            ("3", FollowUpOperation::Capture, "1", 3000),
            ("4", FollowUpOperation::Refund, "1", 1000),
            ("5", FollowUpOperation::Cancel, "3", 500),
            ("6", FollowUpOperation::Void, "1", 645),
        ] {
            for _ in 0..2 {
                let moved = bench
                    .follow_up(reference, ("1", target), operation, minor)
                    .await;
                assert_eq!(
                    moved.unwrap().result,
                    AuthorizationResult::Approved,
                    "{operation:?}"
                );
            }
        }
        let sold = bench.authorize("7", Capture::Implicit, 1200).await.unwrap();
        assert_eq!(sold.result, AuthorizationResult::Approved);
        let declined = bench.authorize("8", Capture::Implicit, 1251).await.unwrap();
        assert_eq!(declined.result, AuthorizationResult::Declined);
        assert_eq!(
            (declined.response_code.as_str(), declined.approval),
            ("116", None)
        );
        let failed = bench.authorize("9", Capture::Implicit, 1291).await.unwrap();
        assert_eq!(failed.result, AuthorizationResult::Failed);
        assert_eq!(failed.response_code, "907");
        let books = bench.books();
        assert_eq!(
            moves(&books),
            [
                ("authorization", "booked", 3545),
                ("authorization", "booked", 100),
                ("capture", "booked", 3000),
                ("refund", "booked", 1000),
                ("cancel", "booked", 500),
                ("release", "booked", 645),
                ("sale", "booked", 1200),
                ("sale", "declined", 1251),
                ("sale", "declined", 1291),
            ]
        );
        // The cancellation is about the capture, all others about the authorization.
        let numbers: Vec<&String> = books.moves.keys().collect();
        let originals: Vec<_> = books.moves.values().map(|one| &one.original).collect();
        assert_eq!(originals[1], numbers[0]);
        assert_eq!(originals[4], numbers[2]);
        assert_eq!(originals[5], numbers[0]);
        assert_eq!(bench.acquirer.late_answers(), 0);
    })
    .await;
}

#[tokio::test]
async fn a_lost_answer_is_reversed_and_the_reversal_sent_until_it_is_acknowledged() {
    against_both(|version| async move {
        let mut bench = Bench::start(version, 1).await;
        bench.proxy.plan(&[Act::Drop, Act::Drop]);
        let unknown = bench.authorize("1", Capture::Implicit, 3545).await;
        assert!(unknown.is_err(), "the reversal is not acknowledged yet");
        let failed = bench.authorize("1", Capture::Implicit, 3545).await.unwrap();
        assert_eq!(failed.result, AuthorizationResult::Failed);
        assert_eq!(failed.response_code, "911");
        let again = bench.authorize("1", Capture::Implicit, 3545).await.unwrap();
        assert_eq!(again, failed);
        let books = bench.books();
        assert_eq!(moves(&books), [("sale", "reversed", 3545)]);
        let types: Vec<_> = books.messages.iter().map(|message| &message[..4]).collect();
        assert_eq!(
            types,
            match version {
                Version::Of1987 => ["0800", "0200", "0400", "0401"],
                Version::Of1993 => ["1804", "1200", "1420", "1421"],
            }
        );
        // The repetition has the number of the reversal.
        assert_eq!(books.messages[2][5..], books.messages[3][5..]);
    })
    .await;
}

#[tokio::test]
async fn an_approval_that_comes_after_the_reversal_is_never_booked() {
    against_both(|version| async move {
        let mut bench = Bench::start(version, 1).await;
        // It arrives right after the acknowledgement of its reversal.
        bench.proxy.plan(&[Act::Delay]);
        let failed = bench.authorize("1", Capture::Implicit, 3545).await.unwrap();
        assert_eq!(failed.result, AuthorizationResult::Failed);
        // The answer to this one comes on the same connection, so the late one has been read by then.
        let other = bench.authorize("2", Capture::Implicit, 1200).await.unwrap();
        assert_eq!(other.result, AuthorizationResult::Approved);
        assert_eq!(bench.acquirer.late_answers(), 1);
        let again = bench.authorize("1", Capture::Implicit, 3545).await.unwrap();
        assert_eq!(again, failed);
        let books = bench.books();
        assert_eq!(
            moves(&books),
            [("sale", "reversed", 3545), ("sale", "booked", 1200)]
        );
    })
    .await;
}

#[tokio::test]
async fn doubled_and_reordered_answers_reach_their_own_payments() {
    against_both(|version| async move {
        let mut bench = Bench::start(version, 1).await;
        bench.proxy.plan(&[Act::Double, Act::Delay]);
        let doubled = bench.authorize("1", Capture::Implicit, 1100).await.unwrap();
        assert_eq!(doubled.result, AuthorizationResult::Approved);
        let (second, third) = tokio::join!(
            bench.authorize("2", Capture::Implicit, 1251),
            bench.authorize("3", Capture::Implicit, 1300),
        );
        assert_eq!(second.unwrap().result, AuthorizationResult::Declined);
        assert_eq!(third.unwrap().result, AuthorizationResult::Approved);
        assert_eq!(bench.acquirer.late_answers(), 1);
        assert_eq!(bench.proxy.left(), 0);
        let books = bench.books();
        let booked = books.moves.values().filter(|one| one.state == "booked");
        assert_eq!(booked.map(|one| one.amount).sum::<u64>(), 2400);
    })
    .await;
}

#[tokio::test]
async fn a_connection_that_ends_is_made_again_and_what_was_on_it_is_reversed() {
    against_both(|version| async move {
        let mut bench = Bench::start(version, 1).await;
        bench.proxy.plan(&[Act::Close]);
        let failed = bench.authorize("1", Capture::Implicit, 3545).await.unwrap();
        assert_eq!(failed.result, AuthorizationResult::Failed);
        let books = bench.books();
        assert_eq!(moves(&books), [("sale", "reversed", 3545)]);
        let is_sign_on = |message: &&String| matches!(&message[..4], "0800" | "1804");
        assert_eq!(books.messages.iter().filter(is_sign_on).count(), 2);
    })
    .await;
}

#[tokio::test]
async fn after_a_restart_a_payment_without_an_answer_is_reversed_and_numbers_go_on() {
    against_both(|version| async move {
        let bench = Bench::start(version, 1).await;
        bench.proxy.plan(&[Act::Drop]);
        {
            let asking = bench.authorize("1", Capture::Implicit, 3545);
            let mut asking = std::pin::pin!(asking);
            // The process ends when the host has answered, before the wait is over.
            let answered = async {
                while bench.proxy.left() > 0 {
                    tokio::task::yield_now().await;
                }
            };
            tokio::select! {
                _ = &mut asking => panic!("there is no answer"),
                () = answered => {}
            }
        }
        let mut bench = bench.restart();
        let still_awaited = bench.authorize("1", Capture::Implicit, 3545).await;
        let said = still_awaited.unwrap_err().to_string();
        assert!(said.contains("still awaited"), "{said}");
        bench.clock.advance(ANSWER_LIMIT);
        let failed = bench.authorize("1", Capture::Implicit, 3545).await.unwrap();
        assert_eq!(failed.result, AuthorizationResult::Failed);
        let other = bench.authorize("2", Capture::Implicit, 1200).await.unwrap();
        assert_eq!(other.result, AuthorizationResult::Approved);
        let books = bench.books();
        assert_eq!(
            moves(&books),
            [("sale", "reversed", 3545), ("sale", "booked", 1200)]
        );
        let numbers: Vec<_> = books.messages.iter().map(|message| &message[5..]).collect();
        let different: BTreeSet<_> = numbers.iter().collect();
        assert_eq!(different.len(), numbers.len(), "{numbers:?}");
    })
    .await;
}

#[tokio::test]
async fn an_advice_without_an_answer_is_repeated_and_counts_once() {
    against_both(|version| async move {
        let mut bench = Bench::start(version, 1).await;
        let held = bench.authorize("1", Capture::Explicit, 3545).await.unwrap();
        assert_eq!(held.result, AuthorizationResult::Approved);
        bench.proxy.plan(&[Act::Drop]);
        let capture = FollowUpOperation::Capture;
        let unknown = bench.follow_up("2", ("1", "1"), capture, 3545).await;
        assert!(unknown.is_err());
        let captured = bench
            .follow_up("2", ("1", "1"), capture, 3545)
            .await
            .unwrap();
        assert_eq!(captured.result, AuthorizationResult::Approved);
        let books = bench.books();
        assert_eq!(
            moves(&books),
            [
                ("authorization", "booked", 3545),
                ("capture", "booked", 3545)
            ]
        );
        let last: Vec<_> = books.messages.iter().rev().take(2).collect();
        assert_eq!(last[0][5..], last[1][5..]);
        assert!(matches!(&last[0][..4], "0221" | "1221"), "{last:?}");
    })
    .await;
}

#[tokio::test]
async fn a_partial_approval_and_an_answer_without_an_outcome_are_reversed() {
    against_both(|version| async move {
        let mut bench = Bench::start(version, 1).await;
        let partial = bench.authorize("1", Capture::Implicit, 1210).await.unwrap();
        assert_eq!(partial.result, AuthorizationResult::Declined);
        let unknown = bench.authorize("2", Capture::Implicit, 1268).await.unwrap();
        assert_eq!(unknown.result, AuthorizationResult::Failed);
        let books = bench.books();
        assert_eq!(
            moves(&books),
            [("sale", "reversed", 1210), ("sale", "reversed", 1268)]
        );
    })
    .await;
}

#[tokio::test]
async fn what_was_never_sent_is_not_known_and_moves_nothing() {
    let mut bench = Bench::start(Version::Of1987, 1).await;
    let request = InquiryRequest {
        reference: "1",
        terminal_id: "55000001",
        amount: Amount::from_minor(1200).unwrap(),
        currency: "EUR",
    };
    assert_eq!(bench.acquirer.inquire(&request).await.unwrap(), None);
    let refund = FollowUpOperation::Refund;
    let refunded = bench
        .follow_up("2", ("1", "1"), refund, 1200)
        .await
        .unwrap();
    assert_eq!(refunded.result, AuthorizationResult::Failed);
    assert_eq!(refunded.response_code, "914");
    assert!(bench.books().moves.is_empty());
}

#[tokio::test]
async fn under_faults_of_every_kind_both_books_agree() {
    against_both(|version| async move {
        // Time passes: what may have been on the way is not any more, so that every payment ends.
        let mut bench = Bench::start_with_time(version, 4).await;
        let acts = [
            Act::Pass,
            Act::Drop,
            Act::Double,
            Act::Delay,
            Act::Pass,
            Act::Close,
            Act::Pass,
        ];
        bench.proxy.plan(&acts.repeat(2));
        let mut ended: BTreeMap<u64, AuthorizationResult> = BTreeMap::new();
        let payment = async |number: u64| {
            let (reference, minor) = (number.to_string(), 100_000 + 100 * number);
            loop {
                // As the gateway does: until there is a response.
                if let Ok(response) = bench.authorize(&reference, Capture::Implicit, minor).await {
                    return (minor, response.result);
                }
                tokio::task::yield_now().await;
            }
        };
        for round in 0..2 {
            let first = 8 * round;
            let results = tokio::join!(
                payment(first),
                payment(first + 1),
                payment(first + 2),
                payment(first + 3),
                payment(first + 4),
                payment(first + 5),
                payment(first + 6),
                payment(first + 7),
            );
            let (a, b, c, d, e, f, g, h) = results;
            ended.extend([a, b, c, d, e, f, g, h]);
        }
        let books = bench.books();
        assert_eq!(ended.len(), 16);
        let is_approved = |result: &AuthorizationResult| *result == AuthorizationResult::Approved;
        assert!(ended.values().any(is_approved));
        assert!(!ended.values().all(is_approved));
        for (minor, result) in &ended {
            let of_payment = books.moves.values().filter(|one| one.amount == *minor);
            let states: Vec<_> = of_payment.map(|one| one.state.as_str()).collect();
            // A message that still waits on a connection when that ends never reaches the host.
            let expected: &[&[&str]] = if is_approved(result) {
                &[&["booked"]]
            } else {
                &[&["reversed"], &[]]
            };
            assert!(
                expected.contains(&states.as_slice()),
                "{minor}: {result:?} here, {states:?} there"
            );
        }
    })
    .await;
}
