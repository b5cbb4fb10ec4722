//! A page that shows a secret once: a new password, a new API key.

use super::page::{Frame, show};
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;

/// The page: a sentence about the secret, the secret, and a link to continue.
pub(super) fn told(
    frame: Frame<'_>,
    about: &str,
    secret: &str,
    way_on: &str,
    way_label: &str,
) -> Response {
    show(
        StatusCode::OK,
        &SecretPage {
            frame,
            about,
            secret,
            way_on,
            way_label,
        },
    )
}

#[derive(Template)]
#[template(path = "office-secret.html")]
struct SecretPage<'a> {
    frame: Frame<'a>,
    about: &'a str,
    secret: &'a str,
    way_on: &'a str,
    way_label: &'a str,
}
