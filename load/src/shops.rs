//! A shop and the gateway while everything between them fails: buyers pay in a shop that is killed again and again, over a network that loses, doubles and
//! delays. At the end the shop's book has to agree with the gateway's and with the acquirer's.
//!
//! The shop is the example of `packages/server`, whose orders are kept by the order keeper. The same run on a shop with a naive handler shows that
//! the faults are strong enough: it has to have differences. See `docs/order-keeper.md`.

mod buyers;
mod comparison;
pub(crate) mod network;
mod shop;

use crate::gateway::Recipe;
use anyhow::{Context, Result, bail};
use buyers::{Buyers, Place};
use comparison::{Difference, MoneyBooks, OrderState, ShopFile, differences};
use fastrand::Rng;
use network::Network;
use shop::{Handler, Opening, Shop};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The options of the command line.
pub(crate) struct Options {
    pub(crate) gateway: PathBuf,
    /// An empty folder for databases and logs.
    pub(crate) data: PathBuf,
    /// The shop's program and its first arguments.
    pub(crate) shop: Vec<OsString>,
    pub(crate) orders: u32,
    /// How often the shop is killed.
    pub(crate) kills: u32,
    /// The seed of a run's random choices. Other differences between runs remain.
    pub(crate) seed: u64,
}

/// Runs both shops, and prints their figures side by side. An error if the order keeper has a difference, or the naive handler none.
pub(crate) async fn run(options: &Options) -> Result<()> {
    println!("seed {}", options.seed);
    let keeper = one_run(options, Handler::Keeper).await?;
    let naive = one_run(options, Handler::Naive).await?;
    println!("{:<52}{:>10}{:>10}", "", "keeper", "naive");
    for ((what, one), (_, other)) in keeper.lines.iter().zip(&naive.lines) {
        println!("{what:<52}{one:>10}{other:>10}");
    }
    verdict(&keeper.found, &naive.found)
}

/// What a run came to.
struct Findings {
    /// What was counted.
    lines: Vec<(String, usize)>,
    found: Vec<(Difference, String)>,
}

fn verdict(keeper: &[(Difference, String)], naive: &[(Difference, String)]) -> Result<()> {
    if !keeper.is_empty() {
        let lines = keeper
            .iter()
            .map(|(what, id)| format!("{id}: {}", what.words()));
        let lines: Vec<String> = lines.collect();
        bail!(
            "{} differences with the order keeper:\n{}",
            lines.len(),
            lines.join("\n")
        );
    }
    if naive.is_empty() {
        bail!("the naive handler has no difference: the faults were too weak to prove anything");
    }
    Ok(())
}

