//! Setting up a real shop by commands: tables, merchant, terminal, key.

use crate::contracts::result;
use crate::database::TestDatabase;
use crate::harness::{APPROVED, TestApp};
use crate::keys::{command, made, status};
use crate::server_to_server::moto;
use payframe_gateway::config::Config;
use payframe_gateway::operator;
use payframe_payment_ports::Clock;

#[tokio::test]
async fn a_shop_that_commands_set_up_takes_its_first_payment() {
    let app = TestApp::in_sandbox(|sandbox| sandbox.merchants = false).await;
    assert_eq!(status(&app, "sandbox-implicit").await, 401);
    let tell = async |words: &str| {
        let words: Vec<&str> = words.split(' ').collect();
        command(&app, &words).await
    };
    tell("merchant add blumen Blumen").await.unwrap();
    tell("merchant rename blumen Blumenladen").await.unwrap();
    assert_eq!(
        tell("merchant list")
            .await
            .unwrap()
            .split_whitespace()
            .collect::<Vec<_>>(),
        ["blumen", "Blumenladen"]
    );
    let added = tell("terminal add 55000001 blumen networks=VISA,MC*,AMEX capture=EXPLICIT").await;
    let added = added.unwrap();
    assert!(added.contains("keys new 55000001"), "{added}");
    // Its notifications are signed from the first one on.
    let secrets = tell("secrets list").await.unwrap();
    let secret = secrets.lines().find(|line| line.contains("55000001"));
    let id = secret.unwrap().split_whitespace().next().unwrap();
    let shown = format!("secret {id} of terminal 55000001, shown this once:\nwhsec_");
    assert!(added.contains(&shown), "{added}");
    let list = tell("terminal list").await.unwrap();
    assert_eq!(
        list,
        "terminal 55000001 of merchant blumen\n  capture=EXPLICIT\n  networks=VISA,MC*,AMEX\n  eight_digit_bins=none\n  \
         card_fields=CARD_NUMBER,EXPIRATION_DATE,SECURITY_CODE,CARDHOLDER_NAME\n  methods=none\n  wallets=none\n  \
         tokenization=yes\n  currency_conversion=no\n  place=ONLINE\n  exemptions=none\n  card_testing=default\n  \
         card_testing_limits=card:8,session:6,address:12,range:12,terminal:16,merchant:18,device:16,order_value:16\n  allowed_ranges=none\n  \
         blocked_ranges=none\n  allowed_addresses=none\n  blocked_addresses=none\n  page_watch=off\n\n"
    );
    let (_, key) = made(&tell("keys new 55000001").await.unwrap());
    let paid = app
        .key(&key)
        .post("/orders/moto", &moto("A1", APPROVED))
        .await
        .ok();
    assert_eq!(result(&paid), "AUTHORIZATION/AUTHORIZED");
    // A running gateway applies a change with the next call.
    tell("terminal set 55000001 capture=IMPLICIT")
        .await
        .unwrap();
    let paid = app
        .key(&key)
        .post("/orders/moto", &moto("A2", APPROVED))
        .await
        .ok();
    assert_eq!(result(&paid), "AUTHORIZATION/EXECUTED");
    tell("terminal set 55000001 networks=MC").await.unwrap();
    let refused = app
        .key(&key)
        .post("/orders/moto", &moto("A3", APPROVED))
        .await;
    assert_eq!(refused.status, 400, "{}", refused.body);
}

#[tokio::test]
async fn what_a_shop_cannot_have_is_said_and_changes_nothing() {
    let app = TestApp::new().await;
    for (words, expected) in [
        (
            &["merchant", "add", "demo", "Demo"][..],
            "merchant demo exists already",
        ),
        (
            &["merchant", "add", "no blanks", "Demo"],
            "an id has 1 to 20",
        ),
        (
            &["merchant", "add", "new", " "],
            "a name has 1 to 100 characters",
        ),
        (
            &["merchant", "rename", "nobody", "Demo"],
            "there is no merchant nobody",
        ),
        (
            &["terminal", "add", "91000001", "demo"],
            "terminal 91000001 exists already",
        ),
        (
            &["terminal", "add", "55000002", "nobody"],
            "there is no merchant nobody",
        ),
        (
            &["terminal", "add", "55000002", "demo", "networks="],
            "networks must be codes",
        ),
        (
            &["terminal", "add", "55000002", "demo", "networks=VISA,VISA"],
            "networks must be codes",
        ),
        (
            &["terminal", "add", "55000002", "demo", "methods=CASH"],
            "methods must be codes",
        ),
        (
            &[
                "terminal",
                "add",
                "55000002",
                "demo",
                "card_fields=CARD_NUMBER",
            ],
            "card_fields must be inputs",
        ),
        (
            &["terminal", "add", "55000002", "demo", "tokenization=1"],
            "tokenization must be yes or no",
        ),
        (
            &["terminal", "add", "55000002", "demo", "colour=red"],
            "a terminal has no setting colour; the settings are capture",
        ),
        (
            &["terminal", "set", "55000002", "capture=EXPLICIT"],
            "there is no terminal 55000002",
        ),
        (
            &["terminal", "set", "91000001", "capture=LATER"],
            "capture must be IMPLICIT, EXPLICIT",
        ),
    ] {
        let before = command(&app, &["terminal", "list"]).await.unwrap();
        let why = command(&app, words).await.unwrap_err().to_string();
        assert!(why.starts_with(expected), "{words:?}: {why}");
        assert_eq!(command(&app, &["terminal", "list"]).await.unwrap(), before);
    }
}

#[tokio::test]
async fn migrations_run_by_a_command_and_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let database = TestDatabase::make(None);
    let config = Config {
        data: folder.path().join("data"),
        database_url: database.url(),
        ..Config::sandbox()
    };
    let clock = Clock::system();
    let tell = async |words: &[&str]| operator::command(&config, &clock, words).await;
    let missing = tell(&["migrate", "--check"]).await.unwrap_err().to_string();
    assert!(missing.contains("0047 vault keys"), "{missing}");
    assert!(!config.data.exists(), "a check makes nothing");
    let ran = tell(&["migrate"]).await.unwrap();
    assert!(missing.ends_with(&ran) && ran.contains("acquirer"), "{ran}");
    for words in [&["migrate"][..], &["migrate", "--check"]] {
        assert_eq!(tell(words).await.unwrap(), "the tables are up to date\n");
    }
    // Tables without content.
    let list = tell(&["terminal", "list"]).await.unwrap();
    assert!(list.contains("91000001"), "{list}");
}
