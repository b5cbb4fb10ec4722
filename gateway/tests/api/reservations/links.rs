//! The link by which a reservation is paid or guaranteed.

use super::*;

/// Contract 8.3.0: what the link of each type does.
#[tokio::test]
async fn the_link_of_each_type_does_what_the_contract_says() {
    let parts = json!([{ "amount": "10000" }, { "date": "2026-12-01", "amount": "8000", "type": "MANUAL" }]);
    for (kind, more, expected) in [
        (
            "PREPAID_REFUNDABLE",
            json!({}),
            "AUTHORIZATION EXECUTED 30001",
        ),
        (
            "PREPAID_REFUNDABLE",
            json!({ "deposit": "5000" }),
            "AUTHORIZATION EXECUTED 5000",
        ),
        (
            "PREPAID_NOT_REFUNDABLE",
            json!({ "collectionType": "DELAYED" }),
            "AUTHORIZATION AUTHORIZED 30001",
        ),
        (
            "BUNDLE",
            json!({ "collectionType": "INSTALLMENT", "installments": parts }),
            "AUTHORIZATION EXECUTED 10000",
        ),
        (
            "GUARANTEED_NOSHOW",
            json!({}),
            "CARD_VERIFICATION EXECUTED 0",
        ),
        (
            "GUARANTEED_PENALTY",
            json!({ "deposit": "5000" }),
            "CARD_VERIFICATION EXECUTED 0",
        ),
    ] {
        let app = TestApp::new().await;
        let of_customer = with(reservation("R1", kind), json!({ "customerId": "cust-7" }));
        paid(&app, &with(of_customer, more.clone()), APPROVED).await;
        assert_eq!(operations(&app, "R1").await, [expected], "{kind} {more}");
        let read = read(&app, "R1").await;
        assert_eq!(read["paymentLinks"][0]["status"], "PAID", "{kind}");
        assert_eq!(
            read["operations"][0]["channelDetail"], "PAY_BY_LINK",
            "{kind}"
        );
        // The stored card has no id for merchants.
        assert!(!read.to_string().contains("contractId"), "{kind}");
        let kept = app.merchant().get("/contracts/customers/cust-7").await;
        assert_eq!(kept.refusal(), "404", "{kind}");
        assert_eq!(link(&app, "R1").await.refusal(), "400 GW9003", "{kind}");
    }
}

#[tokio::test]
async fn a_delayed_hold_is_released_after_28_days() {
    let app = TestApp::new().await;
    let delayed = with(
        reservation("R1", "BUNDLE"),
        json!({ "collectionType": "DELAYED" }),
    );
    paid(&app, &delayed, APPROVED).await;
    app.pass(28 * 86_400 - 60).await;
    assert_eq!(
        operations(&app, "R1").await,
        ["AUTHORIZATION AUTHORIZED 30001"]
    );
    app.pass(120).await;
    assert_eq!(
        operations(&app, "R1").await,
        ["AUTHORIZATION VOIDED 30001", "VOID VOIDED 30001"]
    );
}

#[tokio::test]
async fn a_refused_card_pays_nothing_and_may_be_followed_by_another() {
    let app = TestApp::new().await;
    paid(&app, &reservation("R1", "GUARANTEED_NOSHOW"), DECLINED).await;
    assert_eq!(
        operations(&app, "R1").await,
        ["CARD_VERIFICATION DECLINED 0"]
    );
    let address = link_address(&app, "R1").await;
    let session = session_of(&app, &address).await;
    let answer = pay(&app, &session, APPROVED).await;
    assert_eq!(
        short(&answer),
        "PAYMENT_COMPLETE CARD_VERIFICATION/EXECUTED"
    );
    let links = read(&app, "R1").await["paymentLinks"].clone();
    let states: Vec<&Value> = links
        .as_array()
        .unwrap()
        .iter()
        .map(|link| &link["status"])
        .collect();
    assert_eq!(states, ["CANCELED", "PAID"]);
}

#[tokio::test]
async fn a_links_last_day_is_the_calls_or_the_reservations() {
    let app = TestApp::new().await;
    with_structure(&app).await;
    let merchant = app.merchant();
    let day = async |id: &str, body: Value| {
        let path = format!("/reservations/{id}/paybylink");
        let answer = merchant.post(&path, &body).await;
        match answer.status {
            200 => answer.body["paymentLink"]["expirationDate"]
                .as_str()
                .unwrap()
                .to_owned(),
            _ => answer.refusal(),
        }
    };
    make(&app, &reservation("R1", "BUNDLE")).await.ok();
    let dated = with(
        reservation("R2", "BUNDLE"),
        json!({ "linkExpirationDate": "2026-11-24" }),
    );
    make(&app, &dated).await.ok();
    assert_eq!(day("R1", json!({})).await, "2026-12-20");
    assert_eq!(day("R2", json!({})).await, "2026-11-24");
    assert_eq!(
        day("R2", json!({ "linkExpirationDate": "2026-11-22" })).await,
        "2026-11-22"
    );
    assert_eq!(
        day("R2", json!({ "linkExpirationDate": "2026-11-19" })).await,
        "400 PS0042"
    );
    assert_eq!(
        day("R2", json!({ "linkExpirationDate": "2027-02-19" })).await,
        "400 PS0042"
    );
    assert_eq!(
        day("R2", json!({ "linkExpirationDate": "soon" })).await,
        "400 PS0008"
    );
    assert_eq!(
        day("R2", json!({ "captureType": "EXPLICIT" })).await,
        "400 PS0026"
    );
    assert_eq!(day("R9", json!({})).await, "404");
    // Each new link replaced the one before.
    let links = read(&app, "R2").await["paymentLinks"].clone();
    let active = links
        .as_array()
        .unwrap()
        .iter()
        .filter(|link| link["status"] == "ACTIVE");
    assert_eq!(active.count(), 1);
}

#[tokio::test]
async fn the_form_of_a_link_asks_for_the_billing_address_that_the_merchant_wants() {
    let app = TestApp::with_dist().await;
    with_structure(&app).await;
    make(&app, &reservation("R1", "PREPAID_REFUNDABLE"))
        .await
        .ok();
    let path = "/reservations/R1/paybylink";
    for (asked, has_billing, has_address) in [
        (json!({}), false, false),
        (
            json!({ "form": { "billingAddress": "NONE" } }),
            false,
            false,
        ),
        (
            json!({ "form": { "billingAddress": "POSTAL_CODE" } }),
            true,
            false,
        ),
        (json!({ "form": { "billingAddress": "FULL" } }), true, true),
    ] {
        let made = app.merchant().post(path, &asked).await.ok();
        let address = made["paymentLink"]["link"].as_str().unwrap();
        let session = session_of(&app, address).await;
        let form = app.page(&format!("/form/?sessionid={session}"), &[]).await;
        let boot = form.boot();
        assert_eq!(boot.get("billing").is_some(), has_billing, "{asked}");
        let billing = &boot["billing"];
        assert_eq!(billing.get("address").is_some(), has_address, "{asked}");
    }
    let wrong = json!({ "form": { "billingAddress": "ALL" } });
    let answer = app.merchant().post(path, &wrong).await;
    assert_eq!(answer.refusal(), "400 PS0026");
    assert!(
        answer.why().contains("form.billingAddress"),
        "{}",
        answer.why()
    );
}
