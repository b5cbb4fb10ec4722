//! Checks about references: money is moved once for each, however often and whenever it is asked for.

use payframe_examiner::{
    Bench, CodeData, Finding, Payment, Report, amount, failed, in_words, must_be, must_be_same,
    reference,
};
use payframe_money::Amount;
use payframe_payment_ports::acquirer::{AuthorizationResult, Capture, FollowUpOperation};
use std::time::Duration;

pub(super) async fn run(bench: &Bench<'_>, report: &mut Report) {
    report.add(
        "a repeated authorization has the first outcome, also without the security code",
        repeated(bench).await,
    );
    report.add(
        "a repeated authorization that was declined stays declined",
        repeated_refusal(bench).await,
    );
    report.add(
        "copies of an authorization at the same moment have one outcome",
        copies_at_once(bench).await,
    );
    report.add(
        "a repeated refund gives the money back once",
        repeated_refund(bench).await,
    );
    report.add(
        "copies of a capture at the same moment capture once",
        captures_at_once(bench).await,
    );
    report.add(
        "a repeated reference with another amount moves nothing",
        other_amount(bench).await,
    );
    report.add(
        "an inquiry about an unknown reference says that it is unknown",
        unknown(bench).await,
    );
    report.add(
        "an inquiry about a known reference has its outcome",
        known(bench).await,
    );
    report.add(
        "an inquiry about a refund has its outcome",
        known_refund(bench).await,
    );
    report.add(
        "after a lost answer, the inquiry and the repetition have the outcome",
        lost_answer(bench).await,
    );
    report.add(
        "after a broken connection, the repetition has one outcome",
        broken_connection(bench).await,
    );
}

async fn repeated(bench: &Bench<'_>) -> Result<(), Finding> {
    let payment = reference()?;
    let request = bench.payment(&payment, Capture::Implicit);
    let first = bench.pay(request).await?;
    must_be("the first request", AuthorizationResult::Approved, &first)?;
    for (what, code) in [
        ("the repetition", CodeData::Given),
        ("the repetition without the security code", CodeData::Lost),
    ] {
        let second = bench.pay(Payment { code, ..request }).await?;
        must_be_same(what, &first, &second)?;
    }
    Ok(())
}

async fn repeated_refusal(bench: &Bench<'_>) -> Result<(), Finding> {
    let payment = reference()?;
    let request = bench.declined_payment(&payment, Capture::Implicit);
    let first = bench.pay(request).await?;
    must_be("the first request", AuthorizationResult::Declined, &first)?;
    let code = CodeData::Lost;
    let second = bench.pay(Payment { code, ..request }).await?;
    must_be_same("the repetition", &first, &second)
}

async fn copies_at_once(bench: &Bench<'_>) -> Result<(), Finding> {
    let payment = reference()?;
    let request = bench.payment(&payment, Capture::Implicit);
    let pay = || bench.pay(request);
    let (first, second, third, fourth) = tokio::join!(pay(), pay(), pay(), pay());
    let first = first?;
    for other in [second?, third?, fourth?] {
        must_be_same("a copy", &first, &other)?;
    }
    // A copy may have been told that the outcome is not known yet, but not for ever.
    let later = bench.pay(request).await?;
    must_be("the copies", AuthorizationResult::Approved, &later)
}

async fn repeated_refund(bench: &Bench<'_>) -> Result<(), Finding> {
    let (payment, first, second) = (reference()?, reference()?, reference()?);
    bench
        .approve(bench.payment(&payment, Capture::Implicit))
        .await?;
    let refund =
        |reference, minor| bench.follow_up(reference, &payment, FollowUpOperation::Refund, minor);
    let once = bench.move_money(refund(&first, 600)).await?;
    must_be("the refund", AuthorizationResult::Approved, &once)?;
    let again = bench.move_money(refund(&first, 600)).await?;
    must_be_same("the repeated refund", &once, &again)?;
    // What is left says how often it was given back.
    bench.approve_movement(refund(&second, 400)).await
}

async fn captures_at_once(bench: &Bench<'_>) -> Result<(), Finding> {
    let (payment, capture, rest) = (reference()?, reference()?, reference()?);
    bench
        .approve(bench.payment(&payment, Capture::Explicit))
        .await?;
    let capture = || {
        let follow_up = bench.follow_up(&capture, &payment, FollowUpOperation::Capture, 400);
        bench.move_money(follow_up)
    };
    let (first, second, third) = tokio::join!(capture(), capture(), capture());
    let first = first?;
    must_be("the capture", AuthorizationResult::Approved, &first)?;
    must_be_same("a copy", &first, &second?)?;
    must_be_same("a copy", &first, &third?)?;
    let released = bench.follow_up(&rest, &payment, FollowUpOperation::Void, 600);
    bench.approve_movement(released).await
}

