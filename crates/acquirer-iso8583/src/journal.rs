//! The journal of an acquirer: numbers of messages, what was sent, what has to be reversed.
//!
//! Every method is one transaction, and is done before the message that it is about is sent. Of two processes only one changes a row: each
//! change names the state that it expects.

use crate::error::ExchangeError;
use jiff::Timestamp;
use payframe_card_rules::expiry::Expiry;
use payframe_card_rules::secret::Secret;
use payframe_money::Amount;
use payframe_payment_domain::sum::Sum;
use payframe_payment_ports::acquirer::AcceptedOffer;
use payframe_payment_ports::{Clock, Vault};
use payframe_storage::iso8583_exchanges::{
    self as rows, ExchangeNumbers, ExchangeRow, ExchangeState, ExchangeSum, StoredAnswer,
};
use payframe_storage::{Connection, Store, StoreError, Subject};
use std::sync::Arc;
use std::time::Duration;
use zeroize::Zeroizing;

/// The journal of one acquirer.
#[derive(Clone)]
pub(crate) struct Journal {
    pub(crate) acquirer: String,
    pub(crate) store: Store,
    pub(crate) vault: Arc<dyn Vault>,
    pub(crate) clock: Clock,
    /// How long an answer is waited for.
    pub(crate) answer_limit: Duration,
}

/// The card of a payment.
pub(crate) struct JournalCard {
    pub(crate) number: Zeroizing<String>,
    /// `YYMM`
    pub(crate) expiry: String,
}

/// The sums of a message.
#[derive(Clone, Copy)]
pub(crate) struct Sums<'a> {
    /// What the merchant gets, or gives back, and its currency.
    pub(crate) of_order: (Amount, &'a str),
    /// What the cardholder is charged, or gets back, if that is in another currency.
    pub(crate) conversion: Option<&'a AcceptedOffer>,
}

/// A message that is about to be sent.
pub(crate) struct NewExchange<'a> {
    pub(crate) reference: &'a str,
    pub(crate) message: &'static str,
    pub(crate) original: Option<&'a str>,
    pub(crate) terminal_id: &'a str,
    pub(crate) sums: Sums<'a>,
    pub(crate) card: Option<&'a JournalCard>,
}

impl JournalCard {
    pub(crate) fn new(number: &Secret, expiry: Expiry) -> JournalCard {
        let (year, month) = (expiry.year() % 100, expiry.month());
        JournalCard {
            // Exposed to be sent to the acquirer, and to be encrypted for later messages.
            number: Zeroizing::new(number.expose().to_owned()),
            expiry: format!("{year:02}{month:02}"),
        }
    }
}

impl Journal {
    /// The numbers of a message that is sent now.
    pub(crate) async fn numbers(&self) -> Result<ExchangeNumbers, ExchangeError> {
        let mut change = self.store.write(Subject::Statement).await?;
        let numbers = self.next_numbers(&mut change).await?;
        change.commit().await.map_err(StoreError::Database)?;
        Ok(numbers)
    }

    async fn next_numbers(&self, change: &mut Connection) -> Result<ExchangeNumbers, StoreError> {
        let number = rows::next_number(change, &self.acquirer).await?;
        let sent_ms = self.clock.now_ms();
        let trace_number = (number - 1).rem_euclid(LAST_TRACE_NUMBER) + 1;
        Ok(ExchangeNumbers {
            trace_number,
            retrieval_reference: format!(
                "{}{trace_number:06}",
                time(sent_ms, "%y%j%H").get(1..).unwrap_or("")
            ),
            sent_ms,
        })
    }

    pub(crate) async fn find(&self, reference: &str) -> Result<Option<ExchangeRow>, ExchangeError> {
        let mut connection = self.store.read().await?;
        Ok(rows::find(&mut connection, reference).await?)
    }

    /// Writes down a message that is about to be sent. `None`: there is one of this reference already.
    pub(crate) async fn begin(
        &self,
        new: &NewExchange<'_>,
    ) -> Result<Option<ExchangeRow>, ExchangeError> {
        let sealed_card = new.card.map(|card| {
            let content = Zeroizing::new(format!("{} {}", card.number.as_str(), card.expiry));
            self.vault
                .encrypt(content.as_bytes(), &belongs_to(new.reference))
        });
        let sealed_card = sealed_card.transpose()?;
        let Sums {
            of_order: (amount, currency),
            conversion,
        } = new.sums;
        let (amount, currency, merchant_sum) = match conversion {
            None => (amount, currency, None),
            Some(offer) => {
                let currency = currency.to_owned();
                let merchant_sum = Sum { amount, currency };
                (offer.amount, offer.currency.as_str(), Some(merchant_sum))
            }
        };
        let mut change = self.store.write(Subject::Statement).await?;
        let numbers = self.next_numbers(&mut change).await?;
        let row = ExchangeRow {
            reference: new.reference.to_owned(),
            acquirer: self.acquirer.clone(),
            message: new.message.to_owned(),
            state: ExchangeState::Waiting,
            original: new.original.map(str::to_owned),
            deadline_ms: self.deadline(numbers.sent_ms),
            numbers,
            terminal_id: new.terminal_id.to_owned(),
            amount,
            currency: currency.to_owned(),
            merchant_sum,
            sealed_card,
            answer: StoredAnswer::default(),
            reversal: None,
        };
        let is_new = rows::add(&mut change, &row).await?;
        change.commit().await.map_err(StoreError::Database)?;
        Ok(is_new.then_some(row))
    }

