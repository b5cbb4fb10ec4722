//! What commands on the gateway's machine leave in the audit log of the merchants that they concern.

use super::{Person, command};
use crate::harness::TestApp;
use crate::keys::made;
use crate::{events, origins};
use axum::http::StatusCode;
use clap::CommandFactory;
use payframe_gateway::config::Config;
use payframe_gateway::operator::{self, CommandLine};
use payframe_storage::provider_accounts::{self, Account};
use payframe_storage::{Subject, members, second_factors};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::pin::Pin;
use std::time::Duration;

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
    let first_secret = secret_of(&tell(&["terminal", "add", "55000001", "blumen"]).await);
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
            format!("MAKE_SECRET {first_secret} terminal 55000001"),
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

/// The id of the secret that a new terminal has.
fn secret_of(told: &str) -> String {
    let line = told.lines().find(|line| line.starts_with("secret "));
    line.unwrap().split(' ').nth(1).unwrap().to_owned()
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
    let added = tell(&["terminal", "add", "55000001", "demo", "capture=EXPLICIT"]).await;
    let first_secret = secret_of(&added);
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
            format!("MAKE_SECRET {first_secret} terminal 55000001"),
            String::from("CHANGE_TERMINAL 55000001 tokenization=no"),
            String::from(
                "CHANGE_TERMINAL 55000001 its own address for notifications: https://shop.example/hook"
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

/// The commands that leave nothing, and why.
const WITHOUT_ENTRY: [(&str, &str); 27] = [
    (
        "demo",
        "its tables are its own; what it does there, it logs",
    ),
    ("settings", "reads no table"),
    ("sandbox acs", "reads no table"),
    ("sandbox directory-server", "reads no table"),
    ("reference", "reads no table"),
    ("examine", "asks another program"),
    ("health", "asks another program"),
    ("listen", "asks another program"),
    ("trigger", "asks another program"),
    ("mcp", "asks another program"),
    ("verify", "asks another program"),
    (
        "migrate",
        "the table of migrations says when each ran; a start does the same",
    ),
    ("backup", "changes nothing"),
    ("merchant list", "changes nothing"),
    ("terminal list", "changes nothing"),
    ("terminal origin list", "changes nothing"),
    ("keys list", "changes nothing"),
    ("secrets list", "changes nothing"),
    ("card-keys list", "changes nothing"),
    ("vault list", "changes nothing"),
    (
        "vault log-in",
        "is in the log; gateway/tests/process/token.rs has the token that it needs",
    ),
    ("vault wrap", "the same"),
    ("dispute list", "changes nothing"),
    ("reconcile", "changes nothing"),
    ("settlement sandbox-file", "changes nothing"),
    ("members list", "changes nothing"),
    ("audit verify", "changes nothing"),
];

/// A gateway whose commands are watched.
struct Watched {
    app: TestApp,
    seen: RefCell<BTreeSet<String>>,
}

impl Watched {
    /// Carries out a command that leaves entries, each with the user who gave it. Returns what it printed.
    fn logs<'a>(&'a self, words: &'a [&'a str]) -> Pin<Box<dyn Future<Output = String> + 'a>> {
        Box::pin(self.carried_out(words))
    }

    async fn carried_out(&self, words: &[&str]) -> String {
        self.carried_out_with(self.app.config(), words).await
    }

    /// The same with other settings.
    async fn carried_out_with(&self, config: &Config, words: &[&str]) -> String {
        let before = self.app.count("SELECT COUNT(*) FROM audit_entry").await;
        let told = operator::command(config, &self.app.clock, words);
        let told = told.await.unwrap();
        let after = self.app.count("SELECT COUNT(*) FROM audit_entry").await;
        assert!(after > before, "{words:?} left no entry");
        self.seen.borrow_mut().insert(name_of(words));
        told
    }
}

/// The command among these words, without its arguments.
fn name_of(words: &[&str]) -> String {
    let mut command = CommandLine::command();
    let mut names = Vec::new();
    for word in words {
        let Some(found) = command.find_subcommand(word) else {
            break;
        };
        names.push(*word);
        command = found.clone();
    }
    names.join(" ")
}

/// The names of all commands without subcommands.
fn leaves(command: &clap::Command, name: &str) -> BTreeSet<String> {
    let below = command.get_subcommands().flat_map(|found| {
        let name = format!("{name} {}", found.get_name());
        leaves(found, name.trim())
    });
    let below: BTreeSet<String> = below.collect();
    match below.is_empty() {
        true => BTreeSet::from([name.to_owned()]),
        false => below,
    }
}

/// Each command about disputes, for the first payment.
async fn disputes(watched: &Watched) {
    let paid =
        "SELECT operation_id FROM operation WHERE result = 'EXECUTED' ORDER BY time_ms LIMIT 1";
    let paid = watched.app.texts(paid).await.remove(0);
    let ends = ["--deadline", "2027-01-01T00:00:00Z"];
    let mut open = vec!["dispute", "open", &paid, "--category", "GENERAL"];
    open.extend(["--reason", "13.1"].into_iter().chain(ends));
    let opened = watched.logs(&open).await;
    let id = opened.split(' ').next().unwrap();
    let mut advance = vec!["dispute", "advance", id, "ARBITRATION"];
    advance.extend(ends);
    watched.logs(&advance).await;
    let folder = watched.app.data().join("evidence");
    let folder = folder.to_str().unwrap();
    watched.logs(&["dispute", "evidence", id, folder]).await;
    watched.logs(&["dispute", "result", id, "WON"]).await;
}

