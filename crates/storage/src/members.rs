//! Members of the back office: people who work for one merchant.

use super::{Connection, Row, StoreError, query, query_scalar};
use crate::audit::{Author, Entry};
use payframe_payment_domain::back_office::{Act, Role};

/// A member of the back office.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Their id.
    pub id: String,
    /// The member's merchant.
    pub merchant_id: String,
    /// The member's name.
    pub name: String,
    /// In lower case.
    pub email: String,
    /// The member's permissions.
    pub role: Role,
    /// Whether the member is blocked from logging in.
    pub disabled: bool,
    /// When the member was created.
    pub created_ms: i64,
    /// Whether the member has to choose another password first, because somebody else knows the present one.
    pub must_change: bool,
}

impl Member {
    /// An entry of the audit log for an action of this member, whose browser has this address.
    pub fn entry<'a>(
        &'a self,
        address: &'a str,
        at_ms: i64,
        act: Act,
        subject: &'a str,
        detail: &'a str,
    ) -> Entry<'a> {
        Entry {
            merchant_id: &self.merchant_id,
            author: Author::Member {
                member_id: &self.id,
                address,
            },
            at_ms,
            act,
            subject,
            detail,
        }
    }
}

/// Stores a new member. `false`: the merchant has a member with this e-mail address.
pub async fn add(
    connection: &mut Connection,
    member: &Member,
    password_hash: &str,
) -> Result<bool, StoreError> {
    let added = query(
        "INSERT INTO member (member_id, merchant_id, name, email, role, password_hash, disabled, created_ms, \
         must_change, active_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?8) ON CONFLICT (merchant_id, email) DO NOTHING",
    )
    .bind(&member.id)
    .bind(&member.merchant_id)
    .bind(&member.name)
    .bind(&member.email)
    .bind(member.role.code())
    .bind(password_hash)
    .bind(i64::from(member.disabled))
    .bind(member.created_ms)
    .bind(i64::from(member.must_change))
    .execute(connection)
    .await?;
    Ok(added > 0)
}

/// The members with an e-mail address, at most one of each merchant, and the hashes of their passwords.
pub async fn by_email(
    connection: &mut Connection,
    email: &str,
) -> Result<Vec<(Member, String)>, StoreError> {
    let rows = query("SELECT * FROM member WHERE email = ? ORDER BY merchant_id")
        .bind(email)
        .fetch_all(connection)
        .await?;
    rows.iter()
        .map(|row| Ok((read(row)?, row.try_get("password_hash")?)))
        .collect()
}

/// The hash of a member's password.
pub async fn password_of(
    connection: &mut Connection,
    member_id: &str,
) -> Result<Option<String>, StoreError> {
    let found = query_scalar("SELECT password_hash FROM member WHERE member_id = ?")
        .bind(member_id)
        .fetch_optional(connection);
    Ok(found.await?)
}

/// A merchant's members by name.
pub async fn of_merchant(
    connection: &mut Connection,
    merchant_id: &str,
) -> Result<Vec<Member>, StoreError> {
    let rows = query("SELECT * FROM member WHERE merchant_id = ? ORDER BY name, email")
        .bind(merchant_id)
        .fetch_all(connection)
        .await?;
    rows.iter().map(read).collect()
}

/// The members of all merchants.
pub async fn all(connection: &mut Connection) -> Result<Vec<Member>, StoreError> {
    let rows = query("SELECT * FROM member ORDER BY merchant_id, name, email")
        .fetch_all(connection)
        .await?;
    rows.iter().map(read).collect()
}

/// The number of active administrators of a merchant.
pub async fn administrators(
    connection: &mut Connection,
    merchant_id: &str,
) -> Result<i64, StoreError> {
    Ok(query_scalar(
        "SELECT COUNT(*) FROM member WHERE merchant_id = ? AND role = ? AND disabled = 0",
    )
    .bind(merchant_id)
    .bind(Role::Administrator.code())
    .fetch_one(connection)
    .await?)
}

/// Changes a member's role.
pub async fn put_role(
    connection: &mut Connection,
    member_id: &str,
    role: Role,
) -> Result<(), StoreError> {
    query("UPDATE member SET role = ? WHERE member_id = ?")
        .bind(role.code())
        .bind(member_id)
        .execute(connection)
        .await?;
    Ok(())
}

