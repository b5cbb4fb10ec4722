//! Removes a buyer's data. What a document holds afterwards is decided by the caller, who reads it here and writes it back.
//!
//! Money stays: amounts, times, results and ids are in columns and members that nothing here touches.

use super::{Connection, Row, StoreError, query};

/// The documents of an order that may hold data of its buyer.
pub struct OrderDocuments {
    /// The order as the merchant sent it.
    pub order: String,
    /// The reservation that it belongs to.
    pub reservation: Option<String>,
    /// The operations: id and document.
    pub operations: Vec<(String, String)>,
    /// The notifications: number and body.
    pub notifications: Vec<(i64, String)>,
    /// The addresses that a buyer returned to: of sessions and of pages.
    pub return_urls: Vec<ReturnUrls>,
}

/// Where a session or a page sends its buyer.
pub struct ReturnUrls {
    /// What it belongs to.
    pub of: UrlOwner,
    /// With a result.
    pub result_url: Option<String>,
    /// Without one.
    pub cancel_url: Option<String>,
}

/// What has addresses to return to.
pub enum UrlOwner {
    /// A session, by its hash.
    Session(String),
    /// A hosted page or link, by its id.
    Page(String),
}

/// Reads the documents of an order.
pub async fn documents(
    connection: &mut Connection,
    merchant_id: &str,
    order_id: &str,
) -> Result<OrderDocuments, StoreError> {
    let of_order = |sql| query(sql).bind(merchant_id).bind(order_id);
    let order =
        of_order("SELECT document FROM merchant_order WHERE merchant_id = ? AND order_id = ?")
            .fetch_optional(&mut *connection)
            .await?
            .ok_or(StoreError::Unreadable("order"))?;
    let reservation =
        of_order("SELECT document FROM reservation WHERE merchant_id = ? AND reservation_id = ?")
            .fetch_optional(&mut *connection)
            .await?;
    let operations = of_order(
        "SELECT operation_id, document FROM operation WHERE merchant_id = ? AND order_id = ? ORDER BY time_ms",
    )
    .fetch_all(&mut *connection)
    .await?;
    let notifications = of_order(
        "SELECT seq, body FROM notification WHERE merchant_id = ? AND order_id = ? ORDER BY seq",
    )
    .fetch_all(&mut *connection)
    .await?;
    let sessions = of_order(
        "SELECT session_hash AS owner, result_url, cancel_url FROM build_session WHERE merchant_id = ? AND order_id = ?",
    )
    .fetch_all(&mut *connection)
    .await?;
    let pages = of_order(
        "SELECT page_id AS owner, result_url, cancel_url FROM hosted_page WHERE merchant_id = ? AND order_id = ?",
    )
    .fetch_all(connection)
    .await?;
    let urls = |row: &Row, of: fn(String) -> UrlOwner| {
        Ok::<_, StoreError>(ReturnUrls {
            of: of(row.try_get("owner")?),
            result_url: row.try_get("result_url")?,
            cancel_url: row.try_get("cancel_url")?,
        })
    };
    let sessions = sessions.iter().map(|row| urls(row, UrlOwner::Session));
    let pages = pages.iter().map(|row| urls(row, UrlOwner::Page));
    Ok(OrderDocuments {
        order: order.try_get("document")?,
        reservation: reservation.map(|row| row.try_get("document")).transpose()?,
        operations: operations
            .iter()
            .map(|row| Ok((row.try_get("operation_id")?, row.try_get("document")?)))
            .collect::<Result<_, StoreError>>()?,
        notifications: notifications
            .iter()
            .map(|row| Ok((row.try_get("seq")?, row.try_get("body")?)))
            .collect::<Result<_, StoreError>>()?,
        return_urls: sessions.chain(pages).collect::<Result<_, StoreError>>()?,
    })
}

