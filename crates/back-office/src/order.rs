//! One order: its amounts, its customer, all its operations, and the actions that are possible now.

use super::display::{address, moment, sum, sum_of_text};
use super::disputes::ShownDispute;
use super::error::OfficeError;
use super::labels::{self, Badge};
use super::login_session::LoginSession;
use super::moment::Moment;
use super::page::{LastAction, Layout, Section, show};
use super::refunds::{self, ActionLink};
use crate::BackOffice;
use askama::Template;
use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use payframe_payment_domain::back_office::Role;
use payframe_payment_domain::ledger_rules::Allowed;
use payframe_payment_domain::operation::OperationResult;
use payframe_payment_service::dispute_document::{money_of, on_the_wire};
use payframe_protocol::operation::{CARD_TESTING_RULE, Operation};
use payframe_protocol::warning::Warning;
use payframe_storage::disputes::{self, DisputeRow};
use payframe_storage::fulfilments::{self, FulfilmentRow};
use payframe_storage::order_list::{self, OrderFilter};
use payframe_storage::orders::OrderRow;
use payframe_storage::{Window, buyers, hosted_pages, operations, order_warnings, orders};
use serde_json::{Map, Value};

pub(super) fn router() -> Router<BackOffice> {
    Router::new().route("/office/orders/{order_id}", get(detail))
}

async fn detail(
    State(office): State<BackOffice>,
    login: LoginSession,
    Path(order_id): Path<String>,
    Query(done): Query<LastAction>,
) -> Result<Response, OfficeError> {
    let merchant_id = &login.member.merchant_id;
    let mut connection = office.store().read().await?;
    let found = orders::find(&mut connection, merchant_id, &order_id).await?;
    let order = found.ok_or(OfficeError::NotFound)?;
    let filter = OrderFilter {
        order_id: Some(&order_id),
        ..OrderFilter::default()
    };
    let listed = order_list::list(&mut connection, merchant_id, &filter, ALL).await?;
    let operations = operations::of_order(&mut connection, merchant_id, &order_id).await?;
    let links = hosted_pages::links_of_order(&mut connection, merchant_id, &order_id).await?;
    let goods = fulfilments::find(&mut connection, merchant_id, &order_id).await?;
    let disputes = disputes::of_order(&mut connection, merchant_id, &order_id).await?;
    let erased_ms = buyers::erased_ms(&mut connection, merchant_id, &order_id).await?;
    let warnings = order_warnings::of_order(&mut connection, merchant_id, &order_id).await?;
    drop(connection);
    let mut entries = Vec::new();
    for operation in &operations {
        let allowed = match login.may(Role::Operator) {
            true => {
                office
                    .post_authorization()
                    .allowed_actions(merchant_id, &operation.operation_id)
                    .await?
            }
            false => None,
        };
        let allowed = allowed.map(|(_, allowed)| allowed).unwrap_or_default();
        entries.push(Entry::of(operation, &allowed));
    }
    let page = OrderPage {
        layout: Layout::of(&login, Section::Orders, format!("Order {order_id}"))
            .after(&done, &refunds::DONE),
        status: match listed.first() {
            Some(listed) => labels::status(listed.status),
            None => Badge::quiet("Not paid"),
        },
        goods: goods.as_ref().map(Goods::of),
        sums: sums(&order, &disputes),
        disputes: disputes
            .iter()
            .map(|row| ShownDispute::of(&on_the_wire(row)))
            .collect(),
        customer: customer(&order.document),
        erased: erased_ms.map(Moment),
        entries,
        warnings,
        links: links
            .iter()
            .map(|link| {
                let status = link.life.status(office.payment_clock().now_ms());
                (super::links::path_of(&link.page_id), labels::link(status))
            })
            .collect(),
        reservation: order
            .is_reservation
            .then(|| super::reservations::path_of(&order_id)),
        notifications: address("/office/notifications", &[("order", &order_id)]),
    };
    Ok(show(StatusCode::OK, &page))
}

/// Without limits of time.
const ALL: Window = Window {
    from_ms: 0,
    to_ms: i64::MAX,
    max_records: 1,
};

fn sums(order: &OrderRow, disputes: &[DisputeRow]) -> Vec<(&'static str, String)> {
    let totals = order.totals;
    let (disputed, charged_back) = money_of(disputes);
    let of_disputes = [("Disputed", disputed), ("Charged back", charged_back)];
    let sums = [
        ("Ordered", order.amount),
        ("Authorized", totals.authorized),
        ("Captured", totals.captured),
        ("Refunded", totals.refunded),
    ];
    let write = |(label, amount)| (label, sum(amount, &order.currency));
    let of_disputes = of_disputes
        .into_iter()
        .filter(|(_, amount)| !amount.is_zero());
    sums.into_iter().chain(of_disputes).map(write).collect()
}

/// What the merchant sent about the order and its buyer, as the API shows it: each text with its path.
fn customer(document: &Map<String, Value>) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (name, value) in document {
        match value {
            _ if SAID_ELSEWHERE.contains(&name.as_str()) => {}
            // All its members are about the buyer.
            Value::Object(members) if name == "customerInfo" => {
                for (member, value) in members {
                    flatten(member, value, &mut found);
                }
            }
            value => flatten(name, value, &mut found),
        }
    }
    found
}

