//! The file that `PAYFRAME_3DS` names: which directory servers there are, and what they know of the terminals.
//!
//! What cannot be used is refused with the name of the file, of the member, and with what is accepted. Keys are in files of their own.

use crate::element::{Digits, Element, Text, WebAddress};
use crate::message::Version;
use payframe_card_rules::network::Network;
use payframe_settings_file::{SettingsFile, SettingsFileError};
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::time::Duration;
use zeroize::Zeroizing;

/// The directory servers of an operator, and the terminals.
#[derive(Debug)]
pub struct ThreeDsFile {
    pub(crate) server_reference: Text<1, 32>,
    pub(crate) directories: Vec<DirectorySettings>,
    pub(crate) terminals: Vec<TerminalSettings>,
}

/// One directory server.
pub(crate) struct DirectorySettings {
    pub(crate) name: String,
    pub(crate) url: WebAddress<2048>,
    /// Certificates to trust in place of the public ones, as PEM.
    pub(crate) authorities: Option<Vec<u8>>,
    /// Our certificate and its key, as PEM.
    pub(crate) identity: Zeroizing<Vec<u8>>,
    pub(crate) networks: HashSet<Network>,
    /// The newest one first.
    pub(crate) versions: Vec<Version>,
    pub(crate) server_operator: Option<Text<1, 32>>,
    pub(crate) connect_limit: Duration,
    pub(crate) answer_limit: Duration,
    pub(crate) ranges_interval: Duration,
}

/// What directory servers know of a terminal.
#[derive(Debug)]
pub(crate) struct TerminalSettings {
    pub(crate) id: String,
    pub(crate) merchant_name: Text<1, 40>,
    pub(crate) merchant_url: WebAddress<2048>,
    pub(crate) merchant_category: Digits<4, 4>,
    pub(crate) country: Digits<3, 3>,
    pub(crate) unauthenticated: Unauthenticated,
    /// How long issuers may ask the buyer apart from the browser. `None`: they may not.
    pub(crate) decoupled_minutes: Option<u16>,
    /// By the name of the directory server.
    pub(crate) enrolments: BTreeMap<String, Enrolment>,
}

/// A terminal at one directory server.
#[derive(Clone, Debug)]
pub(crate) struct Enrolment {
    pub(crate) requestor_id: Text<1, 35>,
    pub(crate) requestor_name: Text<1, 40>,
    pub(crate) acquirer_bin: Text<1, 11>,
    /// ISO 3166-1, three digits. `None`: that of the terminal.
    pub(crate) acquirer_country: Option<Digits<3, 3>>,
    pub(crate) merchant_id: Text<1, 35>,
}

