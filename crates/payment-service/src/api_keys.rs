//! Makes API keys, for the operator's command and for an administrator in the back office.

use crate::error::PaymentError;
use payframe_payment_ports::Vault;
use payframe_payment_ports::clock::millis;
use payframe_storage::{Connection, credentials};
use std::time::Duration;

/// A new key. Only its hash is stored.
pub struct NewKey {
    /// Its public name, which gives no access.
    pub id: String,
    /// Shown only once.
    pub key: String,
}

/// Makes a key for an existing terminal.
pub async fn make(
    connection: &mut Connection,
    vault: &dyn Vault,
    terminal_id: &str,
    now_ms: i64,
) -> Result<NewKey, PaymentError> {
    let key = payframe_vault::random_secret()?;
    let hash = vault.api_key_hash(&key);
    credentials::add_key(connection, &hash, terminal_id, now_ms).await?;
    Ok(NewKey {
        id: hash[..credentials::KEY_ID].to_owned(),
        key,
    })
}

/// Makes a key that replaces another key of the same terminal, and returns the latest end of the old key.
pub async fn follow(
    connection: &mut Connection,
    vault: &dyn Vault,
    former_id: &str,
    terminal_id: &str,
    now_ms: i64,
) -> Result<(NewKey, i64), PaymentError> {
    let made = make(connection, vault, terminal_id, now_ms).await?;
    let ends_ms = now_ms.saturating_add(millis(OVERLAP));
    credentials::end_key(connection, former_id, ends_ms).await?;
    Ok((made, ends_ms))
}

/// How long an old key stays valid beside the key that replaces it.
const OVERLAP: Duration = Duration::from_secs(24 * 3600);
