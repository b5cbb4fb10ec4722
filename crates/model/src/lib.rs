//! A search through everything that form, network, gateway and merchant's server can do together.
//!
//! Nothing in here ships: the crate is its tests. They compose the two machines that serve payments,
//! `payframe_checkout_flow::flow::Flow::step` and `payframe_gateway::session_state::step`, with a network that loses, repeats,
//! delays and reorders, with an acquirer that may stay silent, with crashes, reloads, a second tab, a buyer who gives
//! up, and a merchant's server that closes, crashes and asks again. The model checker `stateright` visits every state
//! and wants these promises kept in each:
//!
//! - a session is never charged twice, and never without a press of Pay;
//! - a form says paid only of what is paid, tells no outcome but the gateway's, and what it called unpaid stays so;
//! - what is given up is not charged;
//! - a form that waits has a question out, and a late answer changes nothing;
//! - from everywhere there is an end: once nothing goes wrong any more, forms are through or wait for the buyer within
//!   24 waits, the session is over, and the gateway's records say what the acquirer's books say.
//!
//! **Bounds.** 1 to 3 faults in any mixture, 2 presses of Pay, 1 giving up, 1 reload, 2 tabs, 2 closing calls of the
//! server, 2 attempts of the session; which of them meet is in `tests.rs`. A fault is a lost call or answer, a copy,
//! a call that is overtaken by its caller's patience, a form cut off until it does something else, a crash of gateway
//! or server, a silence of the acquirer, a day asleep. Time has no length: a wait, a limit or a poll may end at any moment. Polls
//! that find nothing are not counted, but a form may poll until its limit in one step. Version 3
//! only, for cards, without offers and changes of the amount, and within one session: a renewed one is a new search; after an outcome a
//! day may pass, so that the gateway tells it no more (contract 4.1); of wrong challenge codes only the last counts.
//!
//! **How much.** About 3 million states in half a minute on two busy cores. Each search has a least number of states, and
//! outcomes that it has to reach, so that none can pass by visiting nothing. Compositions that are broken on purpose
//! (`Broken` in `gateway.rs`) have to be found out.
//!
//! What is modelled, and not the real code, is what surrounds the machines with I/O: transactions, locks, kept answers
//! and recovery of the gateway (`payments/transition.rs`, `routes/pipeline.rs`), the widget's runtime and its keys. Whoever
//! changes those changes `gateway.rs` and `form.rs` here.

#[cfg(test)]
mod card;
#[cfg(test)]
mod form;
#[cfg(test)]
mod gateway;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod world;
