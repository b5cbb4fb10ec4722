//! The form as a component, in a real browser: the markup of the frame page, made live, driven by real edits.
//!
//! Run by `cargo xtask test` under wasm-bindgen-test. No gateway is behind it: what needs one is in `tests/e2e`.

#![cfg(target_arch = "wasm32")]
// A test stops if the page is not as expected.
#![allow(clippy::unwrap_used)]

// Modules of one test program, because wasm-bindgen-test starts a browser for each program.
#[path = "form/billing_address.rs"]
mod billing_address;
#[path = "form/choices.rs"]
mod choices;
#[path = "form/gateway_client.rs"]
mod gateway_client;
#[path = "form/page.rs"]
mod page;
#[path = "form/reports.rs"]
mod reports;
#[path = "form/session.rs"]
mod session;
#[path = "form/typing.rs"]
mod typing;

use wasm_bindgen_test::wasm_bindgen_test_configure;

wasm_bindgen_test_configure!(run_in_browser);
