//! The files of a release that say what is in it, and who says so.

use sha2::{Digest, Sha256};
use ssh_key::{PublicKey, SshSig};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why the files of a release are not taken.
#[derive(Debug, Error)]
pub enum ReleaseError {
    /// A file cannot be read.
    #[error("cannot read {path}")]
    Unreadable {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A line of the signers is not a name and a key.
    #[error("{path}, line {line}: write a name and a public key, as `payframe ssh-ed25519 AAAA…`")]
    Signer {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
    },
    /// The signature is not one.
    #[error("{0} is not a signature that `ssh-keygen -Y sign` makes")]
    Signature(PathBuf),
    /// None of the signers made the signature, or the checksums were changed since.
    #[error(
        "{0} is not signed by any of the signers: take the release from a source that you trust, or ask whoever made it for the key"
    )]
    NotSigned(PathBuf),
    /// The checksums name no list of files, or several.
    #[error("{0} has to name one file that ends in {LIST}")]
    NoList(PathBuf),
    /// The list is not the one that was signed.
    #[error("{0} is not the file that SHA256SUMS names")]
    ChangedList(PathBuf),
    /// A line is not a hash and a name.
    #[error("{path}, line {line}: not a line that `sha256sum` writes")]
    Line {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
    },
    /// No release is named in the list.
    #[error("{0} lists no sdk/RELEASE/payframe.js")]
    NoRelease(PathBuf),
}

/// What a signer says of a release.
pub(super) struct SignedRelease {
    /// Who signed it, as the file of signers calls them.
    pub(super) signer: String,
    /// Version and hash, e.g. `0.1.0-1a2b3c4d`.
    pub(super) name: String,
    /// The SHA-256 of each file of the widget, by its path in the dist.
    pub(super) files: BTreeMap<String, String>,
}

impl SignedRelease {
    /// Reads the files of a release, and verifies them: signature, checksums, list.
    pub(super) fn read(folder: &Path, signers: &Path) -> Result<SignedRelease, ReleaseError> {
        let checksums = folder.join("SHA256SUMS");
        let text = read(&checksums)?;
        let signer = signer(&text, &folder.join("SHA256SUMS.sig"), signers)?
            .ok_or_else(|| ReleaseError::NotSigned(checksums.clone()))?;
        let named = hashes(&checksums, &text)?;
        let mut lists = named.iter().filter(|(name, _)| name.ends_with(LIST));
        let (Some((list, hash)), None) = (lists.next(), lists.next()) else {
            return Err(ReleaseError::NoList(checksums));
        };
        let list = folder.join(list);
        let text = read(&list)?;
        if payframe_vault::hex(&Sha256::digest(&text)) != *hash {
            return Err(ReleaseError::ChangedList(list));
        }
        let files = hashes(&list, &text)?;
        let name = files.keys().find_map(|path| {
            let name = path.strip_prefix("sdk/")?.strip_suffix("/payframe.js")?;
            Some(name.to_owned())
        });
        Ok(SignedRelease {
            signer,
            name: name.ok_or(ReleaseError::NoRelease(list))?,
            files,
        })
    }
}

/// The signer whose key made the signature of a text. `None`: none of them.
fn signer(text: &str, signature: &Path, signers: &Path) -> Result<Option<String>, ReleaseError> {
    let made = SshSig::from_pem(read(signature)?)
        .map_err(|_| ReleaseError::Signature(signature.to_owned()))?;
    for (place, line) in read(signers)?.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let unreadable = || ReleaseError::Signer {
            path: signers.to_owned(),
            line: place + 1,
        };
        let (name, key) = line
            .split_once(char::is_whitespace)
            .ok_or_else(unreadable)?;
        let key = PublicKey::from_openssh(key.trim()).map_err(|_| unreadable())?;
        if key.verify(NAMESPACE, text.as_bytes(), &made).is_ok() {
            return Ok(Some(name.to_owned()));
        }
    }
    Ok(None)
}

/// The hashes by name, of a file as `sha256sum` writes it.
fn hashes(path: &Path, text: &str) -> Result<BTreeMap<String, String>, ReleaseError> {
    let entry = |(place, line): (usize, &str)| {
        let unreadable = || ReleaseError::Line {
            path: path.to_owned(),
            line: place + 1,
        };
        let (hash, name) = line.split_once("  ").ok_or_else(unreadable)?;
        let is_hash = hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        // Names are joined to the folder.
        if !is_hash || name.split('/').any(|part| part.is_empty() || part == "..") {
            return Err(unreadable());
        }
        Ok((name.to_owned(), hash.to_ascii_lowercase()))
    };
    text.lines().enumerate().map(entry).collect()
}

fn read(path: &Path) -> Result<String, ReleaseError> {
    std::fs::read_to_string(path).map_err(|source| ReleaseError::Unreadable {
        path: path.to_owned(),
        source,
    })
}

/// The end of the name of the file that lists the widget's files.
const LIST: &str = "-files.sha256";

/// What the signature is for: one of another purpose does not count.
const NAMESPACE: &str = "payframe-release";
