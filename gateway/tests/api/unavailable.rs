//! A database that is away or busy: callers are asked to come back later, and nothing is done by halves.

use crate::harness::{APPROVED, CHALLENGED, TestApp, build, short};
use crate::hosted::{open_session, page_for};
use payframe_storage::{Subject, Write, open_sqlite, query};
use serde_json::json;
use sqlx::{Executor, Sqlite, pool::PoolConnection};

/// What keeps the gateway from changing its tables.
enum Held {
    /// Another program changes the file.
    File(PoolConnection<Sqlite>),
    /// All connections of this process are in use.
    Server(Vec<Write>),
}

impl TestApp {
    async fn hold_database(&self) -> Held {
        let store = self.app.store();
        if store.is_shared() {
            let mut held = Vec::new();
            for _ in 0..CONNECTIONS {
                held.push(store.write(Subject::Statement).await.unwrap());
            }
            return Held::Server(held);
        }
        // In place of ten seconds.
        let mut change = store.write(Subject::Statement).await.unwrap();
        let patience = query("PRAGMA busy_timeout = 20");
        patience.fetch_all(&mut change).await.unwrap();
        drop(change);
        let pool = open_sqlite(&self.data().join("gateway.db")).await.unwrap();
        let mut other = pool.acquire().await.unwrap();
        other.execute("BEGIN IMMEDIATE").await.unwrap();
        Held::File(other)
    }
}

impl Held {
    async fn release(self) {
        match self {
            Held::File(mut other) => {
                other.execute("ROLLBACK").await.unwrap();
            }
            Held::Server(held) => drop(held),
        }
    }
}

#[tokio::test]
async fn a_payment_that_finds_no_connection_is_refused_whole_and_made_when_it_comes_back() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    app.enter(&session, APPROVED).await;
    let (merchant, body) = (app.merchant(), json!({ "sessionId": session }));
    let key = [("idempotency-key", "one-payment")];
    let pay = || merchant.post_with("/build/finalize_payment", &body, &key);
    let held = app.hold_database().await;
    let refused = pay().await;
    assert_eq!(refused.refusal(), "503 GW9013");
    assert_eq!(refused.header("retry-after"), Some("5"));
    held.release().await;
    assert_eq!(app.order("A1").await["operations"], json!([]));
    assert_eq!(app.charges().await, 0);
    let paid = pay().await.ok();
    assert_eq!(short(&paid), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
    let again = pay().await;
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(again.ok(), paid);
    assert_eq!(app.charges().await, 1);
}

#[tokio::test]
async fn a_call_that_only_reads_is_refused_too_if_no_connection_is_free() {
    let app = TestApp::new().await;
    let store = app.app.store();
    if !store.is_shared() {
        // A question to a file waits as long as it has to, and no other program can lock it for questions.
        return;
    }
    let mut held = Vec::new();
    for _ in 0..CONNECTIONS {
        held.push(store.read().await.unwrap());
    }
    let refused = app.merchant().get("/orders").await;
    assert_eq!(refused.refusal(), "503 GW9013");
    assert_eq!(refused.header("retry-after"), Some("5"));
    drop(held);
    app.merchant().get("/orders").await.ok();
}

#[tokio::test]
async fn a_page_whose_payment_cannot_be_read_is_not_said_to_be_over() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    app.enter(&session, CHALLENGED).await;
    let state = app.finalize(&session).await;
    let challenge = state["url"].as_str().unwrap();
    let status = async || app.page(challenge, &[]).await.status;
    assert_eq!(status().await, 200);
    let store = app.app.store();
    let away = query("ALTER TABLE build_session RENAME TO build_session_away");
    store.change(away).await.unwrap();
    assert_eq!(status().await, 503);
    let back = query("ALTER TABLE build_session_away RENAME TO build_session");
    store.change(back).await.unwrap();
    assert_eq!(status().await, 200);
    assert_eq!(app.page("/threeds/challenge/nobody", &[]).await.status, 404);
}

#[tokio::test]
async fn the_session_of_a_hosted_page_can_be_asked_for_again() {
    let app = TestApp::new().await;
    let address = page_for(&app, "A1").await;
    let held = app.hold_database().await;
    assert_eq!(open_session(&app, &address).await.status, 503);
    held.release().await;
    open_session(&app, &address).await.ok();
}

/// How many connections a process has for questions, and for changes.
const CONNECTIONS: usize = 8;
