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
    let StoredStatus {
        code,
        wrong_codes,
        authentication,
    } = StoredStatus::of(row.status);
    query(
        "UPDATE external_3ds SET status = ?, wrong_codes = ?, authentication = ?, return_url = ?, \
         validation = ? WHERE operation_id = ?",
    )
    .bind(code)
    .bind(wrong_codes)
    .bind(authentication)
    .bind(&row.return_url)
    .bind(&row.validation)
    .bind(&row.operation_id)
    .execute(connection)
    .await?;
    Ok(())
}

/// The issuer has demanded a challenge of this session: its payment makes no other wish any more, and claims no exemption.
pub async fn put_no_preference(
    connection: &mut Connection,
    session_hash: &str,
) -> Result<(), StoreError> {
    query("UPDATE build_session SET challenge_wish = 'NO_PREFERENCE' WHERE session_hash = ?")
        .bind(session_hash)
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
    let stored = StoredStatus {
        code: row.try_get("status")?,
        wrong_codes: row.try_get("wrong_codes")?,
        authentication: row.try_get("authentication")?,
    };
    let status = stored
        .read()
        .ok_or(StoreError::Unreadable("3-step authentication"))?;
    Ok(Some(External3dsRow {
        operation_id: row.try_get("operation_id")?,
        session_hash: row.try_get("session_hash")?,
        status,
        return_url: row.try_get("return_url")?,
        validation: row.try_get("validation")?,
        ends_ms: row.try_get("ends_ms")?,
    }))
}

/// A status in its columns.
struct StoredStatus<'a> {
    code: &'a str,
    wrong_codes: i64,
    authentication: Option<&'a str>,
}

impl StoredStatus<'_> {
    fn of(status: AuthenticationStatus) -> StoredStatus<'static> {
        let (code, challenge, authentication) = match status {
            AuthenticationStatus::BrowserDue => ("BROWSER_DUE", None, None),
            AuthenticationStatus::Due(challenge) => ("DUE", Some(challenge), None),
            AuthenticationStatus::Passed(authentication) => ("PASSED", None, Some(authentication)),
            AuthenticationStatus::Failed => ("FAILED", None, None),
            AuthenticationStatus::Frictionless(authentication) => {
                ("FRICTIONLESS", None, Some(authentication))
            }
            AuthenticationStatus::Authenticated(authentication) => {
                ("AUTHENTICATED", None, Some(authentication))
            }
        };
        StoredStatus {
            code,
            wrong_codes: challenge.map_or(0, |challenge| i64::from(challenge.wrong_codes)),
            authentication: authentication.map(authentication_code),
        }
    }

    fn read(&self) -> Option<AuthenticationStatus> {
        let authentication = self.authentication.map(authentication_of);
        Some(match self.code {
            "BROWSER_DUE" => AuthenticationStatus::BrowserDue,
            "DUE" => AuthenticationStatus::Due(Challenge {
                means: ChallengeMeans::Page,
                wrong_codes: self.wrong_codes.try_into().ok()?,
                // Its limit is that of the session.
                since_ms: 0,
            }),
            // Rows of earlier releases say no more, and mean a challenge that was passed.
            "PASSED" => {
                AuthenticationStatus::Passed(authentication.unwrap_or(Some(Authentication::Full))?)
            }
            "FAILED" => AuthenticationStatus::Failed,
            "FRICTIONLESS" => AuthenticationStatus::Frictionless(authentication??),
            "AUTHENTICATED" => AuthenticationStatus::Authenticated(authentication??),
            _ => return None,
        })
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_status_is_read_as_it_was_written() {
        let challenge = Challenge {
            means: ChallengeMeans::Page,
            wrong_codes: 2,
            since_ms: 0,
        };
        for status in [
            AuthenticationStatus::BrowserDue,
            AuthenticationStatus::Due(challenge),
            AuthenticationStatus::Passed(Authentication::Attempted),
            AuthenticationStatus::Passed(Authentication::None),
            AuthenticationStatus::Failed,
            AuthenticationStatus::Frictionless(Authentication::DataShared),
            AuthenticationStatus::Authenticated(Authentication::Full),
        ] {
            assert_eq!(StoredStatus::of(status).read(), Some(status));
        }
    }

    #[test]
    fn a_challenge_that_an_earlier_release_passed_stays_passed() {
        let read = |code, authentication| {
            let wrong_codes = 0;
            StoredStatus {
                code,
                wrong_codes,
                authentication,
            }
            .read()
        };
        let full = AuthenticationStatus::Passed(Authentication::Full);
        assert_eq!(read("PASSED", None), Some(full));
        assert_eq!(read("AUTHENTICATED", None), None);
        assert_eq!(read("PASSED", Some("OTHER")), None);
        assert_eq!(read("OTHER", None), None);
    }
}
