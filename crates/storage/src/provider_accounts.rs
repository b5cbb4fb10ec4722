//! Accounts of members at log-in providers (OpenID Connect), and log-ins there that have not come back yet.

use super::{Connection, StoreError, members, query};
use crate::members::Member;

/// An account at a provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Account<'a> {
    /// The provider, by its issuer identifier.
    pub issuer: &'a str,
    /// The person, as the provider names them; unique at the provider, and never given to somebody else.
    pub subject: &'a str,
}

/// A log-in at a provider that has not come back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderQuestion {
    /// The id of the provider.
    pub provider: String,
    /// The page that the log-in leads to.
    pub next: String,
    /// Whether the provider had to ask who it is, even if it knew already.
    pub is_fresh: bool,
    /// When it began.
    pub asked_ms: i64,
}

/// The member of a merchant with this account, if the member may log in.
pub async fn member(
    connection: &mut Connection,
    merchant_id: &str,
    account: Account<'_>,
) -> Result<Option<Member>, StoreError> {
    let row = query(
        "SELECT m.* FROM provider_account a JOIN member m ON m.member_id = a.member_id \
         WHERE a.merchant_id = ? AND a.issuer = ? AND a.subject = ? AND m.disabled = 0",
    )
    .bind(merchant_id)
    .bind(account.issuer)
    .bind(account.subject)
    .fetch_optional(connection)
    .await?;
    row.map(|row| members::read(&row)).transpose()
}

/// Binds a member to an account. `false`: the member has one, or the account belongs to another member of the merchant.
pub async fn bind(
    connection: &mut Connection,
    member: &Member,
    account: Account<'_>,
    now_ms: i64,
) -> Result<bool, StoreError> {
    let bound = query(
        "INSERT INTO provider_account (member_id, merchant_id, issuer, subject, bound_ms) VALUES (?, ?, ?, ?, ?) \
         ON CONFLICT DO NOTHING",
    )
    .bind(&member.id)
    .bind(&member.merchant_id)
    .bind(account.issuer)
    .bind(account.subject)
    .bind(now_ms)
    .execute(connection)
    .await?;
    Ok(bound > 0)
}

/// The issuer of a member's account, and since when it is bound. `None`: the member has none.
pub async fn of_member(
    connection: &mut Connection,
    member_id: &str,
) -> Result<Option<(String, i64)>, StoreError> {
    let row = query("SELECT issuer, bound_ms FROM provider_account WHERE member_id = ?")
        .bind(member_id)
        .fetch_optional(connection)
        .await?;
    Ok(row
        .map(|row| Ok::<_, sqlx::Error>((row.try_get("issuer")?, row.try_get("bound_ms")?)))
        .transpose()?)
}

/// Forgets a member's account. `false`: the member has none.
pub async fn forget(connection: &mut Connection, member_id: &str) -> Result<bool, StoreError> {
    let forgotten = query("DELETE FROM provider_account WHERE member_id = ?")
        .bind(member_id)
        .execute(connection)
        .await?;
    Ok(forgotten > 0)
}

/// Keeps a log-in that a browser begins. Forgets those of `over_ms` or before.
pub async fn ask(
    connection: &mut Connection,
    browser_hash: &str,
    question: &ProviderQuestion,
    over_ms: i64,
) -> Result<(), StoreError> {
    query("DELETE FROM provider_question WHERE asked_ms <= ?")
        .bind(over_ms)
        .execute(&mut *connection)
        .await?;
    query(
        "INSERT INTO provider_question (browser_hash, provider, next_page, is_fresh, asked_ms) VALUES (?, ?, ?, ?, ?)",
    )
    .bind(browser_hash)
    .bind(&question.provider)
    .bind(&question.next)
    .bind(i64::from(question.is_fresh))
    .bind(question.asked_ms)
    .execute(connection)
    .await?;
    Ok(())
}

/// Takes the log-in that comes back to a browser: it cannot come back again. `None`: there is none that began after `over_ms`.
pub async fn take_question(
    connection: &mut Connection,
    browser_hash: &str,
    over_ms: i64,
) -> Result<Option<ProviderQuestion>, StoreError> {
    let row = query(
        "DELETE FROM provider_question WHERE browser_hash = ? AND asked_ms > ? \
         RETURNING provider, next_page, is_fresh, asked_ms",
    )
    .bind(browser_hash)
    .bind(over_ms)
    .fetch_optional(connection)
    .await?;
    row.map(|row| {
        Ok(ProviderQuestion {
            provider: row.try_get("provider")?,
            next: row.try_get("next_page")?,
            is_fresh: row.try_get::<i64>("is_fresh")? != 0,
            asked_ms: row.try_get("asked_ms")?,
        })
    })
    .transpose()
}
