//! Simulated pages: the device check, the challenge and the page of an alternative method, if the gateway shows them itself.
//!
//! Real issuers and operators have their own pages, so an adapter for them is never called here. A simulator's pages behave as its test
//! cards define. The port answers from memory, and changes nothing but the devices that buyers enrol.

use async_trait::async_trait;
use payframe_card_rules::secret::Secret;
use payframe_payment_domain::session::ChallengeReply;

/// Decides how simulated pages behave.
#[async_trait]
pub trait SimulatorPages: Send + Sync {
    /// The behaviour of a card's device check.
    fn device_check(&self, number: &Secret) -> DeviceCheckPage;

    /// Whether the challenge page of a card ends.
    fn challenge(&self, number: &Secret) -> ChallengePage;

    /// The verdict on a buyer's answer to the challenge of a card.
    fn reply_to(&self, number: &Secret, answer: &ChallengeAnswer) -> ChallengeReply;

    /// What the buyer has said to a card's issuer apart from the browser, this long after the issuer began to ask.
    fn reply_in_app(&self, _number: &Secret, _waited_ms: i64) -> ChallengeReply {
        ChallengeReply::Undecided
    }

    /// The data that the page of an alternative method sends back with the buyer, for the operator. `None`: the buyer has left the page,
    /// and the payment is cancelled.
    fn return_data(&self, answer: MethodAnswer) -> Option<String>;

    /// What the page of a simulated issuer asks a device that is to confirm payments. `None`: no issuer enrols devices.
    fn enrolment(&self) -> Option<Enrolment> {
        None
    }

    /// Keeps a device that may confirm payments from now on. Returns whether its registration is right.
    ///
    /// # Errors
    /// It is not kept.
    async fn enrol(&self, _registration: &Registration) -> Result<bool, EnrolmentError> {
        Ok(false)
    }
}

/// What a device is asked that is to confirm payments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enrolment {
    /// The domain that the credential will belong to.
    pub rp_id: String,
    /// base64url.
    pub challenge: String,
}

/// What a device answered to an [`Enrolment`]. Each is base64url.
#[derive(Clone, PartialEq, Eq)]
pub struct Registration {
    /// What the browser says, as JSON.
    pub client_data: String,
    /// What the device says about itself, with its key.
    pub authenticator_data: String,
}

/// A device was not kept.
#[derive(Debug, thiserror::Error)]
#[error("the device is not kept: {0}")]
pub struct EnrolmentError(#[source] pub Box<dyn std::error::Error + Send + Sync>);

/// The behaviour of a simulated device check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceCheckPage {
    /// It reports after this delay.
    Reports {
        /// Zero means at once.
        after_ms: u64,
    },
    /// It never reports.
    NeverReports,
}

/// The behaviour of a simulated challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChallengePage {
    /// It accepts answers.
    TakesAnswers,
    /// It never ends.
    NeverEnds,
}

/// A buyer's action on a challenge page. Not `Debug`, so that typed text stays out of logs.
#[derive(Clone, PartialEq, Eq)]
pub enum ChallengeAnswer {
    /// Enters a code.
    Code(String),
    /// Presses the button that replaces the correct code.
    Approve,
    /// Presses the button that refuses.
    Reject,
    /// Leaves the page.
    Cancel,
}

/// A buyer's action on the page of an alternative method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MethodAnswer {
    /// Pays.
    Approve,
    /// Refuses.
    Refuse,
    /// Pays later.
    Pending,
    /// Leaves the page.
    Cancel,
}
