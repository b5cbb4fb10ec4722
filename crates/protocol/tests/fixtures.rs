//! Reads `fixtures/frame-messages.json`, which the shim's tests read too: what one side says, the other understands.
//!
//! Every example must survive Rust's types unchanged, and there must be an example of every variant. A new variant
//! fails to compile here until it has a name below, and fails the test until it has an example.

#![allow(
    clippy::expect_used,
    reason = "a fixture that cannot be read fails the test"
)]

use std::collections::BTreeSet;

use payframe_protocol::frame::{
    FRAME_PROTOCOL_VERSION, FlowState, FrameMessage, FrameOptions, Outcome, ShimCommand,
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, from_value, to_value};

fn fixture(member: &str) -> Value {
    let text = include_str!("../fixtures/frame-messages.json");
    let mut all: Value = serde_json::from_str(text).expect("the fixture is JSON");
    all[member].take()
}

/// Reads and writes each example of a list; returns what was read.
fn round_trip<T: DeserializeOwned + Serialize>(member: &str) -> Vec<T> {
    let examples = from_value::<Vec<Value>>(fixture(member)).expect("a list");
    let read = |example: Value| {
        let message: T =
            from_value(example.clone()).unwrap_or_else(|cause| panic!("{cause}: {example}"));
        assert_eq!(
            to_value(&message).expect("messages are JSON"),
            example,
            "left: what Rust writes, right: the fixture"
        );
        message
    };
    examples.into_iter().map(read).collect()
}

#[test]
fn every_frame_message_has_an_example_that_survives() {
    let mut seen = BTreeSet::new();
    for message in round_trip::<FrameMessage>("frameMessages") {
        seen.insert(match message {
            FrameMessage::Ready { .. } => "ready".to_owned(),
            FrameMessage::Resize { .. } => "resize".to_owned(),
            FrameMessage::Change { .. } => "change".to_owned(),
            FrameMessage::Focus { .. } => "focus".to_owned(),
            FrameMessage::Blur { .. } => "blur".to_owned(),
            FrameMessage::Enter { .. } => "enter".to_owned(),
            FrameMessage::StateChange { state } => match state {
                FlowState::PaymentMethodSelection
                | FlowState::CardDataCollection
                | FlowState::Processing
                | FlowState::ReadyForPayment
                | FlowState::Finalizing
                | FlowState::Challenge
                | FlowState::RedirectedToExternalDomain
                | FlowState::PaymentComplete
                | FlowState::Expired => format!("statechange {state:?}"),
            },
            FrameMessage::Result { outcome, .. } => match outcome {
                Outcome::Approved
                | Outcome::Pending
                | Outcome::Declined
                | Outcome::Cancelled
                | Outcome::Failed
                | Outcome::Reversed
                | Outcome::Unknown => format!("result {outcome:?}"),
            },
            FrameMessage::Ask { what, .. } => format!("ask {what}"),
            FrameMessage::Error { .. } => "error".to_owned(),
            FrameMessage::Fatal { .. } => "fatal".to_owned(),
            FrameMessage::Reply {
                faults: Some(_), ..
            } => "reply with faults".to_owned(),
            FrameMessage::Reply { error, .. } => {
                format!("reply {}", error.map_or("worked", |_| "refused"))
            }
        });
    }
    assert_eq!(
        seen.len(),
        9 + 4 + 9 + 7 + 3,
        "a variant lacks its example; there are {seen:?}"
    );
}

#[test]
fn every_shim_command_has_an_example_that_survives() {
    let mut seen = BTreeSet::new();
    for command in round_trip::<ShimCommand>("shimCommands") {
        seen.insert(match command {
            ShimCommand::Confirm { .. } => "confirm",
            ShimCommand::Abort { .. } => "abort",
            ShimCommand::Cancel { .. } => "cancel",
            ShimCommand::Focus { field: None, .. } => "focus",
            ShimCommand::Focus { field: Some(_), .. } => "focus a field",
            ShimCommand::Clear { .. } => "clear",
            ShimCommand::Validate { .. } => "validate",
            ShimCommand::ServerError { field: None, .. } => "server error",
            ShimCommand::ServerError { field: Some(_), .. } => "server error of a field",
            ShimCommand::Redirect { .. } => "redirect",
            ShimCommand::Reveal { .. } => "reveal",
            ShimCommand::Cover { .. } => "cover",
            ShimCommand::Renew { .. } => "renew",
            ShimCommand::Update { .. } => "update",
        });
    }
    assert_eq!(
        seen.len(),
        14,
        "a variant lacks its example; there are {seen:?}"
    );
}

#[test]
fn the_handshake_names_the_version_of_this_crate() {
    let (hello, init) = (fixture("hello"), fixture("init"));
    assert_eq!(
        hello["versions"],
        to_value([FRAME_PROTOCOL_VERSION]).expect("a list")
    );
    assert_eq!(init["version"], FRAME_PROTOCOL_VERSION);
    assert_eq!(init["nonce"], hello["nonce"]);

    let options: FrameOptions = from_value(init["options"].clone()).expect("options");
    assert_eq!(
        to_value(&options).expect("options are JSON"),
        init["options"]
    );
    assert!(
        [
            &options.theme,
            &options.button,
            &options.advance,
            &options.appearance,
            &options.locale,
            &options.texts
        ]
        .iter()
        .all(|option| option.is_some()),
        "the example names every option"
    );
}
