//! API keys: an administrator makes and revokes them.

use super::Person;
use crate::harness::{Answer, TestApp};
use std::time::Duration;

/// Id and key on a page that shows them once.
fn shown_once(page: &Answer) -> (String, String) {
    let text = page.text();
    let (_, rest) = text
        .split_once("<p>The key ")
        .unwrap_or_else(|| panic!("{text}"));
    let id = rest.split_once(' ').unwrap().0.to_owned();
    let (_, rest) = rest.split_once(r#"<output class="secret">"#).unwrap();
    (id, rest.split_once("</output>").unwrap().0.to_owned())
}

async fn opens(app: &TestApp, key: &str) -> bool {
    app.key(key).get("/payment_methods").await.status == 200
}

#[tokio::test]
async fn a_key_is_made_rotated_and_revoked() {
    let app = TestApp::new().await;
    let ada = Person::logged_in(&app, "ada", "administrator").await;
    let made = ada.post("/office/keys", &[("terminal", "91000002")]).await;
    let (id, key) = shown_once(&made);
    assert!(opens(&app, &key).await);
    assert!(!app.keeps(&key).await);
    let list = ada.get("/office/keys").await.text();
    assert!(list.contains(&id) && !list.contains(&key));

    let (new_id, new_key) = shown_once(&ada.post(&format!("/office/keys/{id}/rotate"), &[]).await);
    assert!(opens(&app, &key).await && opens(&app, &new_key).await);
    app.clock.advance(Duration::from_secs(24 * 3600));
    assert!(!opens(&app, &key).await && opens(&app, &new_key).await);

    let ada = Person::logged_in(&app, "bea", "administrator").await;
    let asked = ada
        .get(&format!("/office/keys/{new_id}/revoke"))
        .await
        .text();
    assert!(asked.contains("This can not be undone."), "{asked}");
    assert!(opens(&app, &new_key).await, "a question changes nothing");
    let answer = ada
        .post(&format!("/office/keys/{new_id}/revoke"), &[])
        .await;
    assert_eq!(answer.header("location"), Some("/office/keys?done=revoked"));
    assert!(!opens(&app, &new_key).await);
    let log = app.texts("SELECT act || ' ' || subject || ' ' || detail FROM audit_entry WHERE act LIKE '%_KEY' ORDER BY seq");
    assert_eq!(
        log.await,
        [
            format!("MAKE_KEY {id} terminal 91000002"),
            format!("ROTATE_KEY {id} terminal 91000002, followed by {new_id}"),
            format!("REVOKE_KEY {new_id} terminal 91000002"),
        ]
    );
}

#[tokio::test]
async fn the_last_key_of_a_terminal_is_not_revoked_unawares() {
    let app = TestApp::new().await;
    let ada = Person::logged_in(&app, "ada", "administrator").await;
    let warning = "No other key opens terminal 91000002";
    let of_terminal = "SELECT substr(key_hash, 1, 12) FROM api_key WHERE terminal_id = '91000002'";
    let first = app.texts(of_terminal).await.remove(0);
    let question = format!("/office/keys/{first}/revoke");
    assert!(ada.get(&question).await.text().contains(warning));
    ada.post("/office/keys", &[("terminal", "91000002")]).await;
    assert!(!ada.get(&question).await.text().contains(warning));
}

#[tokio::test]
async fn keys_of_another_merchant_are_not_there() {
    let app = TestApp::new().await;
    let ada = Person::logged_in(&app, "ada", "administrator").await;
    let foreign = "SELECT substr(k.key_hash, 1, 12) FROM api_key k JOIN terminal t ON t.terminal_id = k.terminal_id \
                   WHERE t.merchant_id <> 'demo'";
    let key = app.texts(foreign).await.remove(0);
    let terminals = app
        .texts("SELECT terminal_id FROM terminal WHERE merchant_id <> 'demo'")
        .await;
    assert!(!ada.get("/office/keys").await.text().contains(&key));
    for path in ["rotate", "revoke"] {
        let answer = ada.post(&format!("/office/keys/{key}/{path}"), &[]).await;
        assert_eq!(answer.status, 404, "{path}");
    }
    assert_eq!(
        ada.get(&format!("/office/keys/{key}/revoke")).await.status,
        404
    );
    let answer = ada
        .post("/office/keys", &[("terminal", &terminals[0])])
        .await;
    assert_eq!(answer.status, 404);
}
