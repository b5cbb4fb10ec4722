//! The vault's keys are rotated while the gateway serves.

use crate::contracts::{charge, creation, pay, result};
use crate::harness::{APPROVED, Answer, TestApp, build, short};
use crate::keys::{command, made, status};
use crate::server_to_server::moto;
use payframe_gateway::config::Config;
use payframe_gateway::operator::CommandError;
use payframe_gateway::{App, router};
use payframe_storage::query;
use serde_json::Value;
use std::task::Poll;
use std::time::Duration;

/// Longer than the time in which no gateway may use a key before it can be retired.
const A_WHILE: Duration = Duration::from_secs(61);

/// What a merchant and a buyer begin, and continue later.
struct Begun {
    session: String,
    api_key: String,
    first_answer: Vec<u8>,
}

impl Begun {
    /// Makes an encrypted value in nearly every column that can have one.
    async fn at(app: &TestApp) -> Begun {
        let created = pay(app, &creation("K-1", "K1", "MIT_UNSCHEDULED"), APPROVED).await;
        assert_eq!(short(&created), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
        let session = app.open(&build("A1")).await;
        app.enter(&session, APPROVED).await;
        let new = ["secrets", "new", "91000001"];
        command(app, &new).await.unwrap();
        let key = command(app, &["keys", "new", "91000001"]).await.unwrap();
        Begun {
            session,
            api_key: made(&key).1,
            first_answer: repeated(app).await.bytes,
        }
    }

    /// Everything continues as before.
    async fn goes_on(self, app: &TestApp) {
        let paid = app.finalize(&self.session).await;
        assert_eq!(short(&paid), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
        let charged = charge(app, "K-2", "K1").await.ok();
        assert_eq!(result(&charged), "AUTHORIZATION/EXECUTED");
        assert_eq!(status(app, &self.api_key).await, 200);
        let again = repeated(app).await;
        assert_eq!(again.header("idempotency-replayed"), Some("true"));
        assert_eq!(again.bytes, self.first_answer);
    }
}

/// A call that always has the same key.
async fn repeated(app: &TestApp) -> Answer {
    let key = [("idempotency-key", "always-the-same")];
    let call = app.merchant();
    call.post_with("/orders/build", &build("R1"), &key).await
}

async fn vault(app: &TestApp, words: &[&str]) -> Result<String, CommandError> {
    command(app, &[&["vault"], words].concat()).await
}

/// The keys as `vault list` prints them: id, use, number of values.
async fn listed(app: &TestApp) -> Vec<[String; 3]> {
    let list = vault(app, &["list"]).await.unwrap();
    let lines = list
        .lines()
        .skip(1)
        .filter(|line| !line.contains(" more: "));
    let line = |line: &str| {
        let mut words = line.split_whitespace().map(str::to_owned);
        [(); 3].map(|()| words.next().unwrap())
    };
    lines.map(line).collect()
}

/// Many payments, each in one call.
fn payments(of: &str, count: u32) -> Vec<(Value, String)> {
    let one = |number| {
        let order = format!("{of}{number}");
        (moto(&order, APPROVED), format!("key of {order}"))
    };
    (0..count).map(one).collect()
}

async fn patient() -> TestApp {
    TestApp::with(|config| config.merchant_calls_per_second = 10_000).await
}

#[tokio::test]
async fn a_key_follows_another_while_payments_run() {
    let app = patient().await;
    let begun = Begun::at(&app).await;
    let [[old, seals, values]] = listed(&app).await.try_into().unwrap();
    assert!(
        seals == "seals" && values.parse::<u32>().unwrap() > 5,
        "{values}"
    );
    let before = payments("before-", 60);
    let before = app.all_at_once("sandbox-implicit", "/orders/moto", &before);
    let (answers, rotated) = tokio::join!(before, vault(&app, &["rotate"]));
    rotated.unwrap();
    assert!(answers.iter().all(|answer| answer.status == 200));
    payframe_gateway::maintenance::run_due_work(&app.app).await;
    let during = payments("during-", 60);
    let during = app.all_at_once("sandbox-implicit", "/orders/moto", &during);
    let (answers, reencrypted) = tokio::join!(during, vault(&app, &["reencrypt"]));
    assert!(answers.iter().all(|answer| answer.status == 200));
    let keys = listed(&app).await;
    let new = keys[0][0].clone();
    assert_eq!(
        reencrypted.unwrap(),
        format!("everything is encrypted with {new}\n")
    );
    assert_eq!(keys[1], [old.clone(), "opens".to_owned(), "0".to_owned()]);
    // As far as the command knows, the gateway used the old key a moment ago.
    let refused = vault(&app, &["retire", &old])
        .await
        .unwrap_err()
        .to_string();
    assert!(refused.ends_with("within the last minute"), "{refused}");
    app.clock.advance(A_WHILE);
    payframe_gateway::maintenance::run_due_work(&app.app).await;
    let retired = vault(&app, &["retire", &old]).await.unwrap();
    assert!(retired.contains("vault.retired"), "{retired}");
    let app = app.restarted().await;
    assert_eq!(listed(&app).await[1][..2], [old, "retired".to_owned()]);
    begun.goes_on(&app).await;
    for order in ["before-0", "before-59", "during-0", "during-59"] {
        let paid = app.order(order).await;
        assert_eq!(paid["orderStatus"]["capturedAmount"], "3545", "{order}");
    }
}

#[tokio::test]
async fn keys_can_lie_apart_from_the_data() {
    let apart = tempfile::tempdir().unwrap();
    let file = apart.path().join("payframe.keys");
    let app = TestApp::with(|config| config.vault_key_file = Some(file.clone())).await;
    let begun = Begun::at(&app).await;
    assert!(file.exists() && !app.data().join("vault.key").exists());
    let app = app.restarted().await;
    vault(&app, &["rotate"]).await.unwrap();
    assert_eq!(std::fs::read_to_string(&file).unwrap().lines().count(), 2);
    assert!(!app.data().join("vault.key").exists());
    begun.goes_on(&app).await;
    // Without the file, nobody makes another one in its place.
    std::fs::remove_file(&file).unwrap();
    let mode = app.config().mode;
    assert!(app.reopened(mode).await.is_err());
    assert!(!file.exists() && !app.data().join("vault.key").exists());
}

#[tokio::test]
async fn resealing_can_be_broken_off_anywhere_and_done_again() {
    let app = patient().await;
    let begun = Begun::at(&app).await;
    let many = payments("many-", 120);
    app.all_at_once("sandbox-implicit", "/orders/moto", &many)
        .await;
    vault(&app, &["rotate"]).await.unwrap();
    payframe_gateway::maintenance::run_due_work(&app.app).await;
    for polls in [1, 2, 5, 10, 20, 40, 60] {
        let words = ["reencrypt"];
        let mut resealing = std::pin::pin!(vault(&app, &words));
        for _ in 0..polls {
            if let Poll::Ready(done) = futures_util::poll!(&mut resealing) {
                done.unwrap();
                break;
            }
            tokio::task::yield_now().await;
        }
    }
    vault(&app, &["reencrypt"]).await.unwrap();
    let [new, old] = listed(&app).await.try_into().unwrap();
    assert_eq!((new[1].as_str(), old[2].as_str()), ("seals", "0"));
    begun.goes_on(&app.restarted().await).await;
}

#[tokio::test]
async fn processes_that_change_their_key_one_after_the_other_read_each_other() {
    let [old, new] = [
        "b2xkIG9sZCBvbGQgb2xkIG9sZCBvbGQgb2xkIG9sZCE=",
        "bmV3IG5ldyBuZXcgbmV3IG5ldyBuZXcgbmV3IG5ldyE=",
    ];
    let keys = |config: &mut Config, key: &str, others: Option<&str>| {
        config.vault_key = Some(key.to_owned());
        config.vault_old_keys = others.map(str::to_owned);
    };
    // Both know both keys; one already encrypts with the new one.
    let mut app = TestApp::with(|config| keys(config, old, Some(new))).await;
    let first = router(app.app.clone());
    let mut ahead = app.config().clone();
    keys(&mut ahead, new, Some(old));
    let second = router(App::open(ahead.clone(), app.clock.clone()).await.unwrap());
    let mut sessions = Vec::new();
    for (order, process) in [("A1", &first), ("A2", &second)] {
        app.router = process.clone();
        let session = app.open(&build(order)).await;
        app.enter(&session, APPROVED).await;
        sessions.push(session);
    }
    for (session, process) in sessions.iter().zip([&second, &first]) {
        app.router = process.clone();
        let paid = app.finalize(session).await;
        assert_eq!(short(&paid), "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED");
    }
    // The first one gets the new key too; then the old one can be removed.
    let words = |words: &'static [&'static str]| {
        let (config, clock) = (ahead.clone(), app.clock.clone());
        async move { payframe_gateway::operator::command(&config, &clock, words).await }
    };
    words(&["vault", "reencrypt"]).await.unwrap();
    let list = words(&["vault", "list"]).await.unwrap();
    let old_id = list
        .lines()
        .nth(2)
        .unwrap()
        .split(' ')
        .next()
        .unwrap()
        .to_owned();
    let retire: &'static [&'static str] = vec!["vault", "retire", String::leak(old_id)].leak();
    assert!(words(retire).await.is_err());
    app.clock.advance(A_WHILE);
    words(retire).await.unwrap();
    let rotate = words(&["vault", "rotate"]).await.unwrap_err().to_string();
    assert!(rotate.contains("PAYFRAME_VAULT_KEY"), "{rotate}");
    let behind = App::open(app.config().clone(), app.clock.clone()).await;
    let why = behind.err().unwrap().to_string();
    assert!(why.contains("is retired"), "{why}");
    ahead.vault_old_keys = None;
    app.router = router(App::open(ahead, app.clock.clone()).await.unwrap());
    assert_eq!(
        app.order("A1").await["orderStatus"]["capturedAmount"],
        "3545"
    );
}

