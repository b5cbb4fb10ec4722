//! The target of the form's link to the privacy notice, if the operator has a notice of their own.

use axum::Router;
use axum::routing::get;
use payframe_web_pages::see_other;

/// Serves `/privacy/`, with and without the slash at the end: a redirect to the notice at `address`.
pub(super) fn router<S: Clone + Send + Sync + 'static>(address: String) -> Router<S> {
    let lead = move || async move { see_other(&address) };
    Router::new()
        .route("/privacy", get(lead.clone()))
        .route("/privacy/", get(lead))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;
    use axum::http::{Request, StatusCode};
    use tower::ServiceExt;

    /// K21: an operator has a notice of their own.
    #[tokio::test]
    async fn the_link_leads_to_the_operators_notice() {
        let address = "https://operator.example/privacy";
        for path in ["/privacy", "/privacy/?lang=it"] {
            let request = Request::get(path).body(Body::empty()).unwrap();
            let router = router(address.to_owned()).with_state(());
            let page = router.oneshot(request).await.unwrap();
            assert_eq!(page.status(), StatusCode::SEE_OTHER);
            assert_eq!(page.headers()["location"], address);
        }
    }
}
