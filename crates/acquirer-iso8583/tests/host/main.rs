//! The acquirer against a host in this process, with TLS: whom it trusts, what it answers, and what a message without an answer leads to.
//!
//! The dialect is shared with the host, so these tests say nothing about bytes: `counterparts` does.

// This file has only tests: a panic fails the test.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod bench;

use bench::{ANSWER_LIMIT, Bench, DIALECT, Evidence, NUMBER, Reply, SILENT, approval};
use payframe_acquirer_iso8583::message::Message;
use payframe_money::Amount;
use payframe_payment_domain::wallet::Wallet;
use payframe_payment_ports::acquirer::{
    AcceptedOffer, Acquirer, AcquirerError, AuthorizationResult, DeclineReason, NetworkToken,
    TokenCryptogram,
};
use payframe_payment_ports::three_ds_server::DataShare;
use std::sync::atomic::{AtomicBool, Ordering};

#[tokio::test]
async fn over_tls_a_payment_is_approved_once() {
    let bench = Bench::start(|_| Reply::Fields(vec![(38, "123456"), (39, "00")]), true).await;
    let paid = bench.pay("1").await.unwrap();
    assert_eq!(paid.result, AuthorizationResult::Approved);
    assert_eq!(paid.approval.as_ref().unwrap().authorization_code, "123456");
    assert_eq!(bench.pay("1").await.unwrap(), paid);
    assert_eq!(bench.heard(), ["0800", "0200"]);
}

#[tokio::test]
async fn a_decline_for_want_of_an_authentication_has_its_reason_in_every_answer() {
    let bench = Bench::start(
        |message| match message.message_type.as_str() {
            "0200" => Reply::Fields(vec![(39, "1A")]),
            _ => approval(),
        },
        true,
    );
    let bench = bench.await;
    let declined = bench.pay("1").await.unwrap();
    assert_eq!(declined.result, AuthorizationResult::Declined);
    assert_eq!(declined.response_code, "100");
    let demanded = Some(DeclineReason::AuthenticationRequired);
    assert_eq!(declined.decline_reason, demanded);
    assert_eq!(bench.pay("1").await.unwrap(), declined);
    assert_eq!(bench.heard(), ["0800", "0200"], "nothing is reversed");
}

#[tokio::test]
async fn data_that_was_only_shared_has_its_indicator_and_no_proof() {
    let bench = Bench::start(
        |message| match (message.message_type.as_str(), message.field(48)) {
            // Element 42 alone: no authentication value, no exemption.
            ("0200", said) if said != Some("420204") => Reply::Fields(vec![(39, "05")]),
            _ => approval(),
        },
        true,
    );
    let bench = bench.await;
    let shared = DataShare {
        eci: Some(String::from("04")),
        ds_transaction_id: String::from("d5d5d5d5-0000-4000-8000-00000000d5d5"),
        version: "2.2.0",
    };
    let evidence = Evidence {
        data_share: Some(&shared),
        ..Evidence::default()
    };
    let paid = bench.pay_with("1", 3545, evidence).await.unwrap();
    assert_eq!(paid.result, AuthorizationResult::Approved);
}

#[tokio::test]
async fn a_network_token_has_its_cryptogram_and_the_wallets_indicator() {
    let bench = Bench::start(
        |message| match (message.message_type.as_str(), message.field(48)) {
            ("0200", said) if said != Some("4202074304AAAA") => Reply::Fields(vec![(39, "05")]),
            _ => approval(),
        },
        true,
    );
    let bench = bench.await;
    let token = NetworkToken {
        wallet: Wallet::ApplePay,
        cryptogram: TokenCryptogram::read("AAAA", Some("7")).ok(),
    };
    let evidence = Evidence {
        network_token: Some(&token),
        ..Evidence::default()
    };
    let paid = bench.pay_with("1", 3545, evidence).await.unwrap();
    assert_eq!(paid.result, AuthorizationResult::Approved);
}

#[tokio::test]
async fn a_host_whose_messages_have_no_place_for_a_cryptogram_is_not_asked() {
    let element = ", \"43{token_cryptogram_length}{token_cryptogram}\"";
    let dialect = DIALECT.replace(element, "");
    let bench = Bench::speaking(&dialect, |_| approval(), true, 1).await;
    for (reference, cryptogram, expected) in [
        ("1", Some("AAAA"), AuthorizationResult::Failed),
        // A later payment of an agreement has none.
        ("2", None, AuthorizationResult::Approved),
    ] {
        let token = NetworkToken {
            wallet: Wallet::GooglePay,
            cryptogram: cryptogram.and_then(|value| TokenCryptogram::read(value, None).ok()),
        };
        let evidence = Evidence {
            network_token: Some(&token),
            ..Evidence::default()
        };
        let paid = bench.pay_with(reference, 3545, evidence).await.unwrap();
        assert_eq!(paid.result, expected);
    }
    assert_eq!(bench.heard(), ["0800", "0200"]);
}

