//! Messages about challenges: how the buyer is authenticated, and what the result is.

use super::*;
use crate::element::TransactionId;

#[test]
fn a_challenge_and_its_result_say_how_the_buyer_is_authenticated_as_their_version_does() {
    for (version, name, value, fault) in [
        ("2.2.0", "authenticationType", json!("02"), None),
        (
            "2.2.0",
            "authenticationMethod",
            json!(["02"]),
            Some(FaultCode::Missing),
        ),
        ("2.3.1", "authenticationMethod", json!(["02", "14"]), None),
        (
            "2.3.1",
            "authenticationMethod",
            json!([]),
            Some(FaultCode::Format),
        ),
        (
            "2.3.1",
            "authenticationMethod",
            json!("02"),
            Some(FaultCode::Format),
        ),
        (
            "2.3.1",
            "authenticationType",
            json!("02"),
            Some(FaultCode::Missing),
        ),
    ] {
        let said = |mut message: Value| {
            message["messageVersion"] = json!(version);
            let elements = message.as_object_mut().unwrap();
            elements.remove("authenticationType");
            elements.insert(name.to_owned(), value.clone());
            message
        };
        let asked = ["C", "D"].map(|status| {
            let found = read::<AuthenticationAnswer>(&said(answer(status))).err();
            (status, found)
        });
        let ended = ["Y", "N"].map(|status| {
            let mut message = said(results(status));
            message.as_object_mut().unwrap().remove("challengeCancel");
            (status, read::<ResultsCall>(&message).err())
        });
        for (status, found) in asked.into_iter().chain(ended) {
            assert_eq!(
                found.map(|fault| fault.code),
                fault,
                "{status} {version} {name} {value}"
            );
        }
    }
}

#[test]
fn a_result_has_what_its_status_demands() {
    let always = [
        "messageVersion",
        "threeDSServerTransID",
        "dsTransID",
        "acsTransID",
        "messageCategory",
        "transStatus",
        "interactionCounter",
    ];
    for (status, is_cancelled, more) in [
        (
            "Y",
            false,
            &["authenticationValue", "authenticationType"][..],
        ),
        ("Y", true, &["authenticationValue", "authenticationType"]),
        ("A", false, &["authenticationValue"]),
        ("N", false, &["transStatusReason", "authenticationType"]),
        // Who cancels may not have been asked yet.
        ("N", true, &["transStatusReason"]),
        ("U", false, &["transStatusReason"]),
        ("R", false, &["transStatusReason"]),
    ] {
        let mut message = results(status);
        if !is_cancelled {
            message.as_object_mut().unwrap().remove("challengeCancel");
        }
        check_needed::<ResultsCall>(&message, &[&always[..], more].concat());
    }
    for status in ["C", "D", "I"] {
        let fault = read::<ResultsCall>(&results(status)).unwrap_err();
        assert_eq!(fault, Fault::new(FaultCode::Format, "transStatus"));
    }
}

#[test]
fn a_challenge_is_asked_for_and_ended_by_form_values() {
    let id = |place: usize| TransactionId::new(IDS[place]).unwrap();
    let asked = ChallengeCall::new(Version::V2_2_0, id(0), id(2), WindowSize::Full);
    let value = asked.to_form_value();
    assert!(!value.contains('='), "{value}");
    let text = json!({ "messageType": "CRes", "messageVersion": "2.2.0", "threeDSServerTransID": IDS[0],
        "acsTransID": IDS[2], "transStatus": "Y", "challengeCompletionInd": "Y" });
    use base64::Engine as _;
    use base64::engine::general_purpose::{URL_SAFE, URL_SAFE_NO_PAD};
    for encoded in [
        URL_SAFE.encode(text.to_string()),
        URL_SAFE_NO_PAD.encode(text.to_string()),
    ] {
        let ended = ChallengeAnswer::of_form_value(&encoded).unwrap();
        assert_eq!(ended.status, TransactionStatus::Authenticated);
    }
    for bad in ["", "%", "e30", value.as_str()] {
        assert!(ChallengeAnswer::of_form_value(bad).is_err(), "{bad}");
    }
    assert_eq!(ChallengeCall::of_form_value(&value), Ok(asked.clone()));
    let ended = asked.answer(TransactionStatus::NotAuthenticated);
    let value = ended.to_form_value();
    assert_eq!(ChallengeAnswer::of_form_value(&value), Ok(ended));
    for bad in ["", "%", "e30", value.as_str()] {
        assert!(ChallengeCall::of_form_value(bad).is_err(), "{bad}");
    }
}
