//! Drives an adapter through what it has to get right, and reports what was tried.
//!
//! Every check is written from the protocol's page, `docs/acquirer-protocol.md`, and asks only what an adapter promises there. A check fails
//! with a sentence that says what was expected and what came. A report without a failure means: contract-tested, against this endpoint,
//! with these cards. It says nothing about the processor behind it.
//!
//! The checks move money, so the caller makes sure that the endpoint is one for tests.

mod bench;
mod contradictions;
mod money;
mod pending;
mod references;
mod report;
mod restart;
mod signatures;

pub use report::{Check, Report, Verdict};

use crate::client::HttpAcquirer;
use crate::error::ExchangeError;
use crate::settings::AcquirerSettings;
use bench::Bench;
use payframe_payment_ports::Clock;

/// Examines the adapter of an acquirer, which must be an endpoint for tests.
///
/// # Errors
/// The adapter cannot be asked at all, so nothing was tried.
pub async fn examine(settings: &AcquirerSettings, clock: Clock) -> Result<Report, ExchangeError> {
    let acquirer = HttpAcquirer::for_examination(settings, clock.clone())?;
    let description = acquirer.describe().await?;
    let bench = Bench::new(
        &acquirer,
        &settings.test_cards,
        description.operations,
        clock,
    )?;
    let mut report = Report::about(&settings.name, &settings.url, description.name);
    report.add(
        "the adapter describes itself",
        match description.protocols.contains(&PROTOCOL) {
            true => Ok(()),
            false => bench::failed(format!(
                "version {PROTOCOL} of the protocol is not among {:?}",
                description.protocols
            )),
        },
    );
    money::run(&bench, &mut report).await;
    references::run(&bench, &mut report).await;
    contradictions::run(&bench, &mut report).await;
    pending::run(&bench, &mut report).await;
    signatures::run(&bench, &mut report).await;
    restart::run(&bench, &mut report).await;
    Ok(report)
}

/// The version of the protocol that is examined.
const PROTOCOL: u32 = 1;
