//! Log-outs that a provider tells (OpenID Connect Back-Channel Logout): which tokens were taken, and which login sessions they end.

use super::{Connection, StoreError, login_sessions, members, query};
use crate::members::Member;

/// What a provider says is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndedLogIns<'a> {
    /// The merchant whose members log in at the provider.
    pub merchant_id: &'a str,
    /// The provider, by its issuer identifier.
    pub issuer: &'a str,
    /// The person. `None`: the log-in alone says who it is.
    pub subject: Option<&'a str>,
    /// The hash of the log-in's name at the provider. `None`: all log-ins of the person.
    pub session_hash: Option<&'a str>,
}

/// A logout token. What it names is hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogoutToken<'a> {
    /// The provider, by its id in the operator's file.
    pub provider: &'a str,
    /// The token's id (`jti`).
    pub token_hash: &'a str,
    /// The person, if it names one.
    pub subject_hash: Option<&'a str>,
    /// The log-in, if it names one.
    pub session_hash: Option<&'a str>,
    /// From then on it cannot come again, and no log-in from before it is on its way.
    pub until_ms: i64,
}

/// Takes a token. `false`: it was taken before. Forgets those of which nothing follows any more.
pub async fn take_token(
    connection: &mut Connection,
    token: &LogoutToken<'_>,
    now_ms: i64,
) -> Result<bool, StoreError> {
    query("DELETE FROM logout_token WHERE until_ms <= ?")
        .bind(now_ms)
        .execute(&mut *connection)
        .await?;
    let taken = query(
        "INSERT INTO logout_token (provider, token_hash, until_ms, taken_ms, subject_hash, session_hash) \
         VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
    )
    .bind(token.provider)
    .bind(token.token_hash)
    .bind(token.until_ms)
    .bind(now_ms)
    .bind(token.subject_hash)
    .bind(token.session_hash)
    .execute(connection)
    .await?;
    Ok(taken > 0)
}

/// Whether a provider has told since an instant that such a log-in is over.
pub async fn told_since(
    connection: &mut Connection,
    provider: &str,
    (subject_hash, session_hash): (&str, Option<&str>),
    since_ms: i64,
) -> Result<bool, StoreError> {
    let found = query(
        "SELECT 1 FROM logout_token WHERE provider = ?1 AND taken_ms > ?2 AND (subject_hash IS NULL OR subject_hash = ?3) \
         AND (session_hash IS NULL OR session_hash = ?4) LIMIT 1",
    )
    .bind(provider)
    .bind(since_ms)
    .bind(subject_hash)
    .bind(session_hash)
    .fetch_optional(connection)
    .await?;
    Ok(found.is_some())
}

/// Ends the sessions that began with such log-ins. Returns their members, each once. Sessions that began otherwise stay.
pub async fn end(
    connection: &mut Connection,
    ended: &EndedLogIns<'_>,
) -> Result<Vec<Member>, StoreError> {
    let rows = query(
        "SELECT m.*, s.token_hash FROM login_session s JOIN member m ON m.member_id = s.member_id \
         JOIN provider_account a ON a.member_id = m.member_id \
         WHERE a.merchant_id = ?1 AND a.issuer = ?2 AND s.provider_factors IN (1, 2) \
         AND (?3 IS NULL OR a.subject = ?3) AND (?4 IS NULL OR s.provider_session_hash = ?4) ORDER BY m.member_id",
    )
    .bind(ended.merchant_id)
    .bind(ended.issuer)
    .bind(ended.subject)
    .bind(ended.session_hash)
    .fetch_all(&mut *connection)
    .await?;
    let mut found: Vec<Member> = Vec::new();
    for row in &rows {
        login_sessions::end(connection, row.try_get("token_hash")?).await?;
        found.push(members::read(row)?);
    }
    found.dedup();
    Ok(found)
}
