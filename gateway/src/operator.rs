//! What the operator does by a command, beside a gateway that runs or not: API keys, notification secrets, and the keys that
//! card data is encrypted with.
//!
//! Members of the back office are in [`members`].
//!
//! A new key or secret is shown once and never again: of a key only a hash is kept, and a secret is kept sealed.
//! A running gateway heeds a change with the next call, because it asks the database each time.

mod backup;
mod fonts;
mod members;
mod migrate;
mod origins;
mod terminals;
mod vault_keys;

use crate::api_keys::{self, NewKey};
use crate::back_office::staff::StaffError;
use crate::config::Config;
use crate::payments::card_keys::CardKeys;
use crate::payments::error::PaymentError;
use crate::routes::public_url;
use crate::{StartError, open_books};
use payframe_notifier::signature::belongs_to;
use payframe_payment_domain::calendar::instant;
use payframe_payment_ports::Clock;
use payframe_storage::card_keys::{self, CardKeyRow};
use payframe_storage::credentials::{self, Credential};
use payframe_storage::{Connection, Store, StoreError, Subject, merchants};
use payframe_vault::Vault;

/// How to use the process.
pub const HELP: &str = "\
payframe-gateway                        serves; PAYFRAME_MODE has to be set: sandbox or production
                                        what else can be set by variables and a file is in docs/operations.md
payframe-gateway settings               all settings, with their defaults
payframe-gateway migrate                brings the tables up to date, and says what that took
payframe-gateway migrate --check        says what it would take, and fails where it is something
payframe-gateway backup FOLDER          copies the tables into a new folder, while the gateway serves
payframe-gateway merchant list          merchants: id, name
payframe-gateway merchant add ID NAME   a new one; NAME is what buyers read
payframe-gateway merchant rename ID NAME
payframe-gateway terminal list          terminals, with their settings
payframe-gateway terminal add ID MERCHANT [SETTING=VALUE ...]
                                        a new one; docs/operations.md has the settings
payframe-gateway terminal set ID SETTING=VALUE ...
payframe-gateway terminal origin list ID             origins of pages that may hold its forms
payframe-gateway terminal origin add ID ORIGIN       registers one, as in https://shop.example, and says how it is proven
payframe-gateway terminal origin verify ID ORIGIN    proves it: asks the origin for the file
payframe-gateway terminal origin remove ID ORIGIN    no new form is opened for it
payframe-gateway terminal font ID FILE  draws its forms in the font of a .ttf, .otf, .woff or .woff2 file; none: the system's
payframe-gateway keys list              API keys: id, terminal, made, ends
payframe-gateway keys new TERMINAL      makes a key and shows it this once
payframe-gateway keys rotate KEY-ID     makes a new key for the same terminal; the old one ends in 24 hours
payframe-gateway keys revoke KEY-ID     ends a key now
payframe-gateway secrets list           secrets that notifications are signed with
payframe-gateway secrets new TERMINAL   makes a secret and shows it this once; while two are valid both sign
payframe-gateway secrets revoke ID      ends a secret now
payframe-gateway notify TERMINAL URL    where reservations of a terminal are told of; none: nowhere
payframe-gateway card-keys list         keys that frames encrypt card data with
payframe-gateway card-keys rotate       makes a new one; forms that are open go on with the old one for a day
payframe-gateway card-keys revoke ID    ends a key now; forms that were opened with it have to be loaded anew
payframe-gateway vault list             the vault's keys, and how many values each has sealed
payframe-gateway vault rotate           puts a new key first in the key file; gateways seal with it within a second
payframe-gateway vault reseal           seals with the current key what others have sealed, while gateways serve
payframe-gateway vault retire KEY-ID    ends a key that has sealed nothing that is there
payframe-gateway members list           members of the back office: e-mail address, merchant, role, name
payframe-gateway members add MERCHANT EMAIL ROLE NAME   lets somebody in and shows their password this once;
                                        roles: viewer, operator, administrator
