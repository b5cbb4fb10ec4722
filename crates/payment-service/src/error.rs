//! Why a payment does not move on: sorted by whose fault it is.

use crate::meter;
use payframe_payment_domain::contract::ContractChargeError;
use payframe_payment_domain::hosted::HostedPageError as HostedRefusal;
use payframe_payment_domain::reservation::charges;
use payframe_payment_domain::session::TransitionError;
use payframe_payment_ports::acquirer::AcquirerError;
use payframe_payment_ports::three_ds_server::ThreeDsServerError;
use payframe_storage::StoreError;
use payframe_vault::VaultError;

/// No terminal of this gateway has an acquirer: there is nobody to ask for money.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the terminal has no acquirer, so no money moves")]
pub struct NoAcquirer;

/// Why a contract can not be what a request wants it to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContractError {
    /// There is none that is active.
    #[error("there is none that is active")]
    Unknown,
    /// There is one already, or it is just being made.
    #[error("there is one already, or it is just being made")]
    Taken,
    /// It is of another type than the request says.
    #[error("it is of another type than the request says")]
    OtherType,
}

/// Why something was not done. Nothing has changed, unless a method says otherwise.
#[derive(Debug, thiserror::Error)]
pub enum PaymentError {
    /// The session does not allow it.
    #[error("{0}")]
    Refused(#[from] TransitionError),
    /// The order is paid, or may still turn out to be.
    #[error("the order is paid")]
    OrderPaid,
    /// Nobody has proven that the page's origin is of the terminal's merchant.
    #[error("the page's origin is not proven")]
    UnprovenOrigin,
    /// The contract is not what the request wants it to be.
    #[error("contract: {0}")]
    Contract(#[from] ContractError),
    /// The contract does not allow this charge.
    #[error("charge of a contract: {0}")]
    Charge(#[from] ContractChargeError),
    /// The agreement of the reservation does not allow this charge.
    #[error("charge of a reservation: {0}")]
    Reservation(#[from] charges::ReservationChargeError),
    /// An order names terms and conditions that are not there, or not active.
    #[error("terms that are not there")]
    NoTerms,
    /// The card's network checks no cards without a charge.
    #[error("the network verifies no cards")]
    NoVerification,
    /// The idempotency key belongs to another request.
    #[error("the idempotency key was used before")]
    KeyReused,
    /// The hosted page or the link does not allow it.
    #[error("the hosted page does not allow it: {0}")]
    Hosted(#[from] HostedRefusal),
    /// There is nobody to ask for money.
    #[error(transparent)]
    NoAcquirer(#[from] NoAcquirer),
    /// Ours: the database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Ours: the acquirer gives no answer. What became of the money is unknown.
    #[error(transparent)]
    Acquirer(#[from] AcquirerError),
    /// Ours: the 3-D Secure server gives no answer. Nobody was authenticated.
    #[error(transparent)]
    ThreeDsServer(#[from] ThreeDsServerError),
    /// Ours: no random numbers, or too much to seal.
    #[error(transparent)]
    Vault(#[from] VaultError),
    /// Ours: what is needed is not there, does not open, or does not serialize.
    #[error("{0}")]
    Broken(&'static str),
}

impl From<sqlx::Error> for PaymentError {
    fn from(problem: sqlx::Error) -> PaymentError {
        PaymentError::Store(StoreError::Database(problem))
    }
}

/// Says in the log what failed. Problems hold no card data.
pub fn report(what: &'static str, problem: &PaymentError) {
    tracing::error!(%problem, "{what} failed");
    meter::failed();
}
