//! Copies of the tables while a gateway serves: files only; a server has its own ways.
//!
//! An acquirer may keep its tables in the same folder. Its copy and the gateway's fit each other: every charge of the acquirer's has
//! its payment in the gateway's, and every payment that is booked there its charge. A charge is made after its payment was written
//! down and before it is booked, so it is enough that no charge is made between the moments of which the copies are.

use super::{FILE, sqlite_options};
use sqlx::sqlite::SqliteConnection;
use sqlx::{ConnectOptions, Connection};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::task::JoinHandle;

/// Copies the files of a data folder into another one: the gateway's, and that of an acquirer who has this name there.
pub async fn copy(data: &Path, to: &Path, acquirers: Option<&str>) -> Result<(), sqlx::Error> {
    let Some(acquirers) = acquirers else {
        return Copy::begin(data.join(FILE), to.join(FILE)).end().await;
    };
    let mut acquirer = open(&data.join(acquirers)).await?;
    // Charges wait from here on.
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

/// A copy that is being made.
struct Copy {
    to: PathBuf,
    running: JoinHandle<Result<(), sqlx::Error>>,
}

impl Copy {
    fn begin(from: PathBuf, to: PathBuf) -> Copy {
        let running = tokio::spawn(vacuum(from, to.clone()));
        Copy { to, running }
    }

    /// Waits until it is settled of which moment it is. It reads as the tables are when it begins to read, and writes what it has read:
    /// so once there is something of it, later changes are not in it.
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
    let to = to.to_string_lossy().into_owned();
    sqlx::query("VACUUM INTO ?")
        .bind(to)
        .execute(&mut connection)
        .await?;
    connection.close().await
}

/// Opens a file that is there.
async fn open(path: &Path) -> Result<SqliteConnection, sqlx::Error> {
    sqlite_options(path)
        .create_if_missing(false)
        .connect()
        .await
}
