//! The host, and the gateway's connection to it.

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
    AcceptedOffer, Acquirer, AcquirerError, AuthorizationRequest, AuthorizationResponse, Capture,
    CardAuthorization, CardOrigin, Exemption, Initiator, Instrument, NetworkToken,
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
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;
use zeroize::Zeroizing;

pub(crate) const DIALECT: &str = include_str!("../../dialects/1987-ascii.toml");

/// What the host does with a message.
pub(crate) type Rule = fn(&Message) -> Reply;

pub(crate) enum Reply {
    /// It answers with these fields, besides those that it repeats.
    Fields(Vec<(u8, &'static str)>),
    Nothing,
    /// It closes the connection.
    HangsUp,
    /// The sign-on is refused. All others are accepted.
    NoSignOn,
}

/// The messages that the host got: the number of the connection, and the type.
pub(crate) type Heard = Arc<Mutex<Vec<(usize, String)>>>;

pub(crate) struct Bench {
    pub(crate) acquirer: IsoAcquirer,
    pub(crate) clock: Clock,
    pub(crate) heard: Heard,
    _folder: tempfile::TempDir,
}

/// What a payment has besides its card.
#[derive(Default)]
pub(crate) struct Evidence<'a> {
    pub(crate) data_share: Option<&'a DataShare>,
    pub(crate) network_token: Option<&'a NetworkToken>,
    pub(crate) conversion: Option<&'a AcceptedOffer>,
}

impl Bench {
    /// `trusts`: whether the gateway knows the host's certificate.
    pub(crate) async fn start(rule: Rule, trusts: bool) -> Bench {
        Bench::start_with(rule, trusts, 1).await
    }

    /// Both connections to the host are signed on, and it has heard nothing else.
    pub(crate) async fn with_two_connections(rule: Rule) -> Bench {
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

    pub(crate) async fn start_with(rule: Rule, trusts: bool, connections: usize) -> Bench {
        Bench::speaking(DIALECT, rule, trusts, connections).await
    }

    pub(crate) async fn speaking(
        dialect: &str,
        rule: Rule,
        trusts: bool,
        connections: usize,
    ) -> Bench {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        let certificate =
            || rcgen::generate_simple_self_signed([String::from("localhost")]).unwrap();
        let (known, other) = (certificate(), certificate());
        let trusted = if trusts { &known } else { &other };
        std::fs::write(path.join("ca.pem"), trusted.cert.pem()).unwrap();
        std::fs::write(path.join("dialect.toml"), dialect).unwrap();
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

    pub(crate) async fn pay(
        &self,
        reference: &str,
    ) -> Result<AuthorizationResponse, AcquirerError> {
        self.pay_amount(reference, 3545).await
    }

    pub(crate) async fn pay_amount(
        &self,
        reference: &str,
        minor: u64,
    ) -> Result<AuthorizationResponse, AcquirerError> {
        self.pay_with(reference, minor, Evidence::default()).await
    }

    pub(crate) async fn pay_with(
        &self,
        reference: &str,
        minor: u64,
        evidence: Evidence<'_>,
    ) -> Result<AuthorizationResponse, AcquirerError> {
        let number = Secret::new(String::from(NUMBER));
        let request = AuthorizationRequest {
            reference,
            terminal_id: "55000001",
            action: ActionType::Pay,
            capture: Capture::Implicit,
            amount: Amount::from_minor(minor).unwrap(),
            currency: "EUR",
            conversion: evidence.conversion,
            instrument: Instrument::Card(CardAuthorization {
                number: &number,
                network_token: evidence.network_token,
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
                data_share: evidence.data_share,
                exemption: Exemption::None,
            }),
        };
        self.acquirer.authorize(&request).await
    }

    /// The types of the messages that the host got.
    pub(crate) fn heard(&self) -> Vec<String> {
        let heard = self.heard.lock().unwrap();
        heard.iter().map(|(_, of)| of.clone()).collect()
    }

    /// The connections of the messages that the host got, and their types, without those of network management.
    pub(crate) fn heard_on(&self) -> Vec<(usize, String)> {
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

pub(crate) fn approval() -> Reply {
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

pub(crate) const SILENT: u64 = 100;
/// 2026-11-20T10:00:00Z
pub(crate) const NOW_MS: i64 = 1_795_168_800_000;
pub(crate) const NUMBER: &str = "4761730000000003";

pub(crate) const ANSWER_LIMIT: Duration = Duration::from_secs(1);
