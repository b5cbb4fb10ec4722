//! What buyers accepted, as the merchant's server reads it (own extension).

use serde::{Deserialize, Serialize};

/// Something that a buyer accepted on the page of a link, or on a hosted page: evidence, which never changes (own extension).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Acceptance {
    /// The link, or the hosted page.
    pub link_id: String,
    /// The terms and conditions, or the structure condition.
    pub text_id: String,
    /// `TERMS`, `STAY` (of a structure condition), `CANCELLATION` (the same).
    pub part: String,
    /// Of the text that was shown, three letters.
    pub language: String,
    /// What stood beside the box that was ticked.
    pub check_mark_label: String,
    /// The text: HTML in base64.
    pub text: String,
    /// SHA-256 of the text's bytes, in hex.
    pub text_hash: String,
    /// When it was accepted.
    pub accepted_time: String,
}