/// What becomes of a payment whose buyer no issuer can authenticate.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Unauthenticated {
    /// It is refused.
    #[default]
    Refuse,
    /// It goes on, and the merchant is liable.
    Pay,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileMembers {
    reference_number: String,
    #[serde(default)]
    directory: Vec<DirectoryMember>,
    #[serde(default)]
    terminal: Vec<TerminalMember>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DirectoryMember {
    name: String,
    url: String,
    ca_file: Option<PathBuf>,
    certificate_file: PathBuf,
    key_file: PathBuf,
    networks: BTreeSet<String>,
    #[serde(default = "all_versions")]
    versions: BTreeSet<String>,
    operator_id: Option<String>,
    #[serde(default = "five")]
    connect_seconds: u64,
    #[serde(default = "ten")]
    answer_seconds: u64,
    #[serde(default = "one_day")]
    ranges_hours: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TerminalMember {
    id: String,
    merchant_name: String,
    merchant_url: String,
    merchant_category: String,
    country: String,
    #[serde(default)]
    unauthenticated: Unauthenticated,
    decoupled_minutes: Option<u64>,
    #[serde(default)]
    directory: BTreeMap<String, EnrolmentMember>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EnrolmentMember {
    requestor_id: String,
    requestor_name: Option<String>,
    acquirer_bin: String,
    acquirer_country: Option<String>,
    merchant_id: String,
}

impl ThreeDsFile {
    /// Reads the file, and the files that it names. Paths in it are relative to its folder.
    ///
    /// # Errors
    /// The first thing that cannot be used.
    pub fn read(path: &Path) -> Result<ThreeDsFile, SettingsFileError> {
        let (file, members) = SettingsFile::read::<FileMembers>(path)?;
        let reader = Reader(file);
        let directories = members.directory.into_iter();
        let directories = directories.map(|member| reader.directory(member));
        let directories: Vec<_> = directories.collect::<Result<_, _>>()?;
        let mut networks = HashSet::new();
        let mut names = HashSet::new();
        for directory in &directories {
            let shares = directory.networks.iter().any(|one| !networks.insert(*one));
            if shares || !names.insert(directory.name.as_str()) {
                let member = format!("name and networks of directory {}", directory.name);
                return Err(reader.refused(member, "those of no other directory"));
            }
        }
        let terminals = members.terminal.into_iter();
        let terminals = terminals.map(|member| reader.terminal(member, &names));
        let terminals: Vec<_> = terminals.collect::<Result<_, _>>()?;
        let ids: HashSet<_> = terminals.iter().map(|terminal| &terminal.id).collect();
        if ids.len() < terminals.len() {
            return Err(reader.refused(String::from("id of a terminal"), "that of no other"));
        }
        Ok(ThreeDsFile {
            server_reference: reader.element(
                &members.reference_number,
                "reference_number",
                "1 to 32 characters",
            )?,
            directories,
            terminals,
        })
    }

    /// The terminals in it.
    pub fn terminal_ids(&self) -> impl Iterator<Item = &str> {
        self.terminals.iter().map(|terminal| terminal.id.as_str())
    }
}

impl std::fmt::Debug for DirectorySettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "DirectorySettings({})", self.name)
    }
}

/// Reads the members of one file.
struct Reader(SettingsFile);

impl Reader {
    fn directory(&self, member: DirectoryMember) -> Result<DirectorySettings, SettingsFileError> {
        let of = |key: &str| format!("{key} of directory {}", member.name);
        let url: WebAddress<2048> = self.element(&member.url, &of("url"), "an https address")?;
        if !url.starts_with("https:") {
            return Err(self.refused(of("url"), "an https address"));
        }
        let networks = member.networks.iter();
        let networks = networks.map(|code| Network::from_code(code));
        let networks: Option<HashSet<Network>> = networks.collect();
        let Some(networks) = networks.filter(|networks| !networks.is_empty()) else {
            return Err(self.refused(of("networks"), "codes of networks, at least one"));
        };
        let is_known = |code: &String| Version::parse(code).is_some();
        if member.versions.is_empty() || !member.versions.iter().all(is_known) {
            return Err(self.refused(of("versions"), "\"2.2.0\", \"2.3.1\" or both"));
        }
        let wanted = |version: &Version| member.versions.contains(version.code());
        let limits = [
            ("connect_seconds", member.connect_seconds, 60),
            ("answer_seconds", member.answer_seconds, 60),
            ("ranges_hours", member.ranges_hours, 24),
        ];
        for (key, value, most) in limits {
            if !(1..=most).contains(&value) {
                return Err(self.refused(
                    of(key),
                    "a whole number: of seconds from 1 to 60, of hours from 1 to 24",
                ));
            }
        }
        let mut identity = Zeroizing::new(self.file(&member.key_file, of("key_file"))?);
        identity.push(b'\n');
        identity.extend_from_slice(&self.file(&member.certificate_file, of("certificate_file"))?);
        let authorities = member.ca_file.as_ref();
        let authorities = authorities.map(|path| self.file(path, of("ca_file")));
        Ok(DirectorySettings {
            authorities: authorities.transpose()?,
            identity,
            url,
            networks,
            versions: Version::NEWEST_FIRST.into_iter().filter(wanted).collect(),
            server_operator: match &member.operator_id {
                None => None,
                Some(id) => Some(self.element(id, &of("operator_id"), "1 to 32 characters")?),
            },
            connect_limit: Duration::from_secs(member.connect_seconds),
            answer_limit: Duration::from_secs(member.answer_seconds),
            ranges_interval: Duration::from_secs(member.ranges_hours * 3600),
            name: member.name,
        })
    }

