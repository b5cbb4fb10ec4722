//! The objects that reservations refer to: terms and conditions, structures, their conditions and fields (contract 8.3.1 to 8.3.3,
//! 8.3.12 to 8.3.14, 8.3.18 to 8.3.23).

use crate::harness::TestApp;
use serde_json::{Value, json};

/// `<p>The terms.</p>`
pub(crate) const HTML: &str = "PHA+VGhlIHRlcm1zLjwvcD4=";

pub(crate) fn terms() -> Value {
    json!({ "name": "House rules", "termsAndConditions": [
        { "language": "eng", "checkMarkLabel": "I accept the house rules", "linkLabel": "House rules", "text": HTML },
        { "language": "ITA", "checkMarkLabel": "Accetto il regolamento", "linkLabel": "Regolamento", "text": HTML },
    ] })
}

pub(crate) fn condition(structure_id: &str, reservation_type: &str) -> Value {
    json!({ "structureId": structure_id, "reservationType": reservation_type, "name": "Late arrivals",
        "termsAndConditions": [{
            "language": "eng",
            "checkMarkLabelStructureCondition": "I accept the conditions of the stay",
            "linkLabelStructureCondition": "Conditions of the stay", "textStructureCondition": HTML,
            "checkMarkLabelCancellationCondition": "I accept the conditions of cancellation",
            "linkLabelCancellationCondition": "Conditions of cancellation", "textCancellationCondition": HTML,
        }]
    })
}

