//! A process that has enough to do: calls are turned away before anything is done for them, and what is at work goes on.

use crate::harness::{Answer, TestApp, build};
use std::time::{Duration, Instant};

/// Works on one call at a time, and lets one wait.
async fn small() -> TestApp {
    TestApp::with(|config| config.calls_at_work = 1).await
}

impl TestApp {
    /// Opens a session in a call that takes four seconds.
    async fn open_slowly(&self, order: &str) -> Answer {
        let headers = [("idempotency-key", order), ("x-sandbox-fault", "slow:4000")];
        self.merchant()
            .post_with("/orders/build", &build(order), &headers)
            .await
    }

    async fn sessions(&self) -> i64 {
        self.count("SELECT count(*) FROM build_session").await
    }
}

#[tokio::test]
async fn a_call_that_finds_no_place_is_turned_away_and_can_be_sent_again() {
    let app = small().await;
    let merchant = app.merchant();
    let key = [("idempotency-key", "A2")];
    let body = build("A2");
    let second = || merchant.post_with("/orders/build", &body, &key);
    let turned_away = async {
        begun().await;
        (second().await, app.sessions().await)
    };
    let (first, (refused, sessions)) = tokio::join!(app.open_slowly("A1"), turned_away);
    assert_eq!(first.status, 200, "what is at work goes on");
    assert_eq!(refused.refusal(), "503 GW9013");
    assert_eq!(refused.header("retry-after"), Some("1"));
    assert_eq!(sessions, 0, "neither of them is done yet");
    second().await.ok();
    assert_eq!(app.sessions().await, 2);
}

#[tokio::test]
async fn a_call_whose_caller_is_gone_keeps_its_place_until_it_is_done() {
    let app = small().await;
    let gone = tokio::time::timeout(Duration::from_millis(300), app.open_slowly("A1"));
    assert!(gone.await.is_err());
    let refused = app.merchant().get("/orders").await;
    assert_eq!(refused.refusal(), "503 GW9013");
    let end = Instant::now() + Duration::from_secs(60);
    while app.merchant().get("/orders").await.status == 503 {
        assert!(Instant::now() < end, "the place is never free again");
    }
    assert_eq!(app.sessions().await, 1, "nothing that began is dropped");
}

#[tokio::test]
async fn pages_say_that_they_are_not_available_and_what_costs_nothing_is_served() {
    let app = small().await;
    let others = async {
        begun().await;
        for path in [
            "/health",
            "/ready",
            "/mode",
            "/assets/pages/page.css",
            "/docs",
        ] {
            assert_ne!(app.page(path, &[]).await.status, 503, "{path}");
        }
        app.page("/form?sessionId=nobody", &[]).await
    };
    let (first, page) = tokio::join!(app.open_slowly("A1"), others);
    assert_eq!((page.status, page.header("retry-after")), (503, Some("1")));
    assert_eq!(first.status, 200);
    assert_eq!(app.page("/form?sessionId=nobody", &[]).await.status, 404);
}

/// The slow call is at work by then: it was sent first.
async fn begun() {
    tokio::time::sleep(Duration::from_millis(300)).await;
}
