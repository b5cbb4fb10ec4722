//! How the address of a page asks for its colours.

use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use payframe_web_pages::theme::Theme;
use serde::Deserialize;
use std::convert::Infallible;

/// The theme in the parameter `theme`. The browser's own where the address names none, or none that exists.
pub(super) struct PageTheme(pub(super) Theme);

impl<S: Send + Sync> FromRequestParts<S> for PageTheme {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<PageTheme, Infallible> {
        let named = Query::<Parameters>::try_from_uri(&parts.uri)
            .ok()
            .and_then(|Query(parameters)| parameters.theme);
        Ok(PageTheme(Theme::parse(named.as_deref())))
    }
}

#[derive(Deserialize)]
struct Parameters {
    theme: Option<String>,
}
