//! Deliveries to receivers on this machine, with a manual clock.

#[path = "../../../../gateway/tests/support/database.rs"]
mod database;
mod signatures;
mod slow_receivers;

use super::*;
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use database::TestDatabase;
use payframe_outbound_address::AllowedAddresses;
use payframe_payment_ports::Clock;
use payframe_storage::{Row, StorageSettings, Store, Subject, credentials, query};
use payframe_vault::{HashingKeys, Keyring, KeyringVault, random_notification_secret};
use std::collections::VecDeque;
use std::sync::Mutex;
use tempfile::TempDir;
use tokio::sync::mpsc;

/// A merchant's server: sends the configured responses, and passes on what it receives.
struct Shop {
    url: String,
    answers: Arc<Mutex<VecDeque<u16>>>,
    received: mpsc::UnboundedReceiver<Received>,
}

struct Received {
    headers: HeaderMap,
    body: String,
}

#[derive(Clone)]
struct Counter {
    answers: Arc<Mutex<VecDeque<u16>>>,
    hand_over: mpsc::UnboundedSender<Received>,
}

impl Shop {
    /// Responds with these statuses, then with 204. The status 0 means no response.
    async fn open(answers: &[u16]) -> Shop {
        let answers = Arc::new(Mutex::new(answers.iter().copied().collect::<VecDeque<_>>()));
        let (hand_over, received) = mpsc::unbounded_channel();
        let routes = Router::new().fallback(take).with_state(Counter {
            answers: answers.clone(),
            hand_over,
        });
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, routes).await });
        Shop {
            url,
            answers,
            received,
        }
    }

    async fn next(&mut self) -> Received {
        tokio::time::timeout(Duration::from_secs(20), self.received.recv())
            .await
            .expect("a delivery")
            .unwrap()
    }

    fn is_quiet(&mut self) -> bool {
        self.received.try_recv().is_err()
    }
}

async fn take(State(counter): State<Counter>, headers: HeaderMap, body: Bytes) -> Response {
    let body = String::from_utf8(body.to_vec()).unwrap();
    let status = counter.answers.lock().unwrap().pop_front().unwrap_or(204);
    counter.hand_over.send(Received { headers, body }).unwrap();
    if status == 0 {
        std::future::pending::<()>().await;
    }
    let status = StatusCode::from_u16(status).unwrap();
    (status, [("location", "/elsewhere")]).into_response()
}

struct Stage {
    notifier: Notifier,
    folder: TempDir,
    database: TestDatabase,
}

impl Stage {
    async fn new() -> Stage {
        Stage::with(AllowedAddresses::Anywhere).await
    }

    async fn with(receivers: AllowedAddresses) -> Stage {
        let folder = tempfile::tempdir().unwrap();
        let database = TestDatabase::make(None);
        let notifier = Stage::open(&folder, &database, receivers).await;
        Stage {
            notifier,
            folder,
            database,
        }
    }

    /// The same data with the memory of a new process.
    async fn reopened(self) -> Stage {
        let Stage {
            folder, database, ..
        } = self;
        let notifier = Stage::open(&folder, &database, AllowedAddresses::Anywhere).await;
        Stage {
            notifier,
            folder,
            database,
        }
    }

    async fn open(
        folder: &TempDir,
        database: &TestDatabase,
        receivers: AllowedAddresses,
    ) -> Notifier {
        let settings = StorageSettings {
            folder: folder.path().to_owned(),
            server_url: database.url(),
        };
        let keyring = Keyring::open(None, None, folder.path().join("vault.key")).unwrap();
        let hashing = HashingKeys::of(&keyring.keys()[0]);
        Notifier {
            store: Store::open(&settings).await.unwrap(),
            vault: Arc::new(KeyringVault::new(keyring, hashing)),
            clock: Clock::manual(START_MS),
            receivers,
            outbox_filled: Arc::default(),
        }
    }

    async fn put(&self, event_id: &str, merchant_id: &str, order_id: &str, url: &str, body: &str) {
        let event = query(
            "INSERT INTO notification (event_id, merchant_id, order_id, url, body, next_attempt_ms) VALUES (?, ?, ?, ?, ?, ?)",
        )
        .bind(event_id)
        .bind(merchant_id)
        .bind(order_id)
        .bind(url)
        .bind(body)
        .bind(self.notifier.clock.now_ms());
        self.notifier.store.change(event).await.unwrap();
    }

