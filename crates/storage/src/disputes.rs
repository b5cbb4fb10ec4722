//! Disputes of captured payments, with the merchants' evidence ([`super::dispute_files`] has its files). The rules are in
//! [`payframe_payment_domain::dispute`].

use super::{Connection, Row, StoreError, amount, minor, query};
use payframe_money::Amount;
use payframe_payment_domain::dispute::{
    DisputeCategory, DisputeKind, DisputeState, DisputedMoney, Standing,
};

/// A dispute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DisputeRow {
    /// Its id.
    pub dispute_id: String,
    /// The merchant.
    pub merchant_id: String,
    /// The terminal of the operation.
    pub terminal_id: String,
    /// The merchant's order.
    pub order_id: String,
    /// The operation whose captured money is disputed.
    pub operation_id: String,
    /// The first operation of its payment.
    pub payment_id: String,
    /// The acquirer's own number of the case.
    pub reference: Option<String>,
    /// Why, in plain words.
    pub category: DisputeCategory,
    /// Why, as the network writes it.
    pub reason_code: String,
    /// The disputed money.
    pub amount: Amount,
    /// Its currency.
    pub currency: String,
    /// Kind, state and deadline.
    pub standing: Standing,
    /// When it was opened.
    pub opened_ms: i64,
    /// When its standing last changed.
    pub changed_ms: i64,
    /// The evidence that was submitted last.
    pub evidence: Option<SubmittedEvidence>,
}

/// The texts of evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubmittedEvidence {
    /// When it was submitted.
    pub submitted_ms: i64,
    /// Its texts, encrypted.
    pub encrypted: Vec<u8>,
}

/// A filter for disputes. `None` does not filter.
#[derive(Clone, Copy, Debug, Default)]
pub struct DisputeFilter<'a> {
    /// The state.
    pub state: Option<DisputeState>,
    /// The merchant's order.
    pub order_id: Option<&'a str>,
}

/// Writes a new dispute. `false`: the merchant has one with this reference.
pub async fn add(connection: &mut Connection, dispute: &DisputeRow) -> Result<bool, StoreError> {
    let added = query(
        "INSERT INTO dispute (dispute_id, merchant_id, terminal_id, order_id, operation_id, payment_id, reference, kind, category, \
         reason_code, amount, currency, state, opened_ms, deadline_ms, changed_ms) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (merchant_id, reference) DO NOTHING",
    )
    .bind(&dispute.dispute_id)
    .bind(&dispute.merchant_id)
    .bind(&dispute.terminal_id)
    .bind(&dispute.order_id)
    .bind(&dispute.operation_id)
    .bind(&dispute.payment_id)
    .bind(&dispute.reference)
    .bind(dispute.standing.kind.code())
    .bind(dispute.category.code())
    .bind(&dispute.reason_code)
    .bind(minor(dispute.amount))
    .bind(&dispute.currency)
    .bind(dispute.standing.state.code())
    .bind(dispute.opened_ms)
    .bind(dispute.standing.deadline_ms)
    .bind(dispute.changed_ms)
    .execute(connection)
    .await?;
    Ok(added > 0)
}

/// A dispute of any merchant.
pub async fn find(
    connection: &mut Connection,
    dispute_id: &str,
) -> Result<Option<DisputeRow>, StoreError> {
    let row = query("SELECT * FROM dispute WHERE dispute_id = ?")
        .bind(dispute_id)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read).transpose()
}

/// A dispute of a merchant.
pub async fn of_merchant(
    connection: &mut Connection,
    merchant_id: &str,
    dispute_id: &str,
) -> Result<Option<DisputeRow>, StoreError> {
    let found = find(connection, dispute_id).await?;
    Ok(found.filter(|dispute| dispute.merchant_id == merchant_id))
}

/// The disputes of a merchant behind another one, newest first, at most `most`.
pub async fn list(
    connection: &mut Connection,
    merchant_id: &str,
    filter: &DisputeFilter<'_>,
    after: Option<&DisputeRow>,
    most: u32,
) -> Result<Vec<DisputeRow>, StoreError> {
    macro_rules! listed_where {
        ($where:literal) => {
            concat!(
                "SELECT * FROM dispute WHERE merchant_id = ?1 AND ",
                $where,
                " AND (?2 IS NULL OR state = ?2) AND (?3 IS NULL OR order_id = ?3) \
                 AND (opened_ms, dispute_id) < (?4, ?5) ORDER BY opened_ms DESC, dispute_id DESC LIMIT ?6"
            )
        };
    }
    let rows = query(match filter {
        DisputeFilter {
            order_id: Some(_), ..
        } => listed_where!("order_id = ?3"),
        DisputeFilter { state: Some(_), .. } => listed_where!("state = ?2"),
        DisputeFilter { .. } => listed_where!("dispute_id IS NOT NULL"),
    })
    .bind(merchant_id)
    .bind(filter.state.map(DisputeState::code))
    .bind(filter.order_id)
    .bind(after.map_or(i64::MAX, |after| after.opened_ms))
    .bind(after.map_or("", |after| after.dispute_id.as_str()))
    .bind(most)
    .fetch_all(connection)
    .await?;
    rows.iter().map(read).collect()
}

