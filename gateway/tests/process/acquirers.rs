//! Acquirers behind adapters: the example in Python passes the examiner, and the examiner finds what is wrong with others.

pub(crate) mod example;
mod payments;

use crate::process::command;
use example::{Adapter, EXAMPLE, FAULTY};
use std::path::Path;
use std::process::Output;

/// Runs the examiner.
fn examine(file: &Path, options: &[&str]) -> Output {
    let mut command = command(Path::new("/nowhere"), &[]);
    command.env_remove("PAYFRAME_MODE");
    command.args(["examine", "--acquirer"]).arg(file);
    command.args(options).output().unwrap()
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

#[test]
fn the_example_in_python_passes_the_examiner() {
    let adapter = Adapter::start(EXAMPLE, &[]);
    let ended = examine(&adapter.file, &["--test-endpoint", "--name", "main"]);
    let report = text(ended.stdout);
    assert!(ended.status.success(), "{report}{}", text(ended.stderr));
    assert!(report.starts_with("main at http://127.0.0.1:"), "{report}");
    assert!(
        report.ends_with(" passed, 0 failed, 3 not tried\n\n"),
        "{report}"
    );
    let passed = report.lines().filter(|line| line.starts_with("passed "));
    assert!(passed.count() >= 30, "{report}");
    assert!(report.contains(&charged_tokens(3)), "{report}");
    let booked = report.lines().filter(|line| line.contains(", APPROVED: "));
    let booked: Vec<_> = booked
        .map(str::trim)
        .filter(|line| !line.starts_with("with a cryptogram"))
        .collect();
    assert_eq!(booked, adapter.approved(), "{report}");
    for secret in [
        "4761730000000003",
        "4761730000001167",
        "AgAAAAAABk4DWZ4C28yU",
    ] {
        assert!(!report.contains(secret), "{report}");
    }
}

/// What the books of an adapter have to contain that charged this many payments with a network token.
fn charged_tokens(count: usize) -> String {
    format!(
        "\nBooked by this examination. Compare it with the report of the other side:\n  \
         with a cryptogram of a network token, APPROVED: {count}, together {count}000 EUR\n"
    )
}

#[test]
fn an_adapter_may_refuse_network_tokens_and_then_books_none() {
    let adapter = Adapter::start(FAULTY, &["--fault", "refuses-network-tokens"]);
    let ended = examine(&adapter.file, &["--test-endpoint"]);
    let report = text(ended.stdout);
    assert!(ended.status.success(), "{report}{}", text(ended.stderr));
    for line in [
        "passed     a network token is charged with its cryptogram, or refused",
        "not tried  a payment with a network token is captured",
        "passed     a network token is not charged with a wrong cryptogram",
    ] {
        assert!(report.contains(line), "{line}: {report}");
    }
    assert!(!report.contains("with a cryptogram of"), "{report}");
}

/// Examines an adapter whose operator says that it charges cards in their own currency.
fn examine_converting(fault: &str) -> String {
    let adapter = Adapter::start(FAULTY, &["--fault", fault]);
    let file = std::fs::read_to_string(&adapter.file).unwrap();
    std::fs::write(&adapter.file, format!("{file}currency_conversion = true\n")).unwrap();
    text(examine(&adapter.file, &["--test-endpoint"]).stdout)
}

#[test]
fn an_adapter_that_is_to_charge_cards_in_their_own_currency_is_held_to_it() {
    let report = examine_converting("converts");
    let check = "a payment in the card's own currency is captured in parts and given back";
    assert!(report.contains(&format!("passed     {check}")), "{report}");
    let booked = "charged in the card's own currency, APPROVED: 2, together 2222 USD\n  \
                  given back in the card's own currency, APPROVED: 1, together 667 USD\n";
    assert!(report.contains(booked), "{report}");
    for fault in ["overlooks-the-conversion", "refunds-the-orders-currency"] {
        let report = examine_converting(fault);
        let found = report
            .lines()
            .any(|line| line.starts_with("FAILED ") && line.contains(check));
        assert!(found, "{fault}: {report}");
    }
}

#[test]
fn the_examiner_finds_every_fault() {
    // The fault, and a part of the name of a check that has to fail.
    let faults = [
        (
            "charges-again",
            "a repeated authorization has the first outcome",
        ),
        (
            "refunds-again",
            "a repeated refund gives the money back once",
        ),
        ("refunds-again", "the books of both sides agree"),
        (
            "checks-before-it-counts",
            "two refunds of the whole amount at the same moment",
        ),
        ("forgets", "an inquiry about a known reference"),
        ("invents", "an inquiry about an unknown reference"),
        ("stores-late", "after a lost answer"),
        (
            "captures-too-much",
            "no more is captured or released than is held",
        ),
        (
            "refunds-too-much",
            "no more is given back than was captured",
        ),
        ("captures-twice", "what was captured with the authorization"),
        ("two-decimals", "a payment in JPY"),
        ("two-decimals", "a payment in KWD"),
        ("needs-the-code", "also without the security code"),
        ("changes-its-mind", "that was declined stays declined"),
        ("guesses-the-outcome", "a pending payment gets its outcome"),
        ("repeats-the-card", "an answer does not repeat card data"),
        ("strict", "members that the adapter does not know"),
        ("hears-anybody", "a request without a signature"),
        ("hears-old-requests", "that was signed too long ago"),
        ("hears-old-requests", "that was signed in the future"),
        ("mixes-operations", "a capture's reference that comes again"),
        (
            "mixes-authorizations",
            "a reference that comes again for another authorization",
        ),
        (
            "mixes-operations",
            "an authorization's reference that comes again",
        ),
        ("takes-any-currency", "in the currency of the payment alone"),
        (
            "captures-what-it-releases",
            "a capture and a release of the same money",
        ),
        ("hears-one-minute", "some minutes behind"),
        ("hears-one-minute", "some minutes ahead"),
        (
            "hears-later-requests-alone",
            "after the gateway's clock was put back",
        ),
        (
            "checks-the-body-alone",
            "with the signature of another path",
        ),
        (
            "drops-the-cryptogram",
            "a network token is not charged with a wrong cryptogram",
        ),
        (
            "asks-for-the-cryptogram-once",
            "a network token is charged with its cryptogram, or refused",
        ),
        ("needs-an-indicator", "data that was only shared"),
    ];
    std::thread::scope(|scope| {
        for (fault, expected) in faults {
            scope.spawn(move || {
                let adapter = Adapter::start(FAULTY, &["--fault", fault]);
                let ended = examine(&adapter.file, &["--test-endpoint"]);
                let report = text(ended.stdout);
                let found = report
                    .lines()
                    .any(|line| line.starts_with("FAILED ") && line.contains(expected));
                assert!(found, "{fault}: {report}");
                assert_eq!(ended.status.code(), Some(1), "{fault}");
                assert!(text(ended.stderr).contains("checks failed"), "{fault}");
            });
        }
    });
}

#[test]
fn an_adapter_whose_answers_do_not_count_is_not_examined() {
    let adapter = Adapter::start(FAULTY, &["--fault", "signs-for-nobody"]);
    let ended = examine(&adapter.file, &["--test-endpoint"]);
    assert_eq!(ended.status.code(), Some(1));
    let said = text(ended.stderr);
    assert!(
        said.contains("main can not be examined: the answer's signature"),
        "{said}"
    );
}

#[test]
fn nothing_is_sent_unless_the_operator_says_that_it_is_a_test_endpoint() {
    let adapter = Adapter::start(EXAMPLE, &[]);
    let ended = examine(&adapter.file, &[]);
    assert_eq!(ended.status.code(), Some(1));
    let said = text(ended.stderr);
    assert!(said.contains("run it with --test-endpoint"), "{said}");
    let ended = examine(&adapter.file, &["--test-endpoint", "--name", "other"]);
    let said = text(ended.stderr);
    assert!(
        said.contains("has no acquirer other; there are: main"),
        "{said}"
    );
    // A file for real money does not say that the endpoint is for tests.
    let live = std::fs::read_to_string(&adapter.file).unwrap();
    std::fs::write(&adapter.file, live.replace("test_endpoint = true\n", "")).unwrap();
    let ended = examine(&adapter.file, &["--test-endpoint"]);
    let said = text(ended.stderr);
    assert!(said.contains("only with `test_endpoint = true`"), "{said}");
    assert_eq!(adapter.operations(), 0);
}
