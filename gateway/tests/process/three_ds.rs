//! 3-D Secure between three processes: a gateway, the sandbox's directory server, and its issuer.

mod device;
mod networks;

use self::device::Device;
pub(crate) use self::networks::Shop;
use self::networks::{Networks, issuer_ends_with_its_parent};
use rcgen::{CertifiedKey, generate_simple_self_signed};
use reqwest::{Certificate, Client, ClientBuilder, Identity};
use serde_json::{Value, json};

const PAID: &str = "PAYMENT_COMPLETE AUTHORIZATION/EXECUTED";
const REFUSED: &str = "CARD_DATA_COLLECTION AUTHORIZATION/THREEDS_FAILED";

/// What the form does in a challenge.
const CODE: &str = "answer=code&code=123456";
const WRONG_CODE: &str = "answer=code&code=654321";
const CANCEL: &str = "answer=cancel&code=";

#[test]
fn every_outcome_of_an_authentication_is_that_of_the_real_protocol() {
    let networks = Networks::start(&[]);
    let shop = Shop::open(&networks);
    for (number, answers, expected, secure) in [
        ("4761730000000003", &[][..], PAID, "FULL_SECURE"),
        ("5413330000000001", &[], PAID, "FULL_SECURE"),
        ("4111111111111111", &[], PAID, "FULL_SECURE"),
        ("4761730000003007", &[CODE], PAID, "FULL_SECURE"),
        ("5413330000003005", &[CODE], PAID, "FULL_SECURE"),
        (
            "4761730000003007",
            &["answer=approve&code="],
            PAID,
            "FULL_SECURE",
        ),
        ("4761730000003007", &[WRONG_CODE, CODE], PAID, "FULL_SECURE"),
        (
            "4761730000003007",
            &[WRONG_CODE, WRONG_CODE, WRONG_CODE],
            REFUSED,
            "",
        ),
        ("4761730000003007", &["answer=reject&code="], REFUSED, ""),
        ("5413330000003005", &[CANCEL], REFUSED, ""),
        ("4761730000003015", &[CODE], REFUSED, ""),
        ("4761730000003049", &[], PAID, "NOT_SECURE"),
        ("4761730000003056", &[], PAID, "NOT_SECURE"),
        ("4761730000003064", &[], REFUSED, ""),
        ("4761730000003072", &[], PAID, "ATTEMPTED"),
        (
            "4761730000003080",
            &[CODE],
            "CARD_DATA_COLLECTION AUTHORIZATION/DECLINED",
            "",
        ),
        // The issuer declines what it has not authenticated, and is asked again.
        ("4761730000003114", &[CODE], PAID, "FULL_SECURE"),
        ("4761730000003148", &[CODE], PAID, "FULL_SECURE"),
    ] {
        let paid = shop.pay(number, answers);
        assert_eq!(
            (paid.state.as_str(), paid.secure.as_str()),
            (expected, secure),
            "{number} {answers:?}"
        );
    }
}

/// The issuer asks in its app, and sends the result by itself: nobody has the page open.
#[test]
fn what_a_buyer_says_in_the_issuers_app_continues_the_payment() {
    const IN_APP: &str = "4761730000003155";
    for (options, number, expected, secure) in [
        (&[][..], IN_APP, PAID, "FULL_SECURE"),
        (&[], "5413330000003153", PAID, "FULL_SECURE"),
        (&["--misbehave", "doubled"], IN_APP, PAID, "FULL_SECURE"),
        (&["--misbehave", "contradicting"], IN_APP, REFUSED, ""),
    ] {
        let networks = Networks::start(options);
        let shop = Shop::open(&networks);
        let session = shop.begin(number);
        let page = shop.issuer_page(&session);
        assert!(page.contains("Sandbox bank: our app confirms"), "{page}");
        let paid = shop.ended(&session);
        assert_eq!(
            (paid.state.as_str(), paid.secure.as_str()),
            (expected, secure),
            "{number} {options:?}"
        );
    }
}

/// The issuer asks the buyer's device: what it has signed decides, and without it the issuer shows its page.
#[test]
fn an_issuer_asks_an_enrolled_device_and_checks_what_it_has_signed() {
    const NUMBERS: [&str; 2] = ["4761730000003148", "5413330000003146"];
    let networks = Networks::start(&[]);
    let shop = Shop::open(&networks);
    for number in NUMBERS {
        let session = shop.begin_able(number);
        assert!(shop.asked_of_device(&session).is_none(), "{number}");
        assert!(shop.challenge(&session, CODE).is_some());
        assert_eq!(shop.state(&session).state, PAID);
    }
    let device = Device::new(1);
    let said = device.enrol(&networks);
    assert_eq!(said, "This device may confirm payments now.");
    for number in NUMBERS {
        let session = shop.begin_able(number);
        let (address, asked) = shop.asked_of_device(&session).unwrap();
        // The credential is the issuer's, and the page is the gateway's.
        assert_eq!(asked["rpId"], "issuer.localhost");
        assert_eq!(asked["payeeOrigin"], "https://shop.example");
        assert_eq!(
            (&asked["value"], &asked["currency"]),
            (&"35.45".into(), &"EUR".into())
        );
        let signed = device.confirms(&asked, &shop.origin());
        shop.tell_outcome(&address, "CONFIRMED", &signed.to_string());
        let paid = shop.state(&session);
        assert_eq!(
            (paid.state.as_str(), paid.secure.as_str()),
            (PAID, "FULL_SECURE")
        );
    }
    // What was signed is another payment, another page asked, or nobody has enrolled the device.
    let session = shop.begin_able(NUMBERS[0]);
    let (_, former) = shop.asked_of_device(&session).unwrap();
    let wrong = [
        ("/value", json!("1.00")),
        ("/challenge", former["challenge"].clone()),
        ("/rpId", json!("localhost")),
    ];
    let refused = |confirms: &dyn Fn(&Value) -> Value| {
        let session = shop.begin_able(NUMBERS[0]);
        let (address, asked) = shop.asked_of_device(&session).unwrap();
        shop.tell_outcome(&address, "CONFIRMED", &confirms(&asked).to_string());
        assert_eq!(shop.state(&session).state, REFUSED);
    };
    for (place, value) in wrong {
        refused(&|asked| {
            let mut other = asked.clone();
            *other.pointer_mut(place).unwrap() = value.clone();
            device.confirms(&other, &shop.origin())
        });
    }
    refused(&|asked| device.confirms(asked, "http://issuer.localhost"));
    refused(&|asked| Device::new(2).confirms(asked, &shop.origin()));
    // The buyer wants another way, or the browser cannot.
    for outcome in ["CANCELLED", "NOT_COMPLETED", "TIMED_OUT"] {
        let session = shop.begin_able(NUMBERS[0]);
        let (address, _) = shop.asked_of_device(&session).unwrap();
        shop.tell_outcome(&address, outcome, "");
        assert!(shop.challenge(&session, CODE).is_some(), "{outcome}");
        assert_eq!(shop.state(&session).state, PAID, "{outcome}");
    }
    assert_eq!(shop.pay(NUMBERS[0], &[CODE]).state, PAID);
}

