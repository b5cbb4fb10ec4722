//! Log-outs that a provider tells by itself, without a browser (OpenID Connect Back-Channel Logout 1.0): somebody logged out there, or was
//! shut out.
//!
//! They end what began with a log-in there, at once and in one transaction with the entry in the audit log. A token is taken once. Log-ins
//! that began otherwise stay: with a password, with a passkey, by emergency access.

use super::login_providers::LoginProvider;
use super::login_providers::exchange;
use super::provider_login::COMES_BACK_WITHIN;
use crate::BackOffice;
use axum::extract::rejection::FormRejection;
use axum::extract::{Form, Path, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use payframe_login_tokens::TokenProblem;
use payframe_login_tokens::logout_token::{self, Logout};
use payframe_payment_domain::back_office::Act;
use payframe_payment_ports::clock::millis;
use payframe_storage::audit::{self, Author, Entry};
use payframe_storage::provider_logouts::{self, EndedLogIns, LogoutToken};
use payframe_storage::{StoreError, Subject};
use serde::Deserialize;
use serde_json::json;
use thiserror::Error;

pub(super) fn router() -> Router<BackOffice> {
    Router::new().route(
        "/office/login/provider/{id}/back-channel-logout",
        post(log_out),
    )
}

#[derive(Deserialize)]
struct LogoutForm {
    logout_token: String,
}

/// Why nothing was ended. The provider reads it.
#[derive(Debug, Error)]
enum LogoutProblem {
    /// The request has no token.
    #[error("a form with one logout_token is expected")]
    NoForm,
    /// The provider does not say what its keys are.
    #[error("the keys of the provider cannot be read at present")]
    NoKeys,
    /// The token is not accepted.
    #[error("{0}")]
    Token(#[from] TokenProblem),
    /// The token was taken before.
    #[error("the token was sent before")]
    Repeated,
    /// A failure of ours. The log has the details.
    #[error("the gateway failed to do this")]
    Failed,
}

impl From<StoreError> for LogoutProblem {
    fn from(problem: StoreError) -> LogoutProblem {
        tracing::error!(%problem, "a log-out that a provider told failed");
        LogoutProblem::Failed
    }
}

async fn log_out(
    State(office): State<BackOffice>,
    Path(id): Path<String>,
    form: Result<Form<LogoutForm>, FormRejection>,
) -> Response {
    let mut answer = match office.providers().find(&id) {
        None => StatusCode::NOT_FOUND.into_response(),
        Some(provider) => match end_log_ins(&office, provider, form).await {
            Ok(()) => StatusCode::OK.into_response(),
            Err(problem) => {
                tracing::warn!(provider = id, %problem, "a log-out that a provider told was refused");
                let code = match problem {
                    LogoutProblem::NoKeys | LogoutProblem::Failed => "server_error",
                    _ => "invalid_request",
                };
                let said = json!({ "error": code, "error_description": problem.to_string() });
                (StatusCode::BAD_REQUEST, Json(said)).into_response()
            }
        },
    };
    let no_store = HeaderValue::from_static("no-store");
    answer.headers_mut().insert(header::CACHE_CONTROL, no_store);
    answer
}

async fn end_log_ins(
    office: &BackOffice,
    provider: &LoginProvider,
    form: Result<Form<LogoutForm>, FormRejection>,
) -> Result<(), LogoutProblem> {
    let Form(form) = form.map_err(|_| LogoutProblem::NoForm)?;
    let keys = exchange::recent_keys(provider)
        .await
        .ok_or(LogoutProblem::NoKeys)?;
    let now_ms = office.clock().now_ms();
    let ours = (provider.issuer.as_str(), provider.client_id.as_str());
    let logout = logout_token::read(&form.logout_token, &keys, ours, now_ms / 1000)?;
    let Logout {
        id,
        until_s,
        subject,
        session,
    } = logout;
    let token_hash = payframe_vault::hash(&id);
    // A log-in that the browser has begun by now comes back within this time.
    let until_ms = until_s.saturating_mul(1000);
    let until_ms = until_ms.max(now_ms + millis(COMES_BACK_WITHIN));
    let session_hash = session.map(|session| payframe_vault::hash(&session));
    let subject_hash = subject.as_deref().map(payframe_vault::hash);
    let merchant_id = &provider.merchant_id;
    let mut change = office.store().write(Subject::Merchant(merchant_id)).await?;
    let token = LogoutToken {
        provider: &provider.id,
        token_hash: &token_hash,
        subject_hash: subject_hash.as_deref(),
        session_hash: session_hash.as_deref(),
        until_ms,
    };
    if !provider_logouts::take_token(&mut change, &token, now_ms).await? {
        return Err(LogoutProblem::Repeated);
    }
    let over = EndedLogIns {
        merchant_id,
        issuer: &provider.issuer,
        subject: subject.as_deref(),
        session_hash: session_hash.as_deref(),
    };
    let detail = format!("logged out at {}", provider.issuer);
    for member in provider_logouts::end(&mut change, &over).await? {
        let entry = Entry {
            merchant_id,
            author: Author::Gateway,
            at_ms: now_ms,
            act: Act::EndLogIns,
            subject: &member.email,
            detail: &detail,
        };
        audit::add(&mut change, &entry).await?;
    }
    change.commit().await.map_err(StoreError::from)?;
    Ok(())
}
