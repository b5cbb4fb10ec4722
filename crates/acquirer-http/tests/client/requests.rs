//! What the adapter is sent.

use super::approved;
use super::fake::{Adapter, Fault, Say, TestCard, authorization, follow_up, inquiry};
use payframe_money::Amount;
use payframe_payment_domain::wallet::Wallet;
use payframe_payment_ports::acquirer::{
    AcceptedOffer, Acquirer, AddressPart, AuthorizationRequest, AuthorizationResult,
    BillingAddress, BillingAddressFields, Exemption, FollowUpRequest, Instrument, NetworkToken,
    RequestedExemption, SecurityCodeData, TokenCryptogram,
};
use payframe_payment_ports::three_ds_server::DataShare;
use serde_json::{Value, json};

#[tokio::test]
async fn the_request_has_every_unit_and_is_signed() {
    let adapter = Adapter::start(approved(), Fault::None).await;
    let card = TestCard::approved();
    adapter
        .acquirer
        .authorize(&authorization("1", &card))
        .await
        .unwrap();
    let [request] = &adapter.requests()[..] else {
        panic!("one request");
    };
    assert_eq!(request.path, "/payframe/authorize");
    assert!(request.is_signed, "{:?}", request.path);
    assert_eq!(
        request.body,
        json!({
            "reference": "1", "terminalId": "55000001", "action": "PAY", "capture": "IMPLICIT",
            "amountMinor": 3545, "currency": "EUR", "minorDigits": 2,
            "card": {
                "number": "4761730000000003", "expiryMonth": 12, "expiryYear": 2040, "network": "VISA",
                "securityCodeStatus": "GIVEN", "securityCode": "123", "holderName": "Anna Rossi",
                "origin": "ENTERED", "initiator": "CARDHOLDER", "exemption": "NONE",
            },
        })
    );
}

