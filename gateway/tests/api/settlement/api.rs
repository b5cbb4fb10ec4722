//! The calls for merchants' servers.

use super::*;
use serde_json::{Value, json};

#[tokio::test]
async fn a_merchants_server_reads_settlements_with_their_sums_and_lines() {
    let app = TestApp::new().await;
    let month = month(&app).await;
    let list = app.merchant().get("/settlements").await.ok();
    let settlement = json!({
        "settlementId": month.file_id, "fileName": "may.csv", "terminalIds": ["91000001"],
        "importedTime": list["settlements"][0]["importedTime"],
        "firstDay": "2026-11-20", "lastDay": "2026-11-20", "openDifferences": 2,
        "sums": [{ "currency": "EUR", "lines": 4, "grossAmount": "20200", "feeAmount": "110", "netAmount": "20090" }],
    });
    assert_eq!(list, json!({ "settlements": [settlement] }));
    let path = format!("/settlements/{}", month.file_id);
    let read = app.merchant().get(&path).await.ok();
    assert_eq!(read["settlement"], settlement);
    assert_eq!(
        read["payouts"],
        json!([{ "payoutId": "P-1", "sum": settlement["sums"][0] }])
    );
    let lines = read["lines"].as_array().unwrap();
    assert_eq!(
        lines[1],
        json!({
            "line": 3, "kind": "PAYMENT", "bookedDay": "2026-11-20", "payoutId": "P-1",
            "operationId": month.short, "orderId": "A2", "reference": month.short,
            "acquirerReference": format!("SALE-{}", month.short), "grossAmount": "9900", "feeAmount": "0",
            "netAmount": "9900", "currency": "EUR", "difference": "AMOUNT_DIFFERS", "isCleared": false,
        })
    );
    assert_eq!(
        (&lines[3]["kind"], &lines[3]["grossAmount"]),
        (&json!("OTHER"), &json!("-200"))
    );
    assert_eq!((lines.len(), read.get("nextCursor")), (4, None));
}

#[tokio::test]
async fn settlements_and_lines_are_read_page_by_page() {
    let app = TestApp::new().await;
    let month = month(&app).await;
    app.pass(DAY).await;
    let june = import(&app, "june.csv", &[line("REFUND", &month.refund, "25.00")]).await;
    let first = app.merchant().get("/settlements?limit=1").await.ok();
    assert_eq!(first["settlements"][0]["settlementId"], json!(id_of(&june)));
    let cursor = first["nextCursor"].as_str().unwrap();
    let second = app
        .merchant()
        .get(&format!("/settlements?limit=1&after={cursor}"))
        .await
        .ok();
    assert_eq!(
        second["settlements"][0]["settlementId"],
        json!(month.file_id)
    );
    assert_eq!(second.get("nextCursor"), None);
    let mut found: Vec<Value> = Vec::new();
    let mut after = String::new();
    loop {
        let path = format!("/settlements/{}?limit=3{after}", month.file_id);
        let page = app.merchant().get(&path).await.ok();
        found.extend(
            page["lines"]
                .as_array()
                .unwrap()
                .iter()
                .map(|line| line["line"].clone()),
        );
        let Some(cursor) = page["nextCursor"].as_str() else {
            break;
        };
        after = format!("&after={cursor}");
    }
    assert_eq!(found, [2, 3, 4, 5]);
    for (path, refusal) in [
        (String::from("/settlements?after=x"), "400 PS0026"),
        (String::from("/settlements?limit=0"), "400 PS0026"),
        (
            format!("/settlements/{}?after=-1", month.file_id),
            "400 PS0026",
        ),
    ] {
        assert_eq!(app.merchant().get(&path).await.refusal(), refusal, "{path}");
    }
}

#[tokio::test]
async fn settlements_of_another_merchant_do_not_exist() {
    let app = TestApp::new().await;
    let month = month(&app).await;
    let key = app.own_shop().await;
    let stranger = app.key(&key);
    assert_eq!(
        stranger.get("/settlements").await.ok(),
        json!({ "settlements": [] })
    );
    let path = format!("/settlements/{}", month.file_id);
    assert_eq!(stranger.get(&path).await.status, 404);
    assert_eq!(app.merchant().get("/settlements/1").await.status, 404);
}
