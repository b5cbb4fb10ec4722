//! The examiner against the hosts: they pass it, and it finds what is wrong with others.

use crate::bench::{Bench, Version};
use crate::{LIMIT, against_both};
use payframe_examiner::Verdict;

#[tokio::test]
async fn both_hosts_pass_and_their_books_are_those_of_the_report() {
    against_both(|version| async move {
        let mut bench = Bench::start_with_fault(version, 2, "slow").await;
        let report = bench.examine().await;
        let wrong: Vec<_> = report
            .checks
            .iter()
            .filter(|check| check.verdict != Verdict::Passed)
            .collect();
        assert!(wrong.is_empty(), "{report}");
        assert!(report.checks.len() >= 16, "{report}");
        let books = bench.books();
        for kind in ["sale", "authorization", "capture", "refund"] {
            let booked = books.moves.values();
            let booked = booked.filter(|one| one.kind == kind && one.state == "booked");
            let there: u64 = booked.map(|one| one.amount).sum();
            assert_eq!(here(&report.books, kind), there, "{kind}: {report}");
        }
        let booked = books.moves.values();
        let booked = booked.filter(|one| !one.cryptogram.is_empty() && one.state == "booked");
        let there: u64 = booked.map(|one| one.amount).sum();
        assert_eq!(with_cryptogram(&report.books), Some(there), "{report}");
        for (kind, line) in [("authorization", "charged"), ("refund", "given back")] {
            // What was settled in another currency than the transaction's.
            let converted = books.moves.values();
            let converted = converted.filter(|one| one.kind == kind && !one.additional.is_empty());
            let converted: Vec<_> = converted.collect();
            assert!(
                converted
                    .iter()
                    .all(|one| { one.currency == "840" && one.additional.starts_with("0058978") })
            );
            let there: u64 = converted.iter().map(|one| one.amount).sum();
            let line = format!("{line} in the card's own currency, ");
            let here = report.books.iter().find(|one| one.starts_with(&line));
            assert_eq!(here.map(|one| sum_of(one)), Some(there), "{report}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_dialect_without_a_place_for_cryptograms_refuses_network_tokens() {
    let mut bench = Bench::start_with_fault(Version::Of1987, 2, "slow").await;
    let examined = tokio::time::timeout(LIMIT, bench.examine_without_cryptograms());
    let report = examined.await.unwrap();
    assert_eq!(report.failures().count(), 0, "{report}");
    let found = report.checks.iter().find(|check| {
        check
            .name
            .contains("network token is captured and given back")
    });
    let verdict = &found.unwrap().verdict;
    assert!(matches!(verdict, Verdict::NotTried(_)), "{report}");
    // It is not charged as a card either.
    assert_eq!(with_cryptogram(&report.books), None, "{report}");
    let books = bench.books();
    assert!(books.moves.values().all(|one| one.cryptogram.is_empty()));
    let there = books.moves.values().filter(|one| one.kind == "sale");
    let there: u64 = there
        .filter(|one| one.state == "booked")
        .map(|one| one.amount)
        .sum();
    assert_eq!(here(&report.books, "sale"), there, "{report}");
}

/// The sum of what was approved with the cryptogram of a network token.
fn with_cryptogram(books: &[String]) -> Option<u64> {
    let begins = |line: &&String| line.starts_with("with a cryptogram of a network token, ");
    books.iter().find(begins).map(|line| sum_of(line))
}

/// The sum in a line as `sale, APPROVED: 28, together 41600 EUR`.
fn sum_of(line: &str) -> u64 {
    line.split(' ').rev().nth(1).unwrap().parse().unwrap()
}

/// The sum of a kind of message that is approved, over all currencies, from lines as `sale, APPROVED: 28, together 41600 EUR`. What raises an
/// authorization is one for the host.
fn here(books: &[String], kind: &str) -> u64 {
    let kinds: &[&str] = match kind {
        "authorization" => &["authorization", "increment", "verification"],
        _ => &[kind],
    };
    let lines = books.iter().filter(|line| {
        let begins = |kind: &&str| line.starts_with(&format!("{kind}, APPROVED: "));
        kinds.iter().any(begins)
    });
    lines.map(|line| sum_of(line)).sum()
}

#[tokio::test]
async fn every_fault_is_found() {
    for (version, fault, expected) in [
        (
            Version::Of1987,
            "refuses-echoes",
            "the host answers an echo",
        ),
        (Version::Of1987, "refuses-captures", "a payment in EUR"),
        (Version::Of1993, "refuses-captures", "a payment in EUR"),
        (
            Version::Of1987,
            "approves-anything",
            "a declined card is declined",
        ),
        (
            Version::Of1993,
            "approves-anything",
            "a declined card is declined",
        ),
        (
            Version::Of1987,
            "mixes-amounts",
            "payments at the same moment",
        ),
        (
            Version::Of1987,
            "refuses-reversals",
            "a payment that is interrupted",
        ),
        (
            Version::Of1993,
            "refuses-reversals",
            "a payment that is interrupted",
        ),
        (
            Version::Of1993,
            "refuses-reversals",
            "a part is approved is declined and reversed",
        ),
        (
            Version::Of1987,
            "refuses-repetitions",
            "a capture that is interrupted",
        ),
        (
            Version::Of1987,
            "drops-cryptograms",
            "not charged with a wrong cryptogram",
        ),
        (
            Version::Of1993,
            "drops-cryptograms",
            "not charged with a wrong cryptogram",
        ),
    ] {
        let examined = async {
            Bench::start_with_fault(version, 2, fault)
                .await
                .examine()
                .await
        };
        let report = tokio::time::timeout(LIMIT, examined).await.unwrap();
        let found = report.failures().any(|check| check.name.contains(expected));
        assert!(found, "{version:?} {fault}: {report}");
    }
}
