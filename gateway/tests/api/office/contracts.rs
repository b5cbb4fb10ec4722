//! Stored cards in the back office.

use super::{Person, field};
use crate::contracts::{charge, creation, pay};
use crate::harness::{APPROVED, TestApp};

#[tokio::test]
async fn a_contract_is_found_told_and_ended_after_it_was_confirmed() {
    let app = TestApp::new().await;
    pay(&app, &creation("A1", "C1", "MIT_UNSCHEDULED"), APPROVED).await;
    let person = Person::logged_in(&app, "olaf", "operator").await;
    let list = person
        .get("/office/contracts?contract=C1&status=ACTIVE")
        .await
        .text();
    let (_, rest) = list.split_once("<a href=\"/office/contracts/").unwrap();
    let path = format!("/office/contracts/{}", rest.split_once('"').unwrap().0);
    assert!(list.contains("Visa ***0003, until 12/2030"), "{list}");
    assert!(!list.contains(APPROVED));
    for query in ["contract=C2", "customer=nobody", "status=ENDED"] {
        let none = person
            .get(&format!("/office/contracts?{query}"))
            .await
            .text();
        assert!(none.contains("No contract fits"), "{query}: {none}");
    }
    assert_eq!(
        person.get("/office/contracts?status=LOST").await.status,
        400
    );
    let detail = person.get(&path).await.text();
    for expected in [
        "Charges when there is a reason",
        "476173******0003",
        "order A1",
    ] {
        assert!(detail.contains(expected), "{expected}: {detail}");
    }
    let end = format!("{path}/end");
    let asked = person.get(&end).await;
    let key = field(&asked, "key");
    let answer = person.post(&end, &[("key", &key)]).await;
    assert_eq!(
        answer.header("location"),
        Some(format!("{path}?done=ended").as_str())
    );
    assert_eq!(charge(&app, "A2", "C1").await.refusal(), "400 PS0017");
    // A later contract with the same id is not changed by the form of the former one.
    pay(&app, &creation("A3", "C1", "MIT_UNSCHEDULED"), APPROVED).await;
    let late = [("key", "0b0e7c2e-91d5-4d3c-8a9e-2b1c3d4e5f60")];
    assert_eq!(person.post(&end, &late).await.status, 303);
    assert_eq!(charge(&app, "A4", "C1").await.status, 200);
}

#[tokio::test]
async fn nobody_else_ends_a_contract() {
    let app = TestApp::new().await;
    pay(&app, &creation("A1", "C1", "MIT_UNSCHEDULED"), APPROVED).await;
    let viewer = Person::logged_in(&app, "vera", "viewer").await;
    let list = viewer.get("/office/contracts").await.text();
    let (_, rest) = list.split_once("<a href=\"/office/contracts/").unwrap();
    let path = format!("/office/contracts/{}", rest.split_once('"').unwrap().0);
    assert!(!viewer.get(&path).await.text().contains("/end"));
    let end = format!("{path}/end");
    let key = [("key", "0b0e7c2e-91d5-4d3c-8a9e-2b1c3d4e5f60")];
    assert_eq!(viewer.get(&end).await.status, 403);
    assert_eq!(viewer.post(&end, &key).await.status, 403);
    let other = Person::of_merchant(&app, "other", "otto", "operator").await;
    assert_eq!(other.get(&path).await.status, 404);
    assert_eq!(other.post(&end, &key).await.status, 404);
    assert_eq!(charge(&app, "A2", "C1").await.status, 200);
}
