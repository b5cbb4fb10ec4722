//! Encrypted cards, and currency offers for their first digits.

use super::sessions::SessionRow;
use super::{Connection, StoreError, amount, minor, query};
use payframe_money::Amount;
use payframe_payment_domain::offer::AcceptedOffer;

/// A currency offer.
pub struct OfferRow {
    /// Its id.
    pub offer_id: String,
    /// The hash of its session's id.
    pub session_hash: String,
    /// The first eight digits of the card.
    pub bin: String,
    /// The amount in the merchant's currency.
    pub merchant_amount: Amount,
    /// The content of the offer.
    pub offer: AcceptedOffer,
    /// Whether the buyer has accepted it once. An accepted offer does not expire.
    pub accepted: bool,
    /// When it expires.
    pub expires_ms: i64,
}

/// Stores a session's card, and replaces the previous one.
pub fn keep(connection: &mut Connection, row: &mut SessionRow, encrypted: Vec<u8>) {
    connection
        .enqueue(
            "INSERT INTO sealed_card (session_hash, sealed) VALUES (?, ?) \
             ON CONFLICT (session_hash) DO UPDATE SET sealed = excluded.sealed",
        )
        .bind(&row.hash)
        .bind(&encrypted);
    row.encrypted_card = Some(encrypted);
}

/// Deletes a session's card.
pub fn forget(connection: &mut Connection, row: &mut SessionRow) {
    connection
        .enqueue("DELETE FROM sealed_card WHERE session_hash = ?")
        .bind(&row.hash);
    row.encrypted_card = None;
}

/// Stores an offer.
pub async fn keep_offer(connection: &mut Connection, row: &OfferRow) -> Result<(), StoreError> {
    query(
        "INSERT INTO currency_offer (offer_id, session_hash, bin, amount_minor, currency, exchange_rate, \
         merchant_amount_minor, expires_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(&row.offer_id)
    .bind(&row.session_hash)
    .bind(&row.bin)
    .bind(minor(row.offer.amount))
    .bind(&row.offer.currency)
    .bind(&row.offer.exchange_rate)
    .bind(minor(row.merchant_amount))
    .bind(row.expires_ms)
    .execute(connection)
    .await?;
    Ok(())
}

/// Marks an offer as accepted: it does not expire any more.
pub fn accept_offer(connection: &mut Connection, session_hash: &str, offer_id: &str) {
    connection
        .enqueue("UPDATE currency_offer SET accepted = 1 WHERE offer_id = ? AND session_hash = ?")
        .bind(offer_id)
        .bind(session_hash);
}

/// Withdraws every offer of a session, because they were made for another sum.
pub fn withdraw_offers(connection: &mut Connection, session_hash: &str) {
    connection
        .enqueue("DELETE FROM currency_offer WHERE session_hash = ?")
        .bind(session_hash);
}

/// An offer of this session.
pub async fn find_offer(
    connection: &mut Connection,
    session_hash: &str,
    offer_id: &str,
) -> Result<Option<OfferRow>, StoreError> {
    let row = query("SELECT * FROM currency_offer WHERE offer_id = ? AND session_hash = ?")
        .bind(offer_id)
        .bind(session_hash)
        .fetch_optional(connection)
        .await?;
    let Some(row) = row else { return Ok(None) };
    Ok(Some(OfferRow {
        offer_id: row.try_get("offer_id")?,
        session_hash: row.try_get("session_hash")?,
        bin: row.try_get("bin")?,
        merchant_amount: amount(row.try_get("merchant_amount_minor")?)?,
        offer: AcceptedOffer {
            amount: amount(row.try_get("amount_minor")?)?,
            currency: row.try_get("currency")?,
            exchange_rate: row.try_get("exchange_rate")?,
        },
        expires_ms: row.try_get("expires_ms")?,
        accepted: row.try_get::<i64>("accepted")? != 0,
    }))
}
