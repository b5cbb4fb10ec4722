//! Payments with a wallet.
//!
//! Source: gateway contract, section 8.1.11.

use crate::api::{BuildState, Field};
use crate::operation::Operation;
use serde::{Deserialize, Serialize};

/// Answer of `POST /orders/walletpay` (8.1.11).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct WalletAnswer {
    /// `CRYPTOGRAM`: done. `PAN_ONLY`: 3-D Secure follows.
    pub payment_flow: String,
    /// What became of it; `PENDING` while 3-D Secure is due.
    pub operation: Operation,
    /// What the page has to show for 3-D Secure; absent where nothing is due.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iframe: Option<WalletFrame>,
}

/// A session with the one field of its device check: to be shown hidden.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct WalletFrame {
    /// `GDI_VERIFICATION`
    pub state: BuildState,
    /// Names the session in `/build/state`.
    pub session_id: String,
    /// What notifications are recognised by.
    pub security_token: String,
    /// The device check.
    pub fields: Vec<Field>,
}
