//! The audit log cannot be changed unseen: each way to tamper with it is found, and what gateways write is sound.

use super::{Person, added, command};
use crate::harness::TestApp;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::time::Duration;

/// The head of a sound log, and the whole answer.
async fn sound(app: &TestApp) -> (String, String) {
    let told = Box::pin(command(app, &["audit", "verify"])).await.unwrap();
    (head(&told), told)
}

fn head(told: &str) -> String {
    let last = told.lines().last().unwrap();
    last.strip_prefix("head ").unwrap().to_owned()
}

/// What is wrong with a log.
async fn broken(app: &TestApp, words: &[&str]) -> String {
    let refused = Box::pin(command(app, words)).await;
    refused.unwrap_err().to_string()
}

/// A gateway with six entries, of two merchants, of commands and of a member.
async fn with_entries() -> TestApp {
    let app = Box::pin(TestApp::new()).await;
    for words in [
        &["merchant", "add", "blumen", "Blumenladen"][..],
        &["merchant", "rename", "blumen", "Blumen am Eck"],
        &["keys", "new", "91000001"],
        &["secrets", "new", "91000001"],
    ] {
        Box::pin(command(&app, words)).await.unwrap();
    }
    // Two entries: the member is added and logs in.
    Box::pin(Person::logged_in(&app, "ada", "administrator")).await;
    assert_eq!(app.count("SELECT COUNT(*) FROM audit_entry").await, 6);
    app
}

#[tokio::test]
async fn what_gateways_and_commands_wrote_is_one_chain() {
    let app = TestApp::new().await;
    let (empty, told) = sound(&app).await;
    assert!(told.starts_with("0 entries, none changed"), "{told}");
    assert_eq!(empty, "0".repeat(64));
    let app = with_entries().await;
    let (head, told) = sound(&app).await;
    assert!(told.starts_with("6 entries, none changed"), "{told}");
    // Reading changes nothing.
    assert_eq!(sound(&app).await.0, head);
    command(&app, &["keys", "new", "91000001"]).await.unwrap();
    assert_ne!(sound(&app).await.0, head);
}

#[tokio::test]
async fn every_way_to_tamper_is_found_at_its_place() {
    let nth = "(SELECT seq FROM audit_entry ORDER BY seq LIMIT 1 OFFSET";
    let changed =
        |place: u8, what: &str| format!("UPDATE audit_entry SET {what} WHERE seq = {nth} {place})");
    let copied = |place: u8, to: &str, previous: &str| {
        format!(
            "INSERT INTO audit_entry (seq, merchant_id, member_id, address, os_user, at_ms, act, subject, detail, previous_hash, hash) \
             SELECT {to}, merchant_id, member_id, address, os_user, at_ms, act, subject, detail, {previous}, hash FROM audit_entry WHERE seq = {nth} {place})"
        )
    };
    let behind = "(SELECT MAX(seq) + 1 FROM audit_entry)";
    for (statements, sound, expected) in [
        (vec![changed(2, "detail = 'terminal 1'")], 2, "was changed"),
        (vec![changed(1, "merchant_id = 'demo'")], 1, "was changed"),
        (vec![changed(0, "at_ms = at_ms + 1")], 0, "was changed"),
        (vec![changed(3, "os_user = 'somebody'")], 3, "was changed"),
        (vec![changed(5, "address = '192.0.2.1'")], 5, "was changed"),
        (vec![changed(5, "member_id = NULL")], 5, "was changed"),
        (vec![changed(4, "hash = NULL")], 4, "has no hash"),
        (
            vec![format!("DELETE FROM audit_entry WHERE seq = {nth} 2)")],
            2,
            "the entry that it followed was removed or replaced",
        ),
        (
            vec![format!("DELETE FROM audit_entry WHERE seq = {nth} 0)")],
            0,
            "the entry that it followed was removed or replaced",
        ),
        (
            vec![format!("DELETE FROM audit_entry WHERE seq = {nth} 5)")],
            5,
            "the entries behind entry",
        ),
        (
            vec![String::from("DELETE FROM audit_entry")],
            0,
            "the entries behind entry 0 were removed",
        ),
        // Copies of an entry at the end.
        (
            vec![copied(1, behind, "previous_hash")],
            6,
            "follows an earlier entry",
        ),
        (vec![copied(1, behind, "NULL")], 6, "has no hash"),
        // Two entries change places.
        (
            vec![
                changed(5, "seq = 100000"),
                changed(4, "seq = seq + 1"),
                String::from(
                    "UPDATE audit_entry SET seq = (SELECT MAX(seq) - 1 FROM audit_entry WHERE seq < 100000) WHERE seq = 100000",
                ),
            ],
            4,
            "one of the two was moved",
        ),
        // One goes to the end.
        (
            vec![changed(2, "seq = 100000")],
            2,
            "one of the two was moved",
        ),
    ] {
        let app = with_entries().await;
        for statement in &statements {
            app.change(statement.clone().leak()).await;
        }
        let told = broken(&app, &["audit", "verify"]).await;
        assert!(told.contains(expected), "{statements:?}: {told}");
        let sound = match sound {
            1 => String::from("(1 entry before that is as it was written)"),
            _ => format!("({sound} entries before that are as they were written)"),
        };
        assert!(told.contains(&sound), "{statements:?}: {told}");
    }
}

