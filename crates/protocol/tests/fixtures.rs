//! Reads `fixtures/frame-messages.json`, which the shim's tests read too: what one side says, the other understands.
//!
//! Every example must survive Rust's types unchanged, and there must be an example of every variant. A new variant
//! fails to compile here until it has a name below, and fails the test until it has an example.

#![allow(
    clippy::expect_used,
    reason = "a fixture that cannot be read fails the test"
)]

mod examples;

use examples::{member, round_trip};
use std::collections::BTreeSet;

use payframe_protocol::frame::{
    Ask, FRAME_PROTOCOL_VERSION, FlowState, FrameMessage, Outcome, ResultDetail, ShimCommand,
    StateChangeDetail, WindowMessage,
};
use serde_json::{from_value, to_value};

const FIXTURE: &str = include_str!("../fixtures/frame-messages.json");

#[test]
fn every_frame_message_has_an_example_that_survives() {
    let mut seen = BTreeSet::new();
    for message in round_trip::<FrameMessage>(FIXTURE, "frameMessages") {
        seen.insert(match message {
            FrameMessage::Ready { .. } => "ready".to_owned(),
            FrameMessage::Resize { .. } => "resize".to_owned(),
            FrameMessage::Change(_) => "change".to_owned(),
            FrameMessage::Focus(_) => "focus".to_owned(),
            FrameMessage::Blur(_) => "blur".to_owned(),
            FrameMessage::Enter(_) => "enter".to_owned(),
            FrameMessage::StateChange(StateChangeDetail { state }) => match state {
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
            FrameMessage::Result(ResultDetail { outcome, .. }) => match outcome {
                Outcome::Approved
                | Outcome::Pending
                | Outcome::Declined
                | Outcome::Cancelled
                | Outcome::Failed
                | Outcome::Reversed
                | Outcome::Unknown => format!("result {outcome:?}"),
            },
            FrameMessage::Ask(ask) => match ask {
                Ask::Renew => "ask renew".to_owned(),
                Ask::Challenge => "ask challenge".to_owned(),
                Ask::Uncover => "ask uncover".to_owned(),
                Ask::Expiring(_) => "ask expiring".to_owned(),
                Ask::Title { .. } => "ask title".to_owned(),
            },
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
    for command in round_trip::<ShimCommand>(FIXTURE, "shimCommands") {
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
            ShimCommand::Refresh { .. } => "refresh",
            ShimCommand::Update { .. } => "update",
        });
    }
    assert_eq!(
        seen.len(),
        15,
        "a variant lacks its example; there are {seen:?}"
    );
}

#[test]
fn the_handshake_names_the_version_of_this_crate() {
    let read = |name| from_value::<WindowMessage>(member(FIXTURE, name)).expect("a message");
    let (hello, init) = (read("hello"), read("init"));
    assert_eq!(to_value(&hello).expect("JSON"), member(FIXTURE, "hello"));
    assert_eq!(to_value(&init).expect("JSON"), member(FIXTURE, "init"));
    assert_eq!(
        to_value(read("greet")).expect("JSON"),
        member(FIXTURE, "greet")
    );
    let (WindowMessage::Hello(hello), WindowMessage::Init(init)) = (hello, init) else {
        panic!("the fixture's names are wrong");
    };
    assert_eq!(hello.versions, [FRAME_PROTOCOL_VERSION]);
    assert_eq!(init.version, FRAME_PROTOCOL_VERSION);
    assert_eq!(init.nonce, hello.nonce);

    let options = init.options;
    assert!(
        options.theme.is_some()
            && options.button.is_some()
            && options.cancellation.is_some()
            && options.advance.is_some()
            && options.appearance.is_some()
            && options.locale.is_some()
            && options.texts.is_some(),
        "the example names every option"
    );
}
