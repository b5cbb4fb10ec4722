//! Finds what belongs to a buyer, and whether it may be erased now. [`super::erasure`] erases it.

use super::contracts::contract_of;
use super::{Connection, Row, StoreError, query, query_scalar};
use serde_json::{Map, Value};

/// An order, as the search for a text reads it.
pub struct ScannedOrder {
    /// The merchant's order.
    pub order_id: String,
    /// The order as the merchant sent it.
    pub document: Map<String, Value>,
    /// Its reservation, if it belongs to one.
    pub reservation: Option<Map<String, Value>>,
}

/// A stored card of a buyer, as it may be shown.
pub struct BuyerContract {
    /// Its place in the table.
    pub key: i64,
    /// The contract's id.
    pub contract_id: String,
    /// The code of its type.
    pub kind: &'static str,
    /// Whether it can be charged.
    pub is_active: bool,
    /// Network of the card.
    pub network: &'static str,
    /// The last four digits.
    pub last_four: String,
    /// When the card expires, as `YYYYMM`.
    pub expiry: String,
    /// When it was created.
    pub created_ms: i64,
}

/// What decides whether the data of an order's buyer may be erased.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderActivity {
    /// A form of it is open, or a payment is on its way.
    pub is_being_paid: bool,
    /// An operation has no final result, or money is held that is neither captured nor released.
    pub has_open_money: bool,
    /// A hosted page or a link can still be paid.
    pub has_open_page: bool,
    /// A dispute is not decided.
    pub is_disputed: bool,
    /// The check-out of its reservation, unless that is cancelled.
    pub stays_until_ms: Option<i64>,
    /// A card that it stored is being charged.
    pub is_card_in_use: bool,
    /// When the data of its buyer was erased, if it was.
    pub erased_ms: Option<i64>,
}

/// The orders of a merchant that name this customer.
pub async fn orders_of_customer(
    connection: &mut Connection,
    merchant_id: &str,
    customer_id: &str,
) -> Result<Vec<String>, StoreError> {
    let mut orders: Vec<String> = query_scalar(
        "SELECT order_id FROM merchant_order WHERE merchant_id = ? AND customer_id = ?",
    )
    .bind(merchant_id)
    .bind(customer_id)
    .fetch_all(connection)
    .await?;
    // Not by the database: SQLite would go through all orders to have them in order.
    orders.sort_unstable();
    Ok(orders)
}

/// The next orders of a merchant behind `after`, in the order of their ids, at most `most`.
pub async fn scan(
    connection: &mut Connection,
    merchant_id: &str,
    after: &str,
    most: u32,
) -> Result<Vec<ScannedOrder>, StoreError> {
    let rows = query(
        "SELECT m.order_id, m.document, r.document AS stay FROM merchant_order m \
         LEFT JOIN reservation r ON r.merchant_id = m.merchant_id AND r.reservation_id = m.order_id \
         WHERE m.merchant_id = ? AND m.order_id > ? ORDER BY m.order_id LIMIT ?",
    )
    .bind(merchant_id)
    .bind(after)
    .bind(most)
    .fetch_all(connection)
    .await?;
    let read = |row: &Row| {
        let stay: Option<&str> = row.try_get("stay")?;
        Ok(ScannedOrder {
            order_id: row.try_get("order_id")?,
            document: object(row.try_get("document")?)?,
            reservation: stay.map(object).transpose()?,
        })
    };
    rows.iter().map(read).collect()
}

/// The cards that a customer, or the payments of an order, stored. Contracts of reservations are among those of orders.
pub async fn contracts(
    connection: &mut Connection,
    merchant_id: &str,
    customer_id: Option<&str>,
    order_id: Option<&str>,
) -> Result<Vec<BuyerContract>, StoreError> {
    let mut found = Vec::new();
    if let Some(customer_id) = customer_id {
        let of_customer = query(
            "SELECT * FROM contract WHERE merchant_id = ? AND customer_id = ? ORDER BY contract_key",
        );
        let of_customer = of_customer.bind(merchant_id).bind(customer_id);
        found.extend(of_customer.fetch_all(&mut *connection).await?);
    }
    if let Some(order_id) = order_id {
        let of_order = query(
            "SELECT * FROM contract WHERE card_from IN \
             (SELECT operation_id FROM operation WHERE merchant_id = ? AND order_id = ?) ORDER BY contract_key",
        );
        let of_order = of_order.bind(merchant_id).bind(order_id);
        found.extend(of_order.fetch_all(connection).await?);
    }
    let read = |row: &Row| {
        let contract = contract_of(row)?;
        Ok(BuyerContract {
            key: row.try_get("contract_key")?,
            kind: contract.rules.kind.code(),
            is_active: contract.is_active,
            network: contract.card.network.code(),
            last_four: contract.card.last4,
            expiry: contract.card.expiry.yyyymm(),
            created_ms: row.try_get("created_ms")?,
            contract_id: contract.contract_id,
        })
    };
    found.iter().map(read).collect()
}

/// Whether one of these contracts is being charged, or gets another card.
pub async fn is_contract_in_use(
    connection: &mut Connection,
    merchant_id: &str,
    contract_id: &str,
) -> Result<bool, StoreError> {
    let in_use = query_scalar(
        "SELECT EXISTS (SELECT 1 FROM contract_change WHERE merchant_id = ? AND contract_id = ?)",
    )
    .bind(merchant_id)
    .bind(contract_id)
    .fetch_one(connection)
    .await?;
    Ok(in_use)
}

