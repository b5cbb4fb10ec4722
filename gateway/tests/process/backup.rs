//! The tables are copied while buyers pay, and the copy is restored.

use crate::database::TestDatabase;
use crate::http;
use crate::process::{Process, command};
use crate::shop::{APPROVED, merchant, pay, socket};
use payframe_gateway::config::Config;
use payframe_storage::{Store, query};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// The rows of a query: name and value.
async fn asked(store: &Store, question: &'static str) -> BTreeMap<String, String> {
    let rows = store.ask(query(question)).await.unwrap();
    let read =
        |row: &payframe_storage::Row| (row.try_get("name").unwrap(), row.try_get("value").unwrap());
    rows.iter().map(read).collect()
}

/// Pays one order after the other until it is stopped.
fn buy(server: std::net::SocketAddr, name: &str, paid: &AtomicU32, is_over: &AtomicBool) {
    for number in 0.. {
        if is_over.load(Ordering::SeqCst) {
            return;
        }
        assert_eq!(
            pay(server, &format!("{name}-{number}"), APPROVED),
            "EXECUTED"
        );
        paid.fetch_add(1, Ordering::SeqCst);
    }
}

fn wait_for(paid: &AtomicU32, count: u32) {
    while paid.load(Ordering::SeqCst) < count {
        std::thread::yield_now();
    }
}

/// Makes a copy while buyers pay. Returns how many orders of each buyer were paid before the copy began.
fn copied_under_load(data: &Path, to: &Path) -> [u32; 2] {
    let calls = ("PAYFRAME_MERCHANT_CALLS_PER_SECOND", "100000");
    let gateway = Process::start(data, &[calls]);
    let server = socket(&gateway.address);
    let (paid, is_over) = ([0; 2].map(AtomicU32::new), AtomicBool::new(false));
    std::thread::scope(|scope| {
        for (name, paid) in ["anna", "berta"].iter().zip(&paid) {
            scope.spawn(|| buy(server, name, paid, &is_over));
        }
        paid.iter().for_each(|paid| wait_for(paid, 10));
        let before = [0, 1].map(|buyer| paid[buyer].load(Ordering::SeqCst));
        let copied = command(data, &[]).arg("backup").arg(to).output();
        // The payments continued during the copy, and continue after it.
        for (paid, before) in paid.iter().zip(before) {
            wait_for(paid, before + 1);
        }
        is_over.store(true, Ordering::SeqCst);
        let copied = copied.unwrap();
        assert!(
            copied.status.success(),
            "{}",
            String::from_utf8_lossy(&copied.stderr)
        );
        before
    })
}

#[tokio::test]
async fn a_copy_that_is_made_while_buyers_pay_has_every_payment_until_then_and_fits_the_acquirer_database()
 {
    let folder = tempfile::tempdir().unwrap();
    let [data, copy, elsewhere] =
        ["data", "copy", "elsewhere"].map(|name| folder.path().join(name));
    let before = copied_under_load(&data, &copy);
    // Like a restore on another machine: the copy, and the key from a separate place.
    std::fs::rename(&copy, &elsewhere).unwrap();
    assert!(!elsewhere.join("vault.key").exists());
    std::fs::copy(data.join("vault.key"), elsewhere.join("vault.key")).unwrap();
    let config = Config {
        data: elsewhere.clone(),
        ..Config::sandbox()
    };
    let gateway = Process::start(&elsewhere, &[]);
    let server = socket(&gateway.address);
    let store = Store::open(&config.storage()).await.unwrap();
    let operations =
        "SELECT order_id AS name, operation_id AS value FROM operation WHERE result = 'EXECUTED'";
    let operations = asked(&store, operations).await;
    for (name, paid) in ["anna", "berta"].iter().zip(before) {
        for number in 0..paid {
            let order = format!("{name}-{number}");
            assert!(operations.contains_key(&order), "{order} is lost");
        }
    }
    let others =
        "SELECT operation_id AS name, result AS value FROM operation WHERE result <> 'EXECUTED'";
    assert_eq!(asked(&store, others).await, BTreeMap::new());
    let acquirer = payframe_gateway::open_acquirer_db(&config).await.unwrap();
    let charges = "SELECT reference AS name, settlement AS value FROM charge";
    let charges = asked(&acquirer, charges).await;
    let mut charged: Vec<&String> = charges.keys().collect();
    let mut booked: Vec<&String> = operations.values().collect();
    charged.sort();
    booked.sort();
    assert_eq!(
        charged, booked,
        "each payment has its charge, and each charge its payment"
    );
    // The copy can be used for further calls.
    let refund = json!({ "amount": "3545", "currency": "EUR", "description": "came back" });
    let path = format!("/operations/{}/refunds", operations["anna-0"]);
    merchant(server, &path, &refund);
    assert_eq!(pay(server, "after", APPROVED), "EXECUTED");
}

#[test]
fn a_dump_of_a_server_is_brought_back_into_another_database() {
    let [from, to] = [(); 2].map(|()| TestDatabase::make(None));
    let (Some(from), Some(to)) = (&from.url(), &to.url()) else {
        // Without a server there is no dump. The backup command is for files.
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let start = |url: &str| Process::start(folder.path(), &[("DATABASE_URL", url)]);
    let run = |program: &str, words: &[&str]| {
        let ended = Command::new(program).args(words).output().unwrap();
        assert!(
            ended.status.success(),
            "{}",
            String::from_utf8_lossy(&ended.stderr)
        );
    };
    let dump = folder.path().join("payframe.dump");
    let dump = dump.to_str().unwrap();
    let gateway = start(from);
    assert_eq!(pay(socket(&gateway.address), "A1", APPROVED), "EXECUTED");
    run("pg_dump", &["--format=custom", "--file", dump, from]);
    assert_eq!(pay(socket(&gateway.address), "later", APPROVED), "EXECUTED");
    drop(gateway);
    run("pg_restore", &["--exit-on-error", "--dbname", to, dump]);
    let gateway = start(to);
    let server = socket(&gateway.address);
    for (order, status) in [("A1", 200), ("later", 404)] {
        let headers = [
            ("x-api-key", "sandbox-implicit"),
            ("correlation-id", "f3f3a3c2-9f06-4b53-8b3c-0d3c1cf6a3a9"),
        ];
        let answer = http::send(server, "GET", &format!("/api/orders/{order}"), &headers, "");
        assert_eq!(answer.unwrap().status, Some(status), "{order}");
    }
    assert_eq!(pay(server, "A2", APPROVED), "EXECUTED");
}

#[test]
fn a_copy_is_made_as_a_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let [nowhere, there] = ["nowhere", "there"].map(|name| folder.path().join(name));
    std::fs::create_dir(&there).unwrap();
    for (settings, to, expected) in [
        (&[][..], &there, "is there already"),
        (
            &[],
            &folder.path().join("copy"),
            "unable to open database file",
        ),
        (
            &[("DATABASE_URL", "postgres://localhost/x")],
            &nowhere,
            "on a server",
        ),
    ] {
        let ended = command(&nowhere, settings)
            .arg("backup")
            .arg(to)
            .output()
            .unwrap();
        let said = String::from_utf8(ended.stderr).unwrap();
        assert!(!ended.status.success() && said.contains(expected), "{said}");
    }
    let left = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 1, "nothing half done stays behind");
}