async fn one_run(options: &Options, handler: Handler) -> Result<Findings> {
    let random = |part: u64| Rng::with_seed(options.seed.wrapping_mul(31).wrapping_add(part));
    let started = Instant::now();
    let folder = options.data.join(handler.word());
    let books = folder.join("gateway");
    std::fs::create_dir_all(&books)?;
    let recipe = Recipe::new(&options.gateway, &books)?
        .with("PAYFRAME_ALLOW_INSECURE_URLS", "1")
        .with("PAYFRAME_PENDING_SECONDS", "2")
        .with("PAYFRAME_LOG", "off");
    let gateway = recipe.start().await?;
    let secret = recipe.say(&["secrets", "new", TERMINAL]).await?;
    let secret = secret.lines().nth(1).context("no secret was printed")?;
    let port = Recipe::free_port()?;
    let to_shop = format!("http://127.0.0.1:{port}");
    let (network, mut doors) = Network::open(recipe.origin(), to_shop, random(1)).await?;
    let file = folder.join("orders.jsonl");
    let mut shop = Shop::new(Opening {
        words: options.shop.clone(),
        handler,
        port,
        origin: doors.of_shop.clone(),
        gateway: doors.of_gateway,
        api_key: API_KEY,
        secret: secret.to_owned(),
        file: file.clone(),
        log: folder.join("shop.log"),
        since_ms: SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis(),
        speed: SPEED,
    });
    shop.open().await?;
    let place = Place {
        shop: doors.of_shop,
        gateway: recipe.origin(),
        api_key: API_KEY,
        shop_is_open: shop.is_open(),
        pay_within: SHOP_LIMIT / SPEED,
    };
    let buyers = Arc::new(Buyers::new(place, random(2))?);
    let file = ShopFile::new(file);
    let limit = settle_limit(handler);
    let all = async {
        let buying = Arc::clone(&buyers).buy(options.orders, options.kills, &network);
        buying.await?;
        network.calm_down();
        settle(&file, &books, limit).await?;
        network.bring_again().await;
        network.end_notifications().await?;
        settle(&file, &books, limit).await
    };
    tokio::select! {
        done = all => done?,
        died = shop.die_again_and_again(&mut doors.deaths, &network, random(3)) => died?,
    }
    // The last ones, if too few messages passed, or if the end came in the middle of one.
    while shop.deaths() < options.kills {
        shop.kill_and_open().await?;
    }
    if !*shop.is_open().borrow() {
        shop.open().await?;
    }
    settle(&file, &books, limit).await?;
    shop.kill().await?;
    gateway.stop().await?;

    let mut money = MoneyBooks::open(&books).await?;
    let (book, held, charges) = (file.read()?, money.held().await?, money.charges().await?);
    let found = differences(&book, &held, &charges);
    let paid = book.values().filter(|one| one.state == OrderState::Paid);
    let over = book.values().filter(|one| one.state == OrderState::Over);
    let given_back = charges
        .iter()
        .filter(|one| one.was_given_back && one.held == 0);
    let (passed, bought) = (network.figures(), buyers.figures());
    let mut lines = vec![
        line("orders", book.len()),
        line("  paid in the shop", paid.count()),
        line("  given up or cancelled in the shop", over.count()),
        line(
            "payments that had an outcome in the form",
            of(&bought.payments),
        ),
        line("  approved by the acquirer", charges.len()),
        line("  given back whole by the shop", given_back.count()),
        line("partial refunds by staff", of(&bought.refunds)),
        line("times the shop was killed", usize::try_from(shop.deaths())?),
        line(
            "messages between shop, gateway and buyers",
            of(&passed.messages),
        ),
        line("  of them notifications", of(&passed.notifications)),
        line("  lost on the way", of(&passed.lost)),
        line("    notifications with a receipt", of(&passed.swallowed)),
        line(
            "  arrived, and their answer was lost",
            of(&passed.unanswered),
        ),
        line("  came twice", of(&passed.doubled)),
        line("  came late", of(&passed.late)),
        line("seconds", usize::try_from(started.elapsed().as_secs())?),
        line("differences", found.len()),
    ];
    for kind in Difference::ALL {
        let count = found.iter().filter(|(one, _)| *one == kind).count();
        lines.push(line(&format!("  {}", kind.words()), count));
    }
    Ok(Findings { lines, found })
}

fn line(what: &str, number: usize) -> (String, usize) {
    (what.to_owned(), number)
}

fn of(figure: &AtomicU32) -> usize {
    usize::try_from(figure.load(Ordering::Relaxed)).unwrap_or(usize::MAX)
}

/// Waits until every payment has an outcome and the shop has nothing more to do, or until nothing is finished any more. What is not finished
/// then is a difference.
async fn settle(file: &ShopFile, books: &Path, limit: Duration) -> Result<()> {
    let mut money = MoneyBooks::open(books).await?;
    let is_open = |one: &&comparison::ShopOrder| one.state == OrderState::Open || one.has_work;
    let (mut fewest, mut since) = (usize::MAX, Instant::now());
    while since.elapsed() < limit {
        let undecided = usize::try_from(money.undecided().await?)?;
        let left = undecided + file.read()?.values().filter(is_open).count();
        if left == 0 {
            return Ok(());
        }
        if left < fewest {
            (fewest, since) = (left, Instant::now());
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    Ok(())
}

/// How long a shop may finish nothing before it is taken as it is.
fn settle_limit(handler: Handler) -> Duration {
    match handler {
        // Twice the longest pause between two questions of the order keeper, which is two hours of the shop's clock.
        Handler::Keeper => Duration::from_secs(60),
        // It asks nothing again by itself; its time limit is over by then.
        Handler::Naive => Duration::from_secs(15),
    }
}

/// A merchant that captures at once, and its terminal.
const API_KEY: &str = "sandbox-implicit";
const TERMINAL: &str = "91000001";
/// The time limit of the example shop.
const SHOP_LIMIT: Duration = Duration::from_secs(30 * 60);
/// How fast the shop's clock goes: its limit is over after 7.5 seconds.
const SPEED: u32 = 240;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_difference_of_the_keeper_fails_and_so_does_none_of_the_naive_handler() {
        let one = [(Difference::SentTwice, String::from("A1"))];
        assert!(verdict(&[], &one).is_ok());
        let failed = verdict(&one, &one).map_err(|failure| failure.to_string());
        assert!(failed.is_err_and(|text| text.contains("A1: goods sent more than once")));
        let weak = verdict(&[], &[]).map_err(|failure| failure.to_string());
        assert!(weak.is_err_and(|text| text.contains("too weak")));
    }
}
