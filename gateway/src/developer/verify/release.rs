//! The files of a release that say what is in it, and who says so. What is in them reads `payframe_signed_release`.

use payframe_signed_release::{LIST, Refusal, SignedChecksums, SignedRelease};
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

/// Reads the files of a release, and verifies them: signature, checksums, list.
pub(super) fn read(folder: &Path, signers: &Path) -> Result<SignedRelease, ReleaseError> {
    let [checksums, signature] = ["SHA256SUMS", "SHA256SUMS.sig"].map(|name| folder.join(name));
    let [sums, made, keys] = [checksums.as_path(), &signature, signers].map(text);
    let signed = SignedChecksums::verify(&sums?, &made?, &keys?).map_err(|refusal| {
        let path = match refusal {
            Refusal::Signature => &signature,
            Refusal::Signer(_) => signers,
            _ => &checksums,
        };
        ReleaseError::of(refusal, path)
    })?;
    let list = folder.join(signed.list());
    let files = text(&list)?;
    signed
        .release(&files)
        .map_err(|refusal| ReleaseError::of(refusal, &list))
}

impl ReleaseError {
    /// A refusal of what is in a file.
    fn of(refusal: Refusal, path: &Path) -> ReleaseError {
        let path = path.to_owned();
        match refusal {
            Refusal::Signer(line) => ReleaseError::Signer { path, line },
            Refusal::Signature => ReleaseError::Signature(path),
            Refusal::NotSigned => ReleaseError::NotSigned(path),
            Refusal::NoList => ReleaseError::NoList(path),
            Refusal::ChangedList => ReleaseError::ChangedList(path),
            Refusal::Line(line) => ReleaseError::Line { path, line },
            Refusal::NoRelease => ReleaseError::NoRelease(path),
        }
    }
}

fn text(path: &Path) -> Result<String, ReleaseError> {
    std::fs::read_to_string(path).map_err(|source| ReleaseError::Unreadable {
        path: path.to_owned(),
        source,
    })
}
