//! The header that keeps browsers on TLS.

use crate::App;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::Response;

/// Tells browsers that reach the gateway by TLS to use only TLS.
pub(crate) async fn stay_secure(State(app): State<App>, mut answer: Response) -> Response {
    if app.config().origin.starts_with("https://") {
        let two_years = HeaderValue::from_static("max-age=63072000");
        answer
            .headers_mut()
            .insert(header::STRICT_TRANSPORT_SECURITY, two_years);
    }
    answer
}
