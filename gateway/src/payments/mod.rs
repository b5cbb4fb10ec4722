//! Payments.

mod page_views;

use crate::App;
pub use page_views::{
    ChallengeAnswer, ChallengeStep, ChallengeView, DeviceCheckView, FormRefusal, FormView, ReturnView,
};

impl App {
    /// The form of a session. Counts as a sign of the buyer.
    pub async fn form_boot(&self, session_id: &str) -> Result<FormView, FormRefusal> {
        let _ = session_id;
        Err(FormRefusal::Unknown)
    }

    /// The device check with this token.
    pub async fn device_check(&self, token: &str) -> Option<DeviceCheckView> {
        let _ = token;
        None
    }

    /// The device check with this token has run.
    pub async fn device_check_done(&self, token: &str) {
        let _ = token;
    }

    /// The challenge with this token.
    pub async fn challenge(&self, token: &str) -> Option<ChallengeView> {
        let _ = token;
        None
    }

    /// Takes the buyer's answer; when that ends the challenge, the payment has its outcome before this returns.
    pub async fn challenge_answer(&self, token: &str, answer: ChallengeAnswer) -> ChallengeStep {
        let _ = (token, answer);
        ChallengeStep::Gone
    }

    /// Where the browser goes after the challenge with this token.
    pub async fn challenge_session(&self, token: &str) -> Option<ReturnView> {
        let _ = token;
        None
    }
}
