//! Why a handler of the back office does not answer its own page. The page that shows the reason is in [`super::page`].

use super::pending_step::PendingStep;
use payframe_payment_domain::back_office::Role;
use payframe_payment_service::PaymentError;
use payframe_storage::StoreError;
use payframe_vault::KeyringError;

/// Why a handler does not answer its own page.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum OfficeError {
    /// Nobody is logged in. The log-in continues to this address.
    LoggedOut(Option<String>),
    /// The member has to do this first. It then continues to this address.
    Pending(PendingStep, Option<String>),
    /// The member has to give the password or a code again. It then continues to this page.
    Unconfirmed(String),
    /// The member's role does not allow the action; this role would.
    Role(Role),
    /// The form does not come from a page of this log-in.
    Elsewhere,
    /// There is nothing at this address, or not for this merchant.
    NotFound,
    /// The request cannot be carried out; the sentence says why.
    Bad(String),
    /// A failure of ours. The log has the details.
    Failed,
}

impl OfficeError {
    /// A form without a field that our pages send.
    pub(super) fn incomplete() -> OfficeError {
        OfficeError::Bad(String::from(
            "The form was incomplete. Open the page again and send it from there.",
        ))
    }
}

impl From<StoreError> for OfficeError {
    fn from(problem: StoreError) -> OfficeError {
        PaymentError::from(problem).into()
    }
}

impl From<sqlx::Error> for OfficeError {
    fn from(problem: sqlx::Error) -> OfficeError {
        StoreError::from(problem).into()
    }
}

impl From<KeyringError> for OfficeError {
    fn from(problem: KeyringError) -> OfficeError {
        PaymentError::from(problem).into()
    }
}

impl From<PaymentError> for OfficeError {
    fn from(problem: PaymentError) -> OfficeError {
        match problem {
            PaymentError::Store(_)
            | PaymentError::Acquirer(_)
            | PaymentError::ThreeDsServer(_)
            | PaymentError::Vault(_)
            | PaymentError::Broken(_) => {
                tracing::error!(%problem, "a page of the back office failed");
                OfficeError::Failed
            }
            refused => OfficeError::Bad(format!("Nothing was done: {refused}.")),
        }
    }
}
