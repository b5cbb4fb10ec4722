//! Checks about money: sequences of operations, totals that are never exceeded, and units of currencies.

use crate::bench::{Bench, Payment, amount, failed, in_words, must_be, reference};
use crate::report::{Finding, Report};
use payframe_money::{Amount, minor_digits};
use payframe_payment_domain::operation::ActionType;
use payframe_payment_ports::acquirer::{
    AuthorizationResult, Capture, Exemption, FollowUpOperation, RequestedExemption,
};
use payframe_payment_ports::three_ds_server::DataShare;

/// Sequences of operations that every acquirer carries out.
pub async fn sequences(bench: &Bench<'_>, report: &mut Report) {
    for currency in bench.currencies {
        let digits = minor_digits(currency).unwrap_or(0);
        report.add(
            format!("a payment in {currency}, with {digits} digits behind the point, is authorized, captured and given back"),
            whole_life(bench, currency).await,
        );
    }
    report.add("a declined card is declined", declined(bench).await);
    report.add(
        "a card is verified without an amount",
        verified(bench).await,
    );
    report.add(
        "every exemption from authentication is understood",
        exempted(bench).await,
    );
    report.add(
        "data that was only shared with the issuer is understood, with an indicator and without",
        shared_data(bench).await,
    );
    report.add(
        "held money is captured in parts, and the rest is released",
        captured_in_parts(bench).await,
    );
    report.add(
        "a capture is cancelled, and its amount is held again",
        cancelled_capture(bench).await,
    );
    report.add("a held amount is increased", increased(bench).await);
}

/// Totals that an acquirer itself never exceeds.
pub async fn totals(bench: &Bench<'_>, report: &mut Report) {
    report.add(
        "no more is captured or released than is held",
        over_capture(bench).await,
    );
    report.add(
        "no more is given back than was captured",
        over_refund(bench).await,
    );
    report.add(
        "what was captured with the authorization is not captured again",
        second_capture(bench).await,
    );
    report.add(
        "two refunds of the whole amount at the same moment give it back once",
        refunds_at_once(bench).await,
    );
    report.add(
        "nothing is moved of a declined or an unknown authorization",
        nothing_to_move(bench).await,
    );
}

async fn whole_life(bench: &Bench<'_>, currency: &str) -> Result<(), Finding> {
    let (payment, capture, refund) = (reference()?, reference()?, reference()?);
    // No round number in any unit.
    let sum = amount(123_457);
    let request = Payment {
        amount: sum,
        currency,
        ..bench.payment(&payment, Capture::Explicit)
    };
    bench.approve(request).await?;
    for (operation, reference) in [
        (FollowUpOperation::Capture, &capture),
        (FollowUpOperation::Refund, &refund),
    ] {
        let mut follow_up = bench.follow_up(reference, &payment, operation, sum.minor());
        follow_up.currency = currency;
        bench.approve_movement(follow_up).await?;
    }
    Ok(())
}

async fn declined(bench: &Bench<'_>) -> Result<(), Finding> {
    let payment = reference()?;
    let request = bench.declined_payment(&payment, Capture::Implicit);
    let response = bench.pay(request).await?;
    must_be(
        "the declined card",
        AuthorizationResult::Declined,
        &response,
    )
}

async fn verified(bench: &Bench<'_>) -> Result<(), Finding> {
    bench.must_support("VERIFY")?;
    let payment = reference()?;
    let request = Payment {
        action: ActionType::Verify,
        amount: Amount::ZERO,
        ..bench.payment(&payment, Capture::Implicit)
    };
    bench.approve(request).await
}

async fn exempted(bench: &Bench<'_>) -> Result<(), Finding> {
    for exemption in RequestedExemption::ALL {
        let payment = reference()?;
        let request = Payment {
            exemption: Exemption::Requested(exemption),
            ..bench.payment(&payment, Capture::Implicit)
        };
        judged_by_issuer(bench, request, &format!("claims {}", exemption.code())).await?;
    }
    Ok(())
}

