//! Keys of the vault as text: in clear, or wrapped by a key that is somewhere else.
//!
//! A key in clear is 32 bytes as base64. A wrapped one is `wrapped:NAME:BASE64`, where the name is that of the wrapping key. So a
//! wrapping key can be replaced: what the earlier one has wrapped still names it.

use super::encryption_key::EncryptionKey;
use super::{KEY, KeyringError};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::error::Error;
use zeroize::Zeroizing;

/// Encrypts and decrypts the keys of the vault, with a key that never leaves its place.
pub trait KeyWrapping: Send + Sync {
    /// The name of the key that wraps. [`is_wrapping_key_name`] says what it may be.
    fn name(&self) -> &str;

    /// Encrypts a key of the vault with the key [`KeyWrapping::name`].
    ///
    /// # Errors
    /// The wrapping key cannot be used; the text says why and has no secret.
    fn wrap(&self, key: &[u8]) -> Result<Vec<u8>, Box<dyn Error + Send + Sync>>;

    /// Decrypts a key of the vault that the key `name` has encrypted.
    ///
    /// # Errors
    /// The wrapping key cannot be used, or the bytes were changed; the text says which and has no secret.
    fn unwrap(
        &self,
        name: &str,
        wrapped: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, Box<dyn Error + Send + Sync>>;
}

/// Whether a wrapping key can have this name: 1 to 32 letters, digits, points, hyphens and underscores of ASCII.
pub fn is_wrapping_key_name(name: &str) -> bool {
    (1..=LONGEST_NAME).contains(&name.len())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b".-_".contains(&byte))
}

/// Whether this is the text of a wrapped key.
pub(crate) fn is_wrapped(text: &str) -> bool {
    text.trim().starts_with(WRAPPED)
}

/// Reads a key. With a wrapping, a key in clear is refused: whoever may write the file could put in one that they know.
pub(crate) fn parse(
    text: &str,
    wrapping: Option<&dyn KeyWrapping>,
) -> Result<EncryptionKey, KeyringError> {
    match (is_wrapped(text), wrapping) {
        (true, Some(wrapping)) => unwrapped(text, wrapping),
        (true, None) => Err(KeyringError::Wrapped),
        (false, Some(_)) => Err(KeyringError::InClear),
        (false, None) => in_clear(text),
    }
}

/// Reads a key in either form.
pub(crate) fn parse_either(
    text: &str,
    wrapping: &dyn KeyWrapping,
) -> Result<EncryptionKey, KeyringError> {
    match is_wrapped(text) {
        true => unwrapped(text, wrapping),
        false => in_clear(text),
    }
}

/// The text of a key, in clear or wrapped by another key, as this one wraps it.
///
/// # Errors
/// It is not a key, or cannot be wrapped.
pub fn wrapped(text: &str, wrapping: &dyn KeyWrapping) -> Result<String, KeyringError> {
    let key = parse_either(text, wrapping)?;
    Ok(written(&key, Some(wrapping))?.to_string())
}

/// The text of a key.
pub(crate) fn written(
    key: &EncryptionKey,
    wrapping: Option<&dyn KeyWrapping>,
) -> Result<Zeroizing<String>, KeyringError> {
    let Some(wrapping) = wrapping else {
        return Ok(Zeroizing::new(STANDARD.encode(key.master())));
    };
    let wrapped = wrapping
        .wrap(key.master())
        .map_err(KeyringError::Wrapping)?;
    let (name, wrapped) = (wrapping.name(), STANDARD.encode(wrapped));
    let text = Zeroizing::new(format!("{WRAPPED}{name}:{wrapped}"));
    // Before an only copy is replaced by it.
    match unwrapped(&text, wrapping)?.id() == key.id() {
        true => Ok(text),
        false => Err(KeyringError::OtherAfterWrapping),
    }
}

fn in_clear(text: &str) -> Result<EncryptionKey, KeyringError> {
    let mut master = Zeroizing::new([0; KEY]);
    match STANDARD.decode_slice(text.trim(), master.as_mut_slice()) {
        Ok(KEY) => Ok(EncryptionKey::new(master)),
        _ => Err(KeyringError::KeyForm),
    }
}

