//! Whether a page may embed a form: its origin must be registered for the terminal, and proven.
//!
//! The form accepts cards in the page that embeds it, and the owner of an API key names that page. To prevent forms in another merchant's
//! shop, the gateway checks that each origin serves a token that only this terminal has (`payframe-gateway terminal origin`).

use super::Forms;
use super::error::PaymentError;
use crate::merchant_urls::is_loopback;
use payframe_payment_domain::terms::Terminal;
use payframe_storage::origins;
use url::Url;

impl Forms<'_> {
    /// Refuses an origin that is not proven for the terminal. On a developer's machine, local and reserved origins need no proof.
    pub async fn must_be_proven(
        &self,
        terminal: &Terminal,
        origin: &str,
    ) -> Result<(), PaymentError> {
        if self.context.settings().allows_insecure_urls && is_nobodys(origin) {
            return Ok(());
        }
        let mut connection = self.context.store().read().await?;
        if origins::is_proven(&mut connection, &terminal.terminal_id, origin).await? {
            Ok(())
        } else {
            Err(PaymentError::UnprovenOrigin)
        }
    }
}

/// Whether an origin cannot belong to a shop: a loopback address, or a name that is reserved for tests and documentation (RFC 2606).
fn is_nobodys(origin: &str) -> bool {
    let Ok(url) = Url::parse(origin) else {
        return false;
    };
    let is_reserved = url.domain().is_some_and(|name| {
        let last = name.rsplit('.').next().unwrap_or(name);
        ["example", "test"].contains(&last)
    });
    is_reserved || is_loopback(&url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_addresses_and_reserved_names_are_nobodys() {
        for (origin, expected) in [
            ("http://localhost:8788", true),
            ("http://shop.localhost:8788", true),
            ("http://127.0.0.1:8788", true),
            ("https://[::1]", true),
            ("https://shop.example", true),
            ("https://shop.test:8443", true),
            ("https://shop.example.com", false),
            ("https://example.shop", false),
            ("https://localhost.shop", false),
            ("https://myexample", false),
            ("https://128.0.0.1", false),
            ("https://10.0.0.1", false),
            ("https://shop.example.", false),
            ("", false),
        ] {
            assert_eq!(is_nobodys(origin), expected, "{origin}");
        }
    }
}
