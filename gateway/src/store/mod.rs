//! The database: all SQL of payments is in this folder.
//!
//! A [`Store`] hands out connections and changes; each file has the questions and changes of one kind
//! of thing, as functions on a connection. What belongs together is written in one [`Store::write`], which nobody else
//! changes the same things beside ([`database`]). Rows hold no secret in clear
//! (see the migrations). Nothing in here decides anything: rules are in `domain`.
//!
//! Statements are written once, for SQLite and for PostgreSQL ([`statement`]).

pub(crate) mod acceptances;
pub(crate) mod answers;
pub(crate) mod audit;
pub(crate) mod backup;
pub(crate) mod card_keys;
pub(crate) mod cards;
mod connection;
pub(crate) mod contracts;
pub(crate) mod credentials;
pub(crate) mod database;
pub(crate) mod encrypted_values;
pub(crate) mod external_3ds;
pub(crate) mod fonts;
pub(crate) mod hosted_pages;
pub(crate) mod ledger;
pub(crate) mod legal_texts;
pub(crate) mod login_sessions;
pub(crate) mod members;
pub(crate) mod merchants;
pub(crate) mod mode;
pub(crate) mod operations;
pub(crate) mod order_list;
pub(crate) mod order_warnings;
pub(crate) mod orders;
pub(crate) mod origins;
pub(crate) mod outbox;
mod readers;
pub(crate) mod reservations;
mod row;
pub(crate) mod sessions;
pub(crate) mod state_document;
mod statement;
pub(crate) mod statistics;
pub(crate) mod structures;
pub(crate) mod vault_keys;
mod writer;

use crate::config::Config;
pub(crate) use connection::Connection;
pub(crate) use database::{Database, Read, Subject, Tables, Write};
use payframe_payment_domain::method::Method;
pub use row::{Column, Row};
use sqlx::migrate::Migrator;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, SqlitePool};
pub(crate) use statement::query_scalar;
pub use statement::{Statement, Value, query};
use std::path::Path;
use std::time::Duration;

/// The gateway's database.
#[derive(Clone, Debug)]
pub struct Store(Database);

/// Why the database gave no answer.
#[derive(Debug)]
pub enum StoreError {
    /// The database failed.
    Database(sqlx::Error),
    /// A row can not be read: it was written by something else, or with another vault key.
    Unreadable(&'static str),
}

impl std::fmt::Display for StoreError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            StoreError::Database(problem) => write!(f, "database: {problem}"),
            StoreError::Unreadable(what) => write!(f, "unreadable row: {what}"),
        }
    }
}

impl std::error::Error for StoreError {}

impl From<sqlx::migrate::MigrateError> for StoreError {
    fn from(problem: sqlx::migrate::MigrateError) -> StoreError {
        StoreError::Database(problem.into())
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(problem: sqlx::Error) -> StoreError {
        StoreError::Database(problem)
    }
}

impl Store {
    /// What has to be done to bring the configured database up to date: the file's or schema's name, and what is missing there.
    pub(crate) async fn missing(
        config: &Config,
    ) -> Result<Vec<(&'static str, String)>, StoreError> {
        Ok(database::missing(config, &Store::tables()).await?)
    }

    fn tables() -> Tables<'static> {
        Tables {
            file: "gateway.db",
            for_files: &FOR_FILES,
            schema: "payframe",
            for_servers: &FOR_SERVERS,
        }
    }

    /// Opens the configured database, makes it if it is a file that is not there, and brings its tables up to date.
    pub async fn open(config: &Config) -> Result<Store, StoreError> {
        Ok(Store(Database::open(config, &Store::tables()).await?))
    }

    /// Another database than the gateway's, to be asked in the same way.
    pub(crate) fn of(database: Database) -> Store {
        Store(database)
    }

    /// Asks a question from outside of this module. The gateway's own are in its files and in the notifier.
    pub async fn ask(&self, question: Statement) -> Result<Vec<Row>, StoreError> {
        Ok(question.fetch_all(&mut *self.read().await?).await?)
    }

    /// Makes a change from outside of this module; how many rows are others now.
    pub async fn change(&self, statement: Statement) -> Result<u64, StoreError> {
        let mut change = self.write(Subject::Statement).await?;
        let changed = statement.execute(&mut change).await?;
        change.commit().await?;
        Ok(changed)
    }

    /// A connection to ask with.
    pub(crate) async fn read(&self) -> Result<Read, StoreError> {
        Ok(self.0.read().await?)
    }

    /// A change: it waits its turn at its start, so that it can not fail for it at its end.
    pub(crate) async fn write(&self, subject: Subject<'_>) -> Result<Write, StoreError> {
        Ok(self.0.write(subject).await?)
    }

    /// Whether other processes may change the same tables.
    pub fn is_shared(&self) -> bool {
        self.0.is_shared()
    }
}

/// Which part of a list is asked for: the newest rows from `from_ms` on and before `to_ms` (contract 1.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) from_ms: i64,
    pub(crate) to_ms: i64,
    pub(crate) max_records: u32,
}

/// How an SQLite file is opened: made if it is not there, and so that a commit survives a crash of the process and of
/// the machine.
pub(crate) fn sqlite_options(path: &Path) -> SqliteConnectOptions {
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

/// More than the program has, with all the ways in which they are sent together.
const STATEMENTS: usize = 400;

/// Connections to a file, for those who ask seldom.
pub(crate) async fn open_sqlite(path: &Path) -> Result<SqlitePool, sqlx::Error> {
    SqlitePoolOptions::new()
        .max_connections(8)
        .connect_with(sqlite_options(path))
        .await
}

/// Alternative methods as a column holds them.
pub(crate) fn method_codes(methods: &[&'static Method]) -> String {
    let codes: Vec<&str> = methods.iter().map(|method| method.code()).collect();
    codes.join(",")
}

/// The alternative methods of a row's column `methods`.
pub(crate) fn methods_of(row: &Row) -> Result<Vec<&'static Method>, StoreError> {
    let codes: &str = row.try_get("methods")?;
    Ok(codes.split(',').filter_map(Method::from_code).collect())
}

/// Ids that stand in one column, with commas between.
fn listed(ids: &str) -> Vec<String> {
    let ids = ids.split(',').filter(|id| !id.is_empty());
    ids.map(str::to_owned).collect()
}

/// An amount as a column holds it.
pub(crate) fn minor(amount: payframe_money::Amount) -> i64 {
    // At most 12 digits.
    amount.minor() as i64
}

/// The amount of a column.
pub(crate) fn amount(minor: i64) -> Result<payframe_money::Amount, StoreError> {
    u64::try_from(minor)
        .ok()
        .and_then(payframe_money::Amount::from_minor)
        .ok_or(StoreError::Unreadable("amount"))
}
