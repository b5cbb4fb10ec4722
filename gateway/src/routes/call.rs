//! A call, and its parts as extractors for handlers.
//!
//! Extractors run in the order of a handler's parameters, and each refuses what its step of the contract's table of precedence (10.8)
//! refuses. So a handler names them in this order: the calling terminal (2), the session or the id of its object (8), the query or the
//! body (9). A handler that looks its object up before step 9 takes the [`Call`], and calls [`Call::refuse_scripts`] after that.

use super::caller::Caller;
use super::encrypted_card::Encrypted;
use super::error::ApiError;
use super::requests::Part;
use super::{query, script_injection};
use crate::App;
use axum::extract::FromRequestParts;
use axum::http::request;
use payframe_payment_domain::terms::Terminal;
use payframe_payment_service::idempotency::Slot;
use payframe_storage::audit::Author;
use payframe_storage::credentials;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::net::IpAddr;
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
    /// The caller's address, if it is known.
    pub(crate) address: Option<IpAddr>,
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

    /// Who calls, for the audit log: the key of a merchant's server. `None`: a frame.
    pub(crate) fn author(&self) -> Option<Author<'_>> {
        match &self.caller {
            Caller::Merchant { key_hash, .. } => Some(Author::ApiKey {
                key_id: credentials::key_id(key_hash),
                address: self.address,
            }),
            Caller::Frame { .. } => None,
        }
    }

    /// The terminal of the merchant's server that calls.
    pub(crate) fn terminal(&self) -> Result<&Arc<Terminal>, ApiError> {
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

/// The terminal of the merchant's server that calls.
pub(crate) struct CallingTerminal(pub(crate) Arc<Terminal>);

impl FromRequestParts<App> for CallingTerminal {
    type Rejection = ApiError;

    async fn from_request_parts(
        parts: &mut request::Parts,
        app: &App,
    ) -> Result<CallingTerminal, ApiError> {
        let call = Call::from_request_parts(parts, app).await?;
        call.terminal().cloned().map(CallingTerminal)
    }
}

/// The id in the path, decoded.
pub(crate) struct PathId(pub(crate) String);

impl FromRequestParts<App> for PathId {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut request::Parts, app: &App) -> Result<PathId, ApiError> {
        let call = Call::from_request_parts(parts, app).await?;
        Ok(PathId(call.parameter.clone()))
    }
}

/// The query, after [`Call::refuse_scripts`].
pub(crate) struct SentQuery<T>(pub(crate) T);

impl<T: DeserializeOwned + Default> FromRequestParts<App> for SentQuery<T> {
    type Rejection = ApiError;

    async fn from_request_parts(
        parts: &mut request::Parts,
        app: &App,
    ) -> Result<SentQuery<T>, ApiError> {
        let call = Call::from_request_parts(parts, app).await?;
        call.refuse_scripts()?;
        Ok(SentQuery(query::sent(&call.query)))
    }
}

/// The body, after [`Call::refuse_scripts`].
pub(crate) struct SentBody<T>(pub(crate) Part<T>);

impl<T: DeserializeOwned + Default> FromRequestParts<App> for SentBody<T> {
    type Rejection = ApiError;

    async fn from_request_parts(
        parts: &mut request::Parts,
        app: &App,
    ) -> Result<SentBody<T>, ApiError> {
        let call = Call::from_request_parts(parts, app).await?;
        call.refuse_scripts()?;
        Ok(SentBody(Part::of(&call.body)))
    }
}
