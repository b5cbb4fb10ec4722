//! What the sandbox's pages have in common: their policy, their addresses, and the way back to the shop.

use super::texts::Texts;
use askama::Template;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use payframe_payment_domain::terms::FramingPages;
use payframe_payment_service::ReturnView;
use payframe_web_pages::policy::{ancestors, is_web_address};
use payframe_web_pages::script::PageScript;
use payframe_web_pages::theme::Theme;
use payframe_web_pages::{protect, render, see_other};

/// The way back to the shop.
pub(super) fn return_page(
    view: &ReturnView,
    texts: &'static Texts,
    theme: Theme,
    headers: &HeaderMap,
) -> Response {
    let return_url = Some(view.return_url.as_str()).filter(|url| is_web_address(url));
    // The browser says whether the page has a window of its own: then there is nothing to show here (contract 2.4).
    let in_own_window = headers
        .get("sec-fetch-dest")
        .is_some_and(|destination| destination == "document");
    if let Some(url) = return_url.filter(|_| in_own_window) {
        return see_other(url);
    }
    let mut page = render(
        StatusCode::OK,
        &ReturnPage {
            script: &super::RETURN_SCRIPT,
            texts,
            theme: theme.as_str(),
            return_url,
        },
    );
    protect(&mut page, &policy(&view.framing, "'none'"));
    page
}

/// A page that the form shows in a frame of its own, with its policy. `form_targets`: where its forms may lead.
pub(super) fn framed_page(
    template: &impl Template,
    framing: &FramingPages,
    form_targets: &str,
) -> Response {
    let mut page = render(StatusCode::OK, template);
    protect(&mut page, &policy(framing, form_targets));
    page
}

/// The policy of the sandbox's pages. Every frame above counts as an ancestor: the form's and the merchant's page.
fn policy(framing: &FramingPages, form_targets: &str) -> String {
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; \
         form-action {form_targets}; require-trusted-types-for 'script'; trusted-types 'none'; frame-ancestors 'self' {}",
        ancestors(framing.origins())
    )
}

/// The address of a page with this token, with the same theme.
pub(super) fn themed(folder: &str, token: &str, theme: Theme) -> String {
    let token: String = url::form_urlencoded::byte_serialize(token.as_bytes()).collect();
    match theme {
        Theme::Auto => format!("{folder}/{token}"),
        Theme::Light | Theme::Dark => format!("{folder}/{token}?theme={}", theme.as_str()),
    }
}

#[derive(Template)]
#[template(path = "return.html")]
struct ReturnPage<'a> {
    script: &'static PageScript,
    texts: &'a Texts,
    theme: &'static str,
    return_url: Option<&'a str>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::to_bytes;
    use axum::http::HeaderValue;

    async fn text(page: Response) -> String {
        String::from_utf8(to_bytes(page.into_body(), 1 << 20).await.unwrap().to_vec()).unwrap()
    }

    #[tokio::test]
    async fn the_way_back_is_a_redirect_in_a_window_and_a_hint_in_a_frame() {
        let view = ReturnView {
            framing: FramingPages::only("https://shop.example"),
            return_url: "https://shop.example/ok?a=1&b=%20".to_owned(),
        };
        let texts = Texts::of([None]);
        let mut headers = HeaderMap::new();
        headers.insert("sec-fetch-dest", HeaderValue::from_static("document"));
        let window = return_page(&view, texts, Theme::Auto, &headers);
        assert_eq!(window.status(), StatusCode::SEE_OTHER);
        assert_eq!(
            window.headers()["location"],
            "https://shop.example/ok?a=1&b=%20"
        );
        headers.insert("sec-fetch-dest", HeaderValue::from_static("iframe"));
        let frame = return_page(&view, texts, Theme::Auto, &headers);
        assert_eq!(frame.status(), StatusCode::OK);
        assert!(
            text(frame)
                .await
                .contains(super::super::RETURN_SCRIPT.path())
        );
        let hostile = ReturnView {
            return_url: "javascript:alert(1)".to_owned(),
            ..view
        };
        let page = return_page(&hostile, texts, Theme::Auto, &HeaderMap::new());
        assert!(!text(page).await.contains("javascript:"));
    }
}
