//! The sandbox's 3-D Secure server: the card's scenario defines the issuer's response.
//!
//! Nothing is stored: the scenario always gives the same response, and the evidence of an authentication is derived from its reference. Only
//! the issuer that asks for a confirmation by the buyer's device keeps something: the devices.

use super::cards::{AccessControl, DeviceCheckScript, Scenario};
use super::issuer_decision::{IssuerDecision, decide};
use super::payment_credentials::{CredentialIssuer, ShownPayment};
use async_trait::async_trait;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use payframe_card_rules::secret::Secret;
use payframe_payment_domain::external_3ds::eci;
use payframe_payment_ports::three_ds_server::{
    Authentication, AuthenticationEvidence, AuthenticationRequest, AuthenticationResponse,
    CardRange, ConfirmationOutcome, ConfirmationRequest, ConfirmationStatus, DataShare,
    DeviceCheck, EvidenceRequest, ThreeDsServer, ThreeDsServerError,
};
use payframe_payment_ports::{Clock, Vault};
use sha2::{Digest, Sha256};
use std::sync::Arc;

pub(crate) struct SandboxThreeDsServer {
    /// Creates values that cannot be guessed.
    vault: Arc<dyn Vault>,
    /// The issuer that asks devices.
    issuer: CredentialIssuer,
    clock: Clock,
}

impl SandboxThreeDsServer {
    pub(crate) fn new(
        vault: Arc<dyn Vault>,
        issuer: CredentialIssuer,
        clock: Clock,
    ) -> SandboxThreeDsServer {
        SandboxThreeDsServer {
            vault,
            issuer,
            clock,
        }
    }

    /// Whether an issuer asks the buyer's device: the browser can, and a device is enrolled.
    async fn can_confirm(
        &self,
        request: &AuthenticationRequest<'_>,
    ) -> Result<bool, ThreeDsServerError> {
        let is_able = request.browser.is_some_and(|browser| browser.can_confirm);
        Ok(is_able && self.issuer.has_devices().await.map_err(no_answer)?)
    }

    fn made(&self, what: &str, reference: &str) -> String {
        self.vault
            .page_token(&format!("3-step {what} of {reference}"))
    }
}

#[async_trait]
impl ThreeDsServer for SandboxThreeDsServer {
    fn card_range(&self, number: &Secret) -> CardRange {
        // Exposed because the number of a test card defines its behaviour.
        let scenario = Scenario::of(number.expose());
        CardRange {
            enrollment: scenario.enrollment(),
            device_check: match scenario.device_check() {
                DeviceCheckScript::NotDue => DeviceCheck::NotDue,
                DeviceCheckScript::Quick | DeviceCheckScript::Slow | DeviceCheckScript::Silent => {
                    DeviceCheck::Due
                }
            },
        }
    }

    async fn authenticate(
        &self,
        request: &AuthenticationRequest<'_>,
    ) -> Result<AuthenticationResponse, ThreeDsServerError> {
        // Exposed because the number of a test card defines its behaviour.
        let scenario = Scenario::of(request.number.expose());
        Ok(match decide(scenario, request.challenge_preference) {
            IssuerDecision::Authenticated => {
                AuthenticationResponse::Completed(Authentication::Full)
            }
            IssuerDecision::Attempted => {
                AuthenticationResponse::Completed(Authentication::Attempted)
            }
            IssuerDecision::DataShared => {
                AuthenticationResponse::Completed(Authentication::DataShared)
            }
            IssuerDecision::Exempt | IssuerDecision::Unavailable => {
                AuthenticationResponse::Completed(Authentication::None)
            }
            IssuerDecision::Challenge => AuthenticationResponse::Challenge,
            IssuerDecision::Confirmation => match self.can_confirm(request).await? {
                true => AuthenticationResponse::Confirmation,
                false => AuthenticationResponse::Challenge,
            },
            IssuerDecision::Decoupled => match request.has_waiting_page {
                true => AuthenticationResponse::Decoupled {
                    until_ms: self.clock.now_ms() + i64::from(DECOUPLED_MS),
                },
                false => AuthenticationResponse::Challenge,
            },
            IssuerDecision::Refused | IssuerDecision::NotConfirmed => {
                AuthenticationResponse::Refused
            }
        })
    }

    fn longest_decoupled_ms(&self) -> u32 {
        DECOUPLED_MS
    }

