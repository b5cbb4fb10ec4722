//! The elements of decoupled authentications.

use super::*;

#[test]
fn a_call_that_allows_it_says_for_how_long() {
    for version in ["2.2.0", "2.3.1"] {
        for (allowed, minutes, fault) in [
            (json!("Y"), json!("00001"), None),
            (json!("Y"), json!("10080"), None),
            (json!("N"), Value::Null, None),
            (json!("Y"), Value::Null, Some(FaultCode::Missing)),
            (json!("Y"), json!("10"), Some(FaultCode::Format)),
            (json!("Y"), json!("00000"), Some(FaultCode::Format)),
            (json!("Y"), json!("10081"), Some(FaultCode::Format)),
            (json!("Y"), json!("99999"), Some(FaultCode::Format)),
        ] {
            let mut message = call(version);
            message["threeDSRequestorDecReqInd"] = allowed;
            if !minutes.is_null() {
                message["threeDSRequestorDecMaxTime"] = minutes.clone();
            }
            let read = read::<AuthenticationCall>(&message);
            let expected = fault.map(|code| Fault::new(code, "threeDSRequestorDecMaxTime"));
            assert_eq!(read.err(), expected, "{version} {minutes}");
        }
    }
}

#[test]
fn an_answer_that_asks_apart_from_the_browser_confirms_that() {
    let mut message = answer("D");
    assert!(read::<AuthenticationAnswer>(&message).is_ok());
    message["acsDecConInd"] = json!("N");
    let fault = read::<AuthenticationAnswer>(&message).unwrap_err();
    assert_eq!(fault, Fault::new(FaultCode::Format, "acsDecConInd"));
}

#[test]
fn what_an_issuer_tells_the_buyer_is_short() {
    for (text, is_accepted) in [
        ("a", true),
        (&"a".repeat(128), true),
        (&"a".repeat(129), false),
    ] {
        let mut message = answer("D");
        message["cardholderInfo"] = json!(text);
        assert_eq!(read::<AuthenticationAnswer>(&message).is_ok(), is_accepted);
    }
}
