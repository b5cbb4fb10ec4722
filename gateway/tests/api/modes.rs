//! Sandbox and production: what production does not have, what it charges, and which tables it opens. Each refusal has a twin: a
//! sandbox that permits the same.

use crate::harness::{
    APPROVED, CHALLENGED, OWN_MERCHANT, TestApp, build, build_form, card, sandbox, token_of,
};
use crate::keys::{command, status};
use crate::server_to_server::moto;
use payframe_gateway::StartError;
use payframe_gateway::config::{Mode, Sandbox};
use serde_json::json;

/// A sandbox with a merchant of the operator's own, and the key of its terminal.
async fn own_sandbox() -> (TestApp, String) {
    let app = TestApp::in_sandbox(|sandbox| sandbox.merchants = false).await;
    let key = app.own_shop().await;
    (app, key)
}

/// Calls of merchants' servers that act and ask for no money.
const WITHOUT_MONEY: [&str; 21] = [
    "acceptDispute",
    "addDisputeFile",
    "advanceTestClock",
    "cancelPaymentLink",
    "cancelReservation",
    "cancelSession",
    "cancelStructureCondition",
    "cancelTerms",
    "createCustomField",
    "createReservation",
    "createStructureCondition",
    "createTerms",
    "deactivateContract",
    "decideTestDispute",
    "openTestDispute",
    "putStructure",
    "removeDisputeFile",
    "submitEvidence",
    "validateDelayedCharge",
    "validateIncrement",
    "validateNoShow",
];

/// The id and the path of each acting call of merchants' servers.
fn acting() -> Vec<(String, String, bool)> {
    let document = payframe_gateway::openapi();
    let mut acting = Vec::new();
    for (path, verbs) in document["paths"].as_object().unwrap() {
        let Some(operation) = verbs.get("post") else {
            continue;
        };
        let credentials = operation["security"].as_array().unwrap();
        if !credentials.iter().any(|way| way.get("apiKey").is_some()) {
            continue;
        }
        let id = operation["operationId"].as_str().unwrap();
        // Other names of the same call end in a number.
        let id = id.trim_end_matches(|mark: char| mark == '_' || mark.is_ascii_digit());
        let asks = operation["description"]
            .as_str()
            .unwrap()
            .contains("`GW9009`");
        acting.push((id.to_owned(), path.replace(['{', '}'], ""), asks));
    }
    acting
}

#[tokio::test]
async fn in_production_every_call_that_would_have_money_asked_for_is_refused() {
    let (app, key) = TestApp::in_production().await;
    let merchant = app.key(&key);
    let mut asking = 0;
    for (id, path, asks) in acting() {
        assert_eq!(
            asks,
            !WITHOUT_MONEY.contains(&id.as_str()),
            "{id}: has it money asked for? Then its declaration says so, otherwise the list of this test"
        );
        if !asks {
            continue;
        }
        asking += 1;
        // Its body does not matter: it is refused before the body is read.
        let answer = merchant.post(&path, &json!({})).await;
        assert_eq!(answer.refusal(), "400 GW9009", "{id} {path}");
        assert!(answer.why().contains("has no acquirer"), "{}", answer.why());
    }
    assert!(asking > 20, "{asking} calls");
    for (path, body) in [
        ("/orders/build", build("A1")),
        ("/orders/moto", moto("A2", APPROVED)),
    ] {
        assert_eq!(merchant.post(path, &body).await.refusal(), "400 GW9009");
    }
    assert_eq!(app.count("SELECT count(*) FROM merchant_order").await, 0);
    assert_eq!(app.count("SELECT count(*) FROM operation").await, 0);
    assert_eq!(app.count("SELECT count(*) FROM build_session").await, 0);
    assert!(!app.data().join("acquirer.db").exists());
    // Calls that ask for no money are answered.
    assert_eq!(merchant.get("/payment_methods").await.status, 200);
}

#[tokio::test]
async fn a_sandbox_takes_the_same_calls() {
    let (app, key) = own_sandbox().await;
    let merchant = app.key(&key);
    merchant.post("/orders/build", &build("A1")).await.ok();
    let paid = merchant.post("/orders/moto", &moto("A2", APPROVED)).await;
    assert_eq!(paid.ok()["operation"]["operationResult"], "EXECUTED");
}

