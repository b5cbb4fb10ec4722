//! A search through all states of form, network, gateway and merchant's server together.
//!
//! Nothing in here ships: the crate is for tests. It composes the two state machines that serve payments,
//! `payframe_checkout_flow::flow::Flow::step` and `payframe_payment_domain::session::step`, with a network that loses, repeats,
//! delays and reorders messages, an acquirer that may give no answer, reverse what had none, or demand a challenge, crashes, reloads, a second tab, a buyer who gives
//! up, a merchant's server that closes, crashes, asks again and changes the sum, and a page that brings another session for the same order. The model checker `stateright` visits every state
//! and checks these promises in each:
//!
//! - a payment is never charged twice, in however many sessions, and never without a press of Pay on its current terms;
//! - nobody is charged a sum, a card or parts that the form did not show at the press, a sum that was offered for another sum, or without the
//!   consent that is needed;
//! - a form reports success only for a payment that was made, reports only the gateway's outcomes, and a payment that it reported as not made is not charged later;
//! - a payment that the buyer gave up is not charged;
//! - a form that waits has an open request, and a late answer changes nothing;
//! - every state leads to an end: once there are no more faults, all forms are finished or wait for the buyer within
//!   24 waits, the session is over, and the gateway's records agree with the acquirer's.
//!
//! **Bounds.** 1 to 3 faults in any mixture, 2 presses of Pay, 1 giving up, 1 reload, 2 tabs, 1 other session (in one
//! tab), 1 change of the sum, 2 reversals, 2 completion calls of the server, 2 attempts of the session; `tests.rs` says which are combined. A fault is a lost call or answer, a copy of a call,
//! a call that arrives after its caller stopped waiting, a form that is cut off until it does something else, a crash of gateway
//! or server, an acquirer without an answer, a challenge that is demanded and not possible, a day of sleep. Time has no length: a wait, a limit or a poll may end at any moment. Polls
//! that find nothing are not counted, but a form may poll until its limit in one step. The model covers version 3 and cards, with what is asked beside a card: currency offers, instalments, a saved card, consent.
//! When a session is replaced, it is dead, or its outcome is final, or the gateway ends it at that moment. So calls that are still
//! on their way to it have no effect and are dropped. After an outcome a
//! day may pass, after which the gateway does not tell it (contract 4.1). Of several wrong challenge codes, only the last counts.
//!
//! **Size.** About 4 million states in half a minute on two busy cores. Each search has a least number of states, and
//! outcomes that it has to reach, so that a search that visits nothing fails. The search has to find the faults of compositions that are broken on purpose
//! ([`Broken`]).
//!
//! **The shop.** [`shop`] is a model of its own: a shop's order book with `payframe_order_keeper::Order::step`, together with the gateway as
//! a shop sees it; and common rules of shops, each with the sequence in which it loses money or goods.
//!
//! **Modelled code.** The code with I/O around the state machines is modelled, and is not the real code: transactions, locks, stored answers
//! and recovery of the gateway (`crates/payment-service/src/transition.rs`, `gateway/src/routes/pipeline.rs`) in `gateway.rs`, and the widget's runtime with its keys in
//! `form.rs`. The model of the gateway is compared with the real one: a [`Walk`] records what happens at the gateway, and
//! `gateway/tests/api/model_traces.rs` makes the same calls to a real gateway and compares both after each step.

mod beside;
mod card;
mod form;
mod gateway;
mod properties;
mod search;
mod setting;
pub mod shop;
mod sums;
#[cfg(test)]
mod tests;
mod trace;
mod world;

pub use beside::{Beside, PARTS};
pub use card::Card;
pub use gateway::observed::{GatewayStep, GatewayView, Observed};
pub use gateway::{Ask, Client, Key, SentBeside};
pub use setting::{Bounds, Broken, Setting};
pub use sums::sum_of;
pub use trace::Walk;
pub use world::{Action, World};
