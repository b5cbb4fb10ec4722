//! The clearing file of the sandbox's acquirer.

use super::*;
use crate::harness::APPROVED;
use crate::server_to_server::moto;
use serde_json::json;

async fn pay(app: &TestApp, order_id: &str, amount: &str) {
    let mut order = moto(order_id, APPROVED);
    order["order"]["amount"] = json!(amount);
    app.merchant().post("/orders/moto", &order).await.ok();
}

/// Writes the file of a day as a shell would, and imports it.
async fn imported(app: &TestApp, day: &str) -> String {
    let words = [
        "settlement",
        "sandbox-file",
        "--terminal",
        "91000001",
        "--day",
        day,
    ];
    let text = Box::pin(command(app, &words)).await.unwrap();
    let path = app.data().join("sandbox.csv");
    std::fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap();
    let words = [
        "settlement",
        "import",
        "--terminal",
        "91000001",
        "--mapping",
        MAPPING,
        path,
    ];
    Box::pin(command(app, &words)).await.unwrap()
}

#[tokio::test]
async fn a_day_of_the_sandbox_agrees_but_for_the_amounts_that_ask_for_a_difference() {
    let app = TestApp::new().await;
    let sale = paid(&app, IMPLICIT, "A1", "EUR").await;
    done(&app, &sale, "refunds", 2500).await;
    let undone = paid(&app, IMPLICIT, "A2", "EUR").await;
    done(&app, &undone, "refunds", 10000).await;
    let told = imported(&app, "2026-11-20").await;
    assert!(
        told.ends_with("2 lines: 2 agree with an operation\n"),
        "{told}"
    );
    app.pass(DAY).await;
    for amount in ["18401", "18402", "18403", "18404", "18405"] {
        pay(&app, &format!("B{amount}"), amount).await;
    }
    let told = imported(&app, "2026-11-21").await;
    assert!(
        told.contains("6 lines: 2 agree with an operation\n"),
        "{told}"
    );
    for difference in [
        "AMOUNT_DIFFERS",
        "CURRENCY_DIFFERS",
        "BOOKED_TWICE",
        "NOT_IN_BOOKS",
    ] {
        assert!(told.contains(&format!("\n1 {difference}: ")), "{told}");
    }
    app.pass(6 * DAY).await;
    let page = crate::office::Person::logged_in(&app, "ada", "viewer").await;
    let page = page
        .get("/office/settlement/differences?difference=NOT_IN_FILE")
        .await
        .text();
    assert!(page.contains(">B18404</a>"), "{page}");
}

#[tokio::test]
async fn production_has_no_such_file() {
    let (app, _) = TestApp::in_production().await;
    let words = [
        "settlement",
        "sandbox-file",
        "--terminal",
        "55000001",
        "--day",
        "2026-11-20",
    ];
    let terminal = ["terminal", "add", "55000001", "blumen"];
    let _ = command(&app, &["merchant", "add", "blumen", "Blumenladen"]).await;
    let _ = command(&app, &terminal).await;
    let problem = Box::pin(command(&app, &words)).await.unwrap_err();
    assert!(problem.to_string().contains("only a sandbox"), "{problem}");
    let words = [
        "settlement",
        "sandbox-file",
        "--terminal",
        "1",
        "--day",
        "20.11.2026",
    ];
    let problem = Box::pin(command(&app, &words)).await.unwrap_err();
    assert!(
        problem
            .to_string()
            .contains("a day is written as 2026-11-20"),
        "{problem}"
    );
}
