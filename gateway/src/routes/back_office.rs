//! What merchants read of an order, of an operation and of their terminal (contract 8.2.2, 8.2.4, 8.2.11).

use super::Reply;
use super::caller::Caller;
use super::pipeline::Call;
use super::problem::Refusal;
use crate::App;
use crate::store::{operations, orders};
use payframe_checkout::network::Network;
use payframe_protocol::back_office::{PaymentMethod, PaymentMethodList};
use payframe_protocol::operation::{OrderAnswer, OrderStatus};

/// `GET /orders/{orderId}`
pub(crate) async fn order(app: &App, call: &Call) -> Result<Reply, Refusal> {
    let Caller::Merchant { terminal, .. } = &call.caller else {
        return Err(Refusal::Unauthorized);
    };
    let merchant_id = &terminal.merchant_id;
    let mut connection = app.store().read().await?;
    let order = orders::find(&mut connection, merchant_id, &call.parameter)
        .await?
        .ok_or(Refusal::NotFound)?;
    let operations = operations::of_order(&mut connection, merchant_id, &call.parameter).await?;
    let last = operations.last();
    Reply::json(&OrderAnswer {
        order_status: OrderStatus {
            order: order.document,
            authorized_amount: order.totals.authorized.to_string(),
            captured_amount: order.totals.captured.to_string(),
            refunded_amount: order.totals.refunded.to_string(),
            last_operation_type: last.map(|operation| operation.operation_type.clone()),
            last_operation_time: last.map(|operation| operation.operation_time.clone()),
            last_operation: last.cloned(),
        },
        payment_links: Vec::new(),
        operations,
    })
}

/// `GET /operations/{operationId}`
pub(crate) async fn operation(app: &App, call: &Call) -> Result<Reply, Refusal> {
    let Caller::Merchant { terminal, .. } = &call.caller else {
        return Err(Refusal::Unauthorized);
    };
    let mut connection = app.store().read().await?;
    let found =
        operations::find_of_merchant(&mut connection, &terminal.merchant_id, &call.parameter)
            .await?;
    Reply::json(&found.ok_or(Refusal::NotFound)?)
}

/// `GET /payment_methods`
pub(crate) fn payment_methods(app: &App, call: &Call) -> Result<Reply, Refusal> {
    let Caller::Merchant { terminal, .. } = &call.caller else {
        return Err(Refusal::Unauthorized);
    };
    let method = |network: Network| PaymentMethod {
        payment_method_type: String::from("CARD"),
        circuit: network.code().to_owned(),
        image_link: app
            .dist()
            .and_then(|dist| dist.method_picture(network.code()))
            .map(|path| format!("{}{path}", app.config().origin)),
        // What is told here is what a payment may ask for: `recurrence` is refused on every terminal.
        recurring_supported: false,
        one_click_supported: false,
    };
    Reply::json(&PaymentMethodList {
        payment_methods: terminal.networks.iter().map(method).collect(),
    })
}
