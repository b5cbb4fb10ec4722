//! Replaces the library of this name, which Leptos uses while it is compiled and which nobody maintains any more (RUSTSEC-2024-0436):
//! its macros are those of the maintained `pastey`, which are the same. `Cargo.toml` replaces the library, under `[patch.crates-io]`.
//! It goes once Leptos uses another one.

pub use pastey::{expr, item, paste};
