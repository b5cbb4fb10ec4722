//! Reservations, and their charges.

use super::{Connection, Row, StoreError, Window, amount, listed, minor, query};
use payframe_money::Amount;
use payframe_payment_domain::operation::OperationResult;
use payframe_payment_domain::reservation::ReservationType;
use payframe_payment_domain::reservation::agreement::Charged;
use payframe_payment_domain::reservation::charges::Charge;
use serde_json::{Map, Value};

/// A reservation.
#[derive(Clone, Debug)]
pub struct ReservationRow {
    /// The merchant of the reservation.
    pub merchant_id: String,
    /// The reservation's id.
    pub reservation_id: String,
    /// The terminal of the structure at the time of the creation.
    pub terminal_id: String,
    /// The structure's id.
    pub structure_id: String,
    /// Its type.
    pub kind: ReservationType,
    /// The texts that the buyer must accept.
    pub text_ids: Vec<String>,
    /// The validated document, as the merchant sent it.
    pub document: Map<String, Value>,
    /// The first instant of the check-in date, and of the check-out date.
    pub days_ms: (i64, i64),
    /// When it was created.
    pub created_ms: i64,
    /// When it was cancelled, if it was.
    pub cancelled_ms: Option<i64>,
}

/// A filter for reservations. `None` does not filter.
pub struct ReservationFilter<'a> {
    /// The reservation's id.
    pub reservation_id: Option<&'a str>,
    /// The time that the period refers to.
    pub by: ListedBy,
    /// The merchant's custom field.
    pub custom_field: Option<&'a str>,
    /// Its type.
    pub kind: Option<&'a str>,
    /// The start of the structure's name. These three filters ignore the letter case.
    pub structure_name: Option<&'a str>,
    /// The start of the customer's first name.
    pub customer_name: Option<&'a str>,
    /// The start of the customer's last name.
    pub customer_surname: Option<&'a str>,
}

/// The time by which a list is filtered and sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListedBy {
    /// The creation.
    Creation,
    /// The start of the stay.
    CheckIn,
    /// The end of the stay.
    CheckOut,
}

/// A charge before its request.
pub struct NewCharge<'a> {
    /// The operation.
    pub operation_id: &'a str,
    /// The merchant of the reservation.
    pub merchant_id: &'a str,
    /// The reservation's id.
    pub reservation_id: &'a str,
    /// The kind of charge.
    pub charge: Charge,
    /// The amount.
    pub amount: Amount,
    /// The number of the installment, if the gateway starts the charge itself.
    pub part: Option<usize>,
    /// The merchant's description.
    pub description: Option<&'a str>,
}

