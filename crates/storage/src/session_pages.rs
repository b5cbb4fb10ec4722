//! Pages that belong to a session: of its device check, its challenge, its method. Whoever has the token of one sees it.

use super::sessions::{SessionRow, session_of};
use super::{Connection, StoreError, query};

/// The page of a session that a token gives access to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Page {
    /// The device check of the submission with this number.
    DeviceCheck(u8),
    /// The challenge of this operation.
    Challenge(String),
    /// The alternative method that leads to this operation.
    Method(String),
    /// The challenge of the 3-step payment with this operation.
    Step(String),
    /// Where the issuer sends the result of the challenge of this operation. No buyer knows its token.
    Results(String),
}

/// Makes a page of a session accessible by the hash of its token.
pub fn open(connection: &mut Connection, token_hash: &str, session_hash: &str, page: &Page) {
    let (kind, subject) = match page {
        Page::DeviceCheck(submission) => ("DEVICE_CHECK", submission.to_string()),
        Page::Challenge(operation_id) => ("CHALLENGE", operation_id.clone()),
        Page::Method(operation_id) => ("METHOD", operation_id.clone()),
        Page::Step(operation_id) => ("STEP", operation_id.clone()),
        Page::Results(operation_id) => ("RESULTS", operation_id.clone()),
    };
    connection
        .enqueue(
            "INSERT INTO threeds_page (token_hash, session_hash, kind, subject) VALUES (?, ?, ?, ?) \
             ON CONFLICT (token_hash) DO NOTHING",
        )
        .bind(token_hash)
        .bind(session_hash)
        .bind(kind)
        .bind(subject);
}

/// The session and the page of a token.
pub async fn find(
    connection: &mut Connection,
    token_hash: &str,
) -> Result<Option<(SessionRow, Page)>, StoreError> {
    let row = query(
        "SELECT s.*, c.sealed AS sealed_card, p.kind, p.subject FROM threeds_page p \
         JOIN build_session s ON s.session_hash = p.session_hash \
         LEFT JOIN sealed_card c ON c.session_hash = s.session_hash WHERE p.token_hash = ?",
    )
    .bind(token_hash)
    .fetch_optional(connection)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let subject: String = row.try_get("subject")?;
    let page = match row.try_get("kind")? {
        "DEVICE_CHECK" => Page::DeviceCheck(
            subject
                .parse()
                .map_err(|_| StoreError::Unreadable("page"))?,
        ),
        "CHALLENGE" => Page::Challenge(subject),
        "METHOD" => Page::Method(subject),
        "STEP" => Page::Step(subject),
        "RESULTS" => Page::Results(subject),
        _ => return Err(StoreError::Unreadable("page")),
    };
    Ok(Some((session_of(&row)?, page)))
}
