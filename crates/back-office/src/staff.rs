//! Changes of members, by an administrator in the back office or by a command on the gateway's machine.
//!
//! Each change is one transaction with its entry in the audit log. Every change of a member's rights ends the member's log-ins.

use super::login_providers::LoginProviders;
use super::password::{self, Password};
use crate::BackOffice;
use crate::login_session::LoginSession;
use payframe_payment_domain::back_office::{Act, Role};
use payframe_storage::audit::{self, Author, Entry};
use payframe_storage::members::{self, Member, NewPassword};
use payframe_storage::{
    Store, StoreError, Subject, Write, emergency_access, login_sessions, merchants,
    provider_accounts, second_factors,
};
use payframe_vault::KeyringError;
use thiserror::Error;

/// Who makes the change, and when.
#[derive(Clone, Copy)]
pub struct Actor<'a> {
    /// The member or command.
    pub author: Author<'a>,
    /// Milliseconds since 1970.
    pub now_ms: i64,
}

/// The data of a new member.
pub struct NewMember {
    /// The merchant that the member works for.
    pub merchant_id: String,
    /// Shown on pages and in the audit log.
    pub name: Name,
    /// For logging in.
    pub email: Email,
    /// What the member may do.
    pub role: Role,
}

/// What a password is for that was made for a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstPassword {
    /// One log-in, at which the member chooses another one, because whoever hands it over knows it.
    FirstUse,
    /// Every log-in: for a demo, whose password is printed at each start.
    EveryUse,
}

/// A member's name: 1 to 80 characters, without control characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name(String);

/// An e-mail address in lower case. It is used for logging in; nothing is sent to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Email(String);

/// Why it was not done.
#[derive(Debug, Error)]
pub enum StaffError {
    /// There is no such merchant.
    #[error("There is no such merchant.")]
    NoMerchant,
    /// Another member of the same merchant has this e-mail address.
    #[error("This e-mail address is taken by another member of the merchant.")]
    Taken,
    /// The merchant would be left without an administrator.
    #[error("This is the only active administrator. Make somebody else an administrator first.")]
    LastAdministrator,
    /// Members cannot do this to themselves.
    #[error("You cannot do this to yourself: another administrator can.")]
    Oneself,
    /// The member had this password before.
    #[error("This is one of your last four passwords. Choose another one.")]
    FormerPassword,
    /// The member has no second factor.
    #[error("This member has no second factor.")]
    NoSecondFactor,
    /// The member has no account at a log-in provider.
    #[error("This member has no account at a log-in provider.")]
    NoProviderAccount,
    /// The merchant's members log in at a provider alone.
    #[error(
        "Members of this merchant log in at its log-in provider only: they have no password here."
    )]
    NoPasswords,
    /// The merchant's members have passwords.
    #[error("Members of this merchant have a password: make a new one.")]
    HasPasswords,
    /// Ours: the database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Ours: no random numbers.
    #[error(transparent)]
    Vault(#[from] KeyringError),
}

impl From<sqlx::Error> for StaffError {
    fn from(problem: sqlx::Error) -> StaffError {
        StoreError::from(problem).into()
    }
}

