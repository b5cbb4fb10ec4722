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

#[tokio::test]
async fn every_page_has_trusted_types_and_an_address_for_reports() {
    let app = TestApp::with_dist().await;
    let session = app.open(&build_form("A1", 3)).await;
    for address in [
        format!("/form/?sessionid={session}"),
        format!("/form/plain?sessionid={session}"),
        String::from("/form/?sessionid=unknown"),
        String::from("/pay/unknown"),
        String::from("/link/unknown"),
        String::from("/privacy/"),
        String::from("/office/login"),
    ] {
        let page = app.page(&address, &[]).await;
        let policy = page.header("content-security-policy");
        let policy = policy.unwrap_or_else(|| panic!("{address} has no policy: {}", page.status));
        for part in [
            "default-src 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types ",
            "frame-ancestors ",
            "report-to reports",
        ] {
            assert!(policy.contains(part), "{address}: {policy}");
        }
        assert_eq!(
            page.header("reporting-endpoints"),
            Some("reports=\"/reports\""),
            "{address}"
        );
    }
}
