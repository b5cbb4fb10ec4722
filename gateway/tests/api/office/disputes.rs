//! Disputes in the back office: found, answered with texts and files, accepted; and who may.

use super::{Person, field};
use crate::actions::paid;
use crate::harness::TestApp;
use serde_json::{Value, json};

const PDF: &[u8] = b"%PDF-1.7\nparcel\n%%EOF\n";

/// A gateway with a dispute of the whole order A1; also gives the dispute's id.
async fn disputed() -> (TestApp, String) {
    let app = TestApp::new().await;
    let operation = paid(&app, "sandbox-implicit", "A1", "EUR").await;
    let body = json!({ "operationId": operation, "category": "NOT_RECEIVED" });
    let opened = app.merchant().post("/test/disputes", &body).await.ok();
    let id = opened["disputeId"].as_str().unwrap().to_owned();
    (app, id)
}

async fn read(app: &TestApp, id: &str) -> Value {
    app.merchant().get(&format!("/disputes/{id}")).await.ok()
}

async fn acts(app: &TestApp) -> Vec<String> {
    let mut acts = app.texts("SELECT act FROM audit_entry ORDER BY seq").await;
    acts.retain(|act| act.contains("DISPUTE") || act.contains("EVIDENCE"));
    acts
}

#[tokio::test]
async fn a_dispute_is_found_and_answered_with_texts_and_files() {
    let (app, id) = disputed().await;
    let olaf = Person::logged_in(&app, "olaf", "operator").await;
    let path = format!("/office/disputes/{id}");
    for query in ["", "?state=NEEDS_RESPONSE&order=A1"] {
        let list = olaf.get(&format!("/office/disputes{query}")).await.text();
        for expected in [
            path.as_str(),
            "Needs response",
            "Goods not received",
            "€100.00",
            "30 Nov 2026",
        ] {
            assert!(list.contains(expected), "{expected}: {list}");
        }
    }
    for query in ["state=WON", "order=A2"] {
        let list = olaf.get(&format!("/office/disputes?{query}")).await.text();
        assert!(list.contains("No dispute fits"), "{query}: {list}");
    }
    for query in ["state=OPEN", "after=7"] {
        let list = olaf.get(&format!("/office/disputes?{query}")).await;
        assert_eq!(list.status, 400, "{query}");
    }
    let order = olaf.get("/office/orders/A1").await.text();
    assert!(
        order.contains(&path) && order.contains("Disputed"),
        "{order}"
    );

    let page = olaf.get(&path).await;
    let key = field(&page, "key");
    let files = format!("{path}/files");
    let added = olaf
        .upload(&files, &olaf.token(), ("a \u{e4}.pdf", PDF))
        .await;
    assert_eq!(added.status, 303, "{}", added.text());
    let page = olaf.get(&path).await.text();
    assert!(
        page.contains("a \u{e4}.pdf") && page.contains("PDF"),
        "{page}"
    );
    let card = [
        ("key", key.as_str()),
        ("goods", "card 4761 7300 0000 0003"),
        ("delivery", "by parcel"),
    ];
    let evidence = format!("{path}/evidence");
    let refused = olaf.post(&evidence, &card).await;
    assert_eq!(refused.status, 400);
    let again = refused.text();
    assert!(again.contains("This holds a card number"), "{again}");
    assert!(again.contains("by parcel"), "{again}");
    assert_eq!(read(&app, &id).await["state"], "NEEDS_RESPONSE");
    let good = [("key", key.as_str()), ("delivery", "by parcel <b>7</b>")];
    let sent = olaf.post(&evidence, &good).await;
    assert_eq!(
        sent.header("location"),
        Some(format!("{path}?done=submitted").as_str()),
        "{}",
        sent.text()
    );
    let twice = olaf.post(&evidence, &good).await;
    assert_eq!(
        twice.header("location"),
        Some(format!("{path}?done=before").as_str())
    );
    let dispute = read(&app, &id).await;
    assert_eq!(dispute["state"], "UNDER_REVIEW");
    assert_eq!(dispute["evidence"]["delivery"], "by parcel <b>7</b>");
    let page = olaf.get(&path).await.text();
    assert!(page.contains("by parcel &#60;b&#62;7"), "{page}");
    assert!(!page.contains("Submit the evidence"), "{page}");
    assert_eq!(
        acts(&app).await,
        ["ADD_EVIDENCE_FILE", "SUBMIT_EVIDENCE", "SUBMIT_EVIDENCE"]
    );
}

