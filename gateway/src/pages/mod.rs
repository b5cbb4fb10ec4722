//! The pages of the gateway's own origin: the card form, its single fields, the hosted payment page, the sandbox's pages of
//! 3-D Secure and of alternative methods, and the reference of the API.
//!
//! Pages decide nothing about payments: they ask [`crate::App`] what to show, and set the headers that
//! separate the page from the page around it.

pub(crate) mod built;
mod error_page;
mod fields;
mod fonts;
mod form;
mod headers;
mod hosted;
mod hosted_answers;
mod hosted_terms;
mod hosted_texts;
pub(crate) mod language;
mod link_targets;
mod locales;
mod methods;
mod payment_summary;
mod privacy;
mod reference;
mod simulator_pages;
mod style;
pub(crate) mod template;
mod texts;
mod threeds;

use crate::App;
use crate::config::Mode;
use axum::Router;
use axum::routing::get;
pub(crate) use headers::stay_secure;
use payframe_web_pages::compression;
pub use reference::markdown as reference_in_markdown;

/// Routes of the pages.
pub fn router(mode: Mode) -> Router<App> {
    let of_sandbox = match mode {
        Mode::Sandbox(_) => threeds::router().merge(methods::router()),
        Mode::Production => Router::new(),
    };
    form::router()
        .merge(fields::router())
        .merge(style::router())
        .merge(fonts::router())
        .merge(of_sandbox)
        .merge(
            Router::new()
                .route("/api/docs", get(reference::page))
                .layer(compression()),
        )
        .merge(hosted::router())
        .merge(privacy::router())
}
