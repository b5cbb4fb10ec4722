//! Sends a gateway ten times the payments that it can take. Measures how long the calls that it accepts take, what it turns away, and its
//! memory; and then looks whether each payment that it accepted was made, once.
//!
//! Buyers arrive at a fixed rate, whether or not earlier ones were served. One whose first call is turned away goes elsewhere. One who has
//! begun stays until the payment has its result, and sends what is turned away again with the same idempotency key.

use crate::bench::{self, Options};
use crate::caller::Credentials;
use crate::connection::Connection;
use crate::gateway::{Recipe, memory_of};
use crate::payment::{CARD, request, text};
use crate::times::Times;
use anyhow::{Result, ensure};
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

/// Measures, prints, and fails if an accepted payment was lost or doubled.
pub(crate) async fn run(options: &Options) -> Result<()> {
    let mut recipe = Recipe::new(&options.gateway, &options.data)?
        .with("PAYFRAME_CALLS_AT_WORK", PLACES.to_string())
        .with(
            "PAYFRAME_CONNECTIONS_PER_ADDRESS",
            (CALLERS * 2).to_string(),
        );
    if let Some(url) = &options.database {
        recipe = recipe.with("DATABASE_URL", url);
    }
    let gateway = recipe.start().await?;
    let origin = recipe.origin();

    let mut lines = Vec::new();
    for _ in 0..options.buyers {
        lines.push(Connection::open(&origin).await?);
    }
    let (lines, _) = bench::drive(lines, "warm", options.buyers * bench::WARM_UP).await?;
    let began = Instant::now();
    let (_, mut alone) = bench::drive(lines, "paid", options.payments).await?;
    let capacity = f64::from(options.payments) / began.elapsed().as_secs_f64();
    let [before, _] = memory_of(gateway.id()).unwrap_or_default();

    let arrivals = Arc::new(Arrivals::at(capacity * FACTOR));
    let mut buyers = JoinSet::new();
    for _ in 0..CALLERS {
        let line = Connection::open(&origin).await?;
        buyers.spawn(serve(Arc::clone(&arrivals), line));
    }
    let mut all = Served::default();
    while let Some(served) = buyers.join_next().await {
        all.append(served??);
    }
    let elapsed = arrivals.began.elapsed().as_secs_f64();
    let [after, most] = memory_of(gateway.id()).unwrap_or_default();

    let mut line = Connection::open(&origin).await?;
    let wrong = wrong_orders(&mut line, &all.paid).await?;
    gateway.kill().await?;

    let arrived = arrivals.next.load(Ordering::Relaxed);
    println!("{arrived} buyers in {elapsed:.0} s, at {PLACES} places");
    println!("  capacity            {capacity:>8.1} payments a second");
    println!(
        "  arrived             {:>8.1} a second",
        f64::from(arrived) / elapsed
    );
    println!(
        "  paid                {:>8.1} a second",
        all.paid.len() as f64 / elapsed
    );
    println!(
        "  turned away         {:>8} at the first call, {} later",
        all.left, all.put_off
    );
    println!("  memory              {before:>8} MB before, {after} MB after, {most} MB at most");
    println!(
        "{:<22}{:>10}{:>10}{:>10}{:>10}",
        "ms", "p50", "p90", "p99", "most"
    );
    bench::row("whole payment alone", &mut alone.whole);
    bench::row("accepted calls", &mut all.accepted);
    bench::row("calls turned away", &mut all.refused);
    bench::row("whole payment", &mut all.whole);
    println!("  lost or doubled     {:>8}", wrong.len());
    ensure!(
        wrong.is_empty(),
        "payments that are not there once: {wrong:?}"
    );
    ensure!(
        all.left > 0,
        "the gateway turned nobody away: there were not enough buyers"
    );
    Ok(())
}

/// Buyers that arrive at a rate, for a fixed time.
struct Arrivals {
    began: Instant,
    per_second: f64,
    next: AtomicU32,
}

impl Arrivals {
    fn at(per_second: f64) -> Arrivals {
        Arrivals {
            began: Instant::now(),
            per_second,
            next: AtomicU32::new(0),
        }
    }

    /// Waits for the next buyer. `None`: the time is over.
    async fn next(&self) -> Option<u32> {
        if self.began.elapsed() > LASTS {
            return None;
        }
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let due = self.began + Duration::from_secs_f64(f64::from(number) / self.per_second);
        tokio::time::sleep_until(due.into()).await;
        Some(number)
    }
}

