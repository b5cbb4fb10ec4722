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