    /// Delivers until nothing is due now.
    async fn settle(&self) {
        self.settle_within(ANSWER_TIMEOUT).await;
    }

    async fn settle_within(&self, answer_timeout: Duration) {
        let mut dispatcher = Dispatcher::with(self.notifier.clone(), answer_timeout);
        loop {
            dispatcher.dispatch().await;
            if dispatcher.busy.is_empty() {
                return;
            }
            dispatcher.lane_emptied().await;
        }
    }

    /// Advances the clock to the time at which the event is due.
    async fn wait_until_due(&self, event_id: &str) -> Duration {
        let (_, _, next_ms) = self.event(event_id).await;
        let wait =
            Duration::from_millis(u64::try_from(next_ms - self.notifier.clock.now_ms()).unwrap());
        self.notifier.clock.advance(wait);
        wait
    }

    async fn event(&self, event_id: &str) -> (String, i64, i64) {
        let event =
            query("SELECT state, attempts, next_attempt_ms FROM notification WHERE event_id = ?");
        let rows = self.notifier.store.ask(event.bind(event_id)).await.unwrap();
        (
            rows[0].try_get("state").unwrap(),
            rows[0].try_get("attempts").unwrap(),
            rows[0].try_get("next_attempt_ms").unwrap(),
        )
    }

    async fn state(&self, event_id: &str) -> String {
        self.event(event_id).await.0
    }

    async fn attempts(&self, event_id: &str) -> Vec<(i64, Option<i64>, Option<String>)> {
        let attempts = query(
            "SELECT attempt, status, cause FROM notification_attempt WHERE event_id = ? ORDER BY attempt",
        );
        let rows = self.notifier.store.ask(attempts.bind(event_id)).await;
        let read = |row: &Row| {
            (
                row.try_get("attempt").unwrap(),
                row.try_get("status").unwrap(),
                row.try_get("cause").unwrap(),
            )
        };
        rows.unwrap().iter().map(read).collect()
    }
}

/// A terminal of the sandbox.
const TERMINAL: &str = "91000001";

const START_MS: i64 = 1_790_000_000_000;

#[tokio::test]
async fn a_notification_is_sent_as_stored_with_its_headers() {
    let stage = Stage::new().await;
    let mut shop = Shop::open(&[]).await;
    let body = "{\"eventId\" :\"e1\",  \"n\": 1.0, \"text\":\"Città \\u00e8\"}\n";
    stage.put("e1", "m1", "o1", &shop.url, body).await;
    stage.settle().await;
    let received = shop.next().await;
    assert_eq!(received.body, body);
    assert_eq!(received.headers["content-type"], "application/json");
    assert_eq!(received.headers["x-event-id"], "e1");
    assert_eq!(received.headers["x-event-attempt"], "1");
    assert_eq!(received.headers["payframe-version"], "2026-11-27");
    assert_eq!(received.headers["user-agent"], "gateway-notifier/1");
    assert_eq!(stage.state("e1").await, "DELIVERED");
    assert_eq!(stage.attempts("e1").await, [(1, Some(204), None)]);
    stage.settle().await;
    assert!(shop.is_quiet());
}

#[tokio::test]
async fn any_2xx_acknowledges_and_nothing_else() {
    for (status, expected) in [
        (200, "DELIVERED"),
        (202, "DELIVERED"),
        (299, "DELIVERED"),
        (302, "WAITING"),
        (400, "WAITING"),
        (500, "WAITING"),
    ] {
        let stage = Stage::new().await;
        let mut shop = Shop::open(&[status]).await;
        stage.put("e1", "m1", "o1", &shop.url, "{}").await;
        stage.settle().await;
        assert_eq!(stage.state("e1").await, expected, "{status}");
        assert_eq!(
            stage.attempts("e1").await,
            [(1, Some(i64::from(status)), None)]
        );
        shop.next().await;
        assert!(shop.is_quiet(), "a redirect must not be followed");
    }
}

