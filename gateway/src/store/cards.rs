//! Sealed cards, and currency offers made for their first digits.

use super::{Connection, StoreProblem, amount, minor};
use crate::domain::offer::AcceptedOffer;
use payframe_checkout::money::Amount;
use sqlx::Row;

/// An offer that was made.
pub(crate) struct OfferRow {
    pub(crate) offer_id: String,
    pub(crate) session_hash: String,
    /// The eight first digits that it was made for.
    pub(crate) bin: String,
    /// The amount in the merchant's currency that it was made for.
    pub(crate) merchant_amount: Amount,
    pub(crate) offer: AcceptedOffer,
    /// The buyer took it once: it does not run out any more.
    pub(crate) accepted: bool,
    pub(crate) expires_ms: i64,
}

/// Keeps a session's card, in place of the one before.
pub(crate) async fn keep(
    connection: &mut Connection,
    session_hash: &str,
    sealed: &[u8],
) -> Result<(), StoreProblem> {
    sqlx::query(
        "INSERT INTO sealed_card (session_hash, sealed) VALUES (?, ?) \
         ON CONFLICT (session_hash) DO UPDATE SET sealed = excluded.sealed",
    )
    .bind(session_hash)
    .bind(sealed)
    .execute(connection)
    .await?;
    Ok(())
}

/// A session's card.
pub(crate) async fn find(
    connection: &mut Connection,
    session_hash: &str,
) -> Result<Option<Vec<u8>>, StoreProblem> {
    let sealed = sqlx::query_scalar("SELECT sealed FROM sealed_card WHERE session_hash = ?")
        .bind(session_hash)
        .fetch_optional(connection)
        .await?;
    Ok(sealed)
}

/// Forgets a session's card.
pub(crate) async fn forget(
    connection: &mut Connection,
    session_hash: &str,
) -> Result<(), StoreProblem> {
    sqlx::query("DELETE FROM sealed_card WHERE session_hash = ?")
        .bind(session_hash)
        .execute(connection)
        .await?;
    Ok(())
}

/// Keeps an offer.
pub(crate) async fn keep_offer(
    connection: &mut Connection,
    row: &OfferRow,
) -> Result<(), StoreProblem> {
    sqlx::query(
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

/// The buyer took this offer: it does not run out any more.
pub(crate) async fn accept_offer(
    connection: &mut Connection,
    session_hash: &str,
    offer_id: &str,
) -> Result<(), StoreProblem> {
    sqlx::query("UPDATE currency_offer SET accepted = 1 WHERE offer_id = ? AND session_hash = ?")
        .bind(offer_id)
        .bind(session_hash)
        .execute(connection)
        .await?;
    Ok(())
}

/// An offer that was made to this session.
pub(crate) async fn find_offer(
    connection: &mut Connection,
    session_hash: &str,
    offer_id: &str,
) -> Result<Option<OfferRow>, StoreProblem> {
    let row = sqlx::query("SELECT * FROM currency_offer WHERE offer_id = ? AND session_hash = ?")
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
        accepted: row.try_get("accepted")?,
    }))
}
