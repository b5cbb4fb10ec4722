//! Drives an acquirer through what it has to get right, and reports what was tried.
//!
//! Here is what every protocol shares: test cards, payments and movements of their money by the port [`Acquirer`](payframe_payment_ports::Acquirer),
//! checks of whole sequences, and the report. What only one protocol has is examined in its own crate: signatures and references of adapters in
//! `payframe-acquirer-http`, reversals and the host's network management in `payframe-acquirer-iso8583`.
//!
//! A report without a failure means: contract-tested, against this endpoint, with these cards. It says nothing about the processor behind it.
//!
//! The checks move money, so the caller makes sure that the endpoint is one for tests.

mod bench;
mod books;
mod card;
mod conversions;
mod money;
mod network_tokens;
mod report;
mod test_cards;

pub use bench::{
    Bench, CodeData, Movement, Payment, Totals, amount, failed, in_words, must_be, must_be_same,
    reference,
};
pub use books::Books;
pub use card::Card;
pub use conversions::conversions;
pub use money::{sequences, totals};
pub use network_tokens::network_tokens;
pub use report::{Check, Finding, Report, Verdict};
pub use test_cards::{TestCards, TestToken};
