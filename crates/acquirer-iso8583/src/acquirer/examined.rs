//! What the examiner asks of an acquirer besides the port.

use super::{IsoAcquirer, message_for};
use crate::dialect::MessageName;
use crate::error::ExchangeError;
use payframe_payment_ports::acquirer::FollowUpOperation;
use payframe_storage::iso8583_exchanges::ExchangeSum;
use std::time::Duration;

impl IsoAcquirer {
    /// The host and its port.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// How long an answer is waited for.
    pub(crate) fn answer_limit(&self) -> Duration {
        self.journal.answer_limit
    }

    /// Waits until a connection is signed on, at most as long as a message would.
    pub(crate) async fn wait_for_sign_on(&self) -> Result<(), ExchangeError> {
        self.link.line().await.map(drop)
    }

    /// Sends an echo, and waits for its answer.
    pub(crate) async fn echo(&self) -> Result<(), ExchangeError> {
        self.link.echo().await
    }

    /// What the dialect has messages for, in the words of the protocol of adapters.
    pub(crate) fn supported(&self) -> Vec<String> {
        let words = [
            ("VERIFY", MessageName::Verification),
            ("CANCEL", MessageName::Cancel),
            ("INCREMENTAL", MessageName::Increment),
        ];
        let supported = words
            .into_iter()
            .filter(|(_, name)| self.dialect.message(*name).is_some());
        supported.map(|(word, _)| word.to_owned()).collect()
    }

    /// Whether a message without an answer is repeated, in place of being reversed.
    pub(crate) fn repeats(&self, operation: FollowUpOperation) -> bool {
        let form = self.dialect.message(message_for(operation));
        form.is_some_and(|form| form.repeat.is_some())
    }

    /// What the journal says that the host has booked, a line for each kind of message, result and currency.
    pub(crate) async fn booked(&self) -> Result<Vec<String>, ExchangeError> {
        let sums = self.journal.sums().await?;
        Ok(sums.iter().map(in_words).collect())
    }
}

/// A line of a report for people.
fn in_words(sum: &ExchangeSum) -> String {
    let ExchangeSum {
        message,
        result,
        is_reversed,
        currency,
        count,
        amount,
    } = sum;
    let result = match (result.as_str(), is_reversed) {
        ("", false) => "without an answer",
        (_, true) => "reversed",
        (result, false) => result,
    };
    format!(
        "{message}, {result}: {count}, together {} {currency}",
        amount.minor()
    )
}
