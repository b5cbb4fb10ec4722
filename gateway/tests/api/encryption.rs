//! Card data that the frames encrypt: what can be decrypted, for which session, with which key, and what the refusals say.

use crate::encrypted_card::encrypted;
use crate::harness::{
    APPROVED, DECLINED, TestApp, build, build_form, card, sandbox, short, token_of,
};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use payframe_gateway::operator;
use serde_json::{Value, json};
use std::time::Duration;

/// The card's items as the frames send them: the items in `hidden` are encrypted.
fn entry(number: &str, hidden: &[&str], public: &str, session: &str, seed: u8) -> Value {
    let (inside, beside): (Vec<Value>, Vec<Value>) = card(number)
        .as_array()
        .unwrap()
        .iter()
        .cloned()
        .partition(|item| hidden.contains(&item["id"].as_str().unwrap()));
    let message = encrypted(&json!(inside), public, session, seed);
    let mut items = vec![json!({ "id": "ENCRYPTED_CARD", "value": message })];
    items.extend(beside);
    json!(items)
}

/// Encrypted like the frames do it.
pub(crate) fn hidden(number: &str, public: &str, session: &str) -> Value {
    entry(number, SECRET, public, session, 7)
}

/// The key in the session's form.
pub(crate) async fn key_of(app: &TestApp, session: &str) -> String {
    let page = app.page(&format!("/form/?sessionid={session}"), &[]).await;
    page.boot()["cardKey"].as_str().unwrap().to_owned()
}

async fn command(app: &TestApp, words: &[&str]) -> String {
    operator::command(app.config(), &app.clock, words)
        .await
        .unwrap()
}

const SECRET: &[&str] = &["CARD_NUMBER", "SECURITY_CODE"];
const TEXT: &str = "/fe/build/text";

#[tokio::test]
async fn a_card_that_comes_encrypted_is_paid_with() {
    let app = TestApp::with_dist().await;
    let session = app.open(&build("A1")).await;
    let key = key_of(&app, &session).await;
    let sent = hidden(APPROVED, &key, &session);
    let answer = app.frame(&session).post(TEXT, &sent).await.ok();
    assert_eq!(
        answer["fieldStatus"],
        json!([
            { "event": "BUILD_SUCCESS", "id": "CARD_NUMBER" },
            { "event": "BUILD_SUCCESS", "id": "SECURITY_CODE" },
            { "event": "BUILD_SUCCESS", "id": "EXPIRATION_DATE" },
            { "event": "BUILD_SUCCESS", "id": "CARDHOLDER_NAME" },
        ])
    );
    let url = answer["gdiStatus"]["gdiUrl"].as_str().unwrap();
    app.app
        .buyer_pages()
        .device_check_done(token_of(url))
        .await
        .unwrap();
    assert_eq!(
        short(&app.finalize(&session).await),
        "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED"
    );
    let order = app.order("A1").await;
    assert_eq!(order["operations"][0]["paymentInstrumentInfo"], "***0003");
}

#[tokio::test]
async fn what_is_wrong_with_an_encrypted_card_is_told_field_by_field() {
    let app = TestApp::with_dist().await;
    let session = app.open(&build("A1")).await;
    let key = key_of(&app, &session).await;
    let sent = hidden("4761730000000004", &key, &session);
    let answer = app.frame(&session).post(TEXT, &sent).await.ok();
    assert_eq!(answer["fieldStatus"][0]["errorCode"], "HF0004");
    assert_eq!(answer["workflowState"], "CARD_DATA_COLLECTION");
}

#[tokio::test]
async fn what_does_not_open_is_refused_without_saying_why_and_changes_nothing() {
    let app = TestApp::with_dist().await;
    let (session, other) = (app.open(&build("A1")).await, app.open(&build("A2")).await);
    let key = key_of(&app, &session).await;
    let good = hidden(APPROVED, &key, &session);
    let with = |value: Value| {
        let mut entry = good.clone();
        entry[0]["value"] = value;
        entry
    };
    let text = good[0]["value"].as_str().unwrap();
    let mut of_unknown_key = key.clone();
    of_unknown_key.replace_range(4..8, "AAAA");
    let (header, rest) = text.split_once('.').unwrap();
    let header = String::from_utf8(URL_SAFE_NO_PAD.decode(header).unwrap()).unwrap();
    let renamed = header.replace(&key[..16], &of_unknown_key[..16]);
    let renamed = format!("{}.{rest}", URL_SAFE_NO_PAD.encode(renamed));
    for (entry, what) in [
        (with(json!("")), "nothing"),
        (with(json!("a.b.c.d.e")), "no header"),
        (with(json!(&text[..text.len() - 1])), "cut off"),
        (with(json!(text.replace("..", ".AA."))), "a key sent along"),
        (with(json!(renamed)), "another key's id"),
        (with(json!(7)), "no text"),
        (with(json!("x".repeat(100_000))), "long"),
        (
            hidden(APPROVED, &key, &other),
            "encrypted for another session",
        ),
        (
            entry(
                APPROVED,
                &["CARD_NUMBER", "CARDHOLDER_NAME"],
                &key,
                &session,
                7,
            ),
            "something else inside",
        ),
        (
            with(json!(encrypted(
                &json!({ "CARD_NUMBER": APPROVED }),
                &key,
                &session,
                7
            ))),
            "another shape inside",
        ),
        (json!([{ "id": "ENCRYPTED_CARD" }]), "no value"),
    ] {
        app.clock.advance(Duration::from_secs(1));
        let answer = app.frame(&session).post(TEXT, &entry).await;
        assert_eq!(answer.refusal(), "400 GW9008", "{what}");
        assert_eq!(
            answer.why(),
            "ENCRYPTED_CARD does not open: it has to be encrypted for this session, with the key of its page",
            "{what}"
        );
    }
    assert_eq!(app.count("SELECT count(*) FROM sealed_card").await, 0);
    let answer = app.frame(&session).post(TEXT, &good).await.ok();
    assert!(answer.get("gdiStatus").is_some());
}

