//! The vault's encryption keys: the current one, and former ones for the values that they have encrypted.
//!
//! They come from the settings, or from a file beside the database ([`KeyFile`]); the first key is the current one. The file is
//! read again while the gateway runs, so keys can be rotated without a restart. An encrypted value starts with the id of its key. A value
//! without a key id is from a release in which keys had no ids.

use super::encryption_key::{EncryptionKey, ID, KeyId, add_unless_there, new_key};
use super::key_file::KeyFile;
use super::{DecryptionError, KeyringError, wrapping};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use zeroize::Zeroizing;

/// The keys of one vault.
pub struct Keyring {
    source: Source,
    keys: RwLock<Arc<[EncryptionKey]>>,
}

/// The source of the keys.
enum Source {
    /// The keys do not change.
    Settings,
    /// The file may change.
    File {
        file: KeyFile,
        /// The hash of the text that was read last.
        hash: Mutex<String>,
    },
}

impl Keyring {
    /// The keys of the settings, or those of the file, which is created if it is missing. `others` are additional keys for decryption,
    /// separated by commas. If the keys of the file are wrapped, so are those of the settings.
    ///
    /// # Errors
    /// A key is not one, cannot be unwrapped, or is of the other kind; the file cannot be read or created.
    pub fn open(
        key: Option<&str>,
        others: Option<&str>,
        file: impl Into<KeyFile>,
    ) -> Result<Keyring, KeyringError> {
        let file = file.into();
        let parse = |text: &str| wrapping::parse(text, file.wrapping());
        // Before a file is made: a start that is refused leaves none.
        let others: Vec<EncryptionKey> = others
            .into_iter()
            .flat_map(|others| others.split(','))
            .map(parse)
            .collect::<Result<_, _>>()?;
        let (source, mut keys) = match key {
            Some(key) => (Source::Settings, vec![parse(key)?]),
            None => {
                if !file.path().exists() {
                    file.make()?;
                }
                let contents = file.contents()?;
                let hash = Mutex::new(contents.hash);
                (Source::File { file, hash }, contents.keys)
            }
        };
        for other in others {
            add_unless_there(&mut keys, other);
        }
        Ok(Keyring {
            source,
            keys: RwLock::new(keys.into()),
        })
    }

    /// A new key that is written nowhere: what it encrypts is lost with this value.
    ///
    /// # Errors
    /// The system gives no random numbers.
    pub fn in_memory() -> Result<Keyring, KeyringError> {
        Ok(Keyring {
            source: Source::Settings,
            keys: RwLock::new([new_key()?].into()),
        })
    }

    /// All keys; the first is the current one.
    pub fn keys(&self) -> Arc<[EncryptionKey]> {
        // A panic during the lock cannot leave them inconsistent.
        let keys = self.keys.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&keys)
    }

    /// The id of the current key, which encrypts new values.
    pub fn current(&self) -> KeyId {
        self.keys()[0].id()
    }

    /// The file of the keys, if there is one.
    pub fn file(&self) -> Option<&KeyFile> {
        match &self.source {
            Source::Settings => None,
            Source::File { file, .. } => Some(file),
        }
    }

    /// Reads the file again. A key that was removed from the file stays in memory until the process ends, because a value that it has
    /// encrypted may still be in use.
    pub fn refresh(&self) -> Result<(), KeyringError> {
        let Source::File { file, hash } = &self.source else {
            return Ok(());
        };
        // Held until the new keys are in place: the next one finds them.
        let mut hash = hash.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(contents) = file.changed(&hash)? else {
            return Ok(());
        };
        let mut keys = contents.keys;
        *hash = contents.hash;
        let known = self.keys();
        if known.len() >= keys.len()
            && known
                .iter()
                .zip(&keys)
                .all(|(one, other)| one.id() == other.id())
        {
            return Ok(());
        }
        for key in known.iter() {
            add_unless_there(&mut keys, key.clone());
        }
        *self.keys.write().unwrap_or_else(PoisonError::into_inner) = keys.into();
        Ok(())
    }

    /// Encrypts `content` for `belongs_to` with the current key.
    pub fn encrypt(&self, content: &[u8], belongs_to: &str) -> Result<Vec<u8>, KeyringError> {
        self.keys()[0].encrypt(content, belongs_to)
    }

    /// Decrypts a value that one of the keys has encrypted.
    pub fn decrypt(
        &self,
        encrypted: &[u8],
        belongs_to: &str,
    ) -> Result<Zeroizing<Vec<u8>>, DecryptionError> {
        let opened = open_with(&self.keys(), encrypted, belongs_to).map(|(content, _)| content);
        if opened.is_err() && self.refresh().is_ok() {
            // Another process may have encrypted it with a new key.
            return open_with(&self.keys(), encrypted, belongs_to).map(|(content, _)| content);
        }
        opened
    }

    /// The key that has encrypted a value.
    pub fn opener(
        &self,
        encrypted: &[u8],
        belongs_to: &str,
    ) -> Result<EncryptionKey, DecryptionError> {
        open_with(&self.keys(), encrypted, belongs_to).map(|(_, key)| key.clone())
    }

    #[cfg(test)]
    pub(crate) fn with(masters: &[[u8; crate::KEY]]) -> Keyring {
        let keys = masters
            .iter()
            .map(|master| EncryptionKey::new(Zeroizing::new(*master)));
        Keyring {
            source: Source::Settings,
            keys: RwLock::new(keys.collect()),
        }
    }
}

