//! Kills the gateway's process many times, without warning, while it takes payments. Then compares its database
//! with the acquirer's: every order has one outcome, every paid order one charge, every refund, capture and
//! release one movement of money; none is lost or doubled.
//!
//! If `PAYFRAME_TEST_DATABASE` names a server, three processes on one database are called in turn, and each time
//! another one is killed.
//!
//! `crash/failover.rs` kills the database server in place of the gateway.
//!
//! The clients do what real ones have to do: each repeats a call, with the same idempotency key, until it gets
//! an answer. `CRASH_SEED` repeats a run's choices; `CRASH_ROUNDS` changes how often the process is killed.

// This file has only tests: a panic fails the test.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "crash/clients.rs"]
mod clients;
#[path = "support/database.rs"]
mod database;
#[path = "crash/failover.rs"]
mod failover;
#[path = "support/http.rs"]
mod http;
#[path = "crash/processes.rs"]
mod processes;
#[path = "crash/reconciliation.rs"]
mod reconciliation;
#[path = "crash/servers.rs"]
mod servers;

use clients::pay_until_last_call;
use processes::{Gateway, Place};
use reconciliation::reconcile;
use serde_json::Value;
use std::io::Write;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

const ROUNDS: u32 = 30;
const CLIENTS: usize = 4;
const KEYS: [&str; 4] = [
    "sandbox-implicit",
    "sandbox-no-token",
    "sandbox-other-merchant",
    "sandbox-bin8",
];

/// The common state of a run.
struct Run {
    /// Where the current processes listen.
    servers: Mutex<Vec<Option<SocketAddr>>>,
    /// How often a process was looked for.
    turns: AtomicUsize,
    /// The process is not killed any more: open payments are finished, and no new ones begin.
    last_call: AtomicBool,
    interrupted: AtomicU32,
    replayed: AtomicU32,
    /// Calls that were refused with 503.
    unavailable: AtomicU32,
    /// Bodies of other answers from 500 on.
    failed: Mutex<Vec<String>>,
}

/// An order as its client sees it.
struct Paid {
    order: String,
    /// Results that the client received, one for each call that closes a payment.
    told: Vec<String>,
    /// Later movements of the money: the id in the answer, type and amount.
    moved: Vec<(String, &'static str, i64)>,
    /// Authorized and captured amounts at the end.
    totals: (i64, i64),
    /// For a reservation: how often the card was charged besides the payment.
    charges: usize,
}

#[test]
fn killing_the_process_loses_no_payment_and_charges_none_twice() {
    let seed = number("CRASH_SEED").unwrap_or_else(any_seed);
    let rounds = number("CRASH_ROUNDS").map_or(ROUNDS, |rounds| rounds as u32);
    // Not with a macro: its output appears only when the test ends, and a test that hangs is stopped before that.
    writeln!(
        std::io::stderr(),
        "CRASH_SEED={seed} CRASH_ROUNDS={rounds} repeats it"
    )
    .unwrap();
    let place = Place::make();
    let processes = place.processes();
    let run = Arc::new(Run::of(processes));
    let clients = run.start_clients(CLIENTS);
    let mut random = fastrand::Rng::with_seed(seed);
    let mut gateways: Vec<Option<Gateway>> = (0..processes).map(|_| None).collect();
    for _ in 0..rounds {
        let one = random.usize(..processes);
        run.servers.lock().unwrap()[one] = None;
        gateways[one] = None;
        let mut gateway = place.start();
        if random.u64(..5) == 0 {
            // It is killed while it starts, perhaps during recovery.
            std::thread::sleep(Duration::from_millis(random.u64(..150)));
        } else {
            run.servers.lock().unwrap()[one] = Some(gateway.address());
            std::thread::sleep(Duration::from_millis(20 + random.u64(..180)));
        }
        gateways[one] = Some(gateway);
    }
    run.last_call.store(true, Ordering::SeqCst);
    for (one, place_of_one) in gateways.iter_mut().enumerate() {
        run.servers.lock().unwrap()[one] = None;
        *place_of_one = None;
        let gateway = place_of_one.insert(place.start());
        run.servers.lock().unwrap()[one] = Some(gateway.address());
    }
    let payments: Vec<Paid> = clients
        .into_iter()
        .flat_map(|client| client.join().unwrap())
        .collect();
    place.wait_for_pending();
    drop(gateways);

    let interrupted = run.interrupted.load(Ordering::SeqCst);
    println!(
        "{} payments, {interrupted} calls cut off, {} replayed",
        payments.len(),
        run.replayed.load(Ordering::SeqCst)
    );
    assert!(
        interrupted >= rounds / 10,
        "the process was hardly ever killed in mid-call"
    );
    reconcile(&place, &payments);
}

impl Run {
    /// Of so many processes, of which none is called yet.
    fn of(processes: usize) -> Run {
        Run {
            servers: Mutex::new(vec![None; processes]),
            turns: AtomicUsize::new(0),
            last_call: AtomicBool::new(false),
            interrupted: AtomicU32::new(0),
            replayed: AtomicU32::new(0),
            unavailable: AtomicU32::new(0),
            failed: Mutex::default(),
        }
    }

