//! The sandbox's own pages: the device check and the challenge of an issuer, the page of an alternative method, the way back from
//! each, the enrolment of a device that may confirm payments, and the privacy notice of a sandbox.
//!
//! The address of each page contains a token that gives access to nothing else. The pages are in frames of the form, so both the
//! gateway's and the merchant's page may be above them. They work without script, except the device check and the enrolment, which consist of one.
//!
//! The handlers ask [`BuyerPages`] what to show, and tell it what the buyer does. [`super::page_behaviour`] decides the effect.
//! The markup and the scripts are in `www/threeds`; this crate compiles them into itself.

mod access_control;
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

pub(crate) use access_control::router as access_control_router;
use async_trait::async_trait;
use axum::Router;
use axum::http::HeaderMap;
use axum::routing::get;
pub(crate) use enrolment::PATH as ENROLMENT_PATH;
use enrolment::{Enrolled, EnrolsDevices};
use payframe_payment_service::{BuyerPages, Enrolment, PaymentContext, Registration, report};
use payframe_web_pages::script::PageScript;
use payframe_web_pages::{compression, sent_from_elsewhere};
pub use privacy::router as privacy_router;
use std::sync::LazyLock;

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

#[async_trait]
impl EnrolsDevices for SandboxPages {
    fn origin(&self) -> &str {
        &self.payments.settings().origin
    }

    fn asked(&self) -> Option<Enrolment> {
        self.buyer_pages().enrolment()
    }

    async fn enrol(&self, registration: &Registration) -> Enrolled {
        match self.buyer_pages().enrol(registration).await {
            Ok(true) => Enrolled::Kept,
            Ok(false) => Enrolled::Wrong,
            Err(problem) => {
                report("the enrolment of a device", &problem);
                Enrolled::Failed
            }
        }
    }
}

/// Who shows the pages of issuers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IssuerPages {
    /// The gateway itself.
    Own,
    /// Issuers at origins of their own; the gateway has the pages on the way to them.
    Elsewhere,
}

/// Everything under `/threeds/` and `/methods/`, and the scripts of these pages.
pub fn router<S>(
    payments: PaymentContext,
    allows_insecure_urls: bool,
    issuers: IssuerPages,
) -> Router<S> {
    let of_issuers = match issuers {
        IssuerPages::Own => device_check::router()
            .merge(challenge::router())
            .merge(challenge_return::router())
            .merge(enrolment::router::<SandboxPages>()),
        IssuerPages::Elsewhere => Router::new(),
    };
    of_issuers
        .merge(method::router())
        .merge(scripts())
        .with_state(SandboxPages {
            payments,
            allows_insecure_urls,
        })
}

fn scripts() -> Router<SandboxPages> {
    let scripts: [&'static PageScript; 4] = [
        &DEVICE_SCRIPT,
        &CHALLENGE_SCRIPT,
        &ENROLMENT_SCRIPT,
        &RETURN_SCRIPT,
    ];
    scripts
        .into_iter()
        .fold(Router::new(), |router, script| {
            router.route(script.path(), get(async move || script.answer()))
        })
        .layer(compression())
}

static DEVICE_SCRIPT: LazyLock<PageScript> = LazyLock::new(|| {
    PageScript::new(
        "threeds/device",
        include_str!("../../../www/threeds/device.js"),
    )
});

/// Of the challenge, and of the page of a method.
static CHALLENGE_SCRIPT: LazyLock<PageScript> = LazyLock::new(|| {
    PageScript::new(
        "threeds/challenge",
        include_str!("../../../www/threeds/challenge.js"),
    )
});

static ENROLMENT_SCRIPT: LazyLock<PageScript> = LazyLock::new(|| {
    PageScript::new(
        "threeds/enrolment",
        include_str!("../../../www/threeds/enrolment.js"),
    )
});

static RETURN_SCRIPT: LazyLock<PageScript> = LazyLock::new(|| {
    PageScript::new(
        "threeds/return",
        include_str!("../../../www/threeds/return.js"),
    )
});
