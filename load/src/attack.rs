//! Bots that try out stolen cards, mixed with honest buyers: how many tries of each bot the acquirer hears of before it is stopped, and
//! how many honest buyers are refused.
//!
//! A bot is a pattern: what its tries have in common. Each has a gateway of its own with empty tables, once with one try after the
//! other and once with all of them as fast as the gateway takes them. The numbers are made by this program, in ranges in which the sandbox
//! declines every number that it does not know.
//!
//! Honest buyers' forms compute the proof of work that is due at a terminal under attack. Bots do not, but for one, whose work is printed.

mod jobs;

use crate::caller::Credentials;
use crate::connection::{CardAnswer, Connection};
use crate::gateway::Recipe;
use crate::payment::{card_entry, request_of, text};
use anyhow::{Context, Result, ensure};
use fastrand::Rng;
use jobs::{BOTS, Job, Proofs, Try, jobs};
use payframe_proof_of_work::{Puzzle, Search};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

/// The options of the command line.
pub(crate) struct Options {
    /// The gateway's program.
    pub(crate) gateway: PathBuf,
    /// An empty folder for its databases.
    pub(crate) data: PathBuf,
    /// How many cards all bots try.
    pub(crate) cards: u32,
    /// From how many addresses each of them.
    pub(crate) addresses: u32,
    /// How many honest buyers there are.
    pub(crate) honest: u32,
    /// How many tries run at the same time where a bot is fast.
    pub(crate) at_once: u32,
    /// The seed of the random choices.
    pub(crate) seed: u64,
}

/// What became of the jobs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Figures {
    /// Tries of the bot.
    tries: u32,
    /// Those whose card was not taken, because a proof of work was due.
    turned_away: u32,
    /// Those of which the acquirer heard.
    heard: u32,
    /// How many proofs it computed.
    proofs: u32,
    /// How long that took.
    computed: Duration,
    /// Honest buyers.
    honest: u32,
    /// Those who had to pass a challenge.
    challenged: u32,
    /// Those who could not pay, or were stopped at a mistake.
    refused: u32,
}

/// Tries all patterns and prints the figures. The error: a limit was missed.
pub(crate) async fn run(options: &Options) -> Result<()> {
    println!("seed {}", options.seed);
    println!(
        "{:<34}{:>8}{:>13}{:>8}{:>13}{:>8}{:>12}{:>9}",
        "a bot with the same",
        "tries",
        "turned away",
        "heard",
        "computed, s",
        "honest",
        "challenged",
        "refused"
    );
    let mut all = Figures::default();
    let mut most = 0;
    for (place, (pattern, proofs)) in BOTS.into_iter().enumerate() {
        for (speed, at_once) in [("slow", 1), ("fast", options.at_once)] {
            let runs = 2 * BOTS.len() as u32;
            let mut random = Rng::with_seed(options.seed + place as u64);
            let jobs = jobs(
                (pattern, proofs),
                options.cards / runs,
                options.addresses,
                options.honest / runs,
                &mut random,
            );
            let works = match proofs {
                Proofs::Computed => ", with proofs",
                Proofs::None => "",
            };
            let name = format!("{}{works}, {speed}", pattern.label());
            let data = options.data.join(name.replace([' ', ','], "-"));
            std::fs::create_dir_all(&data)?;
            let recipe = Recipe::new(&options.gateway, &data)?
                .with("PAYFRAME_CARD_TESTING_RULES", "on")
                .with("PAYFRAME_PROXIES", "1")
                // Each try that is stopped is a warning.
                .with("PAYFRAME_LOG", "error");
            let gateway = recipe.start().await?;
            let figures = drive(&recipe.origin(), jobs, at_once).await?;
            gateway.kill().await?;
            figures.print(&name);
            most = most.max(figures.heard);
            all.append(figures);
        }
    }
    all.print("all");
    let share = f64::from(all.refused) / f64::from(all.honest.max(1));
    println!("most tries of a bot that the acquirer heard of: {most}, at most {MOST_TRIES}");
    let proofs = (all.proofs > 0).then(|| all.computed / all.proofs);
    if let Some(each) = proofs {
        println!(
            "a proof cost the bot {} ms of a processor",
            each.as_millis()
        );
    }
    println!(
        "honest buyers refused: {:.2} %, at most {:.2} %",
        share * 100.0,
        MOST_REFUSED * 100.0
    );
    ensure!(
        most <= MOST_TRIES && share <= MOST_REFUSED,
        "a limit was missed"
    );
    Ok(())
}

/// Carries jobs out, some at the same time.
async fn drive(origin: &str, jobs: Vec<Job>, at_once: u32) -> Result<Figures> {
    let jobs = Arc::new(Mutex::new(jobs.into_iter().enumerate()));
    let mut running = tokio::task::JoinSet::new();
    for _ in 0..at_once {
        let (jobs, origin) = (Arc::clone(&jobs), origin.to_owned());
        running.spawn(async move {
            let mut line = Connection::open(&origin).await?;
            let mut figures = Figures::default();
            loop {
                // A panic while it is locked leaves it valid.
                let next = jobs.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some((place, job)) = next else {
                    return anyhow::Ok(figures);
                };
                figures.append(carry_out(&mut line, place, &job).await?);
            }
        });
    }
    let mut all = Figures::default();
    while let Some(one) = running.join_next().await {
        all.append(one??);
    }
    Ok(all)
}

