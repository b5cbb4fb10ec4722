//! The billing address in the form without scripts.

use super::{Plain, card, leads_back};
use crate::harness::{APPROVED, TestApp};
use serde_json::json;

/// K31: without scripts, too.
#[tokio::test]
async fn a_billing_address_is_asked_for_and_its_mistakes_are_shown_beside_it() {
    let app = TestApp::new().await;
    let plain = Plain::open(&app, |request| {
        request["form"]["billingAddress"] = json!("POSTAL_CODE");
        request["order"]["customerInfo"] = json!({ "billingAddress": { "country": "USA" } });
    })
    .await;
    let page = plain.page().await;
    for text in [
        "autocomplete=\"billing country\"",
        "<option value=\"US\" selected>United States</option>",
        "<label for=\"postal-code\">ZIP code</label>",
        "autocomplete=\"billing postal-code\"",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
    let typed = |country, code| {
        let address = [("country", country), ("postal-code", code)];
        [&card(APPROVED)[..], &address[..]].concat()
    };
    for (country, code, said) in [
        ("US", "", "id=\"postal-code-note\">Enter the postal code"),
        ("GB", "95014", "it must look like AB12 3CD."),
        ("", "", "id=\"country-note\">Choose the country"),
    ] {
        let answer = plain
            .send(&Plain::form(&page, "card", &typed(country, code)))
            .await;
        assert_eq!(answer.status, 422, "{country} {code}");
        let page = answer.text();
        assert!(page.contains(said), "{said}: {page}");
    }
    let sent = plain
        .send(&Plain::form(
            &plain.page().await,
            "card",
            &typed("US", "95014"),
        ))
        .await;
    leads_back(&sent, &plain);
    assert_eq!(plain.operations().await, ["AUTHORIZATION EXECUTED"]);
}

/// K31: without scripts, the inputs of another country are there once the form was sent.
#[tokio::test]
async fn a_whole_address_is_asked_for_country_by_country() {
    let app = TestApp::new().await;
    let plain = Plain::open(&app, |request| {
        request["form"]["billingAddress"] = json!("FULL");
        request["order"]["customerInfo"] = json!({ "billingAddress": { "country": "DEU" } });
    })
    .await;
    let page = plain.page().await;
    assert!(
        page.contains("autocomplete=\"billing address-line1\""),
        "{page}"
    );
    assert!(!page.contains("address-level1"), "{page}");
    let typed = |beside: &[(&'static str, &'static str)]| [&card(APPROVED)[..], beside].concat();
    let us = [
        ("former-country", "DE"),
        ("country", "US"),
        ("address-line1", "1 Loop"),
        ("address-level2", "Cupertino"),
        ("postal-code", "95014"),
    ];
    let answer = plain.send(&Plain::form(&page, "card", &typed(&us))).await;
    assert_eq!(answer.status, 422);
    let page = answer.text();
    for text in [
        "<select id=\"address-level1\" name=\"address-level1\" autocomplete=\"billing address-level1\" aria-invalid",
        "<option value=\"CA\">California</option>",
        "id=\"address-level1-note\">Fill in: State",
        "value=\"1 Loop\"",
        "name=\"former-country\" value=\"US\"",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
    let chosen = [
        &us[1..],
        &[("former-country", "US"), ("address-level1", "CA")],
    ]
    .concat();
    let sent = plain
        .send(&Plain::form(&page, "card", &typed(&chosen)))
        .await;
    leads_back(&sent, &plain);
    assert_eq!(plain.operations().await, ["AUTHORIZATION EXECUTED"]);
}
