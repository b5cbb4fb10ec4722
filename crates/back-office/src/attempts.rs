//! Limits how often log-in can be tried, so that guessing is hopeless and nobody can lock a member out by guessing.
//!
//! There are three counters: for an e-mail address at one network, for an e-mail address at all networks that are not known for it, and
//! for a network. A network is known for an address once each member with it logged in from there ([`known_networks`]): an
//! administrator of another merchant who adds a member with the same address makes no network known. Whoever guesses from elsewhere locks
//! the address for all networks that are not known, while its member still gets in from where they work. An address that no member has is
//! counted in the same way, and the answer does not say which counter is the reason.
//!
//! The counts are in the database, so they hold for all processes and after a restart. Every attempt is counted when it arrives; a
//! successful one is subtracted again. governor, which limits the rates of the API, counts in the memory of one process and cannot
//! subtract.

use super::visit::Visit;
use crate::BackOffice;
use axum::http::header;
use axum::response::Response;
use payframe_payment_domain::back_office::Act;
use payframe_payment_ports::clock::millis;
use payframe_storage::members::{self, Member};
use payframe_storage::{Connection, StoreError, Subject, audit, known_networks, login_sessions};
use std::time::Duration;

/// The counters of one attempt.
pub(super) struct Attempts<'a> {
    office: &'a BackOffice,
    email: String,
    /// The member who is logged in. `None`: it is an attempt to log in.
    member: Option<&'a Member>,
    /// Where the caller is, for the audit log.
    address: String,
    account: String,
    /// All callers whose address is not known are in one network.
    network: String,
    has_address: bool,
    /// The account at this network.
    account_here: String,
}

/// How long to wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wait {
    ms: i64,
}

impl Wait {
    /// In seconds, rounded up.
    fn seconds(self) -> u64 {
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
        format!("Too many attempts. Try again in {minutes}.")
    }

    /// A page that says so, and tells programs the same.
    pub(super) fn on(self, mut page: Response) -> Response {
        let seconds = self.seconds().into();
        page.headers_mut().insert(header::RETRY_AFTER, seconds);
        page
    }
}

/// Counts a question to a browser for a passkey of somebody who is not known yet, or says how long to wait. Only the network is limited.
pub(super) async fn count_question(
    office: &BackOffice,
    visit: &Visit,
) -> Result<Result<(), Wait>, StoreError> {
    let Some(subject) = network_of(office, visit) else {
        return Ok(Ok(()));
    };
    let now_ms = office.clock().now_ms();
    let over_ms = now_ms - millis(WINDOW);
    let mut change = office.store().write(Subject::Gateway).await?;
    login_sessions::forget_attempts(&mut change, over_ms).await?;
    let (tried, since_ms) =
        login_sessions::count_attempt(&mut change, &subject, now_ms, over_ms).await?;
    if tried > FOR_NETWORK {
        // The change is not committed, so this question is not counted.
        let ms = since_ms + millis(WINDOW) - now_ms;
        return Ok(Err(Wait { ms }));
    }
    change.commit().await?;
    Ok(Ok(()))
}

/// The question was answered. The answer counts as an attempt of its own.
pub(super) async fn uncount_question(office: &BackOffice, visit: &Visit) -> Result<(), StoreError> {
    if let Some(subject) = network_of(office, visit) {
        let mut change = office.store().write(Subject::Gateway).await?;
        login_sessions::uncount_attempt(&mut change, &subject).await?;
        change.commit().await?;
    }
    Ok(())
}

/// The counter of a network. `None`: the caller's address is not known.
fn network_of(office: &BackOffice, visit: &Visit) -> Option<String> {
    let network = visit.network()?;
    let parts = ["network", &network, ""].map(str::as_bytes);
    Some(office.vault().fingerprint(&parts))
}

impl<'a> Attempts<'a> {
    /// The attempts with an e-mail address, from where the caller is.
    pub(super) fn of(office: &'a BackOffice, email: &str, visit: &Visit) -> Attempts<'a> {
        let hash = |parts: [&str; 3]| office.vault().fingerprint(&parts.map(str::as_bytes));
        let network = visit.network();
        let has_address = network.is_some();
        let network = network.unwrap_or_default();
        Attempts {
            office,
            email: email.to_owned(),
            member: None,
            address: visit.address_text(),
            account: hash(["account", email, ""]),
            account_here: hash(["account at network", email, &network]),
            network: hash(["network", &network, ""]),
            has_address,
        }
    }

    /// The attempts of a member who is logged in to confirm that it is they.
    pub(super) fn to_confirm(
        office: &'a BackOffice,
        member: &'a Member,
        visit: &Visit,
    ) -> Attempts<'a> {
        Attempts {
            member: Some(member),
            ..Attempts::of(office, &member.email, visit)
        }
    }

