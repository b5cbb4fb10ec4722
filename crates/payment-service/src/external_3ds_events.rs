//! Maps each step of a 3-step payment to the event of its session.

use super::error::PaymentError;
use payframe_payment_domain::external_3ds::AuthenticationStatus;
use payframe_payment_domain::session::{
    CompletionCall, DeviceCheck, Event, Limit, PendingCompletion, State, Verdict,
};
use payframe_storage::external_3ds;
use payframe_storage::sessions::SessionRow;
use payframe_storage::{Connection, StoreError};

/// The event that completes a waiting session.
pub(super) fn completion(
    row: &SessionRow,
    terminal_id: &str,
    verdict: Verdict,
    idempotency_key: Option<String>,
) -> Result<Event, PaymentError> {
    let preassigned_operation_id = row.terms.preassigned_operation_id.clone();
    let operation_id =
        preassigned_operation_id.ok_or(StoreError::Unreadable("preassigned operation"))?;
    Ok(Event::CompletionRequested {
        completion_call: CompletionCall::Finalize,
        check: DeviceCheck::NotDue,
        verdict,
        call: PendingCompletion {
            operation_id,
            terminal_id: terminal_id.to_owned(),
            idempotency_key,
            repeats: None,
        },
    })
}

/// The event that closes a session after a failed authentication.
pub(super) fn failing(row: &SessionRow) -> Result<Event, PaymentError> {
    completion(row, &row.terms.terminal_id, Verdict::Refused, None)
}

/// Applies a limit to a session. A session that waits for the last call of a 3-step payment ends with an outcome, because the merchant
/// knows its operation.
pub(super) async fn on_limit(
    connection: &mut Connection,
    row: &SessionRow,
    limit: Limit,
) -> Result<Event, PaymentError> {
    let (Some(preassigned_operation_id), State::Ready { .. }) =
        (&row.terms.preassigned_operation_id, &row.session.state)
    else {
        return Ok(Event::LimitPassed(limit));
    };
    let step = external_3ds::find(connection, preassigned_operation_id).await?;
    match step.map(|step| step.status) {
        Some(AuthenticationStatus::Authenticated(_) | AuthenticationStatus::Frictionless(_))
        | None => Ok(Event::CancelAsked {
            operation_id: preassigned_operation_id.clone(),
        }),
        Some(
            AuthenticationStatus::BrowserDue
            | AuthenticationStatus::Due(_)
            | AuthenticationStatus::Passed(_)
            | AuthenticationStatus::Failed,
        ) => failing(row),
    }
}
