//! The pages of the back office.

use super::*;
use crate::office::Person;

/// The address of the difference with this label in the list.
async fn address(person: &Person<'_>, query: &str) -> String {
    let path = format!("/office/settlement/differences?{query}");
    let page = person.get(&path).await.text();
    let (_, behind) = page.split_once("<th scope=\"row\"><a href=\"").unwrap();
    behind.split('"').next().unwrap().to_owned()
}

#[tokio::test]
async fn files_have_their_sums_and_lines_their_orders() {
    let app = TestApp::new().await;
    let month = month(&app).await;
    let ada = Person::logged_in(&app, "ada", "viewer").await;
    let page = ada.get("/office/settlement").await.text();
    for part in [
        format!(
            "<a href=\"/office/settlement/{}\">may.csv</a>",
            month.file_id
        ),
        String::from("€202.00"),
        String::from("€1.10"),
        String::from("€200.90"),
        String::from("2 open"),
        String::from("difference=AMOUNT_DIFFERS&amp;state=OPEN").replace("&amp;", "&#38;"),
    ] {
        assert!(page.contains(&part), "{part} is missing in {page}");
    }
    let page = ada
        .get(&format!("/office/settlement/{}", month.file_id))
        .await
        .text();
    for part in [
        "Sandbox acquirer",
        "<a href=\"/office/orders/A1\">A1</a>",
        "Fee or correction",
        "\u{2212}€2.00",
        "Another amount",
        "P-1",
    ] {
        assert!(page.contains(part), "{part} is missing in {page}");
    }
    let other = ada.get("/office/settlement/100000000000000000").await;
    assert_eq!(other.status, 404);
    let export = format!("/office/settlement/{}/lines.csv", month.file_id);
    let export = ada.get(&export).await;
    assert_eq!(
        export.header("content-type"),
        Some("text/csv; charset=utf-8; header=present")
    );
    let expected = format!(
        "2,PAYMENT,2026-11-20,P-1,A1,{},S1,100.00,1.10,98.90,EUR,,\n",
        month.sale
    );
    assert!(export.text().contains(&expected), "{}", export.text());
    assert!(
        export
            .text()
            .contains("5,OTHER,2026-11-20,P-1,,,F1,-2.00,0.00,-2.00,EUR,,\n")
    );
}

#[tokio::test]
async fn whoever_may_refund_marks_a_difference_as_cleared() {
    let app = TestApp::new().await;
    let month = month(&app).await;
    app.pass(6 * DAY).await;
    let ada = Person::logged_in(&app, "ada", "viewer").await;
    let short = address(&ada, "difference=AMOUNT_DIFFERS").await;
    let page = ada.get(&short).await.text();
    assert!(
        page.contains("€99.00") && page.contains("€100.00"),
        "{page}"
    );
    assert!(!page.contains("Mark as cleared"), "{page}");
    let refused = ada.post(&short, &[("note", "mine")]).await;
    assert_eq!(refused.status, 403);
    let otto = Person::logged_in(&app, "otto", "operator").await;
    let missing = address(&otto, "difference=NOT_IN_FILE").await;
    assert_eq!(
        missing,
        format!("/office/settlement/differences/{}", month.refund)
    );
    for address in [&short, &missing] {
        let page = otto.get(address).await.text();
        assert!(page.contains("Mark as cleared"), "{page}");
        let empty = otto.post(address, &[("note", " ")]).await;
        assert_eq!(empty.status, 400);
        assert!(empty.text().contains("Write what became of it"));
        let cleared = otto
            .post(address, &[("note", "The acquirer pays =1 later.")])
            .await;
        assert_eq!(
            cleared.header("location"),
            Some("/office/settlement/differences?state=OPEN&done=cleared")
        );
        let again = otto.post(address, &[("note", "again")]).await;
        assert_eq!(
            again.header("location"),
            Some("/office/settlement/differences?done=before")
        );
        let page = otto.get(address).await.text();
        assert!(
            page.contains("The acquirer pays =1 later.") && !page.contains("Mark as"),
            "{page}"
        );
    }
    let open = otto
        .get("/office/settlement/differences?state=OPEN")
        .await
        .text();
    assert!(
        open.contains("Not in the books") && !open.contains(">A2</a>"),
        "{open}"
    );
    let export = otto
        .get("/office/settlement/differences.csv?state=CLEARED")
        .await
        .text();
    assert_eq!(export.lines().count(), 3, "{export}");
    assert!(export.contains("99.00,EUR,100.00,EUR,otto,"), "{export}");
    let entries = "SELECT subject || ': ' || detail FROM audit_entry WHERE act = 'CLEAR_DIFFERENCE' ORDER BY seq";
    assert_eq!(
        app.texts(entries).await,
        [
            format!(
                "settlement {}, line 3: AMOUNT_DIFFERS: The acquirer pays =1 later.",
                month.file_id
            ),
            format!(
                "operation {}: NOT_IN_FILE: The acquirer pays =1 later.",
                month.refund
            ),
        ]
    );
}

