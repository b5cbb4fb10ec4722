//! What the fields do while the buyer types, and what they say.

use super::page::{
    Page, document, edit, hold_pictures, input, leave, paint, settle, shown, text, type_into, undo,
};
use wasm_bindgen_test::wasm_bindgen_test;

/// A1, B2: gaps stand where that brand prints them, and only digits are sent; its mark shows at once and has a text name.
#[wasm_bindgen_test]
async fn number_is_grouped_while_it_is_typed_and_its_brand_is_named() {
    let _page = Page::open();
    type_into("CARD_NUMBER", "476173000000");
    assert_eq!(shown("CARD_NUMBER"), "4761 7300 0000|");
    settle().await;
    let mark = document().get_element_by_id("brand").unwrap();
    assert_eq!(mark.get_attribute("alt").as_deref(), Some("Visa"));
    assert_eq!(text("polite"), "Visa card");
}

/// A2: it lands at the caret, which ends right behind it, across a gap as well.
#[wasm_bindgen_test]
async fn digit_in_the_middle_lands_at_the_caret() {
    let _page = Page::open();
    type_into("CARD_NUMBER", "47617300");
    input("CARD_NUMBER").set_selection_range(4, 4).unwrap();
    edit("insertText", "9");
    assert_eq!(shown("CARD_NUMBER"), "4761 9|730 0");
}

