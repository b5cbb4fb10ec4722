//! The file that `PAYFRAME_ACQUIRERS` names: which acquirers there are, and which terminals use them.
//!
//! Acquirers behind adapters are read here. Of an acquirer with another `protocol` only the members are read that all of them have; the
//! caller gives the others to the crate of that protocol ([`OtherAcquirer`]).
//!
//! What cannot be used is refused with the name of the file, of the member, and with what is accepted. Secrets are in files of their own.

mod terminal;

use payframe_examiner::TestCards;
use payframe_settings_file::{SettingsFile, SettingsFileError};

use crate::routes::Routes;
use crate::secrets::{self, Secrets};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use terminal::{Terminal, TerminalMember};
use url::{Host, Url};

/// The acquirers of an operator, and the terminals that use them.
#[derive(Debug)]
pub struct AcquirerFile {
    file: SettingsFile,
    place: Place,
    acquirers: Vec<AcquirerSettings>,
    others: Vec<OtherAcquirer>,
    terminals: Vec<Terminal>,
}

/// One acquirer.
#[derive(Clone, Debug)]
pub struct AcquirerSettings {
    /// Its name, which is written down with each operation.
    pub name: String,
    /// Where the adapter is; the parts of the protocol are paths below it.
    pub url: Url,
    pub(crate) secrets: Secrets,
    /// Certificates to trust in place of the public ones, as PEM.
    pub(crate) certificates: Option<Vec<u8>>,
    /// How long a connection may take.
    pub connect_limit: Duration,
    /// How long a whole exchange may take.
    pub answer_limit: Duration,
    /// Whether the operator says that no money moves there.
    pub is_test_endpoint: bool,
    /// Whether the operator says that the adapter charges cards in their own currency.
    pub converts: bool,
    /// What the examiner pays with.
    pub test_cards: TestCards,
}

/// An acquirer with another protocol.
#[derive(Clone)]
pub struct OtherAcquirer {
    /// Its name, which is written down with each operation.
    pub name: String,
    /// Whether no money moves there.
    pub is_test_endpoint: bool,
    /// What the examiner pays with.
    pub test_cards: TestCards,
    /// Its other members but `protocol`.
    pub members: toml::Table,
}

/// Where the file is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A sandbox: test endpoints alone, also over plain http on the same machine.
    Sandbox,
    /// Production: no test endpoint, https alone.
    Production,
    /// The examiner, whose caller says that it is a test endpoint.
    Examination,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileMembers {
    #[serde(default)]
    acquirer: Vec<AnyMember>,
    #[serde(default)]
    terminal: Vec<TerminalMember>,
}

/// An acquirer of any protocol.
enum AnyMember {
    Http(Box<AcquirerMember>),
    Other(Box<OtherMember>),
}

#[derive(Deserialize)]
struct OtherMember {
    name: String,
    #[serde(default)]
    test_endpoint: bool,
    test_cards: Option<TestCards>,
    #[serde(flatten)]
    members: toml::Table,
}

impl<'de> Deserialize<'de> for AnyMember {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<AnyMember, D::Error> {
        let mut table = toml::Table::deserialize(deserializer)?;
        let read = match table.remove("protocol").as_ref().map(|name| name.as_str()) {
            None | Some(Some("http")) => table
                .try_into()
                .map(|member| AnyMember::Http(Box::new(member))),
            Some(Some(ISO_8583)) => table
                .try_into()
                .map(|member| AnyMember::Other(Box::new(member))),
            Some(_) => return Err(D::Error::custom("protocol must be \"http\" or \"iso8583\"")),
        };
        // The message alone: the rest would be the line, which may hold a secret.
        read.map_err(|problem| D::Error::custom(problem.message()))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AcquirerMember {
    name: String,
    url: String,
    secret_file: PathBuf,
    ca_file: Option<PathBuf>,
    #[serde(default = "five")]
    connect_seconds: u64,
    #[serde(default = "thirty")]
    answer_seconds: u64,
    #[serde(default)]
    test_endpoint: bool,
    #[serde(default)]
    currency_conversion: bool,
    test_cards: Option<TestCards>,
}

impl AcquirerFile {
    /// Reads the file, and the files that it names. Paths in it are relative to its folder.
    ///
    /// # Errors
    /// The first thing that cannot be used.
    pub fn read(path: &Path, place: Place) -> Result<AcquirerFile, SettingsFileError> {
        let (file, members) = SettingsFile::read::<FileMembers>(path)?;
        let reader = Reader { file: &file, place };
        let (mut acquirers, mut others) = (Vec::new(), Vec::new());
        for member in members.acquirer {
            match member {
                AnyMember::Http(member) => acquirers.push(reader.acquirer(*member)?),
                AnyMember::Other(member) => others.push(reader.other(*member)?),
            }
        }
        let names = acquirers.iter().map(|one| one.name.as_str());
        let names: Vec<&str> = names
            .chain(others.iter().map(|one| one.name.as_str()))
            .collect();
        reader.names_differ(&names)?;
        let terminals = reader.terminals(members.terminal, &names)?;
        Ok(AcquirerFile {
            file,
            place,
            acquirers,
            others,
            terminals,
        })
    }

