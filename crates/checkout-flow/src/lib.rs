//! How the card form moves through a payment: its phases, what it asks next, and what a refusal means for the buyer.
//!
//! [`flow`] is the state machine: an event goes in, effects come out, and its caller carries them out. It includes the change to
//! another session, and [`choices`]: what the buyer chooses beside the card. [`sum`] is what is paid. [`decline`] sorts refusals. Nothing in it knows a clock, a screen, a network or a wire format. It handles no card data: it is told that
//! the data is complete, never what it is.

pub mod choices;
pub mod decline;
pub mod flow;
pub mod sum;
