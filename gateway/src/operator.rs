//! The operator's commands, which work whether a gateway runs or not: API keys, notification secrets, and the keys that
//! card data is encrypted with.
//!
//! Members of the back office are in [`members`].
//!
//! A new key or secret is shown only once: of a key only a hash is stored, and a secret is stored encrypted.
//! A running gateway applies a change with the next call, because it asks the database each time.

mod audit_log;
mod backup;
mod card_keys;
mod command_line;
mod credentials;
mod disputes;
mod events;
mod fonts;
mod members;
mod migrate;
mod origins;
mod os_user;
mod privacy;
mod reconcile;
mod settlement;
mod terminals;
mod vault_keys;

pub use command_line::{CommandLine, DemoOptions, GatewayCommand, HealthQuestion, OperatorCommand};
pub use os_user::os_user;

use crate::config::Config;
use crate::{StartError, modes, open_database};
use payframe_back_office::staff::StaffError;
use payframe_payment_domain::back_office::Act;
use payframe_payment_ports::Clock;
use payframe_payment_ports::vault::VaultError;
use payframe_payment_service::PaymentError;
use payframe_storage::audit::{self, Author, Entry};
use payframe_storage::{Connection, Store, StoreError, Subject, merchants};
use payframe_vault::{self, KeyringVault};
use thiserror::Error;

/// Why a command was not carried out.
#[derive(Debug, Error)]
pub enum CommandError {
    /// The words are not a command.
    #[error(transparent)]
    Usage(#[from] clap::Error),
    /// There is no such terminal.
    #[error("there is no terminal {0}")]
    NoTerminal(String),
    /// There is no such key or secret.
    #[error("there is no key or secret {0}; `list` names them")]
    NoCredential(String),
    /// There is no such key of the vault.
    #[error("the vault has no key {0}; `vault list` names them")]
    NoVaultKey(String),
    /// The member cannot be added or changed; the sentence says why.
    #[error("{0}")]
    Member(String),
    /// Notifications cannot go there.
    #[error("notifications go to an https URL of at most 2048 characters, on port 443")]
    BadUrl,
    /// The database or the vault cannot be opened.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The books of orders differ. The report is for the standard output.
    #[error("the books differ: {count}")]
    Differences {
        /// Each difference.
        report: String,
        /// How many there are.
        count: usize,
    },
    /// The audit log is not as it was written; the sentence says where.
    #[error("the audit log is broken: {0}")]
    AuditLogBroken(String),
    /// It cannot be done, or the system gave no random bytes; the sentence says why.
    #[error("{0}")]
    Failed(String),
}

impl From<PaymentError> for CommandError {
    fn from(problem: PaymentError) -> CommandError {
        CommandError::Failed(problem.to_string())
    }
}

impl From<payframe_vault::KeyringError> for CommandError {
    fn from(problem: payframe_vault::KeyringError) -> CommandError {
        CommandError::Failed(problem.to_string())
    }
}

impl From<VaultError> for CommandError {
    fn from(problem: VaultError) -> CommandError {
        CommandError::Failed(problem.to_string())
    }
}

impl From<StaffError> for CommandError {
    fn from(problem: StaffError) -> CommandError {
        match problem {
            StaffError::Store(problem) => problem.into(),
            StaffError::Vault(problem) => problem.into(),
            refused => CommandError::Member(refused.to_string()),
        }
    }
}

/// Reads a command from the command line, carries it out, and returns what to print. If the text is not a command, no database is opened.
pub async fn command(
    config: &Config,
    clock: &Clock,
    words: &[&str],
) -> Result<String, CommandError> {
    // Boxed: the futures of all commands together are large.
    Box::pin(run(config, clock, OperatorCommand::read(words)?)).await
}

/// Carries out a command and returns what to print.
pub async fn run(
    config: &Config,
    clock: &Clock,
    command: OperatorCommand,
) -> Result<String, CommandError> {
    let context = || CommandContext::open(config, clock);
    match command {
        OperatorCommand::Migrate { check: true } => migrate::check(config).await,
        OperatorCommand::Migrate { check: false } => migrate::run(config).await,
        OperatorCommand::Backup { folder } => backup::run(config, &folder).await,
        OperatorCommand::Merchant(command) => context().await?.merchant(command).await,
        OperatorCommand::Terminal(command) => context().await?.terminal(command).await,
        OperatorCommand::Keys(command) => context().await?.keys(command).await,
        OperatorCommand::Secrets(command) => context().await?.secrets(command).await,
        OperatorCommand::Notify { terminal, url } => context().await?.notify(&terminal, &url).await,
        OperatorCommand::CardKeys(command) => context().await?.card_keys(command).await,
        OperatorCommand::Vault(command) => vault_keys::run(config, clock, command).await,
        OperatorCommand::Events(command) => context().await?.events(command).await,
        // On the heap: the stacks of threads are too small for every command's own needs.
        OperatorCommand::Dispute(command) => {
            Box::pin(async { context().await?.dispute(command).await }).await
        }
        OperatorCommand::Reconcile(asked) => context().await?.reconcile(asked).await,
        OperatorCommand::Settlement(command) => context().await?.settlement(command).await,
        OperatorCommand::Privacy(command) => {
            Box::pin(async { context().await?.privacy(command).await }).await
        }
        OperatorCommand::Members(command) => context().await?.members(command).await,
        OperatorCommand::Audit(command) => context().await?.audit(command).await,
    }
}

/// What commands need.
struct CommandContext<'a> {
    config: &'a Config,
    /// The time of payments.
    clock: Clock,
    store: Store,
    vault: KeyringVault,
    /// The real time.
    now_ms: i64,
    /// Who gave the command, for the audit log.
    os_user: String,
}