/// Whether a message names both sums of 35.45 EUR that are paid as 39.52 USD.
fn names_both_sums(message: &Message) -> bool {
    [4, 49, 54].map(|number| message.field(number))
        == [
            Some("000000003952"),
            Some("840"),
            Some("0058978D000000003545"),
        ]
}

fn dollars() -> AcceptedOffer {
    let amount = Amount::from_minor(3545).unwrap();
    AcceptedOffer::of(amount, "EUR", "USD", "0.897085020").unwrap()
}

#[tokio::test]
async fn in_the_cards_own_currency_the_cardholders_sum_is_that_of_the_transaction() {
    let bench = Bench::start(
        |message| match message.message_type.as_str() {
            "0200" if !names_both_sums(message) => Reply::Fields(vec![(39, "05")]),
            _ => approval(),
        },
        true,
    );
    let bench = bench.await;
    assert!(bench.acquirer.converts());
    let offer = dollars();
    let evidence = Evidence {
        conversion: Some(&offer),
        ..Evidence::default()
    };
    let paid = bench.pay_with("1", 3545, evidence).await.unwrap();
    assert_eq!(paid.result, AuthorizationResult::Approved);
    // A payment in the order's currency names one sum.
    let paid = bench.pay("2").await.unwrap();
    assert_eq!(paid.result, AuthorizationResult::Declined);
}

#[tokio::test]
async fn the_reversal_of_a_converted_payment_names_the_same_sums() {
    let bench = Bench::start(
        |message| match message.message_type.as_str() {
            "0200" => Reply::Nothing,
            "0400" if !names_both_sums(message) => Reply::Fields(vec![(39, "12")]),
            _ => approval(),
        },
        true,
    );
    let bench = bench.await;
    let offer = dollars();
    let evidence = Evidence {
        conversion: Some(&offer),
        ..Evidence::default()
    };
    let paid = bench.pay_with("1", 3545, evidence).await.unwrap();
    assert_eq!(paid.result, AuthorizationResult::Failed, "it is reversed");
    assert_eq!(bench.heard(), ["0800", "0200", "0400"]);
}

#[tokio::test]
async fn a_host_whose_messages_have_no_place_for_the_merchants_sum_is_not_asked_to_convert() {
    let field = "54 = \"0058{merchant_currency}D{merchant_amount}\"\n";
    assert!(DIALECT.contains(field));
    let dialect = DIALECT.replace(field, "");
    let bench = Bench::speaking(&dialect, |_| approval(), true, 1).await;
    assert!(!bench.acquirer.converts());
    let offer = dollars();
    let evidence = Evidence {
        conversion: Some(&offer),
        ..Evidence::default()
    };
    let paid = bench.pay_with("1", 3545, evidence).await.unwrap();
    assert_eq!(paid.result, AuthorizationResult::Failed);
    assert_eq!(paid.response_code, "904");
    let paid = bench.pay("2").await.unwrap();
    assert_eq!(paid.result, AuthorizationResult::Approved);
    assert_eq!(bench.heard(), ["0800", "0200"]);
}

#[tokio::test]
async fn a_host_with_another_certificate_gets_nothing() {
    let bench = Bench::start(|_| approval(), false).await;
    let problem = bench.pay("1").await.unwrap_err();
    assert!(matches!(problem, AcquirerError::NotSent(_)), "{problem}");
    let said = problem.to_string();
    assert!(said.contains("bank: no connection is signed on"), "{said}");
    assert!(bench.heard().is_empty());
}

#[tokio::test]
async fn a_host_that_refuses_the_sign_on_is_sent_no_payment() {
    let bench = Bench::start(|_| Reply::NoSignOn, true).await;
    let problem = bench.pay("1").await.unwrap_err();
    assert!(matches!(problem, AcquirerError::NotSent(_)), "{problem}");
    let heard = bench.heard();
    assert!(heard.iter().all(|one| one == "0800"), "{heard:?}");
    assert!(!heard.is_empty());
}

#[tokio::test]
async fn what_was_sent_once_is_never_called_unsent() {
    static SIGNED_ON: AtomicBool = AtomicBool::new(false);
    let bench = Bench::start(
        |message| match message.message_type.as_str() {
            "0800" if SIGNED_ON.swap(true, Ordering::Relaxed) => Reply::NoSignOn,
            _ => Reply::HangsUp,
        },
        true,
    );
    let bench = bench.await;
    for _ in 0..2 {
        let problem = bench.pay("1").await.unwrap_err();
        assert!(matches!(problem, AcquirerError::NoAnswer(_)), "{problem}");
    }
    // Nothing of this one was sent.
    let problem = bench.pay("2").await.unwrap_err();
    assert!(matches!(problem, AcquirerError::NotSent(_)), "{problem}");
}

