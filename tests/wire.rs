//! The wire, both ways: what the gateway's types write is what the widget reads.
//!
//! The widget reads JSON by hand, to be small; these tests compare it with the shapes of `payframe-protocol`.

#![cfg(target_arch = "wasm32")]
// A test stops if the page is not as expected.
#![allow(clippy::unwrap_used)]

use payframe::build_events::{Said, SessionState};
use payframe::host;
use payframe::session::{Session, SumTexts};
use payframe::wire::{self, Json};
use payframe_checkout_flow::decline::Decline;
use payframe_checkout_flow::flow::{Answer, Failure, Outcome, SessionSnapshot};
use payframe_protocol::api::{
    ApiProblem, ApiProblems, BuildState, Field, FieldSet, FieldStatus, FrameAdditionalData,
    GdiResult, GdiStatus, OperationSummary, StateObject, TextAnswer,
};
use payframe_protocol::boot::{Boot, FormBoot};
use payframe_protocol::build_messages::BuildOperation;
use payframe_protocol::field_id::FieldId;
use payframe_protocol::frame::{
    ChangeDetail, CommandError, FieldDetail, FieldReport, FlowState, FrameMessage,
    PayframeErrorCode, StateChangeDetail,
};
use serde::Serialize;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

fn json(value: &impl Serialize) -> Json {
    Json(
        value
            .serialize(&serde_wasm_bindgen::Serializer::json_compatible())
            .unwrap(),
    )
}

fn operation(result: &str, iso: Option<&str>) -> OperationSummary {
    OperationSummary {
        order_id: "A1".into(),
        operation_id: "347074400000000001".into(),
        operation_type: "AUTHORIZATION".into(),
        operation_result: result.into(),
        operation_time: "2026-11-20T10:00:00.000Z".into(),
        additional_data: iso.map(|code| FrameAdditionalData {
            authorization_status: Some(code.into()),
        }),
    }
}

fn state(state: BuildState) -> StateObject {
    StateObject {
        state,
        url: None,
        operation: None,
        field_set: None,
        method: None,
        sum: None,
        offer: None,
        seconds_left: None,
    }
}

#[wasm_bindgen_test]
fn states_are_read() {
    let url = Some("https://gateway.example/threeds/challenge/x".to_owned());
    let fields = Some(FieldSet {
        session_id: "s".into(),
        fields: vec![],
    });
    let rows = [
        (
            state(BuildState::PaymentMethodSelection),
            Some(SessionSnapshot::MethodSelection),
        ),
        (
            StateObject {
                field_set: fields,
                ..state(BuildState::CardDataCollection)
            },
            Some(SessionSnapshot::Collecting(None)),
        ),
        (
            state(BuildState::ReadyForPayment),
            Some(SessionSnapshot::Ready),
        ),
        (
            StateObject {
                url: url.clone(),
                ..state(BuildState::RedirectedToExternalDomain)
            },
            url.clone().map(SessionSnapshot::Challenge),
        ),
        (
            StateObject {
                url: url.clone(),
                method: Some("IDEAL".to_owned()),
                ..state(BuildState::RedirectedToExternalDomain)
            },
            url.map(SessionSnapshot::Elsewhere),
        ),
        (state(BuildState::RedirectedToExternalDomain), None),
        (state(BuildState::PaymentComplete), None),
        (
            state(BuildState::GdiVerification),
            Some(SessionSnapshot::Verifying(String::new())),
        ),
    ];
    for (written, expected) in rows {
        assert_eq!(wire::snapshot(&json(&written)), expected, "{written:?}");
    }
}

