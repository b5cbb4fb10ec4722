//! What the answers of the hosted page and its terms have in common: refusals, failures, and the policy of their pages.

use super::hosted_texts::HostedTexts;
use crate::App;
use askama::Template;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use payframe_payment_domain::hosted::Kind;
use payframe_payment_service::{PaymentError, report};
use payframe_web_pages::language::accepted_language;
use payframe_web_pages::{protect, render, sent_from_elsewhere};

/// Runs `action` in its own task, so that a closed connection cannot interrupt a payment. `None`: it panicked, and the log says why.
pub(super) async fn in_own_task<T, F>(app: &App, action: impl FnOnce(App) -> F) -> Option<T>
where
    T: Send + 'static,
    F: Future<Output = T> + Send + 'static,
{
    tokio::spawn(action(app.clone())).await.ok()
}

/// Refuses requests from other pages, and too many requests.
pub(super) async fn refusal(app: &App, token: &str, headers: &HeaderMap) -> Option<Response> {
    if sent_from_elsewhere(&app.config().origin, headers) {
        return Some(StatusCode::FORBIDDEN.into_response());
    }
    let account = payframe_vault::hash(token);
    let rates = app.rates();
    let seconds = rates.admit_frame(&account).await.err()?;
    let wait = [(header::RETRY_AFTER, HeaderValue::from(seconds))];
    Some((StatusCode::TOO_MANY_REQUESTS, wait).into_response())
}

/// The path of a page. Our tokens need no escapes; an unknown token finds no page anyway.
pub(super) fn address(kind: Kind, token: &str) -> String {
    let token: String = url::form_urlencoded::byte_serialize(token.as_bytes()).collect();
    match kind {
        Kind::Page => format!("/pay/{token}"),
        Kind::Link => format!("/link/{token}"),
    }
}

/// The page for an address that has no payment.
pub(super) fn unknown(headers: &HeaderMap) -> Response {
    HostedTexts::of(accepted_language(headers)).unknown_page()
}

/// The page for a failure of the gateway; the log says why.
pub(super) fn failed(headers: &HeaderMap, problem: &PaymentError) -> Response {
    report("a hosted page", problem);
    HostedTexts::of(accepted_language(headers)).failed_page()
}

/// Adds the policy of the page. Nobody may frame it, no page that opened it can reach its window, and no code can turn strings into
/// scripts, but for the policy by which the shim loads its later parts. An issuer's page in it may open a window of its own.
pub(super) fn guard(page: &mut Response, form_targets: &str) {
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; \
         base-uri 'none'; form-action {form_targets}; frame-ancestors 'none'; require-trusted-types-for 'script'; \
         trusted-types payframe-lazy"
    );
    protect(page, &policy);
    page.headers_mut().insert(
        HeaderName::from_static("cross-origin-opener-policy"),
        HeaderValue::from_static("same-origin-allow-popups"),
    );
}

impl HostedTexts {
    fn unknown_page(&self) -> Response {
        self.bare(
            StatusCode::NOT_FOUND,
            &self.unknown_title,
            &self.unknown_text,
        )
    }

    pub(super) fn failed_page(&self) -> Response {
        self.bare(
            StatusCode::SERVICE_UNAVAILABLE,
            &self.failed_title,
            &self.service_fault,
        )
    }

    /// A page with one message that is about no payment.
    fn bare(&self, status: StatusCode, title: &str, text: &str) -> Response {
        let mut page = render(
            status,
            &BarePage {
                texts: self,
                title,
                text,
            },
        );
        guard(&mut page, "'none'");
        page
    }
}

#[derive(Template)]
#[template(path = "hosted-bare.html")]
struct BarePage<'a> {
    texts: &'a HostedTexts,
    title: &'a str,
    text: &'a str,
}
