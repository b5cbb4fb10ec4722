//! What the issuer of a test card decides about an authentication. The 3-D Secure server in this process and the access control server of
//! the sandbox decide alike. What came of a confirmation by the device is decided by the issuer that asked it
//! ([`CredentialIssuer::decide`](super::payment_credentials::CredentialIssuer::decide)).

use super::cards::{AccessControl, Scenario};
use payframe_payment_ports::three_ds_server::{Authentication, ChallengePreference};

/// What an issuer decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IssuerDecision {
    /// The buyer is authenticated without a challenge.
    Authenticated,
    /// The issuer does not take part, and the network proves the attempt.
    Attempted,
    /// It asks the buyer.
    Challenge,
    /// It asks the buyer's device, where one is enrolled, else the buyer.
    Confirmation,
    /// It asks the buyer in its app, where the merchant allows that, else as [`IssuerDecision::Challenge`].
    Decoupled,
    /// The buyer is not the cardholder.
    Refused,
    /// The buyer's device was asked, and did not sign that.
    NotConfirmed,
    /// There is no authentication.
    Unavailable,
    /// It has taken note of an exemption, and wants no authentication.
    Exempt,
    /// It has taken note of data that was only shared.
    DataShared,
}

/// The decision about a card, by what the merchant prefers.
pub(crate) fn decide(scenario: Scenario, preference: ChallengePreference) -> IssuerDecision {
    let is_requested = preference == ChallengePreference::ChallengeRequested;
    let is_demanded = preference == ChallengePreference::ChallengeMandated;
    let is_only_shared = preference == ChallengePreference::DataShareOnly;
    let is_exempt =
        matches!(preference, ChallengePreference::Exemption(_)) && scenario.grants_exemptions();
    match scenario.access_control() {
        AccessControl::Pass(Authentication::Full)
        | AccessControl::Challenge(_)
        | AccessControl::Confirmation
        | AccessControl::Decoupled
        | AccessControl::OnDemand
            if is_only_shared =>
        {
            IssuerDecision::DataShared
        }
        AccessControl::Pass(Authentication::Full)
        | AccessControl::Challenge(_)
        | AccessControl::Confirmation
        | AccessControl::Decoupled
            if is_exempt =>
        {
            IssuerDecision::Exempt
        }
        AccessControl::Pass(Authentication::Full | Authentication::Attempted) if is_demanded => {
            IssuerDecision::Challenge
        }
        AccessControl::Pass(Authentication::Full) => IssuerDecision::Authenticated,
        AccessControl::Pass(Authentication::Attempted) => IssuerDecision::Attempted,
        AccessControl::Pass(
            Authentication::DataShared | Authentication::None | Authentication::NotDue,
        ) => IssuerDecision::Unavailable,
        AccessControl::Challenge(_) => IssuerDecision::Challenge,
        AccessControl::Confirmation => IssuerDecision::Confirmation,
        AccessControl::Decoupled => IssuerDecision::Decoupled,
        AccessControl::OnDemand if is_demanded || is_requested => IssuerDecision::Challenge,
        AccessControl::OnDemand => IssuerDecision::Unavailable,
        AccessControl::Refused => IssuerDecision::Refused,
    }
}
