//! What was sent to acquirers over ISO 8583, and what came back: a journal with one row for each reference.
//!
//! A row is written before its message is sent. Every later change names the state that it expects, so of two processes only one makes it.
//! What the states mean for money is decided in `payframe-acquirer-iso8583`.

use super::{Connection, Row, StoreError, amount, minor, query, query_scalar};
use payframe_money::Amount;
use payframe_payment_domain::sum::Sum;

/// A message to an acquirer, and what became of it.
#[derive(Clone, PartialEq, Eq)]
pub struct ExchangeRow {
    /// The reference of the operation.
    pub reference: String,
    /// The name of the acquirer.
    pub acquirer: String,
    /// Which message of the dialect it is.
    pub message: String,
    /// What is known of it.
    pub state: ExchangeState,
    /// The reference of the earlier message that it is about.
    pub original: Option<String>,
    /// Its number, and its retrieval reference.
    pub numbers: ExchangeNumbers,
    /// Until when the process that sent it waits for the answer.
    pub deadline_ms: i64,
    /// The terminal that the message names.
    pub terminal_id: String,
    /// The amount that the message asks for: what the cardholder is charged, or gets back.
    pub amount: Amount,
    /// ISO 4217 code.
    pub currency: String,
    /// What the merchant gets, or gives back, if that is in another currency.
    pub merchant_sum: Option<Sum>,
    /// Number and expiry, encrypted for the reference.
    pub sealed_card: Option<Vec<u8>>,
    /// The answer; while it is being reversed, what is said once it is reversed.
    pub answer: StoredAnswer,
    /// The numbers of its reversal.
    pub reversal: Option<ExchangeNumbers>,
}

/// What identifies a message for the acquirer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExchangeNumbers {
    /// The system trace audit number.
    pub trace_number: i64,
    /// The retrieval reference.
    pub retrieval_reference: String,
    /// When it was sent for the first time.
    pub sent_ms: i64,
}

/// What is known of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExchangeState {
    /// It was sent, and has no answer.
    Waiting,
    /// It has to be reversed, until the acquirer acknowledges that.
    Reversing,
    /// It has its answer, or is reversed.
    Done,
}

/// The answer to a message. Empty texts: there is none yet, or it has no such value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoredAnswer {
    /// The result.
    pub result: String,
    /// Response code with three digits.
    pub response_code: String,
    /// Authorization code.
    pub authorization_code: String,
    /// The retrieval reference of the answer.
    pub retrieval_reference: String,
    /// The scheme's transaction id.
    pub scheme_id: String,
}

impl ExchangeState {
    fn code(self) -> &'static str {
        match self {
            ExchangeState::Waiting => "WAITING",
            ExchangeState::Reversing => "REVERSING",
            ExchangeState::Done => "DONE",
        }
    }

    fn from_code(code: &str) -> Option<ExchangeState> {
        [
            ExchangeState::Waiting,
            ExchangeState::Reversing,
            ExchangeState::Done,
        ]
        .into_iter()
        .find(|state| state.code() == code)
    }
}

/// The next number of an acquirer's messages: it counts up from 1, over restarts and over all processes.
pub async fn next_number(connection: &mut Connection, acquirer: &str) -> Result<i64, StoreError> {
    let number = query_scalar(
        "INSERT INTO iso8583_number (acquirer, last_number) VALUES (?, 1) \
         ON CONFLICT (acquirer) DO UPDATE SET last_number = iso8583_number.last_number + 1 RETURNING last_number",
    )
    .bind(acquirer)
    .fetch_optional(connection)
    .await?;
    number.ok_or(StoreError::Unreadable("iso8583_number"))
}

/// The row of a reference.
pub async fn find(
    connection: &mut Connection,
    reference: &str,
) -> Result<Option<ExchangeRow>, StoreError> {
    let row = query("SELECT * FROM iso8583_exchange WHERE reference = ?")
        .bind(reference)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read).transpose()
}

/// Writes a new row. Returns whether there was none of this reference.
pub async fn add(connection: &mut Connection, new: &ExchangeRow) -> Result<bool, StoreError> {
    let added = query(
        "INSERT INTO iso8583_exchange (reference, acquirer, message, state, original, trace_number, retrieval_reference, \
         sent_ms, deadline_ms, terminal_id, amount, currency, sealed_card, result, response_code, authorization_code, \
         answered_reference, scheme_id, merchant_amount, merchant_currency) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '', '', '', '', '', ?, ?) \
         ON CONFLICT (reference) DO NOTHING",
    )
    .bind(&new.reference)
    .bind(&new.acquirer)
    .bind(&new.message)
    .bind(new.state.code())
    .bind(&new.original)
    .bind(new.numbers.trace_number)
    .bind(&new.numbers.retrieval_reference)
    .bind(new.numbers.sent_ms)
    .bind(new.deadline_ms)
    .bind(&new.terminal_id)
    .bind(minor(new.amount))
    .bind(&new.currency)
    .bind(&new.sealed_card)
    .bind(new.merchant_sum.as_ref().map(|sum| minor(sum.amount)))
    .bind(new.merchant_sum.as_ref().map(|sum| sum.currency.as_str()))
    .execute(connection)
    .await?;
    Ok(added > 0)
}

/// Takes over a message from the process that waited for it until `former_ms`. Returns whether no other process did.
pub async fn take_over(
    connection: &mut Connection,
    reference: &str,
    former_ms: i64,
    deadline_ms: i64,
) -> Result<bool, StoreError> {
    let taken = query(
        "UPDATE iso8583_exchange SET deadline_ms = ? WHERE reference = ? AND deadline_ms = ? AND state <> 'DONE'",
    )
    .bind(deadline_ms)
    .bind(reference)
    .bind(former_ms)
    .execute(connection)
    .await?;
    Ok(taken > 0)
}