#[tokio::test]
async fn a_file_is_saved_and_never_shown() {
    let (app, id) = disputed().await;
    let olaf = Person::logged_in(&app, "olaf", "operator").await;
    let path = format!("/office/disputes/{id}");
    let files = format!("{path}/files");
    for (name, content) in [
        ("a.pdf", &b"<html><script>"[..]),
        ("4761730000000003.pdf", PDF),
        ("", b""),
    ] {
        let refused = olaf.upload(&files, &olaf.token(), (name, content)).await;
        assert_eq!(refused.status, 400, "{name}");
    }
    let mut large = PDF.to_vec();
    large.resize(4_500_001, b' ');
    let refused = olaf.upload(&files, &olaf.token(), ("a.pdf", &large)).await;
    assert!(refused.text().contains("at most 4.5 MB"));
    large.pop();
    let added = olaf.upload(&files, &olaf.token(), ("a.pdf", &large)).await;
    assert_eq!(added.status, 303);
    let file = read(&app, &id).await["files"][0]["fileId"]
        .as_str()
        .unwrap()
        .to_owned();
    let file = format!("/office/disputes/files/{file}");
    let saved = olaf.get(&file).await;
    assert_eq!(saved.bytes, large);
    for (name, expected) in [
        ("content-type", "application/pdf"),
        ("content-disposition", "attachment; filename*=UTF-8''a.pdf"),
        ("x-content-type-options", "nosniff"),
        ("cache-control", "no-store"),
    ] {
        assert_eq!(saved.header(name), Some(expected));
    }
    let removed = olaf.post(&format!("{file}/remove"), &[]).await;
    assert_eq!(
        removed.header("location"),
        Some(format!("{path}?done=removed").as_str())
    );
    assert_eq!(olaf.get(&file).await.status, 404);
    assert_eq!(
        acts(&app).await,
        ["ADD_EVIDENCE_FILE", "REMOVE_EVIDENCE_FILE"]
    );
}

#[tokio::test]
async fn a_dispute_is_accepted_after_it_was_confirmed() {
    let (app, id) = disputed().await;
    let olaf = Person::logged_in(&app, "olaf", "operator").await;
    let path = format!("/office/disputes/{id}");
    let accept = format!("{path}/accept");
    assert!(olaf.get(&path).await.text().contains(&accept));
    let asked = olaf.get(&accept).await;
    assert!(asked.text().contains("€100.00"));
    let key = field(&asked, "key");
    let done = olaf.post(&accept, &[("key", &key)]).await;
    assert_eq!(
        done.header("location"),
        Some(format!("{path}?done=accepted").as_str())
    );
    assert_eq!(read(&app, &id).await["state"], "ACCEPTED");
    let late = [("key", "0b0e7c2e-91d5-4d3c-8a9e-2b1c3d4e5f60")];
    let again = olaf.post(&accept, &late).await;
    assert_eq!(again.status, 400);
    let order = olaf.get("/office/orders/A1").await.text();
    assert!(order.contains("Charged back"), "{order}");
    assert!(!order.contains("/REFUND"), "{order}");
}

#[tokio::test]
async fn a_viewer_sees_disputes_and_answers_none_and_others_see_none() {
    let (app, id) = disputed().await;
    let content = json!({ "name": "a.pdf", "content": "JVBERi0xLjcK" });
    let file = app
        .merchant()
        .post(&format!("/disputes/{id}/files"), &content)
        .await
        .ok();
    let file = file["fileId"].as_str().unwrap();
    let file = format!("/office/disputes/files/{file}");
    let path = format!("/office/disputes/{id}");
    let viewer = Person::logged_in(&app, "vera", "viewer").await;
    let page = viewer.get(&path).await.text();
    assert!(
        page.contains("a.pdf") && !page.contains("<textarea"),
        "{page}"
    );
    assert_eq!(viewer.get(&file).await.status, 200);
    let key = [("key", "0b0e7c2e-91d5-4d3c-8a9e-2b1c3d4e5f60")];
    let other = Person::of_merchant(&app, "other", "otto", "operator").await;
    for (person, status) in [(&viewer, 403), (&other, 404)] {
        for post in [
            format!("{path}/evidence"),
            format!("{path}/accept"),
            format!("{file}/remove"),
        ] {
            assert_eq!(person.post(&post, &key).await.status, status, "{post}");
        }
        let files = format!("{path}/files");
        let added = person.upload(&files, &person.token(), ("a.pdf", PDF)).await;
        assert_eq!(added.status, status);
    }
    assert_eq!(other.get(&path).await.status, 404);
    assert_eq!(other.get(&file).await.status, 404);
    assert!(!other.get("/office/disputes").await.text().contains("A1"));
    // A form of another site has no token.
    let olaf = Person::logged_in(&app, "olaf", "operator").await;
    let forged = olaf
        .upload(&format!("{path}/files"), "none", ("a.pdf", PDF))
        .await;
    assert_eq!(forged.status, 403);
    assert_eq!(read(&app, &id).await["state"], "NEEDS_RESPONSE");
    assert_eq!(read(&app, &id).await["files"].as_array().unwrap().len(), 1);
}
