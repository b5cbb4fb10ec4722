//! Elements of a confirmation by the buyer's device.

use super::*;

/// 32 bytes.
const CHALLENGE: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";

#[test]
fn a_confirmation_has_what_the_browser_needs_and_only_in_version_2_3_1() {
    let asked = || {
        let mut asked = answer("S");
        asked["messageVersion"] = json!("2.3.1");
        asked["spcTransData"] = json!({
            "challenge": CHALLENGE, "currency": "EUR", "value": "35.45", "displayName": "Card", "icon": "https://acs.example/i.png",
            "payeeName": "Shop", "payeeOrigin": "https://shop.example", "timeout": "60000",
        });
        asked["webAuthnCredList"] =
            json!([{ "rpID": "acs.example", "credentialIds": "AAECAwQFBgcICQoL" }]);
        asked
    };
    let faults = |asked: &Value| {
        read::<AuthenticationAnswer>(asked)
            .err()
            .map(|fault| (fault.code, fault.element))
    };
    let fault = |code, element: &str| Some((code, element.to_owned()));
    let message = read::<AuthenticationAnswer>(&asked()).unwrap();
    assert_eq!(
        read::<AuthenticationAnswer>(&message.write().into_json()).unwrap(),
        message
    );
    for name in ["spcTransData", "webAuthnCredList"] {
        let mut rest = asked();
        rest.as_object_mut().unwrap().remove(name);
        assert_eq!(faults(&rest), fault(FaultCode::Missing, name));
    }
    for name in [
        "challenge",
        "currency",
        "value",
        "displayName",
        "icon",
        "timeout",
    ] {
        let mut rest = asked();
        rest["spcTransData"].as_object_mut().unwrap().remove(name);
        assert_eq!(
            faults(&rest),
            fault(FaultCode::Format, "spcTransData"),
            "{name}"
        );
    }
    for (place, value, element) in [
        ("/messageVersion", json!("2.2.0"), "transStatus"),
        (
            "/spcTransData/icon",
            json!("javascript:alert(1)"),
            "spcTransData",
        ),
        ("/spcTransData/timeout", json!(60_000), "spcTransData"),
        ("/webAuthnCredList", json!([]), "webAuthnCredList"),
        (
            "/webAuthnCredList/0/credentialIds",
            json!(""),
            "webAuthnCredList",
        ),
    ] {
        let mut other = asked();
        *other.pointer_mut(place).unwrap() = value;
        assert_eq!(faults(&other), fault(FaultCode::Format, element), "{place}");
    }
    let mut other = asked();
    let second = json!({ "rpID": "other.example", "credentialIds": "AAECAwQFBgcICQoM" });
    other["webAuthnCredList"]
        .as_array_mut()
        .unwrap()
        .push(second);
    assert_eq!(faults(&other), fault(FaultCode::Format, "webAuthnCredList"));
    // A challenge is over by its result.
    let result = read::<ResultsCall>(&results("S")).err();
    assert_eq!(result, Some(Fault::new(FaultCode::Format, "transStatus")));
}

#[test]
fn a_call_speaks_of_confirmations_in_version_2_3_1_alone() {
    let info = json!([{ "threeDSReqAuthMethod": "09", "threeDSReqAuthData": { "id": "AAEC" }, "threeDSReqAuthTimestamp": "202611261200" }]);
    let prior = json!([{ "threeDSReqPriorRef": IDS[2] }]);
    for (name, value) in [
        ("threeDSRequestorSpcSupport", json!("Y")),
        ("threeDSRequestorAuthenticationInfo", info.clone()),
        ("spcIncompInd", json!("02")),
        ("threeDSRequestorPriorAuthenticationInfo", prior),
    ] {
        let mut asked = call("2.3.1");
        asked["payeeOrigin"] = json!("https://shop.example");
        asked[name] = value.clone();
        let message = read::<AuthenticationCall>(&asked).unwrap();
        assert_eq!(message.write().into_json()[name], value);
        let mut asked = call("2.2.0");
        asked[name] = value;
        let fault = read::<AuthenticationCall>(&asked).err();
        assert_eq!(fault, Some(Fault::new(FaultCode::Format, name)));
    }
    let mut asked = call("2.3.1");
    asked["threeDSRequestorSpcSupport"] = json!("Y");
    let fault = read::<AuthenticationCall>(&asked).err();
    assert_eq!(fault, Some(Fault::new(FaultCode::Missing, "payeeOrigin")));
    let mut asked = call("2.3.1");
    asked["threeDSRequestorAuthenticationInfo"] = info;
    asked["spcIncompInd"] = json!("01");
    let fault = read::<AuthenticationCall>(&asked).err();
    assert_eq!(fault, Some(Fault::new(FaultCode::Format, "spcIncompInd")));
}
