//! The gateway's process from outside: what it serves beside the API, how it starts, how it ends.

// Everything in here is a test: what panics, fails it.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod backup;
#[path = "../support/database.rs"]
mod database;
#[path = "../support/http.rs"]
mod http;
mod metrics;
mod mode;
#[path = "../support/process.rs"]
mod process;
mod shop;
mod shutdown;
mod tls;
