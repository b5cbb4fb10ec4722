//! Reads `fixtures/build-messages.json`, which TypeScript's checks read too: what one side says, the other understands.
//!
//! Every example must survive Rust's types unchanged, and there must be an example of every variant. A new variant
//! fails to compile here until it has a name below, and fails the test until it has an example.

#![allow(
    clippy::expect_used,
    reason = "a fixture that cannot be read fails the test"
)]

mod examples;

use examples::round_trip;
use payframe_protocol::build_messages::{BuildCommand, BuildEvent, FieldFrameMessage};
use serde::{Serialize, de::DeserializeOwned};
use std::collections::BTreeSet;

const FIXTURE: &str = include_str!("../fixtures/build-messages.json");

/// Reads and writes each example of a list, and fails unless there is one of each of so many variants.
fn check<T: DeserializeOwned + Serialize>(
    member: &str,
    variants: usize,
    name: fn(&T) -> &'static str,
) {
    let seen: BTreeSet<_> = round_trip::<T>(FIXTURE, member).iter().map(name).collect();
    assert_eq!(
        seen.len(),
        variants,
        "a variant lacks its example; there are {seen:?}"
    );
}

#[test]
fn every_command_has_an_example_that_survives() {
    check("commands", 4, |command: &BuildCommand| match command {
        BuildCommand::Here { .. } => "here",
        BuildCommand::Options { .. } => "options",
        BuildCommand::Confirm { .. } => "confirm",
        BuildCommand::Click { .. } => "click",
    });
}

#[test]
fn every_message_of_a_frame_has_an_example_that_survives() {
    check("messages", 4, |message: &FieldFrameMessage| match message {
        FieldFrameMessage::Up { .. } => "up",
        FieldFrameMessage::Loading { .. } => "loading",
        FieldFrameMessage::Watch { .. } => "watch",
        FieldFrameMessage::Unavailable { .. } => "unavailable",
    });
}

#[test]
fn every_event_has_an_example_that_survives() {
    check("events", 7, |event: &BuildEvent| match event {
        BuildEvent::Ready { .. } => "ready",
        BuildEvent::FieldFocussed { .. } => "focussed",
        BuildEvent::FieldBlurred { .. } => "blurred",
        BuildEvent::BuildSuccess { .. } => "success",
        BuildEvent::BuildError { .. } => "error",
        BuildEvent::ConfirmError { .. } => "confirm error",
        BuildEvent::BuildFlowStateChange { .. } => "state",
    });
}
