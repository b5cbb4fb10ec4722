//! The acquirer against a host in this process, with TLS: whom it trusts, what it answers, and what a message without an answer leads to.
//!
//! The dialect is shared with the host, so these tests say nothing about bytes: `counterparts` does.

// This file has only tests: a panic fails the test.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use payframe_acquirer_iso8583::dialect::Dialect;
use payframe_acquirer_iso8583::message::Message;
use payframe_acquirer_iso8583::{IsoAcquirer, IsoMembers, IsoSettings, PlainTcp, codec};
use payframe_card_rules::expiry::Expiry;
use payframe_card_rules::network::Network;
use payframe_card_rules::secret::Secret;
use payframe_money::Amount;
use payframe_payment_domain::operation::ActionType;
use payframe_payment_ports::Clock;
use payframe_payment_ports::acquirer::{
    Acquirer, AcquirerError, AuthorizationRequest, AuthorizationResponse, AuthorizationResult,
    Capture, CardAuthorization, CardOrigin, DeclineReason, Exemption, Initiator, Instrument,
    SecurityCodeData,
};
use payframe_payment_ports::three_ds_server::DataShare;
use payframe_storage::{StorageSettings, Store};
use payframe_vault::{HashingKeys, Keyring, KeyringVault};
use rcgen::CertifiedKey;
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;
use zeroize::Zeroizing;

const DIALECT: &str = include_str!("../dialects/1987-ascii.toml");

/// What the host does with a message.
type Rule = fn(&Message) -> Reply;

