//! The vault's encryption keys: the current one, and former ones for the values that they have encrypted.
//!
//! They come from the settings, or from a file beside the database with one key in a line; the first key is the current one. The file is
//! read again while the gateway runs, so keys can be rotated without a restart. An encrypted value starts with the id of its key. A value
//! without a key id is from a release in which keys had no ids.

use super::{DecryptionError, KEY, KeyringError, hex, mac, random};
use aes_gcm::aead::{Aead, KeyInit, Payload};
use aes_gcm::{Aes256Gcm, Key, Nonce};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
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
    File(PathBuf),
}

/// A key, and values that are derived from it.
#[derive(Clone)]
pub struct EncryptionKey {
    id: KeyId,
    master: Zeroizing<[u8; KEY]>,
    cipher: Aes256Gcm,
}

/// The id of a key. It reveals nothing about the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyId([u8; ID]);

impl Keyring {
    /// The keys of the settings, or those of the file, which is created if it is missing. `others` are additional keys for decryption,
    /// separated by commas.
    pub fn open(
        key: Option<&str>,
        others: Option<&str>,
        file: PathBuf,
    ) -> Result<Keyring, KeyringError> {
        // Before a file is made: a start that is refused leaves none.
        let others: Vec<EncryptionKey> = others
            .into_iter()
            .flat_map(|others| others.split(','))
            .map(EncryptionKey::parse)
            .collect::<Result<_, _>>()?;
        let (source, mut keys) = match key {
            Some(key) => (Source::Settings, vec![EncryptionKey::parse(key)?]),
            None => {
                if !file.exists() {
                    make(&file)?;
                }
                let keys = in_file(&file)?;
                (Source::File(file), keys)
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
        self.keys()[0].id
    }

    /// The file of the keys, if there is one.
    pub fn file(&self) -> Option<&Path> {
        match &self.source {
            Source::Settings => None,
            Source::File(file) => Some(file),
        }
    }

    /// Reads the file again. A key that was removed from the file stays in memory until the process ends, because a value that it has
    /// encrypted may still be in use.
    pub fn refresh(&self) -> Result<(), KeyringError> {
        let Source::File(file) = &self.source else {
            return Ok(());
        };
        let mut keys = in_file(file)?;
        let known = self.keys();
        if known.len() >= keys.len()
            && known
                .iter()
                .zip(&keys)
                .all(|(one, other)| one.id == other.id)
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
    pub(crate) fn with(masters: &[[u8; KEY]]) -> Keyring {
        let keys = masters
            .iter()
            .map(|master| EncryptionKey::new(Zeroizing::new(*master)));
        Keyring {
            source: Source::Settings,
            keys: RwLock::new(keys.collect()),
        }
    }
}

impl EncryptionKey {
    pub(crate) fn new(master: Zeroizing<[u8; KEY]>) -> EncryptionKey {
        let cipher = Zeroizing::new(mac(&master, &[b"seal"]));
        let mut id = [0; ID];
        id.copy_from_slice(&mac(&master, &[b"id"])[..ID]);
        EncryptionKey {
            id: KeyId(id),
            cipher: Aes256Gcm::new(Key::<Aes256Gcm>::from_slice(cipher.as_slice())),
            master,
        }
    }

    fn parse(text: &str) -> Result<EncryptionKey, KeyringError> {
        let mut master = Zeroizing::new([0; KEY]);
        match STANDARD.decode_slice(text.trim(), master.as_mut_slice()) {
            Ok(KEY) => Ok(EncryptionKey::new(master)),
            _ => Err(KeyringError::KeyForm),
        }
    }

    /// The id of the key.
    pub fn id(&self) -> KeyId {
        self.id
    }

    /// Derives a key for another purpose than encryption.
    pub(crate) fn derive(&self, purpose: &str) -> Zeroizing<[u8; KEY]> {
        Zeroizing::new(mac(&self.master, &[purpose.as_bytes()]))
    }

    fn encrypt(&self, content: &[u8], belongs_to: &str) -> Result<Vec<u8>, KeyringError> {
        let nonce = random::<NONCE>()?;
        let payload = Payload {
            msg: content,
            aad: belongs_to.as_bytes(),
        };
        let ciphertext = self
            .cipher
            .encrypt(Nonce::from_slice(&nonce), payload)
            .map_err(|_| KeyringError::TooLong)?;
        Ok([&self.id.0[..], &nonce, &ciphertext].concat())
    }

    /// Decrypts a nonce with its ciphertext.
    fn open(&self, encrypted: &[u8], belongs_to: &str) -> Option<Zeroizing<Vec<u8>>> {
        let (nonce, ciphertext) = encrypted.split_at_checked(NONCE)?;
        let payload = Payload {
            msg: ciphertext,
            aad: belongs_to.as_bytes(),
        };
        let opened = self.cipher.decrypt(Nonce::from_slice(nonce), payload);
        opened.ok().map(Zeroizing::new)
    }

    /// The key as a line of the file.
    fn line(&self) -> Zeroizing<String> {
        Zeroizing::new(STANDARD.encode(self.master.as_slice()) + "\n")
    }
}

impl KeyId {
    /// The first bytes of the values that the key has encrypted.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl std::fmt::Display for KeyId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

fn open_with<'a>(
    keys: &'a [EncryptionKey],
    encrypted: &[u8],
    belongs_to: &str,
) -> Result<(Zeroizing<Vec<u8>>, &'a EncryptionKey), DecryptionError> {
    if let Some((id, rest)) = encrypted.split_at_checked(ID)
        && let Some(key) = keys.iter().find(|key| key.id.0 == id)
        && let Some(content) = key.open(rest, belongs_to)
    {
        return Ok((content, key));
    }
    // From a release in which keys had no ids.
    let opened = |key: &'a EncryptionKey| Some((key.open(encrypted, belongs_to)?, key));
    keys.iter().find_map(opened).ok_or(DecryptionError)
}

fn add_unless_there(keys: &mut Vec<EncryptionKey>, key: EncryptionKey) {
    if keys.iter().all(|there| there.id != key.id) {
        keys.push(key);
    }
}

/// Adds a new key as the first one of the file. Running gateways use it within a second.
pub fn put_new_first(file: &Path, key: &EncryptionKey) -> Result<(), KeyringError> {
    let mut keys = in_file(file)?;
    keys.insert(0, key.clone());
    write(file, &keys)
}

/// A new random key.
pub fn new_key() -> Result<EncryptionKey, KeyringError> {
    Ok(EncryptionKey::new(Zeroizing::new(random::<KEY>()?)))
}

/// Moves a key from the file to a separate file beside it, for the restore of an old back-up. Returns the path of that file. `None`: the
/// key is not in the file.
pub fn set_aside(file: &Path, id: KeyId) -> Result<Option<PathBuf>, KeyringError> {
    let (retired, kept): (Vec<_>, Vec<_>) =
        in_file(file)?.into_iter().partition(|key| key.id == id);
    let Some(key) = retired.into_iter().next() else {
        return Ok(None);
    };
    let beside = file.with_extension("retired");
    let mut aside = match beside.exists() {
        true => in_file(&beside)?,
        false => Vec::new(),
    };
    add_unless_there(&mut aside, key);
    write(&beside, &aside)?;
    write(file, &kept)?;
    Ok(Some(beside))
}

/// The keys of a file; at least one.
fn in_file(file: &Path) -> Result<Vec<EncryptionKey>, KeyringError> {
    let text = std::fs::read_to_string(file).map_err(KeyringError::KeyFile)?;
    let text = Zeroizing::new(text);
    let keys: Vec<EncryptionKey> = text
        .lines()
        .map(EncryptionKey::parse)
        .collect::<Result<_, _>>()?;
    match keys.is_empty() {
        true => Err(KeyringError::KeyForm),
        false => Ok(keys),
    }
}

/// Creates the file with a new key. From the start, it is complete and only its owner can read it.
fn make(file: &Path) -> Result<(), KeyringError> {
    let fresh = write_beside(file, &[new_key()?])?;
    // A link, not a rename: another process that starts at the same moment may have created the file.
    let linked = std::fs::hard_link(&fresh, file);
    std::fs::remove_file(&fresh).map_err(KeyringError::KeyFile)?;
    match linked {
        Err(problem) if problem.kind() != std::io::ErrorKind::AlreadyExists => {
            Err(KeyringError::KeyFile(problem))
        }
        _ => Ok(()),
    }
}

/// Writes a file atomically: a reader sees the old content or the new one.
fn write(file: &Path, keys: &[EncryptionKey]) -> Result<(), KeyringError> {
    let fresh = write_beside(file, keys)?;
    std::fs::rename(fresh, file).map_err(KeyringError::KeyFile)
}

/// Writes keys into a file of this process beside `file`.
fn write_beside(file: &Path, keys: &[EncryptionKey]) -> Result<PathBuf, KeyringError> {
    let fresh = file.with_extension(format!("new-{}", std::process::id()));
    let write = || -> std::io::Result<()> {
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut open = options.open(&fresh)?;
        for key in keys {
            open.write_all(key.line().as_bytes())?;
        }
        open.sync_all()
    };
    write().map_err(KeyringError::KeyFile)?;
    Ok(fresh)
}

/// Length of a key's id, in bytes.
const ID: usize = 8;

const NONCE: usize = 12;

#[cfg(test)]
mod tests {
    use super::*;

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
        put_new_first(&file, &new).unwrap();
        // Another process has rotated the key.
        let ahead = Keyring::open(None, None, file.clone()).unwrap();
        assert!(opened(&running, &encrypted(&ahead)));
        assert_eq!(running.current(), new.id());
        assert!(opened(&ahead, &before));
        let aside = set_aside(&file, old).unwrap().unwrap();
        running.refresh().unwrap();
        assert!(opened(&running, &before));
        let later = Keyring::open(None, None, file.clone()).unwrap();
        assert!(!opened(&later, &before) && opened(&later, &encrypted(&running)));
        assert!(opened(&Keyring::open(None, None, aside).unwrap(), &before));
        assert_eq!(set_aside(&file, old).unwrap(), None);
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
