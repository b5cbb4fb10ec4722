//! The commands for developers of shops: `listen`, `trigger` and `mcp`. They call the API of a running gateway as a merchant's server does, need no
//! setting and open no tables.

mod client;
mod listen;
mod mcp;
mod trigger;

pub use client::{CallError, RunningGateway};
pub use listen::{Forwarder, Listening};
pub use mcp::{AssistantAccess, AssistantError};
pub use trigger::{Trigger, TriggerError, TriggeredEvent};
