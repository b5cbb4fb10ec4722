//! Drives an adapter through what it has to get right, and reports what was tried.
//!
//! Every check is written from the protocol's page, `docs/acquirer-protocol.md`, and asks only what an adapter promises there. A check fails
//! with a sentence that says what was expected and what came. A report without a failure means: contract-tested, against this endpoint,
//! with these cards. It says nothing about the processor behind it.
//!
//! The checks move money, so the caller makes sure that the endpoint is one for tests.

mod contradictions;
mod pending;
mod references;
mod restart;
mod signatures;

use crate::client::HttpAcquirer;
use crate::error::ExchangeError;
use crate::settings::AcquirerSettings;
use payframe_examiner::{
    Bench, Books, Finding, Report, Totals, conversions, failed, network_tokens, sequences, totals,
};
use payframe_payment_ports::Clock;

/// Examines the adapter of an acquirer, which must be an endpoint for tests.
///
/// # Errors
/// The adapter cannot be asked at all, so nothing was tried.
pub async fn examine(settings: &AcquirerSettings, clock: Clock) -> Result<Report, ExchangeError> {
    let acquirer = HttpAcquirer::for_examination(settings, clock.clone())?;
    let description = acquirer.describe().await?;
    let mut report = Report::about(&settings.name, settings.url.as_str(), &description.name);
    report.add(
        "the adapter describes itself",
        match description.protocols.contains(&PROTOCOL) {
            true => Ok(()),
            false => failed(format!(
                "version {PROTOCOL} of the protocol is not among {:?}",
                description.protocols
            )),
        },
    );
    let books = Books::of(&acquirer);
    let bench = Bench::new(
        &books,
        &settings.test_cards,
        description.operations,
        Totals::Kept,
        clock,
    );
    let bench = match bench {
        Ok(bench) => bench,
        Err(problem) => {
            report.add("the test cards can be read", Err(problem));
            return Ok(report);
        }
    };
    sequences(&bench, &mut report).await;
    network_tokens(&bench, &mut report).await;
    conversions(&bench, &mut report).await;
    totals(&bench, &mut report).await;
    references::run(&bench, &mut report).await;
    contradictions::run(&bench, &mut report).await;
    pending::run(&bench, &mut report).await;
    signatures::run((&bench, &books), &acquirer.transport, &mut report).await;
    let restart_command = settings.test_cards.restart_command.as_deref();
    restart::run(&bench, &acquirer, restart_command, &mut report).await;
    books.compare(&mut report).await;
    Ok(report)
}

impl From<ExchangeError> for Finding {
    fn from(problem: ExchangeError) -> Finding {
        Finding::Failed(problem.to_string())
    }
}

/// The version of the protocol that is examined.
const PROTOCOL: u32 = 1;
