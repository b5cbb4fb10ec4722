//! The time of a payment at an acquirer outside the gateway, beside that at the sandbox's own, in one run.
//!
//! Two gateways pay in turns, one payment at a time, so that whatever else the machine does meets both. What the gateway adds is the whole
//! difference less the time that the acquirer's own process computes, which it does while the gateway waits for it.

use super::Options;
use super::counterpart::Counterpart;
use crate::connection::Connection;
use crate::gateway::Recipe;
use crate::payment::{self, Taken};
use anyhow::{Context, Result};

/// Measures and prints.
pub(crate) async fn run(options: &Options) -> Result<()> {
    let folder = |name: &str| -> Result<_> {
        let folder = options.data.join(name);
        std::fs::create_dir_all(&folder)?;
        Ok(folder)
    };
    let acquirer = Counterpart::start(options.acquirer, &options.program, &options.data).await?;
    let file = acquirer.settings_file(acquirer.port())?;
    let recipe = |name: &str| -> Result<_> {
        let recipe = Recipe::new(&options.gateway, &folder(name)?)?;
        Ok(recipe.with("PAYFRAME_LOG", "off"))
    };
    let outside = recipe("outside")?.with("PAYFRAME_ACQUIRERS", file);
    let sandbox = recipe("sandbox")?;
    let gateways = [sandbox.start().await?, outside.start().await?];
    let mut lines = [
        Connection::open(&sandbox.origin()).await?,
        Connection::open(&outside.origin()).await?,
    ];
    // One-time work is done before the measurement.
    pay_in_turns(&mut lines, "warm", WARM_UP).await?;
    let before = acquirer.cpu();
    let [mut sandbox, mut outside] = pay_in_turns(&mut lines, "paid", options.orders).await?;
    let acquirers_own = acquirer.cpu().zip(before).map(|(after, before)| {
        after.saturating_sub(before).as_secs_f64() * 1000.0 / f64::from(options.orders)
    });
    for gateway in gateways {
        gateway.kill().await?;
    }
    println!(
        "{} payments each, one at a time, in turns: the sandbox's acquirer, and {:?}",
        options.orders, options.acquirer
    );
    println!("{:<24}{:>10}{:>10}", "ms", "p50", "p90");
    for (name, taken) in [("sandbox", &mut sandbox), ("outside", &mut outside)] {
        let [half, most] = [0.5, 0.9].map(|share| taken.whole.within(share));
        println!("  {name:<22}{half:>10.2}{most:>10.2}");
    }
    let [of_sandbox, of_outside] =
        [&mut sandbox, &mut outside].map(|taken| taken.whole.within(0.5));
    let ratio = of_outside / of_sandbox;
    println!("  a payment outside takes {ratio:.2} times as long");
    let acquirers_own =
        acquirers_own.context("the system does not tell the acquirer's computing time")?;
    let adapters = (of_outside - acquirers_own) / of_sandbox;
    let verdict = if adapters <= MOST { "held" } else { "MISSED" };
    println!(
        "  without the {acquirers_own:.2} ms that the acquirer itself computes {adapters:.2} times   at most {MOST}: {verdict}"
    );
    Ok(())
}

/// Pays so many orders over each line.
async fn pay_in_turns(lines: &mut [Connection; 2], name: &str, orders: u32) -> Result<[Taken; 2]> {
    let mut taken = [Taken::default(), Taken::default()];
    for number in 0..orders {
        for (line, taken) in lines.iter_mut().zip(&mut taken) {
            let order = format!("{name}-{number}");
            payment::pay(line, "sandbox-implicit", &order, taken).await?;
        }
    }
    Ok(taken)
}

const WARM_UP: u32 = 20;
/// The aim of the gateway's part.
const MOST: f64 = 1.2;