#[tokio::test]
async fn a_failed_delivery_comes_back_on_schedule_and_is_given_up_after_the_thirteenth() {
    let stage = Stage::new().await;
    let mut shop = Shop::open(&[500; 13]).await;
    stage.put("e1", "m1", "o1", &shop.url, "{}").await;
    stage.settle().await;
    for (attempt, minutes) in (2..).zip([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1440]) {
        assert_eq!(stage.state("e1").await, "WAITING");
        let wait = stage.wait_until_due("e1").await;
        let planned = Duration::from_secs(minutes * 60);
        assert!(
            wait >= planned * 9 / 10 && wait <= planned * 11 / 10,
            "attempt {attempt} after {wait:?}"
        );
        stage.settle().await;
        assert_eq!(stage.event("e1").await.1, attempt);
    }
    assert_eq!(stage.state("e1").await, "GIVEN_UP");
    assert_eq!(stage.attempts("e1").await.len(), 13);
    for attempt in 1..=13 {
        assert_eq!(
            shop.next().await.headers["x-event-attempt"],
            attempt.to_string()
        );
    }
    stage.notifier.clock.advance(Duration::from_secs(1 << 30));
    stage.settle().await;
    assert!(shop.is_quiet());
}

#[tokio::test]
async fn before_its_time_nothing_is_sent_again() {
    let stage = Stage::new().await;
    let mut shop = Shop::open(&[503]).await;
    stage.put("e1", "m1", "o1", &shop.url, "{}").await;
    stage.settle().await;
    shop.next().await;
    stage.notifier.clock.advance(Duration::from_secs(53));
    stage.settle().await;
    assert!(shop.is_quiet());
    stage.notifier.clock.advance(Duration::from_secs(14));
    stage.settle().await;
    assert_eq!(shop.next().await.headers["x-event-attempt"], "2");
    assert_eq!(stage.state("e1").await, "DELIVERED");
}

#[tokio::test]
async fn the_events_of_an_order_stay_in_order() {
    let stage = Stage::new().await;
    let mut shop = Shop::open(&[500]).await;
    stage.put("e1", "m1", "o1", &shop.url, "first").await;
    stage.put("e2", "m1", "o1", &shop.url, "second").await;
    stage
        .put("e3", "m1", "o2", &shop.url, "of another order")
        .await;
    stage.settle().await;
    assert_eq!(shop.next().await.body, "first");
    assert_eq!(shop.next().await.body, "of another order");
    assert!(shop.is_quiet(), "the second waits for the first");
    stage.wait_until_due("e1").await;
    stage.settle().await;
    assert_eq!(shop.next().await.body, "first");
    assert_eq!(shop.next().await.body, "second");
    assert_eq!(stage.state("e2").await, "DELIVERED");
}

#[tokio::test]
async fn an_event_follows_one_that_was_given_up() {
    let stage = Stage::new().await;
    let mut shop = Shop::open(&[500]).await;
    stage.put("e1", "m1", "o1", &shop.url, "first").await;
    stage.put("e2", "m1", "o1", &shop.url, "second").await;
    let tried = query("UPDATE notification SET attempts = 12 WHERE event_id = 'e1'");
    stage.notifier.store.change(tried).await.unwrap();
    stage.settle().await;
    assert_eq!(stage.state("e1").await, "GIVEN_UP");
    assert_eq!(shop.next().await.body, "first");
    assert_eq!(shop.next().await.body, "second");
}

#[tokio::test]
async fn a_dead_receiver_delays_nobody() {
    let stage = Stage::new().await;
    let mut silent = Shop::open(&[0; 10]).await;
    let mut lively = Shop::open(&[]).await;
    stage.put("e1", "m1", "o1", &silent.url, "{}").await;
    stage.put("e2", "m1", "o2", &silent.url, "{}").await;
    stage.put("e3", "m1", "o3", &lively.url, "{}").await;
    stage.put("e4", "m2", "o1", &lively.url, "{}").await;
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let running = tokio::spawn(stage.notifier.clone().run(async {
        let _ = stopped.await;
    }));
    silent.next().await;
    lively.next().await;
    lively.next().await;
    stage.put("e5", "m1", "o4", &lively.url, "later").await;
    stage.notifier.outbox_filled.notify_one();
    assert_eq!(lively.next().await.body, "later");
    assert_eq!(
        stage.attempts("e1").await,
        [],
        "the silent receiver is still being waited for"
    );
    assert!(silent.is_quiet(), "one delivery at a time for a receiver");
    stop.send(()).unwrap();
    running.await.unwrap();
    assert_eq!(stage.state("e1").await, "WAITING");
}