/// What became of buyers, and how long their calls took.
#[derive(Default)]
struct Served {
    /// Orders that are paid, as the buyers were told.
    paid: Vec<String>,
    left: u32,
    put_off: u32,
    accepted: Times,
    refused: Times,
    whole: Times,
}

impl Served {
    fn append(&mut self, mut other: Served) {
        self.paid.append(&mut other.paid);
        self.left += other.left;
        self.put_off += other.put_off;
        self.accepted.append(other.accepted);
        self.refused.append(other.refused);
        self.whole.append(other.whole);
    }

    /// Notes a call, and whether it was accepted.
    fn note(&mut self, since: Instant, is_accepted: bool) {
        match is_accepted {
            true => self.accepted.add(since),
            false => self.refused.add(since),
        }
    }
}

async fn serve(arrivals: Arc<Arrivals>, mut line: Connection) -> Result<Served> {
    let mut served = Served::default();
    while let Some(number) = arrivals.next().await {
        let order = format!("over-{number}");
        let began = Instant::now();
        let merchant = Credentials::Merchant("sandbox-implicit");
        let key = format!("{order}-build");
        let built = line
            .try_post(merchant, "/api/orders/build", &key, request(&order))
            .await?;
        served.note(began, built.is_some());
        let Some(built) = built else {
            served.left += 1;
            continue;
        };
        let session = text(&built, "sessionId")?;
        let frame = Credentials::Frame(session);
        let key = format!("{order}-card");
        let path = "/api/fe/build/text";
        let entered = until_accepted(&mut line, &mut served, frame, path, &key, CARD).await?;
        let url = text(&entered["gdiStatus"], "gdiUrl")?;
        loop {
            let since = Instant::now();
            let is_accepted = line.try_press(url, "").await?;
            served.note(since, is_accepted);
            if is_accepted {
                break;
            }
            served.put_off += 1;
            tokio::time::sleep(pause()).await;
        }
        let key = format!("{order}-close");
        let path = "/api/build/finalize_payment";
        let closed = until_accepted(&mut line, &mut served, frame, path, &key, "{}").await?;
        ensure!(
            is_paid(&closed["operation"]),
            "{order} was not paid: {closed}"
        );
        served.whole.add(began);
        served.paid.push(order);
    }
    Ok(served)
}

/// Sends a call until it is accepted.
async fn until_accepted(
    line: &mut Connection,
    served: &mut Served,
    who: Credentials<'_>,
    path: &str,
    key: &str,
    body: &'static str,
) -> Result<Value> {
    loop {
        let since = Instant::now();
        let answer = line.try_post(who, path, key, body).await?;
        served.note(since, answer.is_some());
        match answer {
            Some(answer) => return Ok(answer),
            None => served.put_off += 1,
        }
        tokio::time::sleep(pause()).await;
    }
}

/// What `Retry-After` asks for, and up to as much again, so that not all come back at once.
fn pause() -> Duration {
    RETRY_AFTER.mul_f64(1.0 + fastrand::f64())
}

/// Paid orders that the gateway does not hold with one payment.
pub(crate) async fn wrong_orders(line: &mut Connection, paid: &[String]) -> Result<Vec<String>> {
    let merchant = Credentials::Merchant("sandbox-implicit");
    let mut wrong = Vec::new();
    for order in paid {
        let held = line.get(merchant, &format!("/api/orders/{order}")).await?;
        let operations = held["operations"].as_array().map_or(&[][..], Vec::as_slice);
        let is_there_once = operations.len() == 1 && operations.iter().all(is_paid);
        if !is_there_once || held["orderStatus"]["capturedAmount"] != "3545" {
            wrong.push(order.clone());
        }
    }
    Ok(wrong)
}

fn is_paid(operation: &Value) -> bool {
    operation["operationResult"] == "EXECUTED"
}

/// How many times its capacity the gateway gets.
const FACTOR: f64 = 10.0;
const LASTS: Duration = Duration::from_secs(20);
/// Fewer than the default, so that one machine can play all callers.
const PLACES: usize = 64;
/// Connections of buyers: more than places at work and in the queue.
const CALLERS: usize = 10 * PLACES;
const RETRY_AFTER: Duration = Duration::from_secs(1);
