//! Which messages are accepted, and what is said about the others.

mod challenges;
mod confirmations;
mod decoupled;

use super::*;
use crate::element::{Digits, Text, TransactionId, WebAddress};
use proptest::prelude::*;
use serde_json::json;

const IDS: [&str; 3] = [
    "6afa6072-9412-446b-9673-2f98b3ee98a2",
    "11111111-2222-4333-8444-555555555555",
    "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee",
];

const PROOF: &str = "AAECAwQFBgcICQoLDA0ODxAREhM=";

fn with_ids(mut message: Value) -> Value {
    let names = ["threeDSServerTransID", "dsTransID", "acsTransID"];
    for (name, id) in names.into_iter().zip(IDS) {
        message[name] = json!(id);
    }
    message
}

fn call(version: &str) -> Value {
    let mut call = json!({
        "messageType": "AReq", "messageVersion": version, "threeDSServerTransID": IDS[0], "threeDSCompInd": "Y",
        "threeDSRequestorAuthenticationInd": "01", "threeDSRequestorID": "R1", "threeDSRequestorName": "Shop",
        "threeDSRequestorURL": "https://shop.example", "threeDSServerRefNumber": "REF1",
        "threeDSServerURL": "https://pay.example/threeds/results/t", "acctNumber": "4761730000000003",
        "deviceChannel": "02", "messageCategory": "01", "notificationURL": "https://pay.example/n",
        "acquirerBIN": "400000", "acquirerMerchantID": "M1", "mcc": "5411", "merchantCountryCode": "380",
        "merchantName": "Shop", "purchaseAmount": "3545", "purchaseCurrency": "978", "purchaseExponent": "2",
        "purchaseDate": "20261126120000", "browserAcceptHeader": "*/*", "browserUserAgent": "Mozilla",
        "browserLanguage": "it-IT", "browserJavascriptEnabled": true, "browserJavaEnabled": false,
        "browserColorDepth": "24", "browserScreenHeight": "900", "browserScreenWidth": "1440", "browserTZ": "-60",
        "browserIP": "192.0.2.1", "cardExpiryDate": "3012", "email": "a@shop.example", "cardholderName": "Zoe M",
        "acceptLanguage": ["it-IT", "en"], "threeDSRequestorChallengeInd": "01", "transType": "01",
        "threeDSServerOperatorID": "OP1",
    });
    if version == "2.3.1" {
        call["threeDSRequestorChallengeInd"] = json!(["01"]);
        call["acquirerCountryCode"] = json!("380");
        call["acquirerCountryCodeSource"] = json!("01");
    }
    call
}

fn answer(status: &str) -> Value {
    with_ids(json!({
        "messageType": "ARes", "messageVersion": "2.2.0", "acsReferenceNumber": "A1", "dsReferenceNumber": "D1",
        "transStatus": status, "transStatusReason": "01", "authenticationType": "02", "acsChallengeMandated": "N",
        "acsURL": "https://acs.example/c", "acsDecConInd": "Y", "authenticationValue": PROOF, "eci": "05",
    }))
}

fn results(status: &str) -> Value {
    with_ids(json!({
        "messageType": "RReq", "messageVersion": "2.2.0", "messageCategory": "01", "transStatus": status,
        "interactionCounter": "01", "transStatusReason": "01", "authenticationType": "02", "challengeCancel": "01",
        "authenticationValue": PROOF, "eci": "05",
    }))
}

fn read<M: Message>(message: &Value) -> Result<M, Fault> {
    M::read(&Fields::parse(message.to_string().as_bytes())?)
}

/// Removes each element in turn: `needed` are missed, nothing else is.
fn check_needed<M: Message>(message: &Value, needed: &[&str]) {
    assert!(read::<M>(message).is_ok(), "{:?}", read::<M>(message).err());
    for name in message.as_object().unwrap().keys() {
        let mut rest = message.clone();
        rest.as_object_mut().unwrap().remove(name);
        let found = read::<M>(&rest).err();
        let expected = match name.as_str() {
            "messageType" => Some(Fault::new(FaultCode::NotAMessage, "messageType")),
            name if needed.contains(&name) => Some(Fault::new(FaultCode::Missing, name)),
            _ => None,
        };
        assert_eq!(found, expected, "{} without {name}", M::TYPE);
    }
}