#[tokio::test]
async fn members_of_another_merchant_see_and_clear_nothing() {
    let app = TestApp::new().await;
    let month = month(&app).await;
    command(&app, &["merchant", "add", "blumen", "Blumenladen"])
        .await
        .unwrap();
    let eve = Person::of_merchant(&app, "blumen", "eve", "administrator").await;
    let page = eve.get("/office/settlement").await.text();
    assert!(
        page.contains("Clearing files of your acquirer stand here"),
        "{page}"
    );
    let line = format!("{}-3", month.file_id);
    for path in [
        format!("/office/settlement/{}", month.file_id),
        format!("/office/settlement/{}/lines.csv", month.file_id),
        format!("/office/settlement/differences/{line}"),
        String::from("/office/settlement/differences/x"),
    ] {
        assert_eq!(eve.get(&path).await.status, 404, "{path}");
    }
    let path = format!("/office/settlement/differences/{line}");
    assert_eq!(eve.post(&path, &[("note", "mine")]).await.status, 404);
    let export = eve.get("/office/settlement/differences.csv").await.text();
    assert_eq!(export.lines().count(), 1, "{export}");
}

#[tokio::test]
async fn orders_and_operations_are_exported_as_they_are_found() {
    let app = TestApp::new().await;
    let month = month(&app).await;
    paid(&app, IMPLICIT, "=1", "EUR").await;
    let ada = Person::logged_in(&app, "ada", "viewer").await;
    let page = ada
        .get("/office/orders?status=PARTLY_REFUNDED")
        .await
        .text();
    assert!(
        page.contains("href=\"/office/orders.csv?status=PARTLY_REFUNDED\""),
        "{page}"
    );
    let orders = ada
        .get("/office/orders.csv?status=PARTLY_REFUNDED")
        .await
        .text();
    let found: Vec<&str> = orders.lines().collect();
    assert_eq!(found.len(), 2, "{orders}");
    assert!(
        found[1].starts_with("A2,PARTLY_REFUNDED,100.00,100.00,100.00,25.00,EUR,"),
        "{orders}"
    );
    let orders = ada.get("/office/orders.csv").await.text();
    assert!(orders.contains("\n'=1,PAID,"), "{orders}");
    let operations = ada
        .get("/office/operations.csv?from=2026-11-20&to=2026-11-20")
        .await
        .text();
    assert_eq!(operations.lines().count(), 5, "{operations}");
    let refund = format!(
        "\n{},A2,REFUND,EXECUTED,25.00,EUR,2026-11-20T10:",
        month.refund
    );
    assert!(operations.contains(&refund), "{operations}");
    let none = ada.get("/office/operations.csv?to=2026-11-19").await.text();
    assert_eq!(none.lines().count(), 1, "{none}");
    assert_eq!(
        ada.get("/office/orders.csv?from=yesterday").await.status,
        400
    );
}
