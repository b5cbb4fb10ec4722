//! Options, sums and bodies that are refused before anything is sent.

use crate::stage::{API_KEY, Stage, answer};
use payframe_server::{ErrorKind, Options, Payframe, Verb, money};
use serde_json::json;
use std::time::Duration;

const GATEWAY: &str = "https://gateway.example";

fn refuses(options: Options, member: &str) {
    let error = Payframe::with(options).unwrap_err();
    assert_eq!(
        (error.kind(), error.code(), error.member()),
        (ErrorKind::Caller, "bad_value", Some(member))
    );
    assert!(
        error.message().starts_with(&format!("{member} must be ")),
        "{error}"
    );
}

#[test]
fn an_option_that_is_wrong_is_named_with_what_is_accepted() {
    for api_key in ["", "two words", "line\nbreak", "kéy"] {
        refuses(Options::new(GATEWAY, api_key), "api_key");
    }
    for gateway in [
        "",
        "gateway.example",
        "ftp://gateway.example",
        "https://gateway.example/api",
        "https://gateway.example/?a",
        "https://gateway.example/?",
        "https://gateway.example#a",
        "https://a:b@gateway.example",
    ] {
        refuses(Options::new(gateway, API_KEY), "gateway");
    }
    for timeout in [Duration::ZERO, Duration::from_millis(600_001)] {
        refuses(Options::new(GATEWAY, API_KEY).timeout(timeout), "timeout");
    }
    refuses(
        Options::new(GATEWAY, API_KEY).max_retries(11),
        "max_retries",
    );
}

#[test]
fn the_api_key_is_sent_over_http_to_this_machine_only() {
    for gateway in [
        "http://gateway.example",
        "http://10.0.0.1",
        "http://localhost.example",
        "http://127.0.0.1.example",
        "http://0.0.0.0",
        "http://[::2]",
    ] {
        refuses(Options::new(gateway, API_KEY), "gateway");
    }
    for gateway in [
        "http://localhost:8080",
        "http://shop.localhost",
        "http://127.0.0.1:8080",
        "http://127.9.9.9",
        "http://[::1]:8080",
        "https://gateway.example/",
        "https://gateway.example:444",
        "HTTPS://Gateway.example",
    ] {
        assert!(Payframe::new(gateway, API_KEY).is_ok(), "{gateway}");
    }
}

#[tokio::test]
async fn a_client_shows_no_key_wherever_it_is_printed() {
    let stage = Stage::new(&[answer(&json!({}))]).await;
    let printed = [
        format!("{:?}", stage.payframe),
        format!("{:?}", stage.payframe.orders),
        format!("{:?}", stage.payframe.orders.read("A1")),
        format!("{:?}", stage.payframe.operations.void("1")),
        format!("{:?}", stage.payframe.events.since(None)),
        format!("{:?}", Options::new(GATEWAY, API_KEY)),
        Payframe::new(GATEWAY, "secret key")
            .unwrap_err()
            .to_string(),
    ];
    for text in printed {
        assert!(
            !text.contains(API_KEY) && !text.contains("secret key"),
            "{text}"
        );
    }
}

#[test]
fn sums_are_whole_numbers_in_the_minor_unit() {
    let sum = money(3545, "EUR").unwrap();
    assert_eq!(
        (sum.amount.as_str(), sum.currency.as_str()),
        ("3545", "EUR")
    );
    assert_eq!(money(0, "JPY").unwrap().amount, "0");
    assert_eq!(
        money(999_999_999_999, "EUR").unwrap().amount,
        "999999999999"
    );
    let too_many = money(1_000_000_000_000, "EUR").unwrap_err();
    assert_eq!(
        (too_many.code(), too_many.member()),
        ("bad_value", Some("amount_minor"))
    );
    for currency in ["eur", "EURO", "", "E R"] {
        assert_eq!(money(1, currency).unwrap_err().member(), Some("currency"));
    }
}

#[tokio::test]
async fn a_fraction_in_a_body_is_refused_before_anything_is_sent() {
    let stage = Stage::new(&[answer(&json!({}))]).await;
    for body in [
        json!({ "order": { "amount": 35.45 } }),
        json!({ "orders": [{ "amount": 1.0 }] }),
    ] {
        let call = stage
            .payframe
            .call(Verb::Post, "/orders/mit", &[], Some(&body));
        let error = call.await.unwrap_err();
        assert_eq!(
            (error.code(), error.member()),
            ("bad_value", Some("amount"))
        );
    }
    assert_eq!(stage.received(), []);
}
