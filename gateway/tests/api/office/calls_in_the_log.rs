//! What a merchant's server changes after a payment is in the audit log: which key, from where, what; once for each change, and nothing
//! of payments.

use super::{Person, command};
use crate::actions::{paid, paid_by};
use crate::contracts::{creation, pay};
use crate::harness::{APPROVED, Answer, TestApp, build};
use crate::links::{id_of, link_for};
use crate::reservations::{self, reservation};
use crate::server_to_server::moto;
use serde_json::{Value, json};

const IMPLICIT: &str = "sandbox-implicit";
const EXPLICIT: &str = "sandbox-explicit";
const SERVER: &str = "192.0.2.10";

async fn behind_a_proxy() -> TestApp {
    TestApp::with(|config| config.proxies = 1).await
}

/// A call of a merchant's server, from its address.
async fn call(app: &TestApp, api_key: &str, path: &str, body: &Value) -> Answer {
    let key = uuid::Uuid::new_v4().to_string();
    with_key(app, api_key, path, body, &key).await
}

async fn with_key(app: &TestApp, api_key: &str, path: &str, body: &Value, key: &str) -> Answer {
    let headers = [("idempotency-key", key), ("x-forwarded-for", SERVER)];
    app.key(api_key).post_with(path, body, &headers).await
}

fn euros(amount_minor: &str) -> Value {
    json!({ "amount": amount_minor, "currency": "EUR" })
}

/// The entries of calls, oldest first.
async fn entries(app: &TestApp) -> Vec<String> {
    let of_keys = "SELECT act || ' ' || subject || ': ' || detail FROM audit_entry WHERE key_id IS NOT NULL ORDER BY seq";
    app.texts(of_keys).await
}

#[tokio::test]
async fn money_that_a_key_moves_is_noted_once_with_key_and_address() {
    let app = behind_a_proxy().await;
    let operation = paid(&app, IMPLICIT, "A1", "EUR").await;
    assert!(entries(&app).await.is_empty());
    let refunds = format!("/operations/{operation}/refunds");
    for _ in 0..2 {
        let answer = with_key(&app, IMPLICIT, &refunds, &euros("500"), "again").await;
        answer.ok();
    }
    // Refused: nothing changes, and nothing is noted.
    let refused = call(&app, IMPLICIT, &refunds, &euros("999999")).await;
    assert_eq!(refused.status, 400);
    let held = paid(&app, EXPLICIT, "A2", "EUR").await;
    let captures = format!("/operations/{held}/captures");
    let captured = call(&app, EXPLICIT, &captures, &euros("4000")).await.ok();
    let captured = captured["operationId"].as_str().unwrap().to_owned();
    let cancels = format!("/operations/{captured}/cancels");
    call(&app, EXPLICIT, &cancels, &json!({})).await.ok();
    let release = format!("/operations/{held}/refunds");
    call(&app, EXPLICIT, &release, &euros("10000")).await.ok();
    assert_eq!(
        entries(&app).await,
        [
            format!("REFUND order A1: Refund €5.00 of operation {operation}"),
            format!("CAPTURE order A2: Capture €40.00 of operation {held}"),
            format!("CANCEL order A2: Cancel €40.00 of operation {captured}"),
            format!("REFUND order A2: Release €100.00 of operation {held}"),
        ]
    );
    let by = "SELECT DISTINCT key_id || ' ' || address FROM audit_entry WHERE key_id IS NOT NULL ORDER BY 1";
    let by = app.texts(by).await;
    let keys = command(&app, &["keys", "list"]).await.unwrap();
    assert_eq!(by.len(), 2, "one for each key: {by:?}");
    for author in &by {
        let (id, address) = author.split_once(' ').unwrap();
        assert!(id.len() == 12 && keys.contains(id), "{keys}");
        assert_eq!(address, SERVER);
    }
    let told = command(&app, &["audit", "verify"]).await.unwrap();
    assert!(told.starts_with("4 entries, none changed"), "{told}");
    // A change of the key is found, as a change of everything else.
    app.change("UPDATE audit_entry SET key_id = 'k3v9x0a1b2c3' WHERE act = 'CAPTURE'")
        .await;
    let broken = command(&app, &["audit", "verify"]).await;
    let broken = broken.unwrap_err().to_string();
    assert!(broken.contains("was changed"), "{broken}");
}

