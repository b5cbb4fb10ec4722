//! What the gateway's pages say if there is no form to show.

use super::texts::Texts;
use axum::http::StatusCode;
use axum::response::Response;
use payframe_web_pages::notice::Notice;
use payframe_web_pages::theme::Theme;

/// What the page says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ErrorPage {
    /// No session has the id in the form's address.
    FormUnknown,
    /// The form's session has ended.
    FormDead,
    /// A failure of ours, as when the database is away: the same can be tried again.
    Failed,
}

impl ErrorPage {
    /// The page. It contains no data, so anybody may frame it.
    pub(super) fn page(self, texts: &Texts, theme: Theme) -> Response {
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
        notice.page(theme, None)
    }
}
