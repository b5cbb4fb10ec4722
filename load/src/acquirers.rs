//! Orders whose money goes to an acquirer outside the gateway, while everything fails: the line between the two loses, doubles and delays messages,
//! the gateway is killed and started again, merchants' calls carry faults. At the end the gateway's books have to agree with the acquirer's.
//!
//! The acquirer is a program that is not the gateway's: a host for ISO 8583 that others wrote, or the adapter in Python of `examples/`.

mod books;
pub(crate) mod comparison;
mod counterpart;
mod line;
mod orders;

use crate::caller::Caller;
use crate::gateway::Recipe;
use crate::reconciliation::verdict;
use crate::settle::settle;
use crate::shops::network::Network;
use crate::soak::{Restarter, Restarts};
use anyhow::Result;
use books::{Books, Findings};
use clap::ValueEnum;
use counterpart::Counterpart;
use fastrand::Rng;
use line::Line;
use orders::{TelephoneOrder, take_all};
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;
use tokio::sync::Mutex;

/// The options of the command line.
pub(crate) struct Options {
    pub(crate) gateway: PathBuf,
    /// An empty folder for databases and logs.
    pub(crate) data: PathBuf,
    pub(crate) acquirer: Protocol,
    /// The acquirer's program and its first arguments.
    pub(crate) program: Vec<OsString>,
    pub(crate) orders: u32,
    /// The seed of a run's random choices. Other differences between runs remain.
    pub(crate) seed: u64,
}

/// How the acquirer is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Protocol {
    /// ISO 8583:1987, by the dialect `1987-ascii`.
    #[value(name = "iso8583-1987")]
    Iso1987,
    /// ISO 8583:1993, by the dialect `1993-binary`.
    #[value(name = "iso8583-1993")]
    Iso1993,
    /// The signed JSON protocol of adapters.
    #[value(name = "adapter")]
    Adapter,
}

/// What is between gateway and acquirer. It works as long as the process runs.
enum Between {
    Host(Line),
    Adapter(Network),
}

/// Runs, compares and prints; an error if a single value is wrong.
pub(crate) async fn run(options: &Options) -> Result<()> {
    println!("seed {}", options.seed);
    let random = |part: u64| Rng::with_seed(options.seed.wrapping_mul(31).wrapping_add(part));
    let started = Instant::now();
    let mut acquirer =
        Counterpart::start(options.acquirer, &options.program, &options.data).await?;
    let (between, port) = Between::open(options.acquirer, acquirer.port(), random(1)).await?;
    let file = acquirer.settings_file(port)?;
    let recipe = Recipe::new(&options.gateway, &options.data)?
        .with("PAYFRAME_ACQUIRERS", file)
        .with("PAYFRAME_LOG", "off");
    let caller = Arc::new(Caller::new(&recipe.origin(), random(2))?);
    let gateway = Mutex::new(Some(recipe.start().await?));
    let restarter = Restarter::new(&gateway, &recipe, random(3));
    let taking = take_all(Arc::clone(&caller), options.orders);
    let (restarts, told) = restarter.restart_during(taking).await?;
    // What is open comes to its end with the last gateway. The line stays as bad as it is.
    let mut books = Books::open(&options.data).await?;
    settle(&mut books).await?;
    if let Some(gateway) = gateway.lock().await.take() {
        gateway.kill().await?;
    }
    let findings = books.compare(&told, &acquirer.entries().await?).await?;
    report(&told, &restarts, &between, &findings, &caller, started);
    verdict(&findings.breaches)
}

impl Between {
    /// Opens the line to an acquirer's port, and answers with the port at the gateway's side.
    async fn open(acquirer: Protocol, port: u16, random: Rng) -> Result<(Between, u16)> {
        let wire = match acquirer {
            Protocol::Iso1987 => line::Wire::Ascii,
            Protocol::Iso1993 => line::Wire::Binary,
            Protocol::Adapter => {
                // No shop takes part.
                let origin = format!("http://127.0.0.1:{port}");
                let (network, doors) = Network::open(origin.clone(), origin, random).await?;
                let own = doors.of_gateway.rsplit(':').next().unwrap_or_default();
                return Ok((Between::Adapter(network), own.parse()?));
            }
        };
        let line = Line::open(port, wire, random).await?;
        let own = line.port();
        Ok((Between::Host(line), own))
    }

    /// What was done to messages, in words, and how often.
    fn lines(&self) -> Vec<(&'static str, u32)> {
        let of = |figure: &AtomicU32| figure.load(Ordering::Relaxed);
        match self {
            Between::Host(line) => line.figures(),
            Between::Adapter(network) => {
                let figures = network.figures();
                vec![
                    ("messages to the acquirer", of(&figures.messages)),
                    ("  lost on the way", of(&figures.lost)),
                    (
                        "  arrived, and their answer was lost",
                        of(&figures.unanswered),
                    ),
                    ("  came twice", of(&figures.doubled)),
                    ("  came late", of(&figures.late)),
                ]
            }
        }
    }
}

fn report(
    told: &[TelephoneOrder],
    restarts: &Restarts,
    between: &Between,
    findings: &Findings,
    caller: &Caller,
    started: Instant,
) {
    let line = |what: &str, number: u32| println!("{number:>8}  {what}");
    let size = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let paid = told.iter().filter(|order| order.is_paid()).count();
    line("orders", size(told.len()));
    line("  paid at once", size(paid));
    line("refunds, captures and releases", size(findings.movements));
    line("entries in the acquirer's books", size(findings.entries));
    line("  reversed there", size(findings.reversed));
    for (what, number) in between.lines() {
        line(what, number);
    }
    line("times the gateway was killed", restarts.kills);
    line("times it was asked to end", restarts.stops);
    let figures = caller.figures();
    line("calls", figures.attempts.load(Ordering::Relaxed));
    line("  with a fault", figures.faults.load(Ordering::Relaxed));
    line(
        "seconds",
        u32::try_from(started.elapsed().as_secs()).unwrap_or(u32::MAX),
    );
    line("things that are wrong", size(findings.breaches.len()));
}
