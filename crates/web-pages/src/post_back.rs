//! A page whose form takes the browser and a few values back to an address of the merchant's. A script sends it; without scripts the buyer
//! presses its button.

use crate::language::direction;
use crate::policy::{ancestors, form_targets};
use crate::script::PageScript;
use crate::theme::Theme;
use crate::{protect, render};
use askama::Template;
use axum::Router;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use std::sync::LazyLock;

/// The content of such a page.
#[derive(Clone, Copy, Debug)]
pub struct PostBack<'a> {
    /// Web tag of the language of the texts.
    pub tag: &'a str,
    /// One line.
    pub title: &'a str,
    /// On the button.
    pub button: &'a str,
    /// A web address of the merchant's.
    pub address: &'a str,
    /// Names and values of the form.
    pub fields: &'a [(&'a str, &'a str)],
}

impl PostBack<'_> {
    /// For the layout.
    fn dir(&self) -> &'static str {
        direction(self.tag)
    }

    /// The page, framed by pages of these origins and of ours. `plain_http`: whether the address may be without encryption.
    pub fn page<'o>(
        &self,
        theme: Theme,
        origins: impl Iterator<Item = &'o str>,
        plain_http: bool,
    ) -> Response {
        let template = PostBackPage {
            script: &SCRIPT,
            texts: self,
            theme: theme.as_str(),
        };
        let mut page = render(StatusCode::OK, &template);
        let policy = format!(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; base-uri 'none'; form-action {}; \
             frame-ancestors 'self' {}",
            form_targets(plain_http),
            ancestors(origins)
        );
        protect(&mut page, &policy);
        page
    }
}

/// The script of these pages.
pub fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new().route(SCRIPT.path(), get(async || SCRIPT.answer()))
}

#[derive(Template)]
#[template(path = "post-back.html")]
struct PostBackPage<'a> {
    script: &'static PageScript,
    texts: &'a PostBack<'a>,
    theme: &'static str,
}

static SCRIPT: LazyLock<PageScript> = LazyLock::new(|| {
    PageScript::new(
        "pages/post-back",
        include_str!("../../../www/pages/post-back.js"),
    )
});

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::header::CONTENT_SECURITY_POLICY;
    use std::iter;

    #[test]
    fn the_form_leads_to_encrypted_addresses_and_the_merchants_pages_may_frame_it() {
        let back = PostBack {
            tag: "en",
            title: "Back to the shop",
            button: "Go back",
            address: "https://shop.example/back?a=1&b=2",
            fields: &[("PaRes", "r1"), ("paymentId", "\"><script>")],
        };
        let page = back.page(Theme::Auto, iter::once("https://shop.example"), false);
        let policy = page.headers()[CONTENT_SECURITY_POLICY].to_str().unwrap();
        assert!(
            policy.contains(
                "form-action 'self' https:; frame-ancestors 'self' https://shop.example;"
            ),
            "{policy}"
        );
    }
}
