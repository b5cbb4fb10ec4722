//! Stops whoever tries out stolen cards on forms ([`payframe_payment_domain::card_testing`] decides): each try of a buyer is written down
//! before the issuer is asked.
//!
//! The tries before it are counted, and it is written down, in one transaction, one at a time for a merchant. So tries that come at the same time, in
//! any process, see each other. A try whose process ends before the issuer was asked counts as one that was not approved.
//!
//! Calls of a merchant's server with a card are not counted: it is no form that a bot can fill in.

use super::{PaymentContext, PaymentError};
use crate::meter;
use core::net::IpAddr;
use payframe_card_rules::secret::Secret;
use payframe_payment_domain::card_testing::{
    CardTestingSettings, Decided, Decision, Listed, Rule, Verdicts, address_key, decide,
    is_under_attack,
};
use payframe_payment_domain::terms::Terminal;
use payframe_storage::card_tries::{self, CardSource, CountedSince, TryOf, TryOutcome};
use payframe_storage::card_try_reviews;
use payframe_storage::sessions::SessionRow;
use payframe_storage::{Connection, Subject};

/// How long a try counts, but at its terminal: a day.
pub(super) const COUNTS_MS: i64 = 86_400_000;

/// Who sends a card: the buyer's address and browser, as far as they are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CardSender {
    /// The address.
    pub address: Option<IpAddr>,
    /// What the browser says of itself in the headers of its call. Browsers of one kind say the same.
    pub browser: String,
}

/// Whether a card came with a proof of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Proven {
    Yes,
    No,
}

impl PaymentContext {
    /// How long a try counts at its terminal: an hour. A terminal under attack is not one that was yesterday.
    pub(super) const COUNTS_AT_TERMINAL_MS: i64 = 3_600_000;

    /// Writes down where the card of a session comes from, if the terminal has the rules.
    pub(super) fn keep_card_source(
        &self,
        connection: &mut Connection,
        session_hash: &str,
        terminal: &Terminal,
        sender: &CardSender,
        proven: Proven,
    ) {
        let rules = &terminal.card_testing;
        let Some(address) = sender.address.filter(|_| self.has_rules(rules)) else {
            return;
        };
        let merchant_id = &terminal.merchant_id;
        let source = CardSource {
            address_id: self.address_id(terminal, address),
            device_id: self
                .vault()
                .card_id(merchant_id, &["device", &sender.browser]),
            listed: rules.listed_address(address),
            is_proven: proven == Proven::Yes,
        };
        let now_ms = self.clock().now_ms();
        card_tries::keep_source(connection, session_hash, &source, now_ms);
    }

    /// Decides whether the issuer of a session's card is asked, and writes the try down. For the same operation the decision stays.
    pub(super) async fn admit_try(
        &self,
        row: &SessionRow,
        number: &Secret,
        operation_id: &str,
    ) -> Result<Decision, PaymentError> {
        let terms = &row.terms;
        let card_id = self.card_id(&terms.merchant_id, number);
        let known = {
            let (refused_since_ms, now_ms) = (self.refusals_since_ms(), self.clock().now_ms());
            let terminal = (terms.merchant_id.as_str(), terms.terminal_id.as_str());
            let times = (refused_since_ms, now_ms);
            let mut connection = self.store().read().await?;
            card_tries::rules_for_card(&mut connection, terminal, &card_id, times).await?
        };
        let rules = &known.settings;
        let is_refused_too_often = self.is_refused_too_often(&terms.merchant_id, known.refusals);
        if !self.has_rules(rules) && !is_refused_too_often {
            return Ok(Decision::Admit);
        }
        let mut transaction = self
            .store()
            .write(Subject::CardTries(&terms.merchant_id))
            .await?;
        if let Some((outcome, rule)) = card_tries::find(&mut transaction, operation_id).await? {
            return Ok(decided(outcome, rule));
        }
        let source = card_tries::source(&mut transaction, &row.hash).await?;
        let now_ms = self.clock().now_ms();
        let range_id = self.range_id(&terms.merchant_id, number);
        let order_value = row.sum().to_string();
        let this = TryOf {
            operation_id,
            merchant_id: &terms.merchant_id,
            terminal_id: &terms.terminal_id,
            session_hash: &row.hash,
            card_id: &card_id,
            range_id: &range_id,
            address_id: source.as_ref().map(|source| source.address_id.as_str()),
            device_id: source
                .as_ref()
                .map(|source| source.device_id.as_str())
                .filter(|device_id| !device_id.is_empty()),
            order_value: &order_value,
            is_proven: source.as_ref().is_some_and(|source| source.is_proven),
        };
        let since = CountedSince {
            at_terminal_ms: now_ms - Self::COUNTS_AT_TERMINAL_MS,
            ms: now_ms - COUNTS_MS,
        };
        let (decision, is_attacked) = if is_refused_too_often {
            (Decision::Refuse(Rule::Card), false)
        } else {
            let mut earlier = card_tries::earlier(&mut transaction, &this, since).await?;
            let is_attacked = is_under_attack(&rules.limits, earlier.terminal);
            if is_attacked && this.is_proven {
                let proven =
                    card_tries::proven(&mut transaction, this.terminal_id, since.at_terminal_ms);
                earlier.proven = Some(proven.await?);
            }
            let mut decided = listed(rules, number, source.as_ref());
            if known.has_reviews {
                let in_force = card_try_reviews::in_force(&mut transaction, &this, now_ms);
                decided.verdicts = in_force.await?;
            }
            let decision = decide(&rules.limits, &earlier, &decided);
            (decision, is_attacked)
        };
        let (outcome, rule) = match decision {
            Decision::Admit => (TryOutcome::Admitted, None),
            Decision::Challenge(rule) => (TryOutcome::Admitted, Some(rule)),
            Decision::Refuse(rule) => (TryOutcome::Refused, Some(rule)),
        };
        card_tries::add(&mut transaction, &this, outcome, rule, now_ms);
        let begins =
            is_attacked && Box::pin(self.begin_attack(&mut transaction, &this, now_ms)).await?;
        transaction.commit().await?;
        if begins {
            self.wake_notifier();
            let (merchant_id, terminal_id) = (this.merchant_id, this.terminal_id);
            tracing::warn!(
                merchant_id,
                terminal_id,
                "somebody tries out cards at a terminal"
            );
        }
        if let Some(rule) = rule {
            let measure = match outcome {
                TryOutcome::Refused => "refused",
                TryOutcome::Admitted | TryOutcome::Approved => "challenged",
            };
            meter::stopped(rule.code(), measure);
            let (merchant_id, terminal_id) = (this.merchant_id, this.terminal_id);
            tracing::warn!(
                merchant_id,
                terminal_id,
                rule = rule.code(),
                "a rule against card testing stops a payment"
            );
        }
        Ok(decision)
    }