const CALL_NEEDS: [&str; 28] = [
    "messageVersion",
    "threeDSServerTransID",
    "threeDSCompInd",
    "threeDSRequestorAuthenticationInd",
    "threeDSRequestorID",
    "threeDSRequestorName",
    "threeDSRequestorURL",
    "threeDSServerRefNumber",
    "threeDSServerURL",
    "acctNumber",
    "deviceChannel",
    "messageCategory",
    "notificationURL",
    "acquirerBIN",
    "acquirerMerchantID",
    "mcc",
    "merchantCountryCode",
    "merchantName",
    "purchaseAmount",
    "purchaseCurrency",
    "purchaseExponent",
    "purchaseDate",
    "browserAcceptHeader",
    "browserUserAgent",
    "browserLanguage",
    "browserJavascriptEnabled",
    "browserJavaEnabled",
    "browserColorDepth",
];

const SCREEN: [&str; 3] = ["browserScreenHeight", "browserScreenWidth", "browserTZ"];

#[test]
fn an_authentication_call_has_what_its_version_demands() {
    let mut needed = [&CALL_NEEDS[..], &SCREEN].concat();
    check_needed::<AuthenticationCall>(&call("2.2.0"), &needed);
    needed.extend([
        "acceptLanguage",
        "acquirerCountryCode",
        "acquirerCountryCodeSource",
    ]);
    check_needed::<AuthenticationCall>(&call("2.3.1"), &needed);
    // Without scripts nothing is known of the screen.
    let mut plain = call("2.2.0");
    plain["browserJavascriptEnabled"] = json!(false);
    check_needed::<AuthenticationCall>(&plain, &CALL_NEEDS[..26]);
}

#[test]
fn preferences_are_a_list_in_the_newer_version_alone() {
    for (version, preferences, is_accepted) in [
        ("2.2.0", json!("04"), true),
        ("2.2.0", json!(["04"]), false),
        ("2.2.0", json!("10"), false),
        ("2.3.1", json!(["10"]), true),
        ("2.3.1", json!(["09", "03"]), true),
        ("2.3.1", json!([]), false),
        ("2.3.1", json!(["01", "02", "03"]), false),
        ("2.3.1", json!("04"), false),
    ] {
        let mut message = call(version);
        message["threeDSRequestorChallengeInd"] = preferences.clone();
        let read = read::<AuthenticationCall>(&message);
        assert_eq!(read.is_ok(), is_accepted, "{version} {preferences}");
        if let Ok(read) = read {
            let written = read.write().into_json();
            assert_eq!(written["threeDSRequestorChallengeInd"], preferences);
        }
    }
}

#[test]
fn the_language_may_be_longer_in_the_newer_version() {
    for (version, is_accepted) in [("2.2.0", false), ("2.3.1", true)] {
        let mut message = call(version);
        message["browserLanguage"] = json!("sr-Latn-RS");
        assert_eq!(read::<AuthenticationCall>(&message).is_ok(), is_accepted);
    }
}

#[test]
fn an_answer_has_what_its_status_demands() {
    let always = [
        "messageVersion",
        "threeDSServerTransID",
        "dsTransID",
        "acsTransID",
        "acsReferenceNumber",
        "dsReferenceNumber",
        "transStatus",
    ];
    for (status, more) in [
        ("Y", &["authenticationValue"][..]),
        ("A", &["authenticationValue"]),
        ("N", &["transStatusReason"]),
        ("U", &["transStatusReason"]),
        ("R", &["transStatusReason"]),
        (
            "C",
            &["acsURL", "authenticationType", "acsChallengeMandated"],
        ),
        ("D", &["authenticationType", "acsDecConInd"]),
        ("I", &[]),
    ] {
        check_needed::<AuthenticationAnswer>(&answer(status), &[&always[..], more].concat());
    }
}

#[test]
fn a_fault_names_the_element_and_not_its_value() {
    for (name, value) in [
        ("acctNumber", json!("47617300000000031234")),
        ("acctNumber", json!(4_761_730_000_000_003_u64)),
        ("email", json!("")),
        ("browserJavascriptEnabled", json!("true")),
        ("purchaseCurrency", json!("EUR")),
        ("threeDSServerTransID", json!("4761730000000003")),
        (
            "notificationURL",
            json!(format!("https://pay.example/{}", "n".repeat(240))),
        ),
        ("deviceChannel", json!("01")),
        ("mcc", Value::Null),
    ] {
        let mut message = call("2.2.0");
        message[name] = value;
        let fault = read::<AuthenticationCall>(&message).unwrap_err();
        assert_eq!(fault, Fault::new(FaultCode::Format, name));
        let problem = Problem::of(&fault, "AReq", Version::V2_2_0)
            .unwrap()
            .write();
        let text = problem.into_json().to_string();
        assert!(text.contains(name) && !text.contains("47617300"), "{text}");
    }
}

