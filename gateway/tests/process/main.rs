//! The gateway's process from outside: what it serves besides the API, how it starts, how it ends.

// This file has only tests: a panic fails the test.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod acquirers;
mod backup;
#[cfg(target_os = "linux")]
mod connections;
#[path = "../support/database.rs"]
mod database;
mod demo;
#[path = "../support/dist.rs"]
mod dist;
#[path = "../support/encrypted_card.rs"]
mod encrypted_card;
mod health;
#[path = "../support/http.rs"]
mod http;
mod mcp;
#[cfg(target_os = "linux")]
mod memory;
mod metrics;
mod mode;
#[path = "../support/process.rs"]
mod process;
mod rust_package;
mod shop;
mod shutdown;
mod three_ds;
mod tls;
mod token;
