//! What the gateway writes into a form page, so that the widget starts without a request of its own.
//!
//! The gateway puts one JSON object of this shape into `<script type="application/json" id="boot">`.

use crate::api::StateObject;
use serde::{Deserialize, Serialize};

/// Everything that the form of one session needs to start. Holds no card data and no API key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Boot {
    /// Session id, the frame's credential.
    pub session: String,
    /// The merchant's order.
    pub order_id: String,
    /// Origin of the merchant's page: the only one that the frame talks to.
    pub merchant_origin: String,
    /// Build version, 2 or 3.
    pub version: u8,
    /// The session as it was when the page was made.
    pub state: StateObject,
    /// Amount in minor units, digits only.
    pub amount: String,
    /// ISO 4217 letters.
    pub currency: String,
    /// How many of the amount's digits stand behind the decimal separator.
    pub minor_digits: u8,
    /// Name of the merchant, shown to the buyer.
    pub merchant: String,
    /// `PAY`, `VERIFY` or `PREAUTH`.
    pub action_type: String,
    /// `FRAME` or `SERVER` (3.7).
    pub closing: String,
    /// `NONE`, `LAST4` or `BIN_LAST4` (3.7).
    pub card_summary: String,
    /// Network codes that the terminal takes (10.5).
    pub networks: Vec<String>,
    /// Input ids in the order in which they are shown (3.4).
    pub fields: Vec<String>,
    /// The gateway's date, `YYYY-MM-DD`, in the last time zone of the world that still has an earlier date.
    pub today: String,
    /// Instant at which the session ends at the latest.
    pub expires_at: String,
    /// Whether no real money moves.
    pub sandbox: bool,
}
