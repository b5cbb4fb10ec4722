//! Commands about members of the back office, who work there for a merchant. One of these commands adds the first administrator of a
//! merchant; the other members are added in the back office.

use super::{CommandContext, CommandError};
use clap::Subcommand;
use payframe_back_office::staff::{Actor, Email, FirstPassword, Name, NewMember, Staff};
use payframe_payment_domain::back_office::Role;
use payframe_storage::members::{self, Member};

/// What can be done with members of the back office.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum MembersCommand {
    /// Prints members: e-mail address, merchant, role, name.
    List,
    /// Adds a member and shows the password once.
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
    Password {
        /// The e-mail address that the member logs in with.
        email: String,
    },
    /// Removes a member's second factor, for a member who lost it.
    FactorReset {
        /// The e-mail address that the member logs in with.
        email: String,
    },
    /// Disables a member at once.
    Disable {
        /// The e-mail address that the member logs in with.
        email: String,
    },
    /// Enables a disabled member.
    Enable {
        /// The e-mail address that the member logs in with.
        email: String,
    },
}

impl CommandContext<'_> {
    /// Carries out a subcommand of `members`.
    pub(super) async fn members(&self, command: MembersCommand) -> Result<String, CommandError> {
        let staff = Staff::new(&self.store);
        let actor = Actor {
            member: None,
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
                let (member, password) = staff.add(actor, newcomer).await?;
                Ok(credentials_text(&member, password.expose()))
            }
            MembersCommand::Password { email } => {
                let member = self.member(&email).await?;
                let password = staff.reset_password(actor, &member).await?;
                Ok(credentials_text(&member, password.expose()))
            }
            MembersCommand::FactorReset { email } => {
                let member = self.member(&email).await?;
                staff.reset_second_factor(actor, &member).await?;
                Ok(format!("{email} has no second factor any more\n"))
            }
            MembersCommand::Disable { email } => {
                staff.disable(actor, &self.member(&email).await?).await?;
                Ok(format!("{email} does not get in any more\n"))
            }
            MembersCommand::Enable { email } => {
                staff.enable(actor, &self.member(&email).await?).await?;
                Ok(format!("{email} gets in again\n"))
            }
        }
    }

    async fn member(&self, email: &str) -> Result<Member, CommandError> {
        let found = match Email::parse(email) {
            Some(email) => {
                members::by_email(&mut *self.store.read().await?, email.as_str()).await?
            }
            None => None,
        };
        let (member, _) = found.ok_or_else(|| {
            CommandError::Member(format!("there is no member {email}; `list` names them"))
        })?;
        Ok(member)
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
        first_password: FirstPassword::FirstUse,
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