impl CommandContext<'_> {
    async fn open<'a>(
        config: &'a Config,
        clock: &Clock,
    ) -> Result<CommandContext<'a>, CommandError> {
        // This also adds a sandbox's terminals, if no gateway has run before.
        let (store, vault) = open_database(config).await?;
        let clock = clock.real();
        modes::follow_test_clock(config.mode, &store, &clock).await?;
        Ok(CommandContext {
            config,
            store,
            vault,
            now_ms: clock.real().now_ms(),
            os_user: os_user(),
            clock,
        })
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

impl CommandContext<'_> {
    /// Tells the gateways that run of a notification that a command has written. Only a hint: the command is done, and they also look by
    /// themselves.
    async fn tell_gateways_of_outbox(&self) {
        if let Err(problem) = self.store.tell_outbox_filled().await {
            tracing::debug!(%problem, "gateways are not told of a notification");
        }
    }

    /// Records a command in the audit log of a terminal's merchant.
    async fn log(
        &self,
        change: &mut Connection,
        terminal_id: &str,
        act: Act,
        (subject, detail): (&str, &str),
    ) -> Result<(), CommandError> {
        let terminal = merchants::terminal(change, terminal_id).await?;
        self.log_of(change, &terminal.merchant_id, act, (subject, detail))
            .await
    }

    /// Records what has changed about a terminal, in the audit log of its merchant.
    async fn log_terminal_change(
        &self,
        change: &mut Connection,
        terminal_id: &str,
        detail: &str,
    ) -> Result<(), CommandError> {
        let what = (terminal_id, detail);
        self.log(change, terminal_id, Act::ChangeTerminal, what)
            .await
    }

    /// Records a command in the audit log of a merchant.
    async fn log_of(
        &self,
        change: &mut Connection,
        merchant_id: &str,
        act: Act,
        (subject, detail): (&str, &str),
    ) -> Result<(), CommandError> {
        let entry = entry(
            &self.os_user,
            self.now_ms,
            merchant_id,
            act,
            (subject, detail),
        );
        Ok(audit::add(change, &entry).await?)
    }

    /// Records a command about what belongs to all merchants, in the audit log of each.
    async fn log_of_each(
        &self,
        change: &mut Connection,
        act: Act,
        subject: &str,
    ) -> Result<(), CommandError> {
        log_of_each(change, (&self.os_user, self.now_ms), act, subject).await
    }

    /// The same in a transaction of its own, for what was changed outside the tables or in several transactions.
    async fn log_of_all(&self, act: Act, subject: &str) -> Result<(), CommandError> {
        let mut change = self.store.write(Subject::Gateway).await?;
        self.log_of_each(&mut change, act, subject).await?;
        Ok(change.commit().await.map_err(StoreError::from)?)
    }
}

/// Records what a user of the system did at this time, in the audit log of each merchant.
async fn log_of_each(
    change: &mut Connection,
    (os_user, at_ms): (&str, i64),
    act: Act,
    subject: &str,
) -> Result<(), CommandError> {
    for (merchant_id, _) in merchants::all(change).await? {
        let entry = entry(os_user, at_ms, &merchant_id, act, (subject, ""));
        audit::add(change, &entry).await?;
    }
    Ok(())
}

fn entry<'a>(
    os_user: &'a str,
    at_ms: i64,
    merchant_id: &'a str,
    act: Act,
    (subject, detail): (&'a str, &'a str),
) -> Entry<'a> {
    Entry {
        merchant_id,
        author: Author::Command { os_user },
        at_ms,
        act,
        subject,
        detail,
    }
}

fn ended(id: &str, there: bool) -> Result<String, CommandError> {
    if there {
        Ok(format!("{id} has ended\n"))
    } else {
        Err(CommandError::NoCredential(id.to_owned()))
    }
}
