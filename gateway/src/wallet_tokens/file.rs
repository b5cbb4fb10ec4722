//! The file that `PAYFRAME_WALLETS` names: the keys, names and roots that open the tokens of wallets, and whose tokens these are.
//!
//! What cannot be used is refused with the name of the file, of the member, and with what is accepted. Keys and roots are in files of
//! their own.

use payframe_settings_file::{SettingsFile, SettingsFileError};
use payframe_wallet_tokens::{
    ApplePay, CertificateRoots, DecryptionKey, GooglePay, Recipient, SetUpError, SigningRoots,
};
use serde::Deserialize;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// The wallets of an operator.
pub(crate) struct WalletFile {
    applepay: Vec<(Vec<String>, ApplePay)>,
    /// `None`: for every merchant. Then each token names its own.
    googlepay: Vec<(Option<Vec<String>>, GooglePay)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileMembers {
    #[serde(default)]
    applepay: Vec<ApplePayMember>,
    #[serde(default)]
    googlepay: Vec<GooglePayMember>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ApplePayMember {
    identifier: String,
    merchants: Vec<String>,
    key_files: Vec<PathBuf>,
    root_file: PathBuf,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GooglePayMember {
    recipient: String,
    merchants: Option<Vec<String>>,
    key_files: Vec<PathBuf>,
    root_file: PathBuf,
}

impl WalletFile {
    /// Reads the file, and the files that it names. Paths in it are relative to its folder.
    ///
    /// # Errors
    /// The first thing that cannot be used.
    pub(crate) fn read(path: &Path) -> Result<WalletFile, SettingsFileError> {
        let (file, members) = SettingsFile::read::<FileMembers>(path)?;
        let mut reader = Reader {
            file,
            names: HashSet::new(),
        };
        let applepay = members.applepay.into_iter();
        let applepay = applepay.map(|member| reader.applepay(member));
        let applepay = applepay.collect::<Result<_, _>>()?;
        let googlepay = members.googlepay.into_iter();
        let googlepay = googlepay.map(|member| reader.googlepay(member));
        Ok(WalletFile {
            applepay,
            googlepay: googlepay.collect::<Result<_, _>>()?,
        })
    }

    /// What opens the tokens of APPLEPAY that this merchant may send.
    pub(crate) fn applepay_of(&self, merchant_id: &str) -> impl Iterator<Item = &ApplePay> {
        self.applepay.iter().filter_map(move |(merchants, opener)| {
            contains(merchants, merchant_id).then_some(opener)
        })
    }

    /// What opens the tokens of GOOGLEPAY that this merchant may send.
    pub(crate) fn googlepay_of(&self, merchant_id: &str) -> impl Iterator<Item = &GooglePay> {
        self.googlepay
            .iter()
            .filter_map(move |(merchants, opener)| {
                let merchants = merchants.as_deref();
                let is_for = merchants.is_none_or(|merchants| contains(merchants, merchant_id));
                is_for.then_some(opener)
            })
    }
}

fn contains(merchants: &[String], merchant_id: &str) -> bool {
    merchants.iter().any(|one| one == merchant_id)
}

/// Reads the members of one file.
struct Reader {
    file: SettingsFile,
    /// The identifiers and recipients so far.
    names: HashSet<String>,
}

impl Reader {
    fn applepay(
        &mut self,
        member: ApplePayMember,
    ) -> Result<(Vec<String>, ApplePay), SettingsFileError> {
        let ApplePayMember {
            identifier,
            merchants,
            key_files,
            root_file,
        } = member;
        let of = |key: &str| format!("{key} of applepay {identifier}");
        if identifier.is_empty() || !self.names.insert(identifier.clone()) {
            return Err(self
                .file
                .refused(of("identifier"), "an identifier that no other one has"));
        }
        self.check_merchants(&merchants, of("merchants"))?;
        let keys = self.keys(&key_files, &of)?;
        let roots = self.text(&root_file, of("root_file"))?;
        let roots = CertificateRoots::from_pem(&roots);
        let roots = self.usable(roots, of("root_file"))?;
        Ok((merchants, ApplePay::new(&identifier, keys, roots)))
    }

    fn googlepay(
        &mut self,
        member: GooglePayMember,
    ) -> Result<(Option<Vec<String>>, GooglePay), SettingsFileError> {
        let name = &member.recipient;
        let of = |key: &str| format!("{key} of googlepay {name}");
        let recipient = self.usable(Recipient::parse(name), of("recipient"))?;
        if !self.names.insert(name.clone()) {
            return Err(self
                .file
                .refused(of("recipient"), "a recipient that no other one has"));
        }
        match (&recipient, &member.merchants) {
            (Recipient::Merchant(_), merchants) => {
                let merchants = merchants.as_deref().unwrap_or_default();
                self.check_merchants(merchants, of("merchants"))?;
            }
            (Recipient::Gateway(_), None) => {}
            (Recipient::Gateway(_), Some(_)) => {
                let accepts = "left out: each token for a gateway names its merchant";
                return Err(self.file.refused(of("merchants"), accepts));
            }
        }
        let keys = self.keys(&member.key_files, &of)?;
        let roots = self.text(&member.root_file, of("root_file"))?;
        let roots = self.usable(SigningRoots::from_json(&roots), of("root_file"))?;
        Ok((member.merchants, GooglePay::new(recipient, keys, roots)))
    }

    fn check_merchants(
        &self,
        merchants: &[String],
        member: String,
    ) -> Result<(), SettingsFileError> {
        match merchants.is_empty() || merchants.iter().any(String::is_empty) {
            true => Err(self.file.refused(
                member,
                "ids of the merchants whose tokens these are, at least one",
            )),
            false => Ok(()),
        }
    }

    fn keys(
        &self,
        paths: &[PathBuf],
        of: &dyn Fn(&str) -> String,
    ) -> Result<Vec<DecryptionKey>, SettingsFileError> {
        if paths.is_empty() {
            return Err(self
                .file
                .refused(of("key_files"), "files with keys, at least one"));
        }
        let read = |path: &PathBuf| {
            let text = self.text(path, of("key_files"))?;
            self.usable(DecryptionKey::from_pem(&text), of("key_files"))
        };
        paths.iter().map(read).collect()
    }

    /// The text of a file. Wiped from memory, because it may be a key.
    fn text(&self, path: &Path, member: String) -> Result<Zeroizing<String>, SettingsFileError> {
        std::fs::read_to_string(self.file.beside(path))
            .map(Zeroizing::new)
            .map_err(|error| {
                let problem = format!("{member}: {}: {error}", path.display());
                self.file.unusable(problem)
            })
    }

    fn usable<T>(
        &self,
        read: Result<T, SetUpError>,
        member: String,
    ) -> Result<T, SettingsFileError> {
        read.map_err(|problem| self.file.refused(member, problem.accepts()))
    }
}

#[cfg(test)]
mod tests;
