//! The notification hook: the gateway's messages to the shop's server.
//!
//! Anybody can send to this address, so a message counts only if it repeats the security token that the
//! gateway gave when the payment was opened. Even then it only makes the shop ask: whether an
//! order is paid is read from the gateway.

use crate::ledger::{Ledger, Receipt, ReceivedNotification};
use axum::http::StatusCode;
use serde::Deserialize;
use subtle::ConstantTimeEq;

/// Checks and stores one delivery. The status tells the gateway whether to send it again.
pub(crate) async fn receive(ledger: &Ledger, body: &[u8], now_ms: i64) -> StatusCode {
    let Ok(text) = std::str::from_utf8(body) else {
        return StatusCode::BAD_REQUEST;
    };
    let Ok(message) = serde_json::from_str::<Message>(text) else {
        return StatusCode::BAD_REQUEST;
    };
    match keep(ledger, text, message, now_ms).await {
        Ok(status) => status,
        Err(error) => {
            tracing::error!(%error, "a notification could not be kept");
            StatusCode::INTERNAL_SERVER_ERROR
        }
    }
}

async fn keep(
    ledger: &Ledger,
    text: &str,
    message: Message,
    now_ms: i64,
) -> Result<StatusCode, sqlx::Error> {
    // An unknown order and a wrong token have the same answer, so that nobody can test order ids here.
    let Some(order) = ledger.order(&message.operation.order_id).await? else {
        return Ok(StatusCode::FORBIDDEN);
    };
    let same: bool = order
        .security_token
        .as_bytes()
        .ct_eq(message.security_token.as_bytes())
        .into();
    if !same {
        tracing::warn!(
            order_id = order.order_id,
            "a notification with a wrong token was refused"
        );
        return Ok(StatusCode::FORBIDDEN);
    }
    let notification = ReceivedNotification {
        event_id: message.event_id,
        order_id: order.order_id,
        received_ms: now_ms,
        event_time: message.event_time,
        operation_type: message.operation.operation_type,
        operation_result: message.operation.operation_result,
        body: text.to_owned(),
    };
    let receipt = ledger.receive(&notification).await?;
    tracing::info!(
        event_id = notification.event_id,
        order_id = notification.order_id,
        repeated = receipt == Receipt::Repeated,
        "notification received"
    );
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Message {
    event_id: String,
    event_time: String,
    security_token: String,
    operation: NotifiedOperation,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NotifiedOperation {
    order_id: String,
    operation_type: String,
    operation_result: String,
}
