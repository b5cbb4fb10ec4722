//! A 3-D Secure server with tables of its own and a directory server that it asks.

use crate::counterpart::{Counterpart, LATER_PROOF};
use payframe_card_rules::expiry::Expiry;
use payframe_card_rules::network::Network;
use payframe_card_rules::secret::Secret;
use payframe_emv_3ds::{EmvThreeDsServer, ThreeDsFile};
use payframe_money::Amount;
use payframe_payment_domain::session::ChallengeReply;
use payframe_payment_ports::three_ds_server::{
    AddressPart, Authentication, AuthenticationRequest, AuthenticationResponse, BillingAddress,
    BillingAddressFields, BrowserData, ChallengePreference, ConfirmationOutcome,
    ConfirmationRequest, ConfirmationStatus, EvidenceRequest, ThreeDsServer, ThreeDsServerError,
};
use payframe_payment_ports::{Clock, Vault};
use payframe_storage::{StorageSettings, Store};
use payframe_vault::{HashingKeys, Keyring, KeyringVault};
use serde_json::Value;
use std::collections::HashSet;
use std::sync::Arc;

/// What the clock of the server says.
pub(crate) const NOW_MS: i64 = 1_795_168_800_000;

pub(crate) const NUMBER: &str = "4761730000000003";

pub(crate) const TERMINALS: &str = "[[terminal]]\nid = 'T1'\nmerchant_name = 'Shop'\nmerchant_url = 'https://shop.example'\n\
     merchant_category = '5411'\ncountry = '380'\nunauthenticated = 'pay'\n\
     [terminal.directory.visa]\nrequestor_id = 'R1'\nacquirer_bin = '400000'\nmerchant_id = 'M1'\n\
     [[terminal]]\nid = 'T2'\nmerchant_name = 'Strict shop'\nmerchant_url = 'https://strict.example'\n\
     merchant_category = '5411'\ncountry = '380'\n\
     [terminal.directory.visa]\nrequestor_id = 'R2'\nacquirer_bin = '400000'\nacquirer_country = '276'\nmerchant_id = 'M2'\n\
     [[terminal]]\nid = 'T4'\nmerchant_name = 'Patient shop'\nmerchant_url = 'https://patient.example'\n\
     merchant_category = '5411'\ncountry = '380'\nunauthenticated = 'pay'\ndecoupled_minutes = 10\n\
     [terminal.directory.visa]\nrequestor_id = 'R4'\nacquirer_bin = '400000'\nmerchant_id = 'M4'\n";

pub(crate) struct Bench {
    pub(crate) server: EmvThreeDsServer,
    pub(crate) directory: Counterpart,
    pub(crate) folder: tempfile::TempDir,
    pub(crate) store: Store,
    pub(crate) vault: Arc<KeyringVault>,
    pub(crate) clock: Clock,
}

/// A payment, with what differs between tests.
pub(crate) struct Payment<'a> {
    pub(crate) reference: &'a str,
    pub(crate) terminal: &'a str,
    pub(crate) number: &'a str,
    pub(crate) network: Network,
    pub(crate) check: Option<&'a str>,
    pub(crate) has_browser: bool,
    /// Whether the browser can ask the buyer's device.
    pub(crate) can_confirm: bool,
    pub(crate) has_waiting_page: bool,
    pub(crate) preference: ChallengePreference,
    /// Country and parts of a whole billing address.
    pub(crate) billing: (&'a str, [&'a str; 5]),
}

impl Default for Payment<'_> {
    fn default() -> Self {
        Payment {
            reference: "op1",
            terminal: "T1",
            number: NUMBER,
            network: Network::Visa,
            check: None,
            has_browser: true,
            can_confirm: false,
            has_waiting_page: true,
            preference: ChallengePreference::ChallengeRequested,
            billing: ("GB", ["10 Street", "Flat 2", "London", "", "sw1a1aa"]),
        }
    }
}

fn browser(can_confirm: bool) -> BrowserData {
    BrowserData {
        accept: String::from("text/html"),
        accept_language: String::from("it-IT, en;q=0.8"),
        user_agent: String::from("Mozilla/5.0"),
        ip: Some([192, 0, 2, 1].into()),
        language: String::from("it-IT"),
        has_javascript: true,
        has_java: false,
        color_depth: 30,
        screen_height: 900,
        screen_width: 1440,
        time_zone_minutes: -60,
        is_method_done: true,
        can_confirm,
    }
}

impl Bench {
    pub(crate) async fn start() -> Bench {
        let folder = tempfile::tempdir().unwrap();
        let directory = Counterpart::start(folder.path(), TERMINALS).await;
        let storage = StorageSettings {
            folder: folder.path().to_owned(),
            server_url: None,
        };
        let store = Store::open(&storage).await.unwrap();
        let keyring = Keyring::open(None, None, folder.path().join("vault.key")).unwrap();
        let vault = Arc::new(KeyringVault::new(keyring, HashingKeys::random().unwrap()));
        let clock = Clock::manual(NOW_MS);
        let server = connect(&folder, &store, &vault, &clock);
        Bench {
            server,
            directory,
            folder,
            store,
            vault,
            clock,
        }
    }

