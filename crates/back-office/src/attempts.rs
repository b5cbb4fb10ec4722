//! Limits how often log-in can be tried: with one e-mail address, and from one network address.
//!
//! The count is in the database, so it holds for all processes and after a restart. Every attempt is counted when it arrives; a
//! successful one is subtracted again. governor, which limits the rates of the API, counts in the memory of one process and cannot
//! subtract.

use super::visit::Visit;
use crate::BackOffice;
use payframe_payment_ports::clock::millis;
use payframe_storage::{StoreError, Subject, login_sessions};
use std::time::Duration;

/// The counters of one attempt.
pub(super) struct Attempts<'a> {
    office: &'a BackOffice,
    account: String,
    network: Option<String>,
}

/// How long to wait, and which counter is the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wait {
    whose: &'static str,
    ms: i64,
}

impl Wait {
    /// In seconds, rounded up.
    pub(super) fn seconds(self) -> u64 {
        // From now to the end of a window, so above 0.
        u64::try_from(self.ms).unwrap_or(0).div_ceil(1000)
    }

    /// The message for the person who has to wait.
    pub(super) fn sentence(self) -> String {
        let minutes = self.seconds().div_ceil(60);
        let minutes = match minutes {
            1 => String::from("1 minute"),
            more => format!("{more} minutes"),
        };
        format!("Too many attempts {}. Try again in {minutes}.", self.whose)
    }
}

impl<'a> Attempts<'a> {
    /// The attempts with an e-mail address, and from the address of the caller.
    pub(super) fn of(office: &'a BackOffice, email: &str, visit: &Visit) -> Attempts<'a> {
        Attempts {
            office,
            account: payframe_vault::hash(&format!("account {email}")),
            network: visit
                .network()
                .map(|network| payframe_vault::hash(&format!("network {network}"))),
        }
    }

    /// Counts this attempt, or says how long to wait. An attempt during the wait does not make it longer.
    pub(super) async fn count(&self) -> Result<Result<(), Wait>, StoreError> {
        let now_ms = self.office.clock().now_ms();
        let over_ms = now_ms - millis(WINDOW);
        let mut change = self.office.store().write(Subject::Gateway).await?;
        login_sessions::forget_attempts(&mut change, over_ms).await?;
        let counters = [
            (Some(&self.account), FOR_ACCOUNT, "with this e-mail address"),
            (self.network.as_ref(), FOR_NETWORK, "from your network"),
        ];
        for (subject, most, whose) in counters {
            let Some(subject) = subject else { continue };
            let (tried, since_ms) =
                login_sessions::count_attempt(&mut change, subject, now_ms, over_ms).await?;
            if tried > most {
                // The change is not committed, so this attempt is not counted.
                let ms = since_ms + millis(WINDOW) - now_ms;
                return Ok(Err(Wait { whose, ms }));
            }
        }
        change.commit().await?;
        Ok(Ok(()))
    }

    /// The attempt was right, and another step follows.
    pub(super) async fn uncount(&self) -> Result<(), StoreError> {
        let mut change = self.office.store().write(Subject::Gateway).await?;
        for subject in [Some(&self.account), self.network.as_ref()]
            .into_iter()
            .flatten()
        {
            login_sessions::uncount_attempt(&mut change, subject).await?;
        }
        change.commit().await?;
        Ok(())
    }

    /// The attempt was successful: the account's count starts again, and the network's count is one less.
    pub(super) async fn reset(&self) -> Result<(), StoreError> {
        let mut change = self.office.store().write(Subject::Gateway).await?;
        login_sessions::forget_attempts_of(&mut change, &self.account).await?;
        if let Some(network) = &self.network {
            login_sessions::uncount_attempt(&mut change, network).await?;
        }
        change.commit().await?;
        Ok(())
    }
}

/// Attempts are counted for this long after the first one.
const WINDOW: Duration = Duration::from_secs(15 * 60);
const FOR_ACCOUNT: i64 = 5;
const FOR_NETWORK: i64 = 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_told_in_minutes() {
        let wait = |ms| Wait {
            whose: "with it",
            ms,
        };
        assert_eq!(
            wait(899_001).sentence(),
            "Too many attempts with it. Try again in 15 minutes."
        );
        assert_eq!(
            wait(1).sentence(),
            "Too many attempts with it. Try again in 1 minute."
        );
        assert_eq!(wait(1).seconds(), 1);
    }
}