async fn shared_data(bench: &Bench<'_>) -> Result<(), Finding> {
    for (eci, what) in [
        (Some("07"), "comes with shared data"),
        (None, "comes with shared data without an indicator"),
    ] {
        let payment = reference()?;
        let shared = DataShare {
            eci: eci.map(str::to_owned),
            ds_transaction_id: String::from("f25084f0-5b16-4c0a-ae5d-b24808a95e4b"),
            version: "2.3.1",
        };
        let request = Payment {
            data_share: Some(&shared),
            ..bench.payment(&payment, Capture::Implicit)
        };
        judged_by_issuer(bench, request, what).await?;
    }
    Ok(())
}

/// Whether the issuer pays without an authentication is not the acquirer's matter, so a declined payment is an answer, too.
async fn judged_by_issuer(
    bench: &Bench<'_>,
    request: Payment<'_>,
    what: &str,
) -> Result<(), Finding> {
    match bench.pay(request).await?.result {
        AuthorizationResult::Approved | AuthorizationResult::Declined => Ok(()),
        result => failed(format!(
            "a payment that {what} must be approved or declined, and is {}",
            in_words(result)
        )),
    }
}

async fn captured_in_parts(bench: &Bench<'_>) -> Result<(), Finding> {
    let payment = reference()?;
    bench
        .approve(bench.payment(&payment, Capture::Explicit))
        .await?;
    for (operation, minor) in [
        (FollowUpOperation::Capture, 400),
        (FollowUpOperation::Capture, 300),
        (FollowUpOperation::Void, 300),
        (FollowUpOperation::Refund, 500),
        (FollowUpOperation::Refund, 200),
    ] {
        let reference = reference()?;
        let follow_up = bench.follow_up(&reference, &payment, operation, minor);
        bench.approve_movement(follow_up).await?;
    }
    Ok(())
}

async fn over_capture(bench: &Bench<'_>) -> Result<(), Finding> {
    let payment = reference()?;
    bench
        .approve(bench.payment(&payment, Capture::Explicit))
        .await?;
    let [first, second, third, fourth] = [reference()?, reference()?, reference()?, reference()?];
    let follow_up =
        |reference, operation, minor| bench.follow_up(reference, &payment, operation, minor);
    let too_much = follow_up(&first, FollowUpOperation::Capture, 1_001);
    bench
        .refuse_movement(too_much, "of 1000 that are held")
        .await?;
    bench
        .approve_movement(follow_up(&second, FollowUpOperation::Capture, 1_000))
        .await?;
    let nothing_left = follow_up(&third, FollowUpOperation::Capture, 1);
    bench
        .refuse_movement(nothing_left, "after all was captured")
        .await?;
    let nothing_held = follow_up(&fourth, FollowUpOperation::Void, 1);
    bench
        .refuse_movement(nothing_held, "after all was captured")
        .await
}

async fn over_refund(bench: &Bench<'_>) -> Result<(), Finding> {
    let payment = reference()?;
    bench
        .approve(bench.payment(&payment, Capture::Explicit))
        .await?;
    let [early, capture, too_much, all, more] = [
        reference()?,
        reference()?,
        reference()?,
        reference()?,
        reference()?,
    ];
    let refund =
        |reference, minor| bench.follow_up(reference, &payment, FollowUpOperation::Refund, minor);
    bench
        .refuse_movement(refund(&early, 1), "before anything was captured")
        .await?;
    let captured = bench.follow_up(&capture, &payment, FollowUpOperation::Capture, 600);
    bench.approve_movement(captured).await?;
    bench
        .refuse_movement(refund(&too_much, 601), "of 600 that were captured")
        .await?;
    bench.approve_movement(refund(&all, 600)).await?;
    bench
        .refuse_movement(refund(&more, 1), "after all was given back")
        .await
}