/// Writes down that a message has to be reversed, and what is said of it afterwards. Returns whether it was waiting until then.
pub async fn begin_reversal(
    connection: &mut Connection,
    reference: &str,
    reversal: &ExchangeNumbers,
    deadline_ms: i64,
    then: &StoredAnswer,
) -> Result<bool, StoreError> {
    let begun = query(
        "UPDATE iso8583_exchange SET state = 'REVERSING', deadline_ms = ?, reversal_number = ?, reversal_reference = ?, \
         reversal_ms = ?, result = ?, response_code = ? WHERE reference = ? AND state = 'WAITING'",
    )
    .bind(deadline_ms)
    .bind(reversal.trace_number)
    .bind(&reversal.retrieval_reference)
    .bind(reversal.sent_ms)
    .bind(&then.result)
    .bind(&then.response_code)
    .bind(reference)
    .execute(connection)
    .await?;
    Ok(begun > 0)
}

/// Writes down the answer to a message. Returns whether it was waiting until then.
pub async fn end(
    connection: &mut Connection,
    reference: &str,
    answer: &StoredAnswer,
) -> Result<bool, StoreError> {
    let ended = query(
        "UPDATE iso8583_exchange SET state = 'DONE', result = ?, response_code = ?, authorization_code = ?, \
         answered_reference = ?, scheme_id = ? WHERE reference = ? AND state = 'WAITING'",
    )
    .bind(&answer.result)
    .bind(&answer.response_code)
    .bind(&answer.authorization_code)
    .bind(&answer.retrieval_reference)
    .bind(&answer.scheme_id)
    .bind(reference)
    .execute(connection)
    .await?;
    Ok(ended > 0)
}

/// Writes down that the acquirer has acknowledged a reversal.
pub async fn end_reversal(connection: &mut Connection, reference: &str) -> Result<(), StoreError> {
    query("UPDATE iso8583_exchange SET state = 'DONE' WHERE reference = ? AND state = 'REVERSING'")
        .bind(reference)
        .execute(connection)
        .await?;
    Ok(())
}

/// Messages with the same name, result and currency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExchangeSum {
    /// Which message of the dialect they are.
    pub message: String,
    /// The result, which is empty while it is not known.
    pub result: String,
    /// Whether they were reversed, or are being reversed.
    pub is_reversed: bool,
    /// ISO 4217 code.
    pub currency: String,
    /// How many.
    pub count: i64,
    /// Their amounts together.
    pub amount: Amount,
}

/// The messages to an acquirer, counted and added up.
pub async fn sums(
    connection: &mut Connection,
    acquirer: &str,
) -> Result<Vec<ExchangeSum>, StoreError> {
    let rows = query(
        "SELECT message, result, reversal_number IS NOT NULL AS is_reversed, currency, count(*) AS messages, \
         CAST(sum(amount) AS BIGINT) AS amount FROM iso8583_exchange WHERE acquirer = ? \
         GROUP BY message, result, is_reversed, currency ORDER BY message, result, is_reversed, currency",
    )
    .bind(acquirer)
    .fetch_all(connection)
    .await?;
    let sum = |row: &Row| {
        Ok(ExchangeSum {
            message: row.try_get("message")?,
            result: row.try_get("result")?,
            is_reversed: row.try_get("is_reversed")?,
            currency: row.try_get("currency")?,
            count: row.try_get("messages")?,
            amount: amount(row.try_get("amount")?)?,
        })
    };
    rows.iter().map(sum).collect()
}

fn read(row: &Row) -> Result<ExchangeRow, StoreError> {
    let state = ExchangeState::from_code(row.try_get("state")?);
    let reversal_number: Option<i64> = row.try_get("reversal_number")?;
    let reversal = match reversal_number {
        None => None,
        Some(trace_number) => Some(ExchangeNumbers {
            trace_number,
            retrieval_reference: row.try_get("reversal_reference")?,
            sent_ms: row.try_get("reversal_ms")?,
        }),
    };
    let merchant_amount: Option<i64> = row.try_get("merchant_amount")?;
    let merchant_sum = match merchant_amount {
        None => None,
        Some(minor) => Some(Sum {
            amount: amount(minor)?,
            currency: row.try_get("merchant_currency")?,
        }),
    };
    Ok(ExchangeRow {
        reference: row.try_get("reference")?,
        acquirer: row.try_get("acquirer")?,
        message: row.try_get("message")?,
        state: state.ok_or(StoreError::Unreadable("iso8583_exchange"))?,
        original: row.try_get("original")?,
        numbers: ExchangeNumbers {
            trace_number: row.try_get("trace_number")?,
            retrieval_reference: row.try_get("retrieval_reference")?,
            sent_ms: row.try_get("sent_ms")?,
        },
        deadline_ms: row.try_get("deadline_ms")?,
        terminal_id: row.try_get("terminal_id")?,
        amount: amount(row.try_get("amount")?)?,
        currency: row.try_get("currency")?,
        merchant_sum,
        sealed_card: row.try_get("sealed_card")?,
        answer: StoredAnswer {
            result: row.try_get("result")?,
            response_code: row.try_get("response_code")?,
            authorization_code: row.try_get("authorization_code")?,
            retrieval_reference: row.try_get("answered_reference")?,
            scheme_id: row.try_get("scheme_id")?,
        },
        reversal,
    })
}
