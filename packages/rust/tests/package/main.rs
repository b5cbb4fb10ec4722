//! The package against a server on this machine that plays the gateway, with the time and the randomness of the tests.

// This file has only tests: a panic fails the test.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod answers;
mod call_rows;
mod calls;
mod disputes;
mod errors;
mod notifications;
mod options;
#[cfg(feature = "order-keeper")]
mod order_keeper;
mod retries;
mod stage;
