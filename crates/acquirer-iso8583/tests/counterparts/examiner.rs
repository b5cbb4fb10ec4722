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
    })
    .await;
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
    let sums = lines.map(|line| {
        line.split(' ')
            .rev()
            .nth(1)
            .unwrap()
            .parse::<u64>()
            .unwrap()
    });
    sums.sum()
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
