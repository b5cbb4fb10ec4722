//! Limits how often log-in can be tried: with one e-mail address, and from one network address.
//!
//! The count is in the database, so it holds for all processes and after a restart. Every attempt is counted when it arrives; a
//! successful one is subtracted again. governor, which limits the rates of the API, counts in the memory of one process and cannot
//! subtract.

use crate::BackOffice;
use axum::http::HeaderMap;
use payframe_payment_ports::clock::millis;
use payframe_storage::{StoreError, Subject, login_sessions};
use payframe_web_pages::caller_address;
use std::net::IpAddr;
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
    pub(super) fn of(
        office: &'a BackOffice,
        email: &str,
        peer: Option<IpAddr>,
        headers: &HeaderMap,
    ) -> Attempts<'a> {
        let network = caller_address(office.settings().proxies, peer, headers).map(network);
        Attempts {
            office,
            account: payframe_vault::hash(&format!("account {email}")),
            network: network.map(|network| payframe_vault::hash(&format!("network {network}"))),
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

/// The addresses that one subscriber has: one address of version 4, or 2⁶⁴ of version 6.
fn network(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("{:x}", address.to_bits() >> 64),
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
    fn a_network_is_one_subscribers() {
        let check = |text: &str, other: &str, same: bool| {
            let [one, other] = [text, other].map(|text| network(text.parse().unwrap()));
            assert_eq!(one == other, same, "{text}");
        };
        check("1.2.3.4", "1.2.3.5", false);
        check("1.2.3.4", "::ffff:1.2.3.4", true);
        check("2001:db8::1", "2001:db8::ffff:2", true);
        check("2001:db8::1", "2001:db8:0:1::1", false);
    }

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