#[wasm_bindgen_test]
fn a_page_of_the_build_protocol_is_told_of_states() {
    let set = FieldSet {
        session_id: "s".into(),
        fields: vec![Field {
            kind: "TEXT".into(),
            class: "CARD_FIELD".into(),
            id: "CARD_NUMBER".into(),
            src: "https://gateway.example/fields/?id=CARD_NUMBER".into(),
        }],
    };
    let written = StateObject {
        url: Some("https://issuer.example".into()),
        field_set: Some(set.clone()),
        operation: Some(operation("DECLINED", Some("116"))),
        ..state(BuildState::PaymentComplete)
    };
    let read = SessionState {
        state: BuildState::PaymentComplete,
        url: written.url.clone(),
        field_set: Some(set),
        operation: Some(BuildOperation {
            order_id: "A1".into(),
            operation_id: "347074400000000001".into(),
            operation_type: "AUTHORIZATION".into(),
            operation_result: "DECLINED".into(),
            operation_time: "2026-11-20T10:00:00.000Z".into(),
        }),
    };
    assert_eq!(wire::session_state(&json(&written)), Some(read));
    for at in [
        BuildState::PaymentMethodSelection,
        BuildState::CardDataCollection,
        BuildState::ReadyForPayment,
        BuildState::RedirectedToExternalDomain,
        BuildState::GdiVerification,
    ] {
        let read = SessionState {
            state: at,
            url: None,
            field_set: None,
            operation: None,
        };
        assert_eq!(wire::session_state(&json(&state(at))), Some(read));
    }
    assert_eq!(wire::session_state(&json(&"down")), None);
}

#[wasm_bindgen_test]
fn what_the_widget_says_is_read_for_pages_of_the_build_protocol() {
    let reports = vec![
        FieldReport {
            id: FieldId::CardNumber,
            empty: false,
            complete: false,
            error: Some("card_number_check_digit".into()),
            message: Some("Check the number.".into()),
        },
        FieldReport {
            id: FieldId::Privacy,
            empty: true,
            complete: true,
            error: None,
            message: None,
        },
    ];
    let change = FrameMessage::Change(ChangeDetail {
        complete: false,
        empty: false,
        brand: None,
        candidates: vec![],
        fields: reports.clone(),
        reason: None,
        bin: None,
        last4: None,
    });
    let field = FieldDetail {
        field: FieldId::Expiry,
    };
    let reply = |error| FrameMessage::Reply {
        id: 0,
        error,
        faults: None,
    };
    let refusal = CommandError {
        code: PayframeErrorCode::InvalidData,
        message: "invalid_data".into(),
    };
    let state = StateChangeDetail {
        state: FlowState::RedirectedToExternalDomain,
    };
    for (written, expected) in [
        (change, Some(Said::Changed(reports))),
        (
            FrameMessage::Focus(field),
            Some(Said::Focused(FieldId::Expiry)),
        ),
        (FrameMessage::Blur(field), Some(Said::Left(FieldId::Expiry))),
        (
            reply(Some(refusal)),
            Some(Said::Refused(PayframeErrorCode::InvalidData)),
        ),
        (reply(None), None),
        (
            FrameMessage::StateChange(state),
            Some(Said::Flow(FlowState::RedirectedToExternalDomain)),
        ),
        (FrameMessage::Ready { reason: None }, None),
    ] {
        assert_eq!(host::said(&json(&written)), expected, "{written:?}");
    }
}

#[wasm_bindgen_test]
fn refusals_carry_their_cause() {
    let refused = StateObject {
        operation: Some(operation("DECLINED", Some("116"))),
        ..state(BuildState::CardDataCollection)
    };
    let Some(SessionSnapshot::Collecting(Some(verdict))) = wire::snapshot(&json(&refused)) else {
        panic!("no refusal read");
    };
    assert_eq!(
        (verdict.outcome, verdict.decline),
        (Outcome::Declined, Some(Decline::Funds))
    );
    assert_eq!(verdict.operation_id, "347074400000000001");
}

