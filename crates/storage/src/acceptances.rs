//! The clauses that buyers accepted on hosted pages. Rows never change.

use super::{Connection, Row, StoreError, query, query_scalar};
use payframe_payment_domain::clause::ClausePart;

/// A clause that a buyer accepted.
#[derive(Clone, Debug)]
pub struct AcceptanceRow {
    /// The page that showed it.
    pub page_id: String,
    /// The position of its box on the page.
    pub place: i64,
    /// The merchant of the page.
    pub merchant_id: String,
    /// The merchant's order.
    pub order_id: String,
    /// The text's id.
    pub text_id: String,
    /// Which of the clauses.
    pub part: ClausePart,
    /// As the merchant sent it with the text.
    pub language: String,
    /// SHA-256 of the text's bytes, in hex.
    pub text_hash: String,
    /// The time of the acceptance.
    pub accepted_ms: i64,
}

/// Writes an accepted clause. An existing row stays unchanged.
pub async fn add(connection: &mut Connection, row: &AcceptanceRow) -> Result<(), StoreError> {
    query(
        "INSERT INTO acceptance (page_id, place, merchant_id, order_id, text_id, part, language, text_hash, accepted_ms) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (page_id, place) DO NOTHING",
    )
    .bind(&row.page_id)
    .bind(row.place)
    .bind(&row.merchant_id)
    .bind(&row.order_id)
    .bind(&row.text_id)
    .bind(row.part.code())
    .bind(&row.language)
    .bind(&row.text_hash)
    .bind(row.accepted_ms)
    .execute(connection)
    .await?;
    Ok(())
}

/// How many clauses of a page were accepted.
pub async fn count(connection: &mut Connection, page_id: &str) -> Result<usize, StoreError> {
    let count: i64 = query_scalar("SELECT COUNT(*) FROM acceptance WHERE page_id = ?")
        .bind(page_id)
        .fetch_one(connection)
        .await?;
    usize::try_from(count).map_err(|_| StoreError::Unreadable("acceptances"))
}

/// The clauses that the buyers of an order accepted, in the order of acceptance.
pub async fn of_order(
    connection: &mut Connection,
    merchant_id: &str,
    order_id: &str,
) -> Result<Vec<AcceptanceRow>, StoreError> {
    let rows = query(
        "SELECT * FROM acceptance WHERE merchant_id = ? AND order_id = ? ORDER BY accepted_ms, page_id, place",
    )
    .bind(merchant_id)
    .bind(order_id)
    .fetch_all(connection)
    .await?;
    rows.iter().map(acceptance_of).collect()
}

fn acceptance_of(row: &Row) -> Result<AcceptanceRow, StoreError> {
    Ok(AcceptanceRow {
        page_id: row.try_get("page_id")?,
        place: row.try_get("place")?,
        merchant_id: row.try_get("merchant_id")?,
        order_id: row.try_get("order_id")?,
        text_id: row.try_get("text_id")?,
        part: ClausePart::from_code(row.try_get("part")?)
            .ok_or(StoreError::Unreadable("acceptance"))?,
        language: row.try_get("language")?,
        text_hash: row.try_get("text_hash")?,
        accepted_ms: row.try_get("accepted_ms")?,
    })
}
