//! Limits of calls that several processes on one database server keep together. On files there is one process, which counts alone.
//!
//! The processes' clock stands still. The server's goes on, so a few more calls than the limit fit into the time of a test.

use crate::harness::{APPROVED, TestApp, build};
use axum::Router;
use axum::http::{Request, StatusCode};
use payframe_gateway::{App, maintenance, router};
use payframe_storage::query;
use std::time::{Duration, Instant};
use tower::ServiceExt;

/// Calls a second of a key, and of a session.
const PER_SECOND: u32 = 10;
/// Calls of a key that may come at once, and the part of them after which a process tells the others.
const BURST: u32 = 20;
const PORTION: u32 = 2;

struct Processes {
    app: TestApp,
    apps: Vec<App>,
    routers: Vec<Router>,
    began: Instant,
}

impl Processes {
    /// `None`: the tables are in a file.
    async fn start(number: usize) -> Option<Processes> {
        Processes::with(number, PER_SECOND).await
    }

    async fn with(number: usize, calls_per_second: u32) -> Option<Processes> {
        let app = TestApp::with(|config| config.merchant_calls_per_second = calls_per_second).await;
        app.config().database_url.as_ref()?;
        let mut apps = vec![app.app.clone()];
        while apps.len() < number {
            let another = App::open(app.config().clone(), app.clock.clone());
            apps.push(another.await.unwrap());
        }
        Some(Processes {
            routers: apps.iter().cloned().map(router).collect(),
            apps,
            app,
            began: Instant::now(),
        })
    }

    /// Whether a call with this key passes at a process.
    async fn call(&self, process: usize, key: &str) -> bool {
        let request = Request::get("/api/v1/orders/none").header("x-api-key", key);
        let request = request.body(axum::body::Body::empty()).unwrap();
        let answer = self.routers[process].clone().oneshot(request).await;
        match answer.unwrap().status() {
            StatusCode::TOO_MANY_REQUESTS => false,
            StatusCode::NOT_FOUND => true,
            other => panic!("{other}"),
        }
    }

    /// How many of so many calls of a key pass, one after the other at these processes in turn.
    async fn passed(&self, calls: u32, processes: &[usize], key: &str) -> u32 {
        let mut passed = 0;
        for (_, process) in (0..calls).zip(processes.iter().cycle()) {
            passed += u32::from(self.call(*process, key).await);
        }
        passed
    }

    /// What ran out of the server's bucket since the start.
    fn ran_out(&self) -> u32 {
        u32::try_from(self.began.elapsed().as_millis()).unwrap() * PER_SECOND / 1000 + 1
    }

    /// Checks that the limit was kept, but for a portion of each process.
    fn check(&self, passed: u32, what: &str) {
        let portions = PORTION * u32::try_from(self.apps.len()).unwrap();
        let most = BURST + portions + self.ran_out();
        assert!(
            (BURST..=most).contains(&passed),
            "{what}: {passed} of {BURST}"
        );
    }

    /// The same moment, so much later.
    async fn pass(&self, seconds: u32) {
        self.app.clock.advance(Duration::from_secs(seconds.into()));
        let back = query("UPDATE call_rate SET at_ms = at_ms - ?").bind(seconds * 1000);
        self.apps[0].store().change(back).await.unwrap();
    }

    async fn tell(&self) {
        for app in &self.apps {
            maintenance::tell_calls(app).await;
        }
    }

    async fn rows(&self) -> i64 {
        self.app.count("SELECT count(*) FROM call_rate").await
    }
}

const ONE: &str = "sandbox-implicit";
const OTHER: &str = "sandbox-explicit";

#[tokio::test]
async fn processes_keep_the_limit_of_a_key_together_however_its_calls_are_spread() {
    for number in [2, 3] {
        let Some(processes) = Processes::start(number).await else {
            return;
        };
        let all: Vec<usize> = (0..number).collect();
        let calls = BURST * u32::try_from(number).unwrap();
        processes.check(processes.passed(calls, &all, ONE).await, "evenly");
        // Most calls reach the first process.
        let Some(processes) = Processes::start(number).await else {
            return;
        };
        let uneven = [vec![0; 6], all.clone()].concat();
        let passed = processes.passed(2 * calls, &uneven, ONE).await;
        processes.check(passed, "unevenly");
        // All reach the first, then all the last.
        let Some(processes) = Processes::start(number).await else {
            return;
        };
        let mut passed = 0;
        for process in all {
            passed += processes.passed(BURST, &[process], ONE).await;
        }
        processes.check(passed, "one after the other");
    }
}

#[tokio::test]
async fn time_gives_calls_back_in_all_processes_together() {
    let Some(processes) = Processes::start(2).await else {
        return;
    };
    let first = processes.passed(4 * BURST, &[0, 1], ONE).await;
    processes.check(first, "at the start");
    processes.tell().await;
    processes.pass(1).await;
    let second = processes.passed(4 * BURST, &[0, 1], ONE).await;
    let most = PER_SECOND + 2 * PORTION + processes.ran_out();
    assert!(second > 0 && second <= most, "{second} after a second");
    processes.tell().await;
    processes.pass(60).await;
    let third = processes.passed(4 * BURST, &[1, 0], ONE).await;
    processes.check(third, "after a minute");
}

#[tokio::test]
async fn the_flood_of_a_key_leaves_others_alone() {
    let Some(processes) = Processes::start(2).await else {
        return;
    };
    let session = processes.app.open(&build("A1")).await;
    while processes.call(0, ONE).await || processes.call(1, ONE).await {}
    let others = processes.passed(BURST, &[0, 1], OTHER).await;
    assert_eq!(others, BURST, "another key of the same merchant");
    assert_eq!(
        processes
            .app
            .frame(&session)
            .get("/build/state")
            .await
            .status,
        200
    );
}

#[tokio::test]
async fn without_the_database_each_process_counts_alone() {
    let Some(processes) = Processes::start(2).await else {
        return;
    };
    let store = processes.apps[0].store();
    processes.app.break_table(store, "call_rate").await;
    for process in [0, 1] {
        let passed = processes.passed(3 * BURST, &[process], ONE).await;
        assert_eq!(passed, BURST, "never more than one process allows");
    }
    processes.tell().await;
    processes.app.mend_table(store, "call_rate").await;
    processes.app.clock.advance(Duration::from_secs(60));
    let passed = processes.passed(4 * BURST, &[0, 1], ONE).await;
    processes.check(passed, "when it answers again");
}

#[tokio::test]
async fn a_payment_waits_for_no_count_and_rows_are_gone_when_they_say_nothing() {
    let Some(processes) = Processes::with(2, 50).await else {
        return;
    };
    let session = processes.app.open(&build("A1")).await;
    processes.app.enter(&session, APPROVED).await;
    processes.app.finalize(&session).await;
    assert_eq!(processes.rows().await, 0, "nothing was told yet");
    processes.tell().await;
    assert_eq!(processes.rows().await, 3, "key, merchant, session");
    let secrets = ["sandbox-implicit", session.as_str()];
    for secret in secrets {
        let like = format!("%{secret}%");
        let named = query("SELECT account FROM call_rate WHERE account LIKE ?").bind(like);
        assert!(
            processes.apps[0]
                .store()
                .ask(named)
                .await
                .unwrap()
                .is_empty()
        );
    }
    processes.pass(61).await;
    processes.tell().await;
    assert_eq!(processes.rows().await, 0);
}
