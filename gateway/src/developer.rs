//! The commands for developers of shops: `listen`, `trigger`, `mcp` and `verify`. They call a running gateway as a merchant's server does, need no setting and
//! open no tables.

mod client;
mod listen;
mod mcp;
mod trigger;
mod verify;

pub use client::{CallError, RunningGateway};
pub use listen::{Forwarder, Listening};
pub use mcp::{AssistantAccess, AssistantError};
pub use trigger::{Trigger, TriggerError, TriggeredEvent};
pub use verify::{ReleaseError, Verification, VerifyError};
