//! The ports of a gateway that is not connected to an acquirer: production uses them until one is set up.
//!
//! There is no acquirer, so every call that would ask for money is refused before any other outside system is asked.
//! If another port is asked anyway, its answer is harmless: nobody is authenticated, every payment is
//! too risky, no currency is offered, no wallet's token can be decrypted, and no simulated page continues.

use async_trait::async_trait;
use payframe_card_rules::secret::Secret;
use payframe_payment_domain::session::ChallengeReply;
use payframe_payment_ports::bin_lookup::PublicRanges;
use payframe_payment_ports::currency_conversion::Quote;
use payframe_payment_ports::risk_rules::{RiskDecision, RiskQuestion};
use payframe_payment_ports::simulator_pages::{
    ChallengeAnswer, ChallengePage, DeviceCheckPage, MethodAnswer,
};
use payframe_payment_ports::three_ds_server::{
    AuthenticationEvidence, AuthenticationRequest, AuthenticationResponse, CardRange, DeviceCheck,
    Enrollment, EvidenceRequest, ThreeDsServerError,
};
use payframe_payment_ports::wallet_tokens::NoWalletTokens;
use payframe_payment_ports::{CurrencyConversion, Ports, RiskRules, SimulatorPages, ThreeDsServer};
use std::sync::Arc;

/// The ports, in the form that payments use.
pub(crate) fn ports() -> Ports {
    let nobody = Arc::new(Unconnected);
    Ports {
        acquirer: None,
        three_ds_server: nobody.clone(),
        bin_lookup: Arc::new(PublicRanges),
        risk_rules: nobody.clone(),
        currency_conversion: nobody.clone(),
        wallet_tokens: Arc::new(NoWalletTokens),
        simulator_pages: nobody,
    }
}

/// Implements every port without a connection.
struct Unconnected;

/// The gateway is not connected to a 3-D Secure server.
#[derive(Debug, thiserror::Error)]
#[error("no 3-D Secure server is connected")]
struct NotConnected;

#[async_trait]
impl ThreeDsServer for Unconnected {
    fn card_range(&self, _number: &Secret) -> CardRange {
        CardRange {
            enrollment: Enrollment::Unavailable,
            device_check: DeviceCheck::NotDue,
        }
    }

    async fn authenticate(
        &self,
        _request: &AuthenticationRequest<'_>,
    ) -> Result<AuthenticationResponse, ThreeDsServerError> {
        Err(ThreeDsServerError::NoAnswer(Box::new(NotConnected)))
    }

    async fn evidence(
        &self,
        _request: &EvidenceRequest<'_>,
    ) -> Result<AuthenticationEvidence, ThreeDsServerError> {
        Err(ThreeDsServerError::NoAnswer(Box::new(NotConnected)))
    }
}

impl RiskRules for Unconnected {
    fn decide(&self, _question: &RiskQuestion<'_>) -> RiskDecision {
        RiskDecision::Deny
    }
}

impl CurrencyConversion for Unconnected {
    fn quote(&self, _merchant_currency: &str, _card_currency: &str) -> Option<Quote> {
        None
    }
}

impl SimulatorPages for Unconnected {
    fn device_check(&self, _number: &Secret) -> DeviceCheckPage {
        DeviceCheckPage::NeverReports
    }

    fn challenge(&self, _number: &Secret) -> ChallengePage {
        ChallengePage::NeverEnds
    }

    fn reply_to(&self, _number: &Secret, _answer: &ChallengeAnswer) -> ChallengeReply {
        ChallengeReply::No
    }

    fn return_data(&self, _answer: MethodAnswer) -> Option<String> {
        None
    }
}