async fn other_amount(bench: &Bench<'_>) -> Result<(), Finding> {
    let (payment, refund) = (reference()?, reference()?);
    let request = bench.payment(&payment, Capture::Implicit);
    bench.approve(request).await?;
    let more = Payment {
        amount: amount(2_000),
        ..request
    };
    // An answer about the first amount is no answer to this request, and right.
    if let Ok(response) = bench.pay(more).await
        && response.result == AuthorizationResult::Approved
    {
        return failed(String::from(
            "a request with the same reference and another amount was approved for that amount",
        ));
    }
    let too_much = bench.follow_up(&refund, &payment, FollowUpOperation::Refund, 1_001);
    bench
        .refuse_movement(too_much, "of 1000 that were paid")
        .await
}

async fn unknown(bench: &Bench<'_>) -> Result<(), Finding> {
    match bench.inquire(&reference()?, amount(1_000)).await? {
        None => Ok(()),
        Some(response) => failed(format!(
            "a reference that nobody used is known: {}",
            in_words(response.result)
        )),
    }
}

async fn known(bench: &Bench<'_>) -> Result<(), Finding> {
    for card in [&bench.approved, &bench.declined] {
        let payment = reference()?;
        let request = Payment {
            card,
            ..bench.payment(&payment, Capture::Implicit)
        };
        let first = bench.pay(request).await?;
        let found = must_be_known(bench, &payment, request.amount).await?;
        must_be_same("the inquiry", &first, &found)?;
    }
    Ok(())
}

async fn known_refund(bench: &Bench<'_>) -> Result<(), Finding> {
    let (payment, refund) = (reference()?, reference()?);
    bench
        .approve(bench.payment(&payment, Capture::Implicit))
        .await?;
    let follow_up = bench.follow_up(&refund, &payment, FollowUpOperation::Refund, 300);
    let first = bench.move_money(follow_up).await?;
    let found = must_be_known(bench, &refund, follow_up.amount).await?;
    must_be_same("the inquiry", &first, &found)
}

async fn lost_answer(bench: &Bench<'_>) -> Result<(), Finding> {
    let payment = reference()?;
    let request = bench.payment(&payment, Capture::Implicit);
    // The gateway does not read this answer.
    let _lost = bench.pay(request).await;
    let found = must_be_known(bench, &payment, request.amount).await?;
    must_be("the inquiry", AuthorizationResult::Approved, &found)?;
    let code = CodeData::Lost;
    let again = bench.pay(Payment { code, ..request }).await?;
    must_be_same("the repetition", &found, &again)
}

async fn broken_connection(bench: &Bench<'_>) -> Result<(), Finding> {
    let (payment, refund, more) = (reference()?, reference()?, reference()?);
    let request = bench.payment(&payment, Capture::Implicit);
    for limit in BROKEN_AFTER {
        // The request may have come or not: the adapter has to be right in both cases.
        let _broken = tokio::time::timeout(limit, bench.pay(request)).await;
    }
    bench.approve(request).await?;
    let follow_up =
        |reference, minor| bench.follow_up(reference, &payment, FollowUpOperation::Refund, minor);
    for limit in BROKEN_AFTER {
        let _broken = tokio::time::timeout(limit, bench.move_money(follow_up(&refund, 600))).await;
    }
    bench.approve_movement(follow_up(&refund, 600)).await?;
    bench.approve_movement(follow_up(&more, 400)).await
}

async fn must_be_known(
    bench: &Bench<'_>,
    reference: &str,
    amount: Amount,
) -> Result<payframe_payment_ports::acquirer::AuthorizationResponse, Finding> {
    match bench.inquire(reference, amount).await? {
        Some(found) => Ok(found),
        None => failed(String::from("a reference that was answered is not known")),
    }
}

/// When the connection is broken: before, while and after an adapter nearby works on it.
const BROKEN_AFTER: [Duration; 4] = [
    Duration::from_micros(200),
    Duration::from_millis(1),
    Duration::from_millis(5),
    Duration::from_millis(20),
];
