//! The headers of every answer.

use crate::App;
use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::Response;

/// Adds the headers that protect every answer: browsers do not guess its type, no page of another origin can embed it unless the answer
/// itself allows that, and browsers that reach the gateway by TLS use only TLS.
pub(crate) async fn protect_answer(State(app): State<App>, mut answer: Response) -> Response {
    let headers = answer.headers_mut();
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    headers
        .entry(HeaderName::from_static("cross-origin-resource-policy"))
        .or_insert(HeaderValue::from_static("same-origin"));
    if app.config().origin.starts_with("https://") {
        let two_years = HeaderValue::from_static("max-age=63072000; includeSubDomains");
        headers.insert(header::STRICT_TRANSPORT_SECURITY, two_years);
    }
    answer
}
