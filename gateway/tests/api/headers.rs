//! The headers of every answer.

use crate::harness::{TestApp, build_form};

#[tokio::test]
async fn no_type_is_guessed_and_other_origins_embed_only_what_allows_it() {
    let app = TestApp::with_dist().await;
    let session = app.open(&build_form("A1", 3)).await;
    let form = format!("/form/?sessionid={session}");
    for (address, embedding) in [
        ("/health", "same-origin"),
        ("/nothing-here", "same-origin"),
        ("/api/orders/A1", "same-origin"),
        ("/office/login", "same-origin"),
        (form.as_str(), "same-origin"),
        ("/sdk/payframe.js", "cross-origin"),
    ] {
        let answer = app.page(address, &[]).await;
        assert_eq!(
            (
                answer.header("x-content-type-options"),
                answer.header("cross-origin-resource-policy")
            ),
            (Some("nosniff"), Some(embedding)),
            "{address}"
        );
    }
}