#[tokio::test]
async fn a_captured_message_pays_for_no_other_session() {
    let app = TestApp::with_dist().await;
    let (session, thief) = (app.open(&build("A1")).await, app.open(&build("A2")).await);
    let key = key_of(&app, &session).await;
    let captured = hidden(APPROVED, &key, &session);
    let answer = app.frame(&thief).post(TEXT, &captured).await;
    assert_eq!(answer.refusal(), "400 GW9008");
    assert_eq!(app.state(&thief).await["state"], "CARD_DATA_COLLECTION");
    app.frame(&session).post(TEXT, &captured).await.ok();
}

#[tokio::test]
async fn an_item_comes_once_encrypted_or_not() {
    let app = TestApp::with_dist().await;
    let session = app.open(&build("A1")).await;
    let key = key_of(&app, &session).await;
    let sent = hidden(APPROVED, &key, &session);
    let mut twice = sent.clone();
    twice
        .as_array_mut()
        .unwrap()
        .push(json!({ "id": "CARD_NUMBER", "value": APPROVED }));
    let mut both = sent.clone();
    both.as_array_mut().unwrap().push(sent[0].clone());
    for entry in [twice, both] {
        let answer = app.frame(&session).post(TEXT, &entry).await;
        assert_eq!(answer.refusal(), "400 PS0026");
    }
}

#[tokio::test]
async fn a_repeated_submission_is_recognised_though_it_is_encrypted_anew() {
    let app = TestApp::with_dist().await;
    let session = app.open(&build_form("A1", 3)).await;
    let key = key_of(&app, &session).await;
    let once = |number: &str, seed| entry(number, SECRET, &key, &session, seed);
    let headers = [("idempotency-key", "k-1")];
    let frame = app.frame(&session);
    let first = frame.post_with(TEXT, &once(APPROVED, 7), &headers).await;
    let again = frame.post_with(TEXT, &once(APPROVED, 8), &headers).await;
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(first.ok(), again.ok());
    let other = frame.post_with(TEXT, &once(DECLINED, 7), &headers).await;
    assert_eq!(other.refusal(), "400 PS0025");
}

#[tokio::test]
async fn headers_and_session_are_judged_before_what_is_encrypted() {
    let app = TestApp::with_dist().await;
    let session = app.open(&build("A1")).await;
    let garbage = json!([{ "id": "ENCRYPTED_CARD", "value": "x" }]);
    let frame = app.frame(&session);
    let answer = frame.post_with(TEXT, &garbage, &[]).await;
    assert_eq!(answer.refusal(), "400 PS0025");
    app.pass(1800).await;
    let answer = frame.post(TEXT, &garbage).await;
    assert_eq!(answer.refusal(), "400 PS0061");
}

#[tokio::test]
async fn a_key_that_was_rotated_opens_what_open_forms_send_and_then_nothing_more() {
    let app = TestApp::with_dist().await;
    let session = app.open(&build("A1")).await;
    let old = key_of(&app, &session).await;
    command(&app, &["card-keys", "rotate"]).await;
    let new = key_of(&app, &session).await;
    assert_ne!(old, new);
    let list = command(&app, &["card-keys", "list"]).await;
    let ids: Vec<&str> = list
        .lines()
        .skip(1)
        .filter_map(|line| line.split(' ').next())
        .collect();
    assert!(
        ids.contains(&&old[..16]) && ids.contains(&&new[..16]),
        "{list}"
    );
    assert!(list.contains("2026-11-21T10:00:00.000Z"), "{list}");

    // The form was opened before the gateway was restarted.
    let app = app.restarted().await;
    let sent = hidden(APPROVED, &old, &session);
    app.frame(&session).post(TEXT, &sent).await.ok();

    app.pass(24 * 3600).await;
    let session = app.open(&build("A2")).await;
    let answer = app
        .frame(&session)
        .post(TEXT, &hidden(APPROVED, &old, &session))
        .await;
    assert_eq!(answer.refusal(), "400 GW9008");
    assert_eq!(app.count("SELECT count(*) FROM card_key").await, 1);
    let sent = hidden(APPROVED, &new, &session);
    app.frame(&session).post(TEXT, &sent).await.ok();
}

