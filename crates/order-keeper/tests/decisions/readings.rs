//! Vectors of answers of `GET /orders/{orderId}`: what a shop reads in them, or why it can not.

use crate::json::reading_json;
use payframe_order_keeper::{Operation, OrderView, Reading, ReadingError};
use serde_json::{Value, json};

/// Operation id, type, result, amount.
type Row<'a> = [&'a str; 4];

pub(crate) fn lines() -> Vec<String> {
    let mut lines = Vec::new();
    let mut add = |currency: &str, authorized: &str, refunded: &str, rows: &[Row<'_>]| {
        lines.push(line(currency, authorized, refunded, rows).to_string());
    };
    add("EUR", "0", "0", &[]);
    for result in RESULTS {
        for authorized in ["0", "3545"] {
            add(
                "EUR",
                authorized,
                "0",
                &[[ID, "AUTHORIZATION", result, "3545"]],
            );
        }
    }
    for kind in KINDS {
        for result in ["EXECUTED", "PENDING", "APPROVED"] {
            add("EUR", "0", "0", &[[ID, kind, result, "3545"]]);
        }
    }
    for currency in ["USD", "eur", "", "EUR "] {
        add(currency, "0", "0", &[]);
    }
    for amount in AMOUNTS {
        let sale = [ID, "AUTHORIZATION", "EXECUTED", "3545"];
        add("EUR", amount, "0", &[sale]);
        add("EUR", "3545", amount, &[sale]);
        add(
            "EUR",
            "3545",
            "0",
            &[[ID, "AUTHORIZATION", "EXECUTED", amount]],
        );
    }
    for id in [
        "",
        "34707440000000000",
        "3470744000000000011",
        "34707440000000000a",
        " 47074400000000001",
    ] {
        add("EUR", "0", "0", &[[id, "AUTHORIZATION", "PENDING", "3545"]]);
        // The id of an operation that does not count is not read.
        add("EUR", "0", "0", &[[id, "CAPTURE", "EXECUTED", "x"]]);
    }
    let second = ["347074400000000002", "AUTHORIZATION", "AUTHORIZED", "1000"];
    let refund = ["347074400000000003", "REFUND", "EXECUTED", "500"];
    let first = [ID, "AUTHORIZATION", "VOIDED", "3545"];
    add("EUR", "1000", "500", &[first, second, refund]);
    add(
        "EUR",
        "4545",
        "4545",
        &[[ID, "AUTHORIZATION", "REFUNDED", "3545"], second],
    );
    add("EUR", "4545", "4546", &[second]);
    lines
}

fn line(currency: &str, authorized: &str, refunded: &str, rows: &[Row<'_>]) -> Value {
    let operations: Vec<Operation<'_>> = rows
        .iter()
        .map(|[id, kind, result, amount]| Operation {
            id,
            kind,
            result,
            amount,
        })
        .collect();
    let view = OrderView {
        currency,
        authorized,
        refunded,
        operations: &operations,
    };
    let operation = |[id, kind, result, amount]: &Row<'_>| json!({"operationId": id, "operationType": kind, "operationResult": result, "operationAmount": amount});
    // The gateway answers the newest first, and a view has the oldest first.
    let rows: Vec<Value> = rows.iter().rev().map(operation).collect();
    let status = json!({"order": {"currency": currency}, "authorizedAmount": authorized, "refundedAmount": refunded});
    let answer = json!({"orderStatus": status, "operations": rows});
    match Reading::parse(&view, "EUR") {
        Ok(reading) => {
            json!({"answer": answer, "currency": "EUR", "reading": reading_json(&reading)})
        }
        Err(error) => json!({"answer": answer, "currency": "EUR", "unreadable": name(error)}),
    }
}

fn name(error: ReadingError) -> &'static str {
    match error {
        ReadingError::Currency => "CURRENCY",
        ReadingError::Form => "FORM",
        ReadingError::Unknown => "UNKNOWN",
        ReadingError::Totals => "TOTALS",
    }
}

const ID: &str = "347074400000000001";
const RESULTS: [&str; 13] = [
    "AUTHORIZED",
    "EXECUTED",
    "PENDING",
    "VOIDED",
    "REFUNDED",
    "DECLINED",
    "DENIED_BY_RISK",
    "THREEDS_VALIDATED",
    "THREEDS_FAILED",
    "CANCELED",
    "FAILED",
    "APPROVED",
    "executed",
];
const KINDS: [&str; 8] = [
    "AUTHORIZATION",
    "CAPTURE",
    "VOID",
    "REFUND",
    "CANCEL",
    "CARD_VERIFICATION",
    "NOSHOW",
    "",
];
const AMOUNTS: [&str; 12] = [
    "",
    "-1",
    "+1",
    "1.0",
    "1e3",
    " 1",
    "1\n",
    "0003545",
    "999999999999",
    "1000000000000",
    "35,45",
    "\u{0663}",
];
