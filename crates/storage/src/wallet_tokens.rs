//! Tokens of wallets that have begun a payment: each is for one order.
//!
//! A row lives as long as its token could come again ([`super::retention`] deletes it). It has a hash of what the wallet has signed, which
//! says nothing of the card.

use super::{Connection, StoreError, query};

/// A token that begins a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpentToken<'a> {
    /// What tells the token from others.
    pub token_hash: &'a str,
    /// The merchant of the order.
    pub merchant_id: &'a str,
    /// The order that it pays.
    pub order_id: &'a str,
    /// From then on the token is refused for its age.
    pub until_ms: i64,
}

/// Takes a token for an order. `false`: it was taken for another one.
pub async fn take(connection: &mut Connection, token: &SpentToken<'_>) -> Result<bool, StoreError> {
    // One statement, so that of two processes with one token the second one sees the first.
    let taken = query(
        "INSERT INTO wallet_token (token_hash, merchant_id, order_id, until_ms) VALUES (?, ?, ?, ?) \
         ON CONFLICT (token_hash) DO UPDATE SET until_ms = excluded.until_ms \
         WHERE wallet_token.merchant_id = excluded.merchant_id AND wallet_token.order_id = excluded.order_id",
    )
    .bind(token.token_hash)
    .bind(token.merchant_id)
    .bind(token.order_id)
    .bind(token.until_ms)
    .execute(connection)
    .await?;
    Ok(taken > 0)
}
