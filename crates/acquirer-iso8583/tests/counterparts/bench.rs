//! A host that others wrote, the proxy before it, and the gateway's acquirer behind that.

use crate::proxy::{Proxy, Wire};
use payframe_acquirer_iso8583::examiner::{Subject, examine};
use payframe_acquirer_iso8583::{IsoAcquirer, IsoMembers, IsoSettings, PlainTcp};
use payframe_card_rules::expiry::Expiry;
use payframe_card_rules::network::Network;
use payframe_card_rules::secret::Secret;
use payframe_card_rules::security_code::SecurityCode;
use payframe_examiner::{Report, TestCards};
use payframe_money::Amount;
use payframe_payment_domain::operation::ActionType;
use payframe_payment_ports::Clock;
use payframe_payment_ports::acquirer::{
    Acquirer, AcquirerError, AuthorizationRequest, AuthorizationResponse, Capture,
    CardAuthorization, CardOrigin, Exemption, FollowUpOperation, FollowUpRequest, Initiator,
    Instrument, SecurityCodeData,
};
use payframe_storage::{StorageSettings, Store};
use payframe_vault::{HashingKeys, Keyring, KeyringVault};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

/// Which host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    /// The mock host of iso8583sim.
    Of1987,
    /// pyiso8583, with codes by iso8583sim.
    Of1993,
}

pub(crate) const BOTH: [Version; 2] = [Version::Of1987, Version::Of1993];

pub(crate) struct Bench {
    pub(crate) acquirer: IsoAcquirer,
    pub(crate) proxy: Proxy,
    version: Version,
    connections: usize,
    host: Host,
    store: Store,
    vault: Arc<KeyringVault>,
    pub(crate) clock: Clock,
    folder: tempfile::TempDir,
    card: TestCard,
}

struct TestCard {
    number: Secret,
    code: SecurityCode,
}

/// The process of the host. It ends with the test.
struct Host {
    port: u16,
    process: Child,
    ask: ChildStdin,
    says: BufReader<ChildStdout>,
}

/// The host's books.
#[derive(Debug, Deserialize)]
pub(crate) struct Books {
    /// By the number of the message.
    pub(crate) moves: BTreeMap<String, Move>,
    /// Type and number of every message, in order.
    pub(crate) messages: Vec<String>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub(crate) struct Move {
    pub(crate) kind: String,
    pub(crate) amount: u64,
    pub(crate) state: String,
    pub(crate) original: String,
    /// Of a network token, as the message had it.
    pub(crate) cryptogram: String,
    /// The number of the currency.
    pub(crate) currency: String,
    /// Additional amounts, as the message had them.
    pub(crate) additional: String,
}

impl Bench {
    /// With this many connections, and a clock that stands still.
    pub(crate) async fn start(version: Version, connections: usize) -> Bench {
        Bench::start_with(version, connections, "", Clock::manual(NOW_MS)).await
    }

    /// The same with a clock that runs: as the gateway has it.
    pub(crate) async fn start_with_time(version: Version, connections: usize) -> Bench {
        Bench::start_with(version, connections, "", Clock::system()).await
    }

    /// The same with a host that does something wrong.
    pub(crate) async fn start_with_fault(
        version: Version,
        connections: usize,
        fault: &str,
    ) -> Bench {
        Bench::start_with(version, connections, fault, Clock::manual(NOW_MS)).await
    }

    async fn start_with(version: Version, connections: usize, fault: &str, clock: Clock) -> Bench {
        let (host, wire) = match version {
            Version::Of1987 => (Host::start("1987", fault), Wire::Ascii),
            Version::Of1993 => (Host::start("1993", fault), Wire::Binary),
        };
        let proxy = Proxy::start(host.port, wire).await;
        let folder = tempfile::tempdir().unwrap();
        let storage = StorageSettings {
            folder: folder.path().to_owned(),
            server_url: None,
        };
        let store = Store::open(&storage).await.unwrap();
        let key_file = folder.path().join("vault.key");
        let keyring = Keyring::open(None, None, key_file).unwrap();
        let vault = Arc::new(KeyringVault::new(keyring, HashingKeys::random().unwrap()));
        let settings = settings(version, proxy.port, connections, folder.path());
        let acquirer = IsoAcquirer::connect(settings, store.clone(), vault.clone(), clock.clone());
        Bench {
            acquirer,
            proxy,
            version,
            connections,
            host,
            store,
            vault,
            clock,
            folder,
            card: TestCard {
                number: Secret::new(String::from("4761730000000003")),
                code: SecurityCode::parse("123", Some(Network::Visa))
                    .unwrap()
                    .unwrap(),
            },
        }
    }

    /// What the examiner says of the host. It reaches the host without the proxy.
    pub(crate) async fn examine(&self) -> Report {
        let folder = self.folder.path();
        let settings = settings(self.version, self.host.port, self.connections, folder);
        self.examine_with(settings).await
    }

    /// The same with messages that have no place for the cryptogram of a network token.
    pub(crate) async fn examine_without_cryptograms(&self) -> Report {
        let folder = self.folder.path();
        let dialect = std::fs::read_to_string(dialect_file(self.version)).unwrap();
        let element = ", \"43{token_cryptogram_length}{token_cryptogram}\"";
        assert!(dialect.contains(element));
        let file = folder.join("dialect.toml");
        std::fs::write(&file, dialect.replace(element, "")).unwrap();
        let (port, connections) = (self.host.port, self.connections);
        let file = file.display().to_string();
        let settings = settings_in(&file, self.version, port, connections, folder);
        self.examine_with(settings).await
    }