/// What the hash of an entry is made of, as the documentation says.
fn hash_of(line: &Value) -> String {
    let array = json!([
        "payframe audit 1",
        line["previousHash"],
        line["merchantId"],
        line["memberId"],
        line["address"],
        line["osUser"],
        line["atMs"],
        line["act"],
        line["subject"],
        line["detail"],
    ]);
    let digest = Sha256::digest(array.to_string());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

async fn exported(app: &TestApp, after: &str) -> Vec<Value> {
    let told = Box::pin(command(app, &["audit", "export", "--after", after])).await;
    let read = |line: &str| serde_json::from_str(line).unwrap();
    told.unwrap().lines().map(read).collect()
}

/// Somebody who writes to the database and computes the hashes, too.
#[tokio::test]
async fn entries_with_computed_hashes_are_found_where_the_chain_goes_on() {
    let app = with_entries().await;
    let mut forged = exported(&app, "0").await.remove(2);
    forged["detail"] = json!("terminal 1");
    let hash = hash_of(&forged);
    let number = forged["number"].as_i64().unwrap();
    app.change(
        format!(
            "UPDATE audit_entry SET detail = 'terminal 1', hash = '{hash}' WHERE seq = {number}"
        )
        .leak(),
    )
    .await;
    let told = broken(&app, &["audit", "verify"]).await;
    let next = format!(
        "before entry {}, the entry that it followed was removed or replaced",
        number + 1
    );
    assert!(told.contains(&next), "{told}");
}

/// At the end nothing goes on, but a gateway has noted which entry was its last.
#[tokio::test]
async fn an_entry_that_continues_the_chain_without_a_gateway_is_found() {
    let app = with_entries().await;
    let mut forged = exported(&app, "0").await.remove(2);
    forged["previousHash"] = json!(sound(&app).await.0);
    let insert = |hash: &str, previous: &str| {
        format!(
            "INSERT INTO audit_entry (seq, merchant_id, os_user, at_ms, act, subject, detail, previous_hash, hash) \
             SELECT MAX(seq) + 1, 'demo', '{}', {}, '{}', '{}', '{}', '{previous}', '{hash}' FROM audit_entry",
            forged["osUser"].as_str().unwrap(),
            forged["atMs"],
            forged["act"].as_str().unwrap(),
            forged["subject"].as_str().unwrap(),
            forged["detail"].as_str().unwrap(),
        )
    };
    let previous = forged["previousHash"].as_str().unwrap();
    app.change(insert(&hash_of(&forged), previous).leak()).await;
    let told = broken(&app, &["audit", "verify"]).await;
    assert!(
        told.contains("is behind the newest that a gateway wrote"),
        "{told}"
    );
}

/// It follows an entry that has another one behind it.
#[tokio::test]
async fn an_entry_that_follows_an_earlier_one_is_found() {
    let app = with_entries().await;
    let mut lines = exported(&app, "0").await;
    lines[3]["previousHash"] = lines[1]["hash"].clone();
    let (hash, previous) = (hash_of(&lines[3]), lines[1]["hash"].as_str().unwrap());
    let number = lines[3]["number"].as_i64().unwrap();
    app.change(
        format!("UPDATE audit_entry SET hash = '{hash}', previous_hash = '{previous}' WHERE seq = {number}")
            .leak(),
    )
    .await;
    let told = broken(&app, &["audit", "verify"]).await;
    assert!(told.contains("follows an earlier entry"), "{told}");
}

#[tokio::test]
async fn an_earlier_head_proves_that_nothing_before_it_is_gone() {
    let app = with_entries().await;
    let (earlier, _) = sound(&app).await;
    command(&app, &["keys", "new", "91000001"]).await.unwrap();
    let (later, _) = sound(&app).await;
    for (asked, expected) in [
        (
            &earlier,
            "the head of 6 entries, which are still there; 1 follows",
        ),
        (
            &later,
            "the head of 7 entries, which are still there; 0 follow",
        ),
    ] {
        let told = command(&app, &["audit", "verify", "--head", asked]).await;
        let told = told.unwrap();
        assert!(told.contains(expected), "{told}");
        assert_eq!(head(&told), later);
    }
    // The newest entry and what the database knows of it are gone: only the head from before shows it.
    app.change("DELETE FROM audit_entry WHERE seq = (SELECT MAX(seq) FROM audit_entry)")
        .await;
    app.change(
        "UPDATE audit_head SET hash = (SELECT hash FROM audit_entry ORDER BY seq DESC LIMIT 1)",
    )
    .await;
    assert_eq!(sound(&app).await.0, earlier);
    let told = broken(&app, &["audit", "verify", "--head", &later]).await;
    assert!(
        told.contains("no entry has the hash that was asked for"),
        "{told}"
    );
    command(&app, &["audit", "verify", "--head", &earlier])
        .await
        .unwrap();
    for asked in ["", "abc", &later.to_uppercase(), &later[1..]] {
        let told = broken(&app, &["audit", "verify", "--head", asked]).await;
        assert!(told.contains("a head has 64 digits"), "{told}");
    }
}

#[tokio::test]
async fn entries_from_before_there_were_hashes_are_covered_by_the_first_hash() {
    let add = "INSERT INTO audit_entry (merchant_id, at_ms, act, subject, detail) VALUES ('demo', 1, 'MAKE_KEY', 'a', '')";
    let old = async || {
        let app = TestApp::new().await;
        for _ in 0..3 {
            app.change(add).await;
        }
        app
    };
    let app = old().await;
    let (before, told) = sound(&app).await;
    assert!(
        told.contains("the first 3 are from before entries had hashes"),
        "{told}"
    );
    command(&app, &["keys", "new", "91000001"]).await.unwrap();
    let (_, told) = sound(&app).await;
    assert!(told.starts_with("4 entries"), "{told}");
    command(&app, &["audit", "verify", "--head", &before])
        .await
        .unwrap();
    let second = "seq = (SELECT MIN(seq) + 1 FROM audit_entry)";
    for tampering in [
        format!("UPDATE audit_entry SET subject = 'b' WHERE {second}"),
        format!("DELETE FROM audit_entry WHERE {second}"),
        String::from(
            "INSERT INTO audit_entry (seq, merchant_id, at_ms, act, subject, detail) VALUES (0, 'demo', 1, 'MAKE_KEY', 'a', '')",
        ),
    ] {
        let app = old().await;
        command(&app, &["keys", "new", "91000001"]).await.unwrap();
        app.change(tampering.clone().leak()).await;
        let told = broken(&app, &["audit", "verify"]).await;
        assert!(
            told.contains("the entries before it are not those of then"),
            "{tampering}: {told}"
        );
    }
    // Behind the first hash, none is without.
    app.change(add).await;
    let told = broken(&app, &["audit", "verify"]).await;
    assert!(told.contains("has no hash"), "{told}");
}

/// Each command opens the database by itself, as a process of its own does.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn entries_that_are_written_at_once_are_one_chain() {
    let app = TestApp::new().await;
    let ada = Person::logged_in(&app, "ada", "administrator").await;
    let [one, two, three, four] =
        ["1", "2", "3", "4"].map(|name| ["merchant", "add", name, "Shop"]);
    for _ in 0..3 {
        let keys = || command(&app, &["keys", "new", "91000001"]);
        let fields = [("terminal", "91000001")];
        let (a, b, c, d, made, again) = tokio::join!(
            keys(),
            keys(),
            keys(),
            keys(),
            ada.post("/office/keys", &fields),
            ada.post("/office/keys", &fields),
        );
        for told in [a, b, c, d] {
            told.unwrap();
        }
        assert_eq!((made.status, again.status), (200, 200));
    }
    let (a, b, c, d) = tokio::join!(
        command(&app, &one),
        command(&app, &two),
        command(&app, &three),
        command(&app, &four),
    );
    for told in [a, b, c, d] {
        told.unwrap();
    }
    let (_, told) = sound(&app).await;
    assert!(told.starts_with("24 entries"), "{told}");
}

