//! `GET /orders` and `GET /operations` (contract 8.2.1, 8.2.3), page by page (1.8).

use super::call::{CallingTerminal, SentQuery};
use super::endpoint::{BACK_OFFICE, Endpoint};
use super::error::ApiError;
use super::order_part::is_order_id;
use super::query::{Query, text_of};
use super::requests::forms::{AmountTypes, Channels, OperationTypes, OrderStates};
use super::requests::queries::{ListOperations, ListOrders};
use crate::App;
use axum::Json;
use axum::extract::State;
use payframe_error_codes::ErrorCode::{PS0010, PS0012, PS0026, PS0036};
use payframe_money::Amount;
use payframe_payment_domain::calendar::instant;
use payframe_protocol::back_office::{OperationList, OrderList};
use payframe_protocol::operation::{MoneyStatus, OrderStatus};
use payframe_storage::operations::OperationFilter;
use payframe_storage::order_list::{self, AmountType, ListedOrder, OrderFilter, OrderState};
use payframe_storage::{Window, operations};
use utoipa_axum::routes;

/// Contract 8.2.1 and 8.2.3.
pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::of(routes!(list_orders))
            .query::<ListOrders>()
            .refusals(&[PS0026, PS0036, PS0010, PS0012]),
        Endpoint::of(routes!(list_operations))
            .query::<ListOperations>()
            .refusals(&[PS0026, PS0010, PS0012]),
    ]
}

/// List orders
///
/// Newest first, by the time of their last operation. For the next page: the same call with `toTime` = the time of the
/// last row. Without `fromTime` the last 31 days, which is the largest window. Of `amountType`, `minAmount` and
/// `maxAmount`, either send none, or send both bounds.
#[utoipa::path(
    get, path = "/orders", operation_id = "listOrders", tag = BACK_OFFICE,
    responses((status = 200, body = OrderList)),
)]
async fn list_orders(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    SentQuery(sent): SentQuery<ListOrders>,
) -> Result<Json<OrderList>, ApiError> {
    let mut query = Query::default();
    let (filter, window) = read_orders(&mut query, &sent, app.clock().now_ms());
    query.into_result()?;
    let mut connection = app.store().read().await?;
    let rows = order_list::list(&mut connection, &terminal.merchant_id, &filter, window).await?;
    Ok(Json(OrderList {
        orders: rows.into_iter().map(on_the_wire).collect(),
    }))
}

fn on_the_wire(row: ListedOrder) -> OrderStatus {
    let totals = row.order.totals;
    OrderStatus {
        order: row.order.document,
        status: money_status(Some(row.status)),
        authorized_amount: totals.authorized.to_string(),
        captured_amount: totals.captured.to_string(),
        refunded_amount: totals.refunded.to_string(),
        last_operation_type: Some(row.last_type),
        last_operation_time: Some(instant(row.last_ms)),
        last_operation: None,
    }
}

/// The word for the status of an order. `None`: it has no operation.
pub(super) fn money_status(status: Option<order_list::OrderStatus>) -> MoneyStatus {
    use order_list::OrderStatus as Stored;
    match status {
        None => MoneyStatus::Unpaid,
        Some(Stored::ToCapture) => MoneyStatus::ToCapture,
        Some(Stored::Paid) => MoneyStatus::Paid,
        Some(Stored::PartlyRefunded) => MoneyStatus::PartlyRefunded,
        Some(Stored::Refunded) => MoneyStatus::Refunded,
        Some(Stored::Pending) => MoneyStatus::Pending,
        Some(Stored::Verified) => MoneyStatus::Verified,
        Some(Stored::Refused) => MoneyStatus::Refused,
        Some(Stored::Cancelled) => MoneyStatus::Canceled,
        Some(Stored::Failed) => MoneyStatus::Failed,
        Some(Stored::Released) => MoneyStatus::Released,
    }
}

fn read_orders<'a>(
    query: &mut Query,
    sent: &'a ListOrders,
    now_ms: i64,
) -> (OrderFilter<'a>, Window) {
    let order_id = text_of(&sent.order_id);
    if order_id.is_some_and(|order_id| !is_order_id(order_id)) {
        query
            .findings
            .add(PS0026, "orderId must be the id of an order");
    }
    let amount = read_amounts(query, sent);
    let window = query.window(&sent.window, now_ms);
    let state = query.one_of("orderState", &sent.order_state, OrderStates::CODES);
    let custom_field = query.text("customField", &sent.custom_field, 0..=255);
    let filter = OrderFilter {
        order_id,
        amount,
        state: state.map(|state| match state {
            "TO_CAPTURE" => OrderState::ToCapture,
            _ => OrderState::Captured,
        }),
        custom_field,
        ..OrderFilter::default()
    };
    (filter, window)
}

/// The bounds of the amounts. If one of the three names is sent, both bounds are mandatory.
fn read_amounts(query: &mut Query, sent: &ListOrders) -> Option<(AmountType, Amount, Amount)> {
    let (kind, least, most) = (&sent.amount_type, &sent.min_amount, &sent.max_amount);
    let asked = [kind, least, most].iter().any(|member| member.is_there());
    let amount_type = match query.one_of("amountType", kind, AmountTypes::CODES) {
        Some("AUTHORIZED_AMOUNT") => AmountType::Authorized,
        Some("CAPTURED_AMOUNT") => AmountType::Captured,
        _ => AmountType::Order,
    };
    for (name, member) in [("minAmount", least), ("maxAmount", most)] {
        if asked && !member.is_there() {
            query.findings.add(
                PS0026,
                format!("{name} is missing: amounts have two bounds"),
            );
        }
    }
    let least = query.amount("minAmount", least);
    let most = query.amount("maxAmount", most);
    let (least, most) = (least?, most?);
    if least > most {
        query
            .findings
            .add(PS0026, "minAmount must not be above maxAmount");
    }
    Some((amount_type, least, most))
}

/// List operations
///
/// Newest first. Paged as orders are.
#[utoipa::path(
    get, path = "/operations", operation_id = "listOperations", tag = BACK_OFFICE,
    responses((status = 200, body = OperationList)),
)]
async fn list_operations(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    SentQuery(sent): SentQuery<ListOperations>,
) -> Result<Json<OperationList>, ApiError> {
    let mut query = Query::default();
    let (filter, window) = read_operations(&mut query, &sent, app.clock().now_ms());
    query.into_result()?;
    let mut connection = app.store().read().await?;
    let rows = operations::list(&mut connection, &terminal.merchant_id, &filter, window).await?;
    Ok(Json(OperationList { operations: rows }))
}

fn read_operations<'a>(
    query: &mut Query,
    sent: &'a ListOperations,
    now_ms: i64,
) -> (OperationFilter<'a>, Window) {
    let window = query.window(&sent.window, now_ms);
    let kind = &sent.operation_type;
    let filter = OperationFilter {
        channel: query.one_of("channel", &sent.channel, Channels::CODES),
        operation_type: query.one_of("operationType", kind, OperationTypes::CODES),
        custom_field: query.text("customField", &sent.custom_field, 0..=255),
    };
    (filter, window)
}