    /// Counts this attempt, or says how long to wait. An attempt during the wait does not make it longer. The first one is in the audit log.
    pub(super) async fn count(&self) -> Result<Result<(), Wait>, StoreError> {
        let now_ms = self.office.clock().now_ms();
        let over_ms = now_ms - millis(WINDOW);
        let mut change = self.office.store().write(Subject::Gateway).await?;
        login_sessions::forget_attempts(&mut change, over_ms).await?;
        let is_known = self.is_known(&mut change, now_ms).await?;
        let counters = [
            (Some(&self.account_here), FOR_ACCOUNT_HERE),
            ((!is_known).then_some(&self.account), FOR_ACCOUNT),
            (self.has_address.then_some(&self.network), FOR_NETWORK),
        ];
        for (subject, most) in counters {
            let Some(subject) = subject else { continue };
            let (tried, since_ms) =
                login_sessions::count_attempt(&mut change, subject, now_ms, over_ms).await?;
            if tried > most {
                // The change is not committed, so this attempt is not counted.
                drop(change);
                self.note_wait(subject, since_ms).await?;
                let ms = since_ms + millis(WINDOW) - now_ms;
                return Ok(Err(Wait { ms }));
            }
        }
        change.commit().await?;
        Ok(Ok(()))
    }

    /// Leaves an entry in the audit log for the first attempt during the wait of a counter. The others leave none, so that whoever goes on does not
    /// fill the log. An address that no member has costs the same.
    async fn note_wait(&self, counter: &str, since_ms: i64) -> Result<(), StoreError> {
        let now_ms = self.office.clock().now_ms();
        let over_ms = now_ms - millis(WINDOW);
        let mut change = self.office.store().write(Subject::Statement).await?;
        // It ends with the wait.
        let noted = self.noted(counter);
        let (times, _) =
            login_sessions::count_attempt(&mut change, &noted, since_ms, over_ms).await?;
        if times > 1 {
            return Ok(());
        }
        let (members, act) = match self.member {
            Some(member) => (vec![member.clone()], Act::ConfirmationRefused),
            None => {
                let found = members::by_email(&mut change, &self.email).await?;
                let members = found.into_iter().map(|(member, _)| member).collect();
                (members, Act::LogInRefused)
            }
        };
        for member in &members {
            let entry = member.entry(&self.address, now_ms, act, "", TOO_MANY);
            audit::add(&mut change, &entry).await?;
        }
        change.commit().await?;
        Ok(())
    }

    /// The counter of the entries for the wait of a counter.
    fn noted(&self, counter: &str) -> String {
        let parts = ["noted", counter, ""].map(str::as_bytes);
        self.office.vault().fingerprint(&parts)
    }

    /// The attempt was right, and another step follows.
    pub(super) async fn uncount(&self) -> Result<(), StoreError> {
        let mut change = self.office.store().write(Subject::Gateway).await?;
        let now_ms = self.office.clock().now_ms();
        login_sessions::uncount_attempt(&mut change, &self.account_here).await?;
        self.uncount_elsewhere(&mut change, now_ms).await?;
        change.commit().await?;
        Ok(())
    }

    /// Subtracts the attempt from the counters that are not only of this account at this network.
    async fn uncount_elsewhere(
        &self,
        change: &mut Connection,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        if !self.is_known(change, now_ms).await? {
            login_sessions::uncount_attempt(change, &self.account).await?;
        }
        login_sessions::uncount_attempt(change, &self.network).await
    }

    /// Whether the account's member logged in from this network before.
    async fn is_known(&self, connection: &mut Connection, now_ms: i64) -> Result<bool, StoreError> {
        let after_ms = now_ms - millis(KNOWN_FOR);
        known_networks::is_known(connection, &self.email, &self.network, after_ms).await
    }

    /// The member is who they say: their count at this network starts again, and the network is known for them. What others tried
    /// elsewhere still counts.
    pub(super) async fn reset(&self, member: &Member) -> Result<(), StoreError> {
        let now_ms = self.office.clock().now_ms();
        let mut change = self.office.store().write(Subject::Gateway).await?;
        for subject in [&self.account_here, &self.noted(&self.account_here)] {
            login_sessions::forget_attempts_of(&mut change, subject).await?;
        }
        self.uncount_elsewhere(&mut change, now_ms).await?;
        known_networks::forget(&mut change, now_ms - millis(KNOWN_FOR)).await?;
        known_networks::put(&mut change, &member.id, &self.network, now_ms).await?;
        change.commit().await?;
        Ok(())
    }
}

/// Attempts are counted for this long after the first one: PCI DSS 8.3.4 asks for 30 minutes at least.
const WINDOW: Duration = Duration::from_secs(30 * 60);
/// A network is known for this long after the latest log-in from there.
const KNOWN_FOR: Duration = Duration::from_secs(90 * 86_400);
const FOR_ACCOUNT_HERE: i64 = 5;
/// PCI DSS 8.3.4 asks for ten at most.
const FOR_ACCOUNT: i64 = 10;
const FOR_NETWORK: i64 = 20;
/// The detail of the entry in the audit log.
const TOO_MANY: &str =
    "too many attempts; further ones until the wait is over are not written down";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_told_in_minutes() {
        let wait = |ms| Wait { ms };
        assert_eq!(
            wait(899_001).sentence(),
            "Too many attempts. Try again in 15 minutes."
        );
        assert_eq!(
            wait(1).sentence(),
            "Too many attempts. Try again in 1 minute."
        );
        assert_eq!(wait(1).seconds(), 1);
    }
}
