//! What lies on disk: nothing that opens anything, and no digit of a card or of its code.

use crate::harness::{APPROVED, CHALLENGED, TestApp, build, card, token_of};
use std::path::Path;

/// Whether any file of the data folder holds these bytes.
fn on_disk(folder: &Path, needle: &str) -> bool {
    std::fs::read_dir(folder).unwrap().any(|file| {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        bytes
            .windows(needle.len())
            .any(|window| window == needle.as_bytes())
    })
}

/// N15: it is gone from field and memory, and never stored or prefilled.
#[tokio::test]
async fn card_numbers_are_sealed_and_codes_and_credentials_are_not_there() {
    let app = TestApp::new().await;
    let ready = app.open(&build("A1")).await;
    app.enter(&ready, APPROVED).await;
    // Four digits may stand in a random id by chance, in one run of four. That ten codes all do, they do not by chance.
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
    app.app.device_check_done(&device_token).await;
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
        assert!(!on_disk(app.data(), secret), "{secret} lies on disk");
    }
    assert!(
        codes.iter().any(|code| !on_disk(app.data(), code)),
        "security codes lie on disk"
    );
    assert!(
        on_disk(app.data(), "476173******3007") || on_disk(app.data(), "3007"),
        "the search finds what is there"
    );
    assert_eq!(app.count("SELECT count(*) FROM sealed_card").await, 2);
}

#[tokio::test]
async fn nothing_of_a_three_step_payment_lies_on_disk() {
    let app = TestApp::new().await;
    let request = crate::three_steps::init("A1", CHALLENGED);
    let begun = crate::three_steps::begin(&app, &request).await;
    let response = crate::three_steps::challenged(&app, &begun, "approve").await;
    let id = begun["operation"]["operationId"].as_str().unwrap();
    let validated = crate::three_steps::validate(&app, id, &response).await.ok();
    for secret in [
        CHALLENGED,
        "4761 7300",
        begun["threeDSAuthRequest"].as_str().unwrap(),
        &response,
        validated["threeDSAuthResult"]["authenticationValue"]
            .as_str()
            .unwrap(),
    ] {
        assert!(!on_disk(app.data(), secret), "{secret} lies on disk");
    }
    assert!(on_disk(app.data(), id), "the search finds what is there");
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
    let pool = app.app.store().pool();
    let sealed: Vec<(String, Vec<u8>)> =
        sqlx::query_as("SELECT session_hash, sealed FROM sealed_card")
            .fetch_all(pool)
            .await
            .unwrap();
    for (hash, blob) in [(&sealed[0].0, &sealed[1].1), (&sealed[1].0, &sealed[0].1)] {
        sqlx::query("UPDATE sealed_card SET sealed = ? WHERE session_hash = ?")
            .bind(blob)
            .bind(hash)
            .execute(pool)
            .await
            .unwrap();
    }
    let body = serde_json::json!({ "sessionId": other });
    let answer = app.merchant().post("/build/finalize_payment", &body).await;
    assert_eq!(answer.refusal(), "500 PS0000");
    assert_eq!(app.order("A2").await["operations"], serde_json::json!([]));
}

#[tokio::test]
async fn another_vault_key_opens_nothing() {
    let app = TestApp::new().await;
    let session = app.open(&build("A1")).await;
    app.enter(&session, APPROVED).await;
    std::fs::remove_file(app.data().join("vault.key")).unwrap();
    let app = app.restarted().await;
    // The keys' hashes are made with the vault's key too: nobody is recognised before they are put in place
    // again, which the start does for the sandbox's.
    let body = serde_json::json!({ "sessionId": session });
    let answer = app.merchant().post("/build/finalize_payment", &body).await;
    assert_eq!(answer.refusal(), "500 PS0000");
}
