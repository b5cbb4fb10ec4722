//! The signature of a release: one, over the file of checksums, with the releaser's own SSH key.
//!
//! `ssh-keygen` signs and verifies (OpenSSH 8.1 and newer): it is on the machines of those who release, and of those who verify. The key may be in an
//! agent or on a token; then `--sign-key` names its public part.

use crate::process::run as run_loudly;
use anyhow::Result;
use std::path::Path;
use std::process::Command;

/// Writes the signature beside a file, under the file's name with `.sig` behind.
pub(crate) fn sign(file: &Path, key: &Path) -> Result<()> {
    let signature = file.with_added_extension("sig");
    // The program asks before it overwrites.
    if signature.exists() {
        std::fs::remove_file(&signature)?;
    }
    run_loudly(
        Command::new("ssh-keygen")
            .args(["-q", "-Y", "sign", "-n", NAMESPACE, "-f"])
            .arg(key)
            .arg(file),
    )
}

/// What the signature is for: one of another purpose does not count.
const NAMESPACE: &str = "payframe-release";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::{capture, filter};

    #[test]
    fn a_signature_is_of_one_key_and_one_file() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let path = |name: &str| folder.path().join(name);
        let key = |name: &str| -> Result<String> {
            let mut keygen = Command::new("ssh-keygen");
            capture(
                keygen
                    .args(["-q", "-t", "ed25519", "-N", "", "-f"])
                    .arg(path(name)),
            )?;
            Ok(std::fs::read_to_string(path(&format!("{name}.pub")))?)
        };
        let (ours, other) = (key("ours")?, key("other")?);
        std::fs::write(path("SHA256SUMS"), "abc  file\n")?;
        sign(&path("SHA256SUMS"), &path("ours"))?;
        // As docs/releases.md says it.
        let verify = |signer: &str, text: &str| {
            std::fs::write(path("signers"), format!("payframe {signer}"))?;
            let mut verify = Command::new("ssh-keygen");
            verify.args([
                "-Y",
                "verify",
                "-I",
                "payframe",
                "-n",
                "payframe-release",
                "-f",
            ]);
            verify
                .arg(path("signers"))
                .arg("-s")
                .arg(path("SHA256SUMS.sig"));
            filter(&mut verify, text)
        };
        assert!(verify(&ours, "abc  file\n")?.contains("Good"));
        assert!(verify(&ours, "abd  file\n").is_err());
        assert!(verify(&other, "abc  file\n").is_err());
        Ok(())
    }
}
