//! Commands about members of the back office, who work there for a merchant. One of these commands adds the first administrator of a
//! merchant; the other members are added in the back office.

use super::{CommandContext, CommandError};
use crate::log_ins::login_providers;
use clap::{Args, Subcommand};
use payframe_back_office::staff::{Actor, Email, FirstPassword, Name, NewMember, Staff};
use payframe_payment_domain::back_office::Role;
use payframe_storage::audit::Author;
use payframe_storage::members::{self, Member};

/// What can be done with members of the back office.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum MembersCommand {
    /// Prints members: e-mail address, merchant, role, name.
    List,
    /// Adds a member and shows the password once. Members who log in at a log-in provider alone have none.
    Add {
        /// The id of the merchant that the member works for.
        merchant: String,
        /// The e-mail address that the member logs in with.
        email: String,
        /// One of viewer, operator and administrator.
        role: String,
        /// 1 to 80 characters.
        name: String,
    },
    /// Makes a new password and shows it once.
    Password(MemberName),
    /// Lets a member in once within an hour who otherwise logs in at a log-in provider alone, and shows once what to type as the password.
    EmergencyAccess(MemberName),
    /// Removes a member's app, passkeys and recovery codes, for a member who lost them.
    FactorReset(MemberName),
    /// Forgets a member's account at a log-in provider, for a member who has another account there now.
    AccountReset(MemberName),
    /// Disables a member at once.
    Disable(MemberName),
    /// Enables a disabled member.
    Enable(MemberName),
}

/// Which member a command is about.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct MemberName {
    /// The e-mail address that the member logs in with.
    email: String,
    /// The merchant's id, if members of several merchants have this address.
    #[arg(long)]
    merchant: Option<String>,
}

impl CommandContext<'_> {
    /// Carries out a subcommand of `members`.
    pub(super) async fn members(&self, command: MembersCommand) -> Result<String, CommandError> {
        let staff = Staff::new(&self.store);
        let actor = Actor {
            author: Author::Command {
                os_user: &self.os_user,
            },
            now_ms: self.now_ms,
        };
        match command {
            MembersCommand::List => {
                let mut connection = self.store.read().await?;
                Ok(listed(&members::all(&mut connection).await?))
            }
            MembersCommand::Add {
                merchant,
                email,
                role,
                name,
            } => {
                let newcomer = read(merchant, &email, &role, &name)?;
                let providers = login_providers(self.config)?;
                if providers.are_only_way_in(&newcomer.merchant_id) {
                    let member = staff.add_without_password(actor, newcomer).await?;
                    return Ok(format!(
                        "{} was added, and logs in at the log-in provider\n",
                        member.email
                    ));
                }
                let added = staff.add(actor, newcomer, FirstPassword::FirstUse);
                let (member, password) = added.await?;
                Ok(credentials_text(&member, password.expose()))
            }
            MembersCommand::Password(name) => {
                let member = self.member(&name).await?;
                let providers = login_providers(self.config)?;
                let password = staff.reset_password(actor, &member, &providers).await?;
                Ok(credentials_text(&member, password.expose()))
            }
            MembersCommand::EmergencyAccess(name) => {
                let member = self.member(&name).await?;
                let providers = login_providers(self.config)?;
                let secret = staff
                    .open_emergency_access(actor, &member, &providers)
                    .await?;
                Ok(format!(
                    "password of {} ({} of {}) for one log-in within an hour, shown this once:\n{}\n",
                    member.email,
                    member.role.label().to_lowercase(),
                    member.merchant_id,
                    secret.expose()
                ))
            }
            MembersCommand::FactorReset(name) => {
                let member = self.member(&name).await?;
                staff.reset_second_factor(actor, &member).await?;
                Ok(format!("{} has no second factor any more\n", name.email))
            }
            MembersCommand::AccountReset(name) => {
                let member = self.member(&name).await?;
                staff.forget_provider_account(actor, &member).await?;
                Ok(format!(
                    "{} has no account at a log-in provider any more\n",
                    name.email
                ))
            }
            MembersCommand::Disable(name) => {
                staff.disable(actor, &self.member(&name).await?).await?;
                Ok(format!("{} does not get in any more\n", name.email))
            }
            MembersCommand::Enable(name) => {
                staff.enable(actor, &self.member(&name).await?).await?;
                Ok(format!("{} gets in again\n", name.email))
            }
        }
    }

    async fn member(&self, name: &MemberName) -> Result<Member, CommandError> {
        let email = &name.email;
        let mut found = match Email::parse(email) {
            Some(email) => {
                members::by_email(&mut *self.store.read().await?, email.as_str()).await?
            }
            None => Vec::new(),
        };
        if let Some(merchant_id) = &name.merchant {
            found.retain(|(member, _)| member.merchant_id == *merchant_id);
        }
        match <[_; 1]>::try_from(found) {
            Ok([(member, _)]) => Ok(member),
            Err(none) if none.is_empty() => Err(CommandError::Member(format!(
                "there is no member {email}; `list` names them"
            ))),
            Err(several) => {
                let ids = several
                    .iter()
                    .map(|(member, _)| member.merchant_id.as_str());
                let ids = ids.collect::<Vec<_>>().join(", ");
                Err(CommandError::Member(format!(
                    "several merchants have a member {email}: add --merchant with one of {ids}"
                )))
            }
        }
    }
}

fn read(
    merchant_id: String,
    email: &str,
    role: &str,
    name: &str,
) -> Result<NewMember, CommandError> {
    let refused = |text: &str| CommandError::Member(text.to_owned());
    Ok(NewMember {
        merchant_id,
        email: Email::parse(email).ok_or_else(|| {
            refused("this is not an e-mail address; write one as in anna@shop.example")
        })?,
        role: Role::from_code(role)
            .ok_or_else(|| refused("the role is viewer, operator or administrator"))?,
        name: Name::parse(name).ok_or_else(|| refused("the name has 1 to 80 characters"))?,
    })
}

fn credentials_text(member: &Member, password: &str) -> String {
    format!(
        "password of {} ({} of {}), shown this once:\n{password}\n",
        member.email,
        member.role.label().to_lowercase(),
        member.merchant_id
    )
}

fn listed(members: &[Member]) -> String {
    let line = |member: &Member| {
        let shut_out = if member.disabled { "  (disabled)" } else { "" };
        format!(
            "{:<32}{:<16}{:<15}{}{shut_out}\n",
            member.email,
            member.merchant_id,
            member.role.label().to_lowercase(),
            member.name
        )
    };
    let mut text = format!(
        "{:<32}{:<16}{:<15}{}\n",
        "e-mail", "merchant", "role", "name"
    );
    text.extend(members.iter().map(line));
    text
}
