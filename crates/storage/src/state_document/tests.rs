//! States written and read again, and documents of former releases.

use super::*;
use payframe_payment_domain::session::samples;

#[test]
fn every_state_is_read_as_it_was_written() {
    for state in samples::states() {
        let document = write(&state).unwrap();
        assert_eq!(read(&document).unwrap(), state, "{document}");
    }
}

/// Earlier releases stored the behaviour of the sandbox's device checks, challenges and methods.
#[test]
fn documents_of_former_releases_are_read() {
    let card = r#"{"bin":"476173","masked":"476173******0002","last4":"0002","expiry":"1230","network":"VISA",
        "network_chosen_by":null,"funding":null,"country":null,"offer":null}"#;
    let completion = r#"{"operation_id":"1","terminal_id":"terminal","asked_by":null}"#;
    let redirect = r#"{"method":"PAYPAL","operation_id":"1","since_ms":10}"#;
    let check = |document: &str, expected: fn(&State) -> bool| {
        let document = document
            .replace("CARD", card)
            .replace("CLOSING", completion);
        let state = read(&document.replace("REDIRECT", redirect)).unwrap();
        assert!(expected(&state), "{document} is read as {state:?}");
    };
    check(
        r#"{"CheckingDevice":{"card":CARD,"check":"Silent"}}"#,
        |state| matches!(state, State::CheckingDevice { .. }),
    );
    check(
        r#"{"VerifyingDevice":{"card":CARD,"check":"NotDue","progress":"Done","closing":CLOSING}}"#,
        |state| {
            let progress = CheckProgress::Done;
            matches!(state, State::VerifyingDevice { progress: found, .. } if *found == progress)
        },
    );
    check(
        r#"{"Challenged":{"card":CARD,"challenge":{"script":"Endless","wrong_codes":1,"since_ms":7},"closing":CLOSING}}"#,
        |state| {
            let expected = Challenge {
                means: ChallengeMeans::Page,
                wrong_codes: 1,
                since_ms: 7,
            };
            matches!(state, State::Challenged { challenge, .. } if *challenge == expected)
        },
    );
    check(
        r#"{"Authorizing":{"card":CARD,"authentication":"Full","from":"Ready","closing":CLOSING}}"#,
        |state| matches!(state, State::Authorizing { completion, .. } if completion.repeats.is_none()),
    );
    check(
        r#"{"Settling":{"redirect":REDIRECT,"script":"Waiting"}}"#,
        |state| matches!(state, State::AuthorizingMethod { return_data, .. } if return_data == "Waiting"),
    );
}

#[test]
fn a_document_of_another_form_is_unreadable() {
    for document in ["", "{}", r#"{"Ready":{}}"#, r#""Unheard""#] {
        assert!(read(document).is_err(), "{document}");
    }
}
