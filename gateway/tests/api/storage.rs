//! What is on disk: nothing that gives access to anything, and no digit of a card or of its code.

use crate::harness::{APPROVED, CHALLENGED, TestApp, build, card, short, token_of};
use payframe_gateway::App;
use payframe_storage::query;

/// N15: it is gone from field and memory, and never stored or prefilled.
#[tokio::test]
async fn card_numbers_are_sealed_and_codes_and_credentials_are_not_there() {
    let app = TestApp::new().await;
    let ready = app.open(&build("A1")).await;
    app.enter(&ready, APPROVED).await;
    // Four digits are in a random id by chance in one of four runs. All ten codes are never there by chance.
    let codes: Vec<String> = (0..10)
        .map(|turn| (4071 + 517 * turn).to_string())
        .collect();
    for (turn, code) in codes.iter().enumerate() {
        let mut entry = card(CHALLENGED);
        entry[2]["value"] = code.as_str().into();
        let bad = app.open(&build(&format!("B{turn}"))).await;
        app.frame(&bad).post("/fe/build/text", &entry).await.ok();
    }
    let challenged = app.open(&build("A3")).await;
    let answer = app
        .frame(&challenged)
        .post("/fe/build/text", &card(CHALLENGED))
        .await
        .ok();
    let device_token = token_of(answer["gdiStatus"]["gdiUrl"].as_str().unwrap()).to_owned();
    app.app
        .buyer_pages()
        .device_check_done(&device_token)
        .await
        .unwrap();
    let url = app.finalize(&challenged).await["url"]
        .as_str()
        .unwrap()
        .to_owned();
    for secret in [
        APPROVED,
        CHALLENGED,
        "4761 7300",
        "sandbox-implicit",
        &ready,
        &challenged,
        token_of(&url),
        &device_token,
    ] {
        assert!(!app.keeps(secret).await, "{secret} lies on disk");
    }
    let mut lost = 0;
    for code in &codes {
        lost += u32::from(!app.keeps(code).await);
    }
    assert!(lost > 0, "security codes lie on disk");
    assert!(
        app.keeps("476173******3007").await || app.keeps("3007").await,
        "the search finds what is there"
    );
    assert_eq!(app.count("SELECT count(*) FROM sealed_card").await, 2);
}

#[tokio::test]
async fn nothing_of_a_three_step_payment_lies_on_disk() {
    let app = TestApp::new().await;
    let request = crate::external_3ds::init("A1", CHALLENGED);
    let begun = crate::external_3ds::begin(&app, &request).await;
    let response = crate::external_3ds::challenged(&app, &begun, "approve").await;
    let id = begun["operation"]["operationId"].as_str().unwrap();
    let validated = crate::external_3ds::validate(&app, id, &response)
        .await
        .ok();
    for secret in [
        CHALLENGED,
        "4761 7300",
        begun["threeDSAuthRequest"].as_str().unwrap(),
        &response,
        validated["threeDSAuthResult"]["authenticationValue"]
            .as_str()
            .unwrap(),
    ] {
        assert!(!app.keeps(secret).await, "{secret} lies on disk");
    }
    assert!(app.keeps(id).await, "the search finds what is there");
    assert_eq!(app.count("SELECT count(*) FROM sealed_card").await, 1);
}

#[tokio::test]
async fn a_sealed_card_opens_only_for_its_own_session() {
    let app = TestApp::new().await;
    let mine = app.open(&build("A1")).await;
    app.enter(&mine, APPROVED).await;
    let other = app.open(&build("A2")).await;
    app.enter(&other, "4761730000001001").await;
    // Somebody with write access to the database swaps the cards.
    let store = app.app.store();
    let rows = store
        .ask(query("SELECT session_hash, sealed FROM sealed_card"))
        .await
        .unwrap();
    let encrypted: Vec<(String, Vec<u8>)> = rows
        .iter()
        .map(|row| (row.first().unwrap(), row.try_get("sealed").unwrap()))
        .collect();
    for (hash, blob) in [
        (&encrypted[0].0, &encrypted[1].1),
        (&encrypted[1].0, &encrypted[0].1),
    ] {
        let swap = query("UPDATE sealed_card SET sealed = ? WHERE session_hash = ?");
        store.change(swap.bind(blob).bind(hash)).await.unwrap();
    }
    let body = serde_json::json!({ "sessionId": other });
    let answer = app.merchant().post("/build/finalize_payment", &body).await;
    assert_eq!(answer.refusal(), "500 PS0000");
    assert_eq!(app.order("A2").await["operations"], serde_json::json!([]));
}

#[tokio::test]
async fn another_vault_key_is_refused_and_changes_nothing() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    app.enter(&session, APPROVED).await;
    let key = app.data().join("vault.key");
    let kept = std::fs::read(&key).unwrap();
    std::fs::remove_file(&key).unwrap();
    let refused = App::open(app.config().clone(), app.clock.clone()).await;
    let why = refused.err().unwrap().to_string();
    assert!(why.contains("PAYFRAME_VAULT_KEY"), "{why}");
    assert!(!key.exists(), "no other key stands in its place");
    let other = TestApp::new().await;
    std::fs::copy(other.data().join("vault.key"), &key).unwrap();
    let refused = App::open(app.config().clone(), app.clock.clone()).await;
    let why = refused.err().unwrap().to_string();
    assert!(why.contains("PAYFRAME_VAULT_KEY"), "{why}");
    std::fs::write(&key, kept).unwrap();
    let app = app.restarted().await;
    assert_eq!(
        short(&app.finalize(&session).await),
        "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED"
    );
}

/// Columns of every table as `table.column`, in the order of their names.
async fn columns(app: &TestApp, question: &'static str) -> Vec<String> {
    let mut columns = app.texts(question).await;
    columns.sort();
    columns
}

#[tokio::test]
async fn a_server_has_the_tables_of_a_file() {
    let app = TestApp::new().await;
    if app.config().database_url.is_none() {
        // The tables are in a file, so there is nothing to compare.
        return;
    }
    let mut on_server = columns(
        &app,
        "SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = 'payframe'",
    )
    .await;
    // The table that locks changes exists only there; a file allows one change at a time anyway. So does that of the calls of all processes; a
    // file has one process.
    on_server.retain(|column| column != "turn.name" && !column.starts_with("call_rate."));
    let file = TestApp::with(|config| config.database_url = None).await;
    let in_file = columns(
        &file,
        "SELECT t.name || '.' || c.name FROM sqlite_master t, pragma_table_xinfo(t.name) c \
         WHERE t.type = 'table' AND t.name <> 'sqlite_sequence'",
    )
    .await;
    assert_eq!(on_server, in_file);
    assert!(on_server.len() > 200, "{}", on_server.len());
}
