//! Security codes, from the buyer's submission until the acquirer is asked: in this process's memory only.
//!
//! A restart loses them, and that is meant: a security code is never written down. The payment goes on, and
//! the acquirer is told that the code was given and lost ([`SecurityCodePresence::Lost`]); the issuer decides
//! what that is worth. The merchant's closing call keeps its promise that way: a session that was ready stays
//! ready, as contract 4.8 has it, and the buyer, who may have left, is not asked again.

use crate::sandbox::acquirer::SecurityCodePresence;
use payframe_card_rules::security_code::SecurityCode;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// The codes by the hash of their session's id.
#[derive(Default)]
pub(crate) struct SecurityCodes(Mutex<HashMap<String, SecurityCode>>);

impl SecurityCodes {
    /// Keeps the code of a session, in place of the one before.
    pub(crate) fn keep(&self, session_hash: &str, code: Option<SecurityCode>) {
        match code {
            Some(code) => self.codes().insert(session_hash.to_owned(), code),
            None => self.codes().remove(session_hash),
        };
    }

    /// Forgets the code of a session.
    pub(crate) fn forget(&self, session_hash: &str) {
        self.codes().remove(session_hash);
    }

    /// Whether the code of a session is here. `given`: the buyer gave one.
    pub(crate) fn presence(&self, session_hash: &str, given: bool) -> SecurityCodePresence {
        match (given, self.codes().contains_key(session_hash)) {
            (false, _) => SecurityCodePresence::NotGiven,
            (true, true) => SecurityCodePresence::Given,
            (true, false) => SecurityCodePresence::Lost,
        }
    }

    fn codes(&self) -> std::sync::MutexGuard<'_, HashMap<String, SecurityCode>> {
        // A panic while the map is held leaves it whole: each change is one call.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_lost_with_the_process_and_that_is_known() {
        let code = SecurityCode::parse("123", None).unwrap();
        let before = SecurityCodes::default();
        before.keep("session", code);
        assert_eq!(
            before.presence("session", true),
            SecurityCodePresence::Given
        );
        assert_eq!(
            before.presence("session", false),
            SecurityCodePresence::NotGiven
        );
        let after_restart = SecurityCodes::default();
        assert_eq!(
            after_restart.presence("session", true),
            SecurityCodePresence::Lost
        );
    }

    #[test]
    fn a_submission_without_a_code_forgets_the_one_before() {
        let codes = SecurityCodes::default();
        codes.keep("session", SecurityCode::parse("123", None).unwrap());
        codes.keep("session", None);
        assert_eq!(codes.presence("session", true), SecurityCodePresence::Lost);
    }
}
