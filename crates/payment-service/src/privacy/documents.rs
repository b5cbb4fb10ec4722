//! What documents hold after the data of their buyer is erased. Pure.
//!
//! Of an order and a reservation only the members named here stay, so a member that is new is erased until somebody decides otherwise.
//! Of an operation everything stays but what describes the buyer: amounts, times, results, ids, and the card as lists show it.

use serde_json::{Map, Value};
use url::Url;

/// An order, or a reservation, without its buyer.
pub(super) fn order_without_buyer(document: &Map<String, Value>) -> Map<String, Value> {
    let stays = |(name, _): &(&String, &Value)| ORDER_MEMBERS.contains(&name.as_str());
    let kept = document.iter().filter(stays);
    kept.map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

/// An operation without its buyer.
pub(super) fn operation_without_buyer(operation: &mut Map<String, Value>) {
    operation.insert(String::from("customerInfo"), Value::Object(Map::new()));
    if let Some(Value::Object(data)) = operation.get_mut("additionalData") {
        for name in CARD_IDS {
            data.remove(name);
        }
    }
}

/// The body of a notification, or of an event of the feed, without its buyer.
pub(super) fn event_without_buyer(event: &mut Map<String, Value>) {
    if let Some(Value::Object(operation)) = event.get_mut("operation") {
        operation_without_buyer(operation);
    }
    if let Some(Value::Object(fulfilment)) = event.get_mut("fulfilment") {
        fulfilment.remove("note");
    }
    if let Some(Value::Object(dispute)) = event.get_mut("dispute") {
        dispute.remove("evidence");
        dispute.remove("files");
    }
}

/// The order that the body of an event is about.
pub(super) fn order_of_event(event: &Map<String, Value>) -> Option<&str> {
    ["operation", "fulfilment", "dispute", "refundApproval"]
        .iter()
        .find_map(|part| event.get(*part)?.get("orderId")?.as_str())
}

/// The answer of a call, without the buyers of these orders. Returns whether something was erased.
pub(super) fn answer_without_buyer(answer: &mut Value, is_erased: &dyn Fn(&str) -> bool) -> bool {
    match answer {
        Value::Array(values) => values.iter_mut().fold(false, |done, value| {
            answer_without_buyer(value, is_erased) | done
        }),
        Value::Object(members) => {
            let is_of_buyer = members
                .get("orderId")
                .or_else(|| members.get("reservationId"))
                .and_then(Value::as_str)
                .is_some_and(is_erased);
            if is_of_buyer && members.contains_key("operationId") {
                operation_without_buyer(members);
                members.remove("note");
            } else if is_of_buyer {
                let is_order = members.contains_key("amount") || members.contains_key("state");
                if is_order {
                    members.retain(|name, _| !BUYER_MEMBERS.contains(&name.as_str()));
                }
            }
            let within = members.values_mut().fold(false, |done, value| {
                answer_without_buyer(value, is_erased) | done
            });
            is_of_buyer || within
        }
        _ => false,
    }
}

/// An address to return to, without what it says of the buyer: its origin.
pub(super) fn origin_of(url: &str) -> String {
    let origin = Url::parse(url).map(|url| url.origin());
    match origin {
        Ok(origin) if origin.is_tuple() => format!("{}/", origin.ascii_serialization()),
        _ => String::new(),
    }
}

/// Whether a text occurs anywhere in a document as a whole value, in any letter case.
pub(super) fn holds_text(value: &Value, text: &str) -> bool {
    match value {
        Value::String(found) => found.trim().eq_ignore_ascii_case(text),
        Value::Array(values) => values.iter().any(|value| holds_text(value, text)),
        Value::Object(members) => members.values().any(|value| holds_text(value, text)),
        _ => false,
    }
}

/// What stays of an order and of a reservation: money, dates, and what was agreed.
const ORDER_MEMBERS: [&str; 23] = [
    "orderId",
    "reservationId",
    "amount",
    "currency",
    "deposit",
    "installments",
    "installmentQty",
    "plan",
    "termsAndConditionsIds",
    "invoiceId",
    "reservationType",
    "structureId",
    "checkInDate",
    "checkOutDate",
    "checkInFromTime",
    "checkInToTime",
    "checkOutFromTime",
    "checkOutToTime",
    "reservationPeriod",
    "linkExpirationDate",
    "collectionType",
    "CancelationDetails",
    "customerNumber",
];

/// What is removed of an order in an answer.
const BUYER_MEMBERS: [&str; 9] = [
    "customerInfo",
    "customerId",
    "customerName",
    "customerSurname",
    "customerTaxCode",
    "customField",
    "description",
    "transactionSummary",
    "note",
];

/// By these a card is recognised in other orders.
const CARD_IDS: [&str; 2] = ["cardId", "cardId4"];

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn map(value: Value) -> Map<String, Value> {
        match value {
            Value::Object(map) => map,
            other => panic!("{other}"),
        }
    }

    #[test]
    fn of_an_order_only_money_and_agreements_stay() {
        let order = map(json!({
            "orderId": "A1", "amount": "3545", "currency": "EUR", "customerId": "cust-7", "description": "for Anna",
            "customField": "anna", "customerInfo": { "cardHolderName": "Anna Rossi" }, "invoiceId": "2026-1",
            "somethingNew": "Anna",
        }));
        let expected =
            json!({ "orderId": "A1", "amount": "3545", "currency": "EUR", "invoiceId": "2026-1" });
        assert_eq!(Value::Object(order_without_buyer(&order)), expected);
    }

    #[test]
    fn of_an_operation_the_card_stays_as_lists_show_it() {
        let mut event = map(json!({
            "eventId": "e",
            "operation": {
                "orderId": "A1", "operationAmount": "3545", "customerInfo": { "cardHolderEmail": "anna@rossi.example" },
                "paymentInstrumentInfo": "***0003",
                "additionalData": { "maskedPan": "476173******0003", "cardId": "c", "cardId4": "d", "rrn": "1" },
            },
        }));
        assert_eq!(order_of_event(&event), Some("A1"));
        event_without_buyer(&mut event);
        let expected = json!({
            "orderId": "A1", "operationAmount": "3545", "customerInfo": {}, "paymentInstrumentInfo": "***0003",
            "additionalData": { "maskedPan": "476173******0003", "rrn": "1" },
        });
        assert_eq!(event["operation"], expected);
    }

    #[test]
    fn answers_lose_the_buyers_of_erased_orders_only() {
        let answer = json!({ "operations": [
            { "orderId": "A1", "operationId": "1", "customerInfo": { "cardHolderName": "Anna" }, "additionalData": {} },
            { "orderId": "B1", "operationId": "2", "customerInfo": { "cardHolderName": "Berta" }, "additionalData": {} },
        ], "order": { "orderId": "A1", "amount": "1", "customerId": "cust-7" } });
        let mut without = answer.clone();
        assert!(answer_without_buyer(&mut without, &|order| order == "A1"));
        let text = without.to_string();
        assert!(
            !text.contains("Anna") && !text.contains("cust-7") && text.contains("Berta"),
            "{text}"
        );
        let mut other = answer.clone();
        assert!(!answer_without_buyer(&mut other, &|order| order == "C1"));
        assert_eq!(other, answer);
    }

    #[test]
    fn addresses_keep_their_origin() {
        for (url, expected) in [
            (
                "https://shop.example/ok?buyer=anna",
                "https://shop.example/",
            ),
            (
                "https://anna@shop.example:8443/anna#anna",
                "https://shop.example:8443/",
            ),
            ("", ""),
            ("shop:anna", ""),
        ] {
            assert_eq!(origin_of(url), expected);
        }
    }
}
