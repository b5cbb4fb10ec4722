//! The sandbox: what stands in for card networks, issuers and their access control.
//!
//! [`cards`] knows which test numbers exist and how each behaves (contract, section 11), [`methods`] what the
//! operators of alternative methods answer; [`acquirer`] keeps their side of the money in a database of its
//! own. The rest of the gateway treats all of them as the outer world: no money moves unless the acquirer has it written down.

pub(crate) mod acquirer;
pub(crate) mod cards;
mod methods;
pub(crate) mod terminals;
pub(crate) mod wallets;
