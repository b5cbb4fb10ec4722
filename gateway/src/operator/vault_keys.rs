//! The commands about the keys that the vault encrypts with.

use super::{CommandContext, CommandError};
use crate::rotation;
use clap::Subcommand;
use payframe_payment_domain::back_office::Act;
use payframe_payment_domain::calendar::instant;
use payframe_storage::encrypted_values::EncryptedColumn;
use payframe_storage::vault_keys;
use payframe_vault::{new_key, put_new_first, set_aside};

/// What can be done with the vault's keys.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum VaultCommand {
    /// Prints the keys, and how many values each has encrypted.
    List,
    /// Puts a new key first in the key file; gateways encrypt with it within a second.
    Rotate,
    /// Encrypts again, with the current key, the values of other keys; gateways may run meanwhile.
    Reencrypt,
    /// Ends a key with which no stored value is encrypted.
    Retire {
        /// The key's id, as `vault list` shows it.
        key_id: String,
    },
}

impl CommandContext<'_> {
    /// Carries out a subcommand of `vault`.
    pub(super) async fn vault_keys(&self, command: VaultCommand) -> Result<String, CommandError> {
        match command {
            VaultCommand::List => self.list_vault_keys().await,
            VaultCommand::Rotate => self.rotate_vault_key().await,
            VaultCommand::Reencrypt => self.reencrypt().await,
            VaultCommand::Retire { key_id } => self.retire_vault_key(&key_id).await,
        }
    }

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
        put_new_first(file, &key)?;
        self.log_of_all(Act::RotateVaultKey, &key.id().to_string())
            .await?;
        Ok(format!(
            "{} seals from now on, {} opens what it has sealed; keep a copy of {}\n",
            key.id(),
            keyring.current(),
            file.display()
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
            Some(file) => set_aside(file, id)?,
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
