//! Payment links in the back office.

use super::{Person, field};
use crate::harness::TestApp;
use crate::links::{id_of, link_for, read};

#[tokio::test]
async fn a_link_is_found_told_and_revoked_after_it_was_confirmed() {
    let app = TestApp::new().await;
    let link = link_for(&app, "A1").await;
    let path = format!("/office/links/{}", id_of(&link));
    let person = Person::logged_in(&app, "olaf", "operator").await;
    let list = person
        .get("/office/links?order=A1&status=ACTIVE")
        .await
        .text();
    assert!(list.contains(&format!("<a href=\"{path}\">")), "{list}");
    assert!(list.contains("<span class=\"badge wait\">Open</span>"));
    let none = person
        .get("/office/links?order=A1&status=PAID")
        .await
        .text();
    assert!(none.contains("No link fits what you searched for."));
    assert_eq!(person.get("/office/links?from=today").await.status, 400);
    let detail = person.get(&path).await.text();
    assert!(
        detail.contains(link["link"].as_str().unwrap_or("/pay")),
        "{detail}"
    );
    let asked = person.get(&format!("{path}/revoke")).await;
    assert!(
        asked
            .text()
            .contains("The link can no longer be used to pay.")
    );
    assert_eq!(read(&app, &link).await["status"], "ACTIVE");
    let key = field(&asked, "key");
    let revoke = format!("{path}/revoke");
    let answer = person.post(&revoke, &[("key", &key)]).await;
    let went = format!("{path}?done=revoke");
    assert_eq!(
        (answer.status, answer.header("location")),
        (303, Some(went.as_str()))
    );
    assert_eq!(read(&app, &link).await["status"], "CANCELED");
    let again = person.post(&revoke, &[("key", &key)]).await;
    assert_eq!(
        again.header("location"),
        Some(format!("{path}?done=before").as_str())
    );
    let detail = person.get(&path).await.text();
    assert!(
        detail.contains("Revoked") && !detail.contains("/renew\""),
        "{detail}"
    );
    let audited = app.texts(
        "SELECT act || ' ' || detail FROM audit_entry WHERE act = 'REVOKE_LINK' ORDER BY seq",
    );
    assert_eq!(
        audited.await[1],
        format!("REVOKE_LINK link {}: done", id_of(&link))
    );
}

#[tokio::test]
async fn a_link_is_renewed_and_nobody_else_touches_it() {
    let app = TestApp::new().await;
    let link = link_for(&app, "A1").await;
    let path = format!("/office/links/{}", id_of(&link));
    let renew = format!("{path}/renew");
    let key = [("key", "0b0e7c2e-91d5-4d3c-8a9e-2b1c3d4e5f60")];
    let viewer = Person::logged_in(&app, "vera", "viewer").await;
    assert!(!viewer.get(&path).await.text().contains("/renew"));
    assert_eq!(viewer.get(&renew).await.status, 403);
    assert_eq!(viewer.post(&renew, &key).await.status, 403);
    let other = Person::of_merchant(&app, "other", "otto", "operator").await;
    assert_eq!(other.get(&path).await.status, 404);
    assert_eq!(other.post(&renew, &key).await.status, 404);
    let person = Person::logged_in(&app, "olaf", "operator").await;
    assert_eq!(person.get(&format!("{path}/sell")).await.status, 404);
    assert_eq!(person.post(&renew, &key).await.status, 303);
    assert_eq!(read(&app, &link).await["renewals"], 1);
}
