//! The vault: seals what must not be read from the database, and hashes what only has to be recognised.
//!
//! One master key, which comes from the environment or from a file beside the database, gives one key for
//! each purpose. What is sealed is bound to what it belongs to: a sealed card that is moved to another
//! session does not open. Losing the key loses the sealed cards, and nothing else that matters: a buyer
//! enters the card again.

use aes_gcm::aead::{Aead, KeyInit, Payload};
use aes_gcm::{Aes256Gcm, Key, Nonce};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use hmac::{Hmac, Mac};
use sha2::{Digest, Sha256};
use std::io::{Read, Write};
use std::path::Path;
use zeroize::Zeroizing;

/// Seals, opens, hashes.
pub(crate) struct Vault {
    seal: Aes256Gcm,
    tokens: Zeroizing<[u8; 32]>,
    fingerprints: Zeroizing<[u8; 32]>,
    cards: Zeroizing<[u8; 32]>,
    api_keys: Zeroizing<[u8; 32]>,
}

/// Why the vault can not be opened.
#[derive(Debug)]
pub(crate) enum VaultProblem {
    /// The key is not 32 bytes as base64.
    KeyForm,
    /// The key file can not be read or made.
    KeyFile(std::io::Error),
    /// The system gives no random numbers.
    Random,
    /// More than AES-GCM seals at once (64 GB).
    TooLong,
}

/// Something sealed does not open: made with another key, for something else, or changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DoesNotOpen;

impl std::fmt::Display for VaultProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            VaultProblem::KeyForm => f.write_str("the vault's key must be 32 bytes, as base64"),
            VaultProblem::KeyFile(problem) => write!(f, "the vault's key file: {problem}"),
            VaultProblem::Random => f.write_str("the system gives no random numbers"),
            VaultProblem::TooLong => f.write_str("too long to be sealed"),
        }
    }
}

impl Vault {
    /// Opens the vault with `key` (32 bytes as base64), or with the key file, which is made if it is not there.
    pub(crate) fn open(key: Option<&str>, file: &Path) -> Result<Vault, VaultProblem> {
        let text = match key {
            Some(key) => Zeroizing::new(key.to_owned()),
            None => key_file(file)?,
        };
        let mut master = Zeroizing::new([0; 32]);
        match STANDARD.decode_slice(text.trim(), master.as_mut_slice()) {
            Ok(32) => Ok(Vault::with(&master)),
            _ => Err(VaultProblem::KeyForm),
        }
    }

    fn with(master: &[u8; 32]) -> Vault {
        let derive = |purpose: &str| Zeroizing::new(mac(master, &[purpose.as_bytes()]));
        let seal = derive("seal");
        Vault {
            seal: Aes256Gcm::new(Key::<Aes256Gcm>::from_slice(seal.as_slice())),
            tokens: derive("page tokens"),
            fingerprints: derive("request fingerprints"),
            cards: derive("card ids"),
            api_keys: derive("api keys"),
        }
    }

    /// Seals `content` for `belongs_to`.
    pub(crate) fn seal(&self, content: &[u8], belongs_to: &str) -> Result<Vec<u8>, VaultProblem> {
        let mut sealed = vec![0; NONCE];
        getrandom::fill(&mut sealed).map_err(|_| VaultProblem::Random)?;
        let nonce = Nonce::clone_from_slice(&sealed);
        let payload = Payload {
            msg: content,
            aad: belongs_to.as_bytes(),
        };
        let ciphertext = self
            .seal
            .encrypt(&nonce, payload)
            .map_err(|_| VaultProblem::TooLong)?;
        sealed.extend_from_slice(&ciphertext);
        Ok(sealed)
    }