#[wasm_bindgen_test]
fn answers_to_card_data_are_read() {
    let answer = |workflow_state, url: Option<&str>| TextAnswer {
        field_status: vec![FieldStatus {
            event: "BUILD_ERROR".into(),
            id: "CARD_NUMBER".into(),
            error_code: Some("HF0004".into()),
            error_message: None,
        }],
        workflow_state,
        gdi_status: url.map(|url| GdiStatus {
            gdi_url: url.into(),
        }),
    };
    let collecting = BuildState::CardDataCollection;
    let rows = [
        (
            answer(collecting, Some("https://x.example/")),
            Answer::CardTaken("https://x.example/".into()),
        ),
        (
            answer(BuildState::ReadyForPayment, None),
            Answer::CardTakenNoCheck,
        ),
        (answer(collecting, None), Answer::CardRefused(vec![])),
        (
            answer(BuildState::PaymentComplete, None),
            Answer::Failed(Failure::WrongState),
        ),
    ];
    for (written, expected) in rows {
        assert_eq!(wire::card_taken(&json(&written)), expected);
        let refused = wire::refused_fields(&json(&written));
        assert_eq!(refused, [("CARD_NUMBER".to_owned(), "HF0004".to_owned())]);
    }
}

#[wasm_bindgen_test]
fn a_puzzle_that_is_due_is_read() {
    let puzzle = "15.16.puzzle";
    let read = wire::card_taken(&wire::proof_due(puzzle));
    assert_eq!(read, Answer::ProofDue(puzzle.into()));
}

#[wasm_bindgen_test]
fn answers_of_the_device_check_are_read() {
    let answer = |result: &str, operation| GdiResult {
        result: result.into(),
        operation,
    };
    assert_eq!(
        wire::device(&json(&answer("OK", None))),
        Answer::DevicePassed
    );
    assert_eq!(
        wire::device(&json(&answer("KO", None))),
        Answer::DevicePending
    );
    let failed = wire::device(&json(&answer(
        "KO",
        Some(operation("THREEDS_FAILED", None)),
    )));
    assert!(
        matches!(failed, Answer::DeviceFailed(verdict) if verdict.decline == Some(Decline::NotConfirmed))
    );
}

#[wasm_bindgen_test]
fn problems_become_failures() {
    let problems = |code: &str| ApiProblems {
        errors: vec![ApiProblem {
            code: code.into(),
            description: "text".into(),
        }],
    };
    for (code, expected) in [
        ("PS0061", Failure::Expired),
        ("GW9003", Failure::WrongState),
        ("PS0026", Failure::WrongState),
        ("PS0018", Failure::Service),
    ] {
        assert_eq!(wire::failure(&json(&problems(code))), expected, "{code}");
    }
    assert_eq!(
        wire::failure(&json(&"a portal's page")),
        Failure::Connection
    );
}

#[wasm_bindgen_test]
fn boot_data_is_read() {
    let boot = Boot {
        session: "s".into(),
        order_id: "A1".into(),
        merchant_origin: "https://shop.example".into(),
        version: 3,
        state: state(BuildState::CardDataCollection),
        amount: "3545".into(),
        currency: "EUR".into(),
        minor_digits: 2,
        merchant: "Demo shop".into(),
        action_type: "PAY".into(),
        closing: "FRAME".into(),
        card_summary: "NONE".into(),
        networks: vec!["VISA".into(), "A_NETWORK_OF_TOMORROW".into(), "MC".into()],
        fields: vec!["CARD_NUMBER".into()],
        today: "2026-11-20".into(),
        expires_at: "2026-11-20T11:00:00.000Z".into(),
        diagnostics: true,
        watch: false,
        card_key: "BAMC".into(),
        defaults: std::collections::BTreeMap::new(),
        look_up: false,
        methods: Vec::new(),
        redirect: None,
        installments: Vec::new(),
        offer: None,
        saved: None,
        consent: None,
        billing: None,
    };
    let boot = json(&FormBoot {
        boot,
        amount_text: "€35.45".into(),
        pay_text: "Hold €35.45".into(),
    });
    let session = Session::read(&boot).unwrap();
    assert_eq!(session.text("orderId"), "A1");
    assert_eq!(
        session.sum_texts(),
        SumTexts {
            amount: "€35.45".into(),
            pay: "Hold €35.45".into()
        }
    );
    assert_eq!(session.networks.len(), 2, "an unknown network is left out");
    assert!(session.is_fresh());
    assert!(Session::read(&Json(wasm_bindgen::JsValue::NULL)).is_none());
}
