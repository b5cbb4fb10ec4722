//! Sessions of the embedded form: from the first call of a payment to the one that closes it.

use crate::call::Call;
use crate::errors::PayframeError;
use crate::exchange::{Sent, Verb};
use crate::paths::checked_id;
use crate::transport::Sender;
use crate::types::{
    CardData, ChangedSession, Confirmation, Session, SessionChange, SessionRequest, SessionState,
};
use serde_json::json;
use std::fmt;
use std::sync::Arc;

/// Calls of [`crate::Payframe::sessions`].
#[derive(Clone)]
pub struct Sessions {
    sender: Arc<Sender>,
}

impl Sessions {
    pub(crate) fn new(sender: &Arc<Sender>) -> Self {
        Self {
            sender: Arc::clone(sender),
        }
    }

    /// Opens a payment: the first call. Keep `security_token` with the order; give `session_id` or `form.html` to the page.
    pub fn create(&self, request: &SessionRequest) -> Call<Session> {
        Call::new(
            &self.sender,
            Sent::new(Verb::Post, "/orders/build").body(request),
        )
    }

    /// Changes what an open session charges. Members that are left out stay as they are.
    pub fn change(&self, change: &SessionChange) -> Call<ChangedSession> {
        Call::new(
            &self.sender,
            Sent::new(Verb::Patch, "/build/session").body(change),
        )
    }

    /// Where the session stands.
    pub fn read(&self, session_id: &str) -> Call<SessionState> {
        Call::new(&self.sender, asked("/build/state", session_id))
    }

    /// What a shop may know about the card that was entered.
    pub fn read_card(&self, session_id: &str) -> Call<CardData> {
        Call::new(&self.sender, asked("/build/cardData", session_id))
    }

    /// Charges the card of a session of version 3 whose `form.closing` is `SERVER`. A declined payment is an answer, not an error: see
    /// `operation.operation_result`.
    pub fn finalize(&self, session_id: &str) -> Call<SessionState> {
        Call::new(&self.sender, told("/build/finalize_payment", session_id))
    }

    /// Fixes the amount of a session of version 2, and charges the card unless `confirm` is `false`.
    pub fn confirm(&self, confirmation: &Confirmation) -> Call<SessionState> {
        Call::new(
            &self.sender,
            Sent::new(Verb::Post, "/build/confirm_payment").body(confirmation),
        )
    }

    /// Ends a session. Money that was approved goes back.
    pub fn cancel(&self, session_id: &str) -> Call<SessionState> {
        Call::new(&self.sender, told("/build/cancel", session_id))
    }
}

impl fmt::Debug for Sessions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sessions").finish_non_exhaustive()
    }
}

fn asked(path: &str, session_id: &str) -> Result<Sent, PayframeError> {
    let id = checked_id(session_id, "session_id")?;
    Ok(Sent::new(Verb::Get, path).pair("sessionId", id))
}

fn told(path: &str, session_id: &str) -> Result<Sent, PayframeError> {
    let id = checked_id(session_id, "session_id")?;
    Sent::new(Verb::Post, path).body(&json!({ "sessionId": id }))
}
