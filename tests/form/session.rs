//! The session behind the form: its end, the session that takes over, the issuer's page, the outcome.

use super::page::{
    Page, REFUSED_FOR_GOOD, answer_all, answer_nothing, document, element, focused, input,
    is_hidden, leave, pass, press, requests, serve, settle, text, type_into, until,
};
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test]
async fn button_bears_the_promise_of_the_loader() {
    let _page = Page::open_with(r#"{"payText":"Hold €35.45"}"#, |_| {});
    settle().await;
    assert_eq!(text("pay"), "Hold €35.45");
}

#[wasm_bindgen_test]
async fn finished_session_shows_its_outcome_and_no_field() {
    let _page = Page::open_with(
        r#"{"state":{"state":"PAYMENT_COMPLETE","operation":{"orderId":"A1","operationId":"347074400000000001","operationType":"AUTHORIZATION","operationResult":"EXECUTED","operationTime":"2026-11-20T10:00:00.000Z"}}}"#,
        |_| {},
    );
    settle().await;
    assert!(text("panel").contains("Payment complete"));
    assert!(is_hidden("card"));
}

/// After a reload the refusal can be read, but it is no news, and the buyer may be typing.
#[wasm_bindgen_test]
async fn form_that_opens_after_a_refusal_announces_nothing_and_takes_no_focus() {
    let refused = r#"{"state":{"state":"CARD_DATA_COLLECTION","operation":{"orderId":"A1","operationId":"347074400000000001","operationType":"AUTHORIZATION","operationResult":"DECLINED","operationTime":"2026-11-20T10:00:00.000Z"}}}"#;
    let _page = Page::open_with(refused, |_| {});
    settle().await;
    assert!(text("message").contains("refused"), "{}", text("message"));
    assert_eq!(text("urgent"), "");
    assert_ne!(document().active_element().unwrap().id(), "CARD_NUMBER");
}

/// K11: approved, pending, declined, cancelled, failed, reversed or unknown; an unlisted one is unknown, never a success.
#[wasm_bindgen_test]
async fn result_of_unknown_spelling_is_never_a_success() {
    let page = Page::open_with(
        r#"{"state":{"state":"PAYMENT_COMPLETE","operation":{"orderId":"A1","operationId":"347074400000000001","operationType":"AUTHORIZATION","operationResult":"GRANTED","operationTime":"2026-11-20T10:00:00.000Z"}}}"#,
        |_| {},
    );
    let result = page.message("result").await;
    assert!(result.contains(r#""outcome":"unknown""#), "{result}");
    settle().await;
    assert!(text("panel").contains("We do not know yet"));
}

/// A form whose payment was refused for good, and whose page is asked for another session.
async fn retrying() -> Page {
    let page = Page::open_by(REFUSED_FOR_GOOD, r#"{"renew":true}"#, |_| {});
    settle().await;
    assert_eq!(text("press"), "Try again");
    press("press");
    let ask = page.message("ask").await;
    assert_eq!(ask, r#"{"type":"ask","what":"renew"}"#);
    page
}

/// K15: another session is another day, and the date on the card is held against that day.
#[wasm_bindgen_test]
async fn renewed_session_brings_its_own_date() {
    let page = retrying().await;
    let boot = r#"{"state":{"state":"CARD_DATA_COLLECTION"},"today":"2027-02-01"}"#;
    assert_eq!(page.renew(boot).await, r#"{"type":"reply","id":7}"#);
    settle().await;
    input("EXPIRATION_DATE").focus().unwrap();
    type_into("EXPIRATION_DATE", "0127");
    leave("EXPIRATION_DATE");
    settle().await;
    assert_eq!(text("EXPIRATION_DATE-note"), "This card has expired.");
}

/// The button that the buyer pressed is gone: the first field that misses something has the focus.
#[wasm_bindgen_test]
async fn buyer_who_tries_again_goes_on_in_the_first_field_to_fill() {
    let page = retrying().await;
    page.renew(r#"{"session":"next","state":{"state":"CARD_DATA_COLLECTION"}}"#)
        .await;
    settle().await;
    assert_eq!(focused(), "CARD_NUMBER");
}

/// A taken offer belongs to the card that was sent with it, also after a reload: the next card pays the session's sum.
#[wasm_bindgen_test]
async fn offer_that_was_taken_before_a_reload_ends_with_its_card() {
    let _page = Page::open_with(
        r#"{"state":{"state":"READY_FOR_PAYMENT"},"offer":{"amount":"3952","currency":"USD","minorDigits":2},"amountText":"$39.52","payText":"Pay $39.52"}"#,
        |_| {},
    );
    settle().await;
    assert_eq!(text("press"), "Pay $39.52");
    answer_all(
        200,
        r#"{"state":"CARD_DATA_COLLECTION","operation":{"orderId":"A1","operationId":"347074400000000001","operationType":"AUTHORIZATION","operationResult":"DECLINED","operationTime":"2026-11-20T10:00:00.000Z"},"sum":{"amount":"3545","currency":"EUR","minorDigits":2}}"#,
        &JsValue::UNDEFINED,
    );
    press("press");
    until(|| !is_hidden("card")).await;
    answer_nothing();
    assert_eq!(text("pay-label"), "Pay €35.45");
    assert!(text("promise").contains("€35.45"), "{}", text("promise"));
}

/// Requests to the gateway are for the session that took over.
#[wasm_bindgen_test]
async fn card_is_sent_in_the_session_that_took_over() {
    let page = retrying().await;
    page.renew(r#"{"session":"next","state":{"state":"CARD_DATA_COLLECTION"}}"#)
        .await;
    settle().await;
    type_into("CARD_NUMBER", "4761730000000003");
    type_into("EXPIRATION_DATE", "1230");
    type_into("SECURITY_CODE", "123");
    type_into("CARDHOLDER_NAME", "Anna Lee");
    page.command(r#"{"type":"confirm","id":8}"#);
    page.message("reply").await;
    settle().await;
    let requests = requests();
    let sent = requests
        .split(", ")
        .find(|line| line.contains("fe/build/text"));
    assert_eq!(sent, Some("/api/fe/build/text next"), "{requests}");
}

/// K29: the page brings a session with another sum, and what was typed stays.
#[wasm_bindgen_test]
async fn session_that_the_page_brings_takes_over_while_nothing_is_sent() {
    let page = Page::open_by("{}", "{}", |_| {});
    type_into("CARD_NUMBER", "4761730000000003");
    let boot = r#"{"session":"next","state":{"state":"CARD_DATA_COLLECTION"},"amount":"4000","amountText":"EUR 40"}"#;
    assert_eq!(page.renew(boot).await, r#"{"type":"reply","id":7}"#);
    settle().await;
    assert_eq!(text("pay-label"), "Pay €40.00");
    assert_eq!(input("CARD_NUMBER").value(), "4761 7300 0000 0003");
}

/// No other session takes the place of a payment that is over.
#[wasm_bindgen_test]
async fn session_does_not_take_over_from_an_outcome() {
    let approved = r#"{"state":{"state":"PAYMENT_COMPLETE","operation":{"orderId":"A1","operationId":"347074400000000001","operationType":"AUTHORIZATION","operationResult":"EXECUTED","operationTime":"2026-11-20T10:00:00.000Z"}}}"#;
    let page = Page::open_by(approved, r#"{"renew":true}"#, |_| {});
    settle().await;
    let reply = page
        .renew(r#"{"session":"next","state":{"state":"CARD_DATA_COLLECTION"}}"#)
        .await;
    assert!(reply.contains(r#""code":"wrong_state""#), "{reply}");
    assert_eq!(requests(), "", "its page is not even asked for");
    assert!(is_hidden("card"));
}

/// A session with other inputs can not take over, because there is no place for what was typed.
#[wasm_bindgen_test]
async fn session_with_other_inputs_does_not_take_over() {
    for boot in [
        r#"{"state":{"state":"CARD_DATA_COLLECTION"},"fields":["CARD_NUMBER"]}"#,
        r#"{"state":{"state":"CARD_DATA_COLLECTION"},"networks":["VISA"]}"#,
        r#"{"state":{"state":"CARD_DATA_COLLECTION"},"version":2}"#,
        r#"{"state":{"state":"CARD_DATA_COLLECTION"},"merchantOrigin":"https://other.example"}"#,
        r#"{"state":{"state":"NOT_OF_THIS_RELEASE"}}"#,
    ] {
        let page = retrying().await;
        let reply = page.renew(boot).await;
        assert!(
            reply.contains(r#""code":"session_rejected""#),
            "{boot}: {reply}"
        );
        settle().await;
        assert_eq!(text("title"), "Payment declined", "{boot}");
    }
}

#[wasm_bindgen_test]
async fn page_without_boot_data_does_not_take_over() {
    for html in [
        "",
        "<script type=\"application/json\" id=\"boot\">{</script>",
    ] {
        let page = retrying().await;
        serve(html);
        page.command(r#"{"type":"renew","id":7,"session":"next"}"#);
        let reply = page.message("reply").await;
        assert!(reply.contains(r#""code":"session_rejected""#), "{reply}");
    }
}

#[wasm_bindgen_test]
async fn page_that_has_no_other_session_ends_the_renewal() {
    let page = retrying().await;
    serve("");
    page.command(r#"{"type":"renew","id":7,"session":""}"#);
    let reply = page.message("reply").await;
    assert!(reply.contains(r#""code":"session_rejected""#), "{reply}");
    assert_eq!(requests(), "");
}

#[wasm_bindgen_test]
async fn session_that_asks_for_another_sum_says_so() {
    let page = retrying().await;
    let boot =
        r#"{"state":{"state":"CARD_DATA_COLLECTION"},"amount":"4000","amountText":"€40.00"}"#;
    page.renew(boot).await;
    settle().await;
    assert_eq!(text("message"), "The amount is now €40.00.");
}

/// Boot data of a session with so little time left that the buyer is warned.
const ENDING: &str = r#"{"state":{"state":"CARD_DATA_COLLECTION","secondsLeft":15}}"#;

#[wasm_bindgen_test]
async fn session_that_ends_soon_is_said_to_buyer_and_page() {
    serve("");
    let page = Page::open_with(ENDING, |_| {});
    let ask = page.message("ask").await;
    assert_eq!(ask, r#"{"type":"ask","what":"expiring","secondsLeft":15}"#);
    settle().await;
    assert!(!is_hidden("session-ends"));
    assert!(is_hidden("challenge-time-left"));
    assert_eq!(text("time-left"), "Time left: 0:15");
    assert_eq!(text("urgent"), "Time left: 0:15");
    press("stay");
    until(|| is_hidden("session-ends")).await;
    assert!(requests().starts_with("/api/build/state s"));
}

#[wasm_bindgen_test]
async fn session_with_time_enough_is_not_talked_about() {
    let boot = r#"{"state":{"state":"CARD_DATA_COLLECTION","secondsLeft":900}}"#;
    let _page = Page::open_with(boot, |_| {});
    settle().await;
    assert!(is_hidden("session-ends"));
}

/// The page does not load the script for the form's name between two keys.
#[wasm_bindgen_test]
async fn page_is_told_of_the_forms_name_once_nothing_is_typed_for_a_second() {
    document().set_title("Card payment");
    let page = Page::open();
    let heard = page.all_asks();
    for _ in 0..4 {
        pass(400).await;
        type_into("CARD_NUMBER", "4");
    }
    assert_eq!(*heard.borrow(), [""; 0]);
    pass(1_200).await;
    let named = r#"{"type":"ask","what":"title","title":"Card payment","diagnostics":true}"#;
    assert_eq!(*heard.borrow(), [named]);
    document().set_title("Kartenzahlung");
    page.command(r#"{"type":"update","id":1,"options":{"locale":"de"}}"#);
    pass(100).await;
    assert_eq!(heard.borrow().len(), 2, "another language names it anew");
    assert!(heard.borrow()[1].contains("Kartenzahlung"));
}

/// Boot data of a session whose challenge is open at this address.
fn challenged(address: &str) -> String {
    format!(
        r#"{{"state":{{"state":"REDIRECTED_TO_EXTERNAL_DOMAIN","url":"{address}","secondsLeft":300}}}}"#
    )
}

#[wasm_bindgen_test]
async fn issuers_page_holds_the_focus_and_shows_no_empty_document() {
    serve("");
    let page = Page::open_with(&challenged("about:blank"), |_| {});
    let ask = page.message("ask").await;
    assert_eq!(ask, r#"{"type":"ask","what":"challenge"}"#);
    settle().await;
    let nested = document().get_element_by_id("nested").unwrap();
    assert!(nested.has_attribute("data-empty"));
    assert!(is_hidden("challenge-away") && is_hidden("whole"));
    element("after-challenge").focus().unwrap();
    assert_eq!(focused(), "title");
    element("before-challenge").focus().unwrap();
    assert_eq!(focused(), "leave");
}

#[wasm_bindgen_test]
async fn issuers_page_may_have_the_whole_of_a_small_screen_while_it_is_open() {
    serve("");
    let root = document().document_element().unwrap();
    let page = Page::open_with(&challenged("/threeds/challenge/abc"), |_| {});
    page.message("ask").await;
    page.command(r#"{"type":"cover","id":0}"#);
    pass(50).await;
    assert!(root.has_attribute("data-full"));
    press("leave");
    assert_eq!(
        page.message("ask").await,
        r#"{"type":"ask","what":"uncover"}"#
    );
    assert!(!root.has_attribute("data-full"));
    page.command(r#"{"type":"cover","id":0}"#);
    pass(50).await;
    assert!(!root.has_attribute("data-full"), "only then");
}

#[wasm_bindgen_test]
async fn what_stands_in_the_issuers_place_and_is_not_the_issuers_is_taken_away() {
    serve("");
    let page = Page::open_with(&challenged("data:text/html,Enter your card"), |_| {});
    let error = page.message("error").await;
    assert!(error.contains(r#""code":"challenge_replaced""#), "{error}");
    settle().await;
    assert_eq!(document().query_selector("#nested iframe").unwrap(), None);
    assert!(!is_hidden("challenge-away") && !is_hidden("whole"));
    assert_eq!(
        text("urgent"),
        "Your bank's page cannot be shown here. Never enter card details in its place."
    );
}
