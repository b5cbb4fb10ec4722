//! The ports of a production gateway that are not connected to anything outside.
//!
//! The acquirers are the operator's ([`payframe_acquirer_http`]), or none: then every call that would ask for money is refused before any
//! other outside system is asked. The 3-D Secure server is the operator's ([`payframe_emv_3ds`]), or there is none. Then, where the operator has decided that a terminal's buyers pay without
//! authentication, that is what the answer says; the buyers of all other terminals are refused. No rules refuse a card where there is an
//! acquirer, no currency is offered, and no simulated page continues. The tokens of wallets open with the keys of the operator's file, or none
//! does.

use async_trait::async_trait;
use payframe_card_rules::network::Network;
use payframe_card_rules::secret::Secret;
use payframe_payment_domain::session::ChallengeReply;
use payframe_payment_ports::bin_lookup::PublicRanges;
use payframe_payment_ports::buyers_banks::{BuyersBanks, PlannedDispute};
use payframe_payment_ports::currency_conversion::Quote;
use payframe_payment_ports::risk_rules::{RiskDecision, RiskQuestion};
use payframe_payment_ports::simulator_pages::{
    ChallengeAnswer, ChallengePage, DeviceCheckPage, MethodAnswer,
};
use payframe_payment_ports::three_ds_server::{
    Authentication, AuthenticationEvidence, AuthenticationRequest, AuthenticationResponse,
    CardRange, DeviceCheck, Enrollment, EvidenceRequest, ThreeDsServerError,
};
use payframe_payment_ports::{
    Acquirers, CurrencyConversion, Ports, RiskRules, SimulatorPages, ThreeDsServer, WalletTokens,
};
use std::collections::HashSet;
use std::sync::Arc;

/// What a production gateway is connected to.
pub(crate) struct Connections {
    /// The operator's acquirers.
    pub(crate) acquirers: Arc<dyn Acquirers>,
    /// The operator's 3-D Secure server.
    pub(crate) three_ds_server: Option<Arc<dyn ThreeDsServer>>,
    /// Opens the tokens of wallets.
    pub(crate) wallet_tokens: Arc<dyn WalletTokens>,
    /// The terminals whose buyers pay without authentication.
    pub(crate) without_authentication: HashSet<String>,
}

/// The ports, in the form that payments use.
pub(crate) fn ports(connections: Connections) -> Ports {
    let acquirers = connections.acquirers;
    let nobody = Arc::new(Unconnected {
        risk: match acquirers.is_empty() {
            true => RiskDecision::Deny,
            false => RiskDecision::Accept,
        },
        without_authentication: connections.without_authentication,
    });
    Ports {
        acquirers,
        three_ds_server: connections.three_ds_server.unwrap_or(nobody.clone()),
        bin_lookup: Arc::new(PublicRanges),
        risk_rules: nobody.clone(),
        currency_conversion: nobody.clone(),
        wallet_tokens: connections.wallet_tokens,
        simulator_pages: nobody.clone(),
        buyers_banks: nobody,
    }
}

/// Implements every port but the acquirers without a connection.
struct Unconnected {
    risk: RiskDecision,
    without_authentication: HashSet<String>,
}

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

    fn serves(&self, terminal_id: &str) -> bool {
        self.without_authentication.contains(terminal_id)
    }

    async fn authenticate(
        &self,
        request: &AuthenticationRequest<'_>,
    ) -> Result<AuthenticationResponse, ThreeDsServerError> {
        match self.serves(request.terminal_id) {
            true => Ok(AuthenticationResponse::Completed(Authentication::None)),
            false => Err(ThreeDsServerError::NoAnswer(Box::new(NotConnected))),
        }
    }

    async fn evidence(
        &self,
        request: &EvidenceRequest<'_>,
    ) -> Result<AuthenticationEvidence, ThreeDsServerError> {
        match request.authentication {
            Authentication::DataShared | Authentication::None | Authentication::NotDue => {
                Ok(no_evidence(request.network))
            }
            Authentication::Full | Authentication::Attempted => {
                Err(ThreeDsServerError::NoAnswer(Box::new(NotConnected)))
            }
        }
    }
}

/// That nobody was authenticated, as a 3-step payment reads it.
fn no_evidence(network: Option<Network>) -> AuthenticationEvidence {
    AuthenticationEvidence {
        eci: match network {
            Some(Network::Mastercard | Network::Maestro) => "00",
            _ => "07",
        }
        .into(),
        authentication_value: String::new(),
        ds_transaction_id: String::new(),
        version: "",
        acquirer_bin: "".into(),
        operator: "",
    }
}

impl RiskRules for Unconnected {
    fn decide(&self, _question: &RiskQuestion<'_>) -> RiskDecision {
        self.risk
    }
}

impl CurrencyConversion for Unconnected {
    fn quote(&self, _merchant_currency: &str, _card_currency: &str) -> Option<Quote> {
        None
    }
}

impl BuyersBanks for Unconnected {
    fn dispute_of(&self, _masked: &str) -> Option<PlannedDispute> {
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
