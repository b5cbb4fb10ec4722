//! Checks about a payment whose outcome is not known at first, or not that of the whole amount.

use payframe_examiner::{
    Bench, CodeData, Finding, Payment, Report, failed, in_words, must_be, must_be_same, reference,
};
use payframe_payment_ports::acquirer::{
    AuthorizationResponse, AuthorizationResult, Capture, FollowUpOperation,
};
use std::time::Duration;

pub(super) async fn run(bench: &Bench<'_>, report: &mut Report) {
    report.add(
        "a pending payment gets its outcome by inquiries, and keeps it",
        becomes_final(bench).await,
    );
    report.add(
        "nothing is given back of a pending payment",
        nothing_to_give_back(bench).await,
    );
    report.add(
        "a payment of which a part is approved is declined, and nothing of it is captured",
        approved_in_part(bench).await,
    );
}

async fn becomes_final(bench: &Bench<'_>) -> Result<(), Finding> {
    let payment = reference()?;
    let request = request(bench, &payment)?;
    let first = bench.pay(request).await?;
    must_be("the pending card", AuthorizationResult::Pending, &first)?;
    let code = CodeData::Lost;
    let repeated = bench.pay(Payment { code, ..request }).await?;
    if repeated.approval.is_some() && repeated.result == AuthorizationResult::Pending {
        return failed(String::from(
            "a pending payment has the data of an approval",
        ));
    }
    let outcome = final_outcome(bench, request).await?;
    let again = bench.inquire(&payment, request.amount).await?;
    let again = again.map_or_else(
        || failed(String::from("the payment is not known any more")),
        Ok,
    )?;
    must_be_same("the next inquiry", &outcome, &again)?;
    let repeated = bench.pay(Payment { code, ..request }).await?;
    must_be_same("the repeated request", &outcome, &repeated)
}

async fn nothing_to_give_back(bench: &Bench<'_>) -> Result<(), Finding> {
    let (payment, refund) = (reference()?, reference()?);
    let first = bench.pay(request(bench, &payment)?).await?;
    must_be("the pending card", AuthorizationResult::Pending, &first)?;
    let follow_up = bench.follow_up(&refund, &payment, FollowUpOperation::Refund, 1);
    let response = bench.move_money(follow_up).await?;
    match response.result {
        // Until the payment is approved, the refund may wait for it.
        AuthorizationResult::Approved => failed(format!(
            "a refund of a pending payment: got {}",
            in_words(response.result)
        )),
        _ => Ok(()),
    }
}

async fn approved_in_part(bench: &Bench<'_>) -> Result<(), Finding> {
    let (payment, capture) = (reference()?, reference()?);
    let request = bench.partial_payment(&payment, Capture::Explicit)?;
    let first = bench.pay(request).await?;
    let outcome = match first.result {
        // The part may have to be released first.
        AuthorizationResult::Pending => final_outcome(bench, request).await?,
        _ => first,
    };
    must_be(
        "the card of which a part is approved",
        AuthorizationResult::Declined,
        &outcome,
    )?;
    let follow_up = bench.follow_up(&capture, &payment, FollowUpOperation::Capture, 1);
    bench
        .refuse_movement(follow_up, "of a payment of which a part was approved")
        .await
}

fn request<'a>(bench: &'a Bench<'_>, reference: &'a str) -> Result<Payment<'a>, Finding> {
    match &bench.pending {
        Some(card) => Ok(Payment {
            card,
            ..bench.payment(reference, Capture::Implicit)
        }),
        None => Err(Finding::NotTried(String::from(
            "the settings have no card that is pending first",
        ))),
    }
}

/// Asks, when the adapter says, until the payment is final.
async fn final_outcome(
    bench: &Bench<'_>,
    payment: Payment<'_>,
) -> Result<AuthorizationResponse, Finding> {
    let begun_ms = bench.clock.now_ms();
    loop {
        let Some(found) = bench.inquire(payment.reference, payment.amount).await? else {
            return failed(String::from("a pending payment is not known"));
        };
        let now_ms = bench.clock.now_ms();
        let Some(at_ms) = found.ask_again_ms else {
            return Ok(found);
        };
        if at_ms - begun_ms > LONGEST_WAIT_MS {
            return failed(format!(
                "the payment has no outcome within {} seconds",
                LONGEST_WAIT_MS / 1000
            ));
        }
        let pause_ms = u64::try_from(at_ms - now_ms).unwrap_or(0);
        tokio::time::sleep(Duration::from_millis(pause_ms)).await;
    }
}

/// How long a test endpoint may keep a payment pending.
const LONGEST_WAIT_MS: i64 = 120_000;
