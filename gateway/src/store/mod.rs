//! The database.

use sqlx::SqlitePool;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use std::path::Path;
use std::time::Duration;

/// The gateway's database.
#[derive(Clone, Debug)]
pub struct Store {
    pool: SqlitePool,
}

impl Store {
    /// Opens the database at `path`, makes it if there is none, and brings its tables up to date.
    pub async fn open(path: &Path) -> Result<Store, sqlx::Error> {
        let pool = open_sqlite(path).await?;
        sqlx::migrate!("./migrations").run(&pool).await?;
        Ok(Store { pool })
    }

    /// The connections. SQL belongs into this module's files and into the notifier.
    pub fn pool(&self) -> &SqlitePool {
        &self.pool
    }
}

/// Opens an SQLite file so that a commit survives a crash of the process and of the machine.
pub(crate) async fn open_sqlite(path: &Path) -> Result<SqlitePool, sqlx::Error> {
    use sqlx::ConnectOptions;
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .foreign_keys(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .busy_timeout(Duration::from_secs(10))
        .disable_statement_logging();
    SqlitePoolOptions::new().max_connections(8).connect_with(options).await
}
