//! The privacy notice of a sandbox whose operator has none: what is stored. It opens in a new window, so that what was typed is not lost.

use super::texts::Texts;
use axum::Router;
use axum::extract::Query;
use axum::extract::rejection::QueryRejection;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::get;
use payframe_web_pages::language::accepted_language;
use payframe_web_pages::notice::Notice;
use payframe_web_pages::theme::Theme;
use serde::Deserialize;

/// Serves `/privacy/`, with and without the slash at the end. Its text is true only for a sandbox.
pub fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new()
        .route("/privacy", get(privacy))
        .route("/privacy/", get(privacy))
}

#[derive(Default, Deserialize)]
struct PrivacyQuery {
    lang: Option<String>,
}

async fn privacy(
    headers: HeaderMap,
    query: Result<Query<PrivacyQuery>, QueryRejection>,
) -> Response {
    let lang = query.map(|Query(query)| query.lang).unwrap_or_default();
    let texts = Texts::of([lang.as_deref(), accepted_language(&headers)]);
    let notice = Notice {
        status: StatusCode::OK,
        tag: &texts.tag,
        title: &texts.privacy_title,
        text: &texts.privacy_text,
    };
    notice.page(Theme::Auto, Some("'none'"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::{Body, to_bytes};
    use axum::http::Request;
    use tower::ServiceExt;

    /// K21: the link leads to a notice in the buyer's language.
    #[tokio::test]
    async fn the_sandbox_says_what_it_keeps() {
        for (address, expected) in [
            ("/privacy/?lang=it", "Informativa sulla privacy"),
            ("/privacy?lang=en", "Privacy notice"),
            ("/privacy/", "Privacy notice"),
        ] {
            let request = Request::get(address).body(Body::empty()).unwrap();
            let page = router().with_state(()).oneshot(request).await.unwrap();
            assert_eq!(page.status(), StatusCode::OK, "{address}");
            let bytes = to_bytes(page.into_body(), 1 << 20).await.unwrap();
            let text = String::from_utf8(bytes.to_vec()).unwrap();
            assert!(text.contains(expected), "{address}: {text}");
        }
    }
}