/// The disputes of an order, newest first.
pub async fn of_order(
    connection: &mut Connection,
    merchant_id: &str,
    order_id: &str,
) -> Result<Vec<DisputeRow>, StoreError> {
    let rows = query(
        "SELECT * FROM dispute WHERE merchant_id = ? AND order_id = ? ORDER BY opened_ms DESC, dispute_id DESC LIMIT ?",
    )
    .bind(merchant_id)
    .bind(order_id)
    .bind(MOST_OF_ORDER)
    .fetch_all(connection)
    .await?;
    rows.iter().map(read).collect()
}

/// The money of a payment that disputes hold or took: the id of the capture and the amount of each.
pub async fn held_of_payment(
    connection: &mut Connection,
    payment_id: &str,
) -> Result<Vec<(String, Amount)>, StoreError> {
    let rows = query("SELECT * FROM dispute WHERE payment_id = ?")
        .bind(payment_id)
        .fetch_all(connection)
        .await?;
    let disputes = rows.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let holding = disputes
        .into_iter()
        .filter(|dispute| dispute.standing.money() != DisputedMoney::Free);
    Ok(holding
        .map(|dispute| (dispute.operation_id, dispute.amount))
        .collect())
}

/// The disputes whose deadline has passed without an answer, the earliest first.
pub async fn due(connection: &mut Connection, now_ms: i64) -> Result<Vec<DisputeRow>, StoreError> {
    let rows = query(
        "SELECT * FROM dispute WHERE state = 'NEEDS_RESPONSE' AND deadline_ms <= ? ORDER BY deadline_ms LIMIT 500",
    )
    .bind(now_ms)
    .fetch_all(connection)
    .await?;
    rows.iter().map(read).collect()
}

/// Writes where a dispute stands from now on.
pub async fn put_standing(
    connection: &mut Connection,
    dispute_id: &str,
    standing: Standing,
    now_ms: i64,
) -> Result<(), StoreError> {
    query(
        "UPDATE dispute SET kind = ?, state = ?, deadline_ms = ?, changed_ms = ? WHERE dispute_id = ?",
    )
    .bind(standing.kind.code())
    .bind(standing.state.code())
    .bind(standing.deadline_ms)
    .bind(now_ms)
    .bind(dispute_id)
    .execute(connection)
    .await?;
    Ok(())
}

/// Writes the evidence that was submitted.
pub async fn put_evidence(
    connection: &mut Connection,
    dispute_id: &str,
    evidence: &SubmittedEvidence,
) -> Result<(), StoreError> {
    query("UPDATE dispute SET submitted_ms = ?, sealed_evidence = ? WHERE dispute_id = ?")
        .bind(evidence.submitted_ms)
        .bind(evidence.encrypted.clone())
        .bind(dispute_id)
        .execute(connection)
        .await?;
    Ok(())
}

fn read(row: &Row) -> Result<DisputeRow, StoreError> {
    let unreadable = || StoreError::Unreadable("dispute");
    let submitted_ms: Option<i64> = row.try_get("submitted_ms")?;
    let encrypted: Option<Vec<u8>> = row.try_get("sealed_evidence")?;
    Ok(DisputeRow {
        dispute_id: row.try_get("dispute_id")?,
        merchant_id: row.try_get("merchant_id")?,
        terminal_id: row.try_get("terminal_id")?,
        order_id: row.try_get("order_id")?,
        operation_id: row.try_get("operation_id")?,
        payment_id: row.try_get("payment_id")?,
        reference: row.try_get("reference")?,
        category: DisputeCategory::from_code(row.try_get("category")?).ok_or_else(unreadable)?,
        reason_code: row.try_get("reason_code")?,
        amount: amount(row.try_get("amount")?)?,
        currency: row.try_get("currency")?,
        standing: Standing {
            kind: DisputeKind::from_code(row.try_get("kind")?).ok_or_else(unreadable)?,
            state: DisputeState::from_code(row.try_get("state")?).ok_or_else(unreadable)?,
            deadline_ms: row.try_get("deadline_ms")?,
        },
        opened_ms: row.try_get("opened_ms")?,
        changed_ms: row.try_get("changed_ms")?,
        evidence: submitted_ms
            .zip(encrypted)
            .map(|(submitted_ms, encrypted)| SubmittedEvidence {
                submitted_ms,
                encrypted,
            }),
    })
}

/// Each of them needs captured money of its own, or is an inquiry.
const MOST_OF_ORDER: u32 = 500;
