//! The WebAssembly module that ships. Exports what the widget exports and adds nothing.
//!
//! A crate of its own because cargo skips link-time optimisation for a library that is also an rlib, and the
//! widget is one so that its tests can use it. Without that step the module would be a third larger.

pub use payframe::*;

/// Half the code of the standard allocator, and as quick for the few thousand small pieces of a form.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();
