//! The back office: a small web application at `/office` for the people who work for a merchant.
//!
//! A [`login_session`] says which member is logged in. Every handler that shows data of the merchant takes one. Every form arrives as
//! [`form::Posted`], which only a page of that log-in can have sent. [`page`] contains what all pages have in common. The gateway
//! writes the pages, and they work without script. `payframe_payment_service` and `payframe_payment_domain` decide what may be done
//! with money, by the functions that the API calls too.

mod amount;
mod attempts;
mod audit;
mod charges;
mod confirm;
mod contracts;
mod dashboard;
mod display;
mod error;
mod filter;
mod form;
mod idempotent_form;
mod keys;
mod labels;
mod links;
mod login;
mod login_session;
mod members;
mod moment;
mod notifications;
mod order;
mod orders;
mod own_password;
mod page;
pub(crate) mod password;
mod plot;
mod refunds;
mod reservation_page;
mod reservations;
mod secret;
pub(crate) mod staff;

use crate::App;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::response::Redirect;
use axum::routing::{any, get};
use error::OfficeError;

/// Everything at and below `/office`.
pub(crate) fn router() -> Router<App> {
    Router::new()
        .route("/office/", get(|| async { Redirect::permanent("/office") }))
        .route("/office/{*path}", any(|| async { OfficeError::NotFound }))
        .merge(dashboard::router())
        .merge(orders::router())
        .merge(order::router())
        .merge(refunds::router())
        .merge(notifications::router())
        .merge(links::router())
        .merge(contracts::router())
        .merge(reservations::router())
        .merge(reservation_page::router())
        .merge(charges::router())
        .merge(login::router())
        .merge(own_password::router())
        .merge(members::router())
        .merge(keys::router())
        .merge(audit::router())
        .merge(page::router())
        .layer(DefaultBodyLimit::max(LARGEST_FORM))
}

/// In bytes.
const LARGEST_FORM: usize = 64 * 1024;
