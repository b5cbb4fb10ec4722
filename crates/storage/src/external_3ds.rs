//! The authentications of 3-step payments.

use super::{Connection, StoreError, query};
use payframe_payment_domain::external_3ds::AuthenticationStatus;
use payframe_payment_domain::session::{Authentication, Challenge, ChallengeMeans};

/// A stored authentication.
#[derive(Clone, Debug)]
pub struct External3dsRow {
    /// The preassigned operation id of the payment.
    pub operation_id: String,
    /// The hash of its session's id.
    pub session_hash: String,
    /// The status of the authentication.
    pub status: AuthenticationStatus,
    /// Where the browser goes with the result. `None` until the browser has arrived.
    pub return_url: Option<String>,
    /// The response of the validation, encrypted, if there is one.
    pub validation: Option<Vec<u8>>,
    /// When the payment must be made.
    pub ends_ms: i64,
}

/// Writes a new row.
pub async fn add(connection: &mut Connection, row: &External3dsRow) -> Result<(), StoreError> {
    query(
        "INSERT INTO external_3ds (operation_id, session_hash, status, ends_ms) VALUES (?, ?, '', ?)",
    )
    .bind(&row.operation_id)
    .bind(&row.session_hash)
    .bind(row.ends_ms)
    .execute(&mut *connection)
    .await?;
    put(connection, row).await
}

/// Writes the changed columns.
pub async fn put(connection: &mut Connection, row: &External3dsRow) -> Result<(), StoreError> {
    let (status, challenge, authentication) = match row.status {
        AuthenticationStatus::Due(challenge) => ("DUE", Some(challenge), None),
        AuthenticationStatus::Passed => ("PASSED", None, None),
        AuthenticationStatus::Failed => ("FAILED", None, None),
        AuthenticationStatus::Frictionless(authentication) => {
            ("FRICTIONLESS", None, Some(authentication))
        }
        AuthenticationStatus::Authenticated(authentication) => {
            ("AUTHENTICATED", None, Some(authentication))
        }
    };
    query(
        "UPDATE external_3ds SET status = ?, wrong_codes = ?, authentication = ?, return_url = ?, \
         validation = ? WHERE operation_id = ?",
    )
    .bind(status)
    .bind(challenge.map_or(0, |challenge| i64::from(challenge.wrong_codes)))
    .bind(authentication.map(authentication_code))
    .bind(&row.return_url)
    .bind(&row.validation)
    .bind(&row.operation_id)
    .execute(connection)
    .await?;
    Ok(())
}

/// The authentication of an operation.
pub async fn find(
    connection: &mut Connection,
    operation_id: &str,
) -> Result<Option<External3dsRow>, StoreError> {
    let row = query("SELECT * FROM external_3ds WHERE operation_id = ?")
        .bind(operation_id)
        .fetch_optional(connection)
        .await?;
    let Some(row) = row else { return Ok(None) };
    let unreadable = || StoreError::Unreadable("3-step authentication");
    let wrong_codes: i64 = row.try_get("wrong_codes")?;
    let status = match row.try_get("status")? {
        "DUE" => AuthenticationStatus::Due(Challenge {
            means: ChallengeMeans::Page,
            wrong_codes: wrong_codes.try_into().map_err(|_| unreadable())?,
            // Its limit is that of the session.
            since_ms: 0,
        }),
        "PASSED" => AuthenticationStatus::Passed,
        "FAILED" => AuthenticationStatus::Failed,
        "FRICTIONLESS" => AuthenticationStatus::Frictionless(
            authentication_of(row.try_get("authentication")?).ok_or_else(unreadable)?,
        ),
        "AUTHENTICATED" => AuthenticationStatus::Authenticated(
            authentication_of(row.try_get("authentication")?).ok_or_else(unreadable)?,
        ),
        _ => return Err(unreadable()),
    };
    Ok(Some(External3dsRow {
        operation_id: row.try_get("operation_id")?,
        session_hash: row.try_get("session_hash")?,
        status,
        return_url: row.try_get("return_url")?,
        validation: row.try_get("validation")?,
        ends_ms: row.try_get("ends_ms")?,
    }))
}

fn authentication_code(authentication: Authentication) -> &'static str {
    match authentication {
        Authentication::Full => "FULL",
        Authentication::Attempted => "ATTEMPTED",
        Authentication::DataShared => "DATA_SHARED",
        Authentication::None => "NONE",
        Authentication::NotDue => "NOT_DUE",
    }
}

fn authentication_of(code: &str) -> Option<Authentication> {
    [
        Authentication::Full,
        Authentication::Attempted,
        Authentication::DataShared,
        Authentication::None,
        Authentication::NotDue,
    ]
    .into_iter()
    .find(|authentication| authentication_code(*authentication) == code)
}
