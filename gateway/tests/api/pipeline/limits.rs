//! Faults that are done on request, and callers who call too often (contract 11.9, 1.10).

use super::*;

#[tokio::test]
async fn faults_are_done_as_asked() {
    let app = TestApp::new().await;
    let merchant = app.merchant();
    let call = async |order: &str, fault: &str| {
        let headers = [("idempotency-key", order), ("x-sandbox-fault", fault)];
        merchant
            .post_with("/orders/build", &build(order), &headers)
            .await
    };
    assert_eq!(call("A1", "500").await.refusal(), "500 GW9005");
    assert!(call("A2", "drop").await.closed);
    assert_eq!(
        app.count("SELECT count(*) FROM merchant_order").await,
        0,
        "neither was processed"
    );
    assert!(call("A3", "timeout").await.closed);
    assert_eq!(
        app.count("SELECT count(*) FROM merchant_order").await,
        1,
        "that one was"
    );
    let again = merchant
        .post_with("/orders/build", &build("A3"), &[("idempotency-key", "A3")])
        .await;
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    let started = std::time::Instant::now();
    assert_eq!(call("A4", "slow:150").await.status, 200);
    assert!(started.elapsed() >= Duration::from_millis(150));
    for bad in [
        "slow:0",
        "slow:60001",
        "slow:+5",
        "slow:",
        "slow",
        "Drop",
        "",
        "501",
    ] {
        assert_eq!(call("A5", bad).await.refusal(), "400 PS0026", "{bad}");
    }
}

#[tokio::test]
async fn faults_are_refused_where_they_are_off() {
    let app = TestApp::in_sandbox(|sandbox| sandbox.faults = false).await;
    let answer = app
        .merchant()
        .post_with(
            "/orders/build",
            &build("A1"),
            &[("x-sandbox-fault", "slow:1")],
        )
        .await;
    assert_eq!(
        (answer.refusal().as_str(), answer.why()),
        ("400 PS0026", "x-sandbox-fault is not enabled here")
    );
}

#[tokio::test]
async fn who_calls_too_often_has_to_wait() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    let frame = app.frame(&session);
    let mut passed = 0;
    let refused = loop {
        let answer = frame.get("/build/state").await;
        if answer.status != 200 {
            break answer;
        }
        passed += 1;
    };
    assert_eq!(
        (
            passed,
            refused.refusal().as_str(),
            refused.header("retry-after")
        ),
        (30, "429 GW9002", Some("1"))
    );
    assert_eq!(
        app.merchant().get("/orders/A1").await.status,
        200,
        "others are not concerned"
    );
    app.clock.advance(Duration::from_secs(1));
    assert_eq!(frame.get("/build/state").await.status, 200);
    let mut served = 0;
    while app.key("sandbox-bin8").get("/orders/A1").await.status == 200 {
        served += 1;
    }
    assert_eq!(served, 100);
}

#[tokio::test]
async fn browsers_with_one_address_have_a_limit_together() {
    let app = TestApp::with(|config| {
        config.proxies = 1;
        config.address_calls_per_second = 20;
    })
    .await;
    let session = app.open(&build("A1")).await;
    let from = async |address: &str, session: &str| {
        let headers = [("x-forwarded-for", address)];
        let frame = app.frame(session);
        let request = frame.request(Method::GET, "/build/state", &headers, Body::empty());
        app.send(request).await
    };
    let mut passed = 0;
    let refused = loop {
        // Each call is of another session that nobody opened, but for the first ones.
        let session = if passed < 5 { &*session } else { "none" };
        let answer = from("203.0.113.7", session).await;
        if answer.status == 429 {
            break answer;
        }
        assert_eq!(answer.status, if passed < 5 { 200 } else { 401 });
        passed += 1;
    };
    assert_eq!(
        (
            passed,
            refused.refusal().as_str(),
            refused.header("retry-after")
        ),
        (40, "429 GW9002", Some("1"))
    );
    let buyer = from("203.0.113.8", &session).await;
    assert_eq!(buyer.status, 200, "another address is not concerned");
    let headers = [("x-forwarded-for", "203.0.113.7")];
    let request = app
        .merchant()
        .request(Method::GET, "/orders/A1", &headers, Body::empty());
    assert_eq!(
        app.send(request).await.status,
        200,
        "nor is a server with a key"
    );
    app.clock.advance(Duration::from_secs(1));
    assert_eq!(from("203.0.113.7", &session).await.status, 200);
}

#[tokio::test]
async fn all_keys_of_a_merchant_have_a_limit_together() {
    let app = TestApp::with(|config| config.merchant_total_calls = Some(5)).await;
    let mut served = 0;
    let refused = 'full: loop {
        for key in ["sandbox-implicit", "sandbox-explicit"] {
            let answer = app.key(key).get("/orders/A1").await;
            if answer.status == 429 {
                break 'full answer;
            }
            served += 1;
        }
    };
    assert_eq!(
        (
            served,
            refused.refusal().as_str(),
            refused.header("retry-after")
        ),
        (10, "429 GW9002", Some("1"))
    );
    let other = app.key("sandbox-other-merchant").get("/orders/A1").await;
    assert_eq!(other.status, 404, "another merchant is not concerned");
    app.clock.advance(Duration::from_secs(1));
    assert_eq!(app.merchant().get("/orders/A1").await.status, 404);
}