    fn terminal(
        &self,
        member: TerminalMember,
        directories: &HashSet<&str>,
    ) -> Result<TerminalSettings, SettingsFileError> {
        let of = |key: &str| format!("{key} of terminal {}", member.id);
        let merchant_name: Text<1, 40> = self.element(
            &member.merchant_name,
            &of("merchant_name"),
            "1 to 40 characters",
        )?;
        let decoupled_minutes = match member.decoupled_minutes {
            None => None,
            Some(minutes) => match u16::try_from(minutes) {
                Ok(minutes) if (1..=LONGEST_DECOUPLED_MINUTES).contains(&minutes) => Some(minutes),
                _ => {
                    let accepted = "a whole number of minutes from 1 to 60";
                    return Err(self.refused(of("decoupled_minutes"), accepted));
                }
            },
        };
        let mut enrolments = BTreeMap::new();
        for (name, enrolment) in &member.directory {
            if !directories.contains(name.as_str()) {
                return Err(self.refused(of("directory"), "tables with names of directories"));
            }
            let of = |key: &str| format!("{key} at directory {name} of terminal {}", member.id);
            let requestor_name = match &enrolment.requestor_name {
                None => merchant_name.clone(),
                Some(text) => self.element(text, &of("requestor_name"), "1 to 40 characters")?,
            };
            enrolments.insert(
                name.clone(),
                Enrolment {
                    requestor_id: self.element(
                        &enrolment.requestor_id,
                        &of("requestor_id"),
                        "1 to 35 characters",
                    )?,
                    requestor_name,
                    acquirer_bin: self.element(
                        &enrolment.acquirer_bin,
                        &of("acquirer_bin"),
                        "1 to 11 characters",
                    )?,
                    acquirer_country: match &enrolment.acquirer_country {
                        None => None,
                        Some(code) => Some(self.element(
                            code,
                            &of("acquirer_country"),
                            "three digits (ISO 3166-1)",
                        )?),
                    },
                    merchant_id: self.element(
                        &enrolment.merchant_id,
                        &of("merchant_id"),
                        "1 to 35 characters",
                    )?,
                },
            );
        }
        Ok(TerminalSettings {
            merchant_url: self.element(
                &member.merchant_url,
                &of("merchant_url"),
                "an https address",
            )?,
            merchant_category: self.element(
                &member.merchant_category,
                &of("merchant_category"),
                "four digits",
            )?,
            country: self.element(&member.country, &of("country"), "three digits (ISO 3166-1)")?,
            merchant_name,
            unauthenticated: member.unauthenticated,
            decoupled_minutes,
            enrolments,
            id: member.id,
        })
    }

    fn element<T: Element>(
        &self,
        text: &str,
        member: &str,
        accepts: &'static str,
    ) -> Result<T, SettingsFileError> {
        T::read(&Value::from(text)).ok_or_else(|| self.refused(member.to_owned(), accepts))
    }

    fn file(&self, path: &Path, member: String) -> Result<Vec<u8>, SettingsFileError> {
        std::fs::read(self.0.beside(path))
            .map_err(|_| self.refused(member, "a file in PEM format that can be read"))
    }

    fn refused(&self, member: String, accepts: &'static str) -> SettingsFileError {
        self.0.refused(member, accepts)
    }
}

/// The protocol allows a week. But the buyer waits in front of the form, and the security code is in memory until then.
const LONGEST_DECOUPLED_MINUTES: u16 = 60;

fn all_versions() -> BTreeSet<String> {
    Version::NEWEST_FIRST
        .map(|version| version.code().to_owned())
        .into()
}

fn five() -> u64 {
    5
}

fn ten() -> u64 {
    10
}

fn one_day() -> u64 {
    24
}