    /// Whether somebody waits for the answer, in this process or another one.
    pub(crate) fn is_awaited(&self, row: &ExchangeRow) -> bool {
        let left_ms = row.deadline_ms.saturating_sub(self.clock.now_ms());
        // A clock that is set back does not make the wait longer.
        (1..=self.limit_ms()).contains(&left_ms)
    }

    /// Whether the host may not have read a message yet: its connection may have ended with the message on the way, for at most as long as an
    /// answer is waited for, and as long again.
    pub(crate) fn may_be_under_way(&self, row: &ExchangeRow) -> bool {
        let age_ms = self.clock.now_ms().saturating_sub(row.numbers.sent_ms);
        // A clock that is set back does not make the wait longer.
        (0..self.limit_ms().saturating_mul(2)).contains(&age_ms)
    }

    /// Takes over a message that nobody waits for. `None`: another process was faster.
    pub(crate) async fn take_over(
        &self,
        row: &ExchangeRow,
    ) -> Result<Option<ExchangeRow>, ExchangeError> {
        let deadline_ms = self.deadline(self.clock.now_ms());
        let taken = self.move_deadline(row, deadline_ms).await?;
        Ok(taken.then(|| ExchangeRow {
            deadline_ms,
            ..row.clone()
        }))
    }

    /// Ends the wait for a message that is sent again later.
    pub(crate) async fn give_up(&self, row: &ExchangeRow) -> Result<(), ExchangeError> {
        self.move_deadline(row, self.clock.now_ms()).await?;
        Ok(())
    }

    async fn move_deadline(
        &self,
        row: &ExchangeRow,
        deadline_ms: i64,
    ) -> Result<bool, ExchangeError> {
        let mut change = self.store.write(Subject::Statement).await?;
        let moved =
            rows::take_over(&mut change, &row.reference, row.deadline_ms, deadline_ms).await?;
        change.commit().await.map_err(StoreError::Database)?;
        Ok(moved)
    }

    /// Writes down that a message has to be reversed, and what is said afterwards. `false`: another process did something with it.
    pub(crate) async fn begin_reversal(
        &self,
        reference: &str,
        then: &StoredAnswer,
    ) -> Result<bool, ExchangeError> {
        let mut change = self.store.write(Subject::Statement).await?;
        let numbers = self.next_numbers(&mut change).await?;
        // Nobody waits yet: the reversal has not been sent ([`is_unsent`]).
        let deadline_ms = numbers.sent_ms - 1;
        let begun =
            rows::begin_reversal(&mut change, reference, &numbers, deadline_ms, then).await?;
        change.commit().await.map_err(StoreError::Database)?;
        Ok(begun)
    }

    /// Writes down the answer. `false`: the message is reversed, so the answer does not count any more.
    pub(crate) async fn end(
        &self,
        reference: &str,
        answer: &StoredAnswer,
    ) -> Result<bool, ExchangeError> {
        let mut change = self.store.write(Subject::Statement).await?;
        let ended = rows::end(&mut change, reference, answer).await?;
        change.commit().await.map_err(StoreError::Database)?;
        Ok(ended)
    }

    pub(crate) async fn end_reversal(&self, reference: &str) -> Result<(), ExchangeError> {
        let mut change = self.store.write(Subject::Statement).await?;
        rows::end_reversal(&mut change, reference).await?;
        change.commit().await.map_err(StoreError::Database)?;
        Ok(())
    }

    /// The messages so far, counted and added up.
    pub(crate) async fn sums(&self) -> Result<Vec<ExchangeSum>, ExchangeError> {
        let mut connection = self.store.read().await?;
        Ok(rows::sums(&mut connection, &self.acquirer).await?)
    }

    /// The card of a row.
    pub(crate) fn card(&self, row: &ExchangeRow) -> Result<Option<JournalCard>, ExchangeError> {
        let Some(sealed) = &row.sealed_card else {
            return Ok(None);
        };
        let content = self.vault.decrypt(sealed, &belongs_to(&row.reference))?;
        let text = std::str::from_utf8(&content).ok();
        let (number, expiry) = text
            .and_then(|text| text.split_once(' '))
            .ok_or(StoreError::Unreadable("iso8583_exchange"))?;
        Ok(Some(JournalCard {
            number: Zeroizing::new(number.to_owned()),
            expiry: expiry.to_owned(),
        }))
    }

    fn deadline(&self, from_ms: i64) -> i64 {
        from_ms.saturating_add(self.limit_ms())
    }

    fn limit_ms(&self) -> i64 {
        payframe_payment_ports::clock::millis(self.answer_limit)
    }
}

/// The purpose for which the card of a reference is encrypted.
pub fn belongs_to(reference: &str) -> String {
    format!("card of the message {reference} over ISO 8583")
}

/// Whether a reversal has not been sent yet.
pub(crate) fn is_unsent(row: &ExchangeRow, reversal: &ExchangeNumbers) -> bool {
    row.deadline_ms < reversal.sent_ms
}

/// An instant in UTC, in a format of `strftime`. Empty for an instant that no calendar has.
pub(crate) fn time(at_ms: i64, format: &str) -> String {
    let instant = Timestamp::from_millisecond(at_ms);
    instant.map_or_else(
        |_| String::new(),
        |instant| instant.strftime(format).to_string(),
    )
}

/// After this number the next one is 1.
const LAST_TRACE_NUMBER: i64 = 999_999;
