//! What the hosted page and its terms answer alike: refusals, failures, and what their pages may do.

use super::error_page::write;
use super::headers::{accepted_language, protect, sent_from_elsewhere};
use super::hosted_texts::HostedTexts;
use crate::App;
use askama::Template;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use payframe_payment_domain::hosted::Kind;
use payframe_payment_service::{PaymentError, report};

/// In a task of its own: a browser that goes away must not leave a payment half-way. `None`: it panicked, and the log says why.
pub(super) async fn in_its_own_time<T, F>(app: &App, deed: impl FnOnce(App) -> F) -> Option<T>
where
    T: Send + 'static,
    F: Future<Output = T> + Send + 'static,
{
    tokio::spawn(deed(app.clone())).await.ok()
}

/// Refuses what another page sent, and too much at once.
pub(super) fn refusal(app: &App, token: &str, headers: &HeaderMap) -> Option<Response> {
    if sent_from_elsewhere(app, headers) {
        return Some(StatusCode::FORBIDDEN.into_response());
    }
    let account = payframe_vault::hash(token);
    let rates = app.rates();
    let seconds = rates.admit_frame(&account).err()?;
    let wait = [(header::RETRY_AFTER, HeaderValue::from(seconds))];
    Some((StatusCode::TOO_MANY_REQUESTS, wait).into_response())
}

/// The path of a page. Tokens of ours need no escapes; others find no page.
pub(super) fn address(kind: Kind, token: &str) -> String {
    let token: String = url::form_urlencoded::byte_serialize(token.as_bytes()).collect();
    match kind {
        Kind::Page => format!("/pay/{token}"),
        Kind::Link => format!("/link/{token}"),
    }
}

/// The page where there is no payment at an address.
pub(super) fn unknown(headers: &HeaderMap) -> Response {
    HostedTexts::of(accepted_language(headers)).unknown_page()
}

/// The page where the gateway failed; the log says why.
pub(super) fn failed(headers: &HeaderMap, problem: &PaymentError) -> Response {
    report("a hosted page", problem);
    HostedTexts::of(accepted_language(headers)).failed_page()
}

/// What the page may do. Nobody may frame it; strings never become scripts, whoever tries.
pub(super) fn guard(page: &mut Response, form_targets: &str) {
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; \
         base-uri 'none'; form-action {form_targets}; frame-ancestors 'none'; require-trusted-types-for 'script'; \
         trusted-types 'none'"
    );
    protect(page, &policy);
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
            StatusCode::INTERNAL_SERVER_ERROR,
            &self.failed_title,
            &self.service_fault,
        )
    }

    /// A page that says one thing, about no payment in particular.
    fn bare(&self, status: StatusCode, title: &str, text: &str) -> Response {
        let mut page = write(
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
