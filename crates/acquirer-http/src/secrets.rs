//! The secrets that sign requests and answers.
//!
//! While a secret is rotated there are two. Requests are signed with both, and an answer may be signed with either, so gateway and adapter
//! can change theirs one after the other.

use payframe_vault::{is_signature_base64, notification_key, signature_base64};
use std::fmt;
use zeroize::Zeroizing;

/// One or two secrets, decoded.
#[derive(Clone)]
pub(crate) struct Secrets(Vec<Zeroizing<Vec<u8>>>);

impl Secrets {
    /// Reads a file with one secret in a line: `whsec_`, then at least 24 bytes in base64. `None`: it holds anything else.
    pub(crate) fn parse(text: &str) -> Option<Secrets> {
        let lines: Vec<&str> = text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .collect();
        if !(1..=MOST_SECRETS).contains(&lines.len()) {
            return None;
        }
        let decoded = lines.iter().map(|line| {
            let key = Zeroizing::new(notification_key(line.as_bytes()));
            // What cannot be decoded comes back as it was written.
            let is_decoded = line.starts_with(PREFIX) && key.as_slice() != line.as_bytes();
            (is_decoded && key.len() >= SHORTEST_BYTES).then_some(key)
        });
        decoded.collect::<Option<Vec<_>>>().map(Secrets)
    }

    /// The signatures of a message, one for each secret.
    pub(crate) fn sign(&self, parts: &[&[u8]]) -> String {
        let signed = self
            .0
            .iter()
            .map(|secret| format!("{VERSION}{}", signature_base64(secret, parts)));
        signed.collect::<Vec<_>>().join(" ")
    }

    /// Whether one of the signatures in a header is made with one of these secrets.
    pub(crate) fn have_signed(&self, parts: &[&[u8]], header: &str) -> bool {
        header
            .split(' ')
            .filter_map(|one| one.strip_prefix(VERSION))
            .any(|signature| {
                self.0
                    .iter()
                    .any(|secret| is_signature_base64(secret, parts, signature))
            })
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secrets(…)")
    }
}

/// What a file with secrets must hold, in words.
pub(crate) const ACCEPTED: &str = "the path of a file with one secret, or two while they are rotated, one in a line: whsec_ and at least 24 random \
                                   bytes in base64";

const PREFIX: &str = "whsec_";
const VERSION: &str = "v1,";
const MOST_SECRETS: usize = 2;
const SHORTEST_BYTES: usize = 24;

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: &str = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
    const SECOND: &str = "whsec_ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA=";

    #[test]
    fn a_file_holds_one_secret_or_two() {
        let three = [FIRST, SECOND, FIRST].join("\n");
        for (text, expected) in [
            (FIRST, true),
            ("\n  whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3  \n", true),
            ("", false),
            ("whsec_", false),
            ("whsec_c2hvcnQ=", false),
            ("whsec_not base64 at all, and long enough", false),
            ("MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=", false),
            (&three, false),
        ] {
            assert_eq!(Secrets::parse(text).is_some(), expected, "{text}");
        }
        let both = format!("{FIRST}\n{SECOND}\n");
        assert!(Secrets::parse(&both).is_some());
    }

    #[test]
    fn either_side_may_change_its_secret_first() {
        let old = Secrets::parse(FIRST).unwrap();
        let both = Secrets::parse(&format!("{SECOND}\n{FIRST}")).unwrap();
        let new = Secrets::parse(SECOND).unwrap();
        let parts: [&[u8]; 2] = [b"one", b"two"];
        assert!(old.have_signed(&parts, &both.sign(&parts)));
        assert!(new.have_signed(&parts, &both.sign(&parts)));
        assert!(both.have_signed(&parts, &old.sign(&parts)));
        assert!(both.have_signed(&parts, &new.sign(&parts)));
        assert!(!old.have_signed(&parts, &new.sign(&parts)));
        assert!(!old.have_signed(&[b"one", b"too"], &old.sign(&parts)));
    }

    #[test]
    fn debug_tells_nothing() {
        let secrets = Secrets::parse(FIRST).unwrap();
        assert_eq!(format!("{secrets:?}"), "Secrets(…)");
    }
}
