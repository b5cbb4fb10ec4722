//! The page that asks for a confirmation. It sends the idempotency key, so that the action is done once.

use super::error::OfficeError;
use super::page::{Frame, show};
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;

/// What is asked.
#[derive(Template)]
#[template(path = "office-confirm.html")]
pub(super) struct Question<'a> {
    pub(super) frame: Frame<'a>,
    /// The sum that is moved, where one is.
    pub(super) sum: Option<String>,
    /// What will happen.
    pub(super) about: &'a str,
    pub(super) facts: Vec<(&'static str, String)>,
    /// On the button.
    pub(super) label: String,
    /// Where nothing is done.
    pub(super) back: String,
    /// What the form carries beside its token.
    pub(super) hidden: Vec<(&'static str, String)>,
    /// Why it was not done when it was sent.
    pub(super) problem: Option<String>,
}

/// The form of a page that sends only its key.
#[derive(Deserialize)]
pub(super) struct Confirmed {
    pub(super) key: String,
}

impl Question<'_> {
    /// The page.
    pub(super) fn page(&self) -> Response {
        let status = match self.problem {
            None => StatusCode::OK,
            Some(_) => StatusCode::BAD_REQUEST,
        };
        show(status, self)
    }

    /// The page again with the reason of the refusal. Other errors are passed on.
    pub(super) fn refused(mut self, refused: OfficeError) -> Result<Response, OfficeError> {
        match refused {
            OfficeError::Bad(why) => {
                self.problem = Some(why);
                Ok(self.page())
            }
            other => Err(other),
        }
    }
}