/// A structure `S1` and terms; the terms' id.
pub(crate) async fn with_structure(app: &TestApp) -> String {
    let merchant = app.merchant();
    let structure = json!({ "structureId": "S1", "structureName": "Hotel Miramare" });
    merchant.post("/structures", &structure).await.ok();
    let made = merchant.post("/terms_and_conditions", &terms()).await.ok();
    made["termsAndConditionsId"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn terms_are_read_as_they_were_made() {
    let app = TestApp::new().await;
    let merchant = app.merchant();
    for path in ["/terms_and_conditions", "/termsAndConditions"] {
        let made = merchant.post(path, &terms()).await.ok();
        let id = made["termsAndConditionsId"].as_str().unwrap();
        let read = merchant
            .get(&format!("/terms_and_conditions/{id}"))
            .await
            .ok();
        let mut expected = terms();
        expected["termsAndConditionsId"] = json!(id);
        expected["tecCreationDate"] = json!("2026-11-20");
        expected["status"] = json!("ACTIVE");
        assert_eq!(read, expected);
        // It is not a structure condition.
        let other = merchant.get(&format!("/structure_conditions/{id}")).await;
        assert_eq!(other.refusal(), "404");
    }
}

#[tokio::test]
async fn terms_that_nobody_could_read_are_refused() {
    let app = TestApp::new().await;
    let check = async |change: fn(&mut Value), expected: &str| {
        let mut request = terms();
        change(&mut request);
        let answer = app.merchant().post("/terms_and_conditions", &request).await;
        assert_eq!(answer.refusal(), "400 PS0026", "{expected}");
        assert!(answer.why().starts_with(expected), "{}", answer.why());
    };
    check(|terms| terms["name"] = json!(null), "name is missing").await;
    check(
        |terms| terms["termsAndConditions"] = json!([]),
        "termsAndConditions must be an array of 1 to 50",
    )
    .await;
    check(
        |terms| terms["termsAndConditions"][1]["language"] = json!("ENG"),
        "termsAndConditions[1].language must not be there twice",
    )
    .await;
    let text = "termsAndConditions[0].text must be HTML in UTF-8, in base64";
    check(
        |terms| terms["termsAndConditions"][0]["text"] = json!("<p>"),
        text,
    )
    .await;
    check(
        |terms| terms["termsAndConditions"][0]["text"] = json!("PHA"),
        text,
    )
    .await;
    // `ff fe`: valid base64, but not UTF-8.
    check(
        |terms| terms["termsAndConditions"][0]["text"] = json!("//4="),
        text,
    )
    .await;
}

#[tokio::test]
async fn a_text_may_be_long() {
    let app = TestApp::new().await;
    let mut request = terms();
    request["termsAndConditions"][0]["text"] = json!("QUFB".repeat(400_000));
    app.merchant()
        .post("/terms_and_conditions", &request)
        .await
        .ok();
}

#[tokio::test]
async fn terms_are_cancelled_where_nothing_refers_to_them() {
    let app = TestApp::new().await;
    let merchant = app.merchant();
    let id = with_structure(&app).await;
    let structure = json!({ "structureId": "S1", "tecRefundableId": id });
    merchant.post("/structures", &structure).await.ok();
    let cancels = format!("/terms_and_conditions/{id}/cancels");
    assert_eq!(
        merchant.post(&cancels, &json!({})).await.refusal(),
        "400 GW9007"
    );
    // A second request replaces everything that the first one set.
    merchant
        .post("/structures", &json!({ "structureId": "S1" }))
        .await
        .ok();
    for _ in 0..2 {
        let answer = merchant.post(&cancels, &json!({})).await;
        assert_eq!((answer.status, answer.bytes.len()), (200, 0));
    }
    let read = merchant
        .get(&format!("/terms_and_conditions/{id}"))
        .await
        .ok();
    assert_eq!(read["status"], "CANCELED");
    // New objects cannot refer to them.
    let answer = merchant.post("/structures", &structure).await;
    assert_eq!(answer.refusal(), "400 PS0026");
    assert!(answer.why().starts_with("tecRefundableId"));
}

#[tokio::test]
async fn a_structure_is_made_found_and_changed() {
    let app = TestApp::new().await;
    let merchant = app.merchant();
    let whole = json!({ "structure": {
        "terminalId": "91000001", "structureId": "S1", "status": "ACTIVE", "structureName": "Hotel Miramare",
        "structureEmail": "desk@hotel.example", "mobilePhoneCountryCode": "+39", "mobilePhone": "3331234567",
        "checkInFromTime": "14:00", "checkInToTime": "22:00", "checkOutFromTime": "07:00", "checkOutToTime": "11:00",
    } });
    assert_eq!(
        merchant.post("/structures", &whole).await.ok(),
        json!({ "structureId": "S1" })
    );
    let mut expected = whole["structure"].clone();
    expected["structureCreationDate"] = json!("2026-11-20");
    expected["customField"] = json!([]);
    let read = merchant.get("/structures/S1").await.ok();
    assert_eq!(read, json!({ "structure": expected }));
    // The members are directly in the body, without an id; the terminal is the caller's. The structure is changed later.
    app.pass(1).await;
    let bare = json!({ "structureName": "Albergo al Porto", "status": "NOT_ACTIVE" });
    let made = merchant.post("/structures", &bare).await.ok();
    app.pass(3 * 86_400).await;
    let other = json!({ "structureId": "S1", "structureName": "Grand Hotel Miramare" });
    merchant.post("/structures", &other).await.ok();
    let names = async |query: &str| {
        let list = merchant.get(&format!("/structures{query}")).await.ok();
        let names = list["structures"].as_array().unwrap().iter();
        let names: Vec<String> = names
            .map(|row| row["structureName"].as_str().unwrap().to_owned())
            .collect();
        names.join(", ")
    };
    assert_eq!(names("").await, "Grand Hotel Miramare, Albergo al Porto");
    assert_eq!(names("?structureName=ALB").await, "Albergo al Porto");
    assert_eq!(names("?structureName=porto").await, "");
    assert_eq!(names("?status=ACTIVE").await, "Grand Hotel Miramare");
    let read = merchant.get("/structures/S1").await.ok();
    assert_eq!(read["structure"]["structureCreationDate"], "2026-11-20");
    assert!(read["structure"]["checkInFromTime"].is_null());
    let path = format!("/structures/{}", made["structureId"].as_str().unwrap());
    assert_eq!(
        merchant.get(&path).await.ok()["structure"]["terminalId"],
        "91000001"
    );
}

#[tokio::test]
async fn a_structure_that_can_not_be_is_refused() {
    let app = TestApp::new().await;
    let check = async |structure: Value, expected: &str| {
        for request in [structure.clone(), json!({ "structure": structure })] {
            let answer = app.merchant().post("/structures", &request).await;
            assert_eq!(answer.refusal(), expected, "{request}");
        }
    };
    check(json!({ "terminalId": "99999999" }), "400 PS0052").await;
    // The terminal of another merchant.
    check(json!({ "terminalId": "92000001" }), "400 PS0052").await;
    check(json!({ "checkInFromTime": "24:00" }), "400 PS0011").await;
    check(json!({ "checkInFromTime": 14 }), "400 PS0011").await;
    check(json!({ "structureId": "a/b" }), "400 PS0026").await;
    check(json!({ "status": "CLOSED" }), "400 PS0026").await;
    check(json!({ "tecRefundableId": "nobody" }), "400 PS0026").await;
}

#[tokio::test]
async fn a_structure_has_conditions() {
    let app = TestApp::new().await;
    let merchant = app.merchant();
    with_structure(&app).await;
    let mut request = condition("S1", "GUARANTEED_NOSHOW");
    let mut italian = request["termsAndConditions"][0].clone();
    italian["language"] = json!("ita");
    request["termsAndConditions"]
        .as_array_mut()
        .unwrap()
        .push(italian);
    let made = merchant.post("/structure_conditions", &request).await.ok();
    let id = made["structureConditionId"].as_str().unwrap();
    let path = format!("/structure_conditions/{id}");
    let mut expected = request.clone();
    expected["structureConditionId"] = json!(id);
    expected["tecCreationDate"] = json!("2026-11-20");
    expected["status"] = json!("ACTIVE");
    assert_eq!(merchant.get(&path).await.ok(), expected);
    let row = |language| {
        json!({
            "structureConditionId": id, "name": "Late arrivals", "tecCreationDate": "2026-11-20", "language": language
        })
    };
    let rows = merchant
        .get("/structure_conditions/structures/S1")
        .await
        .ok();
    assert_eq!(rows, json!([row("eng"), row("ita")]));
    let none = merchant.get("/structure_conditions/structures/S2").await;
    assert_eq!(none.refusal(), "404");
    // It is not terms and conditions.
    let terms = merchant.get(&format!("/terms_and_conditions/{id}")).await;
    assert_eq!(terms.refusal(), "404");
    merchant
        .post(&format!("{path}/cancels"), &json!({}))
        .await
        .ok();
    assert_eq!(merchant.get(&path).await.ok()["status"], "CANCELED");

    let answer = merchant
        .post("/structure_conditions", &condition("S2", "BUNDLE"))
        .await;
    assert_eq!(answer.refusal(), "400 PS0026");
    assert_eq!(answer.why(), "structureId is not that of a structure");
    let answer = merchant
        .post("/structure_conditions", &condition("S1", "FREE"))
        .await;
    assert!(answer.why().starts_with("reservationType must be one of"));
    // The structure of another merchant does not exist here.
    let other = app.key("sandbox-other-merchant");
    let answer = other
        .post("/structure_conditions", &condition("S1", "BUNDLE"))
        .await;
    assert_eq!(answer.refusal(), "400 PS0026");
}

#[tokio::test]
async fn a_structure_has_fields_of_its_own() {
    let app = TestApp::new().await;
    let merchant = app.merchant();
    with_structure(&app).await;
    let field = |place: Value, enabled: Value| {
        json!({
            "structureId": "S1", "customFieldOrd": place, "customFieldTitle": "Car", "customFieldEnabled": enabled,
            "customFieldTranslations": [{ "language": "eng", "label": "Number plate" }, { "language": "ita", "label": "Targa" }],
        })
    };
    let second = merchant
        .post("/custom_fields", &field(json!(2), json!("N")))
        .await
        .ok();
    let first = merchant
        .post("/custom_fields", &field(json!(1), json!(true)))
        .await
        .ok();
    let path = |made: &Value| format!("/custom_fields/{}", made["customFieldId"].as_str().unwrap());
    let mut expected = field(json!(2), json!(false));
    expected["customFieldId"] = second["customFieldId"].clone();
    assert_eq!(merchant.get(&path(&second)).await.ok(), expected);
    let structure = merchant.get("/structures/S1").await.ok();
    let fields = structure["structure"]["customField"].as_array().unwrap();
    let ids: Vec<&Value> = fields.iter().map(|field| &field["customFieldId"]).collect();
    assert_eq!(ids, [&first["customFieldId"], &second["customFieldId"]]);
    for (request, expected) in [
        (field(json!(0), json!(true)), "customFieldOrd"),
        (field(json!(100), json!(true)), "customFieldOrd"),
        (field(json!(1), json!("yes")), "customFieldEnabled"),
        (field(json!(1), json!(null)), "customFieldEnabled"),
    ] {
        let answer = merchant.post("/custom_fields", &request).await;
        assert_eq!(answer.refusal(), "400 PS0026");
        assert!(answer.why().starts_with(expected), "{}", answer.why());
    }
    assert_eq!(merchant.get("/custom_fields/none").await.refusal(), "404");
}
