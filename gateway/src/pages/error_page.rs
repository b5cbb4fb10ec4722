//! A page that only says why there is nothing to show. It contains no data, so any page may frame it.

use super::headers::ANYBODY;
use super::template::Theme;
use super::texts::Texts;
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use payframe_web_pages::{protect, render};

/// What the page says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ErrorPage {
    /// No session has the id in the form's address.
    FormUnknown,
    /// The form's session has ended.
    FormDead,
    /// The device check or the challenge is not known any more.
    PageGone,
    /// A 3-step challenge was opened with a form that is not valid.
    StartBad,
    /// The bank does not answer: scenario 302.
    Waiting,
    /// What the sandbox stores of a payment.
    Privacy,
    /// A failure of ours.
    Failed,
}

impl ErrorPage {
    /// The page, framed by `ancestors`, or by anybody.
    pub(crate) fn page(
        self,
        texts: &'static Texts,
        theme: Theme,
        ancestors: Option<&str>,
    ) -> Response {
        let (status, title, text) = match self {
            ErrorPage::FormUnknown => (
                StatusCode::NOT_FOUND,
                &texts.form_unknown_title,
                &texts.form_unknown_text,
            ),
            ErrorPage::FormDead => (
                StatusCode::GONE,
                &texts.form_dead_title,
                &texts.form_dead_text,
            ),
            ErrorPage::PageGone => (
                StatusCode::NOT_FOUND,
                &texts.page_gone_title,
                &texts.page_gone_text,
            ),
            ErrorPage::StartBad => (
                StatusCode::BAD_REQUEST,
                &texts.start_bad_title,
                &texts.start_bad_text,
            ),
            ErrorPage::Waiting => (StatusCode::OK, &texts.waiting_title, &texts.waiting_text),
            ErrorPage::Privacy => (StatusCode::OK, &texts.privacy_title, &texts.privacy_text),
            ErrorPage::Failed => (
                StatusCode::INTERNAL_SERVER_ERROR,
                &texts.failed_title,
                &texts.failed_text,
            ),
        };
        let template = ErrorPageTemplate {
            texts,
            theme: theme.as_str(),
            title,
            text,
        };
        let mut page = render(status, &template);
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

#[derive(Template)]
#[template(path = "notice.html")]
struct ErrorPageTemplate<'a> {
    texts: &'a Texts,
    theme: &'static str,
    title: &'a str,
    text: &'a str,
}