payframe-gateway members password EMAIL makes a new password and shows it this once
payframe-gateway members disable EMAIL  shuts somebody out at once
payframe-gateway members enable EMAIL   lets them in again
payframe-gateway reference              writes docs/api.md to the standard output
Commands read the gateway's settings, the mode with them; settings, reference and help need none.
";

/// Why a command was not carried out.
#[derive(Debug)]
pub enum CommandError {
    /// The words are no command.
    Unknown,
    /// There is no such terminal.
    NoTerminal(String),
    /// There is no such key or secret.
    NoCredential(String),
    /// There is no such key of the vault.
    NoVaultKey(String),
    /// The member can not be added or changed so; the sentence says why.
    Member(String),
    /// Notifications cannot go there.
    BadUrl,
    /// The database or the vault cannot be opened.
    Start(StartError),
    /// The database failed, or the system gave no randomness.
    Failed(String),
}

impl std::fmt::Display for CommandError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CommandError::Unknown => write!(f, "unknown command; there are:\n{HELP}"),
            CommandError::NoTerminal(id) => write!(f, "there is no terminal {id}"),
            CommandError::NoCredential(id) => {
                write!(f, "there is no key or secret {id}; `list` names them")
            }
            CommandError::NoVaultKey(id) => {
                write!(f, "the vault has no key {id}; `vault list` names them")
            }
            CommandError::BadUrl => f.write_str(
                "notifications go to an http or https URL of at most 2048 characters, on port 80 or 443",
            ),
            CommandError::Member(problem) => f.write_str(problem),
            CommandError::Start(problem) => problem.fmt(f),
            CommandError::Failed(problem) => f.write_str(problem),
        }
    }
}

impl std::error::Error for CommandError {}

impl From<StartError> for CommandError {
    fn from(problem: StartError) -> CommandError {
        CommandError::Start(problem)
    }
}

impl From<StoreError> for CommandError {
    fn from(problem: StoreError) -> CommandError {
        CommandError::Failed(problem.to_string())
    }
}

impl From<PaymentError> for CommandError {
    fn from(problem: PaymentError) -> CommandError {
        CommandError::Failed(problem.to_string())
    }
}

impl From<payframe_vault::VaultError> for CommandError {
    fn from(problem: payframe_vault::VaultError) -> CommandError {
        CommandError::Failed(problem.to_string())
    }
}

impl From<StaffError> for CommandError {
    fn from(problem: StaffError) -> CommandError {
        match problem {
            StaffError::Store(problem) => problem.into(),
            StaffError::Vault(problem) => problem.into(),
            refused => CommandError::Member(refused.sentence()),
        }
    }
}

