//! Security codes, from the buyer's submission until the acquirer is asked: in this process's memory only.
//!
//! A restart loses them, and that is meant: a security code is never written down. The payment goes on, and
//! the acquirer is told that the code was given and lost ([`SecurityCodeData::Lost`]); the issuer decides
//! what that is worth. The merchant's closing call keeps its promise that way: a session that was ready stays
//! ready, as contract 4.8 has it, and the buyer, who may have left, is not asked again.

use payframe_card_rules::security_code::SecurityCode;
use payframe_payment_ports::acquirer::SecurityCodeData;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The codes by the hash of their session's id.
#[derive(Default)]
pub(crate) struct SecurityCodes(Mutex<HashMap<String, Arc<SecurityCode>>>);

impl SecurityCodes {
    /// Keeps the code of a session, in place of the one before.
    pub(crate) fn keep(&self, session_hash: &str, code: Option<SecurityCode>) {
        match code {
            Some(code) => self.codes().insert(session_hash.to_owned(), Arc::new(code)),
            None => self.codes().remove(session_hash),
        };
    }

    /// Forgets the code of a session.
    pub(crate) fn forget(&self, session_hash: &str) {
        self.codes().remove(session_hash);
    }

    /// The code of a session, if it is here.
    pub(crate) fn find(&self, session_hash: &str) -> Option<Arc<SecurityCode>> {
        self.codes().get(session_hash).cloned()
    }

    fn codes(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<SecurityCode>>> {
        // A panic while the map is held leaves it whole: each change is one call.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What the acquirer is told. `given`: the buyer gave a code; `found`: it is here.
pub(crate) fn data(given: bool, found: Option<&SecurityCode>) -> SecurityCodeData<'_> {
    match (given, found) {
        (false, _) => SecurityCodeData::NotGiven,
        (true, Some(code)) => SecurityCodeData::Given(code),
        (true, None) => SecurityCodeData::Lost,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(codes: &SecurityCodes, given: bool) -> String {
        match data(given, codes.find("session").as_deref()) {
            // Exposed because the test's own code is looked for.
            SecurityCodeData::Given(code) => code.expose().to_owned(),
            SecurityCodeData::NotGiven => String::from("not given"),
            SecurityCodeData::Lost => String::from("lost"),
        }
    }

    #[test]
    fn a_code_is_lost_with_the_process_and_that_is_known() {
        let code = SecurityCode::parse("123", None).unwrap();
        let before = SecurityCodes::default();
        before.keep("session", code);
        assert_eq!(told(&before, true), "123");
        assert_eq!(told(&before, false), "not given");
        assert_eq!(told(&SecurityCodes::default(), true), "lost");
    }

    #[test]
    fn a_submission_without_a_code_forgets_the_one_before() {
        let codes = SecurityCodes::default();
        codes.keep("session", SecurityCode::parse("123", None).unwrap());
        codes.keep("session", None);
        assert_eq!(told(&codes, true), "lost");
    }
}