async fn second_capture(bench: &Bench<'_>) -> Result<(), Finding> {
    let (payment, capture) = (reference()?, reference()?);
    bench
        .approve(bench.payment(&payment, Capture::Implicit))
        .await?;
    let follow_up = bench.follow_up(&capture, &payment, FollowUpOperation::Capture, 1_000);
    bench
        .refuse_movement(follow_up, "after an authorization with capture IMPLICIT")
        .await
}

async fn refunds_at_once(bench: &Bench<'_>) -> Result<(), Finding> {
    let (payment, first, second) = (reference()?, reference()?, reference()?);
    bench
        .approve(bench.payment(&payment, Capture::Implicit))
        .await?;
    let refund = |reference| bench.follow_up(reference, &payment, FollowUpOperation::Refund, 1_000);
    let (first, second) = tokio::join!(
        bench.move_money(refund(&first)),
        bench.move_money(refund(&second))
    );
    let results = [first?.result, second?.result];
    let given_back = results
        .iter()
        .filter(|result| **result == AuthorizationResult::Approved);
    match given_back.count() {
        1 => Ok(()),
        _ => failed(format!(
            "expected one APPROVED, got {} and {}",
            in_words(results[0]),
            in_words(results[1])
        )),
    }
}

async fn nothing_to_move(bench: &Bench<'_>) -> Result<(), Finding> {
    let (declined, unknown) = (reference()?, reference()?);
    let request = bench.declined_payment(&declined, Capture::Explicit);
    bench.pay(request).await?;
    for (authorization, why) in [
        (&declined, "of a declined authorization"),
        (&unknown, "of an authorization that nobody asked for"),
    ] {
        for operation in [
            FollowUpOperation::Capture,
            FollowUpOperation::Void,
            FollowUpOperation::Refund,
        ] {
            let reference = reference()?;
            let follow_up = bench.follow_up(&reference, authorization, operation, 1);
            bench.refuse_movement(follow_up, why).await?;
        }
    }
    Ok(())
}

async fn cancelled_capture(bench: &Bench<'_>) -> Result<(), Finding> {
    bench.must_support("CANCEL")?;
    let payment = reference()?;
    bench
        .approve(bench.payment(&payment, Capture::Explicit))
        .await?;
    let [capture, cancel, again, refund] = [reference()?, reference()?, reference()?, reference()?];
    let follow_up = |reference, operation| bench.follow_up(reference, &payment, operation, 1_000);
    bench
        .approve_movement(follow_up(&capture, FollowUpOperation::Capture))
        .await?;
    let mut cancelled = follow_up(&cancel, FollowUpOperation::Cancel);
    cancelled.target = &capture;
    bench.approve_movement(cancelled).await?;
    bench
        .refuse_movement(
            follow_up(&refund, FollowUpOperation::Refund),
            "after the capture was cancelled",
        )
        .await?;
    bench
        .approve_movement(follow_up(&again, FollowUpOperation::Capture))
        .await
}

async fn increased(bench: &Bench<'_>) -> Result<(), Finding> {
    bench.must_support("INCREMENTAL")?;
    let payment = reference()?;
    let request = Payment {
        action: ActionType::PreAuth,
        ..bench.payment(&payment, Capture::Explicit)
    };
    bench.approve(request).await?;
    let [increment, too_much, capture] = [reference()?, reference()?, reference()?];
    let follow_up =
        |reference, operation, minor| bench.follow_up(reference, &payment, operation, minor);
    bench
        .approve_movement(follow_up(&increment, FollowUpOperation::Increment, 500))
        .await?;
    bench
        .refuse_movement(
            follow_up(&too_much, FollowUpOperation::Capture, 1_501),
            "of 1500 that are held",
        )
        .await?;
    bench
        .approve_movement(follow_up(&capture, FollowUpOperation::Capture, 1_500))
        .await
}
