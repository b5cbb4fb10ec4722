//! Who calls: a merchant's server by its API key, or a frame by its session (contract 1.4).

use super::error::ApiError;
use crate::App;
use axum::extract::ConnectInfo;
use axum::http::header::{AUTHORIZATION, ORIGIN};
use axum::http::{HeaderMap, request};
use payframe_payment_domain::terms::Terminal;
use payframe_storage::sessions::SessionRow;
use payframe_storage::{merchants, sessions};
use payframe_web_pages::caller_address;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use subtle::ConstantTimeEq;

/// Who may make a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Callers {
    /// The merchant's server, with its API key.
    Merchant,
    /// The merchant's server, or a frame of the session that the call is about.
    MerchantOrFrame,
    /// A frame, with its session.
    Frame,
}

impl Callers {
    /// Whether a browser makes the call.
    pub(crate) fn is_browser(self, headers: &HeaderMap) -> bool {
        match self {
            Callers::Merchant => false,
            Callers::MerchantOrFrame => api_key(headers).is_none(),
            Callers::Frame => true,
        }
    }
}

/// Who calls.
#[derive(Clone, Debug)]
pub(crate) enum Caller {
    /// A merchant's server.
    Merchant {
        terminal: Arc<Terminal>,
        key_hash: String,
    },
    /// A frame in a buyer's browser.
    Frame {
        session_id: String,
        session_hash: String,
        /// The session as it was when the call came; `None` if the call had to wait.
        row: Option<Box<SessionRow>>,
    },
}

impl Caller {
    /// Finds out who calls. Every failure is the same 401.
    pub(crate) async fn identify(
        app: &App,
        callers: Callers,
        headers: &HeaderMap,
    ) -> Result<Caller, ApiError> {
        let api_key = api_key(headers);
        let session = headers.get("session").and_then(|value| value.to_str().ok());
        match (callers, api_key, session) {
            (Callers::Merchant | Callers::MerchantOrFrame, Some(key), _) => {
                merchant(app, key).await
            }
            (Callers::Frame | Callers::MerchantOrFrame, _, Some(session)) => {
                if from_another_origin(app, headers) {
                    return Err(ApiError::Unauthorized);
                }
                frame(app, session).await
            }
            _ => Err(ApiError::Unauthorized),
        }
    }

    /// The session's row is out of date, because time has passed.
    pub(crate) fn forget_session(&mut self) {
        if let Caller::Frame { row, .. } = self {
            *row = None;
        }
    }

    /// The terminal that the call is for, if it is known.
    pub(crate) fn terminal_id(&self) -> Option<&str> {
        match self {
            Caller::Merchant { terminal, .. } => Some(&terminal.terminal_id),
            Caller::Frame { row, .. } => row.as_deref().map(|row| row.terms.terminal_id.as_str()),
        }
    }

    /// The scope in which the caller's idempotency keys are unique.
    pub(crate) fn key_scope(&self) -> String {
        match self {
            Caller::Merchant { terminal, .. } => format!("merchant {}", terminal.merchant_id),
            Caller::Frame { session_hash, .. } => format!("session {session_hash}"),
        }
    }
}

/// The caller's address, if it is known.
pub(crate) fn address_of(app: &App, parts: &request::Parts) -> Option<IpAddr> {
    let peer: Option<&ConnectInfo<SocketAddr>> = parts.extensions.get();
    let peer = peer.map(|ConnectInfo(address)| address.ip());
    caller_address(app.config().proxies, peer, &parts.headers)
}

/// The API key, if one was sent. `X-API-KEY` counts before `Authorization`.
fn api_key(headers: &HeaderMap) -> Option<&str> {
    if let Some(key) = headers.get("x-api-key") {
        return Some(key.to_str().unwrap_or(""));
    }
    let text = headers.get(AUTHORIZATION)?.to_str().unwrap_or("").trim();
    let bare = match text.split_once(' ') {
        Some((word, key)) if word.eq_ignore_ascii_case("bearer") => key.trim_start(),
        _ => text,
    };
    Some(bare)
}

async fn merchant(app: &App, key: &str) -> Result<Caller, ApiError> {
    let key_hash = app.payments().vault().api_key_hash(key);
    let now_ms = app.clock().real().now_ms();
    let found =
        merchants::terminal_of_key(&mut *app.store().read().await?, &key_hash, now_ms).await?;
    match found {
        // The database found the key by an index. This comparison decides, because it takes the same time for every hash.
        Some((stored, terminal)) if bool::from(stored.as_bytes().ct_eq(key_hash.as_bytes())) => {
            Ok(Caller::Merchant {
                terminal: Arc::new(terminal),
                key_hash,
            })
        }
        _ => Err(ApiError::Unauthorized),
    }
}

async fn frame(app: &App, session_id: &str) -> Result<Caller, ApiError> {
    let session_hash = payframe_vault::hash(session_id);
    match sessions::find(&mut *app.store().read().await?, &session_hash).await? {
        Some(row) => Ok(Caller::Frame {
            session_id: session_id.to_owned(),
            session_hash,
            row: Some(Box::new(row)),
        }),
        None => Err(ApiError::Unauthorized),
    }
}

/// Whether a browser says that the call comes from a page of another origin (contract 5.1).
fn from_another_origin(app: &App, headers: &HeaderMap) -> bool {
    headers
        .get(ORIGIN)
        .is_some_and(|origin| origin.as_bytes() != app.config().origin.as_bytes())
}