    async fn examine_with(&self, settings: IsoSettings) -> Report {
        let subject = Subject {
            name: "bank",
            test_cards: &TestCards {
                declined_amount: Some(1_051),
                partial: Some(String::from("4761730000000003")),
                partial_amount: Some(1_010),
                ..TestCards::of_sandbox()
            },
            connect: |clock: &Clock| {
                let (store, vault) = (self.store.clone(), self.vault.clone());
                IsoAcquirer::connect(settings.clone(), store, vault, clock.clone())
            },
        };
        examine(&subject).await
    }

    /// The same after the end of the process and a new start.
    pub(crate) fn restart(self) -> Bench {
        let settings = settings(
            self.version,
            self.proxy.port,
            self.connections,
            self.folder.path(),
        );
        let (store, vault) = (self.store.clone(), self.vault.clone());
        let acquirer = IsoAcquirer::connect(settings, store, vault, self.clock.clone());
        Bench { acquirer, ..self }
    }

    pub(crate) async fn authorize(
        &self,
        reference: &str,
        capture: Capture,
        minor: u64,
    ) -> Result<AuthorizationResponse, AcquirerError> {
        let request = AuthorizationRequest {
            reference,
            terminal_id: "55000001",
            action: ActionType::Pay,
            capture,
            amount: Amount::from_minor(minor).unwrap(),
            currency: "EUR",
            conversion: None,
            instrument: Instrument::Card(CardAuthorization {
                number: &self.card.number,
                network_token: None,
                expiry: Expiry::parse_shape("1240").unwrap(),
                network: Network::Visa,
                security_code: SecurityCodeData::Given(&self.card.code),
                holder_name: None,
                holder_email: None,
                billing_address: None,
                origin: CardOrigin::Entered,
                initiator: Initiator::Cardholder,
                first_scheme_id: None,
                authentication: None,
                data_share: None,
                exemption: Exemption::None,
            }),
        };
        self.acquirer.authorize(&request).await
    }

    pub(crate) async fn follow_up(
        &self,
        reference: &str,
        target: (&str, &str),
        operation: FollowUpOperation,
        minor: u64,
    ) -> Result<AuthorizationResponse, AcquirerError> {
        let request = FollowUpRequest {
            reference,
            authorization: target.0,
            target: target.1,
            terminal_id: "55000001",
            operation,
            amount: Amount::from_minor(minor).unwrap(),
            currency: "EUR",
            conversion: None,
        };
        self.acquirer.follow_up(&request).await
    }

    /// The host's books.
    pub(crate) fn books(&mut self) -> Books {
        self.host.ask.write_all(b"books\n").unwrap();
        serde_json::from_str(&self.host.line()).unwrap()
    }
}

fn dialect_file(version: Version) -> String {
    let name = match version {
        Version::Of1987 => "1987-ascii",
        Version::Of1993 => "1993-binary",
    };
    format!("{}/dialects/{name}.toml", env!("CARGO_MANIFEST_DIR"))
}

fn settings(version: Version, port: u16, connections: usize, folder: &Path) -> IsoSettings {
    settings_in(&dialect_file(version), version, port, connections, folder)
}

fn settings_in(
    dialect_file: &str,
    version: Version,
    port: u16,
    connections: usize,
    folder: &Path,
) -> IsoSettings {
    let mac = match version {
        Version::Of1987 => "",
        Version::Of1993 => "mac_key_file = 'mac.key'",
    };
    std::fs::write(folder.join("mac.key"), "0123456789ABCDEFFEDCBA9876543210\n").unwrap();
    let members: IsoMembers = toml::from_str(&format!(
        "host = '127.0.0.1'\nport = {port}\ntls = false\ndialect_file = '{dialect_file}'\n{mac}\n\
         acquirer_id = '123456'\nmerchant_id = 'MERCHANT1'\nmerchant_category = '5999'\nconnections = {connections}"
    ))
    .unwrap();
    let settings = IsoSettings::read("main", members, folder, PlainTcp::SameMachine).unwrap();
    settings.with_limits(ANSWER_LIMIT, Duration::from_secs(60))
}

impl Host {
    fn start(version: &str, fault: &str) -> Host {
        let python = std::env::var("PAYFRAME_COUNTERPARTS_PYTHON");
        let python = python.expect("cargo xtask counterparts says which Python has the hosts");
        let mut process = Command::new(python)
            .arg(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/tests/counterparts/host.py"
            ))
            .args([version, fault])
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (ask, says) = (
            process.stdin.take().unwrap(),
            process.stdout.take().unwrap(),
        );
        let mut host = Host {
            port: 0,
            process,
            ask,
            says: BufReader::new(says),
        };
        host.port = host.line().trim().parse().unwrap();
        host
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.says.read_line(&mut line).unwrap();
        line
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Long enough for a host on a busy machine.
pub(crate) const ANSWER_LIMIT: Duration = Duration::from_millis(1_500);

/// 2026-11-20T10:00:00Z, at which the gateway's clock stands.
const NOW_MS: i64 = 1_795_168_800_000;
