//! The sandbox's own pages: the device check and the challenge of an issuer, the page of an alternative method, the way back from
//! each, the enrolment of a device that may confirm payments, and the privacy notice of a sandbox.
//!
//! The address of each page contains a token that gives access to nothing else. The pages are in frames of the form, so both the
//! gateway's and the merchant's page may be above them. They work without script, except the device check and the enrolment, which consist of one.
//!
//! The handlers ask [`BuyerPages`] what to show, and tell it what the buyer does. [`super::page_behaviour`] decides the effect.
//! The markup and the scripts are in `www/threeds`; this crate compiles them into itself.

mod challenge;
mod challenge_return;
mod device_check;
mod enrolment;
mod error_page;
mod framed_page;
mod method;
mod page_theme;
mod privacy;
mod texts;

use axum::Router;
use axum::http::HeaderMap;
use axum::routing::get;
use payframe_payment_service::{BuyerPages, PaymentContext};
use payframe_web_pages::{compression, sent_from_elsewhere, static_file};
pub use privacy::router as privacy_router;

/// What the handlers share.
#[derive(Clone)]
struct SandboxPages {
    payments: PaymentContext,
    /// Whether merchants' addresses may be plain http, of any port.
    allows_insecure_urls: bool,
}

impl SandboxPages {
    fn buyer_pages(&self) -> BuyerPages<'_> {
        BuyerPages::new(&self.payments)
    }

    /// Whether another page than one of ours sent an answer: a shop must not answer for its buyers.
    fn is_forged(&self, headers: &HeaderMap) -> bool {
        sent_from_elsewhere(&self.payments.settings().origin, headers)
    }
}

/// Everything under `/threeds/` and `/methods/`, and the scripts of these pages.
pub fn router<S>(payments: PaymentContext, allows_insecure_urls: bool) -> Router<S> {
    device_check::router()
        .merge(challenge::router())
        .merge(challenge_return::router())
        .merge(enrolment::router())
        .merge(method::router())
        .merge(scripts())
        .with_state(SandboxPages {
            payments,
            allows_insecure_urls,
        })
}

fn scripts() -> Router<SandboxPages> {
    SCRIPTS
        .iter()
        .fold(Router::new(), |router, &(path, text)| {
            let script = async move || static_file("text/javascript; charset=utf-8", text);
            router.route(path, get(script))
        })
        .layer(compression())
}

const SCRIPTS: [(&str, &str); 5] = [
    (
        "/assets/threeds/device.js",
        include_str!("../../../www/threeds/device.js"),
    ),
    (
        "/assets/threeds/challenge.js",
        include_str!("../../../www/threeds/challenge.js"),
    ),
    (
        "/assets/threeds/enrolment.js",
        include_str!("../../../www/threeds/enrolment.js"),
    ),
    (
        "/assets/threeds/return.js",
        include_str!("../../../www/threeds/return.js"),
    ),
    (
        "/assets/threeds/step-return.js",
        include_str!("../../../www/threeds/step-return.js"),
    ),
];
