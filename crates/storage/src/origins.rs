//! Origins of the pages that may embed a terminal's forms.

use super::{Connection, Row, StoreError, query, query_scalar};

/// A registered origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageOrigin {
    /// The terminal of the origin.
    pub terminal_id: String,
    /// Scheme, host and port, in the format of browsers.
    pub origin: String,
    /// The token that a file of the origin must contain. Not a secret: the file is public.
    pub token: String,
    /// When the gateway last found the token there.
    pub proven_ms: Option<i64>,
}

/// Registers an origin. `false`: it exists and keeps its token.
pub async fn add(
    connection: &mut Connection,
    added: &PageOrigin,
    now_ms: i64,
) -> Result<bool, StoreError> {
    let added = query(
        "INSERT INTO terminal_origin (terminal_id, origin, token, added_ms) VALUES (?, ?, ?, ?) \
         ON CONFLICT (terminal_id, origin) DO NOTHING",
    )
    .bind(&added.terminal_id)
    .bind(&added.origin)
    .bind(&added.token)
    .bind(now_ms)
    .execute(connection);
    Ok(added.await? > 0)
}

/// An origin of a terminal.
pub async fn find(
    connection: &mut Connection,
    terminal_id: &str,
    origin: &str,
) -> Result<Option<PageOrigin>, StoreError> {
    let row = query("SELECT * FROM terminal_origin WHERE terminal_id = ? AND origin = ?")
        .bind(terminal_id)
        .bind(origin)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read).transpose()
}

/// The origins of a terminal.
pub async fn of_terminal(
    connection: &mut Connection,
    terminal_id: &str,
) -> Result<Vec<PageOrigin>, StoreError> {
    let rows = query("SELECT * FROM terminal_origin WHERE terminal_id = ? ORDER BY origin")
        .bind(terminal_id)
        .fetch_all(connection)
        .await?;
    rows.iter().map(read).collect()
}

/// Marks an origin as proven, if it still has the token that was found. `false`: its token has changed, or it was removed.
pub async fn prove(
    connection: &mut Connection,
    proven: &PageOrigin,
    now_ms: i64,
) -> Result<bool, StoreError> {
    let proven = query(
        "UPDATE terminal_origin SET proven_ms = ? WHERE terminal_id = ? AND origin = ? AND token = ?",
    )
    .bind(now_ms)
    .bind(&proven.terminal_id)
    .bind(&proven.origin)
    .bind(&proven.token)
    .execute(connection);
    Ok(proven.await? > 0)
}

/// Removes an origin. `false`: it did not exist.
pub async fn remove(
    connection: &mut Connection,
    terminal_id: &str,
    origin: &str,
) -> Result<bool, StoreError> {
    let removed = query("DELETE FROM terminal_origin WHERE terminal_id = ? AND origin = ?")
        .bind(terminal_id)
        .bind(origin)
        .execute(connection);
    Ok(removed.await? > 0)
}

/// Whether an origin is proven for a terminal.
pub async fn is_proven(
    connection: &mut Connection,
    terminal_id: &str,
    origin: &str,
) -> Result<bool, StoreError> {
    let found: i64 = query_scalar(
        "SELECT COUNT(*) FROM terminal_origin WHERE terminal_id = ? AND origin = ? AND proven_ms IS NOT NULL",
    )
    .bind(terminal_id)
    .bind(origin)
    .fetch_one(connection)
    .await?;
    Ok(found > 0)
}

fn read(row: &Row) -> Result<PageOrigin, StoreError> {
    Ok(PageOrigin {
        terminal_id: row.try_get("terminal_id")?,
        origin: row.try_get("origin")?,
        token: row.try_get("token")?,
        proven_ms: row.try_get("proven_ms")?,
    })
}