    /// Whether a rule let a try pass only with a challenge.
    pub(super) async fn demands_challenge(&self, operation_id: &str) -> Result<bool, PaymentError> {
        let mut connection = self.store().read().await?;
        let found = card_tries::find(&mut connection, operation_id).await?;
        let decision = found.map(|(outcome, rule)| decided(outcome, rule));
        Ok(matches!(decision, Some(Decision::Challenge(_))))
    }

    /// Writes down that an admitted try was refused after all: the issuer would have let it pass without the challenge that a rule demands.
    pub(super) async fn refuse_try(&self, operation_id: &str) -> Result<(), PaymentError> {
        let mut transaction = self.store().write(Subject::Statement).await?;
        card_tries::conclude(&mut transaction, operation_id, TryOutcome::Refused);
        transaction.commit().await?;
        Ok(())
    }

    /// Writes down what became of a try, in the transaction that records it.
    pub(super) fn conclude_try(
        &self,
        connection: &mut Connection,
        operation_id: &str,
        is_approved: bool,
    ) {
        if is_approved {
            card_tries::conclude(connection, operation_id, TryOutcome::Approved);
        }
    }

    pub(super) fn has_rules(&self, rules: &CardTestingSettings) -> bool {
        rules.is_on(self.settings().stops_card_testing)
    }

    /// The hash by which a range of cards is recognised again: the first six digits, which belong to one issuer.
    fn range_id(&self, merchant_id: &str, number: &Secret) -> String {
        // Exposed to be hashed.
        let range = number.expose().get(..6).unwrap_or_default();
        self.vault().card_id(merchant_id, &["range", range])
    }

    /// The hash by which a buyer's address is recognised again.
    pub(super) fn address_id(&self, terminal: &Terminal, address: IpAddr) -> String {
        let key = address_key(address);
        self.vault()
            .card_id(&terminal.merchant_id, &["address", &key])
    }
}

/// What the terminal's lists say of a try.
fn listed(rules: &CardTestingSettings, number: &Secret, source: Option<&CardSource>) -> Decided {
    Decided {
        // Exposed to be compared with the terminal's lists.
        range: rules.listed_number(number.expose()),
        address: source.map_or(Listed::No, |source| source.listed),
        verdicts: Verdicts::default(),
    }
}

/// The decision about a try that was written down.
fn decided(outcome: TryOutcome, rule: Option<Rule>) -> Decision {
    match (outcome, rule) {
        (_, None) => Decision::Admit,
        (TryOutcome::Refused, Some(rule)) => Decision::Refuse(rule),
        (TryOutcome::Admitted | TryOutcome::Approved, Some(rule)) => Decision::Challenge(rule),
    }
}
