//! The rules of the events, each with what the page is told, one line for each event.

use super::*;
use payframe_card_rules::card_number::CardNumberError;
use payframe_card_rules::network::Network;

fn events() -> BuildEvents {
    BuildEvents::new(
        vec![FieldId::CardNumber, FieldId::SecurityCode],
        "SECURITY_CODE".into(),
    )
}

fn report(id: FieldId, text: &str) -> FieldReport {
    let (complete, error) = match text {
        "" | "typing" => (false, None),
        "good" => (true, None),
        error => (false, Some(error.to_owned().into())),
    };
    FieldReport {
        id,
        empty: text.is_empty(),
        complete,
        message: error.is_some().then(|| "in words".into()),
        error,
    }
}

/// The state of number and security code: `""`, `"typing"`, `"good"` or the code of an error.
fn changed(number: &str, code: &str) -> Said {
    Said::Changed(vec![
        report(FieldId::CardNumber, number),
        report(FieldId::SecurityCode, code),
    ])
}

/// What the page is told, one line for each event; `?` where the state is read.
fn told(effects: &[Effect]) -> String {
    let line = |effect: &Effect| match effect {
        Effect::ReadState => "?".to_owned(),
        Effect::Tell(event) => line(event),
    };
    effects.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn line(event: &BuildEvent) -> String {
    match event {
        BuildEvent::Ready { id } => format!("ready {id}"),
        BuildEvent::FieldFocussed { id } => format!("focussed {id}"),
        BuildEvent::FieldBlurred { id } => format!("blurred {id}"),
        BuildEvent::BuildSuccess { id } => format!("valid {id}"),
        BuildEvent::BuildError {
            id,
            error_code,
            error_message,
        } => format!("error {id} {error_code:?} {error_message}"),
        BuildEvent::ConfirmError {
            id,
            error_code,
            error_message,
            validation_status,
        } => {
            let valid: Vec<&str> = validation_status
                .iter()
                .filter(|field| field.valid)
                .map(|field| &*field.id)
                .collect();
            format!(
                "{id} failed {error_code:?} {error_message} {}/{} {valid:?}",
                valid.len(),
                validation_status.len()
            )
        }
        BuildEvent::BuildFlowStateChange {
            state,
            field_set,
            url,
            operation,
            data,
        } => {
            assert_eq!(*data, None, "only a device check frame says it twice");
            let url = url.as_deref().unwrap_or("-");
            let fields = field_set.as_ref().map_or(0, |set| set.fields.len());
            let result = operation.as_ref().map(|made| &*made.operation_result);
            format!("state {state:?} {url} {fields} {}", result.unwrap_or("-"))
        }
    }
}

fn now(state: BuildState) -> SessionState {
    SessionState {
        state,
        url: None,
        field_set: None,
        operation: None,
    }
}

fn complete(result: &str) -> SessionState {
    SessionState {
        operation: Some(BuildOperation {
            order_id: "A1".into(),
            operation_id: "100000000000000001".into(),
            operation_type: "AUTHORIZATION".into(),
            operation_result: result.into(),
            operation_time: "2026-11-20T10:30:00.000Z".into(),
        }),
        ..now(BuildState::PaymentComplete)
    }
}

/// After what was said in order: what the last thing leads to.
fn last(events: &mut BuildEvents, said: &[Said]) -> String {
    let mut effects = Vec::new();
    for said in said {
        effects = events.hear(said.clone());
    }
    told(&effects)
}

/// A session that takes a card, with these fields, in which a confirm runs.
fn confirming(number: &str, code: &str) -> BuildEvents {
    let mut events = events();
    events.hear(Said::Flow(FlowState::CardDataCollection));
    events.hear(changed(number, code));
    assert!(events.begin_confirm("1".into()));
    events.hear(Said::Flow(FlowState::Processing));
    events
}

#[test]
fn an_error_of_a_field_has_a_code_of_the_protocol() {
    let check = |field, error: &str, expected| assert_eq!(code_of_field(field, error), expected);
    for (error, expected) in [
        (CardNumberError::Empty, BuildErrorCode::HF0004),
        (CardNumberError::NotDigits, BuildErrorCode::HF0004),
        (CardNumberError::TooShort, BuildErrorCode::HF0004),
        (CardNumberError::TooLong, BuildErrorCode::HF0004),
        (CardNumberError::WrongLength, BuildErrorCode::HF0004),
        (CardNumberError::CheckDigit, BuildErrorCode::HF0004),
        (CardNumberError::UnknownNetwork, BuildErrorCode::HF0005),
        (
            CardNumberError::NotAccepted(Network::Jcb),
            BuildErrorCode::HF0005,
        ),
    ] {
        check(FieldId::CardNumber, error.code(), expected);
    }
    check(FieldId::CardNumber, "field_refused", BuildErrorCode::HF0004);
    check(FieldId::Expiry, "expiry_past", BuildErrorCode::HF0006);
    check(FieldId::HolderName, "any", BuildErrorCode::HF0007);
    check(FieldId::HolderSurname, "any", BuildErrorCode::HF0007);
    check(FieldId::SecurityCode, "any", BuildErrorCode::HF0001);
    check(FieldId::Email, "any", BuildErrorCode::HF0001);
    check(FieldId::Privacy, "any", BuildErrorCode::HF0001);
}

#[test]
fn an_error_is_told_when_it_appears_and_when_it_changes() {
    let mut events = events();
    let wrong = changed("card_number_check_digit", "");
    let expected = "error CARD_NUMBER HF0004 in words";
    assert_eq!(last(&mut events, std::slice::from_ref(&wrong)), expected);
    assert_eq!(last(&mut events, std::slice::from_ref(&wrong)), "");
    let other = changed("card_number_unknown_network", "");
    assert_eq!(
        last(&mut events, &[other]),
        "error CARD_NUMBER HF0005 in words"
    );
    assert_eq!(last(&mut events, &[changed("typing", ""), wrong]), expected);
}

#[test]
fn a_field_is_told_as_valid_once_until_it_is_not() {
    let mut events = events();
    let good = changed("", "good");
    let expected = "valid SECURITY_CODE";
    assert_eq!(last(&mut events, std::slice::from_ref(&good)), expected);
    assert_eq!(last(&mut events, std::slice::from_ref(&good)), "");
    let blurred = last(&mut events, &[Said::Left(FieldId::SecurityCode)]);
    assert_eq!(blurred, "blurred SECURITY_CODE");
    assert_eq!(last(&mut events, &[changed("", "typing"), good]), expected);
}

#[test]
fn a_number_is_told_as_valid_when_it_is_left() {
    let mut events = events();
    let focused = last(&mut events, &[Said::Focused(FieldId::CardNumber)]);
    assert_eq!(focused, "focussed CARD_NUMBER");
    assert_eq!(last(&mut events, &[changed("good", "")]), "");
    let left = last(&mut events, &[Said::Left(FieldId::CardNumber)]);
    assert_eq!(left, "blurred CARD_NUMBER\nvalid CARD_NUMBER");
    // The next field may get the focus before this one says that it lost it.
    events.hear(changed("typing", ""));
    events.hear(Said::Focused(FieldId::CardNumber));
    events.hear(changed("good", ""));
    let next = last(&mut events, &[Said::Focused(FieldId::SecurityCode)]);
    assert_eq!(next, "focussed SECURITY_CODE\nvalid CARD_NUMBER");
}

#[test]
fn a_command_counts_once_and_one_at_a_time() {
    let mut events = events();
    assert!(events.begin_confirm("1".into()));
    assert!(!events.begin_confirm("1".into()), "through another frame");
    assert!(!events.begin_confirm("2".into()), "while one runs");
    events.hear(Said::Refused(PayframeErrorCode::InvalidData));
    assert!(!events.begin_confirm("1".into()), "late");
    assert!(!events.begin_confirm("2".into()), "late");
    assert!(events.begin_confirm("3".into()));
}

#[test]
fn a_refused_command_has_a_code_and_the_state_of_every_field() {
    let check = |cause, expected: &str| {
        let mut events = events();
        events.hear(changed("good", "security_code_length"));
        events.begin_confirm("1".into());
        assert_eq!(last(&mut events, &[Said::Refused(cause)]), expected);
    };
    check(
        PayframeErrorCode::InvalidData,
        r#"confirmData failed HF0007 Some field is not valid. 1/2 ["CARD_NUMBER"]"#,
    );
    let unavailable =
        r#"confirmData failed HF0002 The service is briefly unavailable. 1/2 ["CARD_NUMBER"]"#;
    check(PayframeErrorCode::Offline, unavailable);
    check(PayframeErrorCode::ScriptBlocked, unavailable);
    check(
        PayframeErrorCode::WrongState,
        r#"confirmData failed HF9004 The session is in a state that does not allow this. 1/2 ["CARD_NUMBER"]"#,
    );
    check(PayframeErrorCode::Busy, "");
}

#[test]
fn a_form_that_is_at_work_goes_on_with_the_confirm() {
    let mut events = confirming("good", "good");
    events.hear(Said::Refused(PayframeErrorCode::Busy));
    assert!(!events.begin_confirm("2".into()));
}

#[test]
fn neither_the_first_state_nor_processing_is_told() {
    for first in [
        FlowState::CardDataCollection,
        FlowState::PaymentComplete,
        FlowState::Expired,
    ] {
        let mut events = events();
        assert_eq!(last(&mut events, &[Said::Flow(first)]), "", "{first:?}");
        let processing = Said::Flow(FlowState::Processing);
        assert_eq!(last(&mut events, &[processing]), "");
    }
}

#[test]
fn a_confirm_ends_with_the_sessions_next_state() {
    let mut events = confirming("good", "good");
    let ready = Said::Flow(FlowState::ReadyForPayment);
    assert_eq!(last(&mut events, &[ready]), "state ReadyForPayment - 0 -");
    assert!(events.begin_confirm("2".into()));
}

#[test]
fn other_states_are_read_from_the_gateway() {
    for state in [
        FlowState::PaymentMethodSelection,
        FlowState::Finalizing,
        FlowState::Challenge,
        FlowState::RedirectedToExternalDomain,
        FlowState::PaymentComplete,
    ] {
        let mut events = confirming("good", "good");
        assert_eq!(last(&mut events, &[Said::Flow(state)]), "?", "{state:?}");
        assert!(!events.begin_confirm("2".into()), "it still runs");
    }
}

#[test]
fn the_state_that_was_read_is_told() {
    let mut events = confirming("good", "good");
    let effects = events.state_read(Ok(SessionState {
        url: Some("https://issuer.example".into()),
        ..now(BuildState::RedirectedToExternalDomain)
    }));
    let expected = "state RedirectedToExternalDomain https://issuer.example 0 -";
    assert_eq!(told(&effects), expected);
    let effects = events.state_read(Ok(complete("EXECUTED")));
    assert_eq!(told(&effects), "state PaymentComplete - 0 EXECUTED");
    assert!(events.begin_confirm("2".into()));
}

#[test]
fn a_device_check_that_failed_is_told_before_the_state() {
    let mut events = confirming("good", "good");
    let failed = || Ok(complete("THREEDS_FAILED"));
    let state = "state PaymentComplete - 0 THREEDS_FAILED";
    assert_eq!(
        told(&events.state_read(failed())),
        format!("error GDI HF0009 The device check failed.\n{state}")
    );
    // Without a confirm the page knows it from before.
    assert_eq!(told(&events.state_read(failed())), state);
}

#[test]
fn a_card_that_is_asked_for_again_fails_the_confirm() {
    let again = Said::Flow(FlowState::CardDataCollection);
    let mut wrong = confirming("card_number_check_digit", "good");
    assert_eq!(
        last(&mut wrong, std::slice::from_ref(&again)),
        r#"confirmData failed HF0007 Some field is not valid. 1/2 ["SECURITY_CODE"]"#
    );
    let mut unsent = confirming("good", "good");
    assert_eq!(
        last(&mut unsent, std::slice::from_ref(&again)),
        r#"confirmData failed HF0002 The service is briefly unavailable. 2/2 ["CARD_NUMBER", "SECURITY_CODE"]"#
    );
    assert_eq!(last(&mut unsent, &[again]), "", "no confirm runs");
}

#[test]
fn a_session_that_is_over_fails_the_confirm_or_else_is_an_error_of_the_drivers_field() {
    let over = Said::Flow(FlowState::Expired);
    let mut running = confirming("good", "");
    assert_eq!(
        last(&mut running, std::slice::from_ref(&over)),
        r#"confirmData failed HF0003 The session has expired. 1/2 ["CARD_NUMBER"]"#
    );
    assert_eq!(
        last(&mut running, &[over]),
        "error SECURITY_CODE HF0003 The session has expired."
    );
}

#[test]
fn a_state_that_can_not_be_read_fails_the_confirm() {
    let failed =
        r#"confirmData failed HF0002 The service is briefly unavailable. 1/2 ["CARD_NUMBER"]"#;
    let over = "error SECURITY_CODE HF0003 The session has expired.";
    let mut running = confirming("good", "");
    assert_eq!(told(&running.state_read(Err(NoState::Unknown))), failed);
    assert_eq!(told(&running.state_read(Err(NoState::Unknown))), "");
    assert_eq!(told(&running.state_read(Err(NoState::Expired))), over);
    let mut running = confirming("good", "");
    assert_eq!(
        told(&running.state_read(Err(NoState::Expired))),
        format!("{over}\n{failed}")
    );
}

#[test]
fn a_page_that_comes_back_is_told_what_happened_meanwhile() {
    let check = |answer, expected: &str| {
        assert_eq!(told(&events().state_read_again(answer)), expected);
    };
    check(Ok(now(BuildState::CardDataCollection)), "");
    check(
        Ok(complete("EXECUTED")),
        "state PaymentComplete - 0 EXECUTED",
    );
    check(
        Err(NoState::Expired),
        "error SECURITY_CODE HF0003 The session has expired.",
    );
    check(Err(NoState::Unknown), "");
}

#[test]
fn an_input_has_the_classes_of_its_state() {
    let check = |events: &BuildEvents, field, expected: &[&str]| {
        let classes = events.classes(field).into_iter();
        let on: Vec<&str> = classes
            .filter_map(|(name, is_on)| is_on.then_some(name))
            .collect();
        assert_eq!(on, expected);
    };
    let mut events = events();
    check(&events, FieldId::CardNumber, &["is-empty"]);
    assert_eq!(events.known_fields().count(), 0);
    events.hear(Said::Flow(FlowState::CardDataCollection));
    events.hear(Said::Focused(FieldId::CardNumber));
    events.hear(changed("card_number_check_digit", ""));
    assert_eq!(events.known_fields().count(), 2);
    check(&events, FieldId::CardNumber, &["is-focused", "is-invalid"]);
    check(&events, FieldId::SecurityCode, &["is-empty"]);
    events.hear(Said::Left(FieldId::CardNumber));
    events.hear(changed("good", "typing"));
    check(&events, FieldId::CardNumber, &["is-valid"]);
    check(&events, FieldId::SecurityCode, &[]);
    events.hear(Said::Flow(FlowState::Processing));
    check(&events, FieldId::CardNumber, &["is-valid", "is-disabled"]);
    events.hear(Said::Flow(FlowState::CardDataCollection));
    check(&events, FieldId::CardNumber, &["is-valid"]);
}
