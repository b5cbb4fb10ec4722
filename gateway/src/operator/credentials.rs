//! The commands about the credentials between merchants' servers and the gateway: API keys, secrets that sign notifications,
//! and the terminal's own address for notifications.

use super::{CommandContext, CommandError, ended, must_exist};
use crate::config::Mode;
use clap::Subcommand;
use payframe_notifier::signature::belongs_to;
use payframe_payment_domain::back_office::Act;
use payframe_payment_domain::calendar::instant;
use payframe_payment_ports::Vault;
use payframe_payment_service::api_keys::{self, NewKey};
use payframe_payment_service::merchant_urls::public_url;
use payframe_storage::credentials::{self, Credential};
use payframe_storage::{Connection, StoreError, Subject, merchants};

/// What can be done with API keys.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum KeysCommand {
    /// Prints API keys: id, terminal, when it was made, when it ends.
    List,
    /// Makes a key and shows it once.
    New {
        /// The id of the terminal that uses it.
        terminal: String,
    },
    /// Makes a new key for the same terminal; the old one ends in 24 hours.
    Rotate {
        /// The old key's id, as `keys list` shows it.
        key_id: String,
    },
    /// Ends a key now.
    Revoke {
        /// The key's id, as `keys list` shows it.
        key_id: String,
    },
}

/// What can be done with secrets that notifications are signed with.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum SecretsCommand {
    /// Prints secrets: id, terminal, when it was made, when it ends.
    List,
    /// Makes a secret and shows it once; while two secrets are valid, both sign.
    New {
        /// The id of the terminal that uses it.
        terminal: String,
    },
    /// Ends a secret now.
    Revoke {
        /// The secret's id, as `secrets list` shows it.
        id: String,
    },
}

