//! Actions that are refused: which operations, which reasons, and the order of the reasons.

use super::*;

#[tokio::test]
async fn only_good_payments_can_be_acted_on() {
    let app = TestApp::new().await;
    let declined = paid_by(&app, IMPLICIT, "A1", "EUR", "PAY", DECLINED).await;
    let pending = paid_by(&app, IMPLICIT, "A2", "EUR", "PAY", "4761730000008881").await;
    let check = paid_by(&app, IMPLICIT, "A3", "EUR", "VERIFY", APPROVED).await;
    let sale = paid(&app, IMPLICIT, "A4", "EUR").await;
    let refund = done(&app, &sale, "refunds", 1).await;
    for id in [&declined, &pending, &check, &refund] {
        assert_eq!(allowed(&app, id).await, "");
        for action in ["captures", "refunds", "cancels"] {
            let answer = act(&app, id, action, 1).await;
            assert_eq!(answer.refusal(), "400 GW9003", "{action}: {}", answer.why());
        }
    }
    assert_eq!(act(&app, &sale, "cancels", 1).await.refusal(), "400 GW9003");
    app.pass(30).await;
    assert_eq!(allowed(&app, &pending).await, "REFUND 1..10000");
}

#[tokio::test]
async fn every_mistake_is_told_in_the_order_of_the_contract() {
    let app = TestApp::new().await;
    let sale = paid(&app, IMPLICIT, "A1", "EUR").await;
    let held = paid(&app, EXPLICIT, "A2", "EUR").await;
    let good = json!({ "amount": "100", "currency": "EUR" });
    let long = "x".repeat(256);
    let bodies = [
        (json!({}), "400 PS0026"),
        (json!([]), "400 PS0026 PS0026"),
        (json!({ "currency": "EUR" }), "400 PS0026"),
        (json!({ "amount": null, "currency": null }), "400 PS0026"),
        (json!({ "amount": "0", "currency": "EUR" }), "400 PS0026"),
        (json!({ "amount": -1, "currency": "EUR" }), "400 PS0036"),
        (json!({ "amount": "1.5", "currency": "EUR" }), "400 PS0036"),
        (json!({ "amount": true, "currency": "EUR" }), "400 PS0036"),
        (
            json!({ "amount": ["1"], "currency": true }),
            "400 PS0026 PS0036",
        ),
        (
            json!({ "amount": "1000000000000", "currency": "EUR" }),
            "400 PS0036",
        ),
        (
            json!({ "amount": 1_000_000_000_000_u64, "currency": "EUR" }),
            "400 PS0036",
        ),
        (json!({ "amount": "1", "currency": "978" }), "400 PS0009"),
        (json!({ "amount": "1", "currency": 978 }), "400 PS0009"),
        (json!({ "amount": "1", "currency": "XXX" }), "400 PS0009"),
        (json!({ "amount": "1", "currency": "USD" }), "400 PS0009"),
        (json!({ "amount": "x", "currency": "USD" }), "400 PS0036"),
        (
            json!({ "amount": "1", "currency": "EUR", "description": true }),
            "400 PS0026",
        ),
        (
            json!({ "amount": "1", "currency": "EUR", "description": long }),
            "400 PS0026",
        ),
        (
            json!({ "amount": "x", "currency": "EUR", "description": "<script>" }),
            "400 PS0041",
        ),
    ];
    for (id, action) in [(&sale, "refunds"), (&held, "captures")] {
        let path = format!("/operations/{id}/{action}");
        let before = app.count("SELECT count(*) FROM operation").await;
        for (body, expected) in &bodies {
            app.clock.advance(Duration::from_millis(100));
            let answer = app.merchant().post(&path, body).await;
            assert_eq!(answer.refusal(), *expected, "{action} {body}");
            assert!(!answer.why().contains(&long), "values are not repeated");
        }
        // The owner of the operation and the key of the call are checked before the body.
        let other = app.key("sandbox-other-merchant");
        assert_eq!(other.post(&path, &json!({})).await.refusal(), "404");
        assert_eq!(other.post(&path, &good).await.bytes.len(), 0);
        for key in ["", &"k".repeat(64), "k\u{e9}"] {
            let headers = [("idempotency-key", key)];
            let answer = app.merchant().post_with(&path, &json!({}), &headers).await;
            assert_eq!(answer.refusal(), "400 PS0025", "{key}");
        }
        let missing = format!("/operations/100000000000000000/{action}");
        assert_eq!(
            app.merchant().post(&missing, &json!({})).await.refusal(),
            "404"
        );
        assert_eq!(app.count("SELECT count(*) FROM operation").await, before);
        common_refusals(&app, &path).await;
    }
}