#[tokio::test]
async fn the_billing_address_is_sent_as_far_as_it_was_asked_for() {
    let adapter = Adapter::start(approved(), Fault::None).await;
    let card = TestCard::approved();
    use BillingAddressFields::{Full, PostalCode};
    for (place, (asked, country, typed, expected)) in [
        (
            PostalCode,
            "US",
            ["", "", "", "", "95014"],
            json!({ "country": "US", "postalCode": "95014" }),
        ),
        (PostalCode, "AE", [""; 5], json!({ "country": "AE" })),
        (
            Full,
            "US",
            ["1 Loop", "", "Cupertino", "CA", "95014"],
            json!({ "country": "US", "line1": "1 Loop", "city": "Cupertino", "state": "CA", "postalCode": "95014" }),
        ),
        (
            Full,
            "DE",
            ["Weg 1", "Hof", "Berlin", "", "10115"],
            json!({ "country": "DE", "line1": "Weg 1", "line2": "Hof", "city": "Berlin", "postalCode": "10115" }),
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let texts = AddressPart::ALL.into_iter().zip(typed).collect();
        let address = BillingAddress::read(asked, country, &texts).unwrap();
        let mut request = authorization("1", &card);
        if let Instrument::Card(card) = &mut request.instrument {
            card.billing_address = Some(&address);
        }
        adapter.acquirer.authorize(&request).await.unwrap();
        let body = &adapter.requests()[place].body;
        assert_eq!(body["card"]["billingAddress"], expected);
    }
}

#[tokio::test]
async fn a_claimed_exemption_is_named() {
    let adapter = Adapter::start(approved(), Fault::None).await;
    let card = TestCard::approved();
    for (place, exemption) in RequestedExemption::ALL.into_iter().enumerate() {
        let mut request = authorization("1", &card);
        if let Instrument::Card(card) = &mut request.instrument {
            card.exemption = Exemption::Requested(exemption);
        }
        adapter.acquirer.authorize(&request).await.unwrap();
        let body = &adapter.requests()[place].body;
        assert_eq!(body["card"]["exemption"], exemption.code());
    }
}

#[tokio::test]
async fn data_that_was_only_shared_is_no_authentication() {
    let adapter = Adapter::start(approved(), Fault::None).await;
    let card = TestCard::approved();
    for (place, (eci, expected)) in [
        (
            Some("04"),
            json!({ "eci": "04", "dsTransactionId": "d5", "version": "2.2.0" }),
        ),
        (None, json!({ "dsTransactionId": "d5", "version": "2.2.0" })),
    ]
    .into_iter()
    .enumerate()
    {
        let shared = DataShare {
            eci: eci.map(str::to_owned),
            ds_transaction_id: String::from("d5"),
            version: "2.2.0",
        };
        let mut request = authorization("1", &card);
        if let Instrument::Card(card) = &mut request.instrument {
            card.data_share = Some(&shared);
        }
        adapter.acquirer.authorize(&request).await.unwrap();
        let body = &adapter.requests()[place].body;
        assert_eq!(body["card"]["dataShare"], expected);
        assert!(body["card"].get("authentication").is_none());
    }
    adapter
        .acquirer
        .authorize(&authorization("1", &card))
        .await
        .unwrap();
    let body = adapter.requests().pop().unwrap().body;
    assert!(body["card"].get("dataShare").is_none());
}

#[tokio::test]
async fn a_network_token_comes_with_its_cryptogram_if_it_has_one() {
    let adapter = Adapter::start(approved(), Fault::None).await;
    let card = TestCard::approved();
    for (place, (cryptogram, expected)) in [
        (
            TokenCryptogram::read("AAAA", Some("7")).ok(),
            json!({ "wallet": "APPLEPAY", "cryptogram": "AAAA", "eci": "07" }),
        ),
        (
            TokenCryptogram::read("AAAA", None).ok(),
            json!({ "wallet": "APPLEPAY", "cryptogram": "AAAA" }),
        ),
        (None, json!({ "wallet": "APPLEPAY" })),
    ]
    .into_iter()
    .enumerate()
    {
        let token = NetworkToken {
            wallet: Wallet::ApplePay,
            cryptogram,
        };
        let mut request = authorization("1", &card);
        if let Instrument::Card(card) = &mut request.instrument {
            card.network_token = Some(&token);
        }
        adapter.acquirer.authorize(&request).await.unwrap();
        let body = &adapter.requests()[place].body;
        assert_eq!(body["card"]["networkToken"], expected);
    }
}

#[tokio::test]
async fn follow_up_operations_and_inquiries_name_what_they_are_about() {
    let adapter = Adapter::start(approved(), Fault::None).await;
    let refunded = adapter.acquirer.follow_up(&follow_up("2", "1")).await;
    assert_eq!(refunded.unwrap().result, AuthorizationResult::Approved);
    let found = adapter.acquirer.inquire(&inquiry("1")).await.unwrap();
    assert_eq!(found.unwrap().result, AuthorizationResult::Approved);
    let bodies: Vec<_> = adapter
        .requests()
        .into_iter()
        .map(|request| request.body)
        .collect();
    assert_eq!(
        bodies,
        [
            json!({
                "reference": "2", "authorization": "1", "target": "1", "terminalId": "55000001", "operation": "REFUND",
                "amountMinor": 3545, "currency": "EUR", "minorDigits": 2,
            }),
            json!({ "reference": "1", "terminalId": "55000001" }),
        ]
    );
}

/// What the cardholder pays for this amount.
fn dollars(minor: u64) -> AcceptedOffer {
    let amount = Amount::from_minor(minor).unwrap();
    AcceptedOffer::of(amount, "EUR", "USD", "0.897085020").unwrap()
}

#[tokio::test]
async fn in_the_cards_own_currency_both_sums_are_named() {
    let charged = json!({ "amountMinor": 3952, "currency": "USD" });
    let say = Say::Outcome(json!({
        "result": "APPROVED", "responseCode": "000", "conversion": charged,
    }));
    let adapter = Adapter::start(say, Fault::None).await;
    let (card, offer) = (TestCard::approved(), dollars(3545));
    let request = AuthorizationRequest {
        conversion: Some(&offer),
        ..authorization("1", &card)
    };
    let paid = adapter.acquirer.authorize(&request).await.unwrap();
    assert_eq!(paid.result, AuthorizationResult::Approved);
    let refund = FollowUpRequest {
        conversion: Some(&offer),
        ..follow_up("2", "1")
    };
    let refunded = adapter.acquirer.follow_up(&refund).await.unwrap();
    assert_eq!(refunded.result, AuthorizationResult::Approved);
    for request in adapter.requests() {
        let sum = ["amountMinor", "currency"].map(|name| request.body[name].clone());
        assert_eq!(sum, [json!(3545), json!("EUR")]);
        let conversion = json!({
            "amountMinor": 3952, "currency": "USD", "minorDigits": 2, "exchangeRate": "0.897085020",
        });
        assert_eq!(request.body["conversion"], conversion);
    }
}

#[tokio::test]
async fn an_approval_without_the_conversion_that_was_asked_for_is_no_answer() {
    let (card, offer) = (TestCard::approved(), dollars(3545));
    let outcome = async |members: Value| {
        let adapter = Adapter::start(Say::Outcome(members), Fault::None).await;
        let request = AuthorizationRequest {
            conversion: Some(&offer),
            ..authorization("1", &card)
        };
        adapter.acquirer.authorize(&request).await
    };
    for charged in [
        None,
        Some(json!({ "amountMinor": 3951, "currency": "USD" })),
        Some(json!({ "amountMinor": 3952, "currency": "GBP" })),
        Some(json!({ "amountMinor": 3545, "currency": "EUR" })),
    ] {
        let mut members = json!({ "result": "APPROVED", "responseCode": "000" });
        if let Some(charged) = charged {
            members["conversion"] = charged;
        }
        let problem = outcome(members).await.unwrap_err().to_string();
        assert!(problem.contains("without the conversion"), "{problem}");
    }
    // To refuse, an adapter need not know the member.
    let refused = outcome(json!({ "result": "FAILED", "responseCode": "904" })).await;
    assert_eq!(refused.unwrap().result, AuthorizationResult::Failed);
}

#[tokio::test]
async fn a_code_that_was_lost_or_not_given_is_said() {
    let adapter = Adapter::start(approved(), Fault::None).await;
    let card = TestCard::approved();
    for (code, expected) in [
        (SecurityCodeData::Lost, "LOST"),
        (SecurityCodeData::NotGiven, "NOT_GIVEN"),
    ] {
        let mut request = authorization(expected, &card);
        if let Instrument::Card(card) = &mut request.instrument {
            card.security_code = code;
        }
        adapter.acquirer.authorize(&request).await.unwrap();
        let request = adapter.requests().pop().unwrap();
        assert_eq!(request.body["card"]["securityCodeStatus"], expected);
        assert!(request.body["card"].get("securityCode").is_none());
    }
}