#[tokio::test]
async fn entries_are_exported_as_lines_that_anybody_can_check() {
    let app = with_entries().await;
    let lines = exported(&app, "0").await;
    let mut previous = json!("0".repeat(64));
    for line in &lines {
        assert_eq!(line["previousHash"], previous);
        assert_eq!(line["hash"], hash_of(line));
        previous = line["hash"].clone();
    }
    assert_eq!(previous, sound(&app).await.0);
    let added = &lines[0];
    assert_eq!(added["act"], "ADD_MERCHANT");
    assert_eq!(added["merchantId"], "blumen");
    assert_eq!(added["at"], "2026-11-20T10:00:00.000Z");
    let logged_in = &lines[5];
    assert_eq!(logged_in["memberName"], "ada");
    assert_eq!(logged_in["osUser"], Value::Null);
    // The next time, only what is new.
    let fifth = lines[4]["number"].to_string();
    assert_eq!(exported(&app, &fifth).await, lines[5..]);
    let last = lines.last().unwrap()["number"].to_string();
    assert_eq!(exported(&app, &last).await, Vec::<Value>::new());
}

#[tokio::test]
async fn an_export_leaves_an_entry_for_each_merchant_once_in_an_hour() {
    let app = with_entries().await;
    let readings = |lines: &[Value]| {
        let mut of: Vec<String> = lines
            .iter()
            .filter(|line| line["act"] == "READ_AUDIT_LOG")
            .map(|line| format!("{} {}", line["merchantId"], line["subject"]))
            .collect();
        of.sort();
        of
    };
    let merchants = app.count("SELECT COUNT(*) FROM merchant").await;
    let lines = exported(&app, "0").await;
    let first = readings(&lines);
    assert_eq!(i64::try_from(first.len()).unwrap(), merchants);
    assert!(first.contains(&String::from(r#""demo" "export after 0""#)));
    assert_eq!(lines.len(), 6 + first.len());
    app.clock.advance(Duration::from_secs(3599));
    assert_eq!(readings(&exported(&app, "0").await), first);
    app.clock.advance(Duration::from_secs(1));
    let again = exported(&app, "0").await;
    assert_eq!(readings(&again).len(), 2 * first.len());
    sound(&app).await;
}

#[tokio::test]
async fn reading_the_log_leaves_an_entry_for_each_log_in_once_in_an_hour() {
    let app = TestApp::new().await;
    let ada = Box::pin(Person::logged_in(&app, "ada", "administrator")).await;
    let readings = async || {
        let of = "SELECT m.name || ' ' || a.address FROM audit_entry a JOIN member m ON m.member_id = a.member_id \
                  WHERE a.act = 'READ_AUDIT_LOG' ORDER BY a.seq";
        app.texts(of).await
    };
    let page = ada.get("/office/audit").await.text();
    let what = "<td data-label=\"What\">Read the audit log</td>";
    assert!(page.contains(what), "{page}");
    for query in ["", "?act=LOG_IN", "?before=1"] {
        ada.get(&format!("/office/audit{query}")).await;
    }
    assert_eq!(readings().await.len(), 1);
    // Each log-in reads for itself.
    let eva = Box::pin(Person::logged_in(&app, "eva", "administrator")).await;
    eva.get("/office/audit").await;
    assert_eq!(readings().await.len(), 2);
    for _ in 0..5 {
        app.clock.advance(Duration::from_secs(12 * 60));
        ada.get("/office/audit").await;
    }
    let readers = readings().await;
    assert_eq!(readers.len(), 3, "{readers:?}");
    assert!(readers[2].starts_with("ada "), "{readers:?}");
    // Who may not read it leaves none.
    let otto = Box::pin(Person::logged_in(&app, "otto", "operator")).await;
    assert_eq!(otto.get("/office/audit").await.status, 403);
    assert_eq!(readings().await.len(), 3);
    sound(&app).await;
}

#[tokio::test]
async fn one_entry_is_called_one() {
    let app = TestApp::new().await;
    command(&app, &["keys", "new", "91000001"]).await.unwrap();
    let (head, told) = sound(&app).await;
    assert!(told.starts_with("1 entry, none changed"), "{told}");
    let asked = ["audit", "verify", "--head", &head];
    let told = command(&app, &asked).await.unwrap();
    let words = "the head of 1 entry, which is still there; 0 follow\n";
    assert!(told.contains(words), "{told}");
}

#[tokio::test]
async fn an_entry_names_the_address_of_the_browser_or_the_user_of_the_machine() {
    let app = TestApp::with(|config| config.proxies = 1).await;
    let from = [("x-forwarded-for", "198.51.100.7")];
    let email = "ada@shop.example";
    let password = added(
        &app,
        &["members", "add", "demo", email, "administrator", "Ada"],
    )
    .await;
    let ada = Person::new(&app);
    let wrong = [("email", email), ("password", "a guess")];
    ada.send("/office/login", &wrong, &from).await;
    let right = [("email", email), ("password", password.as_str())];
    ada.send("/office/login", &right, &from).await;
    ada.take_token().await;
    let token = ada.token();
    let fields = [("token", token.as_str()), ("terminal", "91000001")];
    let answer = ada.send("/office/keys", &fields, &from).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    // From another place, and from one that a proxy does not tell.
    let elsewhere = [("x-forwarded-for", "2001:db8::1")];
    ada.send("/office/keys", &fields, &elsewhere).await;
    ada.send("/office/keys", &fields, &[]).await;
    let of_members = app.texts(
        "SELECT act || ' ' || address FROM audit_entry WHERE member_id IS NOT NULL AND os_user IS NULL ORDER BY seq",
    );
    assert_eq!(
        of_members.await,
        [
            "LOG_IN_REFUSED 198.51.100.7",
            "LOG_IN 198.51.100.7",
            "MAKE_KEY 198.51.100.7",
            "MAKE_KEY 2001:db8::1",
            "MAKE_KEY ",
        ]
    );
    let of_commands =
        app.texts("SELECT os_user FROM audit_entry WHERE member_id IS NULL AND address IS NULL");
    let user = payframe_gateway::operator::os_user();
    assert_eq!(of_commands.await, std::slice::from_ref(&user));
    let page = ada.get("/office/audit").await.text();
    let by = format!("Command on the gateway, by {user}");
    for words in ["198.51.100.7", "2001:db8::1", "Address unknown", &by] {
        assert!(page.contains(words), "{words}: {page}");
    }
}
