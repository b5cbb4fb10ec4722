//! Checks about network tokens: a token is charged with its cryptogram, or it is refused. It is never charged as a card.
//!
//! An answer does not say whether the cryptogram was handed on. Two things do: a cryptogram that is wrong, which the endpoint declines, and the
//! books of the other side, for which the report has a line.

use crate::bench::{Bench, Payment, failed, in_words, must_be, must_be_same, reference};
use crate::report::{Finding, Report};
use payframe_money::Amount;
use payframe_payment_ports::acquirer::{
    AuthorizationResponse, AuthorizationResult, Capture, FollowUpOperation,
};

/// Payments with a network token, their captures, releases and refunds.
pub async fn network_tokens(bench: &Bench<'_>, report: &mut Report) {
    let mut booked = Booked::default();
    report.add(
        "a network token is charged with its cryptogram, or refused",
        charged_or_refused(bench, &mut booked).await,
    );
    report.add(
        "a payment with a network token is captured and given back, and another one is released",
        captured_and_released(bench, &mut booked).await,
    );
    report.add(
        "a network token is not charged with a wrong cryptogram",
        wrong_cryptogram(bench).await,
    );
    report.books.extend(booked.in_words(bench.currency()));
}

/// What was approved.
#[derive(Default)]
struct Booked {
    count: u32,
    minor: u64,
}

impl Booked {
    fn add(&mut self, amount: Amount) {
        self.count += 1;
        self.minor += amount.minor();
    }

    fn in_words(&self, currency: &str) -> Option<String> {
        let Booked { count, minor } = self;
        (*count > 0).then(|| {
            format!("with a cryptogram of a network token, APPROVED: {count}, together {minor} {currency}")
        })
    }
}

async fn charged_or_refused(bench: &Bench<'_>, booked: &mut Booked) -> Result<(), Finding> {
    let payment = reference()?;
    let request = bench.token_payment(&payment, Capture::Implicit)?;
    let first = pay(bench, request, booked).await?;
    // Each copy has the token's data.
    must_be_same("the repetition", &first, &bench.pay(request).await?)?;
    if first.result != AuthorizationResult::Failed {
        return Ok(());
    }
    if let Some(found) = bench.inquire(&payment, request.amount).await? {
        must_be("the inquiry", AuthorizationResult::Failed, &found)?;
    }
    let movement = reference()?;
    let refund = bench.follow_up(&movement, &payment, FollowUpOperation::Refund, 1);
    let why = "of a network token that was refused";
    bench.refuse_movement(refund, why).await
}

async fn captured_and_released(bench: &Bench<'_>, booked: &mut Booked) -> Result<(), Finding> {
    for operations in [
        &[FollowUpOperation::Capture, FollowUpOperation::Refund][..],
        &[FollowUpOperation::Void],
    ] {
        let payment = reference()?;
        let request = bench.token_payment(&payment, Capture::Explicit)?;
        let held = pay(bench, request, booked).await?;
        if held.result == AuthorizationResult::Failed {
            return Err(Finding::NotTried(format!(
                "the acquirer refuses network tokens, as one does that cannot hand a cryptogram on: FAILED ({})",
                held.response_code
            )));
        }
        for operation in operations {
            let movement = reference()?;
            let minor = request.amount.minor();
            let follow_up = bench.follow_up(&movement, &payment, *operation, minor);
            bench.approve_movement(follow_up).await?;
        }
    }
    Ok(())
}

async fn wrong_cryptogram(bench: &Bench<'_>) -> Result<(), Finding> {
    let payment = reference()?;
    let request = bench.wrong_token_payment(&payment, Capture::Implicit)?;
    match bench.pay(request).await?.result {
        AuthorizationResult::Declined | AuthorizationResult::Failed => Ok(()),
        result => failed(format!(
            "expected DECLINED or FAILED, got {}: the cryptogram is not handed on, or nobody looks at it",
            in_words(result)
        )),
    }
}

/// Makes a payment with the network token, which is approved, or refused because there is no place for its cryptogram.
async fn pay(
    bench: &Bench<'_>,
    request: Payment<'_>,
    booked: &mut Booked,
) -> Result<AuthorizationResponse, Finding> {
    let response = bench.pay(request).await?;
    match response.result {
        AuthorizationResult::Approved => booked.add(request.amount),
        AuthorizationResult::Failed => {}
        result => {
            return failed(format!(
                "a payment with a network token: expected APPROVED, or FAILED where there is no place for its cryptogram, got {} ({})",
                in_words(result),
                response.response_code
            ));
        }
    }
    Ok(response)
}