    /// Opens what was sealed for `belongs_to`.
    pub(crate) fn open_sealed(
        &self,
        sealed: &[u8],
        belongs_to: &str,
    ) -> Result<Zeroizing<Vec<u8>>, DoesNotOpen> {
        let (nonce, ciphertext) = sealed.split_at_checked(NONCE).ok_or(DoesNotOpen)?;
        let payload = Payload {
            msg: ciphertext,
            aad: belongs_to.as_bytes(),
        };
        self.seal
            .decrypt(Nonce::from_slice(nonce), payload)
            .map(Zeroizing::new)
            .map_err(|_| DoesNotOpen)
    }

    /// The token in the address of a page: the same for the same subject, and not to be guessed.
    pub(crate) fn page_token(&self, subject: &str) -> String {
        URL_SAFE_NO_PAD.encode(mac(&self.tokens, &[subject.as_bytes()]))
    }

    /// The fingerprint of a request, by which a repetition is recognised.
    pub(crate) fn fingerprint(&self, parts: &[&[u8]]) -> String {
        hex(&mac(&self.fingerprints, parts))
    }

    /// A card's id for one merchant: the same card has another one elsewhere.
    pub(crate) fn card_id(&self, merchant_id: &str, card: &[&str]) -> String {
        let mut parts = vec![merchant_id.as_bytes()];
        parts.extend(card.iter().map(|part| part.as_bytes()));
        hex(&mac(&self.cards, &parts))
    }

    /// What an API key is stored as.
    pub(crate) fn api_key_hash(&self, api_key: &str) -> String {
        hex(&mac(&self.api_keys, &[api_key.as_bytes()]))
    }
}

/// SHA-256 of a text, as hex digits: also what a secret of ours with 256 random bits is stored as.
pub(crate) fn hash(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes()))
}

/// A secret with 256 random bits: 43 characters of base64url.
pub(crate) fn random_secret() -> Result<String, VaultProblem> {
    Ok(URL_SAFE_NO_PAD.encode(random::<32>()?))
}

/// 32 hex digits, for notifications to be recognised by.
pub(crate) fn random_token() -> Result<String, VaultProblem> {
    Ok(hex(&random::<16>()?))
}

/// An operation's id: 18 digits, the first not 0.
pub(crate) fn random_operation_id() -> Result<String, VaultProblem> {
    let number = u64::from_be_bytes(random::<8>()?);
    // The remainder's bias is one part in 20 and harms nobody: ids are to be unique, not secret.
    Ok((100_000_000_000_000_000 + number % 900_000_000_000_000_000).to_string())
}

fn random<const LENGTH: usize>() -> Result<[u8; LENGTH], VaultProblem> {
    let mut bytes = [0; LENGTH];
    getrandom::fill(&mut bytes).map_err(|_| VaultProblem::Random)?;
    Ok(bytes)
}

