//! Measures payments a second and the time of each call, and the plain commit rate of the same database on the same disk.

use crate::commits;
use crate::connection::Connection;
use crate::cpu;
use crate::database_server;
use crate::gateway::Recipe;
use crate::payment::{self, STEPS, Taken};
use crate::times::Times;
use anyhow::Result;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// The options of the command line.
pub(crate) struct Options {
    /// The gateway's program.
    pub(crate) gateway: PathBuf,
    /// An empty folder for its databases.
    pub(crate) data: PathBuf,
    /// Address of the database server that keeps the tables instead of a file.
    pub(crate) database: Option<String>,
    /// How many gateways share it. Each buyer stays with one of them.
    pub(crate) processes: u32,
    /// How many buyers pay at the same time, each one order after the other.
    pub(crate) buyers: u32,
    /// The number of all orders together.
    pub(crate) payments: u32,
}

/// Measures and prints.
pub(crate) async fn run(options: &Options) -> Result<()> {
    let (mut gateways, mut origins) = (Vec::new(), Vec::new());
    for _ in 0..options.processes {
        let mut recipe = Recipe::new(&options.gateway, &options.data)?;
        if let Some(url) = &options.database {
            recipe = recipe.with("DATABASE_URL", url);
        }
        gateways.push(recipe.start().await?);
        origins.push(recipe.origin());
    }
    let mut lines = Vec::new();
    for (_, origin) in (0..options.buyers).zip(origins.iter().cycle()) {
        lines.push(Connection::open(origin).await?);
    }
    // One-time work is done before the measurement: database connections, prepared statements, the first pages of the database, and what
    // a server's planner knows of them.
    let (lines, _) = drive(lines, "warm", options.buyers * WARM_UP).await?;
    let mut server = None;
    if let Some(url) = &options.database {
        database_server::analyze(url).await?;
        server = database_server::main_process(url).await?;
    }

    let commits_per_second =
        || commits::rate(&options.data, options.database.as_deref(), COMMITS_FOR);
    let before = commits_per_second().await?;
    let of_gateways = || gateways.iter().map(|one| cpu::of_process(one.id())).sum();
    let computed = || {
        let of_buyers = cpu::of_process(Some(std::process::id()));
        [of_gateways(), of_buyers, server.and_then(cpu::of_family)]
    };
    let (cpu_before, started) = (computed(), Instant::now());
    let (_, mut taken) = drive(lines, "paid", options.payments).await?;
    let (cpu_after, elapsed) = (computed(), started.elapsed().as_secs_f64());
    let after = commits_per_second().await?;
    for gateway in gateways {
        gateway.kill().await?;
    }

    let payments = f64::from(options.payments);
    let commits = (before + after) / 2.0;
    let per_second = payments / elapsed;
    println!(
        "{} payments by {} buyers at a time, {}",
        options.payments,
        options.buyers,
        match &options.database {
            Some(_) => format!("{} processes on a database server", options.processes),
            None => String::from("SQLite"),
        }
    );
    println!("  payments            {per_second:>8.1} /s");
    println!("  bare commits        {commits:>8.1} /s   ({before:.0} before, {after:.0} after)");
    let cost = commits / per_second;
    // The target is only for files, to which no other process commits.
    let aim = match &options.database {
        Some(_) => String::new(),
        None => verdict(cost <= MOST_COMMITS, &format!("at most {MOST_COMMITS}")),
    };
    println!("  one payment costs   {cost:>8.2} commits' time   {aim}");
    let whose = ["the gateways' CPU", "the buyers' CPU", "the server's CPU"];
    for (whose, (before, after)) in whose.iter().zip(cpu_before.iter().zip(cpu_after)) {
        if let Some((before, after)) = before.zip(after) {
            let ms = after.saturating_sub(before).as_secs_f64() * 1000.0 / payments;
            println!("  {whose:<20}{ms:>8.2} ms a payment");
        }
    }
    println!(
        "{:<22}{:>10}{:>10}{:>10}{:>10}",
        "ms", "p50", "p90", "p99", "most"
    );
    for (name, times) in STEPS.iter().zip(&mut taken.steps) {
        row(name, times);
    }
    row("whole payment", &mut taken.whole);
    let spread = taken.whole.within(0.99) / taken.whole.within(0.5);
    println!(
        "  p99 is {spread:.2} times p50   {}",
        verdict(spread < MOST_SPREAD, &format!("under {MOST_SPREAD}"))
    );
    Ok(())
}

/// Pays this number of orders, one after the other over each connection. Returns the connections for further use.
pub(crate) async fn drive(
    lines: Vec<Connection>,
    name: &'static str,
    payments: u32,
) -> Result<(Vec<Connection>, Taken)> {
    let next = Arc::new(AtomicU32::new(0));
    let mut running = tokio::task::JoinSet::new();
    for mut line in lines {
        let next = Arc::clone(&next);
        running.spawn(async move {
            let mut taken = Taken::default();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= payments {
                    return anyhow::Ok((line, taken));
                }
                let order = format!("{name}-{number}");
                payment::pay(&mut line, "sandbox-implicit", &order, &mut taken).await?;
            }
        });
    }
    let (mut lines, mut all) = (Vec::new(), Taken::default());
    while let Some(one) = running.join_next().await {
        let (line, taken) = one??;
        lines.push(line);
        all.append(taken);
    }
    Ok((lines, all))
}

pub(crate) fn row(name: &str, times: &mut Times) {
    let [half, most, nearly, all] = [0.5, 0.9, 0.99, 1.0].map(|share| times.within(share));
    println!("  {name:<20}{half:>10.1}{most:>10.1}{nearly:>10.1}{all:>10.1}");
}

fn verdict(held: bool, aim: &str) -> String {
    format!("{aim}: {}", if held { "held" } else { "MISSED" })
}

/// Payments of each buyer before the measurement.
pub(crate) const WARM_UP: u32 = 2;
const COMMITS_FOR: Duration = Duration::from_secs(3);
const MOST_COMMITS: f64 = 6.0;
const MOST_SPREAD: f64 = 20.0;
