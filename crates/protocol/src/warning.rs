//! A remark beside an answer (gateway contract, section 1.5).

use serde::{Deserialize, Serialize};

/// A remark that refuses nothing (1.5).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Warning {
    /// `GW91…` or `TRA…`.
    pub code: String,
    /// English.
    pub description: String,
}
