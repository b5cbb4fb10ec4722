//! Members of the back office: people who work for one merchant.

use super::{Connection, Row, StoreError, query, query_scalar};
use crate::audit::Entry;
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
}

impl Member {
    /// An entry of the audit log for an action of this member.
    pub fn entry<'a>(
        &'a self,
        at_ms: i64,
        act: Act,
        subject: &'a str,
        detail: &'a str,
    ) -> Entry<'a> {
        Entry {
            merchant_id: &self.merchant_id,
            member_id: Some(&self.id),
            at_ms,
            act,
            subject,
            detail,
        }
    }
}

/// Stores a new member. `false`: the e-mail address is in use.
pub async fn add(
    connection: &mut Connection,
    member: &Member,
    password_hash: &str,
) -> Result<bool, StoreError> {
    let added = query(
        "INSERT INTO member (member_id, merchant_id, name, email, role, password_hash, disabled, created_ms) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (email) DO NOTHING",
    )
    .bind(&member.id)
    .bind(&member.merchant_id)
    .bind(&member.name)
    .bind(&member.email)
    .bind(member.role.code())
    .bind(password_hash)
    .bind(i64::from(member.disabled))
    .bind(member.created_ms)
    .execute(connection)
    .await?;
    Ok(added > 0)
}

/// The member with an e-mail address, and the hash of their password.
pub async fn by_email(
    connection: &mut Connection,
    email: &str,
) -> Result<Option<(Member, String)>, StoreError> {
    let row = query("SELECT * FROM member WHERE email = ?")
        .bind(email)
        .fetch_optional(connection)
        .await?;
    row.map(|row| Ok((read(&row)?, row.try_get("password_hash")?)))
        .transpose()
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

/// Blocks or unblocks a member.
pub async fn put_disabled(
    connection: &mut Connection,
    member_id: &str,
    disabled: bool,
) -> Result<(), StoreError> {
    query("UPDATE member SET disabled = ? WHERE member_id = ?")
        .bind(i64::from(disabled))
        .bind(member_id)
        .execute(connection)
        .await?;
    Ok(())
}

/// Changes a member's password.
pub async fn put_password(
    connection: &mut Connection,
    member_id: &str,
    password_hash: &str,
) -> Result<(), StoreError> {
    query("UPDATE member SET password_hash = ? WHERE member_id = ?")
        .bind(password_hash)
        .bind(member_id)
        .execute(connection)
        .await?;
    Ok(())
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
    })
}
