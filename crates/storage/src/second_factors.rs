//! The second factors of members of the back office: the secret of their authenticator app, their recovery codes, and how many they have
//! with their passkeys ([`crate::passkeys`]).

use super::{Connection, StoreError, query, query_scalar};

/// A member's authenticator app.
pub struct SecondFactor {
    /// The secret that the app shares, encrypted.
    pub encrypted_secret: Vec<u8>,
    /// When it was set up.
    pub created_ms: i64,
}

/// Sets an app up, in place of another one. `step` is the step of the code that confirmed it.
pub async fn put(
    connection: &mut Connection,
    member_id: &str,
    encrypted_secret: &[u8],
    step: i64,
    now_ms: i64,
) -> Result<(), StoreError> {
    query(
        "INSERT INTO second_factor (member_id, sealed_secret, last_step, created_ms) VALUES (?, ?, ?, ?) \
         ON CONFLICT (member_id) DO UPDATE SET sealed_secret = excluded.sealed_secret, last_step = excluded.last_step, \
         created_ms = excluded.created_ms",
    )
    .bind(member_id)
    .bind(encrypted_secret)
    .bind(step)
    .bind(now_ms)
    .execute(connection)
    .await?;
    Ok(())
}

/// A member's app, if one is set up.
pub async fn find(
    connection: &mut Connection,
    member_id: &str,
) -> Result<Option<SecondFactor>, StoreError> {
    let row = query("SELECT sealed_secret, created_ms FROM second_factor WHERE member_id = ?")
        .bind(member_id)
        .fetch_optional(connection)
        .await?;
    row.map(|row| {
        Ok(SecondFactor {
            encrypted_secret: row.try_get("sealed_secret")?,
            created_ms: row.try_get("created_ms")?,
        })
    })
    .transpose()
}

/// Uses the code of a step. `false`: it was used before, or a newer one.
pub async fn use_step(
    connection: &mut Connection,
    member_id: &str,
    step: i64,
) -> Result<bool, StoreError> {
    let used =
        query("UPDATE second_factor SET last_step = ?1 WHERE member_id = ?2 AND last_step < ?1")
            .bind(step)
            .bind(member_id)
            .execute(connection)
            .await?;
    Ok(used > 0)
}

/// Replaces a member's recovery codes by those with these hashes.
pub async fn put_recovery_codes(
    connection: &mut Connection,
    member_id: &str,
    hashes: &[String],
) -> Result<(), StoreError> {
    query("DELETE FROM recovery_code WHERE member_id = ?")
        .bind(member_id)
        .execute(&mut *connection)
        .await?;
    for hash in hashes {
        query("INSERT INTO recovery_code (member_id, code_hash) VALUES (?, ?)")
            .bind(member_id)
            .bind(hash)
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

/// Uses a recovery code up. `false`: it is not one of the member's.
pub async fn use_recovery_code(
    connection: &mut Connection,
    member_id: &str,
    hash: &str,
) -> Result<bool, StoreError> {
    let used = query("DELETE FROM recovery_code WHERE member_id = ? AND code_hash = ?")
        .bind(member_id)
        .bind(hash)
        .execute(connection)
        .await?;
    Ok(used > 0)
}

/// How many recovery codes a member has left.
pub async fn recovery_codes(
    connection: &mut Connection,
    member_id: &str,
) -> Result<i64, StoreError> {
    Ok(
        query_scalar("SELECT COUNT(*) FROM recovery_code WHERE member_id = ?")
            .bind(member_id)
            .fetch_one(connection)
            .await?,
    )
}

/// How many second factors a member has: the app and each passkey. Recovery codes are none.
pub async fn count(connection: &mut Connection, member_id: &str) -> Result<i64, StoreError> {
    Ok(query_scalar(
        "SELECT (SELECT COUNT(*) FROM second_factor f WHERE f.member_id = ?1) \
         + (SELECT COUNT(*) FROM passkey p WHERE p.member_id = ?1)",
    )
    .bind(member_id)
    .fetch_one(connection)
    .await?)
}

/// Removes a member's app. `false`: there was none.
pub async fn remove_app(connection: &mut Connection, member_id: &str) -> Result<bool, StoreError> {
    let removed = query("DELETE FROM second_factor WHERE member_id = ?")
        .bind(member_id)
        .execute(connection)
        .await?;
    Ok(removed > 0)
}

/// Removes a member's app, passkeys and recovery codes. `false`: there was neither an app nor a passkey.
pub async fn remove_all(connection: &mut Connection, member_id: &str) -> Result<bool, StoreError> {
    put_recovery_codes(connection, member_id, &[]).await?;
    let passkeys = query("DELETE FROM passkey WHERE member_id = ?")
        .bind(member_id)
        .execute(&mut *connection)
        .await?;
    Ok(remove_app(connection, member_id).await? || passkeys > 0)
}
