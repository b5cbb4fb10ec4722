//! A page that shows a secret once: a new password, a new API key.

use super::page::{Layout, show};
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;

/// The page: a sentence about the secret, the secret, and a link to continue.
pub(super) fn secret_page(
    layout: Layout<'_>,
    about: &str,
    secret: &str,
    next_path: &str,
    next_label: &str,
) -> Response {
    show(
        StatusCode::OK,
        &SecretPage {
            layout,
            about,
            secret,
            next_path,
            next_label,
        },
    )
}

#[derive(Template)]
#[template(path = "office-secret.html")]
struct SecretPage<'a> {
    layout: Layout<'a>,
    about: &'a str,
    secret: &'a str,
    next_path: &'a str,
    next_label: &'a str,
}
