//! The token of one form of one page: its idempotency key, bound to the session and to the sum that the page shows.
//!
//! A form that was made up elsewhere has no token that holds, and one that is sent twice has the same.

use payframe_payment_ports::Vault;
use subtle::ConstantTimeEq;

/// A token that holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FormToken(String);

impl FormToken {
    /// For a new page that shows this sum.
    pub(super) fn new(vault: &dyn Vault, session_hash: &str, sum: &str) -> Option<FormToken> {
        let key = uuid::Uuid::new_v4().simple().to_string();
        FormToken::of(vault, session_hash, sum, &key)
    }

    /// Reads the token of a form that was sent. `None`: it is not one of this session and this sum.
    pub(super) fn read(
        vault: &dyn Vault,
        session_hash: &str,
        sum: &str,
        sent: &str,
    ) -> Option<FormToken> {
        let (key, _) = sent.split_once('.')?;
        let made = FormToken::of(vault, session_hash, sum, key)?;
        bool::from(made.0.as_bytes().ct_eq(sent.as_bytes())).then_some(made)
    }

    /// As the form sends it.
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// The idempotency key of one call that the form leads to.
    pub(super) fn key(&self, call: &str) -> String {
        let key = self.0.split('.').next().unwrap_or_default();
        format!("{key} {call}")
    }

    fn of(vault: &dyn Vault, session_hash: &str, sum: &str, key: &str) -> Option<FormToken> {
        uuid::Uuid::try_parse(key).ok()?;
        let parts = ["plain form", session_hash, sum, key].map(str::as_bytes);
        Some(FormToken(format!("{key}.{}", vault.fingerprint(&parts))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use payframe_vault::{HashingKeys, Keyring, KeyringVault};
    use std::path::PathBuf;

    fn vault() -> KeyringVault {
        let key = "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=";
        let keyring = Keyring::open(Some(key), None, PathBuf::new()).unwrap();
        KeyringVault::new(keyring, HashingKeys::random().unwrap())
    }

    #[test]
    fn a_token_holds_for_its_session_and_its_sum_alone() {
        let vault = vault();
        let token = FormToken::new(&vault, "session", "3545 EUR").unwrap();
        let read = |hash: &str, sum: &str, sent: &str| FormToken::read(&vault, hash, sum, sent);
        assert_eq!(
            read("session", "3545 EUR", token.as_str()).as_ref(),
            Some(&token)
        );
        assert_eq!(read("another", "3545 EUR", token.as_str()), None);
        assert_eq!(read("session", "1 EUR", token.as_str()), None);
        let longer = format!("{}0", token.as_str());
        for sent in ["", ".", "a.b", &longer] {
            assert_eq!(read("session", "3545 EUR", sent), None, "{sent}");
        }
    }

    #[test]
    fn each_call_of_a_form_has_a_key_of_its_own() {
        let token = FormToken::new(&vault(), "session", "3545 EUR").unwrap();
        assert_ne!(token.key("card"), token.key("pay"));
        assert!(token.key("method").len() <= 63);
    }
}