impl CommandContext<'_> {
    /// Carries out a subcommand of `keys`.
    pub(super) async fn keys(&self, command: KeysCommand) -> Result<String, CommandError> {
        match command {
            KeysCommand::List => {
                let mut connection = self.store.read().await?;
                Ok(listed(&credentials::keys(&mut connection).await?))
            }
            KeysCommand::New { terminal } => self.new_key(&terminal, None).await,
            KeysCommand::Rotate { key_id } => {
                let terminal_id = self.terminal_of(&key_id).await?;
                self.new_key(&terminal_id, Some(&key_id)).await
            }
            KeysCommand::Revoke { key_id } => {
                let terminal_id = self.terminal_of(&key_id).await?;
                let mut transaction = self.store.write(Subject::Gateway).await?;
                let there = credentials::end_key(&mut transaction, &key_id, self.now_ms).await?;
                if there {
                    let what = (key_id.as_str(), &*format!("terminal {terminal_id}"));
                    self.log(&mut transaction, &terminal_id, Act::RevokeKey, what)
                        .await?;
                }
                transaction.commit().await.map_err(StoreError::from)?;
                ended(&key_id, there)
            }
        }
    }

    /// Carries out a subcommand of `secrets`.
    pub(super) async fn secrets(&self, command: SecretsCommand) -> Result<String, CommandError> {
        match command {
            SecretsCommand::List => {
                let mut connection = self.store.read().await?;
                Ok(listed(&credentials::secrets(&mut connection).await?))
            }
            SecretsCommand::New { terminal } => self.new_secret(&terminal).await,
            SecretsCommand::Revoke { id } => {
                let secrets = credentials::secrets(&mut *self.store.read().await?).await?;
                let terminal_id = terminal_among(secrets, &id)?;
                let mut transaction = self.store.write(Subject::Gateway).await?;
                if self.config.mode == Mode::Production {
                    let valid =
                        credentials::valid_secrets(&mut transaction, &terminal_id, self.now_ms);
                    if valid.await?.iter().all(|(valid, _)| *valid == id) {
                        return Err(CommandError::Failed(format!(
                            "without {id} notifications of terminal {terminal_id} would not be signed: make another one first, by `secrets new {terminal_id}`"
                        )));
                    }
                }
                let there = credentials::end_secret(&mut transaction, &id, self.now_ms).await?;
                if there {
                    let what = (id.as_str(), &*format!("terminal {terminal_id}"));
                    self.log(&mut transaction, &terminal_id, Act::RevokeSecret, what)
                        .await?;
                }
                transaction.commit().await.map_err(StoreError::from)?;
                ended(&id, there)
            }
        }
    }

    /// Sets a terminal's own address for notifications.
    pub(super) async fn notify(
        &self,
        terminal_id: &str,
        url: &str,
    ) -> Result<String, CommandError> {
        let url = Some(url).filter(|url| *url != "none");
        if url.is_some_and(|url| !public_url(url, self.config.mode.allows_insecure_urls())) {
            return Err(CommandError::BadUrl);
        }
        let mut transaction = self.store.write(Subject::Gateway).await?;
        must_exist(&mut transaction, terminal_id).await?;
        merchants::put_notification_url(&mut transaction, terminal_id, url).await?;
        let detail = format!(
            "its own address for notifications: {}",
            url.unwrap_or("none")
        );
        self.log_terminal_change(&mut transaction, terminal_id, &detail)
            .await?;
        transaction.commit().await.map_err(StoreError::from)?;
        Ok(match url {
            Some(url) => format!(
                "notifications of terminal {terminal_id} about reservations, attacks and approvals are sent to {url}\n"
            ),
            None => {
                format!(
                    "no notifications of terminal {terminal_id} about reservations, attacks and approvals are sent\n"
                )
            }
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
        let terminal = format!("terminal {terminal_id}");
        match former {
            None => {
                let what = (made.id.as_str(), terminal.as_str());
                self.log(&mut transaction, terminal_id, Act::MakeKey, what)
                    .await?;
            }
            Some(former) => {
                let detail = format!("{terminal}, followed by {}", made.id);
                self.log(
                    &mut transaction,
                    terminal_id,
                    Act::RotateKey,
                    (former, &detail),
                )
                .await?;
            }
        }
        transaction.commit().await.map_err(StoreError::from)?;
        let NewKey { id, key } = made;
        Ok(format!(
            "key {id} of terminal {terminal_id}, shown this once:\n{key}\n{about_former}"
        ))
    }

    async fn new_secret(&self, terminal_id: &str) -> Result<String, CommandError> {
        let mut transaction = self.store.write(Subject::Gateway).await?;
        must_exist(&mut transaction, terminal_id).await?;
        let made = self.make_secret(&mut transaction, terminal_id).await?;
        transaction.commit().await.map_err(StoreError::from)?;
        Ok(made)
    }

    /// Makes a secret of a terminal in the caller's transaction, and returns what to print.
    pub(super) async fn make_secret(
        &self,
        connection: &mut Connection,
        terminal_id: &str,
    ) -> Result<String, CommandError> {
        let secret = payframe_vault::random_notification_secret()?;
        let id = payframe_vault::random_token()?[..12].to_owned();
        let encrypted = self.vault.encrypt(secret.as_bytes(), &belongs_to(&id))?;
        credentials::add_secret(connection, &id, terminal_id, &encrypted, self.now_ms).await?;
        let what = (id.as_str(), &*format!("terminal {terminal_id}"));
        self.log(connection, terminal_id, Act::MakeSecret, what)
            .await?;
        Ok(format!(
            "secret {id} of terminal {terminal_id}, shown this once:\n{secret}\n"
        ))
    }

    async fn terminal_of(&self, key_id: &str) -> Result<String, CommandError> {
        let mut connection = self.store.read().await?;
        terminal_among(credentials::keys(&mut connection).await?, key_id)
    }
}

/// The terminal of the key or secret with this id.
fn terminal_among(credentials: Vec<Credential>, id: &str) -> Result<String, CommandError> {
    let found = credentials
        .into_iter()
        .find(|credential| credential.id == id);
    found
        .map(|credential| credential.terminal_id)
        .ok_or_else(|| CommandError::NoCredential(id.to_owned()))
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
