//! The database: all SQL of payments is in this crate.
//!
//! A [`Store`] provides connections and changes. Each file has the queries and changes of one kind of object, as functions on a
//! connection. Related changes are written in one [`Store::write`], and no other change of the same subject runs at the same time
//! ([`database`]). Rows contain no secret in clear text (see the migrations). This crate makes no decisions: the rules are in
//! `payframe_payment_domain`.
//!
//! Each statement is written once, for SQLite and for PostgreSQL ([`statement`]).

pub mod acceptances;
pub mod acquirer_choices;
pub mod answers;
#[cfg(test)]
mod asked;
pub mod audit;
pub mod audit_chain;
mod audit_content;
pub mod backup;
mod beginning;
pub mod books;
pub mod buyers;
pub mod call_rates;
pub mod card_keys;
pub mod card_refusals;
pub mod card_tries;
pub mod card_try_reviews;
pub mod cards;
mod connection;
pub mod contracts;
pub mod credentials;
pub mod database;
pub mod day_sums;
pub mod delivery_queue;
pub mod dispute_files;
pub mod disputes;
pub mod due_times;
pub mod emergency_access;
pub mod encrypted_values;
pub mod erasure;
pub mod events;
mod execution;
pub mod external_3ds;
mod few_orders;
pub mod fonts;
pub mod fulfilments;
pub mod hosted_pages;
mod hosts;
pub mod iso8583_exchanges;
mod joined;
pub mod known_networks;
pub mod ledger;
pub mod legal_texts;
mod list_page;
mod lock_order;
pub mod login_sessions;
pub mod members;
pub mod merchants;
pub mod meter;
pub mod mode;
pub mod operations;
pub mod order_list;
#[cfg(test)]
mod order_status;
pub mod order_warnings;
pub mod orders;
pub mod origins;
pub mod outbox;
#[cfg(test)]
mod own_server;
pub mod page_watch;
mod passing;
pub mod passkeys;
pub mod peers;
pub mod planned_disputes;
#[cfg(test)]
mod plans;
pub mod provider_accounts;
pub mod provider_logouts;
mod readers;
pub mod refund_requests;
mod remnants;
pub mod reservations;
pub mod retention;
mod row;
#[cfg(test)]
mod searches_by_card;
pub mod second_factors;
mod server;
pub mod session_pages;
pub mod sessions;
pub mod settlements;
pub mod state_document;
mod statement;
pub mod statistics;
pub mod stopped_tries;
pub mod structures;
mod subject;
#[cfg(test)]
mod summed_days;
pub mod terminal_attacks;
pub mod test_clock;
pub mod three_ds_authentications;
pub mod vault_keys;
pub mod wallet_tokens;
mod writer;

pub use connection::{Connection, QueuedStatement};
pub use database::{Database, Read, StorageSettings, Tables, Write};
pub use hosts::is_server_address;
pub use list_page::{RowPlace, cut_page};
pub use passing::is_passing;
use payframe_payment_domain::method::Method;
pub use row::{Column, Row};
use sqlx::migrate::Migrator;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, SqlitePool};
pub use statement::{Scalar, Statement, Value, query, query_scalar};
use std::path::Path;
use std::time::Duration;
pub use subject::Subject;

/// The gateway's database.
#[derive(Clone, Debug)]
pub struct Store(Database);

/// Why the database gave no result.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database failed.
    #[error("database: {0}")]
    Database(#[from] sqlx::Error),
    /// A row cannot be read: another program wrote it, or it was encrypted with another vault key.
    #[error("unreadable row: {0}")]
    Unreadable(&'static str),
}

impl From<sqlx::migrate::MigrateError> for StoreError {
    fn from(problem: sqlx::migrate::MigrateError) -> StoreError {
        StoreError::Database(problem.into())
    }
}

impl Store {
    /// The migrations that the configured database needs: the file's or schema's name, and the names of the migrations.
    pub async fn missing(
        settings: &StorageSettings,
    ) -> Result<Vec<(&'static str, String)>, StoreError> {
        Ok(database::missing(settings, &Store::tables()).await?)
    }

    fn tables() -> Tables<'static> {
        Tables {
            file: FILE,
            for_files: &FOR_FILES,
            schema: "payframe",
            for_servers: &FOR_SERVERS,
        }
    }

    /// Opens the configured database, creates a missing file, and migrates its tables.
    pub async fn open(settings: &StorageSettings) -> Result<Store, StoreError> {
        Ok(Store(Database::open(settings, &Store::tables()).await?))
    }

    /// A store over another database than the gateway's.
    pub fn of(database: Database) -> Store {
        Store(database)
    }

    /// Runs a query from outside of this crate, for tests.
    pub async fn ask(&self, question: Statement) -> Result<Vec<Row>, StoreError> {
        Ok(question.fetch_all(&mut *self.read().await?).await?)
    }

    /// Runs a change from outside of this crate. Returns the number of changed rows.
    pub async fn change(&self, statement: Statement) -> Result<u64, StoreError> {
        Ok(self.0.change(statement).await?)
    }

    /// A connection for queries.
    pub async fn read(&self) -> Result<Read, StoreError> {
        Ok(self.0.read().await?)
    }

    /// Starts a change. It waits for other changes at its start, so that it cannot fail because of them at its end.
    pub async fn write(&self, subject: Subject<'_>) -> Result<Write, StoreError> {
        Ok(self.0.write(subject).await?)
    }

    /// Removes what erased values left in unused parts of a file: of its log, and with `vacuum` of the whole file, which is written anew.
    /// Returns what is left to do, as a sentence for the operator.
    pub async fn forget_remnants(&self, vacuum: bool) -> Result<&'static str, StoreError> {
        Ok(self.0.forget_remnants(vacuum).await?)
    }

    /// Whether other processes may change the same tables.
    pub fn is_shared(&self) -> bool {
        self.0.is_shared()
    }

    /// How many messages have been sent to a server and answered so far, commits included. `None`: the tables are in a file.
    pub fn journeys(&self) -> Option<u64> {
        self.0.journeys()
    }
}

