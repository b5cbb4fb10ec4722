//! Login sessions of the back office, and the number of login attempts.

use super::{Connection, StoreError, members, query};
use crate::members::Member;

/// How somebody proved who they are at the first step of a log-in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// By their password, or by a passkey.
    Own,
    /// By a log-in at a provider.
    Provider,
    /// By a log-in at a provider that counts as two factors.
    ProviderWithTwoFactors,
    /// By a secret for one log-in that the operator had made.
    EmergencyAccess,
}

impl Proof {
    fn code(self) -> i64 {
        match self {
            Proof::Own => 0,
            Proof::Provider => 1,
            Proof::ProviderWithTwoFactors => 2,
            Proof::EmergencyAccess => 3,
        }
    }

    fn from_code(code: i64) -> Result<Proof, StoreError> {
        match code {
            0 => Ok(Proof::Own),
            1 => Ok(Proof::Provider),
            2 => Ok(Proof::ProviderWithTwoFactors),
            3 => Ok(Proof::EmergencyAccess),
            _ => Err(StoreError::Unreadable("login_session.provider_factors")),
        }
    }
}

/// A member who is logged in.
pub struct LoginSessionRow {
    /// The member.
    pub member: Member,
    /// The name of the member's merchant.
    pub merchant_name: String,
    /// When the member logged in.
    pub created_ms: i64,
    /// When the last page was requested.
    pub seen_ms: i64,
    /// When the member last gave the password or a code.
    pub confirmed_ms: i64,
    /// Whether the password was right, and the code of the second factor is not given yet.
    pub awaits_code: bool,
    /// Whether the member has a second factor.
    pub has_second_factor: bool,
    /// How the member proved who they are.
    pub proof: Proof,
    /// The hash of the log-in's name at the provider, if it began there and has one.
    pub provider_session_hash: Option<String>,
}

/// A new login session.
pub struct NewLoginSession<'a> {
    /// Its id in the list of the member's log-ins.
    pub id: &'a str,
    /// The hash of the cookie's token.
    pub token_hash: &'a str,
    /// The member.
    pub member_id: &'a str,
    /// When it starts.
    pub now_ms: i64,
    /// When the member gave the password or another proof.
    pub confirmed_ms: i64,
    /// Whether the code of the second factor is not given yet.
    pub awaits_code: bool,
    /// How the member proved who they are.
    pub proof: Proof,
    /// The hash of the log-in's name at the provider, if it began there and has one.
    pub provider_session_hash: Option<&'a str>,
    /// The caller's address; empty if it is not known.
    pub address: &'a str,
    /// The family of the browser.
    pub browser: &'a str,
}

/// A login session in the list of a member's log-ins.
pub struct ListedSession {
    /// Its id in the list.
    pub id: String,
    /// The hash of the cookie's token.
    pub token_hash: String,
    /// The caller's address at the log-in; empty if it is not known.
    pub address: String,
    /// The family of the browser.
    pub browser: String,
    /// When the member logged in.
    pub created_ms: i64,
    /// When the last page was requested, within a minute.
    pub seen_ms: i64,
}

