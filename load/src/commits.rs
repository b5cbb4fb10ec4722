//! The cost of one commit of the gateway's kind of database on this machine, without any other work.

use anyhow::Result;
use sqlx::any::install_default_drivers;
use sqlx::{AnyConnection, Connection, Executor};
use std::path::Path;
use std::time::{Duration, Instant};

/// Commits a second: transactions of one row, one after the other, stored as safely as the gateway stores its own, for the time
/// `lasts`. They go into a separate table on the server at `database`, or into a separate file in `folder` (write-ahead log,
/// synchronous at every commit).
pub(crate) async fn rate(folder: &Path, database: Option<&str>, lasts: Duration) -> Result<f64> {
    install_default_drivers();
    let file = format!("sqlite://{}?mode=rwc", folder.join("commits.db").display());
    let mut connection = AnyConnection::connect(database.unwrap_or(&file)).await?;
    if database.is_none() {
        for kept in ["PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL"] {
            connection.execute(kept).await?;
        }
    }
    connection
        .execute("CREATE TABLE IF NOT EXISTS entry (words TEXT NOT NULL)")
        .await?;
    let words = "a row about as long as an operation's ".repeat(8);
    let started = Instant::now();
    let mut commits = 0_u32;
    while started.elapsed() < lasts {
        let mut transaction = connection.begin().await?;
        sqlx::query("INSERT INTO entry (words) VALUES ($1)")
            .bind(&words)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        commits += 1;
    }
    let taken = started.elapsed();
    connection.close().await?;
    Ok(f64::from(commits) / taken.as_secs_f64())
}