    /// The acquirers behind adapters, in the order of the file.
    pub fn acquirers(&self) -> &[AcquirerSettings] {
        &self.acquirers
    }

    /// The acquirers over ISO 8583, in the order of the file.
    pub fn others(&self) -> &[OtherAcquirer] {
        &self.others
    }

    /// The folder that paths in the file are relative to.
    pub fn folder(&self) -> &Path {
        self.file.folder()
    }

    /// Where the file is used.
    pub fn place(&self) -> Place {
        self.place
    }

    /// A member of an acquirer has a value that is not accepted.
    pub fn refused(&self, acquirer: &str, member: &str, accepts: &str) -> SettingsFileError {
        let member = format!("{member} of acquirer {acquirer}");
        self.file.refused(member, accepts)
    }

    /// The members of an acquirer cannot be read.
    pub fn unreadable(&self, acquirer: &str, problem: &str) -> SettingsFileError {
        self.file
            .unusable(format!("acquirer {acquirer}: {problem}"))
    }

    /// The terminals whose buyers pay without authentication.
    pub fn without_authentication(&self) -> HashSet<String> {
        let decided = self
            .terminals
            .iter()
            .filter(|terminal| terminal.without_authentication);
        decided.map(|terminal| terminal.id.clone()).collect()
    }

    /// The terminals, each with where its payments go.
    pub(crate) fn terminals(&self) -> impl Iterator<Item = (&str, &Routes)> {
        let terminals = self.terminals.iter();
        terminals.map(|terminal| (terminal.id.as_str(), &terminal.routes))
    }

    /// The certificates of an acquirer cannot be read.
    pub(crate) fn bad_certificates(&self, acquirer: &str) -> SettingsFileError {
        self.refused(acquirer, "ca_file", CERTIFICATES)
    }
}

/// Reads the members of one file.
struct Reader<'a> {
    file: &'a SettingsFile,
    place: Place,
}

impl Reader<'_> {
    fn acquirer(&self, member: AcquirerMember) -> Result<AcquirerSettings, SettingsFileError> {
        let AcquirerMember { name, .. } = &member;
        let refused = |key: &str, accepts: &str| {
            Err(self
                .file
                .refused(format!("{key} of acquirer {name}"), accepts))
        };
        self.name_fits(name)?;
        let Some(url) = self.url(&member.url) else {
            return refused("url", self.accepted_urls());
        };
        self.place_fits(name, member.test_endpoint)?;
        let limits = [member.connect_seconds, member.answer_seconds];
        for (key, seconds) in ["connect_seconds", "answer_seconds"]
            .into_iter()
            .zip(limits)
        {
            if !(1..=LONGEST_LIMIT_SECONDS).contains(&seconds) {
                return refused(key, "a whole number of seconds from 1 to 120");
            }
        }
        let secret = std::fs::read_to_string(self.file.beside(&member.secret_file));
        let secrets = secret.ok().and_then(|text| Secrets::parse(&text));
        let Some(secrets) = secrets else {
            return refused("secret_file", secrets::ACCEPTED);
        };
        let certificates = match &member.ca_file {
            None => None,
            Some(path) => match std::fs::read(self.file.beside(path)) {
                Ok(certificates) => Some(certificates),
                Err(_) => return refused("ca_file", CERTIFICATES),
            },
        };
        let test_cards = self.test_cards(name, member.test_cards.clone())?;
        Ok(AcquirerSettings {
            url,
            secrets,
            certificates,
            connect_limit: Duration::from_secs(member.connect_seconds),
            answer_limit: Duration::from_secs(member.answer_seconds),
            is_test_endpoint: member.test_endpoint,
            converts: member.currency_conversion,
            test_cards,
            name: member.name,
        })
    }

