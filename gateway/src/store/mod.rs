//! The database: all SQL of payments is in this folder.
//!
//! A [`Store`] hands out connections and transactions; each file has the questions and changes of one kind
//! of thing, as functions on a connection. What belongs together is written in one [`Store::write`], which has the
//! database to itself from its first statement on ([`writer`]). Rows hold no secret in clear
//! (see the migrations). Nothing in here decides anything: rules are in `domain`.

pub(crate) mod answers;
pub(crate) mod card_keys;
pub(crate) mod cards;
mod connection;
pub(crate) mod contracts;
pub(crate) mod credentials;
pub(crate) mod hosted_pages;
pub(crate) mod ledger;
pub(crate) mod legal_texts;
pub(crate) mod merchants;
pub(crate) mod operations;
pub(crate) mod orders;
pub(crate) mod outbox;
mod readers;
pub(crate) mod sessions;
pub(crate) mod state_document;
pub(crate) mod structures;
pub(crate) mod three_steps;
mod writer;

use crate::domain::method::Method;
pub(crate) use connection::Connection;
use readers::{Read, Readers};
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteRow, SqliteSynchronous,
};
use sqlx::{ConnectOptions, Row, SqlitePool};
use std::path::Path;
use std::time::Duration;
pub(crate) use writer::{Write, Writer};

/// The gateway's database.
#[derive(Clone, Debug)]
pub struct Store {
    pool: SqlitePool,
    readers: Readers,
    writer: Writer,
}

/// Why the database gave no answer.
#[derive(Debug)]
pub enum StoreProblem {
    /// The database failed.
    Database(sqlx::Error),
    /// A row can not be read: it was written by something else, or with another vault key.
    Unreadable(&'static str),
}

impl std::fmt::Display for StoreProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            StoreProblem::Database(problem) => write!(f, "database: {problem}"),
            StoreProblem::Unreadable(what) => write!(f, "unreadable row: {what}"),
        }
    }
}

impl std::error::Error for StoreProblem {}

impl From<sqlx::Error> for StoreProblem {
    fn from(problem: sqlx::Error) -> StoreProblem {
        StoreProblem::Database(problem)
    }
}

impl Store {
    /// Opens the database at `path`, makes it if there is none, and brings its tables up to date.
    pub async fn open(path: &Path) -> Result<Store, StoreProblem> {
        let pool = open_sqlite(path).await?;
        sqlx::migrate!("./migrations")
            .run(&pool)
            .await
            .map_err(|problem| sqlx::Error::Migrate(Box::new(problem)))?;
        let writer = Writer::open(&sqlite_options(path)).await?;
        let readers = Readers::new(sqlite_options(path));
        Ok(Store {
            pool,
            readers,
            writer,
        })
    }

    /// The connections. SQL belongs into this module's files and into the notifier.
    pub fn pool(&self) -> &SqlitePool {
        &self.pool
    }

    /// A connection to read with.
    pub(crate) async fn read(&self) -> Result<Read, StoreProblem> {
        Ok(self.readers.lend().await?)
    }

    /// A change: it waits its turn at its start, so that it can not fail for it at its end.
    pub(crate) async fn write(&self) -> Result<Write, StoreProblem> {
        Ok(self.writer.begin().await)
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
pub(crate) fn methods_of(row: &SqliteRow) -> Result<Vec<&'static Method>, StoreProblem> {
    let codes: &str = row.try_get("methods")?;
    Ok(codes.split(',').filter_map(Method::from_code).collect())
}

/// An amount as a column holds it.
pub(crate) fn minor(amount: payframe_checkout::money::Amount) -> i64 {
    // At most 12 digits.
    amount.minor() as i64
}

/// The amount of a column.
pub(crate) fn amount(minor: i64) -> Result<payframe_checkout::money::Amount, StoreProblem> {
    u64::try_from(minor)
        .ok()
        .and_then(payframe_checkout::money::Amount::from_minor)
        .ok_or(StoreProblem::Unreadable("amount"))
}
