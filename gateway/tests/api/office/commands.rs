//! What commands on the gateway's machine leave in the audit log of the merchants that they concern.

use super::{Person, command};
use crate::harness::TestApp;
use crate::keys::made;

/// The acts of commands in a merchant's log, oldest first.
async fn logged(app: &TestApp, merchant: &str) -> Vec<String> {
    let all = "SELECT merchant_id || ': ' || act || ' ' || subject || ' ' || detail FROM audit_entry \
               WHERE member_id IS NULL ORDER BY seq";
    let of_merchant =
        |line: String| Some(line.strip_prefix(merchant)?.strip_prefix(": ")?.to_owned());
    app.texts(all)
        .await
        .into_iter()
        .filter_map(of_merchant)
        .collect()
}

#[tokio::test]
async fn merchants_origins_fonts_and_keys_of_card_data_are_logged() {
    let app = TestApp::new().await;
    let tell = async |words: &[&str]| command(&app, words).await.unwrap();
    let shop = "https://shop.example";
    tell(&["merchant", "add", "blumen", "Blumenladen"]).await;
    tell(&["merchant", "rename", "blumen", "Blumen am Eck"]).await;
    tell(&["terminal", "add", "55000001", "blumen"]).await;
    tell(&["terminal", "origin", "add", "55000001", shop]).await;
    // A second time it only repeats the line.
    tell(&["terminal", "origin", "add", "55000001", shop]).await;
    tell(&["terminal", "origin", "remove", "55000001", shop]).await;
    tell(&["terminal", "font", "55000001", "none"]).await;
    tell(&["card-keys", "rotate"]).await;
    let card_key = &app
        .texts("SELECT key_id FROM card_key WHERE ends_ms IS NULL")
        .await[0];
    tell(&["card-keys", "revoke", card_key]).await;
    // Nothing is encrypted with another key, so nothing is done.
    tell(&["vault", "reencrypt"]).await;
    assert_eq!(
        logged(&app, "blumen").await,
        [
            String::from("ADD_MERCHANT blumen Blumenladen"),
            String::from("RENAME_MERCHANT blumen Blumen am Eck"),
            String::from("ADD_TERMINAL 55000001 "),
            String::from("CHANGE_TERMINAL 55000001 registered the origin https://shop.example"),
            String::from("CHANGE_TERMINAL 55000001 removed the origin https://shop.example"),
            String::from("CHANGE_TERMINAL 55000001 the system's font"),
            format!("ROTATE_CARD_KEY {card_key} "),
            format!("REVOKE_CARD_KEY {card_key} "),
        ]
    );
    tell(&["vault", "rotate"]).await;
    tell(&["vault", "reencrypt"]).await;
    let last = logged(&app, "demo").await.pop().unwrap();
    assert!(last.starts_with("REENCRYPT_VAULT "), "{last}");
}

#[tokio::test]
async fn keys_secrets_terminals_and_the_vault_are_logged_and_no_secret_is() {
    let app = TestApp::new().await;
    let tell = async |words: &[&str]| command(&app, words).await.unwrap();
    let (key, key_secret) = made(&tell(&["keys", "new", "91000001"]).await);
    let (next, next_secret) = made(&tell(&["keys", "rotate", &key]).await);
    tell(&["keys", "revoke", &next]).await;
    let (secret, signing_secret) = made(&tell(&["secrets", "new", "91000001"]).await);
    tell(&["secrets", "revoke", &secret]).await;
    tell(&["terminal", "add", "55000001", "demo", "capture=EXPLICIT"]).await;
    tell(&["terminal", "set", "55000001", "tokenization=no"]).await;
    tell(&["notify", "55000001", "https://shop.example/hook"]).await;
    let rotated = tell(&["vault", "rotate"]).await;
    let vault_key = rotated.split(' ').next().unwrap();
    assert_eq!(
        logged(&app, "demo").await,
        [
            format!("MAKE_KEY {key} terminal 91000001"),
            format!("ROTATE_KEY {key} terminal 91000001, followed by {next}"),
            format!("REVOKE_KEY {next} terminal 91000001"),
            format!("MAKE_SECRET {secret} terminal 91000001"),
            format!("REVOKE_SECRET {secret} terminal 91000001"),
            String::from("ADD_TERMINAL 55000001 capture=EXPLICIT"),
            String::from("CHANGE_TERMINAL 55000001 tokenization=no"),
            String::from(
                "CHANGE_TERMINAL 55000001 notifications of reservations: https://shop.example/hook"
            ),
            format!("ROTATE_VAULT_KEY {vault_key} "),
        ]
    );
    for hidden in [key_secret, next_secret, signing_secret] {
        assert!(!app.keeps(&hidden).await);
    }
    let ada = Person::logged_in(&app, "ada", "administrator").await;
    let page = ada.get("/office/audit").await.text();
    for label in [
        "Made a notification secret",
        "Changed a terminal",
        "Rotated the vault&#39;s key",
    ] {
        assert!(page.contains(label), "{label} is missing in {page}");
    }
}

/// What concerns every merchant is in the log of each; what concerns one is in no other.
#[tokio::test]
async fn each_merchant_reads_what_concerns_it() {
    let app = TestApp::new().await;
    command(&app, &["keys", "new", "91000001"]).await.unwrap();
    command(&app, &["vault", "rotate"]).await.unwrap();
    let merchants = app
        .texts("SELECT merchant_id FROM merchant WHERE merchant_id <> 'demo'")
        .await;
    assert!(!merchants.is_empty());
    for merchant in merchants {
        let logged = logged(&app, &merchant).await;
        assert_eq!(logged.len(), 1, "{merchant}: {logged:?}");
        assert!(
            logged[0].starts_with("ROTATE_VAULT_KEY "),
            "{merchant}: {logged:?}"
        );
    }
}

/// A command that changes nothing leaves nothing.
#[tokio::test]
async fn a_refused_command_is_not_logged() {
    let app = TestApp::new().await;
    for words in [
        &["keys", "new", "1"][..],
        &["keys", "revoke", "nothing"],
        &["secrets", "revoke", "nothing"],
        &["terminal", "set", "91000001", "capture=MAYBE"],
        &["terminal", "add", "91000001", "demo"],
    ] {
        command(&app, words).await.unwrap_err();
    }
    assert_eq!(app.count("SELECT count(*) FROM audit_entry").await, 0);
}
