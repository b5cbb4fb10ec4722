//! The back office: a small web application at `/office` for the people who work for a merchant.
//!
//! [`router`] answers everything at and below `/office`. A gateway gives it [`BackOfficeSettings`] and the dependencies of payments,
//! and mounts it. The command line of a gateway uses [`staff`] alone, to add the first member.
//!
//! A [`login_session`] says which member is logged in. Every handler that shows data of the merchant takes one. Every form arrives as
//! [`form::Posted`], which only a page of that log-in can have sent. [`page`] contains what all pages have in common. The gateway
//! writes the pages, and they work without script. `payframe_payment_service` and `payframe_payment_domain` decide what may be done
//! with money, by the functions that the API calls too.
//!
//! The templates, the style and the script are in `www/office`, not beside the handlers, because `www` contains everything that browsers
//! load. The type check and the house rules of scripts read it as one folder. This crate compiles the files into itself (`askama.toml`),
//! and no other crate reads that folder.

mod amount;
mod approvals;
mod approved_refund;
mod attempts;
mod audit;
pub mod authenticator;
mod books;
mod card_testing;
mod charges;
#[cfg(feature = "checks")]
pub mod checks;
mod confirm;
mod contracts;
mod dashboard;
mod decided_tries;
mod display;
mod dispute_files;
mod disputes;
mod error;
mod evidence_form;
mod exports;
mod filter;
mod form;
mod idempotent_form;
mod keys;
mod labels;
pub mod leaked_passwords;
mod links;
mod login;
mod login_code;
pub mod login_providers;
mod login_session;
mod members;
mod moment;
mod next_page;
mod notifications;
mod order;
mod orders;
mod own_log_ins;
mod own_passkeys;
mod own_password;
mod page;
mod page_entries;
mod page_watch;
mod page_watch_parts;
mod passkey_login;
mod passkeys;
pub mod password;
mod pending_step;
mod plot;
mod provider_cookie;
mod provider_login;
mod provider_logout;
mod reauthentication;
mod recovery_codes;
mod refund_rule;
mod refunds;
mod reservation_page;
mod reservations;
mod second_factor;
mod secret;
mod settlement_differences;
mod settlement_file;
mod settlement_parts;
mod settlements;
mod shown_file;
mod spreadsheet;
pub mod staff;
mod stopped_tries;
mod told_refund;
mod try_reviews;
mod visit;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::response::Redirect;
use axum::routing::{any, get};
use error::OfficeError;
use leaked_passwords::LeakedPasswords;
use login_providers::LoginProviders;
use passkeys::RelyingParty;
use payframe_payment_ports::Clock;
use payframe_payment_ports::Vault;
use payframe_payment_service::locks::Locks;
use payframe_payment_service::{
    Contracts, HostedPages, PaymentContext, PostAuthorization, Reservations,
};
use payframe_storage::Store;
use std::sync::Arc;

/// The operator's settings of the back office.
#[derive(Clone, Debug)]
pub struct BackOfficeSettings {
    /// The origin at which browsers reach the back office: scheme, host and port, without a slash at the end.
    pub origin: String,
    /// How many proxies are in front and append the address that they saw to `X-Forwarded-For`.
    pub proxies: u32,
    /// Whether a member without a second factor can only set one up.
    pub requires_second_factor: bool,
    /// Where members may log in in place of their password.
    pub providers: LoginProviders,
    /// Passwords that members may not choose.
    pub leaked_passwords: LeakedPasswords,
}

/// What the handlers share. Clones share everything.
#[derive(Clone)]
pub(crate) struct BackOffice(Arc<Parts>);

struct Parts {
    settings: BackOfficeSettings,
    payments: PaymentContext,
    clock: Clock,
    /// `None`: browsers use no passkeys at the gateway's origin.
    relying_party: Option<RelyingParty>,
    /// Locks: one form at a time for each idempotency key.
    idempotency_keys: Locks,
}

impl BackOffice {
    fn settings(&self) -> &BackOfficeSettings {
        &self.0.settings
    }

    fn providers(&self) -> &LoginProviders {
        &self.settings().providers
    }

    fn origin(&self) -> &str {
        &self.settings().origin
    }

    /// What passkeys are for. `None`: browsers use none at the gateway's origin.
    fn relying_party(&self) -> Option<&RelyingParty> {
        self.0.relying_party.as_ref()
    }

    /// The real time: that of members, their log-ins and the audit log.
    fn clock(&self) -> &Clock {
        &self.0.clock
    }

    /// The time of payments, which in a sandbox may be ahead of the real time.
    fn payment_clock(&self) -> &Clock {
        self.payments().clock()
    }

    fn store(&self) -> &Store {
        self.payments().store()
    }

    fn vault(&self) -> &dyn Vault {
        self.payments().vault()
    }

    fn idempotency_keys(&self) -> &Locks {
        &self.0.idempotency_keys
    }

    /// What payments need. The services below are made from it.
    fn payments(&self) -> &PaymentContext {
        &self.0.payments
    }

    fn contracts(&self) -> Contracts<'_> {
        Contracts::new(self.payments())
    }

    fn hosted_pages(&self) -> HostedPages<'_> {
        HostedPages::new(self.payments())
    }

    fn post_authorization(&self) -> PostAuthorization<'_> {
        PostAuthorization::new(self.payments())
    }

    fn reservations(&self) -> Reservations<'_> {
        Reservations::new(self.payments())
    }
}

/// Everything at and below `/office`.
pub fn router<S>(settings: BackOfficeSettings, payments: PaymentContext) -> Router<S> {
    let office = BackOffice(Arc::new(Parts {
        relying_party: RelyingParty::of(&settings.origin),
        settings,
        clock: payments.clock().real(),
        payments,
        idempotency_keys: Locks::default(),
    }));
    Router::new()
        .route("/office/", get(|| async { Redirect::permanent("/office") }))
        .route("/office/{*path}", any(|| async { OfficeError::NotFound }))
        .merge(dashboard::router())
        .merge(orders::router())
        .merge(exports::router())
        .merge(order::router())
        .merge(refunds::router())
        .merge(disputes::router())
        .merge(dispute_files::router())
        .merge(books::router())
        .merge(settlements::router())
        .merge(settlement_file::router())
        .merge(settlement_differences::router())
        .merge(notifications::router())
        .merge(links::router())
        .merge(contracts::router())
        .merge(reservations::router())
        .merge(reservation_page::router())
        .merge(charges::router())
        .merge(login::router())
        .merge(login_code::router())
        .merge(passkey_login::router())
        .merge(provider_login::router())
        .merge(provider_logout::router())
        .merge(second_factor::router())
        .merge(own_passkeys::router())
        .merge(own_password::router())
        .merge(own_log_ins::router())
        .merge(reauthentication::router())
        .merge(members::router())
        .merge(keys::router())
        .merge(card_testing::router())
        .merge(stopped_tries::router())
        .merge(try_reviews::router())
        .merge(decided_tries::router())
        .merge(page_watch::router())
        .merge(page_entries::router())
        .merge(approvals::router())
        .merge(audit::router())
        .merge(page::router())
        .layer(DefaultBodyLimit::max(LARGEST_FORM))
        .with_state(office)
}

/// In bytes.
const LARGEST_FORM: usize = 64 * 1024;
