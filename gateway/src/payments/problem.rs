//! Why a payment does not move on: sorted by whose fault it is.

use super::contracts::ContractRefusal;
use crate::NoAcquirer;
use crate::domain::contract::Denial;
use crate::domain::hosted::Refusal as HostedRefusal;
use crate::domain::reservation::charges;
use crate::domain::session::Refusal;
use crate::store::StoreProblem;
use crate::vault::VaultProblem;
use payframe_payment_ports::acquirer::AcquirerError;
use payframe_payment_ports::three_ds_server::ThreeDsServerError;

/// Why something was not done. Nothing has changed, unless a method says otherwise.
#[derive(Debug)]
pub(crate) enum PaymentProblem {
    /// The session does not allow it.
    Refused(Refusal),
    /// The order is paid, or may still turn out to be.
    OrderPaid,
    /// Nobody has proven that the page's origin is of the terminal's merchant.
    UnprovenOrigin,
    /// The contract is not what the request wants it to be.
    Contract(ContractRefusal),
    /// The contract does not allow this charge.
    Charge(Denial),
    /// The agreement of the reservation does not allow this charge.
    Reservation(charges::Denial),
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
    Store(StoreProblem),
    /// Ours: the acquirer gives no answer. What became of the money is unknown.
    Acquirer(AcquirerError),
    /// Ours: the 3-D Secure server gives no answer. Nobody was authenticated.
    ThreeDsServer(ThreeDsServerError),
    /// Ours: something sealed does not open, or there is nothing to seal it with.
    Vault(&'static str),
}

impl std::fmt::Display for PaymentProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PaymentProblem::Refused(refusal) => write!(f, "refused: {refusal:?}"),
            PaymentProblem::Hosted(refusal) => write!(f, "refused: {refusal:?}"),
            PaymentProblem::OrderPaid => f.write_str("the order is paid"),
            PaymentProblem::UnprovenOrigin => f.write_str("the page's origin is not proven"),
            PaymentProblem::Contract(refusal) => write!(f, "contract: {refusal:?}"),
            PaymentProblem::Charge(denial) => write!(f, "charge: {denial:?}"),
            PaymentProblem::Reservation(denial) => write!(f, "reservation: {denial:?}"),
            PaymentProblem::NoTerms => f.write_str("terms that are not there"),
            PaymentProblem::NoVerification => f.write_str("the network verifies no cards"),
            PaymentProblem::KeyReused => f.write_str("the idempotency key was used before"),
            PaymentProblem::NoAcquirer => {
                f.write_str("the terminal has no acquirer, so no money moves")
            }
            PaymentProblem::Store(problem) => problem.fmt(f),
            PaymentProblem::Acquirer(problem) => problem.fmt(f),
            PaymentProblem::ThreeDsServer(problem) => problem.fmt(f),
            PaymentProblem::Vault(what) => write!(f, "vault: {what}"),
        }
    }
}

impl From<StoreProblem> for PaymentProblem {
    fn from(problem: StoreProblem) -> PaymentProblem {
        PaymentProblem::Store(problem)
    }
}

impl From<sqlx::Error> for PaymentProblem {
    fn from(problem: sqlx::Error) -> PaymentProblem {
        PaymentProblem::Store(StoreProblem::Database(problem))
    }
}

impl From<AcquirerError> for PaymentProblem {
    fn from(problem: AcquirerError) -> PaymentProblem {
        PaymentProblem::Acquirer(problem)
    }
}

impl From<ThreeDsServerError> for PaymentProblem {
    fn from(problem: ThreeDsServerError) -> PaymentProblem {
        PaymentProblem::ThreeDsServer(problem)
    }
}

impl From<NoAcquirer> for PaymentProblem {
    fn from(_: NoAcquirer) -> PaymentProblem {
        PaymentProblem::NoAcquirer
    }
}

impl From<VaultProblem> for PaymentProblem {
    fn from(_: VaultProblem) -> PaymentProblem {
        PaymentProblem::Vault("no random numbers, or too much to seal")
    }
}

impl From<Refusal> for PaymentProblem {
    fn from(refusal: Refusal) -> PaymentProblem {
        PaymentProblem::Refused(refusal)
    }
}
