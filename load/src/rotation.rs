//! Changes the vault's key again and again while buyers pay, and measures what that costs them. Then looks whether each payment was made,
//! once, and whether any value is left that only an earlier key opens.

use crate::bench::{self, Options};
use crate::connection::Connection;
use crate::gateway::Recipe;
use crate::overload::wrong_orders;
use crate::payment::Taken;
use anyhow::{Context, Result, ensure};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// Measures, prints, and fails if a payment is lost or doubled, or a value needs an earlier key.
pub(crate) async fn run(options: &Options) -> Result<()> {
    let mut recipe = Recipe::new(&options.gateway, &options.data)?;
    if let Some(url) = &options.database {
        recipe = recipe.with("DATABASE_URL", url);
    }
    let gateway = recipe.start().await?;
    let mut lines = Vec::new();
    for _ in 0..options.buyers {
        lines.push(Connection::open(&recipe.origin()).await?);
    }
    let (lines, _) = bench::drive(lines, "warm", options.buyers * bench::WARM_UP).await?;
    let began = Instant::now();
    let (lines, mut calm) = bench::drive(lines, CALM, options.payments).await?;
    let alone = f64::from(options.payments) / began.elapsed().as_secs_f64();

    let (is_over, until) = watch::channel(false);
    let began = Instant::now();
    let payments = async {
        let paid = bench::drive(lines, CHANGING, options.payments).await;
        let elapsed = began.elapsed().as_secs_f64();
        is_over.send_replace(true);
        anyhow::Ok((paid?, elapsed))
    };
    let (((_, mut changing), elapsed), rotated) =
        tokio::try_join!(payments, rotate(&recipe, until))?;
    let meanwhile = f64::from(options.payments) / elapsed;

    // What was sealed with the last key but one, before the gateway took the last one up.
    recipe.say(&["vault", "reencrypt"]).await?;
    let needed = needed_by_earlier_keys(&recipe.say(&["vault", "list"]).await?)?;
    let orders: Vec<String> = [CALM, CHANGING]
        .into_iter()
        .flat_map(|name| (0..options.payments).map(move |number| format!("{name}-{number}")))
        .collect();
    let mut line = Connection::open(&recipe.origin()).await?;
    let wrong = wrong_orders(&mut line, &orders).await?;
    gateway.kill().await?;

    println!(
        "{} payments without, and as many while the key was changed {} times",
        options.payments, rotated.keys
    );
    println!(
        "  payments            {alone:>8.1} /s without, {meanwhile:.1} /s meanwhile: {:.2} times",
        meanwhile / alone
    );
    println!(
        "  encrypted again     {:>8} values, {:.0} a second",
        rotated.values,
        f64::from(rotated.values) / rotated.encrypting.as_secs_f64()
    );
    println!(
        "{:<22}{:>10}{:>10}{:>10}{:>10}",
        "ms", "p50", "p90", "p99", "most"
    );
    let row = |name, taken: &mut Taken| bench::row(name, &mut taken.whole);
    row("payment without", &mut calm);
    row("payment meanwhile", &mut changing);
    println!("  lost or doubled     {:>8}", wrong.len());
    println!("  need an earlier key {needed:>8}");
    ensure!(
        wrong.is_empty(),
        "payments that are not there once: {wrong:?}"
    );
    ensure!(needed == 0, "values that only an earlier key opens");
    ensure!(
        rotated.values > 0,
        "nothing was encrypted again: there were not enough payments"
    );
    Ok(())
}

/// What changing keys did.
#[derive(Default)]
struct Rotated {
    keys: u32,
    values: u32,
    encrypting: Duration,
}

/// Changes the key until told to stop.
async fn rotate(recipe: &Recipe, mut until: watch::Receiver<bool>) -> Result<Rotated> {
    let mut rotated = Rotated::default();
    while !*until.borrow_and_update() {
        let values = values(&recipe.say(&["vault", "list"]).await?)?;
        recipe.say(&["vault", "rotate"]).await?;
        // The gateway looks for a new key every second.
        tokio::time::sleep(TAKEN_UP).await;
        let began = Instant::now();
        recipe.say(&["vault", "reencrypt"]).await?;
        rotated.encrypting += began.elapsed();
        rotated.values += values;
        rotated.keys += 1;
    }
    Ok(rotated)
}

/// How many values all keys in this list have encrypted.
fn values(list: &str) -> Result<u32> {
    Ok(keys(list)?.iter().map(|key| key.values).sum())
}

/// How many values keys other than the current one have encrypted.
fn needed_by_earlier_keys(list: &str) -> Result<u32> {
    let earlier = keys(list)?.into_iter().filter(|key| !key.is_current);
    Ok(earlier.map(|key| key.values).sum())
}

struct Key {
    is_current: bool,
    values: u32,
}

/// The lines of `vault list`: id, use, values.
fn keys(list: &str) -> Result<Vec<Key>> {
    let mut keys = Vec::new();
    for line in list.lines().skip(1) {
        let mut words = line.split_whitespace().skip(1);
        let (r#use, values) = words
            .next()
            .zip(words.next())
            .context("an incomplete line")?;
        keys.push(Key {
            is_current: r#use == "seals",
            values: values
                .parse()
                .with_context(|| format!("no number: {line}"))?,
        });
    }
    Ok(keys)
}

const CALM: &str = "calm";
const CHANGING: &str = "changing";
const TAKEN_UP: Duration = Duration::from_secs(2);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_the_list_are_counted() {
        let list = "id                use       values      a gateway encrypted with it\n\
            5ab0c2d4e6f81357  seals     120         2026-11-28T20:00:00.000Z\n\
            17ab0c2d4e6f8135  opens     3           -\n";
        assert_eq!(values(list).unwrap(), 123);
        assert_eq!(needed_by_earlier_keys(list).unwrap(), 3);
        assert!(values("id\nmissing").is_err());
    }
}
