//! What directory servers were asked about buyers, and what they answered: one row for each reference.
//!
//! A row is written before its message is sent. Every later change names the state that it expects, so of two processes only one makes it.
//! What the answers mean is decided in `payframe-emv-3ds`.

use super::{Connection, Row, StoreError, query};

/// An authentication.
#[derive(Clone, PartialEq, Eq)]
pub struct AuthenticationRow {
    /// The reference of the operation.
    pub reference: String,
    /// The id of the 3-D Secure transaction.
    pub transaction_id: String,
    /// What is known of it.
    pub state: AuthenticationState,
    /// Until when the issuer's result counts, if it asks apart from the browser.
    pub until_ms: Option<i64>,
    /// The answers, encrypted for the reference.
    pub sealed_answer: Option<Vec<u8>>,
    /// When it was made.
    pub made_ms: i64,
}

/// What is known of an authentication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuthenticationState {
    /// The directory server was asked, and has not answered.
    Asked,
    /// The buyer's device is asked for a confirmation, and the directory server has not answered to its outcome.
    Confirming,
    /// The buyer has a challenge, whose result is not known.
    Challenged,
    /// The issuer asks the buyer apart from the browser, and the result is not known.
    Decoupled,
    /// It has its result.
    Done,
}

impl AuthenticationState {
    fn code(self) -> &'static str {
        match self {
            AuthenticationState::Asked => "ASKED",
            AuthenticationState::Confirming => "CONFIRMING",
            AuthenticationState::Challenged => "CHALLENGED",
            AuthenticationState::Decoupled => "DECOUPLED",
            AuthenticationState::Done => "DONE",
        }
    }

    fn from_code(code: &str) -> Option<AuthenticationState> {
        let all = [
            AuthenticationState::Asked,
            AuthenticationState::Confirming,
            AuthenticationState::Challenged,
            AuthenticationState::Decoupled,
            AuthenticationState::Done,
        ];
        all.into_iter().find(|state| state.code() == code)
    }
}

/// The row of a reference.
pub async fn find(
    connection: &mut Connection,
    reference: &str,
) -> Result<Option<AuthenticationRow>, StoreError> {
    let row = query("SELECT * FROM three_ds_authentication WHERE reference = ?")
        .bind(reference)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read).transpose()
}

/// Writes a new row. Returns whether neither its reference nor its transaction id was there.
pub async fn add(
    connection: &mut Connection,
    reference: &str,
    transaction_id: &str,
    now_ms: i64,
) -> Result<bool, StoreError> {
    let added = query(
        "INSERT INTO three_ds_authentication (reference, transaction_id, state, made_ms) VALUES (?, ?, ?, ?) \
         ON CONFLICT DO NOTHING",
    )
    .bind(reference)
    .bind(transaction_id)
    .bind(AuthenticationState::Asked.code())
    .bind(now_ms)
    .execute(connection)
    .await?;
    Ok(added > 0)
}

/// Gives a question without an answer another transaction id. Returns whether it still had none.
pub async fn ask_anew(
    connection: &mut Connection,
    reference: &str,
    transaction_id: &str,
) -> Result<bool, StoreError> {
    let changed = query(
        "UPDATE three_ds_authentication SET transaction_id = ? WHERE reference = ? AND state = ?",
    )
    .bind(transaction_id)
    .bind(reference)
    .bind(AuthenticationState::Asked.code())
    .execute(connection)
    .await?;
    Ok(changed > 0)
}

/// Writes an answer, and until when a result counts that comes apart from the browser. Returns whether the state was still the expected one.
pub async fn answer(
    connection: &mut Connection,
    reference: &str,
    (expected, next): (AuthenticationState, AuthenticationState),
    sealed_answer: Vec<u8>,
    until_ms: Option<i64>,
) -> Result<bool, StoreError> {
    let changed = query(
        "UPDATE three_ds_authentication SET state = ?, sealed_answer = ?, until_ms = ? WHERE reference = ? AND state = ?",
    )
    .bind(next.code())
    .bind(sealed_answer)
    .bind(until_ms)
    .bind(reference)
    .bind(expected.code())
    .execute(connection)
    .await?;
    Ok(changed > 0)
}

fn read(row: &Row) -> Result<AuthenticationRow, StoreError> {
    let state = AuthenticationState::from_code(row.try_get("state")?);
    Ok(AuthenticationRow {
        reference: row.try_get("reference")?,
        transaction_id: row.try_get("transaction_id")?,
        state: state.ok_or(StoreError::Unreadable("three_ds_authentication"))?,
        until_ms: row.try_get("until_ms")?,
        sealed_answer: row.try_get("sealed_answer")?,
        made_ms: row.try_get("made_ms")?,
    })
}
