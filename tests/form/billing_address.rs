//! The billing address beside the card: how it is drawn, and how it follows the country. The tests of the decisions are in `payframe-checkout-flow`.

use super::choices::{click, drawn, fill, find, is_hidden, texts};
use super::page::{Page, document, input, text, type_into};
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::HtmlInputElement;

const BILLING: &str = r##"{"billing":{"country":"US","countries":
    {"AE":"","GB":"postal required @@#*_#@@|@#_#@@","IE":"postal optional ***_****","US":"zip required #####|#####-####"}}}"##;

fn choose(id: &str, value: &str) {
    choose_with("change", id, value);
}

/// Chooses in the list of a part, as a browser tells it.
fn choose_part(id: &str, value: &str) {
    choose_with("input", id, value);
}

fn choose_with(event: &str, id: &str, value: &str) {
    let list: HtmlInputElement = document().get_element_by_id(id).unwrap().unchecked_into();
    list.set_value(value);
    let init = web_sys::EventInit::new();
    init.set_bubbles(true);
    let event = web_sys::Event::new_with_event_init_dict(event, &init).unwrap();
    list.dispatch_event(&event).unwrap();
}

/// K31: the fields follow the country, and the names are in the buyer's language.
#[wasm_bindgen_test]
async fn the_billing_address_has_the_fields_of_its_country() {
    let _page = Page::open_with(BILLING, |document| {
        let root = document.document_element().unwrap();
        root.set_attribute("class", "concealed").unwrap();
    });
    drawn().await;
    assert!(find("html.concealed").is_none());
    assert_eq!(
        texts("#choice-billing option"),
        [
            "Ireland",
            "United Arab Emirates",
            "United Kingdom",
            "United States"
        ]
    );
    let code = "choice-billing-postal";
    let label = || text("choice-billing-postal-name");
    let keyboard = || attribute(code, "inputmode");
    assert_eq!(
        (&*label(), keyboard().as_deref()),
        ("ZIP code", Some("numeric"))
    );
    assert_eq!(
        attribute(code, "autocomplete").as_deref(),
        Some("billing postal-code")
    );
    choose("choice-billing-country", "GB");
    drawn().await;
    assert_eq!(
        (&*label(), keyboard().as_deref()),
        ("Postal code", Some("text"))
    );
    assert!(attribute(code, "required").is_some());
    choose("choice-billing-country", "IE");
    drawn().await;
    assert!(attribute(code, "required").is_none() && !is_hidden(code));
    choose("choice-billing-country", "AE");
    drawn().await;
    assert!(is_hidden(code));
}

/// K31: a message is tied to its input, and goes away with its cause.
#[wasm_bindgen_test]
async fn a_wrong_postal_code_is_said_at_its_input() {
    let _page = Page::open_with(BILLING, |_| {});
    drawn().await;
    let code = "choice-billing-postal";
    input(code).focus().unwrap();
    type_into(code, "9501");
    assert!(attribute(code, "aria-invalid").is_none());
    input("CARD_NUMBER").focus().unwrap();
    drawn().await;
    assert_eq!(attribute(code, "aria-invalid").as_deref(), Some("true"));
    let note = attribute(code, "aria-describedby").unwrap();
    assert_eq!(
        text(&note),
        "Check the postal code: it must look like 12345."
    );
    type_into(code, "4");
    drawn().await;
    assert!(attribute(code, "aria-invalid").is_none());
    assert_eq!(text(&note), "");
}

const ADDRESS: &str = r##"{"billing":{"country":"US","postalCode":"95014","countries":
    {"DE":"postal required #####","IE":"postal optional ***_****","US":"zip required #####|#####-####"},
    "address":{"line1":"1 Loop","state":"CA","states":{"US":"CA California|NY New York"},
    "formats":{"DE":"AZC AZC","IE":"ACSZ AC county","US":"ACSZ ACSZ state"}}}}"##;

