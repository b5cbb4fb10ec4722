//! Kills the primary of two database servers while buyers pay, and lets the standby take its place. The processes of the gateway go on.
//!
//! `PAYFRAME_TEST_POSTGRES_PROGRAMS` names the folder of the servers' programs; `cargo xtask test --only postgres` sets it, and so does
//! `cargo xtask failover`, which makes more rounds.

use super::processes::{Gateway, Place};
use super::reconciliation::reconcile;
use super::servers::Pair;
use super::{CLIENTS, Paid, Run, any_seed, http, number};
use std::io::Write;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

#[test]
fn a_primary_that_dies_loses_no_payment_and_charges_none_twice() {
    let Some(programs) = std::env::var_os("PAYFRAME_TEST_POSTGRES_PROGRAMS") else {
        return;
    };
    let seed = number("FAILOVER_SEED").unwrap_or_else(any_seed);
    let rounds = number("FAILOVER_ROUNDS").unwrap_or(ROUNDS);
    writeln!(
        std::io::stderr(),
        "FAILOVER_SEED={seed} FAILOVER_ROUNDS={rounds} repeats it"
    )
    .unwrap();
    let mut random = fastrand::Rng::with_seed(seed);
    let mut pair = Pair::start(Path::new(&programs));
    let place = Place::on(pair.url());
    let run = Arc::new(Run::of(PROCESSES));
    let mut gateways: Vec<Gateway> = (0..PROCESSES).map(|_| place.start()).collect();
    let addresses: Vec<SocketAddr> = gateways.iter_mut().map(Gateway::address).collect();
    *run.servers.lock().unwrap() = addresses.iter().copied().map(Some).collect();
    let clients = run.start_clients(CLIENTS);
    for _ in 0..rounds {
        std::thread::sleep(Duration::from_millis(1000 + random.u64(..1000)));
        pair.kill_primary();
        // While no server takes changes, each process says so, and lives.
        for address in &addresses {
            wait_for_status(*address, "/ready", 503);
            wait_for_status(*address, "/health", 200);
        }
        pair.promote();
        for address in &addresses {
            wait_for_status(*address, "/ready", 200);
        }
        pair.replace_killed();
    }
    run.last_call.store(true, Ordering::SeqCst);
    let payments: Vec<Paid> = clients
        .into_iter()
        .flat_map(|client| client.join().unwrap())
        .collect();
    place.wait_for_pending();
    for gateway in &mut gateways {
        assert!(gateway.is_running(), "a process ended by itself");
    }
    drop(gateways);
    let unavailable = run.unavailable.load(Ordering::SeqCst);
    println!("{} payments, {unavailable} calls refused", payments.len());
    assert!(unavailable > 0, "no call met a primary that was gone");
    assert_eq!(
        *run.failed.lock().unwrap(),
        Vec::<String>::new(),
        "a call that can be sent again must be answered so"
    );
    reconcile(&place, &payments);
}

fn wait_for_status(server: SocketAddr, path: &str, expected: u16) {
    let end = Instant::now() + Duration::from_secs(60);
    loop {
        let answer = http::send(server, "GET", path, &[], "").map(|answer| answer.status);
        if matches!(answer, Ok(Some(status)) if status == expected) {
            return;
        }
        assert!(Instant::now() < end, "{path}: {answer:?}, not {expected}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

const ROUNDS: u64 = 2;
const PROCESSES: usize = 2;
