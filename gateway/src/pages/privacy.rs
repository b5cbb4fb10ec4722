//! The target of the form's link to the privacy notice: the operator's notice, or in the sandbox a page that says what is
//! stored. It opens in a new window, so that what was typed is not lost.

use super::error_page::ErrorPage;
use super::headers::accepted_language;
use super::template::Theme;
use super::texts::Texts;
use crate::App;
use axum::Router;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use payframe_web_pages::see_other;
use serde::Deserialize;

/// `/privacy/`, with and without the slash at the end.
pub(super) fn router() -> Router<App> {
    Router::new()
        .route("/privacy", get(privacy))
        .route("/privacy/", get(privacy))
}

#[derive(Default, Deserialize)]
struct PrivacyQuery {
    lang: Option<String>,
}

async fn privacy(
    State(app): State<App>,
    headers: HeaderMap,
    query: Result<Query<PrivacyQuery>, QueryRejection>,
) -> Response {
    if let Some(address) = &app.config().privacy_url {
        return see_other(address);
    }
    if !app.config().mode.is_sandbox() {
        // The page's text is true only for the sandbox.
        return StatusCode::NOT_FOUND.into_response();
    }
    let lang = query.map(|Query(query)| query.lang).unwrap_or_default();
    let texts = Texts::of([lang.as_deref(), accepted_language(&headers)]);
    ErrorPage::Privacy.page(texts, Theme::Auto, Some("'none'"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::dist::tests::MadeUpDist;
    use axum::body::{Body, to_bytes};
    use axum::http::Request;
    use payframe_payment_ports::Clock;
    use tower::ServiceExt;

    async fn ask(app: App, address: &str) -> Response {
        let request = Request::get(address).body(Body::empty()).unwrap();
        router().with_state(app).oneshot(request).await.unwrap()
    }

    /// K21: the link leads to a notice in the buyer's language.
    #[tokio::test]
    async fn the_sandbox_says_what_it_keeps() {
        let made = MadeUpDist::new();
        let app = made.app().await;
        for (address, expected) in [
            ("/privacy/?lang=it", "Informativa sulla privacy"),
            ("/privacy?lang=en", "Privacy notice"),
            ("/privacy/", "Privacy notice"),
        ] {
            let page = ask(app.clone(), address).await;
            assert_eq!(page.status(), StatusCode::OK, "{address}");
            let bytes = to_bytes(page.into_body(), 1 << 20).await.unwrap();
            let text = String::from_utf8(bytes.to_vec()).unwrap();
            assert!(text.contains(expected), "{address}: {text}");
        }
    }

    /// K21: an operator has a notice of their own.
    #[tokio::test]
    async fn an_operator_may_have_their_own() {
        let folder = tempfile::tempdir().unwrap();
        let config = Config {
            data: folder.path().to_owned(),
            privacy_url: Some("https://operator.example/privacy".to_owned()),
            ..Config::sandbox()
        };
        let app = App::open(config, Clock::system()).await.unwrap();
        let page = ask(app, "/privacy/?lang=it").await;
        assert_eq!(page.status(), StatusCode::SEE_OTHER);
        assert_eq!(
            page.headers()["location"],
            "https://operator.example/privacy"
        );
    }
}