/// K31: the parts are named and ordered as the country does, and the inputs stay the same, so that browsers can fill them in.
#[wasm_bindgen_test]
async fn a_whole_billing_address_has_the_parts_of_its_country() {
    let _page = Page::open_with(ADDRESS, |_| {});
    drawn().await;
    let labels = || texts("#choice-billing .field:not([hidden]) label").join(", ");
    assert_eq!(
        labels(),
        "Country or region, Address, Address line 2 (optional), City, State, ZIP code"
    );
    assert_eq!(
        texts("#choice-billing-state option"),
        ["", "California", "New York"]
    );
    for (id, value, filled) in [
        ("choice-billing-line1", "1 Loop", "billing address-line1"),
        ("choice-billing-line2", "", "billing address-line2"),
        ("choice-billing-city", "", "billing address-level2"),
        ("choice-billing-state", "CA", "billing address-level1"),
        ("choice-billing-postal", "95014", "billing postal-code"),
    ] {
        assert_eq!(value_of(id), value, "{id}");
        assert_eq!(attribute(id, "autocomplete").as_deref(), Some(filled));
    }
    let city = input("choice-billing-city");
    choose("choice-billing-country", "DE");
    drawn().await;
    assert_eq!(
        labels(),
        "Country or region, Address, Address line 2 (optional), Postal code, City"
    );
    assert!(is_hidden("choice-billing-state"));
    assert!(city.is_same_node(Some(&input("choice-billing-city"))));
    choose("choice-billing-country", "IE");
    drawn().await;
    assert_eq!(
        labels(),
        "Country or region, Address, Address line 2 (optional), City, County (optional), Postal code (optional)"
    );
    assert_eq!(value_of("choice-billing-line1"), "1 Loop");
    assert_eq!(value_of("choice-billing-state"), "");
}

/// K31: each part that is missing has its message, and the first one the focus.
#[wasm_bindgen_test]
async fn every_missing_part_of_a_billing_address_is_said_at_its_input() {
    let _page = Page::open_with(ADDRESS, |_| {});
    fill();
    drawn().await;
    choose_part("choice-billing-state", "");
    click("pay");
    drawn().await;
    let note = |id: &str| text(&attribute(id, "aria-describedby").unwrap());
    assert_eq!(note("choice-billing-city"), "Fill in: City");
    assert_eq!(note("choice-billing-state"), "Fill in: State");
    assert_eq!(note("choice-billing-line1"), "");
    let focused = document().active_element().unwrap();
    assert_eq!(focused.id(), "choice-billing-city");
    choose_part("choice-billing-state", "NY");
    drawn().await;
    assert_eq!(note("choice-billing-state"), "");
    assert_eq!(value_of("choice-billing-state"), "NY");
}

/// I5, K31: another language names countries and parts anew; what was entered stays, with the focus, and stands in no attribute.
#[wasm_bindgen_test]
async fn another_language_keeps_what_was_entered_of_a_billing_address() {
    let page = Page::open_with(ADDRESS, |_| {});
    drawn().await;
    choose("choice-billing-country", "IE");
    drawn().await;
    type_into("choice-billing-city", "Cork");
    choose("choice-billing-country", "US");
    drawn().await;
    choose_part("choice-billing-state", "NY");
    input("choice-billing-city").focus().unwrap();
    let root = document().document_element().unwrap();
    root.set_attribute("lang", "de").unwrap();
    page.command(r#"{"type":"update","id":1,"options":{}}"#);
    page.message("reply").await;
    drawn().await;
    assert_eq!(texts("#choice-billing-country option")[0], "Deutschland");
    assert_eq!(value_of("choice-billing-country"), "US");
    assert_eq!(value_of("choice-billing-state"), "NY");
    assert_eq!(value_of("choice-billing-city"), "Cork");
    let focused = document().active_element().unwrap();
    assert_eq!(focused.id(), "choice-billing-city");
    assert_eq!(attribute("choice-billing-city", "value"), None);
    choose("choice-billing-country", "IE");
    drawn().await;
    assert_eq!(value_of("choice-billing-state"), "");
}

fn value_of(id: &str) -> String {
    let input: HtmlInputElement = document().get_element_by_id(id).unwrap().unchecked_into();
    input.value()
}

fn attribute(id: &str, name: &str) -> Option<String> {
    document()
        .get_element_by_id(id)
        .unwrap()
        .get_attribute(name)
}
