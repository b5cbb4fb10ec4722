//! What merchants can read of an order, of an operation and of their terminal (contract 8.2.2, 8.2.4, 8.2.11).

use super::call::{CallingTerminal, PathId};
use super::endpoint::{BACK_OFFICE, Endpoint};
use super::error::ApiError;
use super::lists::money_status;
use crate::App;
use axum::Json;
use axum::extract::State;
use axum::response::IntoResponse;
use payframe_payment_domain::card::circuit;
use payframe_payment_service::acceptance::evidence;
use payframe_payment_service::dispute_document::{money_of, on_the_wire};
use payframe_payment_service::{fulfilments, order_version};
use payframe_protocol::back_office::{PaymentMethod, PaymentMethodList};
use payframe_protocol::operation::{Operation, OrderAnswer, OrderStatus};
use payframe_storage::{disputes, hosted_pages, operations, order_list, orders};
use utoipa_axum::routes;

/// Contract 8.2.2, 8.2.4 and 8.2.11.
pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::of(routes!(read_order)).telling_order_version(),
        Endpoint::of(routes!(read_operation)),
        Endpoint::of(routes!(list_payment_methods)),
    ]
}

/// Read an order
///
/// The order as it was sent, its totals, and its operations, newest first: the first `AUTHORIZATION` is the last
/// attempt. The truth about a payment.
#[utoipa::path(
    get, path = "/orders/{orderId}", operation_id = "readOrder", tag = BACK_OFFICE,
    params((
        "orderId" = String, Path, example = "A1B2C3",
        description = "The order, by the id that the merchant gave it. Percent-encode it: it may hold `#`, `?` or `;`.",
    )),
    responses((status = 200, body = OrderAnswer)),
)]
async fn read_order(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    PathId(order_id): PathId,
) -> Result<impl IntoResponse, ApiError> {
    let merchant_id = &terminal.merchant_id;
    let mut connection = app.store().read().await?;
    let order = orders::find(&mut connection, merchant_id, &order_id)
        .await?
        .ok_or(ApiError::NotFound)?;
    let mut operations = operations::of_order(&mut connection, merchant_id, &order_id).await?;
    let fulfilment = fulfilments::told(&mut connection, merchant_id, &order_id).await?;
    let disputes = disputes::of_order(&mut connection, merchant_id, &order_id).await?;
    let (disputed, charged_back) = money_of(&disputes);
    let disputes: Vec<_> = disputes.iter().map(on_the_wire).collect();
    let version = order_version::version_of(&order, &operations, fulfilment.as_ref(), &disputes);
    operations.reverse();
    let links = hosted_pages::links_of_order(&mut connection, merchant_id, &order_id).await?;
    let status = order_list::status(&mut connection, merchant_id, &order_id).await?;
    let last = operations.first();
    let header = super::order_version::header(&version);
    let answer = OrderAnswer {
        order_status: OrderStatus {
            order: order.document,
            status: money_status(status),
            authorized_amount: order.totals.authorized.to_string(),
            captured_amount: order.totals.captured.to_string(),
            refunded_amount: order.totals.refunded.to_string(),
            last_operation_type: last.map(|operation| operation.operation_type.clone()),
            last_operation_time: last.map(|operation| operation.operation_time.clone()),
            last_operation: last.cloned(),
        },
        order_version: version,
        fulfilment,
        payment_links: links
            .iter()
            .map(|link| app.hosted_pages().link_answer(link))
            .collect(),
        acceptances: evidence(&mut connection, merchant_id, &order_id).await?,
        disputes,
        disputed_amount: (!disputed.is_zero()).then(|| disputed.to_string()),
        charged_back_amount: (!charged_back.is_zero()).then(|| charged_back.to_string()),
        operations,
    };
    Ok((header, Json(answer)))
}

/// Read an operation
///
/// One thing that happened to an order's money, or that failed to.
#[utoipa::path(
    get, path = "/operations/{operationId}", operation_id = "readOperation", tag = BACK_OFFICE,
    params((
        "operationId" = String, Path, example = "347074400000000001",
        description = "The operation, by the id that the answer of a payment, the order or a notification tells.",
    )),
    responses((status = 200, body = Operation)),
)]
async fn read_operation(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    PathId(operation_id): PathId,
) -> Result<Json<Operation>, ApiError> {
    let mut connection = app.store().read().await?;
    let found =
        operations::find_of_merchant(&mut connection, &terminal.merchant_id, &operation_id).await?;
    Ok(Json(found.ok_or(ApiError::NotFound)?))
}

/// List payment methods
///
/// What buyers can pay with on the terminal of the key, each with the address of a picture.
#[utoipa::path(
    get, path = "/payment_methods", operation_id = "listPaymentMethods", tag = BACK_OFFICE,
    responses((status = 200, body = PaymentMethodList)),
)]
async fn list_payment_methods(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
) -> Result<Json<PaymentMethodList>, ApiError> {
    // `code` is the value for `paymentSession.paymentService`, if it can be used there (contract 13, D133).
    let method = |kind: &str, code: &str, picture: &str| PaymentMethod {
        payment_method_type: kind.to_owned(),
        circuit: code.to_owned(),
        image_link: app
            .dist()
            .and_then(|dist| dist.method_picture(picture))
            .map(|path| format!("{}{path}", app.config().origin)),
        // This is what `recurrence` of a payment may ask for: contracts store cards.
        recurring_supported: kind == CARD && terminal.tokenization,
        one_click_supported: kind == CARD && terminal.tokenization,
    };
    let cards = terminal.networks.iter();
    let cards = cards.map(|network| method(CARD, circuit(network), network.code()));
    let others = terminal.methods.iter();
    let others = others.map(|other| method("APM", other.code(), other.circuit()));
    // Card rules apply to wallets (contract 10.3).
    let wallets = terminal.wallets.iter();
    let wallets = wallets.map(|wallet| method(CARD, wallet.code(), wallet.circuit()));
    Ok(Json(PaymentMethodList {
        payment_methods: cards.chain(wallets).chain(others).collect(),
    }))
}

/// `paymentMethodType` of networks and wallets.
const CARD: &str = "CARD";