/// Writes the documents of an order without its buyer, deletes what belongs to the buyer alone, and marks the order.
pub async fn erase(
    change: &mut Connection,
    (merchant_id, order_id): (&str, &str),
    without_buyer: &OrderDocuments,
    now_ms: i64,
) -> Result<(), StoreError> {
    query("UPDATE merchant_order SET document = ?, erased_ms = ? WHERE merchant_id = ? AND order_id = ?")
        .bind(&without_buyer.order)
        .bind(now_ms)
        .bind(merchant_id)
        .bind(order_id)
        .execute(&mut *change)
        .await?;
    if let Some(document) = &without_buyer.reservation {
        query(
            "UPDATE reservation SET document = ?, custom_field = NULL, customer_name_key = '', customer_surname_key = '' \
             WHERE merchant_id = ? AND reservation_id = ?",
        )
        .bind(document)
        .bind(merchant_id)
        .bind(order_id)
        .execute(&mut *change)
        .await?;
    }
    for (operation_id, document) in &without_buyer.operations {
        query("UPDATE operation SET document = ?, description = NULL WHERE operation_id = ?")
            .bind(document)
            .bind(operation_id)
            .execute(&mut *change)
            .await?;
    }
    for (seq, body) in &without_buyer.notifications {
        query("UPDATE notification SET body = ? WHERE seq = ?")
            .bind(body)
            .bind(*seq)
            .execute(&mut *change)
            .await?;
    }
    for urls in &without_buyer.return_urls {
        let (sql, owner) = match &urls.of {
            UrlOwner::Session(hash) => (
                "UPDATE build_session SET result_url = ?, cancel_url = ? WHERE session_hash = ?",
                hash,
            ),
            UrlOwner::Page(page_id) => (
                "UPDATE hosted_page SET result_url = ?, cancel_url = ? WHERE page_id = ?",
                page_id,
            ),
        };
        query(sql)
            .bind(&urls.result_url)
            .bind(&urls.cancel_url)
            .bind(owner)
            .execute(&mut *change)
            .await?;
    }
    for sql in OF_BUYER_ALONE {
        query(sql)
            .bind(merchant_id)
            .bind(order_id)
            .execute(&mut *change)
            .await?;
    }
    Ok(())
}

/// Deletes a stored card.
pub async fn delete_contract(change: &mut Connection, key: i64) -> Result<(), StoreError> {
    query("DELETE FROM contract WHERE contract_key = ?")
        .bind(key)
        .execute(change)
        .await?;
    Ok(())
}

/// The next events of a merchant's feed behind a position, at most `most`: position and body.
pub async fn events(
    connection: &mut Connection,
    merchant_id: &str,
    behind: i64,
    most: u32,
) -> Result<Vec<(i64, String)>, StoreError> {
    let rows = query(
        "SELECT position, body FROM event WHERE merchant_id = ? AND position > ? ORDER BY position LIMIT ?",
    )
    .bind(merchant_id)
    .bind(behind)
    .bind(most)
    .fetch_all(connection)
    .await?;
    let read = |row: &Row| Ok((row.try_get("position")?, row.try_get("body")?));
    rows.iter().map(read).collect()
}

/// Replaces the body of an event.
pub async fn put_event(
    change: &mut Connection,
    (merchant_id, position): (&str, i64),
    body: &str,
) -> Result<(), StoreError> {
    query("UPDATE event SET body = ? WHERE merchant_id = ? AND position = ?")
        .bind(body)
        .bind(merchant_id)
        .bind(position)
        .execute(change)
        .await?;
    Ok(())
}

/// What is deleted of an order as it is. The values are the merchant and the order.
const OF_BUYER_ALONE: &[&str] = &[
    "DELETE FROM sealed_card WHERE session_hash IN (SELECT session_hash FROM build_session WHERE merchant_id = ? AND order_id = ?)",
    "DELETE FROM currency_offer WHERE session_hash IN (SELECT session_hash FROM build_session WHERE merchant_id = ? AND order_id = ?)",
    "DELETE FROM threeds_page WHERE session_hash IN (SELECT session_hash FROM build_session WHERE merchant_id = ? AND order_id = ?)",
    "DELETE FROM card_source WHERE session_hash IN (SELECT session_hash FROM build_session WHERE merchant_id = ? AND order_id = ?)",
    "UPDATE external_3ds SET return_url = NULL, validation = NULL WHERE session_hash IN \
     (SELECT session_hash FROM build_session WHERE merchant_id = ? AND order_id = ?)",
    "UPDATE reservation_charge SET description = NULL WHERE merchant_id = ? AND reservation_id = ?",
    "UPDATE order_fulfilment SET note = NULL WHERE merchant_id = ? AND order_id = ?",
    "UPDATE refund_request SET note = NULL WHERE merchant_id = ? AND order_id = ?",
    "DELETE FROM dispute_file WHERE dispute_id IN (SELECT dispute_id FROM dispute WHERE merchant_id = ? AND order_id = ?)",
    "UPDATE dispute SET sealed_evidence = NULL WHERE merchant_id = ? AND order_id = ?",
];