/// Writes a new reservation.
pub async fn add(connection: &mut Connection, row: &ReservationRow) -> Result<(), StoreError> {
    let text = |name: &str| row.document.get(name).and_then(Value::as_str);
    let key = |name: &str| text(name).unwrap_or_default().to_lowercase();
    query(
        "INSERT INTO reservation (merchant_id, reservation_id, terminal_id, structure_id, reservation_type, text_ids, document, \
         custom_field, customer_name_key, customer_surname_key, check_in_ms, check_out_ms, created_ms) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(&row.merchant_id)
    .bind(&row.reservation_id)
    .bind(&row.terminal_id)
    .bind(&row.structure_id)
    .bind(row.kind.code())
    .bind(row.text_ids.join(","))
    .bind(Value::Object(row.document.clone()).to_string())
    .bind(text("customField"))
    .bind(key("customerName"))
    .bind(key("customerSurname"))
    .bind(row.days_ms.0)
    .bind(row.days_ms.1)
    .bind(row.created_ms)
    .execute(connection)
    .await?;
    Ok(())
}

/// A merchant's reservation.
pub async fn find(
    connection: &mut Connection,
    merchant_id: &str,
    reservation_id: &str,
) -> Result<Option<ReservationRow>, StoreError> {
    let row = query("SELECT * FROM reservation WHERE merchant_id = ? AND reservation_id = ?")
        .bind(merchant_id)
        .bind(reservation_id)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(reservation_of).transpose()
}

/// The list of reservations by one of their times, each of which has an index.
macro_rules! listed_by {
    ($time:literal) => {
        concat!(
            "SELECT r.* FROM reservation r \
             JOIN structure s ON s.merchant_id = r.merchant_id AND s.structure_id = r.structure_id \
             WHERE r.merchant_id = ?1 AND r.", $time, " >= ?2 AND r.", $time, " < ?3 \
             AND (?4 IS NULL OR r.reservation_id = ?4) AND (?5 IS NULL OR r.custom_field = ?5) \
             AND (?6 IS NULL OR r.reservation_type = ?6) \
             AND (?7 IS NULL OR SUBSTR(s.name_key, 1, LENGTH(?7)) = ?7) \
             AND (?8 IS NULL OR SUBSTR(r.customer_name_key, 1, LENGTH(?8)) = ?8) \
             AND (?9 IS NULL OR SUBSTR(r.customer_surname_key, 1, LENGTH(?9)) = ?9) \
             ORDER BY r.", $time, " DESC, r.created_ms DESC LIMIT ?10"
        )
    };
}

/// A merchant's reservations, in descending order of the time that the list refers to.
pub async fn list(
    connection: &mut Connection,
    merchant_id: &str,
    filter: &ReservationFilter<'_>,
    window: Window,
) -> Result<Vec<ReservationRow>, StoreError> {
    let key = |name: Option<&str>| name.map(str::to_lowercase);
    let rows = query(match filter.by {
        ListedBy::Creation => listed_by!("created_ms"),
        ListedBy::CheckIn => listed_by!("check_in_ms"),
        ListedBy::CheckOut => listed_by!("check_out_ms"),
    })
    .bind(merchant_id)
    .bind(window.from_ms)
    .bind(window.to_ms)
    .bind(filter.reservation_id)
    .bind(filter.custom_field)
    .bind(filter.kind)
    .bind(key(filter.structure_name))
    .bind(key(filter.customer_name))
    .bind(key(filter.customer_surname))
    .bind(window.max_records)
    .fetch_all(connection)
    .await?;
    rows.iter().map(reservation_of).collect()
}

/// Marks a reservation as cancelled.
pub async fn cancel(
    connection: &mut Connection,
    merchant_id: &str,
    reservation_id: &str,
    now_ms: i64,
) -> Result<(), StoreError> {
    query(
        "UPDATE reservation SET cancelled_ms = ? WHERE merchant_id = ? AND reservation_id = ? AND cancelled_ms IS NULL",
    )
    .bind(now_ms)
    .bind(merchant_id)
    .bind(reservation_id)
    .execute(connection)
    .await?;
    Ok(())
}

/// Writes a charge before it is requested from the acquirer.
pub async fn add_charge(
    connection: &mut Connection,
    new: &NewCharge<'_>,
) -> Result<(), StoreError> {
    let part = new.part.and_then(|part| i64::try_from(part).ok());
    query(
        "INSERT INTO reservation_charge (operation_id, merchant_id, reservation_id, kind, amount_minor, part, description) \
         VALUES (?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(new.operation_id)
    .bind(new.merchant_id)
    .bind(new.reservation_id)
    .bind(new.charge.code())
    .bind(minor(new.amount))
    .bind(part)
    .bind(new.description)
    .execute(connection)
    .await?;
    Ok(())
}

/// The charges of a reservation beside its first payment. A charge without an operation is in progress.
pub async fn charges(
    connection: &mut Connection,
    merchant_id: &str,
    reservation_id: &str,
) -> Result<Vec<Charged>, StoreError> {
    let rows = query(
        "SELECT c.kind, c.amount_minor, c.part, o.result FROM reservation_charge c \
         LEFT JOIN operation o ON o.operation_id = c.operation_id \
         WHERE c.merchant_id = ? AND c.reservation_id = ?",
    )
    .bind(merchant_id)
    .bind(reservation_id)
    .fetch_all(connection)
    .await?;
    let unreadable = || StoreError::Unreadable("reservation charge");
    rows.iter()
        .map(|row| {
            let result: Option<&str> = row.try_get("result")?;
            let result = result
                .map(|code| OperationResult::from_code(code).ok_or_else(unreadable))
                .transpose()?;
            let part: Option<i64> = row.try_get("part")?;
            Ok(Charged {
                charge: Charge::from_code(row.try_get("kind")?).ok_or_else(unreadable)?,
                amount: amount(row.try_get("amount_minor")?)?,
                part: part.and_then(|part| usize::try_from(part).ok()),
                counts: result.is_none_or(OperationResult::holds_the_order),
            })
        })
        .collect()
}

/// Writes the dates of the installments that the gateway charges itself.
pub async fn put_parts(
    connection: &mut Connection,
    row: &ReservationRow,
    parts: &[(usize, i64)],
) -> Result<(), StoreError> {
    for (part, due_ms) in parts {
        query(
            "INSERT INTO reservation_part (merchant_id, reservation_id, part, due_ms) VALUES (?, ?, ?, ?)",
        )
        .bind(&row.merchant_id)
        .bind(&row.reservation_id)
        .bind(i64::try_from(*part).unwrap_or(i64::MAX))
        .bind(*due_ms)
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

/// The reservations with an installment that is due by `now_ms`: merchant and reservation. Only paid reservations that are not cancelled.
pub async fn with_due_parts(
    connection: &mut Connection,
    now_ms: i64,
) -> Result<Vec<(String, String)>, StoreError> {
    let rows = query(
        "SELECT DISTINCT p.merchant_id, p.reservation_id FROM reservation_part p \
         JOIN reservation r ON r.merchant_id = p.merchant_id AND r.reservation_id = p.reservation_id \
         JOIN merchant_order m ON m.merchant_id = p.merchant_id AND m.order_id = p.reservation_id \
         JOIN operation o ON o.operation_id = m.payment_operation_id \
         WHERE p.due_ms <= ? AND r.cancelled_ms IS NULL AND o.result IN ('AUTHORIZED', 'EXECUTED') LIMIT 500",
    )
    .bind(now_ms)
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| Ok((row.try_get("merchant_id")?, row.try_get("reservation_id")?)))
        .collect()
}

/// Marks an installment as tried.
pub async fn drop_part(
    connection: &mut Connection,
    merchant_id: &str,
    reservation_id: &str,
    part: usize,
) -> Result<(), StoreError> {
    query("DELETE FROM reservation_part WHERE merchant_id = ? AND reservation_id = ? AND part = ?")
        .bind(merchant_id)
        .bind(reservation_id)
        .bind(i64::try_from(part).unwrap_or(i64::MAX))
        .execute(connection)
        .await?;
    Ok(())
}

fn reservation_of(row: &Row) -> Result<ReservationRow, StoreError> {
    let unreadable = || StoreError::Unreadable("reservation");
    let document: &str = row.try_get("document")?;
    Ok(ReservationRow {
        merchant_id: row.try_get("merchant_id")?,
        reservation_id: row.try_get("reservation_id")?,
        terminal_id: row.try_get("terminal_id")?,
        structure_id: row.try_get("structure_id")?,
        kind: ReservationType::from_code(row.try_get("reservation_type")?)
            .ok_or_else(unreadable)?,
        text_ids: listed(row.try_get("text_ids")?),
        document: serde_json::from_str(document).map_err(|_| unreadable())?,
        days_ms: (row.try_get("check_in_ms")?, row.try_get("check_out_ms")?),
        created_ms: row.try_get("created_ms")?,
        cancelled_ms: row.try_get("cancelled_ms")?,
    })
}