/// Stores a new login session.
pub async fn add(
    connection: &mut Connection,
    session: &NewLoginSession<'_>,
) -> Result<(), StoreError> {
    query(
        "INSERT INTO login_session (token_hash, member_id, created_ms, seen_ms, awaits_code, session_id, address, \
         browser, confirmed_ms, provider_factors, provider_session_hash) VALUES (?1, ?2, ?3, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )
    .bind(session.token_hash)
    .bind(session.member_id)
    .bind(session.now_ms)
    .bind(i64::from(session.awaits_code))
    .bind(session.id)
    .bind(session.address)
    .bind(session.browser)
    .bind(session.confirmed_ms)
    .bind(session.proof.code())
    .bind(session.provider_session_hash)
    .execute(connection)
    .await?;
    Ok(())
}

/// The session with this token, if its member may log in.
pub async fn find(
    connection: &mut Connection,
    token_hash: &str,
) -> Result<Option<LoginSessionRow>, StoreError> {
    let row = query(
        "SELECT m.*, h.name AS merchant_name, s.created_ms AS sat_ms, s.seen_ms, s.confirmed_ms, s.awaits_code, s.provider_factors, \
         s.provider_session_hash, \
         (SELECT COUNT(*) FROM second_factor f WHERE f.member_id = m.member_id) \
         + (SELECT COUNT(*) FROM passkey p WHERE p.member_id = m.member_id) AS factors FROM login_session s \
         JOIN member m ON m.member_id = s.member_id JOIN merchant h ON h.merchant_id = m.merchant_id \
         WHERE s.token_hash = ? AND m.disabled = 0",
    )
    .bind(token_hash)
    .fetch_optional(connection)
    .await?;
    row.map(|row| {
        Ok(LoginSessionRow {
            member: members::read(&row)?,
            merchant_name: row.try_get("merchant_name")?,
            created_ms: row.try_get("sat_ms")?,
            seen_ms: row.try_get("seen_ms")?,
            confirmed_ms: row.try_get("confirmed_ms")?,
            awaits_code: row.try_get::<i64>("awaits_code")? != 0,
            has_second_factor: row.try_get::<i64>("factors")? != 0,
            proof: Proof::from_code(row.try_get("provider_factors")?)?,
            provider_session_hash: row.try_get("provider_session_hash")?,
        })
    })
    .transpose()
}

/// Notes that a log-in reads the audit log. `false`: it did so after `since_ms`, too.
pub async fn note_audit_read(
    connection: &mut Connection,
    token_hash: &str,
    now_ms: i64,
    since_ms: i64,
) -> Result<bool, StoreError> {
    let noted = query(
        "UPDATE login_session SET audit_read_ms = ? WHERE token_hash = ? AND audit_read_ms <= ?",
    )
    .bind(now_ms)
    .bind(token_hash)
    .bind(since_ms)
    .execute(connection)
    .await?;
    Ok(noted > 0)
}

/// A member's sessions that are open, newest first: they started after `started_after_ms`, and were used after `used_after_ms`.
pub async fn of_member(
    connection: &mut Connection,
    member_id: &str,
    started_after_ms: i64,
    used_after_ms: i64,
) -> Result<Vec<ListedSession>, StoreError> {
    let rows = query(
        "SELECT * FROM login_session WHERE member_id = ? AND awaits_code = 0 AND created_ms > ? AND seen_ms > ? \
         ORDER BY created_ms DESC, session_id",
    )
    .bind(member_id)
    .bind(started_after_ms)
    .bind(used_after_ms)
    .fetch_all(connection)
    .await?;
    let read = |row: &crate::Row| {
        Ok(ListedSession {
            id: row.try_get("session_id")?,
            token_hash: row.try_get("token_hash")?,
            address: row.try_get("address")?,
            browser: row.try_get("browser")?,
            created_ms: row.try_get("created_ms")?,
            seen_ms: row.try_get("seen_ms")?,
        })
    };
    rows.iter().map(read).collect()
}

/// Ends the session of a member that has this id in the list. `false`: there is none.
pub async fn end_listed(
    connection: &mut Connection,
    member_id: &str,
    id: &str,
) -> Result<bool, StoreError> {
    let ended = query("DELETE FROM login_session WHERE member_id = ? AND session_id = ?")
        .bind(member_id)
        .bind(id)
        .execute(connection)
        .await?;
    Ok(ended > 0)
}

/// Records the time of a request.
pub async fn put_seen(
    connection: &mut Connection,
    token_hash: &str,
    now_ms: i64,
) -> Result<(), StoreError> {
    query("UPDATE login_session SET seen_ms = ? WHERE token_hash = ?")
        .bind(now_ms)
        .bind(token_hash)
        .execute(connection)
        .await?;
    Ok(())
}

/// Records that the member gave the password or a code again.
pub async fn put_confirmed(
    connection: &mut Connection,
    token_hash: &str,
    now_ms: i64,
) -> Result<(), StoreError> {
    query("UPDATE login_session SET confirmed_ms = ? WHERE token_hash = ?")
        .bind(now_ms)
        .bind(token_hash)
        .execute(connection)
        .await?;
    Ok(())
}

/// Ends a session.
pub async fn end(connection: &mut Connection, token_hash: &str) -> Result<(), StoreError> {
    query("DELETE FROM login_session WHERE token_hash = ?")
        .bind(token_hash)
        .execute(connection)
        .await?;
    Ok(())
}

/// Ends all sessions of a member.
pub async fn end_all(connection: &mut Connection, member_id: &str) -> Result<(), StoreError> {
    query("DELETE FROM login_session WHERE member_id = ?")
        .bind(member_id)
        .execute(connection)
        .await?;
    Ok(())
}

/// Ends all sessions of a member but this one.
pub async fn end_others(
    connection: &mut Connection,
    member_id: &str,
    token_hash: &str,
) -> Result<(), StoreError> {
    query("DELETE FROM login_session WHERE member_id = ? AND token_hash <> ?")
        .bind(member_id)
        .bind(token_hash)
        .execute(connection)
        .await?;
    Ok(())
}

/// Deletes sessions that started before an instant.
pub async fn forget(connection: &mut Connection, before_ms: i64) -> Result<(), StoreError> {
    query("DELETE FROM login_session WHERE created_ms < ?")
        .bind(before_ms)
        .execute(connection)
        .await?;
    Ok(())
}

/// Counts a login attempt. Returns the number of attempts in the present period, including this one, and the start of the period. A period
/// that started at `over_ms` or before is over.
pub async fn count_attempt(
    connection: &mut Connection,
    subject: &str,
    now_ms: i64,
    over_ms: i64,
) -> Result<(i64, i64), StoreError> {
    let row = query(
        "INSERT INTO login_attempt (subject, tried, since_ms) VALUES (?1, 1, ?2) ON CONFLICT (subject) DO UPDATE SET \
         tried = CASE WHEN login_attempt.since_ms <= ?3 THEN 1 ELSE login_attempt.tried + 1 END, \
         since_ms = CASE WHEN login_attempt.since_ms <= ?3 THEN ?2 ELSE login_attempt.since_ms END \
         RETURNING tried, since_ms",
    )
    .bind(subject)
    .bind(now_ms)
    .bind(over_ms)
    .fetch_one(connection)
    .await?;
    Ok((row.try_get("tried")?, row.try_get("since_ms")?))
}

/// Removes a successful attempt from the count.
pub async fn uncount_attempt(connection: &mut Connection, subject: &str) -> Result<(), StoreError> {
    query("UPDATE login_attempt SET tried = tried - 1 WHERE subject = ? AND tried > 0")
        .bind(subject)
        .execute(connection)
        .await?;
    Ok(())
}

/// Deletes a subject's attempts.
pub async fn forget_attempts_of(
    connection: &mut Connection,
    subject: &str,
) -> Result<(), StoreError> {
    query("DELETE FROM login_attempt WHERE subject = ?")
        .bind(subject)
        .execute(connection)
        .await?;
    Ok(())
}

/// Deletes the periods that started at an instant or before.
pub async fn forget_attempts(connection: &mut Connection, over_ms: i64) -> Result<(), StoreError> {
    query("DELETE FROM login_attempt WHERE since_ms <= ?")
        .bind(over_ms)
        .execute(connection)
        .await?;
    Ok(())
}
