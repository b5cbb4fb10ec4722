//! The dependencies of payments: the tables, the vault, the clock, the ports, and what one process keeps in memory. Each service of this
//! module borrows it and has no state of its own.

use super::first_requests::FirstRequests;
use super::retention_policy::RetentionPolicy;
use super::security_codes::SecurityCodes;
use super::security_codes::hand_over::Questions;
use super::{NoAcquirerError, PaymentError};
use crate::locks::{Held, Locks};
use payframe_card_rules::expiry::Date;
use payframe_card_rules::secret::Secret;
use payframe_payment_domain::session::Limits;
use payframe_payment_ports::Vault;
use payframe_payment_ports::acquirers::Instruments;
use payframe_payment_ports::clock::{Clock, millis};
use payframe_payment_ports::{
    Acquirers, BinLookup, BuyersBanks, CurrencyConversion, Ports, RiskRules, SimulatorPages,
    ThreeDsServer, WalletTokens,
};
use payframe_storage::Store;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;

/// The dependencies of payments. Clones share everything.
#[derive(Clone)]
pub struct PaymentContext(Arc<Parts>);

struct Parts {
    settings: PaymentSettings,
    clock: Clock,
    store: Store,
    vault: Arc<dyn Vault>,
    ports: Ports,
    security_codes: SecurityCodes,
    questions: Questions,
    first_requests: FirstRequests,
    /// Locks: one caller at a time for each session, payment and order.
    sessions: Locks,
    payments: Locks,
    orders: Locks,
    outbox_filled: Arc<Notify>,
    /// The same signal, for whoever tells the other processes.
    outbox_news: Notify,
}

/// The operator's settings of payments.
#[derive(Clone, Debug)]
pub struct PaymentSettings {
    /// The origin at which browsers reach the gateway: scheme, host and port, without a slash at the end.
    pub origin: String,
    /// Whether merchants\' pages get diagnostics of how they embed the form.
    pub with_diagnostics: bool,
    /// Whether pages of a developer's own machine may embed forms.
    pub allows_insecure_urls: bool,
    /// A session expires after this time without activity of the buyer (contract 4.1).
    pub idle: Duration,
    /// A session expires this long after its creation (contract 4.1).
    pub hard: Duration,
    /// How long a challenge may take (contract 4.1).
    pub challenge: Duration,
    /// How long an alternative method may take (contract 4.1).
    pub redirect: Duration,
    /// How long a currency offer is valid (contract 5.6).
    pub offer: Duration,
    /// A pre-authorization is released this long after its creation (contract 2.4).
    pub preauth_limit: Duration,
    /// The same for the pre-authorization of a reservation (contract 2.12).
    pub delayed_limit: Duration,
    /// A sale with explicit capture is released this long after its creation (contract 2.4).
    pub capture_limit: Duration,
    /// How long a paid order may wait until the shop tells that its goods are sent.
    pub fulfil_within: Duration,
    /// How long a card encryption key is current before it is rotated.
    pub card_key_life: Duration,
    /// How long records are kept.
    pub retention: RetentionPolicy,
    /// How often issuers may refuse a card in an hour before payments of buyers with it are refused without asking. 0: any number.
    pub refusals_per_card: u32,
    /// Whether terminals that say nothing about it have the rules against card testing.
    pub stops_card_testing: bool,
}

impl PaymentContext {
    /// Payments over these tables, with no state in memory yet.
    pub fn new(
        settings: PaymentSettings,
        clock: Clock,
        store: Store,
        vault: Arc<dyn Vault>,
        ports: Ports,
    ) -> PaymentContext {
        let decoupled = ports.three_ds_server.longest_decoupled_ms();
        let decoupled = Duration::from_millis(decoupled.into());
        let longest = settings.hard + settings.challenge.max(decoupled);
        PaymentContext(Arc::new(Parts {
            settings,
            clock,
            store,
            vault,
            ports,
            security_codes: SecurityCodes::new(longest),
            questions: Questions::default(),
            first_requests: FirstRequests::default(),
            sessions: Locks::default(),
            payments: Locks::default(),
            orders: Locks::default(),
            outbox_filled: Arc::default(),
            outbox_news: Notify::new(),
        }))
    }

    /// The hash by which a card is recognised again. It has a key, and is made for this merchant only.
    pub(super) fn card_id(&self, merchant_id: &str, number: &Secret) -> String {
        // Exposed to be hashed.
        self.vault().card_id(merchant_id, &[number.expose()])
    }

    /// The operator's settings.
    pub fn settings(&self) -> &PaymentSettings {
        &self.0.settings
    }

    /// The time.
    pub fn clock(&self) -> &Clock {
        &self.0.clock
    }

    /// The database.
    pub fn store(&self) -> &Store {
        &self.0.store
    }

    /// Encrypts card data, and creates tokens that cannot be guessed.
    pub fn vault(&self) -> &dyn Vault {
        &*self.0.vault
    }

