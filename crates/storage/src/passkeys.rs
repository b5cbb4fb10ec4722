//! Passkeys of members of the back office, and the questions that their browsers have not answered yet.
//!
//! What the JSON in `credential` and `state` means is decided by the back office. It has no secret.

use super::{Connection, Row, StoreError, members, query};
use crate::members::Member;

/// A member's passkey.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passkey {
    /// Its id in addresses of pages.
    pub id: String,
    /// The device's name for it, in base64url. No two passkeys have the same.
    pub credential_id: String,
    /// The member.
    pub member_id: String,
    /// The member's name for it.
    pub name: String,
    /// The public key and the device's counter, as JSON.
    pub credential: String,
    /// When it was added.
    pub created_ms: i64,
    /// When the member last used it. `None`: never.
    pub used_ms: Option<i64>,
}

/// What a browser was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To make a new passkey.
    Add,
    /// To log in with a passkey alone.
    LogIn,
    /// The second step of a log-in.
    SecondFactor,
    /// To confirm that it is still the member.
    Confirm,
}

impl Purpose {
    fn code(self) -> &'static str {
        match self {
            Purpose::Add => "ADD",
            Purpose::LogIn => "LOG_IN",
            Purpose::SecondFactor => "SECOND_FACTOR",
            Purpose::Confirm => "CONFIRM",
        }
    }
}

/// Stores a new passkey. `false`: a member has one with the same credential id.
pub async fn add(connection: &mut Connection, passkey: &Passkey) -> Result<bool, StoreError> {
    let added = query(
        "INSERT INTO passkey (passkey_id, credential_id, member_id, name, credential, created_ms) \
         VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
    )
    .bind(&passkey.id)
    .bind(&passkey.credential_id)
    .bind(&passkey.member_id)
    .bind(&passkey.name)
    .bind(&passkey.credential)
    .bind(passkey.created_ms)
    .execute(connection)
    .await?;
    Ok(added > 0)
}

/// A member's passkeys, oldest first.
pub async fn of_member(
    connection: &mut Connection,
    member_id: &str,
) -> Result<Vec<Passkey>, StoreError> {
    let rows = query("SELECT * FROM passkey WHERE member_id = ? ORDER BY created_ms, passkey_id")
        .bind(member_id)
        .fetch_all(connection)
        .await?;
    rows.iter().map(read).collect()
}

/// The passkey with this credential id, with its member, if the member may log in.
pub async fn with_member(
    connection: &mut Connection,
    credential_id: &str,
) -> Result<Option<(Passkey, Member)>, StoreError> {
    let row = query(
        "SELECT m.*, p.passkey_id, p.credential_id, p.name AS passkey_name, p.credential, p.created_ms AS added_ms, \
         p.used_ms FROM passkey p JOIN member m ON m.member_id = p.member_id \
         WHERE p.credential_id = ? AND m.disabled = 0",
    )
    .bind(credential_id)
    .fetch_optional(connection)
    .await?;
    row.map(|row| {
        let passkey = Passkey {
            id: row.try_get("passkey_id")?,
            credential_id: row.try_get("credential_id")?,
            member_id: row.try_get("member_id")?,
            name: row.try_get("passkey_name")?,
            credential: row.try_get("credential")?,
            created_ms: row.try_get("added_ms")?,
            used_ms: row.try_get("used_ms")?,
        };
        Ok((passkey, members::read(&row)?))
    })
    .transpose()
}

/// Records the use of a passkey: what its device counts now, and when. `false`: it was removed or used since it was read.
pub async fn put_used(
    connection: &mut Connection,
    read: &Passkey,
    credential: &str,
    now_ms: i64,
) -> Result<bool, StoreError> {
    let changed = query(
        "UPDATE passkey SET credential = ?, used_ms = ? WHERE passkey_id = ? AND credential = ?",
    )
    .bind(credential)
    .bind(now_ms)
    .bind(&read.id)
    .bind(&read.credential)
    .execute(connection)
    .await?;
    Ok(changed > 0)
}

/// Removes a passkey of a member. Returns its name. `None`: there is none.
pub async fn remove(
    connection: &mut Connection,
    member_id: &str,
    id: &str,
) -> Result<Option<String>, StoreError> {
    let row = query("DELETE FROM passkey WHERE member_id = ? AND passkey_id = ? RETURNING name")
        .bind(member_id)
        .bind(id)
        .fetch_optional(connection)
        .await?;
    Ok(row.map(|row| row.try_get("name")).transpose()?)
}

/// Keeps what a browser is asked, in place of an earlier question for the same purpose. Forgets questions of `over_ms` or before.
pub async fn ask(
    connection: &mut Connection,
    browser_hash: &str,
    purpose: Purpose,
    state: &str,
    now_ms: i64,
    over_ms: i64,
) -> Result<(), StoreError> {
    query("DELETE FROM passkey_question WHERE asked_ms <= ?")
        .bind(over_ms)
        .execute(&mut *connection)
        .await?;
    query(
        "INSERT INTO passkey_question (browser_hash, purpose, state, asked_ms) VALUES (?, ?, ?, ?) \
         ON CONFLICT (browser_hash, purpose) DO UPDATE SET state = excluded.state, asked_ms = excluded.asked_ms",
    )
    .bind(browser_hash)
    .bind(purpose.code())
    .bind(state)
    .bind(now_ms)
    .execute(connection)
    .await?;
    Ok(())
}

/// Takes the question that a browser answers: nobody can answer it again. `None`: there is none that was asked after `over_ms`.
pub async fn take_question(
    connection: &mut Connection,
    browser_hash: &str,
    purpose: Purpose,
    over_ms: i64,
) -> Result<Option<String>, StoreError> {
    let row = query(
        "DELETE FROM passkey_question WHERE browser_hash = ? AND purpose = ? AND asked_ms > ? RETURNING state",
    )
    .bind(browser_hash)
    .bind(purpose.code())
    .bind(over_ms)
    .fetch_optional(connection)
    .await?;
    Ok(row.map(|row| row.try_get("state")).transpose()?)
}

fn read(row: &Row) -> Result<Passkey, StoreError> {
    Ok(Passkey {
        id: row.try_get("passkey_id")?,
        credential_id: row.try_get("credential_id")?,
        member_id: row.try_get("member_id")?,
        name: row.try_get("name")?,
        credential: row.try_get("credential")?,
        created_ms: row.try_get("created_ms")?,
        used_ms: row.try_get("used_ms")?,
    })
}