/// The key itself is painted first. Everything else follows after that paint, or with the press that needs it.
#[wasm_bindgen_test]
async fn what_follows_from_a_key_waits_for_its_picture() {
    let page = Page::open();
    settle().await;
    let said = text("polite");
    hold_pictures();
    type_into("CARD_NUMBER", "51");
    settle().await;
    assert_eq!((shown("CARD_NUMBER"), text("polite")), ("51|".into(), said));
    paint();
    let change = page.message("change").await;
    assert!(change.contains(r#""brand":"MC""#), "{change}");
    assert!(text("polite").contains("Mastercard"), "{}", text("polite"));
    hold_pictures();
    edit("delete", "");
    edit("delete", "");
    page.command(r#"{"type":"confirm","id":1}"#);
    let change = page.message("change").await;
    let before_the_press = change.contains(r#""empty":true"#) && !change.contains("error");
    assert!(before_the_press, "{change}");
    paint();
}

/// A3: the digit beyond the gap goes, never the gap alone.
#[wasm_bindgen_test]
async fn backspace_behind_a_gap_takes_the_digit_before_it() {
    let _page = Page::open();
    type_into("CARD_NUMBER", "47617");
    input("CARD_NUMBER").set_selection_range(5, 5).unwrap();
    edit("delete", "");
    assert_eq!(shown("CARD_NUMBER"), "476|7");
}

/// A14: value, caret and selection stay as they were, without a message.
#[wasm_bindgen_test]
async fn letters_change_nothing_in_a_field_of_digits() {
    let _page = Page::open();
    type_into("CARD_NUMBER", "4761");
    input("CARD_NUMBER").set_selection_range(1, 3).unwrap();
    edit("insertText", "x");
    let field = input("CARD_NUMBER");
    let selection = (
        field.selection_start().unwrap(),
        field.selection_end().unwrap(),
    );
    assert_eq!(
        (field.value(), selection),
        ("4761".to_owned(), (Some(1), Some(3)))
    );
}

/// A5: same value and caret as if the digits had been typed.
#[wasm_bindgen_test]
async fn paste_with_dashes_is_the_same_as_typing() {
    let _page = Page::open();
    input("CARD_NUMBER").focus().unwrap();
    edit("insertText", "3742-450000-00009");
    assert_eq!(shown("CARD_NUMBER"), "3742 450000 00009|");
    settle().await;
    assert_eq!(
        input("SECURITY_CODE").placeholder(),
        "1234",
        "four digits for this network"
    );
}

/// C1: leading zero and separator come by themselves where there is no doubt.
#[wasm_bindgen_test]
async fn expiry_gets_its_zero_and_its_separator() {
    let _page = Page::open();
    type_into("EXPIRATION_DATE", "430");
    assert_eq!(input("EXPIRATION_DATE").value(), "04 / 30");
}

/// G3: announced exactly once, through a live region that was there, empty, since load.
#[wasm_bindgen_test]
async fn same_fault_after_another_press_is_another_announcement() {
    let page = Page::open();
    let region = document().get_element_by_id("urgent").unwrap();
    let mut heard = Vec::new();
    for _ in 0..3 {
        page.command(r#"{"type":"confirm","id":7}"#);
        page.message("reply").await;
        heard.push(region.text_content().unwrap());
    }
    assert!(
        heard
            .iter()
            .all(|text| text.trim() == "Enter your card number."),
        "{heard:?}"
    );
    assert!(heard.windows(2).all(|two| two[0] != two[1]), "{heard:?}");
}

/// D2, D4: exactly one message, at that field; the message goes with the keystroke that makes it right; a server message goes at the first edit.
#[wasm_bindgen_test]
async fn wrong_field_is_told_when_it_is_left_and_no_longer_once_right() {
    let _page = Page::open();
    type_into("CARD_NUMBER", "4761730000000004");
    settle().await;
    assert_eq!(text("CARD_NUMBER-note"), "", "nothing is said while typing");
    leave("CARD_NUMBER");
    settle().await;
    let said = text("CARD_NUMBER-note");
    assert_eq!(
        said,
        "Check the card number: there is a typing mistake in it."
    );
    assert_eq!(text("urgent"), said, "announced");
    assert_eq!(
        input("CARD_NUMBER")
            .get_attribute("aria-invalid")
            .as_deref(),
        Some("true")
    );
    type_into("CARD_NUMBER", "");
    edit("delete", "");
    edit("insertText", "3");
    settle().await;
    assert_eq!(text("CARD_NUMBER-note"), "");
    assert_eq!(input("CARD_NUMBER").get_attribute("aria-invalid"), None);
}

#[wasm_bindgen_test]
async fn another_mistake_in_place_of_one_is_told_when_the_field_is_left() {
    let _page = Page::open();
    type_into("CARD_NUMBER", "4761730000000004");
    leave("CARD_NUMBER");
    settle().await;
    let first = text("CARD_NUMBER-note");
    input("CARD_NUMBER").select();
    type_into("CARD_NUMBER", "9000000000000001");
    leave("CARD_NUMBER");
    settle().await;
    let second = text("CARD_NUMBER-note");
    assert!(
        !second.is_empty() && second != first,
        "{first} then {second}"
    );
}

/// D3: no error before the first submit.
#[wasm_bindgen_test]
async fn untouched_field_is_not_wrong_before_a_submit() {
    let _page = Page::open();
    input("CARD_NUMBER").focus().unwrap();
    leave("CARD_NUMBER");
    settle().await;
    assert_eq!(text("CARD_NUMBER-note"), "");
}

/// D6, D8: every faulty field is flagged and the first gets the focus; the button was enabled, and what is missing is explained.
#[wasm_bindgen_test]
async fn submit_of_an_empty_form_marks_every_field_and_sends_nothing() {
    let page = Page::open();
    page.command(r#"{"type":"confirm","id":7}"#);
    let reply = page.message("reply").await;
    assert!(
        reply.contains(r#""id":7"#) && reply.contains("invalid_data"),
        "{reply}"
    );
    settle().await;
    for id in [
        "CARD_NUMBER",
        "EXPIRATION_DATE",
        "SECURITY_CODE",
        "CARDHOLDER_NAME",
    ] {
        assert_ne!(text(&format!("{id}-note")), "", "{id}");
    }
    let focused = document().active_element().unwrap();
    assert_eq!(focused.id(), "CARD_NUMBER");
}

/// B7: message names that brand and the ones taken.
#[wasm_bindgen_test]
async fn network_that_the_shop_does_not_take_is_named() {
    let _page = Page::open_with(r#"{"networks":["VISA","MC"]}"#, |_| {});
    type_into("CARD_NUMBER", "374245000000009");
    leave("CARD_NUMBER");
    settle().await;
    assert_eq!(
        text("CARD_NUMBER-note"),
        "This shop does not take American Express. It takes Visa, Mastercard."
    );
}

#[wasm_bindgen_test]
async fn what_was_typed_before_the_form_lived_is_kept() {
    let _page = Page::open_with("{}", |_| input("CARD_NUMBER").set_value("4761730000000003"));
    assert_eq!(input("CARD_NUMBER").value(), "4761 7300 0000 0003");
}

/// D2: each field speaks for itself, to the page as well.
#[wasm_bindgen_test]
async fn what_does_not_fit_is_said_in_the_words_of_its_field() {
    let page = Page::open();
    let heard = page.all_changes();
    input("EXPIRATION_DATE").focus().unwrap();
    edit("insertText", "123456789");
    input("SECURITY_CODE").focus().unwrap();
    edit("insertText", "12345");
    settle().await;
    assert_eq!(
        text("EXPIRATION_DATE-note"),
        "Enter month and year, like 04 / 29."
    );
    assert_eq!(
        text("SECURITY_CODE-note"),
        "The security code has 3–4 digits."
    );
    type_into("CARD_NUMBER", "4761");
    leave("CARD_NUMBER");
    settle().await;
    assert_eq!(
        text("SECURITY_CODE-note"),
        "The security code has 3 digits."
    );
    let last = page.changes(&heard).await.pop().unwrap();
    assert!(
        last.contains("expiry_incomplete") && last.contains("security_code_length"),
        "{last}"
    );
    assert!(!last.contains("card_number_too_long"), "{last}");
}

/// D2: a wrong field that was emptied says what is missing now.
#[wasm_bindgen_test]
async fn emptied_field_says_that_it_is_empty() {
    let page = Page::open();
    type_into("EXPIRATION_DATE", "1220");
    leave("EXPIRATION_DATE");
    settle().await;
    assert_eq!(text("EXPIRATION_DATE-note"), "This card has expired.");
    input("EXPIRATION_DATE").focus().unwrap();
    input("EXPIRATION_DATE").select();
    edit("delete", "");
    settle().await;
    assert_eq!(text("EXPIRATION_DATE-note"), "");
    leave("EXPIRATION_DATE");
    settle().await;
    assert_eq!(text("EXPIRATION_DATE-note"), "Enter the expiry date.");
    // Fields that the page has emptied were not emptied by the buyer.
    page.command(r#"{"type":"clear","id":1}"#);
    page.message("reply").await;
    input("EXPIRATION_DATE").focus().unwrap();
    leave("EXPIRATION_DATE");
    settle().await;
    assert_eq!(text("EXPIRATION_DATE-note"), "");
}

/// D4: a message stays only while its cause holds.
#[wasm_bindgen_test]
async fn message_goes_when_its_cause_is_gone() {
    let page = Page::open();
    type_into("EXPIRATION_DATE", "0020");
    leave("EXPIRATION_DATE");
    settle().await;
    assert_eq!(
        text("EXPIRATION_DATE-note"),
        "The month must be from 01 to 12."
    );
    input("EXPIRATION_DATE").focus().unwrap();
    input("EXPIRATION_DATE").set_selection_range(1, 2).unwrap();
    edit("insertText", "2");
    settle().await;
    assert_eq!(input("EXPIRATION_DATE").value(), "02 / 20");
    assert_eq!(
        text("EXPIRATION_DATE-note"),
        "",
        "it has expired, which is said when it is left"
    );
    input("CARD_NUMBER").focus().unwrap();
    edit("insertText", "374245000000009000");
    settle().await;
    assert_eq!(text("CARD_NUMBER-note"), "This card number is too long.");
    input("CARD_NUMBER").select();
    edit("insertText", "476173000000");
    settle().await;
    assert_eq!(text("CARD_NUMBER-note"), "");
    // The message stays while its cause holds: the number is shorter than before, and still too short.
    leave("CARD_NUMBER");
    settle().await;
    let short = text("CARD_NUMBER-note");
    assert_ne!(short, "");
    input("CARD_NUMBER").focus().unwrap();
    edit("delete", "");
    settle().await;
    assert_eq!(text("CARD_NUMBER-note"), short);
    // For a number that could end at several lengths, a message about the check digit is removed at another such length, right or wrong.
    for number in ["6759649826438450", "6304000000000001"] {
        input("CARD_NUMBER").select();
        edit("insertText", number);
        leave("CARD_NUMBER");
        input("CARD_NUMBER").focus().unwrap();
        settle().await;
        assert_ne!(text("CARD_NUMBER-note"), "");
        edit("delete", "");
        settle().await;
        assert_eq!(text("CARD_NUMBER-note"), "");
    }
    drop(page);
}

/// Programs that fill fields and fire `change` alone are heard.
#[wasm_bindgen_test]
async fn fill_that_is_told_by_change_alone_is_formatted_and_told() {
    let page = Page::open();
    let heard = page.all_changes();
    for (id, value) in [
        ("CARD_NUMBER", "4761730000000003"),
        ("EXPIRATION_DATE", "1230"),
        ("SECURITY_CODE", "123"),
        ("CARDHOLDER_NAME", "Ada Lovelace"),
    ] {
        input(id).set_value(value);
        let change = web_sys::Event::new("change").unwrap();
        input(id).dispatch_event(&change).unwrap();
    }
    settle().await;
    settle().await;
    assert_eq!(input("CARD_NUMBER").value(), "4761 7300 0000 0003");
    assert_eq!(input("EXPIRATION_DATE").value(), "12 / 30");
    let last = page.changes(&heard).await.pop().unwrap();
    assert!(
        last.starts_with(r#"{"type":"change","complete":true"#),
        "{last}"
    );
}

/// A11: the selection from before the form was live stays, and what was typed can be undone step by step.
#[wasm_bindgen_test]
async fn early_selection_stays_and_early_keys_are_steps() {
    let _page = Page::open_with("{}", |_| {
        type_into("CARD_NUMBER", "47617300");
        input("CARD_NUMBER").set_selection_range(2, 6).unwrap();
    });
    let field = input("CARD_NUMBER");
    assert_eq!(field.value(), "4761 7300");
    let selected = (
        field.selection_start().unwrap(),
        field.selection_end().unwrap(),
    );
    assert_eq!(selected, (Some(2), Some(7)));
    for expected in ["4761 730", "4761 73", "4761 7", "4761"] {
        undo("CARD_NUMBER");
        assert_eq!(input("CARD_NUMBER").value(), expected);
    }
}

/// D2: a field that was left before the form was live is checked like any other; the one that has the focus is not.
#[wasm_bindgen_test]
async fn field_left_incomplete_early_is_flagged() {
    let _page = Page::open_with("{}", |_| {
        type_into("CARD_NUMBER", "4761");
        type_into("EXPIRATION_DATE", "1");
    });
    settle().await;
    assert_eq!(text("CARD_NUMBER-note"), "This card number is too short.");
    assert_eq!(text("urgent"), "This card number is too short.");
    assert_eq!(text("EXPIRATION_DATE-note"), "");
}
