//! Payments: applies the rules of `payframe_payment_domain` to stored data, and calls external systems through ports.
//!
//! [`PaymentContext`] holds the dependencies of payments. Each service is built over it and names the services that it calls. There are no
//! cycles:
//!
//! | Service | Does |
//! |---|---|
//! | [`Sessions`] | creates build sessions, takes their card, completes and cancels them, returns their status |
//! | [`Forms`], [`BuyerPages`] | the start data of the form's frames; simulated pages of an issuer or a method |
//! | [`HostedPages`] | hosted pages and payment links, and the terms that are accepted there |
//! | [`ServerPayments`], [`External3ds`] | payments without a form, by one call or in three steps |
//! | [`Contracts`] | contracts, and the saved cards that a form shows |
//! | [`Fulfilments`] | what shops tell of the goods of their orders |
//! | [`PostAuthorization`] | capture, void, refund, increment |
//! | [`Disputes`] | what buyers' banks dispute, and the merchants' answers |
//! | [`Reservations`] | reservations and their charges |
//! | [`CardKeys`] | keys for encrypted card data |
//! | [`DueWork`] | periodic work, and recovery after a crash |
//!
//! Below them, and internal to this crate: `Transitions` applies one event at a time to a session, each in one transaction, and calls the
//! acquirer between transactions (its documentation explains why a crash neither loses a payment nor charges twice). `Authorizations`
//! calls risk rules, issuers and the acquirer. `Ledger` writes operations. Follow-up operations use [`PostAuthorization`] in the same way.
//! This crate does not know HTTP, pages or the gateway's settings.

mod acquirer_choice;
mod addresses;
pub mod api_keys;
mod attacks;
pub mod audit_notes;
mod authorization;
mod booked_money;
mod booking;
pub mod books;
mod browser_data;
pub mod card_entry;
pub mod card_keys;
mod card_testing;
pub mod cardholder_data;
mod challenge_means;
pub mod clearing_watch;
pub mod completion;
mod confirmations;
mod context;
pub mod contracts;
pub mod create_session;
mod day_sums;
mod decoupled;
mod device_check;
pub mod dispute_document;
pub mod disputes;
mod due_work;
mod effects;
pub mod error;
pub mod external_3ds;
mod external_3ds_browser;
mod external_3ds_events;
mod external_3ds_init;
mod external_3ds_pages;
mod external_3ds_payment;
mod fields;
mod first_requests;
mod form;
mod form_documents;
pub mod fulfilments;
pub mod hosted;
mod hosted_result;
mod hosted_sessions;
mod hosted_views;
pub mod idempotency;
mod issuer_pages;
mod links;
pub mod locks;
pub mod merchant_urls;
pub mod meter;
mod notices;
mod offers;
mod operation_document;
pub mod order_version;
mod page_origins;
mod page_views;
mod page_watch;
mod peers;
mod planned_disputes;
pub mod post_authorization;
pub mod privacy;
pub mod proofs;
mod redirect;
mod refusal_limit;
pub mod reservation_lifecycle;
pub mod reservation_link;
pub mod reservations;
mod retention;
pub mod retention_policy;
mod saved_cards;
mod security_codes;
pub mod server_card;
pub mod server_to_server;
pub mod session_sum;
pub mod settlement;
mod step_up;
pub mod submit_card;
mod sum_change;
pub mod test_clock;
mod threeds;
mod transition;
pub mod wallets;

pub(crate) use authorization::Authorizations;
pub(crate) use booking::Ledger;
pub use card_keys::CardKeys;
pub use card_testing::CardSender;
pub use context::{PaymentContext, PaymentSettings};
pub use contracts::Contracts;
pub use create_session::Sessions;
pub use create_session::session_status;
pub use disputes::Disputes;
pub use due_work::DueWork;
pub use error::{ContractError, NoAcquirerError, PaymentError, report};
pub use external_3ds::External3ds;
pub use form::Forms;
pub use fulfilments::Fulfilments;
pub use hosted::HostedPages;
pub use hosted::acceptance;
pub use hosted_views::{HostedPageAvailability, HostedView, RedirectTarget};
pub use page_views::{
    Asker, FieldError, FieldKind, FieldRequest, FieldView, FormPass, FormRequest,
};
pub use page_views::{
    ChallengeStep, ChallengeView, ConfirmationStep, ConfirmationView, DeviceCheckView, FormError,
    FormView, IssuerDeviceCheck, IssuerForm, MethodStep, MethodView, ReturnView, StepRequest,
    StepReturnView, StepStart, StepView, WaitingView,
};
pub use page_watch::{PageReport, PageReportAnswer, PageReportPart};
pub use payframe_payment_ports::simulator_pages::{
    ChallengeAnswer, Enrolment, MethodAnswer, Registration,
};
pub use payframe_payment_ports::three_ds_server::{
    Assertion, AssertionProblem, BrowserData, BrowserForm, Confirmation, ConfirmationOutcome,
};
pub use post_authorization::PostAuthorization;
pub use reservation_lifecycle::Reservations;
pub use reservation_lifecycle::reservation_charges;
pub use server_to_server::ServerPayments;
pub use test_clock::TestClock;
pub use threeds::BuyerPages;
pub(crate) use transition::Transitions;
