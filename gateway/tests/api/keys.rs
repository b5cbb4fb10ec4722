//! API keys: several for a merchant, made, rotated and revoked by commands while a gateway runs.

use crate::harness::TestApp;
use payframe_gateway::config::Config;
use payframe_gateway::operator::{self, CommandError};
use payframe_payment_ports::Clock;
use std::time::Duration;

pub(crate) async fn command(app: &TestApp, words: &[&str]) -> Result<String, CommandError> {
    operator::command(app.config(), &app.clock, words).await
}

/// The id and the secret that a command printed.
pub(crate) fn made(text: &str) -> (String, String) {
    let mut lines = text.lines();
    let id = lines.next().unwrap().split(' ').nth(1).unwrap().to_owned();
    (id, lines.next().unwrap().to_owned())
}

pub(crate) async fn status(app: &TestApp, key: &str) -> u16 {
    app.key(key).get("/payment_methods").await.status
}

#[tokio::test]
async fn a_merchant_has_several_keys_and_loses_one_at_once() {
    let app = TestApp::new().await;
    let (first, first_key) = made(&command(&app, &["keys", "new", "91000001"]).await.unwrap());
    let (_, second_key) = made(&command(&app, &["keys", "new", "91000001"]).await.unwrap());
    assert_eq!(status(&app, &first_key).await, 200);
    assert_eq!(status(&app, &second_key).await, 200);
    assert_eq!(status(&app, "sandbox-implicit").await, 200);
    command(&app, &["keys", "revoke", &first]).await.unwrap();
    assert_eq!(status(&app, &first_key).await, 401);
    assert_eq!(status(&app, &second_key).await, 200);
    let list = command(&app, &["keys", "list"]).await.unwrap();
    let line = list.lines().find(|line| line.starts_with(&first)).unwrap();
    assert!(
        line.contains("91000001") && line.ends_with("2026-11-20T10:00:00.000Z"),
        "{line}"
    );
    assert!(!list.contains(&first_key) && !list.contains(&second_key));
}

#[tokio::test]
async fn a_rotated_key_lives_on_for_a_day() {
    let app = TestApp::new().await;
    let (old, old_key) = made(&command(&app, &["keys", "new", "91000002"]).await.unwrap());
    let (_, new_key) = made(&command(&app, &["keys", "rotate", &old]).await.unwrap());
    assert_eq!(status(&app, &old_key).await, 200);
    assert_eq!(status(&app, &new_key).await, 200);
    app.clock.advance(Duration::from_secs(24 * 3600));
    assert_eq!(status(&app, &old_key).await, 401);
    assert_eq!(status(&app, &new_key).await, 200);
    // Another rotation does not make it valid again.
    command(&app, &["keys", "rotate", &old]).await.unwrap();
    assert_eq!(status(&app, &old_key).await, 401);
}

#[tokio::test]
async fn a_revoked_key_of_the_sandbox_stays_revoked() {
    let app = TestApp::new().await;
    let list = command(&app, &["keys", "list"]).await.unwrap();
    let line = list.lines().find(|line| line.contains("91000005")).unwrap();
    let id = line.split(' ').next().unwrap();
    command(&app, &["keys", "revoke", id]).await.unwrap();
    let app = app.restarted().await;
    assert_eq!(status(&app, "sandbox-bin8").await, 401);
}

#[tokio::test]
async fn in_production_the_last_secret_of_a_terminal_stays() {
    let (app, _) = TestApp::in_production().await;
    let mut ids = app.texts("SELECT secret_id FROM notification_secret").await;
    let first = ids.pop().expect("a terminal is made with a secret");
    assert!(ids.is_empty());
    let refused = command(&app, &["secrets", "revoke", &first]).await;
    let said = refused.unwrap_err().to_string();
    assert!(said.contains("would not be signed"), "{said}");
    let second = command(&app, &["secrets", "new", "55000001"]).await;
    let (second, _) = made(&second.unwrap());
    command(&app, &["secrets", "revoke", &first]).await.unwrap();
    let refused = command(&app, &["secrets", "revoke", &second]).await;
    assert!(refused.is_err());
    // In a sandbox a test may want to see what is not signed.
    let app = TestApp::new().await;
    let (only, _) = made(
        &command(&app, &["secrets", "new", "91000001"])
            .await
            .unwrap(),
    );
    command(&app, &["secrets", "revoke", &only]).await.unwrap();
}

#[tokio::test]
async fn no_key_lies_on_disk() {
    let app = TestApp::new().await;
    let (_, key) = made(&command(&app, &["keys", "new", "91000001"]).await.unwrap());
    let (_, secret) = made(
        &command(&app, &["secrets", "new", "91000001"])
            .await
            .unwrap(),
    );
    assert!(!app.keeps(key).await);
    assert!(!app.keeps(secret).await);
}

#[tokio::test]
async fn what_is_not_there_is_named() {
    let app = TestApp::new().await;
    for (words, expected) in [
        (&["keys", "new", "1"][..], "there is no terminal 1"),
        (
            &["keys", "revoke", "x"],
            "there is no key or secret x; `list` names them",
        ),
        (
            &["keys", "rotate", "x"],
            "there is no key or secret x; `list` names them",
        ),
        (
            &["secrets", "revoke", "x"],
            "there is no key or secret x; `list` names them",
        ),
    ] {
        assert_eq!(
            command(&app, words).await.unwrap_err().to_string(),
            expected
        );
    }
    for words in [
        &["keys"][..],
        &["keys", "new"],
        &["key", "list"],
        &["secrets", "rotate", "x"],
    ] {
        let problem = command(&app, words).await.unwrap_err();
        assert!(matches!(problem, CommandError::Usage(_)), "{words:?}");
    }
}

#[tokio::test]
async fn an_unknown_command_makes_no_database() {
    let folder = tempfile::tempdir().unwrap();
    let config = Config {
        data: folder.path().join("data"),
        ..Config::sandbox()
    };
    assert!(
        operator::command(&config, &Clock::system(), &["serve"])
            .await
            .is_err()
    );
    assert!(!config.data.exists());
}