/// What goes on with an order at `now_ms`. `None`: there is no such order.
pub async fn activity(
    connection: &mut Connection,
    (merchant_id, order_id): (&str, &str),
    now_ms: i64,
) -> Result<Option<OrderActivity>, StoreError> {
    let row = query(
        "SELECT m.erased_ms, \
         CASE WHEN EXISTS (SELECT 1 FROM build_session s WHERE s.merchant_id = m.merchant_id AND s.order_id = m.order_id \
              AND s.state NOT IN ('COMPLETE', 'CANCELLED', 'DEAD')) THEN 1 ELSE 0 END AS is_being_paid, \
         CASE WHEN m.authorized_minor > m.captured_minor OR EXISTS (SELECT 1 FROM operation o \
              WHERE o.merchant_id = m.merchant_id AND o.order_id = m.order_id \
              AND (o.result = 'PENDING' OR o.stage = 'ASKING')) THEN 1 ELSE 0 END AS has_open_money, \
         CASE WHEN EXISTS (SELECT 1 FROM hosted_page p WHERE p.merchant_id = m.merchant_id AND p.order_id = m.order_id \
              AND p.status = 'ACTIVE' AND p.ends_ms > ?3) THEN 1 ELSE 0 END AS has_open_page, \
         CASE WHEN EXISTS (SELECT 1 FROM dispute d WHERE d.merchant_id = m.merchant_id AND d.order_id = m.order_id \
              AND d.state IN ('NEEDS_RESPONSE', 'UNDER_REVIEW')) THEN 1 ELSE 0 END AS is_disputed, \
         CASE WHEN EXISTS (SELECT 1 FROM contract c JOIN contract_change x ON x.merchant_id = c.merchant_id AND x.contract_id = c.contract_id \
              WHERE c.card_from IN (SELECT o.operation_id FROM operation o WHERE o.merchant_id = m.merchant_id AND o.order_id = m.order_id)) \
              THEN 1 ELSE 0 END AS is_card_in_use, \
         (SELECT r.check_out_ms FROM reservation r WHERE r.merchant_id = m.merchant_id AND r.reservation_id = m.order_id \
              AND r.cancelled_ms IS NULL) AS stays_until_ms \
         FROM merchant_order m WHERE m.merchant_id = ?1 AND m.order_id = ?2",
    )
    .bind(merchant_id)
    .bind(order_id)
    .bind(now_ms)
    .fetch_optional(connection)
    .await?;
    let read = |row: Row| {
        let is = |column| Ok::<bool, sqlx::Error>(row.try_get::<i32>(column)? != 0);
        Ok(OrderActivity {
            is_being_paid: is("is_being_paid")?,
            has_open_money: is("has_open_money")?,
            has_open_page: is("has_open_page")?,
            is_disputed: is("is_disputed")?,
            stays_until_ms: row.try_get("stays_until_ms")?,
            is_card_in_use: is("is_card_in_use")?,
            erased_ms: row.try_get("erased_ms")?,
        })
    };
    row.map(read).transpose()
}

/// When the data of an order's buyer was erased. `None`: it was not.
pub async fn erased_ms(
    connection: &mut Connection,
    merchant_id: &str,
    order_id: &str,
) -> Result<Option<i64>, StoreError> {
    let erased: Option<Option<i64>> =
        query_scalar("SELECT erased_ms FROM merchant_order WHERE merchant_id = ? AND order_id = ?")
            .bind(merchant_id)
            .bind(order_id)
            .fetch_optional(connection)
            .await?;
    Ok(erased.flatten())
}

fn object(document: &str) -> Result<Map<String, Value>, StoreError> {
    serde_json::from_str(document).map_err(|_| StoreError::Unreadable("order"))
}

/// A session of an order, as an export shows it.
pub struct BuyerSession {
    /// When it was created.
    pub created_ms: i64,
    /// The last sign of the buyer.
    pub last_seen_ms: i64,
    /// The name of its state.
    pub state: String,
    /// Three letters.
    pub language: String,
    /// How the payment came.
    pub channel: String,
    /// The page of the merchant that showed it.
    pub merchant_origin: String,
}

/// The sessions of an order, oldest first.
pub async fn sessions(
    connection: &mut Connection,
    merchant_id: &str,
    order_id: &str,
) -> Result<Vec<BuyerSession>, StoreError> {
    let rows = query(
        "SELECT created_ms, last_seen_ms, state, language, channel_detail, merchant_origin FROM build_session \
         WHERE merchant_id = ? AND order_id = ? ORDER BY created_ms",
    )
    .bind(merchant_id)
    .bind(order_id)
    .fetch_all(connection)
    .await?;
    let read = |row: &Row| {
        Ok(BuyerSession {
            created_ms: row.try_get("created_ms")?,
            last_seen_ms: row.try_get("last_seen_ms")?,
            state: row.try_get("state")?,
            language: row.try_get("language")?,
            channel: row.try_get("channel_detail")?,
            merchant_origin: row.try_get("merchant_origin")?,
        })
    };
    rows.iter().map(read).collect()
}
