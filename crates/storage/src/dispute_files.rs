//! Files that merchants sent as evidence for disputes. Lists do not read their content.

use super::{Connection, Row, StoreError, query, query_scalar};
use payframe_payment_domain::dispute::evidence_file::{EvidenceFileType, FilesSoFar};

/// A file, without its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DisputeFileRow {
    /// Its id.
    pub file_id: String,
    /// Its dispute.
    pub dispute_id: String,
    /// What the merchant calls it.
    pub name: String,
    /// Its type.
    pub file_type: EvidenceFileType,
    /// How many bytes it has.
    pub size: u64,
    /// When it was added.
    pub added_ms: i64,
}

/// Writes a file, with its encrypted content.
pub async fn add(
    connection: &mut Connection,
    file: &DisputeFileRow,
    encrypted: Vec<u8>,
) -> Result<(), StoreError> {
    query(
        "INSERT INTO dispute_file (file_id, dispute_id, name, media_type, size, added_ms, sealed_content) VALUES (?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(&file.file_id)
    .bind(&file.dispute_id)
    .bind(&file.name)
    .bind(file.file_type.media_type())
    .bind(i64::try_from(file.size).map_err(|_| StoreError::Unreadable("size of a file"))?)
    .bind(file.added_ms)
    .bind(encrypted)
    .execute(connection)
    .await?;
    Ok(())
}

/// The files of a dispute, in the order in which they were added.
pub async fn of_dispute(
    connection: &mut Connection,
    dispute_id: &str,
) -> Result<Vec<DisputeFileRow>, StoreError> {
    let rows = query(
        "SELECT file_id, dispute_id, name, media_type, size, added_ms FROM dispute_file WHERE dispute_id = ? ORDER BY added_ms, file_id",
    )
    .bind(dispute_id)
    .fetch_all(connection)
    .await?;
    rows.iter().map(read).collect()
}

/// How many files a dispute has, and how large they are.
pub fn so_far(files: &[DisputeFileRow]) -> FilesSoFar {
    FilesSoFar {
        count: files.len() as u64,
        bytes: files.iter().map(|file| file.size).sum(),
    }
}

/// A file.
pub async fn find(
    connection: &mut Connection,
    file_id: &str,
) -> Result<Option<DisputeFileRow>, StoreError> {
    let row = query(
        "SELECT file_id, dispute_id, name, media_type, size, added_ms FROM dispute_file WHERE file_id = ?",
    )
    .bind(file_id)
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(read).transpose()
}

/// The encrypted content of a file.
pub async fn content(
    connection: &mut Connection,
    file_id: &str,
) -> Result<Option<Vec<u8>>, StoreError> {
    Ok(
        query_scalar("SELECT sealed_content FROM dispute_file WHERE file_id = ?")
            .bind(file_id)
            .fetch_optional(connection)
            .await?,
    )
}

/// Deletes a file.
pub async fn remove(connection: &mut Connection, file_id: &str) -> Result<(), StoreError> {
    query("DELETE FROM dispute_file WHERE file_id = ?")
        .bind(file_id)
        .execute(connection)
        .await?;
    Ok(())
}

fn read(row: &Row) -> Result<DisputeFileRow, StoreError> {
    let unreadable = || StoreError::Unreadable("file of a dispute");
    let size: i64 = row.try_get("size")?;
    Ok(DisputeFileRow {
        file_id: row.try_get("file_id")?,
        dispute_id: row.try_get("dispute_id")?,
        name: row.try_get("name")?,
        file_type: EvidenceFileType::from_media_type(row.try_get("media_type")?)
            .ok_or_else(unreadable)?,
        size: u64::try_from(size).map_err(|_| unreadable())?,
        added_ms: row.try_get("added_ms")?,
    })
}
