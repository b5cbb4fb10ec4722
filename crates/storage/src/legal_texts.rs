//! Texts that buyers accept: terms and conditions, and the conditions of structures.

use super::{Connection, Row, StoreError, query, query_scalar};
use payframe_payment_domain::reservation::ReservationType;
use serde_json::{Map, Value};

/// A text in all its languages.
#[derive(Clone, Debug)]
pub struct LegalText {
    /// The text's id.
    pub text_id: String,
    /// Its type.
    pub kind: TextKind,
    /// Whether it is active.
    pub is_active: bool,
    /// The validated document, as the merchant sent it.
    pub document: Map<String, Value>,
    /// When it was created.
    pub created_ms: i64,
}

/// The scope of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextKind {
    /// Any text that a merchant names in a reservation or an order.
    Terms,
    /// All reservations of a type at a structure.
    Condition {
        /// The structure's id.
        structure_id: String,
        /// The type.
        reservation_type: ReservationType,
    },
}

/// An object that refers to a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextUser<'a> {
    /// The structure with this id.
    Structure(&'a str),
    /// The reservation with this id.
    Reservation(&'a str),
    /// The hosted page or link with this id.
    Page(&'a str),
}

/// Writes a new text.
pub async fn add(
    connection: &mut Connection,
    merchant_id: &str,
    text: &LegalText,
) -> Result<(), StoreError> {
    let (kind, structure_id, reservation_type) = match &text.kind {
        TextKind::Terms => ("TERMS", None, None),
        TextKind::Condition {
            structure_id,
            reservation_type,
        } => (
            "CONDITION",
            Some(structure_id),
            Some(reservation_type.code()),
        ),
    };
    query(
        "INSERT INTO legal_text (text_id, merchant_id, kind, structure_id, reservation_type, status, document, created_ms) \
         VALUES (?, ?, ?, ?, ?, 'ACTIVE', ?, ?)",
    )
    .bind(&text.text_id)
    .bind(merchant_id)
    .bind(kind)
    .bind(structure_id)
    .bind(reservation_type)
    .bind(Value::Object(text.document.clone()).to_string())
    .bind(text.created_ms)
    .execute(connection)
    .await?;
    Ok(())
}

/// A merchant's text.
pub async fn find(
    connection: &mut Connection,
    merchant_id: &str,
    text_id: &str,
) -> Result<Option<LegalText>, StoreError> {
    let row = query("SELECT * FROM legal_text WHERE merchant_id = ? AND text_id = ?")
        .bind(merchant_id)
        .bind(text_id)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(text_of).transpose()
}

/// The conditions of a structure, oldest first.
pub async fn of_structure(
    connection: &mut Connection,
    merchant_id: &str,
    structure_id: &str,
) -> Result<Vec<LegalText>, StoreError> {
    let rows = query(
        "SELECT * FROM legal_text WHERE merchant_id = ? AND structure_id = ? ORDER BY created_ms, text_id",
    )
    .bind(merchant_id)
    .bind(structure_id)
    .fetch_all(connection)
    .await?;
    rows.iter().map(text_of).collect()
}

/// Whether any object refers to a text.
pub async fn is_used(connection: &mut Connection, text_id: &str) -> Result<bool, StoreError> {
    let used = query_scalar("SELECT COUNT(*) FROM legal_text_use WHERE text_id = ?")
        .bind(text_id)
        .fetch_one(connection)
        .await?;
    Ok(0_i64 < used)
}

/// Cancels a text.
pub async fn cancel(connection: &mut Connection, text_id: &str) -> Result<(), StoreError> {
    query("UPDATE legal_text SET status = 'CANCELED' WHERE text_id = ?")
        .bind(text_id)
        .execute(connection)
        .await?;
    Ok(())
}

/// Replaces the list of texts that an object refers to.
pub async fn put_uses(
    connection: &mut Connection,
    merchant_id: &str,
    user: TextUser<'_>,
    text_ids: &[impl AsRef<str> + Sync],
) -> Result<(), StoreError> {
    let (kind, id) = match user {
        TextUser::Structure(id) => ("STRUCTURE", id),
        TextUser::Reservation(id) => ("RESERVATION", id),
        TextUser::Page(id) => ("PAGE", id),
    };
    query("DELETE FROM legal_text_use WHERE merchant_id = ? AND user_kind = ? AND user_id = ?")
        .bind(merchant_id)
        .bind(kind)
        .bind(id)
        .execute(&mut *connection)
        .await?;
    for text_id in text_ids {
        query(
            "INSERT INTO legal_text_use (text_id, merchant_id, user_kind, user_id) VALUES (?, ?, ?, ?) \
             ON CONFLICT DO NOTHING",
        )
        .bind(text_id.as_ref())
        .bind(merchant_id)
        .bind(kind)
        .bind(id)
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

fn text_of(row: &Row) -> Result<LegalText, StoreError> {
    let unreadable = || StoreError::Unreadable("legal text");
    let document: &str = row.try_get("document")?;
    let kind = match row.try_get("kind")? {
        "TERMS" => TextKind::Terms,
        "CONDITION" => TextKind::Condition {
            structure_id: row.try_get("structure_id")?,
            reservation_type: ReservationType::from_code(row.try_get("reservation_type")?)
                .ok_or_else(unreadable)?,
        },
        _ => return Err(unreadable()),
    };
    Ok(LegalText {
        text_id: row.try_get("text_id")?,
        kind,
        is_active: row.try_get::<&str>("status")? == "ACTIVE",
        document: serde_json::from_str(document).map_err(|_| unreadable())?,
        created_ms: row.try_get("created_ms")?,
    })
}