/// HMAC-SHA-256 over the parts, each with its length before it.
fn mac(key: &[u8; 32], parts: &[&[u8]]) -> [u8; 32] {
    // A key is padded with zeros to the hash's block: said by hand, so that the length is right by its type.
    let mut block = Zeroizing::new([0; 64]);
    block[..32].copy_from_slice(key);
    let mut mac = <Hmac<Sha256> as KeyInit>::new(block.as_slice().into());
    for part in parts {
        mac.update(&(part.len() as u64).to_be_bytes());
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

/// HMAC-SHA-256 with a merchant's secret, as hex digits (contract 9.4).
pub(crate) fn signature(secret: &[u8], parts: &[&[u8]]) -> String {
    // HMAC takes keys of any length: no secret is refused.
    let Ok(mut mac) = <Hmac<Sha256> as Mac>::new_from_slice(secret) else {
        return String::new();
    };
    for part in parts {
        mac.update(part);
    }
    hex(&mac.finalize().into_bytes())
}

/// Bytes as lower-case hexadecimal digits, as hashes are kept.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reads the key file, making it first if it is not there: complete and for its owner alone from the start.
fn key_file(file: &Path) -> Result<Zeroizing<String>, VaultProblem> {
    if !file.exists() {
        let fresh = file.with_extension(format!("new-{}", std::process::id()));
        let key = Zeroizing::new(random::<32>()?);
        write_private(&fresh, STANDARD.encode(key.as_slice()).as_bytes())
            .map_err(VaultProblem::KeyFile)?;
        // A link, not a rename: another process that starts at the same moment may have been first.
        let linked = std::fs::hard_link(&fresh, file);
        std::fs::remove_file(&fresh).map_err(VaultProblem::KeyFile)?;
        match linked {
            Err(problem) if problem.kind() != std::io::ErrorKind::AlreadyExists => {
                return Err(VaultProblem::KeyFile(problem));
            }
            _ => {}
        }
    }
    let mut text = Zeroizing::new(String::with_capacity(64));
    std::fs::File::open(file)
        .and_then(|mut open| open.read_to_string(&mut text))
        .map_err(VaultProblem::KeyFile)?;
    Ok(text)
}

fn write_private(file: &Path, content: &[u8]) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut open = options.open(file)?;
    open.write_all(content)?;
    open.sync_all()
}

const NONCE: usize = 12;

#[cfg(test)]
mod tests {
    use super::*;

    fn vault() -> Vault {
        Vault::with(&[7; 32])
    }

    #[test]
    fn what_is_sealed_opens_only_for_what_it_belongs_to() {
        let sealed = vault().seal(b"4761730000000003", "session a").unwrap();
        assert!(!sealed.windows(8).any(|window| window == b"47617300"));
        assert_eq!(
            vault()
                .open_sealed(&sealed, "session a")
                .unwrap()
                .as_slice(),
            b"4761730000000003"
        );
        assert_eq!(vault().open_sealed(&sealed, "session b"), Err(DoesNotOpen));
        assert_eq!(
            Vault::with(&[8; 32]).open_sealed(&sealed, "session a"),
            Err(DoesNotOpen)
        );
        let mut changed = sealed.clone();
        changed[NONCE] ^= 1;
        assert_eq!(vault().open_sealed(&changed, "session a"), Err(DoesNotOpen));
        assert_eq!(
            vault().open_sealed(&sealed[..5], "session a"),
            Err(DoesNotOpen)
        );
    }

    #[test]
    fn the_same_content_is_sealed_differently_each_time() {
        assert_ne!(
            vault().seal(b"content", "a").unwrap(),
            vault().seal(b"content", "a").unwrap()
        );
    }

    #[test]
    fn hashes_differ_by_purpose_and_by_where_the_parts_end() {
        let vault = vault();
        assert_ne!(vault.api_key_hash("x"), vault.fingerprint(&[b"x"]));
        assert_ne!(
            vault.fingerprint(&[b"ab", b"c"]),
            vault.fingerprint(&[b"a", b"bc"])
        );
        assert_ne!(vault.card_id("m1", &["4"]), vault.card_id("m2", &["4"]));
    }

    #[test]
    fn the_key_file_is_made_once_and_for_its_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("vault.key");
        let sealed = Vault::open(None, &file)
            .unwrap()
            .seal(b"content", "a")
            .unwrap();
        let again = Vault::open(None, &file).unwrap();
        assert_eq!(
            again.open_sealed(&sealed, "a").unwrap().as_slice(),
            b"content"
        );
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(
                std::fs::metadata(&file).unwrap().permissions().mode() & 0o777,
                0o600
            );
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_key_of_another_form_is_refused() {
        let file = Path::new("/nonexistent/vault.key");
        for key in [
            "",
            "short",
            "AAAA",
            "not base64 at all, not at all, not at all ==",
        ] {
            assert!(
                matches!(Vault::open(Some(key), file), Err(VaultProblem::KeyForm)),
                "{key}"
            );
        }
        assert!(Vault::open(Some(&STANDARD.encode([1; 32])), file).is_ok());
    }

    #[test]
    fn operation_ids_have_18_digits() {
        for _ in 0..1000 {
            let id = random_operation_id().unwrap();
            assert!(
                id.len() == 18
                    && !id.starts_with('0')
                    && id.bytes().all(|byte| byte.is_ascii_digit()),
                "{id}"
            );
        }
    }
}