    /// The same vault, for a caller that outlives a call.
    pub fn shared_vault(&self) -> Arc<dyn Vault> {
        self.0.vault.clone()
    }

    /// The acquirers.
    pub fn acquirers(&self) -> &dyn Acquirers {
        &*self.0.ports.acquirers
    }

    /// What the acquirers of the terminal charge.
    pub fn instruments_of_terminal(
        &self,
        terminal_id: &str,
    ) -> Result<Instruments, NoAcquirerError> {
        let instruments = self.acquirers().of_terminal(terminal_id);
        instruments.ok_or(NoAcquirerError::OfTerminal)
    }

    /// The payments that this process is the first to ask for.
    pub(crate) fn first_requests(&self) -> &FirstRequests {
        &self.0.first_requests
    }

    /// Whether a buyer's payment may begin at the terminal: it has an acquirer, and buyers are authenticated or need not be.
    pub fn admit_buyers(&self, terminal_id: &str) -> Result<(), PaymentError> {
        self.instruments_of_terminal(terminal_id)?;
        match self.three_ds_server().serves(terminal_id) {
            true => Ok(()),
            false => Err(PaymentError::NoAuthentication),
        }
    }

    /// The port that authenticates buyers.
    pub fn three_ds_server(&self) -> &dyn ThreeDsServer {
        &*self.0.ports.three_ds_server
    }

    /// The port that finds issuers by the first digits of their cards.
    pub fn bin_lookup(&self) -> &dyn BinLookup {
        &*self.0.ports.bin_lookup
    }

    /// The port that refuses payments that are too risky.
    pub fn risk_rules(&self) -> &dyn RiskRules {
        &*self.0.ports.risk_rules
    }

    /// The port that offers buyers the currency of their card.
    pub fn currency_conversion(&self) -> &dyn CurrencyConversion {
        &*self.0.ports.currency_conversion
    }

    /// The port that decrypts wallet tokens.
    pub fn wallet_tokens(&self) -> &dyn WalletTokens {
        &*self.0.ports.wallet_tokens
    }

    /// The port that plans the disputes of a simulator's banks.
    pub fn buyers_banks(&self) -> &dyn BuyersBanks {
        &*self.0.ports.buyers_banks
    }

    /// The port that decides how simulated pages of issuers and operators behave.
    pub fn simulator_pages(&self) -> &dyn SimulatorPages {
        &*self.0.ports.simulator_pages
    }

    /// Security codes on their way to the acquirer.
    pub(super) fn security_codes(&self) -> &SecurityCodes {
        &self.0.security_codes
    }

    /// What this process asked the other processes on the same server.
    pub(super) fn questions(&self) -> &Questions {
        &self.0.questions
    }

    /// Waits for the lock of a session.
    pub(super) async fn lock_session(&self, hash: &str) -> Held {
        self.0.sessions.lock(hash).await
    }

    /// Waits for the lock of an order, to make an attempt.
    pub(super) async fn lock_order(&self, merchant_id: &str, order_id: &str) -> Held {
        let name = format!("{merchant_id} {order_id}");
        self.0.orders.lock(&name).await
    }

    /// Waits for the lock of a payment, to move its money.
    pub(super) async fn lock_payment(&self, payment_id: &str) -> Held {
        self.0.payments.lock(payment_id).await
    }

    /// The time limits of every session.
    pub(super) fn limits(&self) -> Limits {
        let settings = self.settings();
        Limits {
            idle_ms: millis(settings.idle),
            challenge_ms: millis(settings.challenge),
            redirect_ms: millis(settings.redirect),
            retention_ms: RETENTION_MS,
        }
    }

    /// The date that a card's expiry is compared with.
    pub fn today(&self) -> Date {
        last_date_on_earth(self.clock().now_ms())
    }

    /// Signals that the outbox has a new notification.
    pub fn wake_notifier(&self) {
        self.0.outbox_filled.notify_one();
        self.0.outbox_news.notify_one();
    }

    /// The signal for the other processes' notifiers.
    pub(crate) fn outbox_news(&self) -> &Notify {
        &self.0.outbox_news
    }

    /// The signal for a new notification in the outbox.
    pub fn outbox_signal(&self) -> Arc<Notify> {
        self.0.outbox_filled.clone()
    }
}

/// How long an outcome can be read (contract 4.1).
const RETENTION_MS: i64 = 86_400_000;

/// The date in the last time zone of the world: a card is valid until its last day ends everywhere.
pub(crate) fn last_date_on_earth(now_ms: i64) -> Date {
    let there = jiff::Timestamp::from_millisecond(now_ms)
        .unwrap_or(jiff::Timestamp::UNIX_EPOCH)
        .to_zoned(jiff::tz::TimeZone::fixed(jiff::tz::offset(-12)));
    Date {
        // The casts lose nothing: years are at most 9999, months and days are small.
        year: there.year() as u16,
        month: there.month() as u8,
        day: there.day() as u8,
    }
}
