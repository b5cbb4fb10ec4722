//! Maps each step of a 3-step payment to the event of its session.

use super::error::PaymentError;
use payframe_payment_domain::external_3ds::AuthenticationStatus;
use payframe_payment_domain::session::{
    Closing, ClosingCall, DeviceCheck, Event, Limit, State, Verdict,
};
use payframe_storage::external_3ds;
use payframe_storage::sessions::SessionRow;
use payframe_storage::{Connection, StoreError};

/// The event that completes a waiting session.
pub(super) fn closing(
    row: &SessionRow,
    terminal_id: &str,
    verdict: Verdict,
    asked_by: Option<String>,
) -> Result<Event, PaymentError> {
    let announced = row.terms.announced.clone();
    let operation_id = announced.ok_or(StoreError::Unreadable("announced operation"))?;
    Ok(Event::ClosingAsked {
        closing: Closing::Finalize,
        check: DeviceCheck::NotDue,
        verdict,
        call: ClosingCall {
            operation_id,
            terminal_id: terminal_id.to_owned(),
            asked_by,
        },
    })
}

/// The event that closes a session after a failed authentication.
pub(super) fn failing(row: &SessionRow) -> Result<Event, PaymentError> {
    closing(row, &row.terms.terminal_id, Verdict::Refused, None)
}

/// Applies a limit to a session. A session that waits for the last call of a 3-step payment ends with an outcome, because the merchant
/// knows its operation.
pub(super) async fn on_limit(
    connection: &mut Connection,
    row: &SessionRow,
    limit: Limit,
) -> Result<Event, PaymentError> {
    let (Some(announced), State::Ready { .. }) = (&row.terms.announced, &row.session.state) else {
        return Ok(Event::LimitPassed(limit));
    };
    let step = external_3ds::find(connection, announced).await?;
    match step.map(|step| step.status) {
        Some(AuthenticationStatus::Authenticated(_) | AuthenticationStatus::Frictionless(_))
        | None => Ok(Event::CancelAsked {
            operation_id: announced.clone(),
        }),
        Some(
            AuthenticationStatus::Due(_)
            | AuthenticationStatus::Passed
            | AuthenticationStatus::Failed,
        ) => failing(row),
    }
}
