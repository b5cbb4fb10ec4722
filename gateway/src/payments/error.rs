//! Why a payment does not move on: sorted by whose fault it is.

use super::contracts::ContractError;
use crate::NoAcquirer;
use payframe_payment_domain::contract::ContractChargeError;
use payframe_payment_domain::hosted::HostedPageError as HostedRefusal;
use payframe_payment_domain::reservation::charges;
use payframe_payment_domain::session::TransitionError;
use payframe_payment_ports::acquirer::AcquirerError;
use payframe_payment_ports::three_ds_server::ThreeDsServerError;
use payframe_storage::StoreError;
use payframe_vault::VaultError;

/// Why something was not done. Nothing has changed, unless a method says otherwise.
#[derive(Debug)]
pub(crate) enum PaymentError {
    /// The session does not allow it.
    Refused(TransitionError),
    /// The order is paid, or may still turn out to be.
    OrderPaid,
    /// Nobody has proven that the page's origin is of the terminal's merchant.
    UnprovenOrigin,
    /// The contract is not what the request wants it to be.
    Contract(ContractError),
    /// The contract does not allow this charge.
    Charge(ContractChargeError),
    /// The agreement of the reservation does not allow this charge.
    Reservation(charges::ReservationChargeError),
    /// An order names terms and conditions that are not there, or not active.
    NoTerms,
    /// The card's network checks no cards without a charge.
    NoVerification,
    /// The idempotency key belongs to another request.
    KeyReused,
    /// The hosted page or the link does not allow it.
    Hosted(HostedRefusal),
    /// The terminal has no acquirer: there is nobody to ask for money.
    NoAcquirer,
    /// Ours: the database.
    Store(StoreError),
    /// Ours: the acquirer gives no answer. What became of the money is unknown.
    Acquirer(AcquirerError),
    /// Ours: the 3-D Secure server gives no answer. Nobody was authenticated.
    ThreeDsServer(ThreeDsServerError),
    /// Ours: something sealed does not open, or there is nothing to seal it with.
    Vault(&'static str),
}

impl std::fmt::Display for PaymentError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PaymentError::Refused(refusal) => write!(f, "refused: {refusal:?}"),
            PaymentError::Hosted(refusal) => write!(f, "refused: {refusal:?}"),
            PaymentError::OrderPaid => f.write_str("the order is paid"),
            PaymentError::UnprovenOrigin => f.write_str("the page's origin is not proven"),
            PaymentError::Contract(refusal) => write!(f, "contract: {refusal:?}"),
            PaymentError::Charge(denial) => write!(f, "charge: {denial:?}"),
            PaymentError::Reservation(denial) => write!(f, "reservation: {denial:?}"),
            PaymentError::NoTerms => f.write_str("terms that are not there"),
            PaymentError::NoVerification => f.write_str("the network verifies no cards"),
            PaymentError::KeyReused => f.write_str("the idempotency key was used before"),
            PaymentError::NoAcquirer => {
                f.write_str("the terminal has no acquirer, so no money moves")
            }
            PaymentError::Store(problem) => problem.fmt(f),
            PaymentError::Acquirer(problem) => problem.fmt(f),
            PaymentError::ThreeDsServer(problem) => problem.fmt(f),
            PaymentError::Vault(what) => write!(f, "vault: {what}"),
        }
    }
}

impl From<StoreError> for PaymentError {
    fn from(problem: StoreError) -> PaymentError {
        PaymentError::Store(problem)
    }
}

impl From<sqlx::Error> for PaymentError {
    fn from(problem: sqlx::Error) -> PaymentError {
        PaymentError::Store(StoreError::Database(problem))
    }
}

impl From<AcquirerError> for PaymentError {
    fn from(problem: AcquirerError) -> PaymentError {
        PaymentError::Acquirer(problem)
    }
}

impl From<ThreeDsServerError> for PaymentError {
    fn from(problem: ThreeDsServerError) -> PaymentError {
        PaymentError::ThreeDsServer(problem)
    }
}

impl From<NoAcquirer> for PaymentError {
    fn from(_: NoAcquirer) -> PaymentError {
        PaymentError::NoAcquirer
    }
}

impl From<VaultError> for PaymentError {
    fn from(_: VaultError) -> PaymentError {
        PaymentError::Vault("no random numbers, or too much to seal")
    }
}

impl From<TransitionError> for PaymentError {
    fn from(refusal: TransitionError) -> PaymentError {
        PaymentError::Refused(refusal)
    }
}
