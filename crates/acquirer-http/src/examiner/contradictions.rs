//! Checks about requests that contradict others: what an adapter was told first counts, and no money is moved twice.

use payframe_examiner::{Bench, Finding, Movement, Report, failed, in_words, must_be, reference};
use payframe_payment_ports::acquirer::{AuthorizationResult, Capture, FollowUpOperation};

pub(super) async fn run(bench: &Bench<'_>, report: &mut Report) {
    report.add(
        "a capture's reference that comes again with a refund moves nothing",
        other_operation(bench).await,
    );
    report.add(
        "an authorization's reference that comes again with a refund moves nothing",
        own_reference(bench).await,
    );
    report.add(
        "a reference that comes again for another authorization moves nothing",
        other_authorization(bench).await,
    );
    report.add(
        "money is given back in the currency of the payment alone",
        other_currency(bench).await,
    );
    report.add(
        "a capture and a release of the same money at the same moment are not both carried out",
        capture_and_release(bench).await,
    );
}

async fn other_operation(bench: &Bench<'_>) -> Result<(), Finding> {
    let (payment, capture) = (reference()?, reference()?);
    bench
        .approve(bench.payment(&payment, Capture::Explicit))
        .await?;
    let captured = bench.follow_up(&capture, &payment, FollowUpOperation::Capture, 400);
    bench.approve_movement(captured).await?;
    let operation = FollowUpOperation::Refund;
    // Whatever is answered to this: what can be given back afterwards tells whether money was moved.
    let _contradiction = bench
        .move_money(Movement {
            operation,
            ..captured
        })
        .await;
    can_give_back(bench, &payment, 400).await
}

async fn own_reference(bench: &Bench<'_>) -> Result<(), Finding> {
    let payment = reference()?;
    bench
        .approve(bench.payment(&payment, Capture::Implicit))
        .await?;
    let refund = bench.follow_up(&payment, &payment, FollowUpOperation::Refund, 1_000);
    let _contradiction = bench.move_money(refund).await;
    can_give_back(bench, &payment, 1_000).await
}

async fn other_authorization(bench: &Bench<'_>) -> Result<(), Finding> {
    let (first, second, refund) = (reference()?, reference()?, reference()?);
    for payment in [&first, &second] {
        bench
            .approve(bench.payment(payment, Capture::Implicit))
            .await?;
    }
    let given_back = bench.follow_up(&refund, &first, FollowUpOperation::Refund, 300);
    bench.approve_movement(given_back).await?;
    let _contradiction = bench
        .move_money(Movement {
            authorization: &second,
            target: &second,
            ..given_back
        })
        .await;
    can_give_back(bench, &first, 700).await?;
    can_give_back(bench, &second, 1_000).await
}

async fn other_currency(bench: &Bench<'_>) -> Result<(), Finding> {
    let others = bench.currencies.iter();
    let Some(currency) = others
        .map(String::as_str)
        .find(|code| *code != bench.currency())
    else {
        return Err(Finding::NotTried(String::from(
            "the settings have one currency alone",
        )));
    };
    let (payment, refund) = (reference()?, reference()?);
    bench
        .approve(bench.payment(&payment, Capture::Implicit))
        .await?;
    let mut given_back = bench.follow_up(&refund, &payment, FollowUpOperation::Refund, 1_000);
    given_back.currency = currency;
    if let Ok(response) = bench.move_money(given_back).await
        && response.result == AuthorizationResult::Approved
    {
        return failed(format!(
            "a REFUND of 1000 {currency} of a payment in {}: got APPROVED",
            bench.currency()
        ));
    }
    can_give_back(bench, &payment, 1_000).await
}

async fn capture_and_release(bench: &Bench<'_>) -> Result<(), Finding> {
    let (payment, capture, release) = (reference()?, reference()?, reference()?);
    bench
        .approve(bench.payment(&payment, Capture::Explicit))
        .await?;
    let follow_up = |reference, operation| bench.follow_up(reference, &payment, operation, 1_000);
    let (captured, released) = tokio::join!(
        bench.move_money(follow_up(&capture, FollowUpOperation::Capture)),
        bench.move_money(follow_up(&release, FollowUpOperation::Void))
    );
    let (captured, released) = (captured?.result, released?.result);
    match (captured, released) {
        (AuthorizationResult::Approved, AuthorizationResult::Approved) => failed(format!(
            "expected one APPROVED at most, got {} and {}",
            in_words(captured),
            in_words(released)
        )),
        _ => Ok(()),
    }
}

/// Checks that just this amount can be given back, no more and no less.
async fn can_give_back(bench: &Bench<'_>, payment: &str, minor: u64) -> Result<(), Finding> {
    let (whole, more) = (reference()?, reference()?);
    let refund =
        |reference, minor| bench.follow_up(reference, payment, FollowUpOperation::Refund, minor);
    let given_back = bench.move_money(refund(&whole, minor)).await?;
    must_be(
        &format!("afterwards, a REFUND of {minor}"),
        AuthorizationResult::Approved,
        &given_back,
    )?;
    bench
        .refuse_movement(refund(&more, 1), "after all was given back")
        .await
}