/// Carries a command out and answers what to print.
pub async fn command(
    config: &Config,
    clock: &Clock,
    words: &[&str],
) -> Result<String, CommandError> {
    // Before anything is opened: a slip of the pen must not make a database.
    let known = matches!(
        words,
        ["keys" | "secrets", "list"]
            | ["keys" | "secrets", "new" | "revoke", _]
            | ["keys", "rotate", _]
            | ["card-keys", "list" | "rotate"]
            | ["card-keys", "revoke", _]
            | ["notify", _, _]
            | ["backup", _]
            | ["migrate"]
            | ["migrate", "--check"]
            | ["merchant" | "terminal", "list"]
            | ["merchant", "add" | "rename", _, _]
            | ["terminal", "add", _, _, ..]
            | ["terminal", "set", _, _, ..]
            | ["terminal", "font", _, _]
            | ["terminal", "origin", "list", _]
            | ["terminal", "origin", "add" | "verify" | "remove", _, _]
            | ["vault", "list" | "rotate" | "reseal"]
            | ["vault", "retire", _]
            | ["members", "list"]
            | ["members", "password" | "disable" | "enable", _]
            | ["members", "add", _, _, _, _]
    );
    if !known {
        return Err(CommandError::Unknown);
    }
    match words {
        ["backup", folder] => return backup::run(config, folder).await,
        ["migrate"] => return migrate::run(config).await,
        ["migrate", "--check"] => return migrate::check(config).await,
        _ => {}
    }
    let context = CommandContext::open(config, clock).await?;
    match words {
        ["keys", "list"] => {
            let mut connection = context.store.read().await?;
            Ok(listed(&credentials::keys(&mut connection).await?))
        }
        ["secrets", "list"] => {
            let mut connection = context.store.read().await?;
            Ok(listed(&credentials::secrets(&mut connection).await?))
        }
        ["notify", terminal_id, url] => context.notify(config, terminal_id, url).await,
        ["card-keys", "list"] => {
            let mut connection = context.store.read().await?;
            Ok(listed_card_keys(&card_keys::all(&mut connection).await?))
        }
        ["card-keys", "rotate"] => {
            context.replace_card_key(config, clock).await?;
            Ok(String::from("frames encrypt with a new key from now on\n"))
        }
        ["card-keys", "revoke", id] => context.revoke_card_key(config, clock, id).await,
        ["merchant", words @ ..] => context.merchant(words).await,
        ["terminal", "font", terminal_id, path] => context.font(terminal_id, path).await,
        ["terminal", "origin", words @ ..] => context.origin(config, words).await,
        ["terminal", words @ ..] => context.terminal(words).await,
        ["vault", "list"] => context.vault_keys().await,
        ["vault", "rotate"] => context.rotate_vault_key(),
        ["vault", "reseal"] => context.reseal().await,
        ["vault", "retire", id] => context.retire_vault_key(id).await,
        ["members", words @ ..] => context.members(words).await,
        ["keys", "new", terminal_id] => context.new_key(terminal_id, None).await,
        ["keys", "rotate", id] => {
            let terminal_id = context.terminal_of(id).await?;
            context.new_key(&terminal_id, Some(id)).await
        }
        ["keys", "revoke", id] => {
            let mut transaction = context.store.write(Subject::Gateway).await?;
            let there = credentials::end_key(&mut transaction, id, context.now_ms).await?;
            transaction.commit().await.map_err(StoreError::from)?;
            ended(id, there)
        }
        ["secrets", "new", terminal_id] => context.new_secret(terminal_id).await,
        ["secrets", "revoke", id] => {
            let mut transaction = context.store.write(Subject::Gateway).await?;
            let there = credentials::end_secret(&mut transaction, id, context.now_ms).await?;
            transaction.commit().await.map_err(StoreError::from)?;
            ended(id, there)
        }
        _ => Err(CommandError::Unknown),
    }
}

/// What commands work with.
struct CommandContext {
    store: Store,
    vault: Vault,
    now_ms: i64,
}

impl CommandContext {
    async fn open(config: &Config, clock: &Clock) -> Result<CommandContext, CommandError> {
        // With terminals, also where no gateway has ever run.
        let (store, vault) = open_books(config).await?;
        Ok(CommandContext {
            store,
            vault,
            now_ms: clock.now_ms(),
        })
    }

    async fn new_key(
        &self,
        terminal_id: &str,
        former: Option<&str>,
    ) -> Result<String, CommandError> {
        let mut transaction = self.store.write(Subject::Gateway).await?;
        must_exist(&mut transaction, terminal_id).await?;
        let vault = &self.vault;
        let (made, about_former) = match former {
            None => {
                let made = api_keys::make(&mut transaction, vault, terminal_id, self.now_ms);
                (made.await?, String::new())
            }
            Some(former) => {
                let now_ms = self.now_ms;
                let made = api_keys::follow(&mut transaction, vault, former, terminal_id, now_ms);
                let (made, ends_ms) = made.await?;
                let about = format!("{former} ends at the latest at {}\n", instant(ends_ms));
                (made, about)
            }
        };
        transaction.commit().await.map_err(StoreError::from)?;
        let NewKey { id, key } = made;
        Ok(format!(
            "key {id} of terminal {terminal_id}, shown this once:\n{key}\n{about_former}"
        ))
    }