/// A part of a list: the newest rows from `from_ms` on and before `to_ms` (contract 1.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The start, included.
    pub from_ms: i64,
    /// The end, excluded.
    pub to_ms: i64,
    /// The maximum number of rows.
    pub max_records: u32,
}

/// The options for an SQLite file: it is created if it is missing, and a commit survives a crash of the process and of the machine.
pub fn sqlite_options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .foreign_keys(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .busy_timeout(Duration::from_secs(10))
        // What is deleted or replaced in a page that is written anyway is overwritten with zeros.
        .pragma("secure_delete", "FAST")
        .statement_cache_capacity(STATEMENTS)
        .disable_statement_logging()
}

static FOR_FILES: Migrator = sqlx::migrate!("./migrations");
static FOR_SERVERS: Migrator = sqlx::migrate!("./migrations/postgres");

/// The file of the gateway's tables in its folder.
const FILE: &str = "gateway.db";

/// The capacity of the statement cache: more than the program has, including the combinations that are sent together.
const STATEMENTS: usize = 400;

/// A pool of connections to a file, for occasional use.
pub async fn open_sqlite(path: &Path) -> Result<SqlitePool, sqlx::Error> {
    SqlitePoolOptions::new()
        .max_connections(8)
        .connect_with(sqlite_options(path))
        .await
}

/// Makes a database file readable only by its owner, whatever the folder allows: a new file, and one that others can read. The files
/// that SQLite makes beside it get the same permissions.
fn make_private(path: &Path) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path)?;
    #[cfg(unix)]
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    Ok(())
}

/// Alternative methods in the format of a column.
pub fn method_codes(methods: &[&'static Method]) -> String {
    let codes: Vec<&str> = methods.iter().map(|method| method.code()).collect();
    codes.join(",")
}

/// The alternative methods of a row's column `methods`.
pub fn methods_of(row: &Row) -> Result<Vec<&'static Method>, StoreError> {
    let codes: &str = row.try_get("methods")?;
    Ok(codes.split(',').filter_map(Method::from_code).collect())
}

/// Ids in one column, separated by commas.
fn listed(ids: &str) -> Vec<String> {
    let ids = ids.split(',').filter(|id| !id.is_empty());
    ids.map(str::to_owned).collect()
}

/// An amount in the format of a column.
pub fn minor(amount: payframe_money::Amount) -> i64 {
    // At most 12 digits.
    amount.minor() as i64
}

/// The amount from a column.
pub fn amount(minor: i64) -> Result<payframe_money::Amount, StoreError> {
    u64::try_from(minor)
        .ok()
        .and_then(payframe_money::Amount::from_minor)
        .ok_or(StoreError::Unreadable("amount"))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[tokio::test]
    async fn only_the_owner_reads_the_files_whatever_the_folder_allows() {
        let folder = tempfile::tempdir().unwrap();
        let allow = |path: &Path, mode| {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
        };
        allow(folder.path(), 0o755);
        let settings = StorageSettings {
            folder: folder.path().to_owned(),
            server_url: None,
        };
        let modes = || {
            let files = std::fs::read_dir(folder.path()).unwrap();
            files
                .map(|file| file.unwrap())
                .map(|file| {
                    (
                        file.file_name(),
                        file.metadata().unwrap().permissions().mode() & 0o777,
                    )
                })
                .collect::<Vec<_>>()
        };
        let store = Store::open(&settings).await.unwrap();
        drop(store.write(Subject::Gateway).await.unwrap());
        let opened = modes();
        assert!(opened.len() > 1, "the log beside the file: {opened:?}");
        assert!(opened.iter().all(|(_, mode)| *mode == 0o600), "{opened:?}");
        drop(store);
        // The permissions of files of an earlier version, or of copied files.
        allow(&folder.path().join(FILE), 0o644);
        let _store = Store::open(&settings).await.unwrap();
        let again = modes();
        let file = again.iter().find(|(name, _)| name == FILE);
        assert_eq!(file.map(|(_, mode)| *mode), Some(0o600), "{again:?}");
        // A copy may be moved to a folder that others can read.
        let copies = tempfile::tempdir().unwrap();
        backup::copy(folder.path(), copies.path(), None)
            .await
            .unwrap();
        let copy = std::fs::metadata(copies.path().join(FILE)).unwrap();
        assert!(copy.len() > 0);
        assert_eq!(copy.permissions().mode() & 0o777, 0o600);
    }
}