/// Unblocks a member. The time without a log-in starts again.
pub async fn enable(
    connection: &mut Connection,
    member_id: &str,
    now_ms: i64,
) -> Result<(), StoreError> {
    query("UPDATE member SET disabled = 0, active_ms = ? WHERE member_id = ?")
        .bind(now_ms)
        .bind(member_id)
        .execute(connection)
        .await?;
    Ok(())
}

/// Records a log-in.
pub async fn put_active(
    connection: &mut Connection,
    member_id: &str,
    now_ms: i64,
) -> Result<(), StoreError> {
    query("UPDATE member SET active_ms = ? WHERE member_id = ?")
        .bind(now_ms)
        .bind(member_id)
        .execute(connection)
        .await?;
    Ok(())
}

/// The members who are not blocked and did not log in after an instant.
pub async fn dormant(
    connection: &mut Connection,
    since_ms: i64,
) -> Result<Vec<Member>, StoreError> {
    let rows =
        query("SELECT * FROM member WHERE disabled = 0 AND active_ms <= ? ORDER BY member_id")
            .bind(since_ms)
            .fetch_all(connection)
            .await?;
    rows.iter().map(read).collect()
}

/// Blocks a member.
pub async fn disable(connection: &mut Connection, member_id: &str) -> Result<(), StoreError> {
    query("UPDATE member SET disabled = 1 WHERE member_id = ?")
        .bind(member_id)
        .execute(connection)
        .await?;
    Ok(())
}

/// A new password of a member.
pub struct NewPassword<'a> {
    /// Its hash.
    pub hash: &'a str,
    /// Whether the member has to choose another one first.
    pub must_change: bool,
    /// When it is set.
    pub now_ms: i64,
}

/// Changes a member's password. The former one is kept with those before it, as far as they are not taken again.
pub async fn put_password(
    connection: &mut Connection,
    member_id: &str,
    password: &NewPassword<'_>,
) -> Result<(), StoreError> {
    query(
        "INSERT INTO former_password (member_id, password_hash, ended_ms) \
         SELECT member_id, password_hash, ?1 FROM member WHERE member_id = ?2",
    )
    .bind(password.now_ms)
    .bind(member_id)
    .execute(&mut *connection)
    .await?;
    query(
        "DELETE FROM former_password WHERE member_id = ?1 AND password_hash NOT IN (SELECT f.password_hash \
         FROM former_password f WHERE f.member_id = ?1 ORDER BY f.ended_ms DESC LIMIT 3)",
    )
    .bind(member_id)
    .execute(&mut *connection)
    .await?;
    query("UPDATE member SET password_hash = ?, must_change = ? WHERE member_id = ?")
        .bind(password.hash)
        .bind(i64::from(password.must_change))
        .bind(member_id)
        .execute(connection)
        .await?;
    Ok(())
}

/// The hashes of a member's last four passwords, with the present one.
pub async fn last_passwords(
    connection: &mut Connection,
    member_id: &str,
) -> Result<Vec<String>, StoreError> {
    let rows = query(
        "SELECT password_hash FROM member WHERE member_id = ?1 \
         UNION ALL SELECT password_hash FROM former_password WHERE member_id = ?1",
    )
    .bind(member_id)
    .fetch_all(connection)
    .await?;
    let read: Result<_, sqlx::Error> = rows.iter().map(Row::first).collect();
    Ok(read?)
}

/// Reads a member from a row with these columns.
pub(crate) fn read(row: &Row) -> Result<Member, StoreError> {
    let role: &str = row.try_get("role")?;
    Ok(Member {
        id: row.try_get("member_id")?,
        merchant_id: row.try_get("merchant_id")?,
        name: row.try_get("name")?,
        email: row.try_get("email")?,
        role: Role::from_code(role).ok_or(StoreError::Unreadable("role"))?,
        disabled: row.try_get::<i64>("disabled")? != 0,
        created_ms: row.try_get("created_ms")?,
        must_change: row.try_get::<i64>("must_change")? != 0,
    })
}