#[tokio::test]
async fn an_increment_and_what_is_done_to_a_reservation_are_noted() {
    let app = behind_a_proxy().await;
    let held = paid_by(&app, IMPLICIT, "A1", "EUR", "PREAUTH", APPROVED).await;
    let mut body = euros("1000");
    body["originalOperationId"] = json!(held);
    for _ in 0..2 {
        let answer = with_key(&app, IMPLICIT, "/incrementals", &body, "again").await;
        answer.ok();
    }
    let original =
        reservations::paid(&app, &reservation("R1", "GUARANTEED_NOSHOW"), APPROVED).await;
    app.pass(5 * 86_400 + 9 * 3_600).await;
    let mut body = euros("10001");
    body["originalOperationId"] = json!(original);
    for _ in 0..2 {
        with_key(&app, IMPLICIT, "/no_shows", &body, "no show")
            .await
            .ok();
    }
    reservations::paid(&app, &reservation("R2", "GUARANTEED_NOSHOW"), APPROVED).await;
    for _ in 0..2 {
        let path = "/reservations/R2/cancels";
        call(&app, IMPLICIT, path, &json!({})).await.ok();
    }
    assert_eq!(
        entries(&app).await,
        [
            format!("INCREMENT order A1: Hold more: €10.00 of operation {held}"),
            String::from("CHARGE_RESERVATION reservation R1: Charge €100.01"),
            String::from("CANCEL_RESERVATION reservation R2: "),
        ]
    );
}

#[tokio::test]
async fn contracts_links_and_disputes_are_noted_when_they_change() {
    let app = behind_a_proxy().await;
    let created = pay(&app, &creation("A1", "K1", "CIT"), APPROVED).await;
    let operation = created["operation"]["operationId"].as_str().unwrap();
    let link = link_for(&app, "A2").await;
    let id = id_of(&link);
    let dispute = json!({ "operationId": operation });
    let dispute = app.merchant().post("/test/disputes", &dispute).await.ok();
    let dispute = dispute["disputeId"].as_str().unwrap();
    assert!(entries(&app).await.is_empty());
    let file = json!({ "name": "parcel.pdf", "content": "JVBERi0xLjcKYQolJUVPRgo=" });
    for (path, body) in [
        (format!("/orders/paybylink/{id}/renewals"), json!({})),
        (format!("/paybylink/{id}/cancels"), json!({})),
        (format!("/paybylink/{id}/cancels"), json!({})),
        (String::from("/contracts/K1/deactivation"), json!({})),
        (String::from("/contracts/K1/deactivation"), json!({})),
        (format!("/disputes/{dispute}/files"), file),
    ] {
        call(&app, IMPLICIT, &path, &body).await.ok();
    }
    let files = app.texts("SELECT file_id FROM dispute_file").await;
    let removal = format!("/disputes/files/{}/removal", files[0]);
    call(&app, IMPLICIT, &removal, &json!({})).await.ok();
    let evidence = json!({ "explanation": "It was she." });
    let submit = format!("/disputes/{dispute}/evidence");
    call(&app, IMPLICIT, &submit, &evidence).await.ok();
    // It was submitted, so it is not accepted any more.
    let accept = format!("/disputes/{dispute}/acceptance");
    assert_eq!(call(&app, IMPLICIT, &accept, &json!({})).await.status, 400);
    assert_eq!(
        entries(&app).await,
        [
            format!("RENEW_LINK order A2: link {id}"),
            format!("REVOKE_LINK order A2: link {id}"),
            String::from("END_CONTRACT contract K1: "),
            format!(
                "ADD_EVIDENCE_FILE dispute {dispute}: file {}, 17 bytes",
                files[0]
            ),
            format!("REMOVE_EVIDENCE_FILE dispute {dispute}: file {}", files[0]),
            format!("SUBMIT_EVIDENCE dispute {dispute}: order A1"),
        ]
    );
}

#[tokio::test]
async fn payments_leave_nothing_and_people_read_which_key_it_was() {
    let app = behind_a_proxy().await;
    call(&app, IMPLICIT, "/orders/moto", &moto("A1", APPROVED))
        .await
        .ok();
    let operation = paid(&app, IMPLICIT, "A2", "EUR").await;
    app.open(&build("A3")).await;
    assert_eq!(app.count("SELECT count(*) FROM audit_entry").await, 0);
    let refunds = format!("/operations/{operation}/refunds");
    call(&app, IMPLICIT, &refunds, &euros("500")).await.ok();
    let ids = app.texts("SELECT key_id FROM audit_entry").await;
    let ada = Person::logged_in(&app, "ada", "administrator").await;
    let page = ada.get("/office/audit").await.text();
    for words in [
        &format!("API key {}", ids[0]),
        SERVER,
        "Refunded or released",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
    let lines = command(&app, &["audit", "export"]).await.unwrap();
    let first: Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    assert_eq!(first["keyId"], json!(ids[0]));
    assert_eq!(
        (&first["memberId"], &first["osUser"]),
        (&Value::Null, &Value::Null)
    );
    let second: Value = serde_json::from_str(lines.lines().nth(1).unwrap()).unwrap();
    assert_eq!(second.get("keyId"), None, "only a call has one");
    let told = command(&app, &["audit", "verify"]).await.unwrap();
    assert!(told.contains("none changed"), "{told}");
}