impl Name {
    /// Reads a name and ignores white space around it.
    pub fn parse(text: &str) -> Option<Name> {
        let text = text.trim();
        let good = (1..=80).contains(&text.chars().count()) && !text.chars().any(char::is_control);
        good.then(|| Name(text.to_owned()))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Email {
    /// Reads an address. The parts before and after the last `@` must not be empty or contain white space. Nothing else is checked:
    /// only the owner knows whether the address exists.
    pub fn parse(text: &str) -> Option<Email> {
        let text = text.trim().to_lowercase();
        let (name, domain) = text.rsplit_once('@')?;
        let plain = |part: &str| {
            !part.is_empty() && !part.chars().any(|c| c.is_whitespace() || c.is_control())
        };
        let good = plain(name) && plain(domain) && text.len() <= 254;
        good.then_some(Email(text))
    }

    /// The address.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The members of all merchants; each change is one transaction.
pub struct Staff<'a> {
    store: &'a Store,
}

impl<'a> Staff<'a> {
    /// The members of this gateway.
    pub fn new(store: &'a Store) -> Staff<'a> {
        Staff { store }
    }

    /// Adds a member, with a new password that is shown only this once.
    pub async fn add(
        &self,
        actor: Actor<'_>,
        newcomer: NewMember,
        first_password: FirstPassword,
    ) -> Result<(Member, Password), StaffError> {
        let password = Password::generate()?;
        let must_change = first_password == FirstPassword::FirstUse;
        let member = self
            .add_with(actor, newcomer, &password, must_change)
            .await?;
        Ok((member, password))
    }

    /// Adds a member who logs in at a provider alone. Nobody knows their password.
    pub async fn add_without_password(
        &self,
        actor: Actor<'_>,
        newcomer: NewMember,
    ) -> Result<Member, StaffError> {
        self.add_with(actor, newcomer, &Password::generate()?, false)
            .await
    }

    async fn add_with(
        &self,
        actor: Actor<'_>,
        newcomer: NewMember,
        password: &Password,
        must_change: bool,
    ) -> Result<Member, StaffError> {
        let email = newcomer.email.0;
        let hash = self.hash(&email, password).await?;
        let member = Member {
            id: payframe_vault::random_token()?,
            merchant_id: newcomer.merchant_id,
            name: newcomer.name.0,
            email,
            role: newcomer.role,
            disabled: false,
            created_ms: actor.now_ms,
            must_change,
        };
        let mut change = self.change(&member).await?;
        if !merchants::is_there(&mut change, &member.merchant_id).await? {
            return Err(StaffError::NoMerchant);
        }
        if !members::add(&mut change, &member, &hash).await? {
            return Err(StaffError::Taken);
        }
        let entry = actor.entry(&member, Act::AddMember, member.role.label());
        audit::add(&mut change, &entry).await?;
        change.commit().await?;
        Ok(member)
    }

    /// Gives a member another role.
    pub async fn put_role(
        &self,
        actor: Actor<'_>,
        member: &Member,
        role: Role,
    ) -> Result<(), StaffError> {
        actor.refuse_own_account(member)?;
        let mut change = self.change(member).await?;
        members::put_role(&mut change, &member.id, role).await?;
        if members::administrators(&mut change, &member.merchant_id).await? == 0 {
            return Err(StaffError::LastAdministrator);
        }
        login_sessions::end_all(&mut change, &member.id).await?;
        audit::add(
            &mut change,
            &actor.entry(member, Act::ChangeRole, role.label()),
        )
        .await?;
        Ok(change.commit().await?)
    }

    /// Disables a member.
    pub async fn disable(&self, actor: Actor<'_>, member: &Member) -> Result<(), StaffError> {
        actor.refuse_own_account(member)?;
        let mut change = self.change(member).await?;
        members::disable(&mut change, &member.id).await?;
        // A command may do it, because it can also add a member.
        let is_members_act = matches!(actor.author, Author::Member { .. });
        if is_members_act && members::administrators(&mut change, &member.merchant_id).await? == 0 {
            return Err(StaffError::LastAdministrator);
        }
        login_sessions::end_all(&mut change, &member.id).await?;
        emergency_access::close(&mut change, &member.id, actor.now_ms).await?;
        audit::add(&mut change, &actor.entry(member, Act::DisableMember, "")).await?;
        Ok(change.commit().await?)
    }

    /// Enables a member again.
    pub async fn enable(&self, actor: Actor<'_>, member: &Member) -> Result<(), StaffError> {
        let mut change = self.change(member).await?;
        members::enable(&mut change, &member.id, actor.now_ms).await?;
        audit::add(&mut change, &actor.entry(member, Act::EnableMember, "")).await?;
        Ok(change.commit().await?)
    }

    /// Gives a member a new password that is shown only this once.
    pub async fn reset_password(
        &self,
        actor: Actor<'_>,
        member: &Member,
        providers: &LoginProviders,
    ) -> Result<Password, StaffError> {
        if providers.are_only_way_in(&member.merchant_id) {
            return Err(StaffError::NoPasswords);
        }
        // To change their own password, members give the current one.
        actor.refuse_own_account(member)?;
        let password = Password::generate()?;
        self.put_password(actor, member, &password, Act::ResetPassword)
            .await?;
        Ok(password)
    }

    /// Lets a member in for one log-in within the next hour, with a secret that is shown only this once, although their merchant's members
    /// log in at a provider alone: for the operator, while nobody can log in there. The second factor is asked for as ever.
    pub async fn open_emergency_access(
        &self,
        actor: Actor<'_>,
        member: &Member,
        providers: &LoginProviders,
    ) -> Result<Password, StaffError> {
        if !providers.are_only_way_in(&member.merchant_id) {
            return Err(StaffError::HasPasswords);
        }
        let secret = Password::generate()?;
        let hash = payframe_vault::hash(secret.expose());
        let until_ms = actor.now_ms + EMERGENCY_ACCESS_MS;
        let mut change = self.change(member).await?;
        emergency_access::close(&mut change, &member.id, actor.now_ms).await?;
        emergency_access::open(&mut change, &member.id, &hash, until_ms).await?;
        let entry = actor.entry(
            member,
            Act::OpenEmergencyAccess,
            "for one log-in, for an hour",
        );
        audit::add(&mut change, &entry).await?;
        change.commit().await?;
        Ok(secret)
    }

    /// Disables the members who did not log in for 90 days (PCI DSS 8.2.6), also the last administrator: a command enables them again.
    pub async fn disable_dormant(&self, now_ms: i64) -> Result<(), StaffError> {
        let since_ms = now_ms - DORMANT_MS;
        let dormant = members::dormant(&mut *self.store.read().await?, since_ms).await?;
        for member in dormant {
            let mut change = self.change(&member).await?;
            // They may have logged in meanwhile, or another process may have done it.
            let still = members::dormant(&mut change, since_ms).await?;
            if !still.iter().any(|other| other.id == member.id) {
                continue;
            }
            members::disable(&mut change, &member.id).await?;
            login_sessions::end_all(&mut change, &member.id).await?;
            let actor = Actor {
                author: Author::Gateway,
                now_ms,
            };
            let entry = actor.entry(&member, Act::DisableMember, "no log-in for 90 days");
            audit::add(&mut change, &entry).await?;
            change.commit().await?;
        }
        Ok(())
    }

    /// Stores the new password that the member chose. It must not be one of their last four.
    pub async fn change_password(
        &self,
        actor: Actor<'_>,
        member: &Member,
        password: &Password,
    ) -> Result<(), StaffError> {
        let last = members::last_passwords(&mut *self.store.read().await?, &member.id).await?;
        for kept in last {
            if password::matches(password.expose().to_owned(), Some(kept)).await {
                return Err(StaffError::FormerPassword);
            }
        }
        self.put_password(actor, member, password, Act::ChangePassword)
            .await
    }

    /// Ends all log-ins of another member.
    pub async fn end_log_ins(&self, actor: Actor<'_>, member: &Member) -> Result<(), StaffError> {
        actor.refuse_own_account(member)?;
        let mut change = self.change(member).await?;
        login_sessions::end_all(&mut change, &member.id).await?;
        audit::add(&mut change, &actor.entry(member, Act::EndLogIns, "all")).await?;
        Ok(change.commit().await?)
    }

    /// Removes a member's app, passkeys and recovery codes, so that they can set another second factor up.
    pub async fn reset_second_factor(
        &self,
        actor: Actor<'_>,
        member: &Member,
    ) -> Result<(), StaffError> {
        actor.refuse_own_account(member)?;
        let mut change = self.change(member).await?;
        if !second_factors::remove_all(&mut change, &member.id).await? {
            return Err(StaffError::NoSecondFactor);
        }
        login_sessions::end_all(&mut change, &member.id).await?;
        let entry = actor.entry(member, Act::ResetSecondFactor, "");
        audit::add(&mut change, &entry).await?;
        Ok(change.commit().await?)
    }

    /// Forgets a member's account at a log-in provider, so that another one can be bound at their next log-in there.
    pub async fn forget_provider_account(
        &self,
        actor: Actor<'_>,
        member: &Member,
    ) -> Result<(), StaffError> {
        actor.refuse_own_account(member)?;
        let mut change = self.change(member).await?;
        if !provider_accounts::forget(&mut change, &member.id).await? {
            return Err(StaffError::NoProviderAccount);
        }
        login_sessions::end_all(&mut change, &member.id).await?;
        let entry = actor.entry(member, Act::ForgetAccount, "");
        audit::add(&mut change, &entry).await?;
        Ok(change.commit().await?)
    }

    /// The hash of a password of the member with this address. Members of other merchants with the same address share its salt.
    async fn hash(&self, email: &str, password: &Password) -> Result<String, StaffError> {
        let others = members::by_email(&mut *self.store.read().await?, email).await?;
        let other = others.first().map(|(_, hash)| hash.as_str());
        Ok(password.hash(other).await?)
    }

    /// Begins a change of a member.
    async fn change(&self, member: &Member) -> Result<Write, StoreError> {
        let subject = Subject::Merchant(&member.merchant_id);
        self.store.write(subject).await
    }

    async fn put_password(
        &self,
        actor: Actor<'_>,
        member: &Member,
        password: &Password,
        act: Act,
    ) -> Result<(), StaffError> {
        let hash = self.hash(&member.email, password).await?;
        let mut change = self.change(member).await?;
        let new = NewPassword {
            hash: &hash,
            must_change: act == Act::ResetPassword,
            now_ms: actor.now_ms,
        };
        members::put_password(&mut change, &member.id, &new).await?;
        login_sessions::end_all(&mut change, &member.id).await?;
        audit::add(&mut change, &actor.entry(member, act, "")).await?;
        Ok(change.commit().await?)
    }
}

impl<'a> Actor<'a> {
    /// The member of a log-in, now.
    pub(crate) fn member(office: &BackOffice, login: &'a LoginSession) -> Actor<'a> {
        Actor {
            author: Author::Member {
                member_id: &login.member.id,
                address: login.address(),
            },
            now_ms: office.clock().now_ms(),
        }
    }

    fn refuse_own_account(&self, member: &Member) -> Result<(), StaffError> {
        match self.is(member) {
            true => Err(StaffError::Oneself),
            false => Ok(()),
        }
    }

    /// Whether the member makes the change.
    fn is(&self, member: &Member) -> bool {
        matches!(self.author, Author::Member { member_id, .. } if member_id == member.id)
    }

    fn entry<'b>(&'b self, member: &'b Member, act: Act, detail: &'b str) -> Entry<'b> {
        Entry {
            merchant_id: &member.merchant_id,
            author: self.author,
            at_ms: self.now_ms,
            act,
            subject: match self.is(member) {
                true => "",
                false => &member.email,
            },
            detail,
        }
    }
}

const EMERGENCY_ACCESS_MS: i64 = 3_600_000;
const DORMANT_MS: i64 = 90 * 86_400_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_name_at_a_place_in_lower_case() {
        for (text, expected) in [
            (" Anna@Shop.Example ", Some("anna@shop.example")),
            ("a@b", Some("a@b")),
            ("anna", None),
            ("@shop.example", None),
            ("anna@", None),
            ("an na@shop.example", None),
            ("anna@shop.example\r\nbcc: x@y", None),
        ] {
            let email = Email::parse(text);
            assert_eq!(email.as_ref().map(Email::as_str), expected, "{text}");
        }
        assert_eq!(Email::parse(&format!("{}@b", "a".repeat(253))), None);
    }

    #[test]
    fn a_name_is_one_line() {
        assert_eq!(
            Name::parse(" Anna Rossi "),
            Some(Name(String::from("Anna Rossi")))
        );
        for text in ["", "   ", "Anna\nRossi", &"x".repeat(81)] {
            assert_eq!(Name::parse(text), None, "{text}");
        }
    }
}
