//! Takes the place of the library of this name, which Leptos links for server functions. The widget has none, and never makes a
//! stream; but the library exports classes to JavaScript, so no linker may drop them, and every buyer would download 3.6 kB of
//! code that nothing calls.
//!
//! Here are the names that Leptos needs to compile, with no values behind them: a stream can't be had, so nothing that takes one
//! is code. Asking for one is a panic, as any other fault of ours. `Cargo.toml` puts this crate in place, under `[patch.crates-io]`; another
//! version of Leptos may need other names, and says so when it is compiled.

use futures_core::Stream;
use std::pin::Pin;
use std::task::{Context, Poll};
use wasm_bindgen::JsValue;

/// A stream that JavaScript reads. There is none.
#[derive(Debug)]
pub enum ReadableStream {}

impl ReadableStream {
    /// Of the browser's.
    ///
    /// # Panics
    /// Always: the widget reads whole answers.
    pub fn from_raw(_: web_sys::ReadableStream) -> Self {
        unreachable!("the widget reads no stream")
    }

    /// Of ours.
    ///
    /// # Panics
    /// Always: the widget sends whole requests.
    pub fn from_stream(_: impl Stream<Item = Result<JsValue, JsValue>> + 'static) -> Self {
        unreachable!("the widget sends no stream")
    }

    /// As the browser's.
    pub fn into_raw(self) -> web_sys::ReadableStream {
        match self {}
    }

    /// As ours.
    pub fn into_stream(self) -> Chunks {
        match self {}
    }
}

/// What a stream brings. There is none.
#[derive(Debug)]
pub enum Chunks {}

impl Stream for Chunks {
    type Item = Result<JsValue, JsValue>;

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        match *self {}
    }
}
