//! Asks a gateway with few orders and one with many for every list, search and look-up, pays at both in turns, and compares the times.
//!
//! The orders come from a generator: twenty are really paid, and copies of what they left are made inside the database ([`copies`]).

mod calendar;
mod clearing;
mod copies;
mod database;
mod filled;
mod listing;
mod orders;
mod questions;
mod template;

use crate::payment::{self, Taken};
use crate::times::Times;
use anyhow::{Context, Result, ensure};
use fastrand::Rng;
use filled::Filled;
use questions::{QUESTIONS, Question};
use sqlx::{AssertSqlSafe, Connection as _, Executor, PgConnection};
use std::path::PathBuf;
use std::time::Instant;

/// The options of the command line.
pub(crate) struct Options {
    pub(crate) gateway: PathBuf,
    /// An empty folder for databases.
    pub(crate) data: PathBuf,
    /// Address of the database server that keeps the tables instead of files.
    pub(crate) database: Option<String>,
    /// Whether an earlier run with as many orders has filled both.
    pub(crate) again: bool,
    /// How many orders the larger gateway has.
    pub(crate) orders: u32,
    /// How often each question is asked.
    pub(crate) times: u32,
    /// How many payments are made at each.
    pub(crate) payments: u32,
    /// Whether a missed aim is no error.
    pub(crate) only_asks: bool,
}

/// Measures and prints; an error if an aim is missed.
pub(crate) async fn run(options: &Options) -> Result<()> {
    let orders = i64::from(options.orders);
    let of_few = FEW.min(orders / 2);
    let mut few = fill(options, "few", of_few).await?;
    if !options.again {
        listing::check(&mut few).await?;
    }
    let many = fill(options, "many", orders).await?;
    few.reconnect().await?;
    let mut both = [few, many];
    let mut random = Rng::with_seed(17);
    println!(
        "{:<42}{:>9}{:>9}   {:>9}{:>9}",
        "ms", of_few, "p99", orders, "p99"
    );
    let mut missed = Vec::new();
    for question in QUESTIONS {
        let mut times = ask(question, &mut both, &mut random, options.times).await?;
        let [few, many] = times
            .each_mut()
            .map(|times| [0.5, 0.99].map(|share| times.within(share)));
        let is_held = many[1] <= MOST_MS;
        let verdict = match (question.has_aim, is_held) {
            (false, _) => "",
            (true, true) => "held",
            (true, false) => "MISSED",
        };
        println!(
            "  {:<40}{:>9.1}{:>9.1}   {:>9.1}{:>9.1}   {verdict}",
            question.about, few[0], few[1], many[0], many[1]
        );
        if question.has_aim && !is_held {
            missed.push(question.about);
        }
    }
    let [few, many] = &mut pay(&mut both, options.payments).await?;
    for (name, few, many) in [
        ("a payment", &mut few.payment.whole, &mut many.payment.whole),
        ("a refund", &mut few.refund, &mut many.refund),
    ] {
        let [few, many] = [few, many].map(|times| times.within(0.5));
        let is_held = many / few <= MOST_RATIO;
        println!(
            "{name} takes {few:.2} ms and {many:.2} ms, {:.2} times   at most {MOST_RATIO}: {}",
            many / few,
            if is_held { "held" } else { "MISSED" }
        );
        if !is_held {
            missed.push(name);
        }
    }
    for filled in both {
        filled.stop().await?;
    }
    let is_good = missed.is_empty() || options.only_asks;
    ensure!(is_good, "missed: {}", missed.join(", "));
    Ok(())
}

async fn fill(options: &Options, name: &str, orders: i64) -> Result<Filled> {
    let folder = options.data.join(name);
    let database = format!("payframe_{name}");
    let url = match &options.database {
        Some(server) if options.again => Some(database_at(server, &database)?),
        Some(server) => Some(new_database(server, &database).await?),
        None => None,
    };
    let (program, url) = (&options.gateway, url.as_deref());
    match options.again {
        true => Filled::again(program, &folder, url, orders).await,
        false => Filled::start(program, &folder, url, orders).await,
    }
}

/// The address of a new database on the server.
async fn new_database(url: &str, name: &str) -> Result<String> {
    let mut server = PgConnection::connect(url).await?;
    let sql = format!("CREATE DATABASE {name}");
    server.execute(AssertSqlSafe(sql)).await?;
    database_at(url, name)
}

fn database_at(url: &str, name: &str) -> Result<String> {
    let (server, _) = url
        .rsplit_once('/')
        .context("an address without a database")?;
    Ok(format!("{server}/{name}"))
}

/// Asks both in turns, so that what else the machine does meets both.
async fn ask(
    question: &Question,
    both: &mut [Filled; 2],
    random: &mut Rng,
    times: u32,
) -> Result<[Times; 2]> {
    let mut taken = [Times::default(), Times::default()];
    // The first time also prepares the statement.
    for time in 0..=times {
        for (filled, taken) in both.iter_mut().zip(&mut taken) {
            let started = Instant::now();
            let asked = question.ask(filled, random).await;
            asked.with_context(|| question.about)?;
            if time > 0 {
                taken.add(started);
            }
        }
    }
    Ok(taken)
}

/// The times of payments, and of a refund for each.
#[derive(Default)]
struct Changed {
    payment: Taken,
    refund: Times,
}

/// Pays at both in turns, and refunds a part of each payment.
async fn pay(both: &mut [Filled; 2], payments: u32) -> Result<[Changed; 2]> {
    let mut taken = [Changed::default(), Changed::default()];
    // An earlier run has paid other orders.
    let run = filled::real_ms()?;
    for number in 0..payments + WARM_UP {
        for (filled, taken) in both.iter_mut().zip(&mut taken) {
            let mut first = Changed::default();
            let taken = if number < WARM_UP { &mut first } else { taken };
            let order = format!("paid-{run}-{number}");
            let line = &mut filled.line;
            let paid = payment::pay(line, KEY, &order, &mut taken.payment).await?;
            payment::refund(line, KEY, &paid, &mut taken.refund).await?;
        }
    }
    Ok(taken)
}

/// How many orders the smaller gateway has.
const FEW: i64 = 10_000;
const MOST_MS: f64 = 50.0;
const MOST_RATIO: f64 = 1.2;
const WARM_UP: u32 = 20;
const KEY: &str = "sandbox-implicit";
