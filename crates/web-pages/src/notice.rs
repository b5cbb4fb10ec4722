//! A page that only says why there is nothing to show. It contains no data, so any page may frame it.

use crate::language::direction;
use crate::policy::ANYBODY;
use crate::theme::Theme;
use crate::{protect, render, static_file};
use askama::Template;
use axum::Router;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;

/// The content of a notice.
#[derive(Clone, Copy, Debug)]
pub struct Notice<'a> {
    /// The status of the answer.
    pub status: StatusCode,
    /// Web tag of the language of the texts.
    pub tag: &'a str,
    /// One line.
    pub title: &'a str,
    /// A few sentences.
    pub text: &'a str,
}

impl Notice<'_> {
    /// For the layout.
    fn dir(&self) -> &'static str {
        direction(self.tag)
    }

    /// The page, framed by `ancestors`, or by anybody.
    pub fn page(&self, theme: Theme, ancestors: Option<&str>) -> Response {
        let template = NoticePage {
            texts: self,
            theme: theme.as_str(),
        };
        let mut page = render(self.status, &template);
        let ancestors = ancestors.unwrap_or(ANYBODY);
        protect(
            &mut page,
            &format!(
                "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors {ancestors}"
            ),
        );
        page
    }
}

/// The style of notices and of all other pages with the same layout (`www/pages/layout.html`).
pub fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let style = || async {
        let text = include_str!("../../../www/pages/page.css");
        static_file("text/css; charset=utf-8", text)
    };
    Router::new().route("/assets/pages/page.css", get(style))
}

#[derive(Template)]
#[template(path = "notice.html")]
struct NoticePage<'a> {
    texts: &'a Notice<'a>,
    theme: &'static str,
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::header::CONTENT_SECURITY_POLICY;

    #[test]
    fn a_notice_may_be_framed_by_anybody_unless_it_says_by_whom() {
        let notice = Notice {
            status: StatusCode::GONE,
            tag: "en",
            title: "The time is over",
            text: "Nothing was charged.",
        };
        for (ancestors, expected) in [
            (
                None,
                "; frame-ancestors 'self' http: https:; require-trusted-types-for 'script'; trusted-types 'none'; report-uri",
            ),
            (
                Some("'none'"),
                "; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'; report-uri",
            ),
        ] {
            let page = notice.page(Theme::Auto, ancestors);
            assert_eq!(page.status(), StatusCode::GONE);
            let policy = page.headers()[CONTENT_SECURITY_POLICY].to_str().unwrap();
            assert!(policy.contains(expected), "{policy}");
        }
    }
}
