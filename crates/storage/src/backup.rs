//! Copies the tables while a gateway serves. For files only; a database server has its own tools.
//!
//! An acquirer may store its tables in the same folder. The two copies are consistent: every charge of the acquirer has its payment in the
//! gateway's copy, and every recorded payment has its charge. A charge happens after its payment is written and before it is recorded. So
//! it is sufficient that no charge happens between the points in time of the two copies.

use super::{FILE, make_private, sqlite_options};
use sqlx::sqlite::SqliteConnection;
use sqlx::{ConnectOptions, Connection};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::task::JoinHandle;

/// Copies the files of a data folder into another folder: the gateway's file, and the acquirer's file with this name.
pub async fn copy(data: &Path, to: &Path, acquirers: Option<&str>) -> Result<(), sqlx::Error> {
    let Some(acquirers) = acquirers else {
        return Copy::begin(data.join(FILE), to.join(FILE)).end().await;
    };
    let mut acquirer = open(&data.join(acquirers)).await?;
    // Charges wait from this point on.
    sqlx::query("BEGIN IMMEDIATE")
        .execute(&mut acquirer)
        .await?;
    let mut copies = [FILE, acquirers].map(|file| Copy::begin(data.join(file), to.join(file)));
    for copy in &mut copies {
        copy.has_its_moment().await;
    }
    sqlx::query("ROLLBACK").execute(&mut acquirer).await?;
    acquirer.close().await?;
    for copy in copies {
        copy.end().await?;
    }
    Ok(())
}

/// A copy in progress.
struct Copy {
    to: PathBuf,
    running: JoinHandle<Result<(), sqlx::Error>>,
}

impl Copy {
    fn begin(from: PathBuf, to: PathBuf) -> Copy {
        let running = tokio::spawn(vacuum(from, to.clone()));
        Copy { to, running }
    }

    /// Waits until the point in time of the copy is fixed. The copy reads a snapshot from its first read on and writes what it has read.
    /// So once its file has content, later changes are not in it.
    async fn has_its_moment(&self) {
        let is_begun = || std::fs::metadata(&self.to).is_ok_and(|file| file.len() > 0);
        while !self.running.is_finished() && !is_begun() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    async fn end(self) -> Result<(), sqlx::Error> {
        self.running
            .await
            .map_err(|_| sqlx::Error::WorkerCrashed)??;
        Ok(File::open(&self.to)?.sync_all()?)
    }
}

async fn vacuum(from: PathBuf, to: PathBuf) -> Result<(), sqlx::Error> {
    let mut connection = open(&from).await?;
    // SQLite writes into an empty file as into a new one.
    make_private(&to)?;
    let to = to.to_string_lossy().into_owned();
    sqlx::query("VACUUM INTO ?")
        .bind(to)
        .execute(&mut connection)
        .await?;
    connection.close().await
}

/// Opens an existing file.
async fn open(path: &Path) -> Result<SqliteConnection, sqlx::Error> {
    sqlite_options(path)
        .create_if_missing(false)
        .connect()
        .await
}
