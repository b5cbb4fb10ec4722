//! Thousands of payments while everything fails: calls carry faults, the gateway is killed and started again, receivers
//! refuse notifications. At the end every entry in the databases has to be right.

use crate::caller::Caller;
use crate::gateway::{Gateway, Recipe};
use crate::orders::{CASES, Merchant, PaymentKind, ReportedOrder};
use crate::receiver::Receiver;
use crate::reconciliation::{Discrepancies, Ledgers, Shown, verdict};
use crate::settle::settle;
use anyhow::{Context, Result, bail};
use fastrand::Rng;
use serde_json::Value;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use tokio::process::Command;
use tokio::sync::Mutex;
use tokio::task::JoinSet;

/// The options of the command line.
pub(crate) struct Options {
    pub(crate) gateway: PathBuf,
    /// The files that the gateway serves to browsers.
    pub(crate) assets: PathBuf,
    /// An empty folder for databases and logs.
    pub(crate) data: PathBuf,
    /// Orders through the API.
    pub(crate) payments: u32,
    /// Orders through browsers, by `browsers`.
    pub(crate) browser_payments: u32,
    /// The program that drives browsers; it reads `SOAK_*` and writes a JSON list of `{order, outcome}`.
    pub(crate) browsers: Vec<OsString>,
    /// The seed of a run's random choices. Other differences between runs remain.
    pub(crate) seed: u64,
}

/// Runs, compares and prints; an error if a single value is wrong.
pub(crate) async fn run(options: &Options) -> Result<()> {
    println!("seed {}", options.seed);
    let random = |part: u64| Rng::with_seed(options.seed.wrapping_mul(31).wrapping_add(part));
    let receiver = Receiver::start(random(1)).await?;
    let recipe = Recipe::new(&options.gateway, &options.data)?
        .with("PAYFRAME_ASSETS", &options.assets)
        .with("PAYFRAME_PENDING_SECONDS", "2")
        .with("PAYFRAME_IDLE_SECONDS", "60")
        .with("PAYFRAME_HARD_SECONDS", "240")
        .with("PAYFRAME_LOG", "off");
    let caller = Arc::new(Caller::new(&recipe.origin(), random(2))?);
    let started = Instant::now();
    let (reported, shown, restarts) = {
        let gateway = Mutex::new(Some(recipe.start().await?));
        let restarter = Restarter::new(&gateway, &recipe, random(3));
        let clients = async {
            tokio::try_join!(
                through_the_api(options, &caller, receiver.address()),
                through_browsers(options, &recipe)
            )
        };
        let (restarts, (reported, shown)) = restarter.restart_during(clients).await?;
        // The last gateway stays, to finish what is open.
        let mut ledgers = Ledgers::open(&options.data).await?;
        settle(&mut ledgers).await?;
        if let Some(gateway) = gateway.lock().await.take() {
            gateway.kill().await?;
        }
        (reported, shown, restarts)
    };
    let findings = Ledgers::open(&options.data)
        .await?
        .reconcile(&reported, &shown, &receiver.came())
        .await?;
    report(
        &reported, &shown, &restarts, &findings, &caller, &receiver, started,
    );
    verdict(&findings.breaches)
}

/// How the process ended while clients called it.
#[derive(Default)]
pub(crate) struct Restarts {
    pub(crate) kills: u32,
    /// It was asked to end, and ended.
    pub(crate) stops: u32,
}

/// Ends the gateway repeatedly.
pub(crate) struct Restarter<'a> {
    gateway: &'a Mutex<Option<Gateway>>,
    recipe: &'a Recipe,
    random: Rng,
}

impl<'a> Restarter<'a> {
    /// Ends what is in `gateway`, and puts a new one there.
    pub(crate) fn new(
        gateway: &'a Mutex<Option<Gateway>>,
        recipe: &'a Recipe,
        random: Rng,
    ) -> Restarter<'a> {
        Restarter {
            gateway,
            recipe,
            random,
        }
    }

    /// Causes failures until the clients are done. The gateway runs at the end.
    pub(crate) async fn restart_during<T>(
        mut self,
        clients: impl Future<Output = Result<T>>,
    ) -> Result<(Restarts, T)> {
        let mut restarts = Restarts::default();
        tokio::pin!(clients);
        loop {
            let pause = Duration::from_millis(200 + u64::from(self.random.u32(..3000)));
            tokio::select! {
                done = &mut clients => {
                    return Ok((restarts, done?));
                }
                () = tokio::time::sleep(pause) => {}
            }
            let mut gateway = self.gateway.lock().await;
            let running = gateway.take().context("the gateway is gone")?;
            if self.random.u32(..5) == 0 {
                running.stop().await?;
                restarts.stops += 1;
            } else {
                running.kill().await?;
                restarts.kills += 1;
            }
            *gateway = Some(self.recipe.start().await?);
        }
    }
}

