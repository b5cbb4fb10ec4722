//! A call, as the handler that answers it gets it.

use super::caller::Caller;
use super::encrypted_card::Encrypted;
use super::error::ApiError;
use super::script_injection;
use crate::App;
use axum::extract::FromRequestParts;
use axum::http::request;
use payframe_payment_domain::terms::Terminal;
use payframe_payment_service::idempotency::Slot;
use serde_json::Value;
use std::ops::Deref;
use std::sync::Arc;

/// A call that passed every check that does not depend on the object of the call: an extractor for handlers. The middleware
/// of each endpoint ([`super::pipeline`]) makes it. Clones share everything.
#[derive(Clone)]
pub(crate) struct Call(Arc<CallParts>);

/// What a call consists of.
pub(crate) struct CallParts {
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

impl From<CallParts> for Call {
    fn from(parts: CallParts) -> Call {
        Call(Arc::new(parts))
    }
}

impl Deref for Call {
    type Target = CallParts;

    fn deref(&self) -> &CallParts {
        &self.0
    }
}

impl FromRequestParts<App> for Call {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut request::Parts, _: &App) -> Result<Call, ApiError> {
        // Every endpoint has the middleware, so there always is one.
        parts.extensions.get().cloned().ok_or(ApiError::Ours)
    }
}