#[test]
fn a_challenge_without_an_end_and_a_silent_3ds_method_stop_nobody_else() {
    let networks = Networks::start(&[]);
    let shop = Shop::open(&networks);
    let waiting = shop.begin("4761730000003023");
    assert!(shop.challenge(&waiting, CODE).is_none());
    assert!(
        shop.state(&waiting)
            .state
            .starts_with("REDIRECTED_TO_EXTERNAL_DOMAIN")
    );
    assert_eq!(shop.method_of("4761730000003031"), None);
    assert!(
        shop.method_of("4761730000003098")
            .unwrap()
            .contains("data-delay-ms=\"5000\"")
    );
    assert_eq!(shop.pay("4761730000000003", &[]).state, PAID);
}

#[test]
fn an_issuer_that_breaks_the_rules_gets_no_payment_that_it_has_not_earned() {
    const CHALLENGED: &str = "4761730000003007";
    // The first result counts, a repetition is none, and a result of another transaction is no result.
    for (how, expected, heard) in [
        ("doubled", PAID, "\"said\":\"01\""),
        ("contradicting", REFUSED, "\"said\":\"03\""),
        ("wrong-transaction", PAID, "\"said\":\"301\""),
    ] {
        let networks = Networks::start(&["--misbehave", how]);
        let shop = Shop::open(&networks);
        assert_eq!(shop.pay(CHALLENGED, &[CODE]).state, expected, "{how}");
        let log = networks.log_of_acs();
        assert!(log.contains(heard), "{how}: {log}");
        assert!(!log.contains(CHALLENGED), "{how}");
    }
    // What the browser says counts for nothing.
    let networks = Networks::start(&["--misbehave", "no-result"]);
    let shop = Shop::open(&networks);
    let session = shop.begin(CHALLENGED);
    let back = shop.challenge(&session, CODE).unwrap();
    assert!(back.contains("http-equiv=\"refresh\""), "{back}");
    let state = shop.state(&session).state;
    assert!(
        state.starts_with("REDIRECTED_TO_EXTERNAL_DOMAIN"),
        "{state}"
    );
    // Without an answer that can be read, nobody is charged.
    for how in ["late", "malformed"] {
        let networks = Networks::start(&["--misbehave", how]);
        let shop = Shop::open(&networks);
        assert_eq!(
            shop.close_status(&shop.entered("4761730000000003")),
            500,
            "{how}"
        );
    }
}

#[test]
fn a_server_of_the_sandbox_ends_with_the_program_that_started_it() {
    assert!(issuer_ends_with_its_parent());
}

/// Sends an empty message like a client with this identity, which trusts the servers.
async fn reaches(url: &str, networks: &Networks, identity: Option<Identity>) -> bool {
    let authority = std::fs::read(networks.folder().join("ca.pem")).unwrap();
    let client: ClientBuilder = Client::builder()
        .no_proxy()
        .tls_built_in_root_certs(false)
        .add_root_certificate(Certificate::from_pem(&authority).unwrap());
    let client = match identity {
        Some(identity) => client.identity(identity),
        None => client,
    };
    let sent = client.build().unwrap().post(url).body("{}").send().await;
    sent.is_ok_and(|answer| answer.status() == 200)
}

#[tokio::test]
async fn nobody_is_answered_without_a_certificate_of_the_authority() {
    let networks = tokio::task::spawn_blocking(|| Networks::start(&[]))
        .await
        .unwrap();
    let file = |name: &str| std::fs::read(networks.folder().join(name)).unwrap();
    let right = [file("3ds-server.key"), file("3ds-server.pem")].concat();
    let CertifiedKey { cert, signing_key } =
        generate_simple_self_signed([String::from("localhost")]).unwrap();
    let foreign = format!("{}{}", signing_key.serialize_pem(), cert.pem());
    for url in [&networks.directory_server, &networks.acs] {
        let identity = |pem: &[u8]| Some(Identity::from_pem(pem).unwrap());
        assert!(reaches(url, &networks, identity(&right)).await, "{url}");
        assert!(!reaches(url, &networks, None).await, "{url}");
        let is_reached = reaches(url, &networks, identity(foreign.as_bytes())).await;
        assert!(!is_reached, "{url}");
    }
}
