//! The header `X-Signature` (contract 9.4): a receiver that knows a terminal's secret can verify that a notification is ours.

use payframe_storage::{Store, StoreError, credentials};
use payframe_vault::Vault;

/// `t=<seconds>,v1=<hex>` with one `v1` for each secret that is valid now. `None`: the terminal has no secret.
pub(super) async fn header(
    store: &Store,
    vault: &Vault,
    now_ms: i64,
    terminal_id: &str,
    body: &str,
) -> Result<Option<String>, StoreError> {
    let secrets = {
        let mut connection = store.read().await?;
        credentials::valid_secrets(&mut connection, terminal_id, now_ms).await?
    };
    if secrets.is_empty() {
        return Ok(None);
    }
    let seconds = (now_ms / 1000).to_string();
    let mut header = format!("t={seconds}");
    for (id, sealed) in secrets {
        let secret = vault
            .open_sealed(&sealed, &belongs_to(&id))
            .map_err(|_| StoreError::Unreadable("notification secret"))?;
        let parts = [seconds.as_bytes(), b".", body.as_bytes()];
        header.push_str(&format!(
            ",v1={}",
            payframe_vault::signature(&secret, &parts)
        ));
    }
    Ok(Some(header))
}

/// What an encrypted notification secret is bound to.
pub fn belongs_to(secret_id: &str) -> String {
    format!("notification secret {secret_id}")
}
