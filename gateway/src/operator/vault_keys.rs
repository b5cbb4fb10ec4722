//! The commands about the keys that the vault encrypts with.

use super::{CommandContext, CommandError, log_of_each, os_user};
use crate::config::Config;
use crate::vault_source::{self, VaultSource};
use crate::{StartError, rotation};
use clap::Subcommand;
use payframe_payment_domain::back_office::Act;
use payframe_payment_domain::calendar::instant;
use payframe_payment_ports::Clock;
use payframe_pkcs11::{LogIn, Token};
use payframe_storage::encrypted_values::EncryptedColumn;
use payframe_storage::{Store, StoreError, Subject, vault_keys};
use payframe_vault::{KeyWrapping, new_key, wrapped};

/// What can be done with the vault's keys.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum VaultCommand {
    /// Prints the keys, and how many values each has encrypted.
    List,
    /// Puts a new key first in the key file; gateways encrypt with it within a second.
    Rotate,
    /// Encrypts again, with the current key, the values of other keys; gateways may run meanwhile.
    Reencrypt,
    /// Wraps every key of the key file with the key of the token (PAYFRAME_PKCS11_KEY), whether it was in clear or wrapped by another key.
    ///
    /// Keys that come from a setting or a command are printed wrapped.
    #[command(verbatim_doc_comment)]
    Wrap {
        /// Makes the key in the token first; it never leaves the token.
        #[arg(long)]
        make_key: bool,
    },
    /// Logs in to the token once, although a wrong PIN was given before: with the right one, gateways start again.
    LogIn,
    /// Ends a key with which no stored value is encrypted.
    Retire {
        /// The key's id, as `vault list` shows it.
        key_id: String,
    },
}

/// Carries out a subcommand of `vault`.
pub(super) async fn run(
    config: &Config,
    clock: &Clock,
    command: VaultCommand,
) -> Result<String, CommandError> {
    let context = || CommandContext::open(config, clock);
    match command {
        VaultCommand::List => context().await?.list_vault_keys().await,
        VaultCommand::Rotate => context().await?.rotate_vault_key().await,
        VaultCommand::Reencrypt => context().await?.reencrypt().await,
        VaultCommand::Retire { key_id } => context().await?.retire_vault_key(&key_id).await,
        VaultCommand::Wrap { make_key } => wrap(config, clock, make_key).await,
        VaultCommand::LogIn => {
            let token = token(config, LogIn::AfterWrongPin).await?;
            token.log_in().map_err(StartError::from)?;
            log_about_token(config, clock, Act::LogInVaultToken, token.name()).await?;
            Ok(String::from("logged in: the PIN is right\n"))
        }
    }
}

/// The token, which the command is about.
async fn token(config: &Config, log_in: LogIn) -> Result<Token, CommandError> {
    let token = vault_source::token(config, log_in).await?;
    token.ok_or_else(|| {
        CommandError::Failed(String::from(
            "there is no token: PAYFRAME_PKCS11_MODULE and the settings after it must be set",
        ))
    })
}

/// Wraps the keys before the vault is opened, which takes wrapped ones only.
async fn wrap(config: &Config, clock: &Clock, make_key: bool) -> Result<String, CommandError> {
    let token = token(config, LogIn::Careful).await?;
    if make_key {
        token.make_key().map_err(StartError::from)?;
    }
    let source = VaultSource::of(config, None).await?;
    if source.key.is_some() {
        let text = wrapped_settings(&source, &token)?;
        log_about_token(config, clock, Act::WrapVaultKeys, token.name()).await?;
        return Ok(text);
    }
    let count = source.file.wrap_all(&token)?;
    let name = token.name().to_owned();
    // The log-in of the token is the process's own: it ends before the next one.
    drop(token);
    let context = CommandContext::open(config, clock).await?;
    context.log_of_all(Act::WrapVaultKeys, &name).await?;
    let path = source.file.path().display();
    Ok(match count {
        0 => format!("{path} is made, with a key that {name} of the token wraps\n"),
        _ => format!(
            "{count} keys are wrapped by {name} of the token; end copies of {path} with keys in clear, or rotate: `vault rotate`\n"
        ),
    })
}

/// The keys of the settings, wrapped: the operator puts them where the others are.
fn wrapped_settings(source: &VaultSource, token: &Token) -> Result<String, CommandError> {
    let mut text = String::new();
    for key in source.key.iter().chain(&source.others) {
        text.push_str(&wrapped(key, token)?);
        text.push('\n');
    }
    Ok(text)
}

/// Records what was done with the token, where the vault may not open yet: entries need no key.
async fn log_about_token(
    config: &Config,
    clock: &Clock,
    act: Act,
    subject: &str,
) -> Result<(), CommandError> {
    crate::make_folder(&config.data).map_err(StartError::Folder)?;
    let store = Store::open(&config.storage()).await?;
    let mut change = store.write(Subject::Gateway).await?;
    let by = (&*os_user(), clock.real().now_ms());
    log_of_each(&mut change, by, act, subject).await?;
    Ok(change.commit().await.map_err(StoreError::from)?)
}