async fn carry_out(line: &mut Connection, place: usize, job: &Job) -> Result<Figures> {
    let mut figures = Figures::default();
    match job {
        Job::Bot { this, proofs } => {
            figures.tries = 1;
            let order = format!("b{place}");
            let tried = attempt(line, &order, this, *proofs, &mut figures).await?;
            match tried {
                Some((_, state)) => figures.heard = u32::from(was_heard(&state)),
                None => figures.turned_away = 1,
            }
        }
        Job::Honest { mistyped, good } => {
            figures.honest = 1;
            for (count, number) in mistyped.iter().enumerate() {
                let order = format!("m{place}-{count}");
                let mistake = Try {
                    number: number.clone(),
                    ..good.clone()
                };
                let state = pay(line, &order, &mistake, &mut figures).await?;
                if !was_heard(&state) {
                    figures.refused = 1;
                }
            }
            let order = format!("h{place}");
            let state = pay(line, &order, good, &mut figures).await?;
            if state["operation"]["operationResult"] != "EXECUTED" {
                figures.refused = 1;
            }
        }
    }
    Ok(figures)
}

/// An honest buyer's try: what the merchant's server reads of it in the end.
async fn pay(
    line: &mut Connection,
    order: &str,
    this: &Try,
    figures: &mut Figures,
) -> Result<Value> {
    // What buyers' devices compute is no work of the bot.
    let mut own = Figures::default();
    let tried = attempt(line, order, this, Proofs::Computed, &mut own).await?;
    let (session, state) = tried.context("the proof of work of a form was not taken")?;
    pass_challenge(line, (this.api_key, &session), state, figures).await
}

/// One try in a session of its own: the session, and what the merchant's server reads of it. `None`: the card was not taken without a
/// proof of work.
async fn attempt(
    line: &mut Connection,
    order: &str,
    this: &Try,
    proofs: Proofs,
    figures: &mut Figures,
) -> Result<Option<(String, Value)>> {
    let merchant = Credentials::Merchant(this.api_key);
    let key = format!("{order}-build");
    let request = request_of(order, this.amount_minor);
    let built = line
        .post(merchant, "/api/orders/build", &key, request)
        .await?;
    let session = text(&built, "sessionId")?.to_owned();
    let card = card_entry(&this.number);
    let mut items = card.clone();
    let key = format!("{order}-card");
    let entered = loop {
        let from = (this.address.as_str(), this.browser.as_str());
        match line.send_card(from, &session, &key, &items).await? {
            CardAnswer::Taken(entered) => break entered,
            CardAnswer::ProofDue(_) if proofs == Proofs::None => return Ok(None),
            CardAnswer::ProofDue(puzzle) => {
                let began = Instant::now();
                let solution = solved(&puzzle)?;
                figures.computed += began.elapsed();
                figures.proofs += 1;
                let proof = json!({ "id": "PROOF_OF_WORK", "value": solution });
                // The proof before, if any, came too late.
                items.clone_from(&card);
                items.as_array_mut().context("no items")?.push(proof);
            }
        }
    };
    if let Some(url) = entered["gdiStatus"]["gdiUrl"].as_str() {
        line.press(url, "").await?;
    }
    let body = json!({ "sessionId": session }).to_string();
    let key = format!("{order}-close");
    let state = line
        .post(merchant, "/api/build/finalize_payment", &key, body)
        .await?;
    Ok(Some((session, state)))
}

fn solved(puzzle: &str) -> Result<String> {
    let mut search = Search::new(Puzzle::parse(puzzle).context("no puzzle")?);
    loop {
        if let Some(solution) = search.go_on(100_000) {
            return Ok(solution.to_owned());
        }
    }
}

/// The buyer passes a challenge, if there is one. A bot has no telephone of the buyer.
async fn pass_challenge(
    line: &mut Connection,
    (api_key, session): (&str, &str),
    state: Value,
    figures: &mut Figures,
) -> Result<Value> {
    let Some(url) = state["url"].as_str() else {
        return Ok(state);
    };
    figures.challenged = 1;
    let (origin, _) = url.split_once("/threeds/").context("no issuer's page")?;
    let token = url.rsplit('/').next().unwrap_or_default();
    let page = format!("{origin}/threeds/result/{token}");
    line.press(&page, "answer=approve&code=123456").await?;
    line.get(
        Credentials::Merchant(api_key),
        &format!("/api/build/state?sessionId={session}"),
    )
    .await
}

/// Whether the acquirer heard of it: it gave a code.
fn was_heard(state: &Value) -> bool {
    state["operation"]["additionalData"]["authorizationStatus"].is_string()
}

impl Figures {
    fn append(&mut self, other: Figures) {
        self.tries += other.tries;
        self.turned_away += other.turned_away;
        self.heard += other.heard;
        self.proofs += other.proofs;
        self.computed += other.computed;
        self.honest += other.honest;
        self.challenged += other.challenged;
        self.refused += other.refused;
    }

    fn print(&self, name: &str) {
        let Figures {
            tries,
            turned_away,
            heard,
            proofs: _,
            computed,
            honest,
            challenged,
            refused,
        } = self;
        let seconds = computed.as_secs_f64();
        println!(
            "{name:<34}{tries:>8}{turned_away:>13}{heard:>8}{seconds:>13.1}{honest:>8}{challenged:>12}{refused:>9}"
        );
    }
}

/// Of each pattern.
const MOST_TRIES: u32 = 20;

/// A share of the honest buyers.
const MOST_REFUSED: f64 = 0.001;