fn flatten(name: &str, value: &Value, found: &mut Vec<(String, String)>) {
    match value {
        Value::Object(members) => {
            for (member, value) in members {
                flatten(&format!("{name}, {}", spaced(member)), value, found);
            }
        }
        Value::Array(values) => {
            for (place, value) in (1..).zip(values) {
                flatten(&format!("{name} {place}"), value, found);
            }
        }
        Value::Null => {}
        Value::String(text) => found.push((capitalized(&spaced(name)), text.clone())),
        other => found.push((capitalized(&spaced(name)), other.to_string())),
    }
}

/// `customerInfo` as `customer info`.
fn spaced(name: &str) -> String {
    let mut text = String::new();
    for char in name.chars() {
        if char.is_ascii_uppercase() && text.ends_with(|former: char| former.is_ascii_lowercase()) {
            text.push(' ');
        }
        text.push(char.to_ascii_lowercase());
    }
    text
}

fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}

/// Members that the same page shows elsewhere.
const SAID_ELSEWHERE: [&str; 3] = ["orderId", "amount", "currency"];

#[derive(Template)]
#[template(path = "office-order.html")]
struct OrderPage<'a> {
    layout: Layout<'a>,
    status: Badge,
    /// What the shop told of the goods.
    goods: Option<Goods<'a>>,
    sums: Vec<(&'static str, String)>,
    customer: Vec<(String, String)>,
    /// When the data of its buyer was erased.
    erased: Option<Moment>,
    /// Newest first.
    disputes: Vec<ShownDispute>,
    /// Oldest first.
    entries: Vec<Entry<'a>>,
    /// The warnings of calls about the order.
    warnings: Vec<Warning>,
    links: Vec<(String, Badge)>,
    /// The page of the reservation that it belongs to.
    reservation: Option<String>,
    notifications: String,
}

/// What the shop told of the goods.
struct Goods<'a> {
    state: Badge,
    since: Moment,
    note: Option<&'a str>,
}

impl<'a> Goods<'a> {
    fn of(row: &'a FulfilmentRow) -> Goods<'a> {
        Goods {
            state: labels::goods(row.state),
            since: Moment(row.changed_ms),
            note: row.note.as_deref(),
        }
    }
}

/// An operation in the order's history.
struct Entry<'a> {
    operation: &'a Operation,
    kind: String,
    result: Badge,
    reason: Option<String>,
    time: Moment,
    sum: String,
    paid_with: String,
    details: Vec<(&'static str, String)>,
    acts: Vec<ActionLink>,
}

impl<'a> Entry<'a> {
    fn of(operation: &'a Operation, allowed: &[Allowed]) -> Entry<'a> {
        let data = |key: &str| operation.additional_data.get(key).and_then(Value::as_str);
        let result = OperationResult::from_code(&operation.operation_result);
        let currency = &operation.operation_currency;
        let circuit = operation.payment_circuit.as_deref().map(labels::circuit);
        let parts = [
            circuit.as_deref(),
            operation.payment_instrument_info.as_deref(),
        ];
        let details = DETAILS
            .iter()
            .filter_map(|(label, key)| Some((*label, data(key)?.to_owned())));
        let undone = operation.cancelled_operation_id.clone();
        Entry {
            kind: labels::kind(&operation.operation_type),
            result: labels::result(&operation.operation_result),
            reason: data(CARD_TESTING_RULE)
                .and_then(labels::card_testing_reason)
                .or_else(|| data("declineReason").and_then(labels::decline_reason))
                .map(str::to_owned)
                .or_else(|| labels::reason(result?, data("authorizationStatus"))),
            time: moment(&operation.operation_time),
            sum: sum_of_text(&operation.operation_amount, currency),
            paid_with: parts.into_iter().flatten().collect::<Vec<_>>().join(" "),
            details: undone
                .map(|id| ("Undoes", id))
                .into_iter()
                .chain(details)
                .collect(),
            acts: allowed
                .iter()
                .map(|allowed| ActionLink::of(operation, allowed))
                .collect(),
            operation,
        }
    }
}

/// Further details of an operation, by their key in `additionalData` (contract 2.7.3).
const DETAILS: [(&str, &str); 14] = [
    ("Authorization code", "authorizationCode"),
    ("Card", "maskedPan"),
    ("Card type", "cardType"),
    ("Card's country", "cardCountry"),
    ("3-D Secure", "threeDS"),
    ("Data share only", "dataShareOnly"),
    ("Exemption", "exemption"),
    ("Bears a fraud", "liability"),
    ("Reason of the decline", "declineReason"),
    ("Repeats", "repeatsOperationId"),
    ("Refused exemption", "refusedExemption"),
    ("Retrieval reference", "rrn"),
    ("Scheme transaction", "schemaTID"),
    ("Contract", "contractId"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_document_is_told_member_by_member() {
        let document = json!({
            "orderId": "A1", "amount": "3545", "currency": "EUR", "customerId": "cust-7",
            "customerInfo": { "cardHolderName": "Anna Rossi", "billingAddress": { "city": "Roma" }, "mobile": null },
            "transactionSummary": [{ "label": "ReservationHistory", "amount": 2 }],
        });
        let told = customer(document.as_object().unwrap());
        let told: Vec<_> = told
            .iter()
            .map(|(label, value)| format!("{label}: {value}"))
            .collect();
        assert_eq!(
            told,
            [
                "Customer id: cust-7",
                "Billing address, city: Roma",
                "Card holder name: Anna Rossi",
                "Transaction summary 1, amount: 2",
                "Transaction summary 1, label: ReservationHistory",
            ]
        );
    }
}
