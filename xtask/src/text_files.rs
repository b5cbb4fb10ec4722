//! Which texts of a language come in which file: in the page, with the widget, with its late part, or with choices.

use anyhow::Result;
use serde_json::{Map, Value};

/// The prefix of the names of texts that belong to a choice.
pub(crate) const CHOICE: &str = "choice_";

/// The prefixes of the names of texts that only the late part of the widget shows, or a change of the language: panels, the issuer's page,
/// the time that is left, another sum, the question before giving up, a focus that the page takes.
const LATE: [&str; 30] = [
    "amount_t",
    "approved_",
    "cancel_back",
    "cancel_payment",
    "cancel_question",
    "cancelled_",
    "card_used",
    "challenge_",
    "check_again",
    "declined_title",
    "elsewhere_",
    "email_meant",
    "expired_",
    "failed_",
    "focus_taken",
    "held_",
    "hold_",
    "pay_amount",
    "pay_note",
    "pay_with_card",
    "pending_",
    "reversed_",
    "slow",
    "stay",
    "time_left",
    "try_again",
    "unknown_end",
    "unknown_title",
    "verified_",
    "verify_",
];

/// Whether only the late part of the widget, or a change of the language, needs this text.
pub(crate) fn is_late(name: &str) -> bool {
    LATE.iter().any(|start| name.starts_with(start))
}

/// The texts that the loader itself uses: `www/frame/loader.js`.
pub(crate) fn is_first_word(name: &str) -> bool {
    ["start_failed", "page_silent", "not_in_shop"].contains(&name)
}

/// Texts as a file of data.
pub(crate) fn as_json(texts: &Map<String, Value>) -> Result<String> {
    Ok(serde_json::to_string(texts)?)
}
