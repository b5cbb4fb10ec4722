//! Replaces the library of this name, which Leptos links for server functions. The widget has none, and never makes a
//! stream; but the library exports classes to JavaScript, so the linker may not drop them, and every buyer would download 3.6 kB of
//! code that nothing calls.
//!
//! This crate has the names that Leptos needs to compile, with types that have no values: there can be no stream, so code that takes one
//! is removed. Creating one panics. `Cargo.toml` replaces the library, under `[patch.crates-io]`. Another
//! version of Leptos may need other names; then it does not compile.

use futures_core::Stream;
use std::pin::Pin;
use std::task::{Context, Poll};
use wasm_bindgen::JsValue;

/// A stream that JavaScript reads. There is none.
#[derive(Debug)]
pub enum ReadableStream {}

impl ReadableStream {
    /// From a stream of the browser.
    ///
    /// # Panics
    /// Always: the widget reads whole answers.
    pub fn from_raw(_: web_sys::ReadableStream) -> Self {
        unreachable!("the widget reads no stream")
    }

    /// From a stream of Rust.
    ///
    /// # Panics
    /// Always: the widget sends whole requests.
    pub fn from_stream(_: impl Stream<Item = Result<JsValue, JsValue>> + 'static) -> Self {
        unreachable!("the widget sends no stream")
    }

    /// As a stream of the browser.
    pub fn into_raw(self) -> web_sys::ReadableStream {
        match self {}
    }

    /// As a stream of Rust.
    pub fn into_stream(self) -> Chunks {
        match self {}
    }
}

/// The items of a stream. There are none.
#[derive(Debug)]
pub enum Chunks {}

impl Stream for Chunks {
    type Item = Result<JsValue, JsValue>;

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        match *self {}
    }
}
