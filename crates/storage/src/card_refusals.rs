//! Refusals of issuers, by card, to limit how often one card is tried.
//!
//! A card is a keyed hash that is made for one merchant, so the rows say nothing about numbers. They are counted together with the reading
//! of the terminal's rules ([`super::card_tries::settings_and_refusals`]). How many refusals are too many is not decided here.

use super::{Connection, StoreError, query};

/// Writes down that an issuer refused this card.
pub fn add(connection: &mut Connection, card_id: &str, at_ms: i64) {
    connection
        .enqueue("INSERT INTO card_refusal (card_id, at_ms) VALUES (?, ?)")
        .bind(card_id)
        .bind(at_ms);
}

/// Deletes refusals older than `before_ms`.
pub async fn drop_older(connection: &mut Connection, before_ms: i64) -> Result<(), StoreError> {
    query("DELETE FROM card_refusal WHERE at_ms < ?")
        .bind(before_ms)
        .execute(connection)
        .await?;
    Ok(())
}