fn open_with<'a>(
    keys: &'a [EncryptionKey],
    encrypted: &[u8],
    belongs_to: &str,
) -> Result<(Zeroizing<Vec<u8>>, &'a EncryptionKey), DecryptionError> {
    if let Some((id, rest)) = encrypted.split_at_checked(ID)
        && let Some(key) = keys.iter().find(|key| key.id().as_bytes() == id)
        && let Some(content) = key.open(rest, belongs_to)
    {
        return Ok((content, key));
    }
    // From a release in which keys had no ids.
    let opened = |key: &'a EncryptionKey| Some((key.open(encrypted, belongs_to)?, key));
    keys.iter().find_map(opened).ok_or(DecryptionError)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::KEY;
    use crate::encryption_key::NONCE;
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use std::path::PathBuf;

    fn opened(keyring: &Keyring, encrypted: &[u8]) -> bool {
        keyring
            .decrypt(encrypted, "session a")
            .is_ok_and(|content| content.as_slice() == b"4761730000000003")
    }

    fn encrypted(keyring: &Keyring) -> Vec<u8> {
        keyring.encrypt(b"4761730000000003", "session a").unwrap()
    }

    #[test]
    fn what_is_encrypted_opens_only_for_what_it_belongs_to() {
        let keyring = Keyring::with(&[[7; KEY]]);
        let encrypted = encrypted(&keyring);
        assert!(!encrypted.windows(8).any(|window| window == b"47617300"));
        assert!(opened(&keyring, &encrypted));
        assert_eq!(
            keyring.decrypt(&encrypted, "session b"),
            Err(DecryptionError)
        );
        assert!(!opened(&Keyring::with(&[[8; KEY]]), &encrypted));
        for place in [0, ID, ID + NONCE] {
            let mut changed = encrypted.clone();
            changed[place] ^= 1;
            assert!(!opened(&keyring, &changed), "byte {place}");
        }
        assert!(!opened(&keyring, &encrypted[..5]));
    }

    #[test]
    fn the_same_content_is_encrypted_differently_each_time() {
        let keyring = Keyring::with(&[[7; KEY]]);
        assert_ne!(encrypted(&keyring), encrypted(&keyring));
    }

    #[test]
    fn processes_with_the_same_keys_in_another_order_read_each_other() {
        let [before, after] = [
            Keyring::with(&[[1; KEY], [2; KEY]]),
            Keyring::with(&[[2; KEY], [1; KEY]]),
        ];
        assert!(opened(&before, &encrypted(&after)));
        assert!(opened(&after, &encrypted(&before)));
        assert!(encrypted(&after).starts_with(after.current().as_bytes()));
        assert_ne!(before.current(), after.current());
    }

    #[test]
    fn what_was_encrypted_before_keys_had_ids_opens_with_any_of_them() {
        let unnamed = encrypted(&Keyring::with(&[[1; KEY]])).split_off(ID);
        assert!(opened(&Keyring::with(&[[2; KEY], [1; KEY]]), &unnamed));
        assert!(!opened(&Keyring::with(&[[2; KEY]]), &unnamed));
    }

    #[test]
    fn the_file_is_made_once_and_for_its_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("vault.key");
        let encrypted = encrypted(&Keyring::open(None, None, file.clone()).unwrap());
        assert!(opened(
            &Keyring::open(None, None, file.clone()).unwrap(),
            &encrypted
        ));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(&file).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_key_that_comes_into_the_file_is_used_without_a_stop_and_one_that_goes_is_set_aside() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("vault.key");
        let running = Keyring::open(None, None, file.clone()).unwrap();
        let old = running.current();
        let before = encrypted(&running);
        let new = new_key().unwrap();
        KeyFile::from(file.clone()).put_new_first(&new).unwrap();
        // Another process has rotated the key.
        let ahead = Keyring::open(None, None, file.clone()).unwrap();
        assert!(opened(&running, &encrypted(&ahead)));
        assert_eq!(running.current(), new.id());
        assert!(opened(&ahead, &before));
        let key_file = KeyFile::from(file.clone());
        let aside = key_file.set_aside(old).unwrap().unwrap();
        running.refresh().unwrap();
        assert!(opened(&running, &before));
        let later = Keyring::open(None, None, file.clone()).unwrap();
        assert!(!opened(&later, &before) && opened(&later, &encrypted(&running)));
        assert!(opened(&Keyring::open(None, None, aside).unwrap(), &before));
        assert_eq!(key_file.set_aside(old).unwrap(), None);
    }

    #[test]
    fn a_start_that_is_refused_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("vault.key");
        let refused = Keyring::open(None, Some("short"), file.clone());
        assert!(matches!(refused, Err(KeyringError::KeyForm)));
        assert!(!file.exists());
        Keyring::open(None, None, file.clone()).unwrap();
        assert!(file.exists());
    }

    #[test]
    fn a_key_of_another_form_is_refused() {
        let file = || PathBuf::from("/nonexistent/vault.key");
        let good = STANDARD.encode([1; KEY]);
        for bad in [
            "",
            "short",
            "AAAA",
            "not base64 at all, not at all, not at all ==",
        ] {
            let refused = Keyring::open(Some(bad), None, file());
            assert!(matches!(refused, Err(KeyringError::KeyForm)), "{bad}");
            let refused = Keyring::open(Some(&good), Some(bad), file());
            assert!(matches!(refused, Err(KeyringError::KeyForm)), "{bad}");
        }
        let two = format!("{good}, {}", STANDARD.encode([2; KEY]));
        let keyring = Keyring::open(Some(&good), Some(&two), file()).unwrap();
        assert_eq!(keyring.keys().len(), 2);
    }
}