    fn other(&self, member: OtherMember) -> Result<OtherAcquirer, SettingsFileError> {
        self.name_fits(&member.name)?;
        self.place_fits(&member.name, member.test_endpoint)?;
        Ok(OtherAcquirer {
            is_test_endpoint: member.test_endpoint,
            test_cards: self.test_cards(&member.name, member.test_cards)?,
            name: member.name,
            members: member.members,
        })
    }

    fn test_cards(
        &self,
        acquirer: &str,
        given: Option<TestCards>,
    ) -> Result<TestCards, SettingsFileError> {
        let cards = given.unwrap_or_else(TestCards::of_sandbox);
        match cards.problem() {
            Some(accepts) => Err(self
                .file
                .refused(format!("test_cards of acquirer {acquirer}"), accepts)),
            None => Ok(cards),
        }
    }

    fn name_fits(&self, name: &str) -> Result<(), SettingsFileError> {
        match is_name(name) {
            true => Ok(()),
            false => Err(self
                .file
                .refused(String::from("name of an acquirer"), NAMES)),
        }
    }

    /// No money moves in a sandbox, and all of it in production.
    fn place_fits(&self, name: &str, is_test_endpoint: bool) -> Result<(), SettingsFileError> {
        let accepts = match (self.place, is_test_endpoint) {
            (Place::Sandbox, false) => {
                "true in a sandbox, where no money moves: only an endpoint for tests can be used"
            }
            (Place::Production, true) => {
                "false in production: an endpoint for tests would approve payments that move no money"
            }
            _ => return Ok(()),
        };
        Err(self
            .file
            .refused(format!("test_endpoint of acquirer {name}"), accepts))
    }

    /// The address, if it is accepted here.
    fn url(&self, text: &str) -> Option<Url> {
        let url = Url::parse(text).ok()?;
        let is_local = match url.host()? {
            Host::Domain(name) => name == "localhost",
            Host::Ipv4(address) => address.is_loopback(),
            Host::Ipv6(address) => address.is_loopback(),
        };
        let is_safe = match url.scheme() {
            "https" => true,
            "http" => is_local && self.place != Place::Production,
            _ => false,
        };
        let is_bare = url.query().is_none()
            && url.fragment().is_none()
            && url.username().is_empty()
            && url.password().is_none();
        (is_safe && is_bare).then_some(url)
    }

    fn accepted_urls(&self) -> &'static str {
        match self.place {
            Place::Production => {
                "an https address without user, query and fragment, as in https://adapter.example/payframe"
            }
            Place::Sandbox | Place::Examination => {
                "an https address without user, query and fragment, as in https://adapter.example/payframe, or http for the same machine"
            }
        }
    }

    fn names_differ(&self, acquirers: &[&str]) -> Result<(), SettingsFileError> {
        let mut names = HashSet::new();
        let again = acquirers.iter().find(|name| !names.insert(**name));
        match again {
            Some(again) => Err(self.file.refused(
                format!("name of acquirer {again}"),
                "different from the names of the other acquirers",
            )),
            None => Ok(()),
        }
    }

    fn terminals(
        &self,
        members: Vec<TerminalMember>,
        acquirers: &[&str],
    ) -> Result<Vec<Terminal>, SettingsFileError> {
        let mut ids = HashSet::new();
        let mut terminals = Vec::new();
        for member in members {
            let terminal = member.read(acquirers);
            let terminal =
                terminal.map_err(|refusal| self.file.refused(refusal.member, refusal.accepts))?;
            let id = &terminal.id;
            if !ids.insert(id.clone()) {
                return Err(self.file.refused(
                    format!("id of terminal {id}"),
                    "different from the ids of the other terminals",
                ));
            }
            if terminal.without_authentication && self.place == Place::Sandbox {
                return Err(self.file.refused(
                    format!("without_authentication of terminal {id}"),
                    "false in a sandbox, which has a 3-D Secure server",
                ));
            }
            terminals.push(terminal);
        }
        Ok(terminals)
    }
}

impl fmt::Debug for OtherAcquirer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OtherAcquirer({})", self.name)
    }
}

fn is_name(text: &str) -> bool {
    (1..=LONGEST_NAME).contains(&text.len())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

fn five() -> u64 {
    5
}

fn thirty() -> u64 {
    30
}

/// The other protocol.
const ISO_8583: &str = "iso8583";

const NAMES: &str = "1 to 40 lower-case letters, digits and hyphens";
const CERTIFICATES: &str = "the path of a file with certificates, as PEM";
const LONGEST_NAME: usize = 40;
const LONGEST_LIMIT_SECONDS: u64 = 120;

#[cfg(test)]
mod tests;