    async fn decoupled_notice(
        &self,
        _reference: &str,
    ) -> Result<Option<String>, ThreeDsServerError> {
        Ok(Some(APP_NOTICE.to_owned()))
    }

    async fn confirmation(
        &self,
        request: &ConfirmationRequest<'_>,
    ) -> Result<ConfirmationStatus, ThreeDsServerError> {
        let (reference, payment) = (request.authentication.reference, shown(request));
        let asked = self.issuer.confirmation(reference, &payment).await;
        Ok(match asked.map_err(no_answer)? {
            Some(asked) => ConfirmationStatus::Asked(Box::new(asked)),
            // Its device is not known any more.
            None => ConfirmationStatus::Answered(AuthenticationResponse::Challenge),
        })
    }

    async fn confirm(
        &self,
        request: &ConfirmationRequest<'_>,
        outcome: &ConfirmationOutcome,
    ) -> Result<AuthenticationResponse, ThreeDsServerError> {
        let assertion = match outcome {
            ConfirmationOutcome::Confirmed(assertion) => Some(&**assertion),
            ConfirmationOutcome::NotCompleted
            | ConfirmationOutcome::Cancelled
            | ConfirmationOutcome::TimedOut => None,
        };
        let (reference, payment) = (request.authentication.reference, shown(request));
        // The gateway's pages enrol devices, and ask them.
        let asked_at = self.issuer.origin();
        let decided = self
            .issuer
            .decide(reference, &payment, asked_at, assertion)
            .await;
        Ok(match decided.map_err(no_answer)? {
            IssuerDecision::Authenticated => {
                AuthenticationResponse::Completed(Authentication::Full)
            }
            IssuerDecision::Challenge => AuthenticationResponse::Challenge,
            _ => AuthenticationResponse::Refused,
        })
    }

    async fn data_share(
        &self,
        request: &EvidenceRequest<'_>,
    ) -> Result<Option<DataShare>, ThreeDsServerError> {
        Ok(Some(DataShare {
            eci: None,
            ds_transaction_id: self.made("id", request.reference),
            version: agreed_version(request.number),
        }))
    }

    async fn evidence(
        &self,
        request: &EvidenceRequest<'_>,
    ) -> Result<AuthenticationEvidence, ThreeDsServerError> {
        Ok(AuthenticationEvidence {
            eci: request
                .network
                .map_or("07", |network| eci(network, request.authentication))
                .into(),
            authentication_value: authentication_value(&self.made("value", request.reference)),
            ds_transaction_id: self.made("id", request.reference),
            version: agreed_version(request.number),
            acquirer_bin: "000000".into(),
            operator: "sandbox",
        })
    }
}

/// What the browser shows of a payment.
fn shown<'a>(request: &'a ConfirmationRequest<'_>) -> ShownPayment<'a> {
    let payment = &request.authentication;
    ShownPayment {
        payee_name: request.merchant_name,
        payee_origin: request.merchant_origin,
        number: payment.number,
        amount: payment.amount,
        currency: payment.currency,
    }
}

/// An authentication value as networks make them: 20 bytes in Base64, which are 28 characters.
pub(crate) fn authentication_value(made: &str) -> String {
    STANDARD.encode(&Sha256::digest(made)[..20])
}

/// What the issuer tells a buyer whom it asks in its app.
pub(crate) const APP_NOTICE: &str =
    "Sandbox bank: our app confirms this payment by itself, after a few seconds.";

/// How long the issuer may ask in its app: as the sandbox's file for directory servers says.
const DECOUPLED_MS: u32 = 600_000;

fn no_answer(problem: sqlx::Error) -> ThreeDsServerError {
    ThreeDsServerError::NoAnswer(Box::new(problem))
}

/// The version of the protocol in which the issuer was asked: only the newer one has confirmations.
fn agreed_version(number: Option<&Secret>) -> &'static str {
    // Exposed because the number of a test card defines its behaviour.
    let scenario = number.map(|number| Scenario::of(number.expose()));
    match scenario.map(Scenario::access_control) {
        Some(AccessControl::Confirmation) => "2.3.1",
        _ => "2.2.0",
    }
}

#[cfg(test)]
mod tests {
    use super::authentication_value;

    #[test]
    fn authentication_values_have_the_length_that_messages_expect() {
        let [one, other] = ["one", "other"].map(authentication_value);
        assert_ne!(one, other);
        assert_eq!((one.len(), other.len()), (28, 28));
        assert!(one.ends_with('='), "{one}");
    }
}
