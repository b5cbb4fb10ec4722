//! What browsers report of the gateway's own pages: something that the policy of a page stopped, or a script without the hash that it must have;
//! and what a form reports of the page around it: that it took the focus in the middle of a card number.
//!
//! Each page names the address for reports in its headers ([`payframe_web_pages::protect`]). A report counts in a metric, and some of each minute are
//! logged. Anybody can send one, so nothing else follows from it, and nothing is stored. The address of the page, which names a session, and
//! samples of code do not get into the log.

use crate::monitoring;
use axum::Router;
use axum::body::Bytes;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::routing::post;
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use payframe_web_pages::REPORTS_PATH;
use payframe_web_pages::reports::{self, Stopped};
use std::num::NonZeroU32;
use std::sync::Arc;

/// Takes reports.
pub(super) fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let lines = Arc::new(RateLimiter::direct(Quota::per_minute(LINES_PER_MINUTE)));
    let take = move |body: Bytes| async move { take(&body, &lines) };
    Router::new()
        .route(REPORTS_PATH, post(take))
        .layer(DefaultBodyLimit::max(MOST_BYTES))
}

fn take(body: &[u8], lines: &DefaultDirectRateLimiter) -> StatusCode {
    let Some(found) = reports::read(body) else {
        return StatusCode::BAD_REQUEST;
    };
    for found in found {
        monitoring::stopped_in_page(found.page, found.directive, found.source);
        if lines.check().is_ok() {
            let Stopped {
                page,
                directive,
                source,
                host,
            } = found;
            tracing::warn!(
                page,
                directive,
                source,
                host,
                "a browser stopped something in a page of ours"
            );
        }
    }
    StatusCode::NO_CONTENT
}

const MOST_BYTES: usize = 64 * 1024;
const LINES_PER_MINUTE: NonZeroU32 = NonZeroU32::new(10).unwrap();

#[cfg(test)]
mod tests;