enum Reply {
    /// It answers with these fields, besides those that it repeats.
    Fields(Vec<(u8, &'static str)>),
    Nothing,
    /// It closes the connection.
    HangsUp,
    /// The sign-on is refused. All others are accepted.
    NoSignOn,
}

/// The messages that the host got: the number of the connection, and the type.
type Heard = Arc<Mutex<Vec<(usize, String)>>>;

struct Bench {
    acquirer: IsoAcquirer,
    clock: Clock,
    heard: Heard,
    _folder: tempfile::TempDir,
}

impl Bench {
    /// `trusts`: whether the gateway knows the host's certificate.
    async fn start(rule: Rule, trusts: bool) -> Bench {
        Bench::start_with(rule, trusts, 1).await
    }

    /// Both connections to the host are signed on, and it has heard nothing else.
    async fn with_two_connections(rule: Rule) -> Bench {
        let bench = Bench::start_with(rule, true, 2).await;
        let mut used = HashSet::new();
        for number in 0..500 {
            bench.pay(&format!("try {number}")).await.unwrap();
            let heard = std::mem::take(&mut *bench.heard.lock().unwrap());
            let payments = heard.iter().filter(|(_, of)| of == "0200");
            used.extend(payments.map(|(connection, _)| *connection));
            if used.len() == 2 {
                return bench;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("only one connection is used");
    }

    async fn start_with(rule: Rule, trusts: bool, connections: usize) -> Bench {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        let certificate =
            || rcgen::generate_simple_self_signed([String::from("localhost")]).unwrap();
        let (known, other) = (certificate(), certificate());
        let trusted = if trusts { &known } else { &other };
        std::fs::write(path.join("ca.pem"), trusted.cert.pem()).unwrap();
        std::fs::write(path.join("dialect.toml"), DIALECT).unwrap();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let port = listen(known, rule, heard.clone()).await;
        let members: IsoMembers = toml::from_str(&format!(
            "host = 'localhost'\nport = {port}\nca_file = 'ca.pem'\ndialect_file = 'dialect.toml'\n\
             acquirer_id = '123456'\nmerchant_id = 'MERCHANT1'\nconnections = {connections}\nconnect_seconds = 1"
        ))
        .unwrap();
        let settings = IsoSettings::read("bank", members, path, PlainTcp::Refused).unwrap();
        let settings = settings.with_limits(ANSWER_LIMIT, Duration::from_secs(60));
        let storage = StorageSettings {
            folder: path.to_owned(),
            server_url: None,
        };
        let store = Store::open(&storage).await.unwrap();
        let keyring = Keyring::open(None, None, path.join("vault.key")).unwrap();
        let vault = KeyringVault::new(keyring, HashingKeys::random().unwrap());
        let clock = Clock::manual(NOW_MS);
        Bench {
            acquirer: IsoAcquirer::connect(settings, store, Arc::new(vault), clock.clone()),
            clock,
            heard,
            _folder: folder,
        }
    }

    async fn pay(&self, reference: &str) -> Result<AuthorizationResponse, AcquirerError> {
        self.pay_with(reference, 3545, None).await
    }

    async fn pay_amount(
        &self,
        reference: &str,
        minor: u64,
    ) -> Result<AuthorizationResponse, AcquirerError> {
        self.pay_with(reference, minor, None).await
    }

    async fn pay_with(
        &self,
        reference: &str,
        minor: u64,
        data_share: Option<&DataShare>,
    ) -> Result<AuthorizationResponse, AcquirerError> {
        let number = Secret::new(String::from(NUMBER));
        let request = AuthorizationRequest {
            reference,
            terminal_id: "55000001",
            action: ActionType::Pay,
            capture: Capture::Implicit,
            amount: Amount::from_minor(minor).unwrap(),
            currency: "EUR",
            instrument: Instrument::Card(CardAuthorization {
                number: &number,
                expiry: Expiry::parse_shape("1240").unwrap(),
                network: Network::Visa,
                security_code: SecurityCodeData::NotGiven,
                holder_name: None,
                holder_email: None,
                billing_address: None,
                origin: CardOrigin::Entered,
                initiator: Initiator::Cardholder,
                first_scheme_id: None,
                authentication: None,
                data_share,
                exemption: Exemption::None,
            }),
        };
        self.acquirer.authorize(&request).await
    }

    /// The types of the messages that the host got.
    fn heard(&self) -> Vec<String> {
        let heard = self.heard.lock().unwrap();
        heard.iter().map(|(_, of)| of.clone()).collect()
    }

    /// The connections of the messages that the host got, and their types, without those of network management.
    fn heard_on(&self) -> Vec<(usize, String)> {
        let heard = self.heard.lock().unwrap();
        heard
            .iter()
            .filter(|(_, of)| of != "0800")
            .cloned()
            .collect()
    }
}

/// A host with this certificate. Returns its port.
async fn listen(key: CertifiedKey<rcgen::KeyPair>, rule: Rule, heard: Heard) -> u16 {
    let private = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.signing_key.serialize_der()));
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![key.cert.der().clone()], private)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind(("localhost", 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        let mut connection = 0;
        while let Ok((stream, _)) = listener.accept().await {
            // A gateway that does not trust the certificate ends the connection.
            let Ok(stream) = acceptor.accept(stream).await else {
                continue;
            };
            tokio::spawn(converse(stream, connection, rule, heard.clone()));
            connection += 1;
        }
    });
    port
}

async fn converse(mut stream: TlsStream<TcpStream>, connection: usize, rule: Rule, heard: Heard) {
    let dialect = Dialect::parse(DIALECT).unwrap();
    while let Ok(bytes) = dialect.framing.read(&mut stream).await {
        let message = codec::decode(&dialect.layout, &bytes).unwrap();
        let type_heard = message.message_type.clone();
        heard.lock().unwrap().push((connection, type_heard));
        let reply = match message.message_type.as_str() {
            "0800" => match rule(&message) {
                Reply::NoSignOn => Reply::Fields(vec![(39, "05")]),
                _ => approval(),
            },
            _ => rule(&message),
        };
        let fields = match reply {
            Reply::Fields(fields) => fields,
            Reply::Nothing | Reply::NoSignOn => continue,
            Reply::HangsUp => return,
        };
        let bytes = codec::encode(&dialect.layout, &answer_to(&message, fields)).unwrap();
        let framed = dialect.framing.frame(&bytes).unwrap();
        stream.write_all(&framed).await.unwrap();
    }
}

fn approval() -> Reply {
    Reply::Fields(vec![(39, "00")])
}

fn answer_to(message: &Message, fields: Vec<(u8, &'static str)>) -> Message {
    let answer_type = match message.message_type.as_str() {
        "0800" => "0810",
        "0200" => "0210",
        _ => "0410",
    };
    let mut answer = Message::new(answer_type);
    for number in [4, 11, 37, 41] {
        if let Some(value) = message.field(number) {
            answer.put(number, Zeroizing::new(value.to_owned()));
        }
    }
    for (number, value) in fields {
        answer.put(number, Zeroizing::new(value.to_owned()));
    }
    answer
}

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
    let paid = bench.pay_with("1", 3545, Some(&shared)).await.unwrap();
    assert_eq!(paid.result, AuthorizationResult::Approved);
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

const SILENT: u64 = 100;
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

/// 2026-11-20T10:00:00Z
const NOW_MS: i64 = 1_795_168_800_000;
const ANSWER_LIMIT: Duration = Duration::from_secs(1);
const NUMBER: &str = "4761730000000003";
