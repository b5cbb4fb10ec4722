//! What one commit of the embedded database costs on this machine, with nothing around it.

use anyhow::Result;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection};
use std::path::Path;
use std::time::{Duration, Instant};

/// Commits a second: transactions of one row, one after the other, kept as safely as the gateway keeps its own
/// (write-ahead log, synchronous at every commit), for as long as `lasts`, in a file of its own in `folder`.
pub(crate) async fn rate(folder: &Path, lasts: Duration) -> Result<f64> {
    let file = folder.join("commits.db");
    let mut database = SqliteConnectOptions::new()
        .filename(&file)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .disable_statement_logging()
        .connect()
        .await?;
    sqlx::query("CREATE TABLE IF NOT EXISTS entry (id INTEGER PRIMARY KEY, words TEXT NOT NULL)")
        .execute(&mut database)
        .await?;
    let words = "a row about as long as an operation's ".repeat(8);
    let started = Instant::now();
    let mut commits = 0_u32;
    while started.elapsed() < lasts {
        let mut transaction = database.begin_with("BEGIN IMMEDIATE").await?;
        sqlx::query("INSERT INTO entry (words) VALUES (?)")
            .bind(&words)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        commits += 1;
    }
    let taken = started.elapsed();
    database.close().await?;
    Ok(f64::from(commits) / taken.as_secs_f64())
}