#[test]
fn what_is_not_known_is_ignored_unless_it_is_critical() {
    let mut message = answer("Y");
    message["somethingNew"] = json!({ "a": [1] });
    message["messageExtension"] = json!([{ "id": "x", "criticalityIndicator": false }]);
    assert!(read::<AuthenticationAnswer>(&message).is_ok());
    message["messageExtension"][0]["criticalityIndicator"] = json!(true);
    let fault = read::<AuthenticationAnswer>(&message).unwrap_err();
    assert_eq!(
        fault,
        Fault::new(FaultCode::CriticalExtension, "messageExtension")
    );
    for (version, most) in [("2.2.0", 10), ("2.3.1", 15)] {
        let mut message = answer("Y");
        message["messageVersion"] = json!(version);
        for (count, fault) in [(most, None), (most + 1, Some(FaultCode::Format))] {
            let extension = json!({ "id": "x", "criticalityIndicator": false });
            message["messageExtension"] = vec![extension; count].into();
            let found = read::<AuthenticationAnswer>(&message).err();
            assert_eq!(found.map(|fault| fault.code), fault, "{version} {count}");
        }
    }
}

#[test]
fn what_is_no_message_is_refused() {
    for (body, code, element) in [
        (
            r#"{"messageType":"ARes","a":1,"a":2}"#,
            FaultCode::Duplicate,
            "a",
        ),
        (
            r#"{"messageType":"RReq"}"#,
            FaultCode::NotAMessage,
            "messageType",
        ),
        (
            r#"{"messageType":"ARes"} x"#,
            FaultCode::NotAMessage,
            "message",
        ),
        (r#"["ARes"]"#, FaultCode::NotAMessage, "message"),
        (
            r#"{"messageType":"ARes","messageVersion":"2.1.0"}"#,
            FaultCode::Version,
            "messageVersion",
        ),
        (
            r#"{"messageType":"ARes"}"#,
            FaultCode::Missing,
            "messageVersion",
        ),
    ] {
        let fields = Fields::parse(body.as_bytes());
        let fault = fields
            .and_then(|fields| AuthenticationAnswer::read(&fields))
            .unwrap_err();
        assert_eq!(fault, Fault::new(code, element), "{body}");
    }
}

#[test]
fn ranges_are_written_as_the_version_of_the_question_does() {
    let method = WebAddress::new("https://acs.example/m");
    let bounds = |first: &str, last: &str| Digits::new(first).zip(Digits::new(last)).unwrap();
    let published = |last: Option<WebAddress<2048>>| PublishedRange {
        bounds: vec![
            bounds("4761730000000000", "4761730000000009"),
            bounds("4111111111111111", "4111111111111111"),
        ],
        action: RangeAction::Add,
        versions: vec![(Version::V2_2_0, method.clone()), (Version::V2_3_1, last)],
    };
    let answered = |version: &str, ranges| {
        let asked = with_ids(json!({ "messageType": "PReq", "messageVersion": version,
            "threeDSServerRefNumber": "REF1" }));
        let asked = read::<RangesCall>(&asked).unwrap();
        let id = TransactionId::new(IDS[1]).unwrap();
        RangesAnswer::to(&asked, id, Text::new("1").unwrap(), ranges).write()
    };
    let old = answered("2.2.0", Some(vec![published(method.clone())]));
    assert_eq!(
        old.clone().into_json()["cardRangeData"][1],
        json!({ "startRange": "4111111111111111", "endRange": "4111111111111111", "actionInd": "A",
            "acsStartProtocolVersion": "2.2.0", "acsEndProtocolVersion": "2.3.1", "threeDSMethodURL": "https://acs.example/m" })
    );
    let old = RangesAnswer::read(&old).unwrap();
    assert_eq!(old.entries().len(), 2);
    assert_eq!(old.entries()[0].versions.len(), 2);
    let new = RangesAnswer::read(&answered("2.3.1", Some(vec![published(None)]))).unwrap();
    assert_eq!(new.entries(), [&published(None)]);
    let unchanged = answered("2.3.1", None).into_json();
    assert!(unchanged.get("cardRangeData").is_none());
}

#[test]
fn ranges_of_both_versions_are_read() {
    let old = with_ids(json!({
        "messageType": "PRes", "messageVersion": "2.2.0", "serialNum": "1",
        "cardRangeData": [{ "startRange": "4761730000000000", "endRange": "4761739999999999",
            "acsStartProtocolVersion": "2.1.0", "acsEndProtocolVersion": "2.2.0",
            "threeDSMethodURL": "https://acs.example/m" }],
    }));
    let new = with_ids(json!({
        "messageType": "PRes", "messageVersion": "2.3.1", "serialNum": "2",
        "cardRangeData": [{ "ranges": [{ "start": "4761730000000000", "end": "4761739999999999" }],
            "actionInd": "M", "acsProtocolVersions": [
                { "version": "2.1.0" }, { "version": "2.2.0", "threeDSMethodURL": "https://acs.example/m" },
                { "version": "2.3.1" }] }],
    }));
    let method = WebAddress::new("https://acs.example/m");
    let old = read::<RangesAnswer>(&old).unwrap();
    assert_eq!(
        old.entries()[0].versions,
        [(Version::V2_2_0, method.clone())]
    );
    let new = read::<RangesAnswer>(&new).unwrap();
    let expected = [(Version::V2_2_0, method), (Version::V2_3_1, None)];
    assert_eq!(new.entries()[0].versions, expected);
    assert_eq!(new.entries()[0].action, RangeAction::Modify);
    assert_eq!(RangesAnswer::read(&new.write()), Ok(new.clone()));
    let mut reverse = new.write().into_json();
    reverse["readOrder"] = json!("02");
    let mut deleted = reverse["cardRangeData"][0].clone();
    deleted["actionInd"] = json!("D");
    reverse["cardRangeData"]
        .as_array_mut()
        .unwrap()
        .push(deleted);
    let reverse = read::<RangesAnswer>(&reverse).unwrap();
    let actions: Vec<_> = reverse.entries().iter().map(|entry| entry.action).collect();
    assert_eq!(actions, [RangeAction::Delete, RangeAction::Modify]);
    for (start, end) in [
        ("4761739999999999", "4761730000000000"),
        ("4761730000000", "47617300000009"),
    ] {
        let entry = json!([{ "startRange": start, "endRange": end, "acsStartProtocolVersion": "2.2.0",
            "acsEndProtocolVersion": "2.2.0" }]);
        let mut bad =
            with_ids(json!({ "messageType": "PRes", "messageVersion": "2.2.0", "serialNum": "1" }));
        bad["cardRangeData"] = entry;
        assert!(read::<RangesAnswer>(&bad).is_err());
    }
}

/// A message with some elements replaced or removed.
fn changed(message: Value) -> impl Strategy<Value = Value> {
    let names: Vec<String> = message.as_object().unwrap().keys().cloned().collect();
    let value = prop_oneof![
        Just(None),
        ".{0,40}".prop_map(|text| Some(Value::from(text))),
        "[0-9]{0,20}".prop_map(|text| Some(Value::from(text))),
        any::<bool>().prop_map(|flag| Some(Value::from(flag))),
        Just(Some(json!([]))),
        Just(Some(json!({}))),
    ];
    let changes = prop::collection::vec((prop::sample::select(names), value), 0..4);
    changes.prop_map(move |changes| {
        let mut message = message.clone();
        for (name, value) in changes {
            match value {
                Some(value) => message[name] = value,
                None => {
                    message.as_object_mut().unwrap().remove(&name);
                }
            }
        }
        message
    })
}

/// What is accepted is written and read again as the same.
fn check_round<M: Message + PartialEq + fmt::Debug>(message: &Value) {
    if let Ok(accepted) = read::<M>(message) {
        let body = accepted.write().to_body();
        assert_eq!(
            Fields::parse(&body).and_then(|fields| M::read(&fields)),
            Ok(accepted)
        );
    }
}

proptest! {
    #[test]
    fn accepted_messages_survive_writing(
        call in prop_oneof![changed(call("2.2.0")), changed(call("2.3.1"))],
        answer in prop_oneof![changed(answer("Y")), changed(answer("C")), changed(answer("N"))],
        results in prop_oneof![changed(results("Y")), changed(results("N"))],
    ) {
        check_round::<AuthenticationCall>(&call);
        check_round::<AuthenticationAnswer>(&answer);
        check_round::<ResultsCall>(&results);
    }

    #[test]
    fn any_bytes_have_an_answer(body in prop::collection::vec(any::<u8>(), 0..200), text in ".{0,60}") {
        if let Ok(fields) = Fields::parse(&body) {
            let _ = AuthenticationAnswer::read(&fields).is_ok();
        }
        let _ = ChallengeAnswer::of_form_value(&text).is_ok();
        let mut message = answer("Y");
        message["cardRangeData"] = Value::from(text);
        prop_assert!(read::<RangesAnswer>(&message).is_err());
    }
}
