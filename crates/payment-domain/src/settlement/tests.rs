//! One row for each way in which a line and the books can fit.

use super::*;

const PAYMENT: &str = "100000000000000001";
const REFUND: &str = "100000000000000002";

fn booked(id: &str, kind: LineKind, minor: u64) -> BookedOperation {
    BookedOperation {
        operation_id: id.to_owned(),
        order_id: String::from("A1"),
        kind,
        amount: Amount::from_minor(minor).unwrap(),
        currency: String::from("EUR"),
        is_cleared: false,
    }
}

fn cleared(mut one: BookedOperation) -> BookedOperation {
    one.is_cleared = true;
    one
}

fn line(kind: LineKind, minor: i64, currency: &str) -> ClearingLine {
    ClearingLine {
        number: 2,
        kind,
        references: References {
            operation_id: Some(PAYMENT.to_owned()),
            ..References::default()
        },
        payout_id: None,
        booked_day: String::from("2026-11-20"),
        booked_ms: 0,
        gross_minor: minor,
        fee_minor: 0,
        net_minor: minor,
        currency: currency.to_owned(),
        identity: String::new(),
    }
}

fn check(
    line: &ClearingLine,
    books: &[BookedOperation],
    expected: (Option<&str>, Option<Difference>),
) {
    let verdict = match_line(line, books);
    let operation = verdict.operation.map(|one| one.operation_id.as_str());
    assert_eq!(
        (operation, verdict.difference),
        expected,
        "{line:?} {books:?}"
    );
}

#[test]
fn a_line_agrees_or_differs_with_the_operation_that_it_names() {
    let books = [booked(PAYMENT, LineKind::Payment, 1000)];
    for (minor, currency, expected) in [
        (1000, "EUR", None),
        (999, "EUR", Some(Difference::AmountDiffers)),
        (1000, "USD", Some(Difference::CurrencyDiffers)),
        (999, "USD", Some(Difference::CurrencyDiffers)),
    ] {
        let line = line(LineKind::Payment, minor, currency);
        check(&line, &books, (Some(PAYMENT), expected));
    }
}

#[test]
fn a_line_that_no_operation_fits_is_not_in_the_books() {
    let books = [booked(PAYMENT, LineKind::Payment, 1000)];
    let nothing = (None, Some(Difference::NotInBooks));
    check(&line(LineKind::Payment, 1000, "EUR"), &[], nothing);
    check(&line(LineKind::Refund, -1000, "EUR"), &books, nothing);
}

#[test]
fn a_second_line_for_an_operation_is_booked_twice() {
    let books = [cleared(booked(PAYMENT, LineKind::Payment, 1000))];
    let twice = (Some(PAYMENT), Some(Difference::BookedTwice));
    check(&line(LineKind::Payment, 1000, "EUR"), &books, twice);
    check(&line(LineKind::Payment, 900, "EUR"), &books, twice);
}

#[test]
fn a_refund_that_names_its_payment_finds_the_refund_with_the_same_money() {
    let other = "100000000000000003";
    let books = [
        booked(PAYMENT, LineKind::Payment, 1000),
        booked(REFUND, LineKind::Refund, 400),
        booked(other, LineKind::Refund, 600),
    ];
    let of = |minor| line(LineKind::Refund, minor, "EUR");
    check(&of(-600), &books, (Some(other), None));
    check(&of(-400), &books, (Some(REFUND), None));
    let differs = Some(Difference::AmountDiffers);
    check(&of(-500), &books, (Some(REFUND), differs));
    let [payment, refund, third] = books;
    let books = [payment, cleared(refund), third];
    check(&of(-500), &books, (Some(other), differs));
    check(&of(-400), &books, (Some(other), differs));
}

#[test]
fn two_refunds_of_one_sum_are_cleared_by_two_lines() {
    let second = "100000000000000003";
    let books = [
        cleared(booked(REFUND, LineKind::Refund, 400)),
        booked(second, LineKind::Refund, 400),
    ];
    check(
        &line(LineKind::Refund, -400, "EUR"),
        &books,
        (Some(second), None),
    );
}

#[test]
fn fees_and_corrections_belong_to_no_operation() {
    let books = [booked(PAYMENT, LineKind::Payment, 1000)];
    check(&line(LineKind::Other, -30, "EUR"), &books, (None, None));
}

#[test]
fn only_what_moved_money_is_cleared() {
    use OperationResult::{Authorized, Declined, Executed, Pending, Refunded};
    for (kind, result, expected) in [
        (
            OperationType::Authorization,
            Executed,
            Some(LineKind::Payment),
        ),
        (
            OperationType::Authorization,
            Refunded,
            Some(LineKind::Payment),
        ),
        (OperationType::Authorization, Authorized, None),
        (OperationType::Authorization, Declined, None),
        (OperationType::Capture, Executed, Some(LineKind::Payment)),
        (OperationType::Capture, Pending, None),
        (OperationType::Refund, Executed, Some(LineKind::Refund)),
        (OperationType::NoShow, Executed, Some(LineKind::Payment)),
        (OperationType::Void, Executed, None),
        (OperationType::CardVerification, Executed, None),
    ] {
        let found = clearing_kind(kind, result, Capture::Implicit);
        assert_eq!(found, expected, "{kind:?} {result:?}");
    }
}

#[test]
fn captures_are_cleared_and_not_what_they_capture() {
    use OperationResult::{Authorized, Executed, Refunded, Voided};
    for result in [Authorized, Executed, Refunded, Voided] {
        let found = clearing_kind(OperationType::Authorization, result, Capture::Explicit);
        assert_eq!(found, None, "{result:?}");
    }
    let found = clearing_kind(OperationType::Capture, Executed, Capture::Explicit);
    assert_eq!(found, Some(LineKind::Payment));
}

#[test]
fn codes_lead_back() {
    for kind in LineKind::ALL {
        assert_eq!(LineKind::from_code(kind.code()), Some(kind));
    }
    for one in Difference::ALL {
        assert_eq!(Difference::from_code(one.code()), Some(one));
    }
}