/// The refusals that all three calls give before they look at the operation.
async fn common_refusals(app: &TestApp, path: &str) {
    let good = json!({ "amount": "100", "currency": "EUR" });
    assert_eq!(app.nobody().post(path, &good).await.refusal(), "401 GW9020");
    assert_eq!(
        app.key("wrong").post(path, &good).await.refusal(),
        "401 GW9020"
    );
    let session = app.open(&build(&format!("S{}", path.len()))).await;
    assert_eq!(
        app.frame(&session).post(path, &good).await.refusal(),
        "401 GW9020"
    );
    let get = app.merchant().get(path).await;
    assert_eq!((get.status, get.header("allow")), (405, Some("POST")));
    let huge = format!("{{\"x\":\"{}\"}}", "x".repeat(256 * 1024));
    let json_type = ("content-type", "application/json");
    for (content_type, body, expected) in [
        (json_type, String::from("{"), "400 PS0035"),
        (json_type, String::from("{\"amount\":1}}"), "400 PS0035"),
        (json_type, huge, "413 GW9004"),
        (
            ("content-type", "text/plain"),
            String::from("{}"),
            "415 PS0035",
        ),
    ] {
        // This is checked before the missing key is reported.
        let request = app
            .merchant()
            .request(Method::POST, path, &[content_type], Body::from(body));
        assert_eq!(app.send(request).await.refusal(), expected, "{path}");
    }
    let headers = [("correlation-id", ABSENT), ("idempotency-key", "")];
    let answer = app.merchant().post_with(path, &good, &headers).await;
    assert_eq!(answer.refusal(), "400 PS0025", "{path}");
}

#[tokio::test]
async fn a_cancel_takes_a_description_or_nothing_and_needs_no_key() {
    let app = TestApp::new().await;
    let held = paid(&app, EXPLICIT, "A1", "EUR").await;
    let capture = done(&app, &held, "captures", 100).await;
    let path = format!("/operations/{capture}/cancels");
    for (body, expected) in [
        (json!([]), "400 PS0026"),
        (json!("x"), "400 PS0026"),
        (json!({ "description": ["x"] }), "400 PS0026"),
        (json!({ "description": "x".repeat(256) }), "400 PS0026"),
        (json!({ "description": "<img src=x>" }), "400 PS0041"),
    ] {
        let answer = app.merchant().post(&path, &body).await;
        assert_eq!(answer.refusal(), expected, "{body}");
    }
    let other = app.key("sandbox-other-merchant");
    assert_eq!(other.post(&path, &json!({})).await.refusal(), "404");
    let key = [("idempotency-key", "")];
    assert_eq!(
        app.merchant()
            .post_with(&path, &json!({}), &key)
            .await
            .refusal(),
        "400 PS0025"
    );
    common_refusals(&app, &path).await;
    let bare = app
        .merchant()
        .request(Method::POST, &path, &[], Body::empty());
    assert_eq!(app.send(bare).await.status, 200);
    let bare = app
        .merchant()
        .request(Method::POST, &path, &[], Body::empty());
    assert_eq!(
        app.send(bare).await.refusal(),
        "400 PS0028",
        "without a key it is a second call"
    );
    let capture = done(&app, &held, "captures", 100).await;
    let path = format!("/operations/{capture}/cancels");
    let key = [("idempotency-key", "cancel")];
    let first = app.merchant().post_with(&path, &json!({}), &key).await;
    let again = app.merchant().post_with(&path, &json!({}), &key).await;
    assert_eq!((first.status, &first.bytes), (200, &again.bytes));
}

#[tokio::test]
async fn the_actions_of_an_operation_are_for_its_merchant() {
    let app = TestApp::new().await;
    let sale = paid(&app, IMPLICIT, "A1", "EUR").await;
    let path = format!("/operations/{sale}/actions");
    assert_eq!(app.nobody().get(&path).await.refusal(), "401 GW9020");
    assert_eq!(
        app.key("sandbox-other-merchant").get(&path).await.refusal(),
        "404"
    );
    assert_eq!(
        app.merchant().get("/operations/1/actions").await.refusal(),
        "404"
    );
    assert_eq!(
        app.merchant().post(&path, &json!({})).await.refusal(),
        "405"
    );
    assert_eq!(
        app.merchant().get(&path).await.ok(),
        json!({ "actions": [{
            "actionType": "REFUND", "minAmount": "1", "maxAmount": "10000", "currency": "EUR",
            "expirationTime": "2027-12-20T10:00:00.000Z", "path": format!("/operations/{sale}/refunds"),
        }]})
    );
}
