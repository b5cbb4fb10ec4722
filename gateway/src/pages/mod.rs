//! The pages of the gateway's own origin: the card form, and the sandbox's 3-D Secure pages.
//!
//! Pages decide nothing about payments: they ask [`crate::App`] what to show, and say which headers a
//! browser needs to keep the page apart from the page around it.

mod form;
pub(crate) mod form_template;
mod headers;
mod language;
mod notice;
mod texts;
mod threeds;

use crate::App;
use axum::Router;

/// Routes of the pages.
pub fn router() -> Router<App> {
    form::router().merge(threeds::router())
}