fn unwrapped(text: &str, wrapping: &dyn KeyWrapping) -> Result<EncryptionKey, KeyringError> {
    let parts = text.trim().strip_prefix(WRAPPED).unwrap_or_default();
    let (name, wrapped) = parts.split_once(':').ok_or(KeyringError::WrappedForm)?;
    let wrapped = STANDARD
        .decode(wrapped)
        .ok()
        .filter(|_| is_wrapping_key_name(name))
        .ok_or(KeyringError::WrappedForm)?;
    let key = wrapping
        .unwrap(name, &wrapped)
        .map_err(KeyringError::Wrapping)?;
    let mut master = Zeroizing::new([0; KEY]);
    if key.len() != KEY {
        return Err(KeyringError::WrappedForm);
    }
    master.copy_from_slice(&key);
    Ok(EncryptionKey::new(master))
}

/// How the text of a wrapped key begins.
const WRAPPED: &str = "wrapped:";

/// A token's labels have 32 characters (PKCS #11 leaves those of objects open).
const LONGEST_NAME: usize = 32;

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    /// Wraps by an exclusive or with a byte, and counts how often it unwraps.
    pub(crate) struct Reversible {
        pub(crate) name: &'static str,
        pub(crate) unwrapped: AtomicU32,
    }

    impl Reversible {
        pub(crate) fn named(name: &'static str) -> Reversible {
            Reversible {
                name,
                unwrapped: AtomicU32::new(0),
            }
        }
    }

    fn mixed(name: &str, bytes: &[u8]) -> Vec<u8> {
        bytes.iter().map(|byte| byte ^ name.as_bytes()[0]).collect()
    }

    impl KeyWrapping for Reversible {
        fn name(&self) -> &str {
            self.name
        }

        fn wrap(&self, key: &[u8]) -> Result<Vec<u8>, Box<dyn Error + Send + Sync>> {
            Ok(mixed(self.name, key))
        }

        fn unwrap(
            &self,
            name: &str,
            wrapped: &[u8],
        ) -> Result<Zeroizing<Vec<u8>>, Box<dyn Error + Send + Sync>> {
            self.unwrapped.fetch_add(1, Ordering::SeqCst);
            Ok(Zeroizing::new(mixed(name, wrapped)))
        }
    }

    fn key() -> EncryptionKey {
        EncryptionKey::new(Zeroizing::new([7; KEY]))
    }

    #[test]
    fn a_wrapped_key_names_what_has_wrapped_it() {
        let wrapping = Reversible::named("kek-1");
        let text = written(&key(), Some(&wrapping)).unwrap();
        assert!(text.starts_with("wrapped:kek-1:"), "{}", *text);
        let next = Reversible::named("other");
        assert_eq!(parse(&text, Some(&next)).unwrap().id(), key().id());
        assert_eq!(parse_either(&text, &next).unwrap().id(), key().id());
        let plain = written(&key(), None).unwrap();
        assert_eq!(parse_either(&plain, &next).unwrap().id(), key().id());
    }

    #[test]
    fn a_key_of_the_other_kind_is_refused() {
        let wrapping = Reversible::named("kek");
        let plain = written(&key(), None).unwrap();
        assert_eq!(parse(&plain, None).unwrap().id(), key().id());
        let refused = parse(&plain, Some(&wrapping)).err();
        assert!(matches!(refused, Some(KeyringError::InClear)));
        let wrapped = written(&key(), Some(&wrapping)).unwrap();
        let refused = parse(&wrapped, None).err();
        assert!(matches!(refused, Some(KeyringError::Wrapped)));
    }

    #[test]
    fn what_is_not_a_wrapped_key_is_refused_before_it_is_unwrapped() {
        let wrapping = Reversible::named("kek");
        for bad in [
            "wrapped:",
            "wrapped:kek",
            "wrapped::AAAA",
            "wrapped:kek:not base64",
            "wrapped:a b:AAAA",
        ] {
            let refused = parse(bad, Some(&wrapping)).err();
            assert!(matches!(refused, Some(KeyringError::WrappedForm)), "{bad}");
        }
        assert_eq!(wrapping.unwrapped.load(Ordering::SeqCst), 0);
        let short = parse("wrapped:kek:AAAA", Some(&wrapping)).err();
        assert!(matches!(short, Some(KeyringError::WrappedForm)));
    }

    #[test]
    fn names_fit_into_a_line() {
        for good in ["a", "payframe-vault_2026.1", &"x".repeat(32)] {
            assert!(is_wrapping_key_name(good), "{good}");
        }
        for bad in ["", "a:b", "a b", "é", "a\n", &"x".repeat(33)] {
            assert!(!is_wrapping_key_name(bad), "{bad}");
        }
    }
}
