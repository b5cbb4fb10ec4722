//! Updates a hosted page with the result of a payment in one of its sessions.

use super::error::PaymentError;
use payframe_payment_domain::operation::OperationResult;
use payframe_storage::{Connection, StoreError, hosted_pages};

/// Stores the result of a session in its page, in the transaction that writes the operation.
pub(super) async fn record_result(
    connection: &mut Connection,
    page_id: Option<&str>,
    operation_id: &str,
    result: OperationResult,
) -> Result<(), PaymentError> {
    let Some(page_id) = page_id else {
        return Ok(());
    };
    let page = hosted_pages::find(connection, page_id).await?;
    let mut page = page.ok_or(StoreError::Unreadable("hosted page"))?;
    page.life = page.life.after(operation_id, result);
    hosted_pages::put(connection, &page).await?;
    Ok(())
}
