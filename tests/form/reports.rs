//! What the shop's page is told about the fields, and what it asks of the form.

use super::page::{Page, document, edit, input, leave, next_messages, settle, text, type_into};
use payframe::host::Host;
use payframe_protocol::frame::{
    CommandError, FieldDetail, FieldId, FlowState, FrameMessage, PayframeErrorCode,
    StateChangeDetail,
};
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::MessageChannel;

/// The first part of the module writes its messages member by member.
#[wasm_bindgen_test]
async fn messages_that_are_written_one_by_one_are_those_of_the_protocol() {
    let channel = MessageChannel::new().unwrap();
    let host = Host::new(channel.port2());
    let field = FieldId::CardNumber;
    host.ready(Some("something is missing"));
    host.ready(None);
    host.focused(field);
    host.left(field);
    host.state(FlowState::RedirectedToExternalDomain);
    host.error(PayframeErrorCode::ScriptBlocked, "a part did not load");
    host.reply(1, None);
    host.reply(2, Some(PayframeErrorCode::WrongState));
    let reason = Some("something is missing".into());
    let state = FlowState::RedirectedToExternalDomain;
    let refusal = CommandError {
        code: PayframeErrorCode::WrongState,
        message: "wrong_state".into(),
    };
    let reply = |id, error| FrameMessage::Reply {
        id,
        error,
        faults: None,
    };
    let expected = [
        FrameMessage::Ready { reason },
        FrameMessage::Ready { reason: None },
        FrameMessage::Focus(FieldDetail { field }),
        FrameMessage::Blur(FieldDetail { field }),
        FrameMessage::StateChange(StateChangeDetail { state }),
        FrameMessage::Error {
            code: PayframeErrorCode::ScriptBlocked,
            message: "a part did not load".into(),
        },
        reply(1, None),
        reply(2, Some(refusal)),
    ];
    let heard = next_messages(&channel.port1(), expected.len()).await;
    for (heard, expected) in heard.into_iter().zip(expected) {
        let heard: FrameMessage = serde_wasm_bindgen::from_value(heard).unwrap();
        assert_eq!(heard, expected);
    }
}

