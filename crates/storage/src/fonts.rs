//! The fonts of terminals' forms. Write only fonts that `payframe_merchant_font` has rebuilt.

use super::{Connection, StoreError, query, query_scalar};

/// Writes a font under its hash, unless it exists, and assigns it to the terminal. `None` removes the terminal's font.
pub async fn put(
    connection: &mut Connection,
    terminal_id: &str,
    font: Option<(&str, &[u8])>,
    now_ms: i64,
) -> Result<(), StoreError> {
    if let Some((hash, file)) = font {
        query("INSERT INTO font (hash, file, created_ms) VALUES (?, ?, ?) ON CONFLICT (hash) DO NOTHING")
            .bind(hash)
            .bind(file)
            .bind(now_ms)
            .execute(connection)
            .await?;
    }
    query("UPDATE terminal SET font = ? WHERE terminal_id = ?")
        .bind(font.map(|(hash, _)| hash))
        .bind(terminal_id)
        .execute(connection)
        .await?;
    Ok(())
}

/// The file with this hash.
pub async fn file(connection: &mut Connection, hash: &str) -> Result<Option<Vec<u8>>, StoreError> {
    Ok(query_scalar("SELECT file FROM font WHERE hash = ?")
        .bind(hash)
        .fetch_optional(connection)
        .await?)
}