#[tokio::test]
async fn a_receiver_that_does_not_answer_in_time_is_tried_again() {
    let stage = Stage::new().await;
    let shop = Shop::open(&[0]).await;
    stage.put("e1", "m1", "o1", &shop.url, "{}").await;
    stage.settle_within(Duration::from_millis(100)).await;
    assert_eq!(
        stage.attempts("e1").await,
        [(1, None, Some("timeout".to_owned()))]
    );
    stage.wait_until_due("e1").await;
    stage.settle().await;
    assert_eq!(stage.state("e1").await, "DELIVERED");
    assert!(shop.answers.lock().unwrap().is_empty());
}

#[tokio::test]
async fn nobody_there_is_recorded_with_its_cause() {
    let stage = Stage::new().await;
    let closed = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    stage
        .put("e1", "m1", "o1", &format!("http://{closed}/hook"), "{}")
        .await;
    stage.put("e2", "m1", "o2", "not a url", "{}").await;
    stage.settle().await;
    assert_eq!(
        stage.attempts("e1").await,
        [(1, None, Some("connect".to_owned()))]
    );
    assert_eq!(
        stage.attempts("e2").await,
        [(1, None, Some("bad_url".to_owned()))]
    );
}

#[tokio::test]
async fn private_addresses_are_refused_unless_allowed() {
    let stage = Stage::with(AllowedAddresses::Public).await;
    let mut shop = Shop::open(&[]).await;
    let by_name = shop.url.replace("127.0.0.1", "localhost");
    stage.put("e1", "m1", "o1", &shop.url, "{}").await;
    stage.put("e2", "m1", "o2", &by_name, "{}").await;
    stage.settle().await;
    for event_id in ["e1", "e2"] {
        assert_eq!(
            stage.attempts(event_id).await,
            [(1, None, Some("private_address".to_owned()))],
            "{event_id}"
        );
    }
    assert!(shop.is_quiet());
    // The permitted counterpart: the same receiver, with the setting on.
    let allowed = stage.reopened().await;
    allowed.wait_until_due("e1").await;
    allowed.settle().await;
    shop.next().await;
}

#[tokio::test]
async fn what_waits_survives_a_restart() {
    let stage = Stage::new().await;
    let mut shop = Shop::open(&[500]).await;
    stage.put("e1", "m1", "o1", &shop.url, "kept").await;
    stage.settle().await;
    shop.next().await;
    let again = stage.reopened().await;
    again.wait_until_due("e1").await;
    again.settle().await;
    let received = shop.next().await;
    assert_eq!(
        (received.body.as_str(), &received.headers["x-event-attempt"]),
        ("kept", &"2".parse().unwrap())
    );
    assert_eq!(again.state("e1").await, "DELIVERED");
}

#[tokio::test]
async fn a_redirect_is_not_followed_and_does_not_acknowledge() {
    let stage = Stage::new().await;
    let mut shop = Shop::open(&[302, 307]).await;
    stage.put("e1", "m1", "o1", &shop.url, "{}").await;
    for attempt in 1..=2 {
        stage.settle().await;
        assert_eq!(
            shop.next().await.headers["x-event-attempt"],
            attempt.to_string().as_str()
        );
        assert!(shop.is_quiet(), "nobody went where the answer pointed");
        assert_eq!(stage.state("e1").await, "WAITING");
        stage.wait_until_due("e1").await;
    }
}

/// Adds a secret with an id to the terminal.
async fn add_secret(stage: &Stage, id: &str) -> String {
    let Notifier {
        store,
        vault,
        clock,
        ..
    } = &stage.notifier;
    let secret = random_notification_secret().unwrap();
    let belongs_to = signature::belongs_to(id);
    let encrypted = vault.encrypt(secret.as_bytes(), &belongs_to).unwrap();
    let mut change = store.write(Subject::Gateway).await.unwrap();
    payframe_sandbox::terminals::put_in_place(&mut change, &**vault)
        .await
        .unwrap();
    credentials::add_secret(&mut change, id, TERMINAL, &encrypted, clock.now_ms())
        .await
        .unwrap();
    change.commit().await.unwrap();
    secret
}

async fn revoke_secret(stage: &Stage, id: &str) {
    let Notifier { store, clock, .. } = &stage.notifier;
    let mut change = store.write(Subject::Gateway).await.unwrap();
    let ended = credentials::end_secret(&mut change, id, clock.now_ms());
    assert!(ended.await.unwrap());
    change.commit().await.unwrap();
}