/// J14, N7: change event tells states, brand, candidates and completeness, and no digit of any field; learns no digit from events, sizes, styles, titles or focus moves.
#[wasm_bindgen_test]
async fn the_page_hears_states_and_no_digit() {
    let page = Page::open();
    input("CARD_NUMBER").focus().unwrap();
    edit("insertText", "4761730000000003");
    let change = page.message("change").await;
    assert!(change.contains(r#""brand":"VISA""#), "{change}");
    let digits = change.chars().filter(char::is_ascii_digit).count();
    assert_eq!(digits, 0, "{change}");
}

#[wasm_bindgen_test]
async fn last_digits_are_told_only_where_the_merchants_server_asked() {
    let page = Page::open_with(r#"{"cardSummary":"LAST4"}"#, |_| {});
    let heard = page.all_changes();
    type_into("CARD_NUMBER", "4761730000000003");
    settle().await;
    leave("CARD_NUMBER");
    settle().await;
    let heard = page.changes(&heard).await;
    let (left, typing) = heard.split_last().unwrap();
    assert!(
        typing.iter().all(|change| !change.contains("last4")),
        "{typing:?}"
    );
    assert!(left.contains(r#""last4":"0003""#), "{left}");
    assert!(!left.contains("bin"), "{left}");
}

/// N7: first and last digits are told once: a number that is edited afterwards is another one, and nothing of it is told.
#[wasm_bindgen_test]
async fn digits_of_a_second_number_are_not_told_while_typing() {
    let page = Page::open_with(r#"{"cardSummary":"BIN_LAST4"}"#, |_| {});
    let heard = page.all_changes();
    // Good at 13 digits, and at 19.
    type_into("CARD_NUMBER", "4000000000006");
    leave("CARD_NUMBER");
    type_into("CARD_NUMBER", "000000");
    leave("CARD_NUMBER");
    settle().await;
    input("CARD_NUMBER").focus().unwrap();
    input("CARD_NUMBER").select();
    edit("delete", "");
    edit("insertText", "5413330000000001");
    leave("CARD_NUMBER");
    settle().await;
    let mut told: Vec<String> = page
        .changes(&heard)
        .await
        .iter()
        .filter_map(|change| Some(change.split_once(r#""last4":"#)?.1[..6].to_owned()))
        .collect();
    told.dedup();
    assert_eq!(told, [r#""0006""#]);
}

/// N7: a page that may not know digits receives the same messages for any two numbers of a network.
#[wasm_bindgen_test]
async fn numbers_of_one_network_and_length_sound_the_same() {
    for alike in [
        ["4761730000000003", "4000000000000002", "4111111111111111"].as_slice(),
        &["5413330000000001", "2221000000000009", "5555555555554444"],
        &[
            "4000000000006000000",
            "4999999999999999993",
            "4012345678901234565",
        ],
        &["6759649826438453", "5018000000000009", "6304000000000000"],
        &["36000000000008", "30569309025904", "38520000023237"],
        &["374245000000009", "341111111111111"],
        &["3530111333300000", "3566002020360505"],
        &["6200000000000005", "8171999927660000"],
    ] {
        let mut first: Option<Vec<String>> = None;
        for number in alike {
            let page = Page::open_with("{}", |_| {});
            let heard = page.all_changes();
            // Each key with its own paint: keys that share one are reported in one message.
            for key in number.chars() {
                type_into("CARD_NUMBER", &key.to_string());
                settle().await;
            }
            leave("CARD_NUMBER");
            settle().await;
            let heard = page.changes(&heard).await;
            assert!(
                heard
                    .last()
                    .unwrap()
                    .contains(r#""id":"CARD_NUMBER","empty":false,"complete":true"#),
                "{heard:?}"
            );
            assert!(
                heard
                    .iter()
                    .all(|change| !change.contains(|c: char| c.is_ascii_digit()))
            );
            assert_eq!(&heard, first.get_or_insert(heard.clone()));
        }
    }
}

/// N7: a page that has fields judged at every key does not hear at which lengths a number passes the check.
#[wasm_bindgen_test]
async fn page_that_asks_at_every_key_hears_no_check_digits() {
    let page = Page::open();
    let heard = page.all_changes();
    for key in "6759649826438453".chars() {
        type_into("CARD_NUMBER", &key.to_string());
        page.command(r#"{"type":"validate","id":1}"#);
        page.message("reply").await;
    }
    let judged = |change: &&String| {
        change.contains("check_digit")
            || change.contains(r#""id":"CARD_NUMBER","empty":false,"complete":true"#)
    };
    assert!(page.changes(&heard).await.iter().filter(judged).count() <= 2);
}

/// N4: dropped, and the form stays usable.
#[wasm_bindgen_test]
async fn unknown_commands_and_odd_shapes_are_dropped() {
    let page = Page::open();
    for odd in [
        r#"{"type":"read","id":1}"#,
        r#"{"type":"focus","id":"1"}"#,
        r#"{"type":"focus","id":-1}"#,
        r#"{"__proto__":{"type":"clear","id":1}}"#,
        r#"[]"#,
        r#""confirm""#,
        "null",
    ] {
        page.command(odd);
    }
    page.command(r#"{"type":"focus","id":2,"field":"SECURITY_CODE"}"#);
    let reply = page.message("reply").await;
    assert_eq!(
        reply, r#"{"type":"reply","id":2}"#,
        "the first answer is to the well-formed command"
    );
    assert_eq!(document().active_element().unwrap().id(), "SECURITY_CODE");
}

/// D15: values, messages and states are empty and the focus is not taken.
#[wasm_bindgen_test]
async fn clearing_empties_fields_and_messages() {
    let page = Page::open();
    type_into("CARD_NUMBER", "4761");
    leave("CARD_NUMBER");
    page.command(r#"{"type":"clear","id":3}"#);
    page.message("reply").await;
    settle().await;
    assert_eq!(input("CARD_NUMBER").value(), "");
    assert_eq!(text("CARD_NUMBER-note"), "");
    assert_eq!(input("CARD_NUMBER").get_attribute("aria-invalid"), None);
    assert_ne!(document().active_element().unwrap().id(), "CARD_NUMBER");
}
