//! The file of the vault's keys: one in each line, the current one first.

use super::encryption_key::{EncryptionKey, KeyId, add_unless_there, new_key};
use super::wrapping::{self, KeyWrapping};
use super::{KeyringError, hash};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use zeroize::Zeroizing;

/// A file with keys, which are in clear or wrapped.
#[derive(Clone)]
pub struct KeyFile {
    path: PathBuf,
    wrapping: Option<Arc<dyn KeyWrapping>>,
}

/// What a file has.
pub(crate) struct Contents {
    pub(crate) keys: Vec<EncryptionKey>,
    /// The hash of its text: the same text is not unwrapped again.
    pub(crate) hash: String,
}

impl From<PathBuf> for KeyFile {
    /// A file with keys in clear.
    fn from(path: PathBuf) -> KeyFile {
        KeyFile {
            path,
            wrapping: None,
        }
    }
}

impl KeyFile {
    /// A file whose keys are wrapped, if there is a wrapping.
    pub fn new(path: PathBuf, wrapping: Option<Arc<dyn KeyWrapping>>) -> KeyFile {
        KeyFile { path, wrapping }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether its keys are wrapped.
    pub fn is_wrapped(&self) -> bool {
        self.wrapping.is_some()
    }

    pub(crate) fn wrapping(&self) -> Option<&dyn KeyWrapping> {
        self.wrapping.as_deref()
    }

    /// Adds a new key as the first one. Running gateways use it within a second.
    ///
    /// # Errors
    /// The file cannot be read or written, or the key cannot be wrapped.
    pub fn put_new_first(&self, key: &EncryptionKey) -> Result<(), KeyringError> {
        let mut keys = self.read()?;
        keys.insert(0, key.clone());
        self.write(&keys)
    }

    /// Moves a key to a separate file beside this one, for the restore of an old back-up. Returns the path of that file. `None`: the key is
    /// not in this file.
    ///
    /// # Errors
    /// A file cannot be read or written, or a key cannot be wrapped.
    pub fn set_aside(&self, id: KeyId) -> Result<Option<PathBuf>, KeyringError> {
        let (retired, kept): (Vec<_>, Vec<_>) =
            self.read()?.into_iter().partition(|key| key.id() == id);
        let Some(key) = retired.into_iter().next() else {
            return Ok(None);
        };
        let beside = self.of_retired();
        let mut aside = match beside.path.exists() {
            true => beside.read()?,
            false => Vec::new(),
        };
        add_unless_there(&mut aside, key);
        beside.write(&aside)?;
        self.write(&kept)?;
        Ok(Some(beside.path))
    }

    /// Wraps every key of the file and of the file with retired keys, whether it was in clear or wrapped by another key. Returns how many
    /// there are. A key is written only after it was unwrapped again.
    ///
    /// # Errors
    /// Nothing of a file is changed: it cannot be read or written, or a key cannot be wrapped.
    pub fn wrap_all(&self, wrapping: &dyn KeyWrapping) -> Result<usize, KeyringError> {
        let mut count = 0;
        for file in [self.of_retired(), self.clone()] {
            if !file.path.exists() {
                continue;
            }
            let text = file.text()?;
            let keys = at_least_one(&text, |line| wrapping::parse_either(line, wrapping))?;
            file.write_wrapped(&keys, Some(wrapping))?;
            count += keys.len();
        }
        Ok(count)
    }

    fn of_retired(&self) -> KeyFile {
        KeyFile::new(self.path.with_extension("retired"), self.wrapping.clone())
    }

    fn text(&self) -> Result<Zeroizing<String>, KeyringError> {
        let text = std::fs::read_to_string(&self.path).map_err(KeyringError::KeyFile)?;
        Ok(Zeroizing::new(text))
    }

    /// The keys; at least one.
    pub(crate) fn read(&self) -> Result<Vec<EncryptionKey>, KeyringError> {
        Ok(self.contents()?.keys)
    }

    pub(crate) fn contents(&self) -> Result<Contents, KeyringError> {
        let text = self.text()?;
        Ok(Contents {
            keys: at_least_one(&text, |line| wrapping::parse(line, self.wrapping()))?,
            hash: hash(&text),
        })
    }

    /// The contents, unless the text has this hash.
    pub(crate) fn changed(&self, since: &str) -> Result<Option<Contents>, KeyringError> {
        match hash(&self.text()?) == since {
            true => Ok(None),
            false => self.contents().map(Some),
        }
    }

    /// Creates the file with a new key. From the start, it is complete and only its owner can read it.
    pub(crate) fn make(&self) -> Result<(), KeyringError> {
        let fresh = self.write_beside(&[new_key()?], self.wrapping())?;
        // A link, not a rename: another process that starts at the same moment may have created the file.
        let linked = std::fs::hard_link(&fresh, &self.path);
        std::fs::remove_file(&fresh).map_err(KeyringError::KeyFile)?;
        match linked {
            Err(problem) if problem.kind() != std::io::ErrorKind::AlreadyExists => {
                Err(KeyringError::KeyFile(problem))
            }
            _ => Ok(()),
        }
    }

    fn write(&self, keys: &[EncryptionKey]) -> Result<(), KeyringError> {
        self.write_wrapped(keys, self.wrapping())
    }

    /// Writes the file atomically: a reader sees the old content or the new one.
    fn write_wrapped(
        &self,
        keys: &[EncryptionKey],
        wrapping: Option<&dyn KeyWrapping>,
    ) -> Result<(), KeyringError> {
        let fresh = self.write_beside(keys, wrapping)?;
        std::fs::rename(fresh, &self.path).map_err(KeyringError::KeyFile)
    }

    /// Writes keys into a file of this process beside the file.
    fn write_beside(
        &self,
        keys: &[EncryptionKey],
        wrapping: Option<&dyn KeyWrapping>,
    ) -> Result<PathBuf, KeyringError> {
        let lines: Vec<Zeroizing<String>> = keys
            .iter()
            .map(|key| wrapping::written(key, wrapping))
            .collect::<Result<_, _>>()?;
        let fresh = self
            .path
            .with_extension(format!("new-{}", std::process::id()));
        let write = || -> std::io::Result<()> {
            let mut options = std::fs::OpenOptions::new();
            options.write(true).create(true).truncate(true);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            let mut open = options.open(&fresh)?;
            for line in &lines {
                open.write_all(line.as_bytes())?;
                open.write_all(b"\n")?;
            }
            open.sync_all()
        };
        write().map_err(KeyringError::KeyFile)?;
        Ok(fresh)
    }
}

fn at_least_one(
    text: &str,
    parse: impl Fn(&str) -> Result<EncryptionKey, KeyringError>,
) -> Result<Vec<EncryptionKey>, KeyringError> {
    let keys: Vec<EncryptionKey> = text.lines().map(parse).collect::<Result<_, _>>()?;
    match keys.is_empty() {
        true => Err(KeyringError::KeyForm),
        false => Ok(keys),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Keyring;
    use crate::wrapping::tests::Reversible;
    use std::sync::atomic::Ordering;

    fn lines(file: &KeyFile) -> Vec<String> {
        let text = file.text().unwrap();
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn wrapped_keys_are_rotated_and_set_aside_wrapped() {
        let folder = tempfile::tempdir().unwrap();
        let wrapping = Arc::new(Reversible::named("kek"));
        let file = KeyFile::new(folder.path().join("vault.key"), Some(wrapping.clone()));
        let running = Keyring::open(None, None, file.clone()).unwrap();
        let old = running.current();
        let sealed = running.encrypt(b"x", "y").unwrap();
        let new = new_key().unwrap();
        file.put_new_first(&new).unwrap();
        running.refresh().unwrap();
        assert_eq!(running.current(), new.id());
        assert_eq!(running.decrypt(&sealed, "y").unwrap().as_slice(), b"x");
        let aside = file.set_aside(old).unwrap().unwrap();
        let retired = KeyFile::new(aside, Some(wrapping));
        for file in [&file, &retired] {
            let lines = lines(file);
            assert_eq!(lines.len(), 1);
            assert!(lines[0].starts_with("wrapped:kek:"), "{lines:?}");
        }
    }

    #[test]
    fn a_file_that_did_not_change_is_not_unwrapped_again() {
        let folder = tempfile::tempdir().unwrap();
        let wrapping = Arc::new(Reversible::named("kek"));
        let file = KeyFile::new(folder.path().join("vault.key"), Some(wrapping.clone()));
        let keyring = Keyring::open(None, None, file.clone()).unwrap();
        let so_far = wrapping.unwrapped.load(Ordering::SeqCst);
        for _ in 0..3 {
            keyring.refresh().unwrap();
            assert!(keyring.decrypt(b"nothing of ours", "y").is_err());
        }
        assert_eq!(wrapping.unwrapped.load(Ordering::SeqCst), so_far);
        file.put_new_first(&new_key().unwrap()).unwrap();
        let so_far = wrapping.unwrapped.load(Ordering::SeqCst);
        keyring.refresh().unwrap();
        assert_eq!(wrapping.unwrapped.load(Ordering::SeqCst), so_far + 2);
    }

    #[test]
    fn keys_in_clear_are_wrapped_and_wrapped_again_by_the_next_key() {
        let folder = tempfile::tempdir().unwrap();
        let clear = KeyFile::from(folder.path().join("vault.key"));
        let keyring = Keyring::open(None, None, clear.clone()).unwrap();
        let sealed = keyring.encrypt(b"x", "y").unwrap();
        let old = keyring.current();
        clear.put_new_first(&new_key().unwrap()).unwrap();
        clear.set_aside(old).unwrap();
        let [first, second] = ["first", "second"].map(Reversible::named);
        assert_eq!(clear.wrap_all(&first).unwrap(), 2);
        assert!(lines(&clear)[0].starts_with("wrapped:first:"));
        assert_eq!(clear.wrap_all(&second).unwrap(), 2);
        let wrapping: Arc<dyn KeyWrapping> = Arc::new(second);
        let file = KeyFile::new(clear.path.clone(), Some(wrapping));
        assert!(lines(&file)[0].starts_with("wrapped:second:"));
        let retired = Keyring::open(None, None, file.of_retired()).unwrap();
        assert_eq!(retired.decrypt(&sealed, "y").unwrap().as_slice(), b"x");
        // The gateway that still expects keys in clear keeps those that it has, and says what it finds.
        let problem = keyring.refresh().unwrap_err();
        assert!(matches!(problem, KeyringError::Wrapped), "{problem}");
        assert_eq!(keyring.decrypt(&sealed, "y").unwrap().as_slice(), b"x");
        let missing = KeyFile::from(folder.path().join("missing.key"));
        assert_eq!(missing.wrap_all(&first).unwrap(), 0);
    }

    #[test]
    fn a_file_with_a_line_that_is_no_key_stays_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let file = KeyFile::from(folder.path().join("vault.key"));
        file.make().unwrap();
        let text = format!("{}\nnot a key\n", lines(&file)[0]);
        std::fs::write(&file.path, &text).unwrap();
        let refused = file.wrap_all(&Reversible::named("kek"));
        assert!(matches!(refused, Err(KeyringError::KeyForm)));
        assert_eq!(std::fs::read_to_string(&file.path).unwrap(), text);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
