//! The header `X-Signature` (contract 9.4): who knows a terminal's secret can tell our notifications from others'.

use crate::App;
use crate::operator::belongs_to;
use payframe_storage::{StoreError, credentials};

/// `t=<seconds>,v1=<hex>` with one `v1` for each secret that is valid now. `None`: the terminal has no secret.
pub(super) async fn header(
    app: &App,
    terminal_id: &str,
    body: &str,
) -> Result<Option<String>, StoreError> {
    let now_ms = app.clock().now_ms();
    let secrets = {
        let mut connection = app.store().read().await?;
        credentials::valid_secrets(&mut connection, terminal_id, now_ms).await?
    };
    if secrets.is_empty() {
        return Ok(None);
    }
    let seconds = (now_ms / 1000).to_string();
    let mut header = format!("t={seconds}");
    for (id, sealed) in secrets {
        let secret = app
            .vault()
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
