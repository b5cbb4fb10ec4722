//! What ties the order keeper to this package, against the vectors that the packages for other languages have, too.

use payframe_server::order_keeper::{
    Input, Order, Reading, from_json, new_order, read_input, reading_of, to_json,
};
use payframe_server::types;
use serde_json::{Value, json};

fn vectors(text: &str) -> Vec<Value> {
    serde_json::from_str(text).unwrap()
}

/// An answer of the gateway with the members that a vector names.
fn answer_of(vector: &Value) -> types::Order {
    let status = &vector["orderStatus"];
    let operations = vector["operations"].as_array().unwrap().iter().map(|given| {
        let mut operation = json!({
            "orderId": "A1", "operationCurrency": "EUR", "operationTime": "", "terminalId": "", "channel": "", "channelDetail": "",
            "additionalData": {}, "customerInfo": {}, "warnings": [],
        });
        for (name, value) in given.as_object().unwrap() {
            operation[name] = value.clone();
        }
        operation
    });
    let answer = json!({
        "orderStatus": {
            "order": status["order"], "authorizedAmount": status["authorizedAmount"], "refundedAmount": status["refundedAmount"],
            "capturedAmount": "0", "status": "UNPAID",
        },
        "operations": operations.collect::<Vec<_>>(), "orderVersion": "1", "paymentLinks": [],
    });
    serde_json::from_value(answer).unwrap()
}

#[test]
fn an_answer_of_the_gateway_is_read_as_the_vectors_say() {
    let vectors = vectors(include_str!(
        "../../../../crates/order-keeper/readings.json"
    ));
    assert!(vectors.len() >= 100);
    for vector in vectors {
        let answer = answer_of(&vector["answer"]);
        let currency = vector["currency"].as_str().unwrap();
        let input = read_input(7, Some(&answer), currency);
        match reading_of(&answer, currency) {
            Ok(reading) => {
                let payments = reading.payments().iter().map(|payment| {
                    let outcome = format!("{:?}", payment.outcome).to_uppercase();
                    json!({ "operation": payment.operation.to_string(), "outcome": outcome, "amount": payment.amount.minor() })
                });
                let read = json!({ "held": reading.held().minor(), "payments": payments.collect::<Vec<_>>() });
                assert_eq!(read, vector["reading"]);
                assert_eq!(input, Input::Read { ticket: 7, reading });
            }
            Err(error) => {
                assert_eq!(
                    format!("{error:?}").to_uppercase(),
                    vector["unreadable"].as_str().unwrap()
                );
                assert_eq!(input, Input::ReadUnreadable { ticket: 7 });
            }
        }
    }
}

#[test]
fn an_order_that_the_gateway_does_not_have_has_no_payments() {
    let reading = Reading::default();
    assert_eq!(
        read_input(7, None, "EUR"),
        Input::Read { ticket: 7, reading }
    );
}

#[test]
fn an_order_is_stored_in_the_form_of_the_vectors() {
    let vectors = vectors(include_str!(
        "../../../../crates/order-keeper/decisions.json"
    ));
    assert!(vectors.len() >= 500);
    assert_eq!(to_json(&new_order(3545).unwrap()), vectors[0]["order"]);
    for vector in vectors {
        for row in [&vector["order"], &vector["after"]] {
            assert_eq!(to_json(&from_json(row).unwrap()), *row);
        }
    }
}

#[test]
fn a_stored_order_that_the_keeper_can_not_have_made_is_refused_as_the_vectors_say() {
    for vector in vectors(include_str!("../../../../crates/order-keeper/stored.json")) {
        match (from_json(&vector["order"]), vector["refused"].as_str()) {
            (Ok(order), None) => assert_eq!(to_json(&order), vector["order"]),
            (Err(error), Some(why)) => {
                assert!(error.message().ends_with(&format!(": {why}")), "{error}");
                assert_eq!(error.member(), Some("order"));
            }
            (outcome, why) => panic!("{outcome:?} {why:?}"),
        }
    }
}

#[test]
fn a_stored_order_without_its_form_is_refused() {
    let good = to_json(&new_order(3545).unwrap());
    let refuses = |order: &Value| {
        let outcome: Result<Order, _> = from_json(order);
        assert_eq!(outcome.unwrap_err().code(), "bad_value", "{order}");
    };
    for name in good.as_object().unwrap().keys() {
        for value in [json!("x"), json!(-1), json!(true)] {
            let mut changed = good.clone();
            changed[name] = value;
            refuses(&changed);
        }
        let mut without = good.clone();
        without.as_object_mut().unwrap().remove(name);
        refuses(&without);
    }
    for change in [
        json!({ "open": [null] }),
        json!({ "open": [{ "number": 1 }], "attempts": 1 }),
        json!({ "returning": ["1"] }),
        json!({ "status": "PAYING" }),
        json!({ "statusDetail": "BUYER" }),
        json!({ "status": "NEEDS_PERSON", "statusDetail": "BUYER" }),
    ] {
        let mut changed = good.clone();
        for (name, value) in change.as_object().unwrap() {
            changed[name] = value.clone();
        }
        refuses(&changed);
    }
    refuses(&Value::Null);
    refuses(&json!([]));
}

#[test]
fn an_order_has_an_amount() {
    for due in [0, 1_000_000_000_000] {
        assert_eq!(new_order(due).unwrap_err().member(), Some("due_minor"));
    }
}
