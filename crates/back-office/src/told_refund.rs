//! What the merchant's systems are told of a refund that waits for a second member: by an event, in the transaction of each change of it.

use super::error::OfficeError;
use crate::BackOffice;
use payframe_payment_domain::calendar::instant;
use payframe_protocol::notice::{RefundApproval, RefundApprovalState};
use payframe_storage::Connection;
use payframe_storage::refund_requests::RefundRequest;

/// Tells of a request. The change that it belongs to only writes an entry of the audit log behind it, and commits; then call
/// `wake_notifier`.
pub(super) async fn tell(
    office: &BackOffice,
    connection: &mut Connection,
    merchant_id: &str,
    request: &RefundRequest,
    state: RefundApprovalState,
) -> Result<(), OfficeError> {
    let told = RefundApproval {
        request_id: request.id.clone(),
        order_id: request.order_id.clone(),
        operation_id: request.operation_id.clone(),
        terminal_id: request.terminal_id.clone(),
        amount: request.amount.to_string(),
        currency: request.currency.clone(),
        state,
        asked_time: instant(request.asked_ms),
        end_time: instant(request.ends_ms),
    };
    let payments = office.payments();
    Ok(payments
        .tell_of_refund(connection, merchant_id, told)
        .await?)
}