#[tokio::test]
async fn keys_follow_each_other_by_themselves() {
    let app = TestApp::with(|config| {
        let dist = config.data.join("dist");
        crate::dist::write(&dist);
        config.assets = Some(dist);
        config.card_key_life = Duration::from_secs(3600);
    })
    .await;
    let session = app.open(&build("A1")).await;
    let first = key_of(&app, &session).await;
    app.pass(1700).await;
    let session = app.open(&build("A2")).await;
    assert_eq!(key_of(&app, &session).await, first);
    app.pass(1900).await;
    let answer = app
        .frame(&session)
        .get(&format!("/build/state?sessionId={session}"))
        .await;
    assert_eq!(answer.refusal(), "400 PS0061");
    let session = app.open(&build("A3")).await;
    let second = key_of(&app, &session).await;
    assert_ne!(second, first);
    for key in [&first, &second] {
        app.clock.advance(Duration::from_secs(1));
        let sent = hidden("4761730000000004", key, &session);
        app.frame(&session).post(TEXT, &sent).await.ok();
    }
}

#[tokio::test]
async fn a_key_that_was_revoked_opens_nothing_at_once() {
    let app = TestApp::with_dist().await;
    let session = app.open(&build("A1")).await;
    let old = key_of(&app, &session).await;
    command(&app, &["card-keys", "revoke", &old[..16]]).await;
    let sent = hidden(APPROVED, &old, &session);
    let answer = app.frame(&session).post(TEXT, &sent).await;
    assert_eq!(answer.refusal(), "400 GW9008");
    // After a reload the form has the key that replaced the old one.
    let new = key_of(&app, &session).await;
    let sent = hidden(APPROVED, &new, &session);
    app.frame(&session).post(TEXT, &sent).await.ok();
}

#[tokio::test]
async fn a_key_that_cannot_be_read_any_more_is_replaced() {
    let app = TestApp::with_dist().await;
    let session = app.open(&build("A1")).await;
    let old = key_of(&app, &session).await;
    app.change("UPDATE card_key SET key_id = 'another'").await;
    let session = app.open(&build("A2")).await;
    let new = key_of(&app, &session).await;
    assert_ne!(old, new);
    let sent = hidden(APPROVED, &new, &session);
    app.frame(&session).post(TEXT, &sent).await.ok();
}

/// The answers of a gateway with this setting to an unencrypted card, to a card whose code is unencrypted, to an unencrypted code alone,
/// and to an encrypted card.
async fn answers_to_clear_cards(required: bool) -> Vec<String> {
    let app = TestApp::with(|config| {
        let dist = config.data.join("dist");
        crate::dist::write(&dist);
        config.assets = Some(dist);
        config.mode = sandbox(|sandbox| sandbox.require_encrypted_cards = required);
    })
    .await;
    let mut answers = Vec::new();
    for (order, path, inside) in [
        ("A1", TEXT, None),
        ("A2", TEXT, Some(&SECRET[..1])),
        ("A3", "/fe/build/text/SECURITY_CODE", None),
        ("A4", "/fe/build/text/CARDHOLDER_NAME", None),
        ("A5", TEXT, Some(SECRET)),
    ] {
        let session = app.open(&build(order)).await;
        let key = key_of(&app, &session).await;
        let body = match inside {
            Some(inside) => entry(APPROVED, inside, &key, &session, 7),
            None if path == TEXT => card(APPROVED),
            None => json!({ "value": "123" }),
        };
        let answer = app.frame(&session).post(path, &body).await;
        answers.push(format!("{} {}", answer.refusal(), answer.why()));
    }
    answers
}

#[tokio::test]
async fn cards_in_clear_are_refused_where_the_operator_wants_that() {
    assert_eq!(answers_to_clear_cards(false).await, ["200 "; 5]);
    assert_eq!(
        answers_to_clear_cards(true).await,
        [
            "400 GW9008 CARD_NUMBER has to be encrypted",
            "400 GW9008 SECURITY_CODE has to be encrypted",
            "400 GW9008 SECURITY_CODE has to be encrypted",
            "200 ",
            "200 ",
        ]
    );
}

#[tokio::test]
async fn no_private_key_lies_on_disk_in_clear() {
    let app = TestApp::with_dist().await;
    let session = app.open(&build("A1")).await;
    let public = URL_SAFE_NO_PAD
        .decode(key_of(&app, &session).await)
        .unwrap();
    // The private key is encrypted together with the public one: if the public key cannot be found, the private one cannot either.
    assert!(!app.keeps(&public[1..33]).await);
}
