//! Structures: places that take reservations, and the fields that they add to their reservations.

use super::{Connection, Row, StoreError, query};
use payframe_payment_domain::reservation::ReservationType;
use serde_json::{Map, Value};

/// A structure.
#[derive(Clone, Debug)]
pub struct StructureRow {
    /// The structure's id.
    pub structure_id: String,
    /// The validated document, as the merchant sent it.
    pub document: Map<String, Value>,
    /// When it was created.
    pub created_ms: i64,
}

impl StructureRow {
    /// Whether it takes reservations.
    pub fn is_active(&self) -> bool {
        self.text("status") == Some(ACTIVE)
    }

    /// The terminal that it charges on.
    pub fn terminal_id(&self) -> Option<&str> {
        self.text("terminalId")
    }

    /// The text that buyers of a reservation type accept, if the structure names one.
    pub fn text_of(&self, kind: ReservationType) -> Option<&str> {
        let (name, _) = TEC_IDS.iter().find(|(_, known)| *known == kind)?;
        self.text(name)
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.document.get(name).and_then(Value::as_str)
    }
}

/// A field that a structure adds to its reservations.
#[derive(Clone, Debug)]
pub struct FieldRow {
    /// The field's id.
    pub field_id: String,
    /// The structure's id.
    pub structure_id: String,
    /// Its position among the fields.
    pub place: i64,
    /// The validated document, as the merchant sent it.
    pub document: Map<String, Value>,
    /// When it was created.
    pub created_ms: i64,
}

/// A filter for structures. `None` does not filter.
pub struct StructureFilter<'a> {
    /// The start of the name. Ignores the letter case.
    pub name: Option<&'a str>,
    /// Its status, in the contract's terms.
    pub status: Option<&'a str>,
}

/// Writes a structure. An existing one is updated and keeps its creation time.
pub async fn put(
    connection: &mut Connection,
    merchant_id: &str,
    row: &StructureRow,
) -> Result<(), StoreError> {
    let name = row.text("structureName").unwrap_or_default();
    query(
        "INSERT INTO structure (merchant_id, structure_id, name, name_key, status, document, created_ms) \
         VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (merchant_id, structure_id) DO UPDATE SET \
         name = excluded.name, name_key = excluded.name_key, status = excluded.status, document = excluded.document",
    )
    .bind(merchant_id)
    .bind(&row.structure_id)
    .bind(name)
    .bind(name.to_lowercase())
    .bind(row.text("status").unwrap_or(ACTIVE))
    .bind(Value::Object(row.document.clone()).to_string())
    .bind(row.created_ms)
    .execute(connection)
    .await?;
    Ok(())
}

/// A merchant's structure.
pub async fn find(
    connection: &mut Connection,
    merchant_id: &str,
    structure_id: &str,
) -> Result<Option<StructureRow>, StoreError> {
    let row = query("SELECT * FROM structure WHERE merchant_id = ? AND structure_id = ?")
        .bind(merchant_id)
        .bind(structure_id)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(structure_of).transpose()
}

/// A merchant's structures, oldest first.
pub async fn list(
    connection: &mut Connection,
    merchant_id: &str,
    filter: &StructureFilter<'_>,
) -> Result<Vec<StructureRow>, StoreError> {
    let rows = query(
        "SELECT * FROM structure WHERE merchant_id = ?1 AND (?2 IS NULL OR status = ?2) \
         AND (?3 IS NULL OR SUBSTR(name_key, 1, LENGTH(?3)) = ?3) ORDER BY created_ms, structure_id",
    )
    .bind(merchant_id)
    .bind(filter.status)
    .bind(filter.name.map(str::to_lowercase))
    .fetch_all(connection)
    .await?;
    rows.iter().map(structure_of).collect()
}

/// Writes a new field.
pub async fn add_field(
    connection: &mut Connection,
    merchant_id: &str,
    row: &FieldRow,
) -> Result<(), StoreError> {
    query(
        "INSERT INTO custom_field (field_id, merchant_id, structure_id, place, document, created_ms) VALUES (?, ?, ?, ?, ?, ?)",
    )
    .bind(&row.field_id)
    .bind(merchant_id)
    .bind(&row.structure_id)
    .bind(row.place)
    .bind(Value::Object(row.document.clone()).to_string())
    .bind(row.created_ms)
    .execute(connection)
    .await?;
    Ok(())
}

/// A merchant's field.
pub async fn find_field(
    connection: &mut Connection,
    merchant_id: &str,
    field_id: &str,
) -> Result<Option<FieldRow>, StoreError> {
    let row = query("SELECT * FROM custom_field WHERE merchant_id = ? AND field_id = ?")
        .bind(merchant_id)
        .bind(field_id)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(field_of).transpose()
}

/// The fields of a structure, in their order.
pub async fn fields(
    connection: &mut Connection,
    merchant_id: &str,
    structure_id: &str,
) -> Result<Vec<FieldRow>, StoreError> {
    let rows = query(
        "SELECT * FROM custom_field WHERE merchant_id = ? AND structure_id = ? ORDER BY place, created_ms, field_id",
    )
    .bind(merchant_id)
    .bind(structure_id)
    .fetch_all(connection)
    .await?;
    rows.iter().map(field_of).collect()
}

fn structure_of(row: &Row) -> Result<StructureRow, StoreError> {
    Ok(StructureRow {
        structure_id: row.try_get("structure_id")?,
        document: document(row)?,
        created_ms: row.try_get("created_ms")?,
    })
}

fn field_of(row: &Row) -> Result<FieldRow, StoreError> {
    Ok(FieldRow {
        field_id: row.try_get("field_id")?,
        structure_id: row.try_get("structure_id")?,
        place: row.try_get("place")?,
        document: document(row)?,
        created_ms: row.try_get("created_ms")?,
    })
}

fn document(row: &Row) -> Result<Map<String, Value>, StoreError> {
    serde_json::from_str(row.try_get("document")?).map_err(|_| StoreError::Unreadable("structure"))
}

/// The default status of a structure.
pub const ACTIVE: &str = "ACTIVE";

/// The member of a structure that names the text for each reservation type.
pub const TEC_IDS: [(&str, ReservationType); 4] = [
    ("tecGuaranteedPenaltyId", ReservationType::GuaranteedPenalty),
    ("tecGuaranteedNoShowId", ReservationType::GuaranteedNoShow),
    ("tecRefundableId", ReservationType::PrepaidRefundable),
    ("tecNotRefundableId", ReservationType::PrepaidNotRefundable),
];
