//! The sum that the buyer has confirmed in the wallet, held against the payment.

use super::encrypted_tokens::{Shop, apple, google};
use super::{apple_for, pay, request};
use crate::harness::{APPROVED, TestApp};
use serde_json::{Value, json};

/// The token of APPLEPAY is for 35.45 EUR.
#[tokio::test]
async fn a_payment_is_of_the_sum_that_the_buyer_confirmed_in_the_wallet() {
    let shop = Shop::open().await;
    for (part, value, member) in [
        ("/paymentSession/amount", "3544", "paymentSession.amount"),
        ("/paymentSession/amount", "1", "paymentSession.amount"),
        ("/order/currency", "USD", "order.currency"),
        ("/order/currency", "JPY", "order.currency"),
    ] {
        for action in ["PAY", "PREAUTH"] {
            let mut other = apple("A1");
            *other.pointer_mut(part).unwrap() = json!(value);
            other["paymentSession"]["actionType"] = json!(action);
            let answer = shop.pay(&other).await;
            assert_eq!(answer.refusal(), "400 PS0026", "{part} {value}");
            assert_eq!(
                answer.why(),
                format!(
                    "{member} must be what the buyer has confirmed in the wallet (walletPaymentData)"
                )
            );
        }
    }
    let mut more = apple("A1");
    more["order"]["amount"] = json!("9000");
    more["paymentSession"]["amount"] = json!("3546");
    assert_eq!(shop.pay(&more).await.refusal(), "400 PS0026");
    assert!(shop.desk.asked().is_empty());
    assert_eq!(
        shop.app.count("SELECT count(*) FROM merchant_order").await,
        0
    );
    // None of it has used up the token. A part of an order is paid by a token for that part.
    more["paymentSession"]["amount"] = json!("3545");
    let answer = shop.pay(&more).await.ok();
    assert_eq!(answer["operation"]["operationAmount"], "3545");
    assert_eq!(shop.desk.asked().len(), 1);
}

#[tokio::test]
async fn a_verification_takes_a_token_for_any_amount_and_so_does_a_wallet_that_names_none() {
    let shop = Shop::open().await;
    let mut verified = apple("A1");
    verified["paymentSession"]["actionType"] = json!("VERIFY");
    verified["paymentSession"]["amount"] = json!("0");
    verified["order"]["amount"] = json!("0");
    let mut other = verified.clone();
    other["order"]["currency"] = json!("USD");
    assert_eq!(shop.pay(&other).await.refusal(), "400 PS0026");
    shop.pay(&verified).await.ok();
    let mut google = google("A2", "cryptogram");
    google["paymentSession"]["amount"] = json!("1");
    google["order"]["currency"] = json!("USD");
    shop.pay(&google).await.ok();
    assert_eq!(shop.desk.asked().len(), 2);
}

#[tokio::test]
async fn a_sandbox_compares_the_confirmed_sum_too() {
    let app = TestApp::new().await;
    let paid = async |order_id: &str, sum: Value| {
        let mut request = request(order_id, apple_for(APPROVED, &sum));
        request["paymentSession"]["paymentService"] = json!("APPLEPAY");
        pay(&app, &request).await
    };
    for (sum, expected) in [
        (
            json!({ "transactionAmount": 3545, "currencyCode": "978" }),
            "200",
        ),
        (
            json!({ "transactionAmount": 3544, "currencyCode": "978" }),
            "400 PS0026",
        ),
        (
            json!({ "transactionAmount": 3545, "currencyCode": "840" }),
            "400 PS0026",
        ),
        (json!({ "transactionAmount": 3545 }), "400 PS0026"),
        (json!({ "currencyCode": "978" }), "400 PS0026"),
        (
            json!({ "transactionAmount": "3545", "currencyCode": "978" }),
            "400 PS0026",
        ),
    ] {
        let answer = paid("A1", sum.clone()).await;
        let told = match answer.status {
            200 => String::from("200"),
            _ => answer.refusal(),
        };
        assert_eq!(told, expected, "{sum}");
    }
}
