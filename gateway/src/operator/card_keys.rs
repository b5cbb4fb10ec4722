//! The commands about the keys that frames encrypt card data with.

use super::{CommandContext, CommandError, ended};
use clap::Subcommand;
use payframe_payment_domain::back_office::Act;
use payframe_payment_domain::calendar::instant;
use payframe_payment_service::card_keys::CardKeys;
use payframe_storage::card_keys::{self, CardKeyRow};
use payframe_storage::{StoreError, Subject};

/// What can be done with the keys that frames encrypt card data with.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum CardKeysCommand {
    /// Prints the keys: id, when it was made, when it ends.
    List,
    /// Makes a new key; open forms can use the old key for one more day.
    Rotate,
    /// Ends a key now; forms that were opened with it have to be loaded again.
    Revoke {
        /// The key's id, as `card-keys list` shows it.
        id: String,
    },
}

impl CommandContext<'_> {
    /// Carries out a subcommand of `card-keys`.
    pub(super) async fn card_keys(&self, command: CardKeysCommand) -> Result<String, CommandError> {
        match command {
            CardKeysCommand::List => {
                let mut connection = self.store.read().await?;
                Ok(listed(&card_keys::all(&mut connection).await?))
            }
            CardKeysCommand::Rotate => {
                let key_id = self.replace_card_key().await?;
                self.log_of_all(Act::RotateCardKey, &key_id).await?;
                Ok(String::from("frames encrypt with a new key from now on\n"))
            }
            CardKeysCommand::Revoke { id } => self.revoke_card_key(&id).await,
        }
    }

    /// Makes a new key, and returns its id.
    async fn replace_card_key(&self) -> Result<String, CommandError> {
        let current = card_keys::current(&mut *self.store.read().await?).await?;
        CardKeys::new(
            &self.store,
            &self.vault,
            &self.clock.real(),
            &self.config.for_payments(),
        )
        .replace(current.as_ref())
        .await?;
        let current = card_keys::current(&mut *self.store.read().await?).await?;
        Ok(current.map(|current| current.id).unwrap_or_default())
    }

    async fn revoke_card_key(&self, id: &str) -> Result<String, CommandError> {
        let current = card_keys::current(&mut *self.store.read().await?).await?;
        if current.is_some_and(|current| current.id == id) {
            self.replace_card_key().await?;
        }
        let mut transaction = self.store.write(Subject::Gateway).await?;
        let there = card_keys::delete(&mut transaction, id).await?;
        if there {
            self.log_of_each(&mut transaction, Act::RevokeCardKey, id)
                .await?;
        }
        transaction.commit().await.map_err(StoreError::from)?;
        ended(id, there)
    }
}

fn listed(keys: &[CardKeyRow]) -> String {
    let line = |key: &CardKeyRow| {
        let ends = key.ends_ms.map_or_else(|| String::from("-"), instant);
        format!("{:<18}{:<26}{ends}\n", key.id, instant(key.created_ms))
    };
    let mut text = format!("{:<18}{:<26}{}\n", "id", "made", "ends");
    text.extend(keys.iter().map(line));
    text
}