    async fn new_secret(&self, terminal_id: &str) -> Result<String, CommandError> {
        let secret = payframe_vault::random_secret()?;
        let id = payframe_vault::random_token()?[..12].to_owned();
        let sealed = self.vault.seal(secret.as_bytes(), &belongs_to(&id))?;
        let mut transaction = self.store.write(Subject::Gateway).await?;
        must_exist(&mut transaction, terminal_id).await?;
        credentials::add_secret(&mut transaction, &id, terminal_id, &sealed, self.now_ms).await?;
        transaction.commit().await.map_err(StoreError::from)?;
        Ok(format!(
            "secret {id} of terminal {terminal_id}, shown this once:\n{secret}\n"
        ))
    }

    async fn notify(
        &self,
        config: &Config,
        terminal_id: &str,
        url: &str,
    ) -> Result<String, CommandError> {
        let url = Some(url).filter(|url| *url != "none");
        if url.is_some_and(|url| !public_url(url, config.mode.allows_insecure_urls())) {
            return Err(CommandError::BadUrl);
        }
        let mut transaction = self.store.write(Subject::Gateway).await?;
        must_exist(&mut transaction, terminal_id).await?;
        merchants::put_notification_url(&mut transaction, terminal_id, url).await?;
        transaction.commit().await.map_err(StoreError::from)?;
        Ok(match url {
            Some(url) => format!("reservations of terminal {terminal_id} are told of at {url}\n"),
            None => format!("reservations of terminal {terminal_id} are told of nowhere\n"),
        })
    }

    async fn replace_card_key(&self, config: &Config, clock: &Clock) -> Result<(), CommandError> {
        let current = card_keys::current(&mut *self.store.read().await?).await?;
        CardKeys::new(&self.store, &self.vault, clock, config)
            .replace(current.as_ref())
            .await?;
        Ok(())
    }

    async fn revoke_card_key(
        &self,
        config: &Config,
        clock: &Clock,
        id: &str,
    ) -> Result<String, CommandError> {
        let current = card_keys::current(&mut *self.store.read().await?).await?;
        if current.is_some_and(|current| current.id == id) {
            self.replace_card_key(config, clock).await?;
        }
        let mut transaction = self.store.write(Subject::Gateway).await?;
        let there = card_keys::delete(&mut transaction, id).await?;
        transaction.commit().await.map_err(StoreError::from)?;
        ended(id, there)
    }

    async fn terminal_of(&self, key_id: &str) -> Result<String, CommandError> {
        let mut connection = self.store.read().await?;
        let keys = credentials::keys(&mut connection).await?;
        let found = keys.into_iter().find(|key| key.id == key_id);
        found
            .map(|key| key.terminal_id)
            .ok_or_else(|| CommandError::NoCredential(key_id.to_owned()))
    }
}

async fn must_exist(connection: &mut Connection, terminal_id: &str) -> Result<(), CommandError> {
    match merchants::terminal(connection, terminal_id).await {
        Ok(_) => Ok(()),
        Err(StoreError::Unreadable("terminal")) => {
            Err(CommandError::NoTerminal(terminal_id.to_owned()))
        }
        Err(problem) => Err(problem.into()),
    }
}

fn ended(id: &str, there: bool) -> Result<String, CommandError> {
    if there {
        Ok(format!("{id} has ended\n"))
    } else {
        Err(CommandError::NoCredential(id.to_owned()))
    }
}

fn listed(credentials: &[Credential]) -> String {
    let line = |credential: &Credential| {
        let made = match credential.created_ms {
            0 => String::from("from the start"),
            ms => instant(ms),
        };
        let ends = credential
            .ends_ms
            .map_or_else(|| String::from("-"), instant);
        format!(
            "{:<14}{:<12}{made:<26}{ends}\n",
            credential.id, credential.terminal_id
        )
    };
    let mut text = format!("{:<14}{:<12}{:<26}{}\n", "id", "terminal", "made", "ends");
    text.extend(credentials.iter().map(line));
    text
}

fn listed_card_keys(keys: &[CardKeyRow]) -> String {
    let line = |key: &CardKeyRow| {
        let ends = key.ends_ms.map_or_else(|| String::from("-"), instant);
        format!("{:<18}{:<26}{ends}\n", key.id, instant(key.created_ms))
    };
    let mut text = format!("{:<18}{:<26}{}\n", "id", "made", "ends");
    text.extend(keys.iter().map(line));
    text
}
