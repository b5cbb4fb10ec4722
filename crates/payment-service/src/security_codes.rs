//! Security codes, from the buyer's submission to the call to the acquirer: only in the memory of this process.
//!
//! They are lost in a restart. This is intended: a security code is never stored. The payment continues, and the acquirer is informed that
//! the code was given and lost ([`SecurityCodeData::Lost`]); the issuer decides whether to accept that. So a session that was ready stays
//! ready, as contract 4.8 requires, and the buyer, who may have left, does not have to enter the code again.

use payframe_card_rules::security_code::SecurityCode;
use payframe_payment_ports::acquirer::SecurityCodeData;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The codes, by the hash of the session's id.
#[derive(Default)]
pub(crate) struct SecurityCodes(Mutex<HashMap<String, Arc<SecurityCode>>>);

impl SecurityCodes {
    /// Stores the code of a session, and replaces the previous one.
    pub(crate) fn keep(&self, session_hash: &str, code: Option<SecurityCode>) {
        match code {
            Some(code) => self.codes().insert(session_hash.to_owned(), Arc::new(code)),
            None => self.codes().remove(session_hash),
        };
    }

    /// Removes the code of a session.
    pub(crate) fn forget(&self, session_hash: &str) {
        self.codes().remove(session_hash);
    }

    /// The code of a session, if this process has it.
    pub(crate) fn find(&self, session_hash: &str) -> Option<Arc<SecurityCode>> {
        self.codes().get(session_hash).cloned()
    }

    fn codes(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<SecurityCode>>> {
        // A panic during the lock cannot leave the map inconsistent: each change is one call.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The information for the acquirer. `given`: the buyer entered a code. `found`: the code, if this process has it.
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
            // Exposed because the test searches for its own code.
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
