//! What the sandbox's pages say if there is nothing to do on them.

use super::texts::Texts;
use axum::http::StatusCode;
use axum::response::Response;
use payframe_payment_service::{PaymentError, report};
use payframe_web_pages::notice::Notice;
use payframe_web_pages::theme::Theme;

/// What the page says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ErrorPage {
    /// No page has the token, or its payment is over.
    PageGone,
    /// A 3-step challenge was opened with a form that is not valid.
    StartBad,
    /// The bank does not answer: scenario 302.
    Waiting,
    /// A failure of ours, as when the database is away: the same can be tried again.
    Failed,
}

impl ErrorPage {
    /// The page for a failure, which the log has.
    pub(super) fn failed(problem: &PaymentError) -> ErrorPage {
        report("a page of an issuer or a method", problem);
        ErrorPage::Failed
    }

    /// The page, framed by `ancestors`, or by anybody.
    pub(super) fn page(self, texts: &Texts, theme: Theme, ancestors: Option<&str>) -> Response {
        let (status, title, text) = match self {
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
            ErrorPage::Failed => (
                StatusCode::SERVICE_UNAVAILABLE,
                &texts.failed_title,
                &texts.failed_text,
            ),
        };
        let notice = Notice {
            status,
            tag: &texts.tag,
            title,
            text,
        };
        notice.page(theme, ancestors)
    }
}