    fn start_clients(self: &Arc<Run>, count: usize) -> Vec<JoinHandle<Vec<Paid>>> {
        let clients = (0..count).map(|client| {
            let run = Arc::clone(self);
            std::thread::spawn(move || pay_until_last_call(&run, client))
        });
        clients.collect()
    }

    /// Calls until there is an answer. Also repeats calls that were refused because of the rate or because the first one still runs.
    fn call(
        &self,
        method: &str,
        path: &str,
        credential: (&str, &str),
        key: &str,
        body: &Value,
    ) -> Value {
        let body = if body.is_null() {
            String::new()
        } else {
            body.to_string()
        };
        let correlation_id = uuid::Uuid::new_v4().to_string();
        let headers = [
            credential,
            ("content-type", "application/json"),
            ("correlation-id", correlation_id.as_str()),
            ("idempotency-key", key),
        ];
        let response =
            self.until_answered(|server| http::send(server, method, path, &headers, &body));
        serde_json::from_str(&response.text).unwrap_or(Value::Null)
    }

    /// Presses a button of a page of the sandbox.
    fn press(&self, path: &str, form: &str) -> http::Response {
        let headers = [("content-type", "application/x-www-form-urlencoded")];
        self.until_answered(|server| http::send(server, "POST", path, &headers, form))
    }

    /// The next process that listens, if any.
    fn next(&self) -> Option<SocketAddr> {
        let there: Vec<SocketAddr> = self
            .servers
            .lock()
            .unwrap()
            .iter()
            .flatten()
            .copied()
            .collect();
        let turn = self.turns.fetch_add(1, Ordering::SeqCst);
        there.get(turn % there.len().max(1)).copied()
    }

    fn until_answered(
        &self,
        send: impl Fn(SocketAddr) -> std::io::Result<http::Response>,
    ) -> http::Response {
        let deadline = Instant::now() + Duration::from_secs(60);
        let mut was_cut_off = false;
        while Instant::now() < deadline {
            let server = self.next();
            match server.map(&send) {
                Some(Ok(response))
                    if !matches!(response.status, None | Some(409 | 429 | 500..)) =>
                {
                    self.replayed
                        .fetch_add(u32::from(was_cut_off), Ordering::SeqCst);
                    return response;
                }
                Some(Ok(http::Response {
                    status: Some(503), ..
                })) => {
                    self.unavailable.fetch_add(1, Ordering::SeqCst);
                }
                Some(Ok(http::Response {
                    status: Some(500..),
                    text,
                    ..
                })) => self.failed.lock().unwrap().push(text),
                Some(Ok(http::Response {
                    status: Some(_), ..
                }))
                | None => {}
                Some(_) => {
                    was_cut_off = true;
                    self.interrupted.fetch_add(1, Ordering::SeqCst);
                }
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("no answer within a minute");
    }
}

fn path_of(url: &str) -> &str {
    url.strip_prefix("http://localhost:8787").unwrap()
}

/// A number from a variable. A value that cannot be read is an error, not a missing one.
fn number(variable: &str) -> Option<u64> {
    let given = std::env::var(variable).ok()?;
    let number = given.parse();
    Some(number.unwrap_or_else(|_| panic!("{variable} takes a number, not {given}")))
}

/// A new seed for each run.
fn any_seed() -> u64 {
    fastrand::u64(..1_000_000_000)
}
