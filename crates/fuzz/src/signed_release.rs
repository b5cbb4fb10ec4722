//! What says what is in a release: checksums, their signature and the keys of signers, each behind a zero byte, and a list of files behind them.

use payframe_signed_release::{NAMESPACE, SignedChecksums, hashes};
use ssh_key::private::Ed25519Keypair;
use ssh_key::{HashAlg, LineEnding, PrivateKey};

/// Checksums count only if they are those that were signed. What is read of a list is written so that it is read as the same, and no name in it
/// leads out of its folder.
pub(crate) fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let mut parts = text.split('\0');
    let mut part = || parts.next().unwrap_or_default();
    let (checksums, signature, signers, list) = (part(), part(), part(), part());
    if let Ok(signed) = SignedChecksums::verify(checksums, signature, signers) {
        assert_eq!(checksums, CHECKSUMS, "nobody has signed it");
        if let Ok(release) = signed.release(list) {
            assert_eq!(list, LIST, "nobody has signed it");
            assert_eq!(release.name, "0.1.0-1a2b3c4d");
        }
    }
    for text in [checksums, list] {
        let Ok(read) = hashes(text) else {
            continue;
        };
        let mut written = String::new();
        for (name, hash) in &read {
            assert!(
                !name.starts_with('/') && name.split('/').all(|part| part != ".."),
                "{name}"
            );
            written += &format!("{hash}  {name}\n");
        }
        assert_eq!(hashes(&written).ok(), Some(read));
    }
}

pub(crate) fn samples() -> Vec<Vec<u8>> {
    let key = PrivateKey::from(Ed25519Keypair::from_seed(&[1; 32]));
    let signature = key.sign(NAMESPACE, HashAlg::Sha512, CHECKSUMS.as_bytes());
    let signature = signature.and_then(|signature| signature.to_pem(LineEnding::LF));
    let signer = key.public_key().to_openssh();
    let signed = [signature, signer].map(Result::unwrap_or_default);
    let [signature, signer] = &signed;
    crate::texts::samples(&[
        &format!("{CHECKSUMS}\0{signature}\0# who makes releases\npayframe {signer}\n\0{LIST}"),
        &format!("\0{signature}\0a {signer}\n{signer}\0"),
        &format!("\0\0\0{LIST}{LIST}"),
    ])
}

/// Of the widget's files.
const LIST: &str = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824  sdk/0.1.0-1a2b3c4d/payframe.js
486EA46224D1BB4FB680F34F7C9AD96A8F24EC88BE73EA8E5A6C65260E9CB8A7  form/a.wasm
";

/// Of the release's files, with the list.
const CHECKSUMS: &str = "161059735c43d2337959871de9db9cf0ee6d147e8432d64c992f6f31f2175a29  payframe-gateway-0.1.0-files.sha256
2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824  payframe-gateway-0.1.0.tar.gz
";