impl CommandContext<'_> {
    /// Lists the keys, and how many values each has encrypted.
    async fn list_vault_keys(&self) -> Result<String, CommandError> {
        let keyring = self.vault.keyring();
        let (counts, others) = rotation::counted(&self.store, keyring).await?;
        let known = vault_keys::all(&mut *self.store.read().await?).await?;
        let line = |id: &str, status: &str, values: &str, last: Option<i64>| {
            let last = last.map_or_else(|| String::from("-"), instant);
            format!("{id:<18}{status:<10}{values:<12}{last}\n")
        };
        let mut text = format!(
            "{:<18}{:<10}{:<12}{}\n",
            "id", "use", "values", "a gateway encrypted with it"
        );
        for count in &counts {
            let id = count.id.to_string();
            let row = known.iter().find(|row| row.id == id);
            let status = match row {
                _ if count.id == keyring.current() => "seals",
                Some(row) if row.retired_ms.is_some() => "retired",
                _ => "opens",
            };
            let last = row.and_then(|row| row.encrypting_ms);
            text.push_str(&line(&id, status, &count.values.to_string(), last));
        }
        let is_here = |id: &str| counts.iter().any(|count| count.id.to_string() == id);
        for row in known.iter().filter(|row| !is_here(&row.id)) {
            let status = match row.retired_ms {
                Some(_) => "retired",
                None => "missing",
            };
            text.push_str(&line(&row.id, status, "-", row.encrypting_ms));
        }
        if others > 0 {
            text.push_str(&format!(
                "{others} more: from before keys had ids, or of a key that is not here\n"
            ));
        }
        Ok(text)
    }

    /// Puts a new key first in the file.
    async fn rotate_vault_key(&self) -> Result<String, CommandError> {
        let keyring = self.vault.keyring();
        let Some(file) = keyring.file() else {
            return Err(CommandError::Failed(String::from(
                "the vault's keys come from PAYFRAME_VAULT_KEY: docs/operations.md says in which order to change it",
            )));
        };
        let key = new_key()?;
        file.put_new_first(&key)?;
        self.log_of_all(Act::RotateVaultKey, &key.id().to_string())
            .await?;
        Ok(format!(
            "{} seals from now on, {} opens what it has sealed; keep a copy of {}\n",
            key.id(),
            keyring.current(),
            file.path().display()
        ))
    }

    /// Encrypts again, with the current key, the values of other keys, and reports its progress on the standard error.
    async fn reencrypt(&self) -> Result<String, CommandError> {
        let keyring = self.vault.keyring();
        let (mut closed, mut anew) = (0, 0);
        for column in EncryptedColumn::ALL {
            let done = rotation::reencrypt(&self.store, keyring, column).await?;
            eprintln!("{}: {} re-encrypted", column.name(), done.anew);
            closed += done.closed;
            anew += done.anew;
        }
        if anew > 0 {
            self.log_of_all(Act::ReencryptVault, &keyring.current().to_string())
                .await?;
        }
        if closed > 0 {
            return Err(CommandError::Failed(format!(
                "{closed} values open with none of the keys: one is missing"
            )));
        }
        let (counts, others) = rotation::counted(&self.store, keyring).await?;
        let current = keyring.current();
        let is_other = |count: &&rotation::Count| count.id != current;
        match others
            + counts
                .iter()
                .filter(is_other)
                .map(|count| count.values)
                .sum::<i64>()
        {
            0 => Ok(format!("everything is encrypted with {current}\n")),
            left => Ok(format!(
                "{left} values were encrypted with another key meanwhile: once all gateways encrypt with {current}, do it again\n"
            )),
        }
    }

    /// Ends a key.
    async fn retire_vault_key(&self, id: &str) -> Result<String, CommandError> {
        let keyring = self.vault.keyring();
        let keys = keyring.keys();
        let found = keys
            .iter()
            .map(|key| key.id())
            .find(|key| key.to_string() == id);
        let Some(id) = found else {
            return Err(CommandError::NoVaultKey(id.to_owned()));
        };
        if let Err(why) = rotation::retire(&self.store, keyring, id, self.now_ms).await? {
            return Err(CommandError::Failed(format!("{id} is not retired: {why}")));
        }
        self.log_of_all(Act::RetireVaultKey, &id.to_string())
            .await?;
        let aside = match keyring.file() {
            Some(file) => file.set_aside(id)?,
            None => None,
        };
        Ok(match aside {
            Some(aside) => format!(
                "{id} is retired; it is in {} for back-ups from before\n",
                aside.display()
            ),
            None => format!(
                "{id} is retired; keep it with the back-ups from before, and take it out of PAYFRAME_VAULT_OLD_KEYS\n"
            ),
        })
    }
}