    /// The same tables in a new process.
    pub(crate) fn restart(&mut self) {
        self.server = connect(&self.folder, &self.store, &self.vault, &self.clock);
    }

    pub(crate) async fn pay(
        &self,
        payment: &Payment<'_>,
    ) -> Result<AuthenticationResponse, ThreeDsServerError> {
        self.with_request(payment, async |request| {
            self.server.authenticate(request).await
        })
        .await
    }

    /// Tells what came of a confirmation.
    pub(crate) async fn confirm(
        &self,
        payment: &Payment<'_>,
        outcome: &ConfirmationOutcome,
    ) -> Result<AuthenticationResponse, ThreeDsServerError> {
        self.with_request(payment, async |request| {
            let request = confirmed(request);
            self.server.confirm(&request, outcome).await
        })
        .await
    }

    /// How far a confirmation is.
    pub(crate) async fn confirmation(&self, payment: &Payment<'_>) -> ConfirmationStatus {
        self.with_request(payment, async |request| {
            let request = confirmed(request);
            self.server.confirmation(&request).await.unwrap()
        })
        .await
    }

    async fn with_request<T>(
        &self,
        payment: &Payment<'_>,
        ask: impl AsyncFnOnce(&AuthenticationRequest<'_>) -> T,
    ) -> T {
        let browser = browser(payment.can_confirm);
        let billing = BillingAddress::read(
            BillingAddressFields::Full,
            payment.billing.0,
            &AddressPart::ALL
                .into_iter()
                .zip(payment.billing.1)
                .collect(),
        )
        .ok();
        let request = AuthenticationRequest {
            reference: payment.reference,
            terminal_id: payment.terminal,
            number: &Secret::new(payment.number.to_owned()),
            network: payment.network,
            expiry: Expiry::parse_shape("1230").unwrap(),
            holder_name: Some(&Secret::new(String::from("Zoë Müller"))),
            holder_email: None,
            billing_address: billing.as_ref(),
            amount: Amount::from_minor(3545).unwrap(),
            currency: "EUR",
            challenge_preference: payment.preference,
            browser: payment.has_browser.then_some(&browser),
            has_waiting_page: payment.has_waiting_page,
            device_check: payment.check,
            notification_url: "https://pay.example/threeds/notify/n",
            results_url: "https://pay.example/threeds/results/r",
        };
        ask(&request).await
    }

    pub(crate) async fn completes(&self, payment: &Payment<'_>) -> AuthenticationResponse {
        self.pay(payment).await.unwrap()
    }

    pub(crate) async fn receive(&self, message: &Value) -> Value {
        let body = message.to_string();
        let answer = self.server.receive_result("op1", body.as_bytes()).await;
        serde_json::from_slice(&answer.unwrap()).unwrap()
    }

    /// Checks the proof that a result of the issuer came with.
    pub(crate) async fn proves(&self, reply: ChallengeReply) {
        let (proven, eci) = match reply {
            ChallengeReply::Right => (Authentication::Full, "05"),
            ChallengeReply::Attempted => (Authentication::Attempted, "06"),
            ChallengeReply::Wrong | ChallengeReply::No | ChallengeReply::Undecided => return,
        };
        let proof = self.server.evidence(&evidence(proven)).await.unwrap();
        let told = [&*proof.eci, &*proof.authentication_value];
        assert_eq!(told, [eci, LATER_PROOF]);
    }
}

pub(crate) fn connect(
    folder: &tempfile::TempDir,
    store: &Store,
    vault: &Arc<KeyringVault>,
    clock: &Clock,
) -> EmvThreeDsServer {
    let file = ThreeDsFile::read(&folder.path().join("3ds.toml")).unwrap();
    let vault: Arc<dyn Vault> = vault.clone();
    let (store, clock) = (store.clone(), clock.clone());
    EmvThreeDsServer::connect(
        file,
        HashSet::from([String::from("T9")]),
        store,
        vault,
        clock,
    )
    .unwrap()
}

/// A confirmation that the payment waits for.
fn confirmed<'a>(request: &AuthenticationRequest<'a>) -> ConfirmationRequest<'a> {
    ConfirmationRequest {
        authentication: AuthenticationRequest { ..*request },
        merchant_name: "Shop",
        merchant_origin: Some("https://shop.example"),
    }
}

pub(crate) fn evidence(authentication: Authentication) -> EvidenceRequest<'static> {
    EvidenceRequest {
        reference: "op1",
        terminal_id: "T1",
        number: None,
        network: Some(Network::Visa),
        authentication,
    }
}
