//! The confirmation by the buyer's device that an issuer asks for in place of its page: Secure Payment Confirmation, in version 2.3.1.
//!
//! Devices are enrolled on a page of the issuer, and its program keeps them in memory. The browser asks them on a page of the 3-D Secure
//! server, whose second AReq says what came of it.

use super::issuer_messages::{preference, sum};
use super::newest::Newest;
use crate::cards::Scenario;
use crate::issuer_decision::{IssuerDecision, decide};
use crate::payment_credentials::{CredentialIssuer, DevicesInMemory, ShownPayment};
use payframe_emv_3ds::element::TransactionId;
use payframe_emv_3ds::fault::{Fault, FaultCode};
use payframe_emv_3ds::message::{AuthenticationCall, YesNo};
use payframe_payment_ports::three_ds_server::{Assertion, Confirmation};
use url::Url;

/// The devices of the issuer's buyers, and what they were asked, until the program ends.
pub(super) struct Confirmations {
    issuer: CredentialIssuer,
    asked: Newest<AskedConfirmation>,
}

/// A confirmation that the issuer has asked for.
#[derive(Clone)]
struct AskedConfirmation {
    /// The merchant's origin, which the second AReq does not repeat.
    payee_origin: Option<String>,
}

impl AskedConfirmation {
    /// What the browser shows of the payment that AReq is about.
    fn shown<'a>(&'a self, asked: &'a AuthenticationCall) -> ShownPayment<'a> {
        let (amount, currency) = sum(asked);
        ShownPayment {
            payee_name: &asked.merchant_name,
            payee_origin: self.payee_origin.as_deref(),
            number: asked.account_number.secret(),
            amount,
            currency,
        }
    }
}

impl Confirmations {
    /// `secret`: makes challenges that nobody can guess. `origin`: of the page that enrols devices.
    pub(super) fn new(secret: String, origin: String) -> Confirmations {
        Confirmations {
            issuer: CredentialIssuer::new(DevicesInMemory::default(), secret, origin),
            asked: Newest::default(),
        }
    }

    /// Who enrols devices.
    pub(super) fn issuer(&self) -> &CredentialIssuer {
        &self.issuer
    }

    /// What the issuer decides about an AReq.
    pub(super) async fn decide(&self, asked: &AuthenticationCall) -> Result<IssuerDecision, Fault> {
        match asked.prior.as_deref() {
            None | Some([]) => {
                // Exposed because the number of a test card defines its behaviour.
                let scenario = Scenario::of(asked.account_number.secret().expose());
                let preference = preference(asked.challenge_preferences.as_ref());
                Ok(decide(scenario, preference))
            }
            Some([prior, ..]) => self.decide_after(prior.acs_transaction_id(), asked).await,
        }
    }

    /// What the browser is asked. `None`: it can not be asked, or no device is enrolled.
    pub(super) async fn ask_device(
        &self,
        id: &TransactionId,
        asked: &AuthenticationCall,
    ) -> Result<Option<Confirmation>, Fault> {
        if asked.confirmation_support != Some(YesNo::Yes) {
            return Ok(None);
        }
        let confirmation = AskedConfirmation {
            payee_origin: asked.payee_origin.as_ref().map(|origin| origin.to_string()),
        };
        let payment = confirmation.shown(asked);
        let confirmed = self.issuer.confirmation(id, &payment).await;
        let confirmed = confirmed.map_err(unreadable)?;
        if confirmed.is_some() {
            self.asked.keep(id.clone(), confirmation);
        }
        Ok(confirmed)
    }

    /// What the issuer decides about the outcome of a confirmation. Of one that it does not know it makes a challenge.
    async fn decide_after(
        &self,
        prior: &TransactionId,
        asked: &AuthenticationCall,
    ) -> Result<IssuerDecision, Fault> {
        let Some(confirmation) = self.asked.find(prior) else {
            return Ok(IssuerDecision::Challenge);
        };
        let signed = asked.confirmations.iter().flatten().next();
        let assertion = signed.map(|signed| Assertion::read(&signed.assertion()));
        let assertion = assertion
            .transpose()
            .map_err(|_| Fault::new(FaultCode::Format, "threeDSRequestorAuthenticationInfo"))?;
        let payment = confirmation.shown(asked);
        // The page that asks is the 3-D Secure server's. AReq does not say which page is above it, so that one is not compared.
        let asked_at = Url::parse(&asked.notification_url);
        let asked_at = asked_at.map_or_else(
            |_| String::new(),
            |address| address.origin().ascii_serialization(),
        );
        let decided = self
            .issuer
            .decide(prior, &payment, &asked_at, assertion.as_ref())
            .await;
        decided.map_err(unreadable)
    }
}

fn unreadable(problem: sqlx::Error) -> Fault {
    tracing::error!(%problem, "the enrolled devices cannot be read");
    Fault::new(FaultCode::Transient, "message")
}
