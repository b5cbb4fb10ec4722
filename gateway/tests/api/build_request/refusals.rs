//! What is refused, by the name of the member and without its value.

use super::*;

#[tokio::test]
async fn what_is_wrong_is_named_and_never_repeated() {
    let app = TestApp::new().await;
    let long = |length: usize| json!("x".repeat(length));
    for (path, value, expected) in [
        (
            "version",
            json!("1"),
            "400 PS0026 version must be one of 2, 3",
        ),
        ("version", json!(4), "400 PS0026 version"),
        ("merchantUrl", Value::Null, "400 GW0001 merchantUrl"),
        (
            "merchantUrl",
            json!("http://shop.example"),
            "400 GW0001 merchantUrl",
        ),
        ("merchantUrl", json!(7), "400 GW0001 merchantUrl"),
        (
            "order",
            Value::Null,
            "400 PS0026 PS0026 PS0026 PS0026 order is missing",
        ),
        (
            "order.orderId",
            Value::Null,
            "400 PS0026 order.orderId is missing",
        ),
        (
            "order.orderId",
            json!("with blank"),
            "400 PS0026 order.orderId",
        ),
        (
            "order.orderId",
            json!("a".repeat(28)),
            "400 PS0026 order.orderId",
        ),
        (
            "order.orderId",
            json!("paybylink"),
            "400 PS0026 order.orderId",
        ),
        ("order.orderId", json!(true), "400 PS0026 order.orderId"),
        (
            "order.amount",
            Value::Null,
            "400 PS0026 order.amount is missing",
        ),
        ("order.amount", json!("35.45"), "400 PS0036 order.amount"),
        ("order.amount", json!("-1"), "400 PS0036 order.amount"),
        ("order.amount", json!("+1"), "400 PS0036 order.amount"),
        ("order.amount", json!("1e3"), "400 PS0036 order.amount"),
        ("order.amount", json!(""), "400 PS0036 order.amount"),
        ("order.amount", json!(35.45), "400 PS0036 order.amount"),
        ("order.amount", json!(-1), "400 PS0036 order.amount"),
        (
            "order.amount",
            json!("1234567890123"),
            "400 PS0036 order.amount",
        ),
        ("order.amount", json!(true), "400 PS0036 order.amount"),
        (
            "order.amount",
            json!("0"),
            "400 PS0026 order.amount must be above 0",
        ),
        (
            "order.currency",
            Value::Null,
            "400 PS0026 order.currency is missing",
        ),
        ("order.currency", json!("978"), "400 PS0009 order.currency"),
        ("order.currency", json!("XXX"), "400 PS0009 order.currency"),
        ("order.customerId", long(28), "400 PS0026 order.customerId"),
        (
            "order.description",
            json!("by phone: 4761 7300 0000 0003, 12/30"),
            "400 PS0026 order.description holds a card number: card data is taken by the form only",
        ),
        (
            "order.customerId",
            json!("4761730000000003"),
            "400 PS0026 order.customerId holds a card number: card data is taken by the form only",
        ),
        (
            "order.customerInfo.homePhone",
            json!("4761730000000003"),
            "400 PS0026 order.customerInfo.homePhone holds a card number: card data is taken by the form only",
        ),
        (
            "order.customerInfo.taxCode",
            json!("cvv 123"),
            "400 PS0026 order.customerInfo.taxCode holds a security code: card data is taken by the form only",
        ),
        (
            "order.customerInfo.merchantRiskIndicator.deliveryEmail",
            json!("4761730000000003@shop.example"),
            "400 PS0026 order.customerInfo.merchantRiskIndicator.deliveryEmail holds a card number: card data is taken by the form only",
        ),
        (
            "order.customField",
            json!("CVV 123"),
            "400 PS0026 order.customField holds a security code: card data is taken by the form only",
        ),
        (
            "order.description",
            long(256),
            "400 PS0026 order.description",
        ),
        (
            "order.description",
            json!(true),
            "400 PS0026 order.description",
        ),
        (
            "order.customField",
            long(256),
            "400 PS0026 order.customField",
        ),
        ("order.invoiceId", long(31), "400 PS0026 order.invoiceId"),
        (
            "order.customerInfo",
            json!("x"),
            "400 PS0026 order.customerInfo must be an object",
        ),
        (
            "order.customerInfo",
            json!({"cardHolderName": "x".repeat(256)}),
            "400 PS0026 order.customerInfo.cardHolderName",
        ),
        (
            "order.customerInfo",
            json!({"billingAddress": {"street": ""}}),
            "400 PS0026 order.customerInfo.billingAddress.street",
        ),
        (
            "order.customerInfo",
            json!({"cardHolderAcctInfo": {"chAccDate": "20-11-2026"}}),
            "400 PS0008 order.customerInfo.cardHolderAcctInfo.chAccDate",
        ),
        (
            "order.customerInfo",
            json!({"cardHolderAcctInfo": {"chAccAgeIndicator": "06"}}),
            "400 PS0026 order.customerInfo.cardHolderAcctInfo.chAccAgeIndicator must be one of 01, 02, 03, 04, 05",
        ),
        (
            "order.customerInfo",
            json!({"cardHolderAcctInfo": {"txnActivityDay": -1}}),
            "400 PS0026 order.customerInfo.cardHolderAcctInfo.txnActivityDay",
        ),
        (
            "order.customerInfo",
            json!({"merchantRiskIndicator": {"giftCardAmount": {"value": "1,5", "currency": "EUR"}}}),
            "400 PS0036 order.customerInfo.merchantRiskIndicator.giftCardAmount.value",
        ),
        (
            "order.customerInfo",
            json!({"merchantRiskIndicator": {"shipIndicator": "8"}}),
            "400 PS0026 order.customerInfo.merchantRiskIndicator.shipIndicator",
        ),
        (
            "order.transactionSummary",
            json!({}),
            "400 PS0026 order.transactionSummary must be an array",
        ),
        (
            "order.transactionSummary",
            json!([{"language": "it", "summaryList": []}]),
            "400 PS0026 order.transactionSummary[0].language",
        ),
        (
            "order.transactionSummary",
            json!([{"language": "ita", "summaryList": [{"label": "x".repeat(51), "value": ""}]}]),
            "400 PS0026 order.transactionSummary[0].summaryList[0].label",
        ),
        (
            "order.installments",
            json!([{"date": "2027-01-01", "amount": "1"}]),
            "400 PS0026 order.installments must be an array of 2 to 12",
        ),
        (
            "order.installments",
            json!([{"date": "2027-01-01", "amount": "3000"}, {"date": "2027-02-01", "amount": "546"}]),
            "400 PS0005 order.installments",
        ),
        (
            "order.installments",
            json!([{"date": "2026-11-19", "amount": "1"}, {"date": "2027-02-30", "amount": "1"}]),
            "400 PS0006 PS0006 order.installments[0].date",
        ),
        (
            "order.installmentQty",
            json!(1),
            "400 PS0026 order.installmentQty",
        ),
        (
            "order.plan",
            json!({"planType": "OTHER", "installmentQty": 2}),
            "400 PS0026 order.plan.planType",
        ),
        (
            "order.termsAndConditionsIds",
            json!(["t1"]),
            "400 PS0026 order.termsAndConditionsIds",
        ),
        (
            "paymentSession",
            Value::Null,
            "400 PS0026 PS0026 PS0026 PS0026 paymentSession is missing",
        ),
        (
            "paymentSession.actionType",
            json!("pay"),
            "400 PS0026 paymentSession.actionType must be one of PAY, VERIFY, PREAUTH",
        ),
        (
            "paymentSession.amount",
            Value::Null,
            "400 PS0026 paymentSession.amount is missing",
        ),
        (
            "paymentSession.amount",
            json!("3546"),
            "400 PS0007 paymentSession.amount",
        ),
        (
            "paymentSession.amount",
            json!("0"),
            "400 PS0026 paymentSession.amount",
        ),
        (
            "paymentSession.captureType",
            json!("LATER"),
            "400 PS0026 paymentSession.captureType",
        ),
        (
            "paymentSession.captureType",
            json!("EXPLICIT"),
            "400 PS0026 paymentSession.captureType",
        ),
        (
            "paymentSession.exemptions",
            json!("LOW_VALUE"),
            "400 PS0026 paymentSession.exemptions LOW_VALUE is only for amounts",
        ),
        (
            "paymentSession.language",
            json!("it"),
            "400 PS0026 paymentSession.language",
        ),
        (
            "paymentSession.language",
            json!(3),
            "400 PS0026 paymentSession.language",
        ),
        (
            "paymentSession.paymentService",
            json!("NOSUCH"),
            "400 PS0026 paymentSession.paymentService",
        ),
        (
            "paymentSession.recurrence",
            json!({"action": "USE_CONTRACT"}),
            "400 PS0026 paymentSession.recurrence.action",
        ),
        (
            "paymentSession.recurrence",
            json!({}),
            "400 PS0026 paymentSession.recurrence.action is missing",
        ),
        (
            "paymentSession.recurrence",
            json!({"action": "CONTRACT_CREATION"}),
            "400 PS0026 PS0026 paymentSession.recurrence.contractId is missing",
        ),
        (
            "paymentSession.recurrence",
            json!({"action": "CONTRACT_CREATION", "contractId": "K1"}),
            "400 PS0026 paymentSession.recurrence.contractType is missing",
        ),
        (
            "paymentSession.recurrence",
            json!({"action": "CONTRACT_CREATION", "contractId": "K 1", "contractType": "CIT"}),
            "400 PS0026 paymentSession.recurrence.contractId must be",
        ),
        (
            "paymentSession.recurrence",
            json!({"action": "CONTRACT_CREATION", "contractId": "K1", "contractType": "MIT"}),
            "400 PS0026 paymentSession.recurrence.contractType must be one of",
        ),
        (
            "paymentSession.recurrence",
            json!({"action": "CONTRACT_CREATION", "contractId": "K1", "contractType": "CIT", "contractFrequency": "30"}),
            "400 PS0026 paymentSession.recurrence.contractFrequency is only for MIT_SCHEDULED",
        ),
        (
            "paymentSession.recurrence",
            json!({"action": "CONTRACT_CREATION", "contractId": "K1", "contractType": "MIT_SCHEDULED", "contractFrequency": "30 days"}),
            "400 PS0026 paymentSession.recurrence.contractFrequency must be",
        ),
        (
            "paymentSession.recurrence",
            json!({"action": "CONTRACT_CREATION", "contractId": "K1", "contractType": "MIT_SCHEDULED", "contractExpiryDate": "2026-11-19"}),
            "400 PS0026 paymentSession.recurrence.contractExpiryDate must not be past",
        ),
        (
            "paymentSession.recurrence",
            json!({"action": "CONTRACT_CREATION", "contractId": "K1", "contractType": "MIT_SCHEDULED", "contractExpiryDate": "31.12.2027"}),
            "400 PS0008 paymentSession.recurrence.contractExpiryDate",
        ),
        (
            "paymentSession.recurrence",
            json!({"action": "SUBSEQUENT_PAYMENT", "contractId": "K1"}),
            "400 PS0017",
        ),
        (
            "paymentSession.recurrence",
            json!({"action": "CARD_SUBSTITUTION", "contractId": "K1", "contractType": "CIT"}),
            "400 PS0017",
        ),
        (
            "paymentSession.resultUrl",
            Value::Null,
            "400 PS0026 paymentSession.resultUrl is missing",
        ),
        (
            "paymentSession.cancelUrl",
            json!("ftp://shop.example"),
            "400 PS0026 paymentSession.cancelUrl",
        ),
        (
            "paymentSession.notificationUrl",
            json!("hook"),
            "400 PS0026 paymentSession.notificationUrl",
        ),
        ("form", json!("yes"), "400 PS0026 form must be an object"),
        (
            "form",
            json!({"closing": "BUYER"}),
            "400 PS0026 form.closing",
        ),
        ("form", json!({"attempts": 0}), "400 PS0026 form.attempts"),
        ("form", json!({"attempts": 6}), "400 PS0026 form.attempts"),
        (
            "form",
            json!({"cardSummary": "ALL"}),
            "400 PS0026 form.cardSummary",
        ),
        (
            "form",
            json!({"methods": "WALLETS"}),
            "400 PS0026 form.methods",
        ),
        (
            "form",
            json!({"expiresInSeconds": 59}),
            "400 PS0026 form.expiresInSeconds",
        ),
    ] {
        // Keeps the calls below the rate limit.
        app.clock.advance(std::time::Duration::from_secs(1));
        let found = refusal(&app, &with(path, value.clone())).await;
        assert!(found.starts_with(expected), "{path} {value}: {found}");
        assert!(found.len() < 300, "{path}: {found}");
    }
    assert_eq!(app.count("SELECT count(*) FROM merchant_order").await, 0);
}

#[tokio::test]
async fn what_a_terminal_does_not_have_is_refused() {
    let app = TestApp::new().await;
    let creation = with(
        "paymentSession.recurrence",
        json!({"action": "CONTRACT_CREATION"}),
    );
    let answer = app
        .key("sandbox-no-token")
        .post("/orders/build", &creation)
        .await;
    assert_eq!(
        (answer.refusal().as_str(), answer.why()),
        (
            "400 PS0026",
            "paymentSession.recurrence is not enabled on this terminal"
        )
    );
    let implicit = with("paymentSession.captureType", json!("IMPLICIT"));
    app.key("sandbox-explicit")
        .post("/orders/build", &implicit)
        .await
        .ok();
    let mut preauth = with("paymentSession.captureType", json!("IMPLICIT"));
    preauth["paymentSession"]["actionType"] = json!("PREAUTH");
    assert_eq!(
        app.merchant()
            .post("/orders/build", &preauth)
            .await
            .refusal(),
        "400 PS0026"
    );
}
