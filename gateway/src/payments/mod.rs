//! Payments: the rules of `domain` applied to what is stored, with the ports as the outer world.
//!
//! Everything that changes a payment goes through [`transition`]: one event at a time, one transaction, and the
//! acquirer asked in between (read there how a crash can neither lose a payment nor charge one twice). What is done
//! with its money afterwards goes through [`post_authorization`], in the same way.
//! The other files say which event a call is, and what of the outcome its caller may see.

pub(crate) mod acceptance;
mod addresses;
mod authorization;
mod booking;
pub(crate) mod card_entry;
pub(crate) mod card_keys;
pub(crate) mod card_seal;
pub(crate) mod completion;
mod context;
pub(crate) mod contracts;
pub(crate) mod create_session;
mod due_work;
pub(crate) mod error;
pub(crate) mod external_3ds;
mod fields;
mod form;
pub(crate) mod hosted;
mod hosted_views;
mod increments;
pub(crate) mod links;
pub(crate) mod offers;
pub(crate) mod page_origins;
mod page_views;
pub(crate) mod post_authorization;
mod redirect;
pub(crate) mod reservation_charges;
pub(crate) mod reservation_life;
pub(crate) mod reservations;
mod saved_cards;
mod security_codes;
pub(crate) mod server_card;
pub(crate) mod server_to_server;
pub(crate) mod session_status;
pub(crate) mod submit_card;
mod three_step_events;
mod three_step_pages;
pub(crate) mod threeds;
pub(crate) mod transition;
pub(crate) mod wallets;

pub(crate) use authorization::Authorizations;
pub(crate) use booking::Ledger;
pub use card_keys::CardKeys;
pub use context::{PaymentContext, PaymentSettings};
pub use contracts::Contracts;
pub use create_session::Sessions;
pub use due_work::DueWork;
pub(crate) use error::{NoAcquirer, PaymentError, report};
pub use external_3ds::External3ds;
pub use form::Forms;
pub use hosted::HostedPages;
pub(crate) use hosted_views::{HostedPageAvailability, HostedView, WayOn};
pub use page_views::{
    ChallengeStep, ChallengeView, DeviceCheckView, FormError, FormView, MethodStep, MethodView,
    ReturnView, StepReturnView, StepStart,
};
pub(crate) use page_views::{FieldAsk, FieldError, FieldKind, FieldView};
pub use payframe_payment_ports::simulator_pages::{ChallengeAnswer, MethodAnswer};
pub use post_authorization::PostAuthorization;
pub use reservation_life::Reservations;
pub use server_to_server::ServerPayments;
pub use threeds::BuyerPages;
pub(crate) use transition::Transitions;
