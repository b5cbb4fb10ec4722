//! Refusals of issuers, by card, to limit how often one card is tried.
//!
//! A card is a keyed hash that is made for one merchant, so the rows say nothing about numbers. They are counted together with the reading
//! of the terminal's rules ([`super::card_tries::rules_for_card`]). How many refusals are too many is not decided here.

use super::Connection;

/// Writes down that an issuer refused this card.
pub fn add(connection: &mut Connection, card_id: &str, at_ms: i64) {
    connection
        .enqueue("INSERT INTO card_refusal (card_id, at_ms) VALUES (?, ?)")
        .bind(card_id)
        .bind(at_ms);
}