#[tokio::test]
async fn an_approval_of_another_amount_or_terminal_is_not_booked() {
    let less = Bench::start(
        |message| {
            let amount = if message.message_type == "0200" {
                "3544"
            } else {
                "3545"
            };
            Reply::Fields(vec![(4, amount), (39, "00")])
        },
        true,
    );
    let less = less.await;
    let declined = less.pay("1").await.unwrap();
    assert_eq!(declined.result, AuthorizationResult::Declined);
    assert_eq!(less.heard(), ["0800", "0200", "0400"]);
    let other = Bench::start(
        |message| match message.message_type.as_str() {
            "0200" => Reply::Fields(vec![(41, "55000002"), (39, "00")]),
            _ => approval(),
        },
        true,
    );
    let other = other.await;
    let failed = other.pay("1").await.unwrap();
    assert_eq!(failed.result, AuthorizationResult::Failed);
    assert_eq!(other.heard(), ["0800", "0200", "0400"]);
    assert_eq!(other.acquirer.late_answers(), 1);
}

#[tokio::test]
async fn a_reversal_that_the_host_refuses_is_sent_again_and_no_error_shows_the_card() {
    let bench = Bench::start(
        |message| match message.message_type.as_str() {
            "0200" => Reply::Nothing,
            "0400" => Reply::Fields(vec![(39, "96")]),
            _ => Reply::Fields(vec![(39, "00")]),
        },
        true,
    );
    let bench = bench.await;
    let unknown = bench.pay("1").await.unwrap_err();
    assert!(matches!(unknown, AcquirerError::Unreadable(_)), "{unknown}");
    let said = format!("{unknown} {unknown:?}");
    assert!(said.contains("the reversal is not acknowledged"), "{said}");
    assert!(!said.contains(NUMBER), "{said}");
    let failed = bench.pay("1").await.unwrap();
    assert_eq!(failed.result, AuthorizationResult::Failed);
    assert_eq!(bench.heard(), ["0800", "0200", "0400", "0401"]);
}

/// By the amount of a payment: silent, closed, or approved. Everything else is approved.
fn by_amount(message: &Message) -> Reply {
    let amount = message.field(4).and_then(|text| text.parse().ok());
    match (message.message_type.as_str(), amount) {
        ("0200", Some(SILENT)) => Reply::Nothing,
        ("0200", Some(CLOSED)) => Reply::HangsUp,
        _ => approval(),
    }
}

const CLOSED: u64 = 200;

#[tokio::test]
async fn a_reversal_follows_its_message_on_the_same_connection() {
    let bench = Bench::with_two_connections(by_amount).await;
    for reference in ["1", "2"] {
        let failed = bench.pay_amount(reference, SILENT).await.unwrap();
        assert_eq!(failed.result, AuthorizationResult::Failed);
    }
    let heard = bench.heard_on();
    let [(first, _), _, (second, _), _] = heard.as_slice() else {
        panic!("{heard:?}");
    };
    assert_ne!(first, second, "the payments are on both connections");
    let on = |connection: &usize, of: &str| (*connection, of.to_owned());
    assert_eq!(
        heard,
        [
            on(first, "0200"),
            on(first, "0400"),
            on(second, "0200"),
            on(second, "0400"),
        ]
    );
}

#[tokio::test]
async fn a_reversal_takes_another_connection_if_that_of_its_message_is_closed() {
    let bench = Bench::with_two_connections(by_amount).await;
    let failed = bench.pay_amount("1", CLOSED).await.unwrap();
    assert_eq!(failed.result, AuthorizationResult::Failed);
    let heard = bench.heard_on();
    let [(closed, message), (other, reversal)] = heard.as_slice() else {
        panic!("{heard:?}");
    };
    assert_eq!((message.as_str(), reversal.as_str()), ("0200", "0400"));
    assert_ne!(closed, other);
}

/// A message whose connection ended may be read after its reversal, which came on another connection.
#[tokio::test]
async fn a_host_that_knows_nothing_of_a_message_is_asked_again_until_it_can_not_be_under_way() {
    let bench = Bench::with_two_connections(|message| match message.message_type.as_str() {
        "0400" | "0401" => Reply::Fields(vec![(39, "25")]),
        _ => by_amount(message),
    });
    let bench = bench.await;
    for _ in 0..2 {
        let unknown = bench.pay_amount("1", CLOSED).await.unwrap_err();
        let said = unknown.to_string();
        assert!(said.contains("the reversal is not acknowledged"), "{said}");
    }
    bench.clock.advance(ANSWER_LIMIT * 2);
    let failed = bench.pay_amount("1", CLOSED).await.unwrap();
    assert_eq!(failed.result, AuthorizationResult::Failed);
    let heard: Vec<_> = bench.heard_on().into_iter().map(|(_, of)| of).collect();
    assert_eq!(heard, ["0200", "0400", "0401", "0401"]);
}

#[tokio::test]
async fn on_the_connection_of_its_message_a_reversal_may_find_nothing() {
    let bench = Bench::with_two_connections(|message| match message.message_type.as_str() {
        "0400" => Reply::Fields(vec![(39, "25")]),
        _ => by_amount(message),
    });
    let failed = bench.await.pay_amount("1", SILENT).await.unwrap();
    assert_eq!(failed.result, AuthorizationResult::Failed);
}
