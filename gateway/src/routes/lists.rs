//! `GET /orders` and `GET /operations` (contract 8.2.1, 8.2.3), page by page (1.8).

use super::Reply;
use super::caller::Caller;
use super::order_part::is_order_id;
use super::pipeline::Call;
use super::problem::Refusal;
use super::query::Query;
use crate::App;
use crate::domain::operation::OperationType;
use crate::store::orders::{AmountType, OrderFilter, OrderState};
use crate::store::{operations, orders};
use payframe_checkout::money::Amount;
use payframe_protocol::back_office::{OperationList, OrderList};

/// `GET /orders`
pub(crate) async fn orders(app: &App, call: &Call) -> Result<Reply, Refusal> {
    let Caller::Merchant { terminal, .. } = &call.caller else {
        return Err(Refusal::Unauthorized);
    };
    call.refuse_scripts()?;
    let mut query = Query::of(call);
    let order_id = query.value("orderId");
    if order_id.is_some_and(|order_id| !is_order_id(order_id)) {
        query
            .findings
            .add("PS0026", "orderId must be the id of an order");
    }
    let amount = read_amounts(&mut query);
    let window = query.window(app.clock().now_ms());
    let state = query.one_of("orderState", &["TO_CAPTURE", "CAPTURED"]);
    let custom_field = query.text("customField", 0..=255);
    query.findings.into_result()?;
    let filter = OrderFilter {
        order_id,
        amount,
        state: state.map(|state| match state {
            "TO_CAPTURE" => OrderState::ToCapture,
            _ => OrderState::Captured,
        }),
        custom_field,
    };
    let mut connection = app.store().read().await?;
    let rows = orders::list(&mut connection, &terminal.merchant_id, &filter, window).await?;
    Reply::json(&OrderList { orders: rows })
}

/// The amounts between which orders are looked for. Where one of the three names is sent, both bounds must be.
fn read_amounts(query: &mut Query<'_>) -> Option<(AmountType, Amount, Amount)> {
    let names = ["amountType", "minAmount", "maxAmount"];
    if names.iter().all(|name| query.value(name).is_none()) {
        return None;
    }
    let accepted = ["ORDER_AMOUNT", "AUTHORIZED_AMOUNT", "CAPTURED_AMOUNT"];
    let amount_type = match query.one_of("amountType", &accepted) {
        Some("AUTHORIZED_AMOUNT") => AmountType::Authorized,
        Some("CAPTURED_AMOUNT") => AmountType::Captured,
        _ => AmountType::Order,
    };
    for name in ["minAmount", "maxAmount"] {
        if query.value(name).is_none() {
            query.findings.add(
                "PS0026",
                format!("{name} is missing: amounts have two bounds"),
            );
        }
    }
    let (least, most) = (query.amount("minAmount"), query.amount("maxAmount"));
    let (least, most) = (least?, most?);
    if least > most {
        query
            .findings
            .add("PS0026", "minAmount must not be above maxAmount");
    }
    Some((amount_type, least, most))
}

/// `GET /operations`
pub(crate) async fn operations(app: &App, call: &Call) -> Result<Reply, Refusal> {
    let Caller::Merchant { terminal, .. } = &call.caller else {
        return Err(Refusal::Unauthorized);
    };
    call.refuse_scripts()?;
    let mut query = Query::of(call);
    let window = query.window(app.clock().now_ms());
    let channel = query.one_of("channel", &["ECOMMERCE", "POS", "BACKOFFICE"]);
    let operation_type = query.one_of("operationType", &OperationType::CODES);
    let custom_field = query.text("customField", 0..=255);
    query.findings.into_result()?;
    let filter = operations::OperationFilter {
        channel,
        operation_type,
        custom_field,
    };
    let mut connection = app.store().read().await?;
    let rows = operations::list(&mut connection, &terminal.merchant_id, &filter, window).await?;
    Reply::json(&OperationList { operations: rows })
}
