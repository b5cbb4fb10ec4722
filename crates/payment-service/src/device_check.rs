//! The device check that comes before an authentication.

use payframe_payment_domain::session::{CheckProgress, State};
use payframe_storage::sessions::SessionRow;

/// What the 3-D Secure server knows the device check of a session's card by.
pub(super) fn device_check_reference(row: &SessionRow) -> String {
    format!(
        "device check {} of {}",
        row.session.counters.submissions, row.hash
    )
}

/// Whether the device check of this submission is still needed.
pub(super) fn is_device_check_due(row: &SessionRow, submission: u8) -> bool {
    row.session.counters.submissions == submission
        && matches!(
            row.session.state,
            State::CheckingDevice { .. }
                | State::VerifyingDevice {
                    progress: CheckProgress::Running,
                    ..
                }
        )
}
