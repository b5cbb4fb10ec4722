//! What is left of erased values where no query finds it: in the log beside a file, and in its unused parts.

use crate::passing::is_passing;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, Row};

/// Moves the log of a file into the file and empties it. With `vacuum` the file is written anew before, without its unused parts; other
/// changes wait meanwhile. Returns what is left to do.
pub(crate) async fn forget(
    options: &SqliteConnectOptions,
    vacuum: bool,
) -> Result<&'static str, sqlx::Error> {
    let mut connection = options.connect().await?;
    if vacuum {
        match sqlx::query("VACUUM").execute(&mut connection).await {
            Ok(_) => {}
            // What was erased is erased: only the remnants wait.
            Err(problem) if is_passing(&problem) => return Ok(IN_USE),
            Err(problem) => return Err(problem),
        }
    }
    let row = sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)")
        .fetch_one(&mut connection)
        .await?;
    let is_busy: i64 = row.try_get(0)?;
    connection.close().await?;
    Ok(match (is_busy, vacuum) {
        (0, true) => IN_BACKUPS,
        (0, false) => IN_FILE,
        _ => IN_LOG,
    })
}

const IN_BACKUPS: &str = "the file was written anew. Back-ups from before still have the data\n";

const IN_FILE: &str = "unused parts of the file may have remnants until they are used again; --vacuum removes them. \
     Back-ups from before still have the data\n";

const IN_LOG: &str = "the log beside the file was in use and could not be emptied: give the command again, with --order and one of the orders. \
     Back-ups from before still have the data\n";

const IN_USE: &str = "the file was in use and could not be written anew: give the command again, with --order and one of the orders. \
     Back-ups from before still have the data\n";

/// A server removes old versions of rows by itself.
pub(crate) const ON_SERVER: &str = "the server removes the old versions of the rows by itself (autovacuum). \
     Its write-ahead log, standbys' archives and back-ups from before still have the data\n";
