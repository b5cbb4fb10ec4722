//! Security codes, from the buyer's submission to the call to the acquirer: only in the memory of the gateway's processes.
//!
//! A process that makes a payment without its code asks the others for it ([`hand_over`]). Codes are lost with their process. This is intended: a security
//! code is never stored. The payment continues, and the acquirer is informed that the code was given and lost ([`SecurityCodeData::Lost`]); the issuer decides
//! whether to accept that. So a session that was ready stays ready, as contract 4.8 requires, and the buyer, who may have left, does not have to enter
//! the code again.

pub(crate) mod hand_over;

use payframe_card_rules::security_code::SecurityCode;
use payframe_payment_ports::acquirer::SecurityCodeData;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The codes of this process, by the hash of the session's id.
pub(crate) struct SecurityCodes {
    codes: Mutex<HashMap<String, Kept>>,
    /// No payment takes longer. Another process may have ended a session of which this one has the code.
    life: Duration,
}

struct Kept {
    code: Arc<SecurityCode>,
    since: Instant,
}

impl SecurityCodes {
    /// Keeps codes for at most this time.
    pub(crate) fn new(life: Duration) -> SecurityCodes {
        SecurityCodes {
            codes: Mutex::default(),
            life,
        }
    }

    /// Stores the code of a session, and replaces the previous one.
    pub(crate) fn keep(&self, session_hash: &str, code: Option<SecurityCode>) {
        let mut codes = self.codes();
        match code {
            Some(code) => {
                let kept = Kept {
                    code: Arc::new(code),
                    since: Instant::now(),
                };
                codes.insert(session_hash.to_owned(), kept);
            }
            None => {
                codes.remove(session_hash);
            }
        }
    }

    /// Removes the code of a session.
    pub(crate) fn forget(&self, session_hash: &str) {
        self.codes().remove(session_hash);
    }

    /// Removes the codes that are too old to be needed.
    pub(crate) fn forget_old(&self) {
        self.codes()
            .retain(|_, kept| kept.since.elapsed() < self.life);
    }

    /// The code of a session, if this process has it.
    pub(crate) fn find(&self, session_hash: &str) -> Option<Arc<SecurityCode>> {
        let codes = self.codes();
        codes.get(session_hash).map(|kept| Arc::clone(&kept.code))
    }

    fn codes(&self) -> std::sync::MutexGuard<'_, HashMap<String, Kept>> {
        // A panic during the lock cannot leave the map inconsistent: each change is one call.
        self.codes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The information for the acquirer. `given`: the buyer entered a code. `found`: the code, if a process has it.
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

    const HOUR: Duration = Duration::from_secs(3600);

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
        let before = SecurityCodes::new(HOUR);
        before.keep("session", code);
        assert_eq!(told(&before, true), "123");
        assert_eq!(told(&before, false), "not given");
        assert_eq!(told(&SecurityCodes::new(HOUR), true), "lost");
    }

    #[test]
    fn a_submission_without_a_code_forgets_the_one_before() {
        let codes = SecurityCodes::new(HOUR);
        codes.keep("session", SecurityCode::parse("123", None).unwrap());
        codes.keep("session", None);
        assert_eq!(told(&codes, true), "lost");
    }

    #[test]
    fn a_code_does_not_outlive_every_payment() {
        for (life, expected) in [(HOUR, "123"), (Duration::ZERO, "lost")] {
            let codes = SecurityCodes::new(life);
            codes.keep("session", SecurityCode::parse("123", None).unwrap());
            codes.forget_old();
            assert_eq!(told(&codes, true), expected);
        }
    }
}