#[tokio::test]
async fn what_was_encrypted_before_keys_had_ids_is_read_and_sealed_anew() {
    let app = TestApp::new().await;
    let begun = Begun::at(&app).await;
    for cut in [
        "UPDATE sealed_card SET sealed = substr(sealed, 9)",
        "UPDATE contract SET sealed_card = substr(sealed_card, 9)",
        "UPDATE stored_answer SET sealed_body = substr(sealed_body, 9)",
        "UPDATE vault_content SET sealed = substr(sealed, 9)",
    ] {
        assert!(
            app.app.store().change(query(cut)).await.unwrap() > 0,
            "{cut}"
        );
    }
    let app = app.restarted().await;
    let list = vault(&app, &["list"]).await.unwrap();
    assert!(list.contains(" more: from before keys had ids"), "{list}");
    vault(&app, &["reencrypt"]).await.unwrap();
    let list = vault(&app, &["list"]).await.unwrap();
    assert!(!list.contains(" more: "), "{list}");
    begun.goes_on(&app).await;
}

#[tokio::test]
async fn a_key_that_is_needed_is_not_retired() {
    let app = TestApp::new().await;
    let begun = Begun::at(&app).await;
    let [[old, ..]] = listed(&app).await.try_into().unwrap();
    let refused = |problem: CommandError| problem.to_string();
    let why = refused(vault(&app, &["retire", &old]).await.unwrap_err());
    assert!(why.ends_with("new values are encrypted with it"), "{why}");
    vault(&app, &["rotate"]).await.unwrap();
    app.clock.advance(A_WHILE);
    let why = refused(vault(&app, &["retire", &old]).await.unwrap_err());
    assert!(why.contains("values are encrypted with it"), "{why}");
    let why = refused(vault(&app, &["retire", "0123"]).await.unwrap_err());
    assert!(why.starts_with("the vault has no key 0123"), "{why}");
    begun.goes_on(&app).await;
}
