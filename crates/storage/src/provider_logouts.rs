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

/// Takes a token. `false`: it was taken before. Forgets those that are too old to come again.
pub async fn take_token(
    connection: &mut Connection,
    provider: &str,
    token_hash: &str,
    until_ms: i64,
    now_ms: i64,
) -> Result<bool, StoreError> {
    query("DELETE FROM logout_token WHERE until_ms <= ?")
        .bind(now_ms)
        .execute(&mut *connection)
        .await?;
    let taken = query(
        "INSERT INTO logout_token (provider, token_hash, until_ms) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
    )
    .bind(provider)
    .bind(token_hash)
    .bind(until_ms)
    .execute(connection)
    .await?;
    Ok(taken > 0)
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