/// The page of a challenge in a session of a sandbox.
async fn challenge(app: &TestApp, key: &str) -> String {
    let session = app.open_by(key, &build("A1")).await;
    app.enter(&session, CHALLENGED).await;
    let closed = app
        .key(key)
        .post("/build/finalize_payment", &json!({ "sessionId": session }))
        .await
        .ok();
    closed["url"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn production_has_no_page_of_the_sandbox() {
    let (app, key) = own_sandbox().await;
    let challenge = challenge(&app, &key).await;
    let text = app.page(&challenge, &[]).await.text();
    let (_, script) = text.split_once("<script type=\"module\" src=\"").unwrap();
    let (script, _) = script.split_once('"').unwrap();
    let pages = [challenge.as_str(), "/privacy/", script];
    for page in pages {
        assert_eq!(app.page(page, &[]).await.status, 200, "{page}");
    }
    // Even with a valid token.
    let app = app.passed_off_as_production().await;
    let token = token_of(&challenge);
    for page in pages {
        assert_eq!(app.page(page, &[]).await.status, 404, "{page}");
    }
    // The style of the gateway's own error pages is served in both modes.
    assert_eq!(app.page("/assets/pages/page.css", &[]).await.status, 200);
    for page in [
        "threeds/device",
        "threeds/return",
        "methods/pay",
        "methods/return",
    ] {
        let answer = app.page(&format!("/{page}/{token}"), &[]).await;
        assert_eq!((answer.status, answer.text().as_str()), (404, ""), "{page}");
    }
}

#[tokio::test]
async fn a_form_says_the_sandbox_only_where_it_is_one() {
    for mode in [Mode::Sandbox(Sandbox::default()), Mode::Production] {
        let app = TestApp::with(|config| {
            config.mode = sandbox(|sandbox| sandbox.merchants = false);
            let dist = config.data.join("dist");
            crate::dist::write(&dist);
            config.assets = Some(dist);
        })
        .await;
        let key = app.own_shop().await;
        let session = app.open_by(&key, &build_form("A1", 1)).await;
        let form = format!("/form/?sessionid={session}");
        let app = match mode {
            Mode::Sandbox(_) => app,
            Mode::Production => app.passed_off_as_production().await,
        };
        let boot = app.page(&form, &[]).await.boot();
        assert_eq!(boot["diagnostics"], mode.is_sandbox(), "{mode:?}");
    }
}

#[tokio::test]
async fn production_heeds_no_fault() {
    let (app, key) = TestApp::in_production().await;
    for fault in ["timeout", "500", "drop", "slow:1"] {
        let call = app.key(&key).request(
            axum::http::Method::GET,
            "/payment_methods",
            &[("x-sandbox-fault", fault)],
            axum::body::Body::empty(),
        );
        let answer = app.send(call).await;
        assert_eq!(
            (answer.refusal().as_str(), answer.why()),
            ("400 PS0026", "x-sandbox-fault is not enabled here"),
            "{fault}"
        );
    }
}

#[tokio::test]
async fn production_tells_nobody_at_a_private_address() {
    let hook = ["notify", "55000001", "http://127.0.0.1:9000/hook"];
    let (app, _) = own_sandbox().await;
    command(&app, &hook).await.unwrap();
    let (app, _) = TestApp::in_production().await;
    assert!(command(&app, &hook).await.is_err());
}

#[tokio::test]
async fn production_takes_no_card_in_clear() {
    let (app, key) = own_sandbox().await;
    let first = app.open_by(&key, &build("A1")).await;
    app.enter(&first, APPROVED).await;
    let second = app.open_by(&key, &build("A2")).await;
    let app = app.passed_off_as_production().await;
    let entered = app
        .frame(&second)
        .post("/fe/build/text", &card(APPROVED))
        .await;
    assert_eq!(entered.refusal(), "400 GW9008");
}

/// The second check: a payment that is open anyway is not closed.
#[tokio::test]
async fn addresses_of_merchants_are_encrypted_except_on_a_developers_machine() {
    for (is_developers, expected) in [(true, "200"), (false, "400 PS0026")] {
        let app = TestApp::in_sandbox(|sandbox| sandbox.allow_insecure_urls = is_developers).await;
        app.has_proven("91000001", "https://shop.example").await;
        for member in ["resultUrl", "cancelUrl", "notificationUrl"] {
            let mut request = build(member);
            request["paymentSession"][member] = json!("http://shop.example/told");
            let answer = app.merchant().post("/orders/build", &request).await;
            let found = match answer.status {
                200 => String::from("200"),
                _ => answer.refusal(),
            };
            assert_eq!(found, expected, "{member}");
        }
    }
}

#[tokio::test]
async fn what_was_opened_in_a_sandbox_is_not_paid_in_production() {
    let (app, key) = own_sandbox().await;
    let session = app.open_by(&key, &build("A1")).await;
    app.enter(&session, APPROVED).await;
    let app = app.passed_off_as_production().await;
    let closing = json!({ "sessionId": session });
    for caller in [app.key(&key), app.frame(&session)] {
        let answer = caller.post("/build/finalize_payment", &closing).await;
        assert_eq!(answer.refusal(), "400 GW9009");
    }
    assert_eq!(app.count("SELECT count(*) FROM operation").await, 0);
}

#[tokio::test]
async fn a_sandboxs_tables_are_not_opened_in_production() {
    let is_refused = async |app: &TestApp| {
        let opened = app.reopened(Mode::Production).await;
        matches!(opened.err(), Some(StartError::SandboxTables))
    };
    // The tables name the mode.
    let (app, key) = own_sandbox().await;
    assert!(is_refused(&app).await);
    // Tables without the entry of the mode, and without a payment: nothing says that they are a sandbox's.
    app.change("DELETE FROM gateway_mode").await;
    app.reopened(Mode::Production).await.unwrap();
    // Tables without the entry, with an order.
    app.change("DELETE FROM gateway_mode").await;
    app.key(&key)
        .post("/orders/moto", &moto("A1", APPROVED))
        .await
        .ok();
    assert!(is_refused(&app).await);
    assert_eq!(app.count("SELECT count(*) FROM gateway_mode").await, 0);
    // Tables without the entry, with keys that everybody knows.
    let app = TestApp::new().await;
    app.change("DELETE FROM gateway_mode").await;
    assert!(is_refused(&app).await);
    // Known keys are refused also if the tables are marked as production's, and if the keys have ended.
    app.change("INSERT INTO gateway_mode (one, mode) VALUES (1, 'production')")
        .await;
    app.change("UPDATE api_key SET ends_ms = 1").await;
    assert!(is_refused(&app).await);
    let said = StartError::SandboxTables.to_string();
    assert!(said.contains("PAYFRAME_DATA"), "{said}");
}

#[tokio::test]
async fn a_sandbox_adds_no_keys_to_the_tables_of_production() {
    let (app, key) = TestApp::in_production().await;
    let opened = app.reopened(Mode::Sandbox(Sandbox::default())).await;
    assert!(matches!(opened.err(), Some(StartError::ProductionTables)));
    let merchants = app.texts("SELECT merchant_id FROM merchant").await;
    assert_eq!(merchants, [OWN_MERCHANT]);
    let app = app.restarted().await;
    assert_eq!(status(&app, "sandbox-implicit").await, 401);
    assert_eq!(status(&app, &key).await, 200);
    // On a sandbox the key works.
    assert_eq!(status(&TestApp::new().await, "sandbox-implicit").await, 200);
}

#[tokio::test]
async fn migrations_of_production_make_no_tables_of_an_acquirer() {
    let (app, _) = TestApp::in_production().await;
    let told = command(&app, &["migrate", "--check"]).await.unwrap();
    assert_eq!(told, "the tables are up to date\n");
    command(&app, &["migrate"]).await.unwrap();
    assert!(!app.data().join("acquirer.db").exists());
}

#[tokio::test]
async fn a_gateway_says_its_mode_to_everybody() {
    let (production, _) = TestApp::in_production().await;
    for (app, expected) in [
        (TestApp::new().await, "sandbox"),
        (production, "production"),
    ] {
        let answer = app.page("/mode", &[]).await;
        assert_eq!((answer.status, answer.text().as_str()), (200, expected));
    }
}
