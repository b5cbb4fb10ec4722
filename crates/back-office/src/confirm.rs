//! The page that asks for a confirmation. It sends the idempotency key, so that the action is done once.

use super::error::OfficeError;
use super::page::{Layout, show};
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;

/// The question.
#[derive(Template)]
#[template(path = "office-confirm.html")]
pub(super) struct Question<'a> {
    pub(super) layout: Layout<'a>,
    /// The amount that is moved, if any.
    pub(super) sum: Option<String>,
    /// What will happen.
    pub(super) about: &'a str,
    pub(super) facts: Vec<(&'static str, String)>,
    /// The label of the button.
    pub(super) label: String,
    /// The page to go back to without an action.
    pub(super) back: String,
    /// The fields of the form besides its token.
    pub(super) hidden: Vec<(&'static str, String)>,
    /// Why the last request was refused.
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
