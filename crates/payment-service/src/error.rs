//! Why a payment does not continue, sorted by who caused it.

use crate::meter;
use payframe_payment_domain::contract::ContractChargeError;
use payframe_payment_domain::hosted::HostedPageError;
use payframe_payment_domain::reservation::charges;
use payframe_payment_domain::session::TransitionError;
use payframe_payment_ports::acquirer::AcquirerError;
use payframe_payment_ports::three_ds_server::ThreeDsServerError;
use payframe_payment_ports::vault::VaultError;
use payframe_storage::StoreError;
use payframe_vault::KeyringError;

/// There is nobody to ask for money.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoAcquirerError {
    /// The terminal has no acquirer.
    #[error("the terminal has no acquirer, so no money moves")]
    OfTerminal,
    /// The terminal's acquirer charges cards alone.
    #[error("the terminal's acquirer charges no alternative methods")]
    OfMethod,
    /// The terminal's acquirer does not charge cards in their own currency.
    #[error("the terminal's acquirer charges no card in its own currency")]
    OfConversion,
    /// The payment was sent to an acquirer that is not set up any more. No other one may be asked about it.
    #[error(
        "the acquirer that the payment was sent to is not set up, and no other one may be asked"
    )]
    OfPayment,
}

/// Why a contract does not fit a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContractError {
    /// There is no active contract.
    #[error("there is none that is active")]
    Unknown,
    /// It exists already, or another payment is making it.
    #[error("there is one already, or it is just being made")]
    Taken,
    /// It is of another type than the request says.
    #[error("it is of another type than the request says")]
    OtherType,
    /// The exemption for recurring payments needs the sum with which the card was stored.
    #[error("its card was stored with another sum")]
    OtherSum,
}

/// Why an operation was not carried out. Nothing has changed, unless a method says otherwise.
#[derive(Debug, thiserror::Error)]
pub enum PaymentError {
    /// The session does not allow it.
    #[error("{0}")]
    Refused(#[from] TransitionError),
    /// The order is paid, or may become paid.
    #[error("the order is paid")]
    OrderPaid,
    /// There is no proof that the page's origin belongs to the terminal's merchant.
    #[error("the page's origin is not proven")]
    UnprovenOrigin,
    /// The contract does not fit the request.
    #[error("contract: {0}")]
    Contract(#[from] ContractError),
    /// The contract does not allow this charge.
    #[error("charge of a contract: {0}")]
    Charge(#[from] ContractChargeError),
    /// The agreement of the reservation does not allow this charge.
    #[error("charge of a reservation: {0}")]
    Reservation(#[from] charges::ReservationChargeError),
    /// An order names terms and conditions that do not exist, or are not active.
    #[error("terms that are not there")]
    NoTerms,
    /// The card's network does not support verification without a charge.
    #[error("the network verifies no cards")]
    NoVerification,
    /// The wallet's token has begun the payment of another order.
    #[error("the wallet's token was used before")]
    WalletTokenUsed,
    /// The idempotency key belongs to another request.
    #[error("the idempotency key was used before")]
    KeyReused,
    /// The hosted page or the link does not allow it.
    #[error("the hosted page does not allow it: {0}")]
    Hosted(#[from] HostedPageError),
    /// There is no acquirer.
    #[error(transparent)]
    NoAcquirer(#[from] NoAcquirerError),
    /// Buyers of this terminal can not be authenticated, and the operator has not allowed payments without it.
    #[error("buyers of the terminal can not be authenticated")]
    NoAuthentication,
    /// The terminal is under attack, and the card came without a solution of this puzzle
    /// ([`payframe_proof_of_work`]).
    #[error("a proof of work is due")]
    ProofDue(String),
    /// Internal: the database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Internal: the acquirer does not respond. The outcome of the request is unknown.
    #[error(transparent)]
    Acquirer(#[from] AcquirerError),
    /// Internal: the 3-D Secure server does not respond. The buyer is not authenticated.
    #[error(transparent)]
    ThreeDsServer(#[from] ThreeDsServerError),
    /// Internal: nothing can be encrypted.
    #[error(transparent)]
    Vault(#[from] VaultError),
    /// Internal: there are no random numbers.
    #[error(transparent)]
    Random(#[from] KeyringError),
    /// Internal: data is missing, cannot be decrypted, or cannot be serialized.
    #[error("{0}")]
    Broken(&'static str),
}

impl PaymentError {
    /// Whether the database is away or busy: the same call can succeed later.
    pub fn is_passing(&self) -> bool {
        payframe_storage::is_passing(self)
    }
}

impl From<sqlx::Error> for PaymentError {
    fn from(problem: sqlx::Error) -> PaymentError {
        PaymentError::Store(StoreError::Database(problem))
    }
}

/// Writes a failure to the log. Errors contain no card data.
pub fn report(what: &'static str, problem: &PaymentError) {
    tracing::error!(%problem, "{what} failed");
    meter::failed();
}
