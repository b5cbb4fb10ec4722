//! A call, as the module that answers it gets it.

use super::caller::Caller;
use super::encrypted_card::Encrypted;
use super::error::ApiError;
use super::script_injection;
use payframe_payment_domain::terms::Terminal;
use payframe_payment_service::idempotency::Slot;
use serde_json::Value;

/// A call that passed every check that does not depend on the object of the call.
pub(crate) struct Call {
    /// The path's parameter.
    pub(crate) parameter: String,
    pub(crate) caller: Caller,
    pub(crate) query: Vec<(String, String)>,
    /// `null` if there is none.
    pub(crate) body: Value,
    /// Whether the body may be missing.
    pub(crate) is_body_optional: bool,
    /// The encrypted part of the body.
    pub(crate) encrypted: Encrypted,
    pub(crate) correlation_id: String,
    pub(crate) plugin_name: Option<String>,
    pub(crate) slot: Option<Slot>,
    /// The idempotency key that the gateway made, if the call came without one.
    pub(crate) made_key: Option<String>,
}

impl Call {
    /// Step 9: no script in anything that was sent.
    pub(crate) fn refuse_scripts(&self) -> Result<(), ApiError> {
        script_injection::refuse_in_query(&self.query)?;
        script_injection::refuse(&self.body)
    }

    /// The terminal of the merchant's server that calls.
    pub(crate) fn terminal(&self) -> Result<&Terminal, ApiError> {
        match &self.caller {
            Caller::Merchant { terminal, .. } => Ok(terminal),
            Caller::Frame { .. } => Err(ApiError::Unauthorized),
        }
    }
}
