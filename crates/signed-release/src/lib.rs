//! The texts that say what is in a release, and who says so: checksums as `sha256sum` writes them, their signature as `ssh-keygen` makes it,
//! and the list of the widget's files.
//!
//! Use it to compare what a gateway serves with what was released. It opens no file, and asks no gateway.

use sha2::{Digest, Sha256};
use ssh_key::{PublicKey, SshSig};
use std::collections::BTreeMap;
use thiserror::Error;

/// Why a text is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// A line of the signers is not a name and a key. Lines are counted from 1.
    #[error("line {0} of the signers is not a name and a public key")]
    Signer(usize),
    /// The signature is not one.
    #[error("not a signature of `ssh-keygen -Y sign`")]
    Signature,
    /// None of the signers made the signature, or the checksums were changed since.
    #[error("not signed by any of the signers")]
    NotSigned,
    /// The checksums name no list of files, or several.
    #[error("not one file that ends in {LIST}")]
    NoList,
    /// The list is not the one that was signed.
    #[error("not the list that the checksums name")]
    ChangedList,
    /// A line is not a hash and a name.
    #[error("line {0} is not one that `sha256sum` writes")]
    Line(usize),
    /// No release is named in the list.
    #[error("no sdk/RELEASE/payframe.js in the list")]
    NoRelease,
}

/// Checksums that a signer has signed, with the list of files that they name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedChecksums {
    signer: String,
    list: String,
    hash: String,
}

/// What a signer says of a release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedRelease {
    /// Who signed it, as the file of signers calls them.
    pub signer: String,
    /// Version and hash, e.g. `0.1.0-1a2b3c4d`.
    pub name: String,
    /// The SHA-256 of each file of the widget in lower case, by its path in the dist.
    pub files: BTreeMap<String, String>,
}

impl SignedChecksums {
    /// Verifies the signature of checksums with the keys of the signers: on each line a name and a key.
    pub fn verify(
        checksums: &str,
        signature: &str,
        signers: &str,
    ) -> Result<SignedChecksums, Refusal> {
        let signer = signer(checksums, signature, signers)?.ok_or(Refusal::NotSigned)?;
        let mut lists = hashes(checksums)?
            .into_iter()
            .filter(|(name, _)| name.ends_with(LIST));
        let (Some((list, hash)), None) = (lists.next(), lists.next()) else {
            return Err(Refusal::NoList);
        };
        Ok(SignedChecksums { signer, list, hash })
    }

    /// The name of the list of files.
    pub fn list(&self) -> &str {
        &self.list
    }

    /// The release of this list, if it is the one that was signed.
    pub fn release(self, list: &str) -> Result<SignedRelease, Refusal> {
        if format!("{:x}", Sha256::digest(list)) != self.hash {
            return Err(Refusal::ChangedList);
        }
        let files = hashes(list)?;
        let name = files.keys().find_map(|path| {
            let name = path.strip_prefix("sdk/")?.strip_suffix("/payframe.js")?;
            Some(name.to_owned())
        });
        Ok(SignedRelease {
            signer: self.signer,
            name: name.ok_or(Refusal::NoRelease)?,
            files,
        })
    }
}

/// The hashes by name, of a text as `sha256sum` writes it. A name never leads out of the folder that it is joined to.
pub fn hashes(text: &str) -> Result<BTreeMap<String, String>, Refusal> {
    let entry = |(place, line): (usize, &str)| {
        let unreadable = || Refusal::Line(place + 1);
        let (hash, name) = line.split_once("  ").ok_or_else(unreadable)?;
        let is_hash = hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        let is_name = !name.contains(char::is_control)
            && name.split('/').all(|part| !part.is_empty() && part != "..");
        if !is_hash || !is_name {
            return Err(unreadable());
        }
        Ok((name.to_owned(), hash.to_ascii_lowercase()))
    };
    text.lines().enumerate().map(entry).collect()
}

/// The signer whose key made the signature of a text. `None`: none of them.
fn signer(text: &str, signature: &str, signers: &str) -> Result<Option<String>, Refusal> {
    let made = SshSig::from_pem(signature).map_err(|_| Refusal::Signature)?;
    for (place, line) in signers.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let unreadable = || Refusal::Signer(place + 1);
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

/// The end of the name of the file that lists the widget's files.
pub const LIST: &str = "-files.sha256";

/// What the signature is for: one of another purpose does not count.
pub const NAMESPACE: &str = "payframe-release";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stays_in_its_folder_and_has_no_control_character() {
        let check = |name: &str, expected: bool| {
            let read = hashes(&format!("{}  {name}", "0".repeat(64)));
            assert_eq!(read.is_ok(), expected, "{name:?}");
        };
        check("form/a.wasm", true);
        check("form/a..b", true);
        check("../a", false);
        check("form/../../a", false);
        check("/form/a", false);
        check("form//a", false);
        check("", false);
        check("form/a\r", false);
        check("form/a\0", false);
    }

    #[test]
    fn a_line_that_sha256sum_does_not_write_is_named() {
        let good = format!("{}  a\n", "A".repeat(64));
        assert_eq!(hashes(&good).unwrap()["a"], "a".repeat(64));
        for bad in [
            "",
            "a",
            &good[1..],
            &good.replace("  ", " "),
            &good.replace('A', "g"),
        ] {
            let text = format!("{good}{bad}\n");
            assert_eq!(hashes(&text), Err(Refusal::Line(2)), "{bad:?}");
        }
    }
}
