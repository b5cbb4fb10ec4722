//! A merchant's server and its buyer, against a gateway's process.

use crate::http;
use serde_json::{Value, json};
use std::net::SocketAddr;

/// A test card that is approved.
pub(crate) const APPROVED: &str = "4761730000000003";
/// A test card that is approved without a challenge.
pub(crate) const WITHOUT_CHECKS: &str = "4761730000003049";
/// A test card that is declined.
pub(crate) const DECLINED: &str = "4761730000001167";

const MERCHANT: (&str, &str) = ("x-api-key", "sandbox-implicit");

/// Where a process listens.
pub(crate) fn socket(address: &str) -> SocketAddr {
    let (_, host) = address.split_once("://").unwrap();
    host.split('/').next().unwrap().parse().unwrap()
}

/// A call of the API: status and answer.
pub(crate) fn call(
    server: SocketAddr,
    path: &str,
    headers: &[(&str, &str)],
    body: &Value,
) -> (u16, Value) {
    let [correlation, key] = [(); 2].map(|()| uuid::Uuid::new_v4().to_string());
    let mut all = vec![
        ("correlation-id", correlation.as_str()),
        ("idempotency-key", key.as_str()),
        ("content-type", "application/json"),
    ];
    all.extend_from_slice(headers);
    let answer = http::send(
        server,
        "POST",
        &format!("/api{path}"),
        &all,
        &body.to_string(),
    );
    let answer = answer.unwrap();
    (
        answer.status.unwrap(),
        serde_json::from_str(&answer.text).unwrap_or(Value::Null),
    )
}

/// A merchant's call with a successful answer.
pub(crate) fn merchant(server: SocketAddr, path: &str, body: &Value) -> Value {
    let (status, answer) = call(server, path, &[MERCHANT], body);
    assert_eq!(status, 200, "{answer}");
    answer
}

/// An order by telephone; returns the result.
pub(crate) fn pay(server: SocketAddr, order: &str, number: &str) -> String {
    pay_with(server, order, number, &[])
}

/// The same with further headers.
pub(crate) fn pay_with(
    server: SocketAddr,
    order: &str,
    number: &str,
    headers: &[(&str, &str)],
) -> String {
    let request = json!({
        "order": {
            "orderId": order, "amount": "3545", "currency": "EUR",
            "customerInfo": { "cardHolderName": "Anna Rossi" }
        },
        "card": { "pan": number, "expiryDate": "1230", "cvv": "123" }
    });
    let (status, paid) = call(
        server,
        "/orders/moto",
        &[&[MERCHANT], headers].concat(),
        &request,
    );
    assert_eq!(status, 200, "{paid}");
    paid["operation"]["operationResult"]
        .as_str()
        .unwrap()
        .to_owned()
}
