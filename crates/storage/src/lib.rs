//! The database: all SQL of payments is in this crate.
//!
//! A [`Store`] hands out connections and changes; each file has the questions and changes of one kind
//! of thing, as functions on a connection. What belongs together is written in one [`Store::write`], which nobody else
//! changes the same things beside ([`database`]). Rows hold no secret in clear
//! (see the migrations). Nothing in here decides anything: rules are in
//! `payframe_payment_domain`.
//!
//! Statements are written once, for SQLite and for PostgreSQL ([`statement`]).

pub mod acceptances;
pub mod answers;
pub mod audit;
pub mod backup;
pub mod card_keys;
pub mod cards;
mod connection;
pub mod contracts;
pub mod credentials;
pub mod database;
pub mod delivery_queue;
pub mod encrypted_values;
mod execution;
pub mod external_3ds;
pub mod fonts;
pub mod hosted_pages;
pub mod ledger;
pub mod legal_texts;
pub mod login_sessions;
pub mod members;
pub mod merchants;
pub mod meter;
pub mod mode;
pub mod operations;
pub mod order_list;
pub mod order_warnings;
pub mod orders;
pub mod origins;
pub mod outbox;
mod readers;
pub mod reservations;
mod row;
pub mod sessions;
pub mod state_document;
mod statement;
pub mod statistics;
pub mod structures;
pub mod vault_keys;
mod writer;

pub use connection::{Connection, QueuedStatement};
pub use database::{Database, Read, StorageSettings, Subject, Tables, Write};
use payframe_payment_domain::method::Method;
pub use row::{Column, Row};
use sqlx::migrate::Migrator;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, SqlitePool};
pub use statement::{Scalar, Statement, Value, query, query_scalar};
use std::path::Path;
use std::time::Duration;

/// The gateway's database.
#[derive(Clone, Debug)]
pub struct Store(Database);

/// Why the database gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database failed.
    #[error("database: {0}")]
    Database(#[from] sqlx::Error),
    /// A row can not be read: it was written by something else, or with another vault key.
    #[error("unreadable row: {0}")]
    Unreadable(&'static str),
}

impl From<sqlx::migrate::MigrateError> for StoreError {
    fn from(problem: sqlx::migrate::MigrateError) -> StoreError {
        StoreError::Database(problem.into())
    }
}

impl Store {
    /// What has to be done to bring the configured database up to date: the file's or schema's name, and what is missing there.
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

    /// Opens the configured database, makes it if it is a file that is not there, and brings its tables up to date.
    pub async fn open(settings: &StorageSettings) -> Result<Store, StoreError> {
        Ok(Store(Database::open(settings, &Store::tables()).await?))
    }

    /// Another database than the gateway's, to be asked in the same way.
    pub fn of(database: Database) -> Store {
        Store(database)
    }

    /// Asks a question from outside of this crate, as tests do.
    pub async fn ask(&self, question: Statement) -> Result<Vec<Row>, StoreError> {
        Ok(question.fetch_all(&mut *self.read().await?).await?)
    }

    /// Makes a change from outside of this crate; how many rows are others now.
    pub async fn change(&self, statement: Statement) -> Result<u64, StoreError> {
        let mut change = self.write(Subject::Statement).await?;
        let changed = statement.execute(&mut change).await?;
        change.commit().await?;
        Ok(changed)
    }

    /// A connection to ask with.
    pub async fn read(&self) -> Result<Read, StoreError> {
        Ok(self.0.read().await?)
    }

    /// A change: it waits its turn at its start, so that it can not fail for it at its end.
    pub async fn write(&self, subject: Subject<'_>) -> Result<Write, StoreError> {
        Ok(self.0.write(subject).await?)
    }

    /// Whether other processes may change the same tables.
    pub fn is_shared(&self) -> bool {
        self.0.is_shared()
    }
}

/// Which part of a list is asked for: the newest rows from `from_ms` on and before `to_ms` (contract 1.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// From here on.
    pub from_ms: i64,
    /// Before this.
    pub to_ms: i64,
    /// No more than this.
    pub max_records: u32,
}

/// How an SQLite file is opened: made if it is not there, and so that a commit survives a crash of the process and of
/// the machine.
pub fn sqlite_options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .foreign_keys(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .busy_timeout(Duration::from_secs(10))
        .statement_cache_capacity(STATEMENTS)
        .disable_statement_logging()
}

static FOR_FILES: Migrator = sqlx::migrate!("./migrations");
static FOR_SERVERS: Migrator = sqlx::migrate!("./migrations/postgres");

/// The file of the gateway's tables in its folder.
const FILE: &str = "gateway.db";

/// More than the program has, with all the ways in which they are sent together.
const STATEMENTS: usize = 400;

/// Connections to a file, for those who ask seldom.
pub async fn open_sqlite(path: &Path) -> Result<SqlitePool, sqlx::Error> {
    SqlitePoolOptions::new()
        .max_connections(8)
        .connect_with(sqlite_options(path))
        .await
}

/// Alternative methods as a column holds them.
pub fn method_codes(methods: &[&'static Method]) -> String {
    let codes: Vec<&str> = methods.iter().map(|method| method.code()).collect();
    codes.join(",")
}

/// The alternative methods of a row's column `methods`.
pub fn methods_of(row: &Row) -> Result<Vec<&'static Method>, StoreError> {
    let codes: &str = row.try_get("methods")?;
    Ok(codes.split(',').filter_map(Method::from_code).collect())
}

/// Ids that stand in one column, with commas between.
fn listed(ids: &str) -> Vec<String> {
    let ids = ids.split(',').filter(|id| !id.is_empty());
    ids.map(str::to_owned).collect()
}

/// An amount as a column holds it.
pub fn minor(amount: payframe_money::Amount) -> i64 {
    // At most 12 digits.
    amount.minor() as i64
}

/// The amount of a column.
pub fn amount(minor: i64) -> Result<payframe_money::Amount, StoreError> {
    u64::try_from(minor)
        .ok()
        .and_then(payframe_money::Amount::from_minor)
        .ok_or(StoreError::Unreadable("amount"))
}