/// Merchants' servers, each with one buyer after the other.
async fn through_the_api(
    options: &Options,
    caller: &Arc<Caller>,
    hook: &str,
) -> Result<Vec<ReportedOrder>> {
    let next = Arc::new(AtomicU32::new(0));
    let mut running = JoinSet::new();
    for client in 0..CLIENTS {
        let (caller, next, hook, last) = (
            Arc::clone(caller),
            Arc::clone(&next),
            hook.to_owned(),
            options.payments,
        );
        running.spawn(async move {
            let merchant = Merchant {
                caller: &caller,
                api_key: KEYS[client % KEYS.len()],
                hook: &hook,
            };
            let mut reported = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= last {
                    return anyhow::Ok(reported);
                }
                let case = CASES[number as usize % CASES.len()];
                let plan = if number / 2 % 2 == 0 {
                    PaymentKind::Sale
                } else {
                    PaymentKind::Hold
                };
                reported.extend(merchant.serve(&format!("A{number}"), case, plan).await?);
            }
        });
    }
    let mut all = Vec::new();
    while let Some(reported) = running.join_next().await {
        all.extend(reported??);
    }
    Ok(all)
}

/// Buyers in browsers.
async fn through_browsers(options: &Options, recipe: &Recipe) -> Result<Vec<Shown>> {
    let Some((program, words)) = options
        .browsers
        .split_first()
        .filter(|_| options.browser_payments > 0)
    else {
        return Ok(Vec::new());
    };
    let out = options.data.join("shown.json");
    let ended = Command::new(program)
        .args(words)
        .env("SOAK_GATEWAY", recipe.origin())
        .env("SOAK_PAYMENTS", options.browser_payments.to_string())
        .env("SOAK_SEED", options.seed.to_string())
        .env("SOAK_OUT", &out)
        .kill_on_drop(true)
        .status()
        .await
        .with_context(|| format!("cannot start {}", program.display()))?;
    if !ended.success() {
        bail!("the browsers' program ended with {ended}");
    }
    shown(&out)
}

fn shown(file: &Path) -> Result<Vec<Shown>> {
    let list: Value = serde_json::from_str(&std::fs::read_to_string(file)?)?;
    let list = list
        .as_array()
        .context("the browsers' program wrote no list")?;
    let text = |value: &Value| value.as_str().map(str::to_owned).context("not a text");
    list.iter()
        .map(|one| {
            Ok(Shown {
                order: text(&one["order"])?,
                outcome: text(&one["outcome"])?,
            })
        })
        .collect()
}

fn report(
    reported: &[ReportedOrder],
    shown: &[Shown],
    restarts: &Restarts,
    findings: &Discrepancies,
    caller: &Caller,
    receiver: &Receiver,
    started: Instant,
) {
    let line = |what: &str, number: u32| println!("{number:>8}  {what}");
    let size = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    line("orders through the API", size(reported.len()));
    line("orders through browsers", size(shown.len()));
    for outcome in ["approved", "declined", "failed", "cancelled"] {
        let count = shown
            .iter()
            .filter(|shown| shown.outcome == outcome)
            .count();
        line(&format!("  of them {outcome}"), size(count));
    }
    line("times the gateway was killed", restarts.kills);
    line("times it was asked to end", restarts.stops);
    let figures = caller.figures();
    line("calls", figures.attempts.load(Ordering::Relaxed));
    line("  with a fault", figures.faults.load(Ordering::Relaxed));
    line(
        "  without an answer",
        figures.unanswered.load(Ordering::Relaxed),
    );
    line("  put off", figures.put_off.load(Ordering::Relaxed));
    line("charges at the acquirer", size(findings.charges));
    line("refunds, captures and releases", size(findings.movements));
    line("notifications", size(findings.notifications));
    line(
        "  that came more than once",
        size(receiver.came().values().filter(|times| **times > 1).count()),
    );
    line(
        "seconds",
        u32::try_from(started.elapsed().as_secs()).unwrap_or(u32::MAX),
    );
    line("things that are wrong", size(findings.breaches.len()));
}

const CLIENTS: usize = 12;
/// Keys of merchants that are used only here; all of them may store contracts.
const KEYS: [&str; 3] = ["sandbox-implicit", "sandbox-other-merchant", "sandbox-bin8"];
