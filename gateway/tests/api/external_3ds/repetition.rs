//! A 3-step payment that is begun or made again, at once, or after a restart.

use super::*;

#[tokio::test]
async fn a_new_attempt_gives_the_one_before_up() {
    let app = TestApp::new().await;
    let request = init("A1", CHALLENGED);
    let first = begin(&app, &request).await;
    let second = begin(&app, &request).await;
    let session = app.open(&build("A1")).await;
    let results = async || {
        let operations = app.operations("A1").await;
        let result = |operation: &Value| operation["operationResult"].as_str().unwrap().to_owned();
        let operations = operations.as_array().unwrap();
        operations.iter().map(result).collect::<Vec<_>>()
    };
    assert_eq!(results().await, ["CANCELED", "CANCELED"]);
    let third = begin(&app, &init("A1", APPROVED)).await;
    let path = format!("/build/state?sessionId={session}");
    assert_eq!(app.merchant().get(&path).await.refusal(), "400 PS0061");
    for late in [&first, &second] {
        let answer = pay(&app, &payment(&request, id_of(late))).await;
        assert_eq!(answer.refusal(), "400 GW9003");
    }
    let paid = pay(&app, &payment(&init("A1", APPROVED), id_of(&third)))
        .await
        .ok();
    assert_eq!(result_of(&paid), "EXECUTED");
    let paid_order = app.merchant().post("/orders/3steps/init", &request).await;
    assert_eq!(paid_order.refusal(), "400 GW9006");
}

#[tokio::test]
async fn many_payments_of_one_operation_are_one_charge() {
    let app = TestApp::new().await;
    let request = init("A1", APPROVED);
    let begun = begin(&app, &request).await;
    let last = payment(&request, id_of(&begun));
    let calls: Vec<_> = (0..6)
        .map(|key| (last.clone(), format!("key-{key}")))
        .collect();
    let answers = app
        .all_at_once("sandbox-implicit", "/orders/3steps/payment", &calls)
        .await;
    for answer in answers {
        assert_eq!(result_of(&answer.ok()), "EXECUTED");
    }
    assert_eq!(
        app.order("A1").await["orderStatus"]["capturedAmount"],
        "3545"
    );
    assert_eq!(app.count("SELECT count(*) FROM operation").await, 1);
}

#[tokio::test]
async fn the_same_key_begins_one_payment() {
    let app = TestApp::new().await;
    let request = init("A1", CHALLENGED);
    let key = [("idempotency-key", "init-1")];
    let path = "/orders/3steps/init";
    let first = app.merchant().post_with(path, &request, &key).await.ok();
    let again = app.merchant().post_with(path, &request, &key).await;
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(again.ok(), first);
    let other = app
        .merchant()
        .post_with(path, &init("A1", APPROVED), &key)
        .await;
    assert_eq!(other.refusal(), "400 PS0025");
}

#[tokio::test]
async fn a_step_goes_on_after_a_restart() {
    let app = TestApp::new().await;
    let request = init("A1", CHALLENGED);
    let begun = begin(&app, &request).await;
    let app = app.restarted().await;
    let challenge = come(&app, &begun).await;
    let app = app.restarted().await;
    let way_back = answer(&app, &challenge, &[("answer", "approve")]).await;
    let app = app.restarted().await;
    let (response, _) = brought(&app, &way_back).await;
    let validated = validate(&app, id_of(&begun), &response).await.ok();
    let app = app.restarted().await;
    let mut last = payment(&request, id_of(&begun));
    last["threeDSAuthData"] = proof_of(&validated);
    assert_eq!(result_of(&pay(&app, &last).await.ok()), "EXECUTED");
}
