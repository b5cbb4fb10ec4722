//! Orders and operations as CSV: what the list of orders finds, and the operations of the same days.

use super::error::OfficeError;
use super::filter::FieldErrors;
use super::login_session::LoginSession;
use super::orders::{OrdersQuery, order_named};
use super::spreadsheet::{Cell, Spreadsheet};
use crate::BackOffice;
use axum::Router;
use axum::extract::{Query, State};
use axum::response::Response;
use axum::routing::get;
use payframe_money::Amount;
use payframe_payment_domain::calendar::instant;
use payframe_protocol::operation::Operation;
use payframe_storage::operations::{self, OperationFilter};
use payframe_storage::order_list::{self, ListedOrder};
use payframe_storage::{Window, minor};

pub(super) fn router() -> Router<BackOffice> {
    Router::new()
        .route("/office/orders.csv", get(orders))
        .route("/office/operations.csv", get(all_operations))
}

async fn orders(
    State(office): State<BackOffice>,
    login: LoginSession,
    Query(query): Query<OrdersQuery>,
) -> Result<Response, OfficeError> {
    let merchant_id = &login.member.merchant_id;
    let mut errors = FieldErrors::default();
    let mut connection = office.store().read().await?;
    let named = order_named(&mut connection, merchant_id, query.named()).await?;
    let (filter, window) = query.read(&named, &mut errors);
    refuse_unreadable(&errors)?;
    let mut window = Window {
        max_records: AT_ONCE,
        ..window
    };
    let mut sheet = Spreadsheet::new(&[
        "Order",
        "Status",
        "Amount",
        "Authorized",
        "Captured",
        "Refunded",
        "Currency",
        "Paid with",
        "Instrument",
        "Last operation",
        "Time",
    ])?;
    while !sheet.is_full() {
        let rows = order_list::list(&mut connection, merchant_id, &filter, window).await?;
        let Some(last) = rows.last() else { break };
        window.to_ms = last.last_ms;
        for row in &rows {
            add_order(&mut sheet, row)?;
        }
    }
    sheet.answer("orders.csv")
}

fn add_order(sheet: &mut Spreadsheet, row: &ListedOrder) -> Result<(), OfficeError> {
    let (order, currency) = (&row.order, row.order.currency.as_str());
    let sum = |amount: Amount| Cell::Sum(minor(amount), currency);
    sheet.row(&[
        Cell::Text(&row.order_id),
        Cell::Text(row.status.code()),
        sum(order.amount),
        sum(order.totals.authorized),
        sum(order.totals.captured),
        sum(order.totals.refunded),
        Cell::Text(currency),
        Cell::maybe(row.circuit.as_deref()),
        Cell::maybe(row.instrument.as_deref()),
        Cell::Text(&row.last_type),
        Cell::Text(&instant(row.last_ms)),
    ])
}

async fn all_operations(
    State(office): State<BackOffice>,
    login: LoginSession,
    Query(query): Query<OrdersQuery>,
) -> Result<Response, OfficeError> {
    let merchant_id = &login.member.merchant_id;
    let mut errors = FieldErrors::default();
    let mut window = query.days(&mut errors, AT_ONCE);
    refuse_unreadable(&errors)?;
    let filter = OperationFilter {
        channel: None,
        operation_type: None,
        custom_field: None,
    };
    let mut sheet = Spreadsheet::new(&[
        "Operation",
        "Order",
        "Type",
        "Result",
        "Amount",
        "Currency",
        "Time",
        "Terminal",
        "Channel",
        "Paid with",
        "Instrument",
        "Retrieval reference",
        "Authorization code",
    ])?;
    let mut connection = office.store().read().await?;
    while !sheet.is_full() {
        let rows = operations::list(&mut connection, merchant_id, &filter, window).await?;
        let Some(last) = rows.last() else { break };
        let Some(time_ms) = operations::time_of(&mut connection, &last.operation_id).await? else {
            break;
        };
        window.to_ms = time_ms;
        for row in &rows {
            add_operation(&mut sheet, row)?;
        }
    }
    sheet.answer("operations.csv")
}

fn add_operation(sheet: &mut Spreadsheet, row: &Operation) -> Result<(), OfficeError> {
    let additional = |name: &str| {
        row.additional_data
            .get(name)
            .and_then(|value| value.as_str())
    };
    let amount = Amount::parse(&row.operation_amount).map(minor);
    sheet.row(&[
        Cell::Text(&row.operation_id),
        Cell::Text(&row.order_id),
        Cell::Text(&row.operation_type),
        Cell::Text(&row.operation_result),
        amount.map_or(Cell::Empty, |amount| {
            Cell::Sum(amount, &row.operation_currency)
        }),
        Cell::Text(&row.operation_currency),
        Cell::Text(&row.operation_time),
        Cell::Text(&row.terminal_id),
        Cell::Text(&row.channel),
        Cell::maybe(row.payment_circuit.as_deref()),
        Cell::maybe(row.payment_instrument_info.as_deref()),
        Cell::maybe(additional("rrn")),
        Cell::maybe(additional("authorizationCode")),
    ])
}

/// The list says beside its fields what cannot be read; an export is asked for from a list that could be.
fn refuse_unreadable(errors: &FieldErrors) -> Result<(), OfficeError> {
    match errors.is_empty() {
        true => Ok(()),
        false => Err(OfficeError::Bad(String::from(
            "The search cannot be read. Search again, and export from the page that shows the result.",
        ))),
    }
}

/// How many rows an export reads at a time.
const AT_ONCE: u32 = 500;
