//! The headers that prove a notification to be ours, to a receiver that knows one of the terminal's secrets.
//!
//! There are two forms, with the same secrets: `X-Signature` (contract 9.4), and the three headers of the Standard Webhooks
//! specification 1.0.0, which the reference libraries of many languages verify.

use payframe_payment_ports::Vault;
use payframe_storage::{Store, StoreError, credentials};
use payframe_vault::{notification_key, signature, signature_base64};

/// The headers of one attempt, by name.
pub type Headers = Vec<(&'static str, String)>;

/// Signs an attempt with each secret that is valid now. Empty: the terminal has no secret.
pub(super) async fn headers(
    store: &Store,
    vault: &dyn Vault,
    now_ms: i64,
    terminal_id: &str,
    event_id: &str,
    body: &str,
) -> Result<Headers, StoreError> {
    let secrets = {
        let mut connection = store.read().await?;
        credentials::valid_secrets(&mut connection, terminal_id, now_ms).await?
    };
    if secrets.is_empty() {
        return Ok(Headers::new());
    }
    let secrets = secrets.iter().map(|(id, encrypted)| {
        vault
            .decrypt(encrypted, &belongs_to(id))
            .map_err(|_| StoreError::Unreadable("notification secret"))
    });
    let secrets: Vec<_> = secrets.collect::<Result<_, _>>()?;
    Ok(sign(&secrets, now_ms, event_id, body))
}

/// The headers of a body that is sent now, by secrets as `payframe-gateway secrets new` shows them.
pub fn sign(secrets: &[impl AsRef<[u8]>], now_ms: i64, event_id: &str, body: &str) -> Headers {
    let seconds = (now_ms / 1000).to_string();
    let mut ours = format!("t={seconds}");
    let mut standard = Vec::new();
    for secret in secrets {
        let secret = secret.as_ref();
        let signed = [seconds.as_bytes(), b".", body.as_bytes()];
        ours.push_str(&format!(",v1={}", signature(secret, &signed)));
        let signed = [&[event_id.as_bytes(), b"."], &signed[..]].concat();
        let mac = signature_base64(&notification_key(secret), &signed);
        standard.push(format!("v1,{mac}"));
    }
    vec![
        ("X-Signature", ours),
        ("webhook-id", event_id.to_owned()),
        ("webhook-timestamp", seconds),
        ("webhook-signature", standard.join(" ")),
    ]
}

/// What an encrypted notification secret is bound to.
pub fn belongs_to(secret_id: &str) -> String {
    format!("notification secret {secret_id}")
}
