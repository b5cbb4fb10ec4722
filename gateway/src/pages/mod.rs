//! The pages of the gateway's own origin: the card form, its single fields, the hosted payment page, the docs, and
//! the reference of the API.
//!
//! Pages decide nothing about payments: they ask [`crate::App`] what to show, and set the headers that
//! separate the page from the page around it.

mod billing_country;
mod browser_headers;
pub(crate) mod built;
mod busy;
mod confirmation;
mod docs;
mod error_page;
mod fields;
mod fonts;
mod form;
mod headers;
mod hosted;
mod hosted_answers;
mod hosted_terms;
mod hosted_texts;
mod issuer;
mod locales;
mod page_reports;
mod payment_summary;
mod plain_form;
mod privacy;
mod reference;
mod reports;
mod style;
pub(crate) mod template;
mod texts;
mod waiting;

use crate::App;
use crate::routes::inner_api::InnerApi;
use axum::Router;
use axum::routing::get;
pub(crate) use busy::admit;
pub(crate) use headers::protect_answer;
use payframe_web_pages::compression;
pub use reference::{MarkdownPage, markdown_pages};

/// Routes of the pages. `api`: for the pages that pay without a script.
pub(crate) fn router(api: InnerApi) -> Router<App> {
    form::router()
        .merge(fields::router())
        .merge(style::router())
        .merge(fonts::router())
        .merge(
            Router::new()
                .route("/api/docs", get(reference::page))
                .layer(compression()),
        )
        .merge(docs::router())
        .merge(confirmation::router())
        .merge(waiting::router())
        .merge(hosted::router())
        .merge(plain_form::router(api))
        .merge(reports::router())
        .merge(page_reports::router())
        .merge(payframe_web_pages::notice::router())
        .merge(payframe_web_pages::post_back::router())
}

/// The page of the docs that shows a live form, or says why this gateway has none.
pub(crate) use docs::{Playground, playground_router};

/// The way to issuers' own pages.
pub(crate) fn issuer_router() -> Router<App> {
    issuer::router()
}

/// The form's link to the operator's privacy notice.
pub(crate) fn privacy_router(address: String) -> Router<App> {
    privacy::router(address)
}
