//! Checks the tokens of log-in providers (OpenID Connect): [`id_token`] says who has logged in, [`logout_token`] what is over.
//!
//! Functions of texts and a time, without I/O and without a clock: the back office asks the provider, and decides what a log-in there opens.
//! Tokens and keys come from outside, and a log-out token from anybody, so whatever is in them has an answer.

#[cfg(test)]
mod fixture;
pub mod id_token;
pub mod logout_token;
mod signature;
mod token_problem;

pub use signature::KeySet;
pub use token_problem::TokenProblem;
