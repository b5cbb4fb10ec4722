//! Checks about an adapter that ends in the middle of a payment: the operator's command stops it hard and starts it again.

use crate::client::HttpAcquirer;
use payframe_examiner::{
    Bench, CodeData, Finding, Payment, Report, amount, failed, must_be, must_be_same, reference,
};
use payframe_payment_ports::Clock;
use payframe_payment_ports::acquirer::{AuthorizationResult, Capture, FollowUpOperation};
use std::process::Stdio;
use std::time::Duration;
use tokio::process::Command;

/// `command`: stops the adapter hard and starts it again.
pub(super) async fn run(
    bench: &Bench<'_>,
    adapter: &HttpAcquirer,
    command: Option<&[String]>,
    report: &mut Report,
) {
    report.add(
        "after the adapter was stopped and started, nothing is forgotten and nothing is moved again",
        restarted(bench, adapter, command).await,
    );
}

async fn restarted(
    bench: &Bench<'_>,
    adapter: &HttpAcquirer,
    command: Option<&[String]>,
) -> Result<(), Finding> {
    let Some(command) = command else {
        return Err(Finding::NotTried(String::from(
            "the settings have no restart_command",
        )));
    };
    let (paid, declined, refund, more) = (reference()?, reference()?, reference()?, reference()?);
    let payment = bench.payment(&paid, Capture::Implicit);
    let approved = bench.pay(payment).await?;
    must_be("the payment", AuthorizationResult::Approved, &approved)?;
    let other = bench.declined_payment(&declined, Capture::Implicit);
    let refused = bench.pay(other).await?;
    let follow_up =
        |reference, minor| bench.follow_up(reference, &paid, FollowUpOperation::Refund, minor);
    let given_back = bench.move_money(follow_up(&refund, 600)).await?;

    let interrupted = reference()?;
    let in_work = bench.payment(&interrupted, Capture::Implicit);
    // Its connection ends with the adapter, before or after the processor was asked.
    let (_broken, stopped) = tokio::join!(bench.pay(in_work), restart(command));
    stopped?;
    answers_again(adapter, &bench.clock).await?;

    // Asked before anything is repeated: what comes again could be taken for new.
    for (what, reference, minor, first) in [
        ("the inquiry about the payment", &paid, 1_000, &approved),
        (
            "the inquiry about the refused payment",
            &declined,
            1_000,
            &refused,
        ),
        ("the inquiry about the refund", &refund, 600, &given_back),
    ] {
        match bench.inquire(reference, amount(minor)).await? {
            Some(found) => must_be_same(what, first, &found)?,
            None => return failed(format!("{what}: it is not known after the restart")),
        }
    }
    let code = CodeData::Lost;
    for (what, first, request) in [
        ("the payment after the restart", &approved, payment),
        ("the refused payment after the restart", &refused, other),
    ] {
        must_be_same(what, first, &bench.pay(Payment { code, ..request }).await?)?;
    }
    let again = bench.move_money(follow_up(&refund, 600)).await?;
    must_be_same("the refund after the restart", &given_back, &again)?;
    bench.approve_movement(follow_up(&more, 400)).await?;
    one_outcome(bench, Payment { code, ..in_work }).await
}

/// The interrupted payment may be unknown still. If it is not, it has one outcome, and its money is there once.
async fn one_outcome(bench: &Bench<'_>, payment: Payment<'_>) -> Result<(), Finding> {
    let first = bench.pay(payment).await?;
    let Some(found) = bench.inquire(payment.reference, payment.amount).await? else {
        return failed(String::from("the interrupted payment is not known"));
    };
    if first.result == AuthorizationResult::Pending {
        return Ok(());
    }
    must_be_same("the inquiry about the interrupted payment", &first, &found)?;
    if first.result != AuthorizationResult::Approved {
        return Ok(());
    }
    let (whole, more) = (reference()?, reference()?);
    let refund = |reference, minor| {
        bench.follow_up(
            reference,
            payment.reference,
            FollowUpOperation::Refund,
            minor,
        )
    };
    bench.approve_movement(refund(&whole, 1_000)).await?;
    bench
        .refuse_movement(
            refund(&more, 1),
            "of the interrupted payment, after all was given back",
        )
        .await
}

async fn restart(command: &[String]) -> Result<(), Finding> {
    let Some((program, arguments)) = command.split_first() else {
        return failed(String::from("restart_command is empty"));
    };
    let mut running = Command::new(program);
    // What it starts may hold its output open for ever.
    running
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    match tokio::time::timeout(LONGEST_RESTART, running.status()).await {
        Ok(Ok(status)) if status.success() => Ok(()),
        Ok(Ok(status)) => failed(format!("restart_command ended with {status}")),
        Ok(Err(problem)) => failed(format!("restart_command can not be run: {problem}")),
        Err(_) => failed(String::from("restart_command took longer than a minute")),
    }
}

async fn answers_again(adapter: &HttpAcquirer, clock: &Clock) -> Result<(), Finding> {
    let begun_ms = clock.now_ms();
    loop {
        match adapter.describe().await {
            Ok(_) => return Ok(()),
            Err(problem) if clock.now_ms() - begun_ms > LONGEST_SILENCE_MS => {
                return failed(format!("it does not answer after the restart: {problem}"));
            }
            Err(_) => tokio::time::sleep(Duration::from_millis(200)).await,
        }
    }
}

const LONGEST_RESTART: Duration = Duration::from_secs(60);
const LONGEST_SILENCE_MS: i64 = 30_000;