/// The settings with a log-in provider that is the only way in for a merchant's members.
fn with_provider(app: &TestApp, merchant: &str) -> Config {
    let file = app.data().join("providers.toml");
    let text = format!(
        "[[provider]]\nid = \"acme\"\nname = \"Acme\"\nmerchant = \"{merchant}\"\nissuer = \"https://login.example\"\n\
         client_id = \"payframe\"\nclient_secret_file = \"client-secret\"\nonly_way_in = true\n"
    );
    std::fs::write(&file, text).unwrap();
    std::fs::write(app.data().join("client-secret"), "hush").unwrap();
    Config {
        login_providers: Some(file),
        ..app.config().clone()
    }
}

/// Gives a member a second factor that no code fits, and an account at a log-in provider.
async fn has_second_factor_and_account(app: &TestApp, email: &str) {
    let mut change = app.app.store().write(Subject::Statement).await.unwrap();
    let found = members::by_email(&mut change, email).await.unwrap();
    let (member, _) = &found[0];
    second_factors::put(&mut change, &member.id, b"secret", 0, 0)
        .await
        .unwrap();
    let account = Account {
        issuer: "https://login.example",
        subject: "42",
    };
    let bound = provider_accounts::bind(&mut change, member, account, 0).await;
    assert!(bound.unwrap());
    change.commit().await.unwrap();
}

#[tokio::test]
async fn every_command_that_changes_something_is_logged_with_the_user_who_gave_it() {
    let watched = Watched {
        app: Box::pin(events::shop()).await,
        seen: RefCell::default(),
    };
    let app = &watched.app;
    let terminal = "55000001";
    watched
        .logs(&["merchant", "add", "blumen", "Blumenladen"])
        .await;
    watched
        .logs(&["merchant", "rename", "blumen", "Blumen am Eck"])
        .await;
    watched
        .logs(&["merchant", "confirm-refunds", "blumen", "100"])
        .await;
    watched.logs(&["terminal", "add", terminal, "blumen"]).await;
    watched
        .logs(&["terminal", "set", terminal, "tokenization=no"])
        .await;
    watched.logs(&["terminal", "font", terminal, "none"]).await;
    let shop = origins::Shop::start().await;
    let origin = shop.origin.as_str();
    let told = watched
        .logs(&["terminal", "origin", "add", terminal, origin])
        .await;
    shop.serves(StatusCode::OK, told.lines().nth(1).unwrap());
    watched
        .logs(&["terminal", "origin", "verify", terminal, origin])
        .await;
    watched
        .logs(&["terminal", "origin", "remove", terminal, origin])
        .await;
    watched.logs(&["notify", terminal, "none"]).await;
    let (key, _) = made(&watched.logs(&["keys", "new", terminal]).await);
    let (next, _) = made(&watched.logs(&["keys", "rotate", &key]).await);
    watched.logs(&["keys", "revoke", &next]).await;
    let (secret, _) = made(&watched.logs(&["secrets", "new", terminal]).await);
    watched.logs(&["secrets", "revoke", &secret]).await;
    watched.logs(&["card-keys", "rotate"]).await;
    let current = "SELECT key_id FROM card_key WHERE ends_ms IS NULL";
    let card_key = app.texts(current).await.remove(0);
    watched.logs(&["card-keys", "revoke", &card_key]).await;
    let otto = "otto@shop.example";
    watched
        .logs(&["members", "add", "blumen", otto, "viewer", "Otto"])
        .await;
    watched.logs(&["members", "password", otto]).await;
    Box::pin(has_second_factor_and_account(app, otto)).await;
    watched.logs(&["members", "factor-reset", otto]).await;
    watched.logs(&["members", "account-reset", otto]).await;
    watched.logs(&["members", "disable", otto]).await;
    watched.logs(&["members", "enable", otto]).await;
    let config = with_provider(app, "blumen");
    Box::pin(watched.carried_out_with(&config, &["members", "emergency-access", otto])).await;
    app.change("UPDATE notification SET state = 'DELIVERED', attempts = 1")
        .await;
    let told_events = "SELECT event_id FROM notification ORDER BY seq LIMIT 1";
    let event = app.texts(told_events).await.remove(0);
    watched.logs(&["events", "resend", &event]).await;
    disputes(&watched).await;
    let rotated = watched.logs(&["vault", "rotate"]).await;
    let former = rotated.split(' ').nth(5).unwrap();
    watched.logs(&["vault", "reencrypt"]).await;
    app.clock.advance(Duration::from_secs(61));
    Box::pin(payframe_gateway::maintenance::run_due_work(&app.app)).await;
    watched.logs(&["vault", "retire", former]).await;
    let mapping = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../examples/settlement/mapping.toml"
    );
    let clearing = mapping.replace("mapping.toml", "clearing.csv");
    let file = ["--mapping", mapping, clearing.as_str()];
    let import = ["settlement", "import", "--terminal", terminal];
    watched.logs(&[&import[..], &file].concat()).await;
    let order = app.texts("SELECT order_id FROM merchant_order ORDER BY order_id LIMIT 1");
    let buyer = ["--merchant", "demo", "--order", &order.await.remove(0)];
    watched
        .logs(&[&["privacy", "export"], &buyer[..]].concat())
        .await;
    watched
        .logs(&[&["privacy", "erase", "--confirm"], &buyer[..]].concat())
        .await;
    watched.logs(&["audit", "export"]).await;
    let mut known = watched.seen.take();
    known.extend(WITHOUT_ENTRY.map(|(name, _)| name.to_owned()));
    assert_eq!(known, leaves(&CommandLine::command(), ""));
    let others = app.texts(
        "SELECT COALESCE(os_user, 'nobody') FROM audit_entry WHERE key_id IS NULL GROUP BY COALESCE(os_user, 'nobody')",
    );
    assert_eq!(others.await, [operator::os_user()]);
    Box::pin(command(app, &["audit", "verify"])).await.unwrap();
}
