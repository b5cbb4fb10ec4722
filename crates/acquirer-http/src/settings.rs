//! The file that `PAYFRAME_ACQUIRERS` names: which adapters there are, and which terminals use them.
//!
//! What cannot be used is refused with the name of the file, of the member, and with what is accepted. Secrets are in files of their own.

use crate::secrets::{self, Secrets};
use payframe_card_rules::card_number::CardNumber;
use payframe_card_rules::expiry::Expiry;
use payframe_card_rules::network::NetworkSet;
use payframe_card_rules::security_code::SecurityCode;
use payframe_money::minor_digits;
use serde::Deserialize;
use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use thiserror::Error;
use url::{Host, Url};

/// The acquirers of an operator, and the terminals that use them.
#[derive(Debug)]
pub struct AcquirerFile {
    file: String,
    acquirers: Vec<AcquirerSettings>,
    terminals: Vec<TerminalMember>,
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
    /// What the examiner pays with.
    pub test_cards: TestCards,
}

/// What the examiner pays with: cards of a test endpoint, and the currencies and the terminal that it accepts.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestCards {
    /// The terminal of the payments.
    #[serde(default = "TestCards::some_terminal")]
    pub terminal: String,
    /// A card that is approved.
    pub approved: String,
    /// A card that is declined.
    pub declined: String,
    /// A card whose payment is pending first. Without it that part is left out, and the report says so.
    pub pending: Option<String>,
    /// A card of which a part is approved. Without it that part is left out, and the report says so.
    pub partial: Option<String>,
    /// `MMYY`
    pub expiry: String,
    /// The security code of all of them.
    pub security_code: String,
    /// Currencies to pay in.
    pub currencies: Vec<String>,
    /// A program and its arguments, which stops the adapter hard and starts it again. Without it that part is left out, and the report says so.
    pub restart_command: Option<Vec<String>>,
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

/// Why the file cannot be used.
#[derive(Debug, Error)]
pub enum AcquirerFileError {
    /// The file is missing, is not TOML, or has a member that does not exist.
    #[error("{file}: {problem}")]
    File {
        /// The file.
        file: String,
        /// What is wrong.
        problem: String,
    },
    /// A member has a value that is not accepted.
    #[error("{file}: {member} must be {accepts}")]
    Member {
        /// The file.
        file: String,
        /// The member, with the acquirer or terminal that it belongs to.
        member: String,
        /// The accepted values.
        accepts: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileMembers {
    #[serde(default)]
    acquirer: Vec<AcquirerMember>,
    #[serde(default)]
    terminal: Vec<TerminalMember>,
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
    test_cards: Option<TestCards>,
}

/// What is wrong and where, without the line itself: it may hold a secret.
fn without_source(error: &toml::de::Error, text: &str) -> String {
    let before = error.span().and_then(|span| text.get(..span.start));
    match before {
        Some(before) => format!(
            "line {}: {}",
            before.matches('\n').count() + 1,
            error.message()
        ),
        None => error.message().to_owned(),
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TerminalMember {
    id: String,
    acquirer: String,
    #[serde(default)]
    without_authentication: bool,
}

impl AcquirerFile {
    /// Reads the file, and the files that it names. Paths in it are relative to its folder.
    ///
    /// # Errors
    /// The first thing that cannot be used.
    pub fn read(path: &Path, place: Place) -> Result<AcquirerFile, AcquirerFileError> {
        let file = path.display().to_string();
        let problem = |problem: String| AcquirerFileError::File {
            file: file.clone(),
            problem,
        };
        let text = std::fs::read_to_string(path).map_err(|error| problem(error.to_string()))?;
        let members: FileMembers =
            toml::from_str(&text).map_err(|error| problem(without_source(&error, &text)))?;
        let reader = Reader {
            file: &file,
            folder: path.parent().unwrap_or(Path::new("")),
            place,
        };
        let acquirers = members.acquirer.into_iter();
        let acquirers = acquirers
            .map(|member| reader.acquirer(member))
            .collect::<Result<Vec<_>, _>>()?;
        reader.names_differ(&acquirers)?;
        reader.terminals_fit(&members.terminal, &acquirers)?;
        Ok(AcquirerFile {
            file,
            acquirers,
            terminals: members.terminal,
        })
    }

    /// The acquirers, in the order of the file.
    pub fn acquirers(&self) -> &[AcquirerSettings] {
        &self.acquirers
    }

    /// The terminals whose buyers pay without authentication.
    pub fn without_authentication(&self) -> HashSet<String> {
        let decided = self
            .terminals
            .iter()
            .filter(|terminal| terminal.without_authentication);
        decided.map(|terminal| terminal.id.clone()).collect()
    }

    /// The terminals, each with the name of its acquirer.
    pub(crate) fn terminals(&self) -> impl Iterator<Item = (&str, &str)> {
        let terminals = self.terminals.iter();
        terminals.map(|terminal| (terminal.id.as_str(), terminal.acquirer.as_str()))
    }

    /// The certificates of an acquirer cannot be read.
    pub(crate) fn bad_certificates(&self, acquirer: &str) -> AcquirerFileError {
        AcquirerFileError::Member {
            file: self.file.clone(),
            member: format!("ca_file of acquirer {acquirer}"),
            accepts: String::from(CERTIFICATES),
        }
    }
}

/// Reads the members of one file.
struct Reader<'a> {
    file: &'a str,
    folder: &'a Path,
    place: Place,
}

impl Reader<'_> {
    fn acquirer(&self, member: AcquirerMember) -> Result<AcquirerSettings, AcquirerFileError> {
        let AcquirerMember { name, .. } = &member;
        let refused = |key: &str, accepts: &str| {
            Err(self.refused(format!("{key} of acquirer {name}"), accepts))
        };
        if !is_name(name) {
            return Err(self.refused(String::from("name of an acquirer"), NAMES));
        }
        let Some(url) = self.url(&member.url) else {
            return refused("url", self.accepted_urls());
        };
        match (self.place, member.test_endpoint) {
            (Place::Sandbox, false) => {
                return refused(
                    "test_endpoint",
                    "true in a sandbox, where no money moves: only an endpoint for tests can be used",
                );
            }
            (Place::Production, true) => {
                return refused(
                    "test_endpoint",
                    "false in production: an endpoint for tests would approve payments that move no money",
                );
            }
            _ => {}
        }
        let limits = [member.connect_seconds, member.answer_seconds];
        for (key, seconds) in ["connect_seconds", "answer_seconds"]
            .into_iter()
            .zip(limits)
        {
            if !(1..=LONGEST_LIMIT_SECONDS).contains(&seconds) {
                return refused(key, "a whole number of seconds from 1 to 120");
            }
        }
        let secret = std::fs::read_to_string(self.folder.join(&member.secret_file));
        let secrets = secret.ok().and_then(|text| Secrets::parse(&text));
        let Some(secrets) = secrets else {
            return refused("secret_file", secrets::ACCEPTED);
        };
        let certificates = match &member.ca_file {
            None => None,
            Some(path) => match std::fs::read(self.folder.join(path)) {
                Ok(certificates) => Some(certificates),
                Err(_) => return refused("ca_file", CERTIFICATES),
            },
        };
        let test_cards = member.test_cards.clone();
        let test_cards = test_cards.unwrap_or_else(TestCards::of_sandbox);
        if let Some(accepts) = test_cards.problem() {
            return refused("test_cards", accepts);
        }
        Ok(AcquirerSettings {
            url,
            secrets,
            certificates,
            connect_limit: Duration::from_secs(member.connect_seconds),
            answer_limit: Duration::from_secs(member.answer_seconds),
            is_test_endpoint: member.test_endpoint,
            test_cards,
            name: member.name,
        })
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

    fn names_differ(&self, acquirers: &[AcquirerSettings]) -> Result<(), AcquirerFileError> {
        let mut names = HashSet::new();
        let again = acquirers.iter().find(|one| !names.insert(&one.name));
        match again {
            Some(again) => Err(self.refused(
                format!("name of acquirer {}", again.name),
                "different from the names of the other acquirers",
            )),
            None => Ok(()),
        }
    }

    fn terminals_fit(
        &self,
        terminals: &[TerminalMember],
        acquirers: &[AcquirerSettings],
    ) -> Result<(), AcquirerFileError> {
        let mut ids = HashSet::new();
        for terminal in terminals {
            let id = &terminal.id;
            if !ids.insert(id) {
                return Err(self.refused(
                    format!("id of terminal {id}"),
                    "different from the ids of the other terminals",
                ));
            }
            if !acquirers.iter().any(|one| one.name == terminal.acquirer) {
                return Err(self.refused(
                    format!("acquirer of terminal {id}"),
                    "the name of an [[acquirer]] of this file",
                ));
            }
            if terminal.without_authentication && self.place == Place::Sandbox {
                return Err(self.refused(
                    format!("without_authentication of terminal {id}"),
                    "false in a sandbox, which has a 3-D Secure server",
                ));
            }
        }
        Ok(())
    }

    fn refused(&self, member: String, accepts: &str) -> AcquirerFileError {
        AcquirerFileError::Member {
            file: self.file.to_owned(),
            member,
            accepts: accepts.to_owned(),
        }
    }
}

impl TestCards {
    /// The numbers of `docs/testing.md`.
    fn of_sandbox() -> TestCards {
        TestCards {
            terminal: TestCards::some_terminal(),
            approved: String::from("4761730000000003"),
            declined: String::from("4761730000001167"),
            pending: Some(String::from("4761730000009111")),
            partial: None,
            expiry: String::from("1240"),
            security_code: String::from("123"),
            currencies: ["EUR", "JPY", "KWD"].map(String::from).to_vec(),
            restart_command: None,
        }
    }

    fn some_terminal() -> String {
        String::from("99000001")
    }

    /// What is accepted, if something is not.
    fn problem(&self) -> Option<&'static str> {
        let numbers = [
            Some(&self.approved),
            Some(&self.declined),
            self.pending.as_ref(),
            self.partial.as_ref(),
        ];
        let is_card = |number: &String| CardNumber::parse(number, NetworkSet::all()).is_ok();
        if !numbers.into_iter().flatten().all(is_card) {
            return Some("given with card numbers as approved, declined, pending and partial");
        }
        if self.restart_command.as_ref().is_some_and(Vec::is_empty) {
            return Some("given with a program as restart_command");
        }
        if Expiry::parse_shape(&self.expiry).is_err() {
            return Some("given with an expiry as MMYY");
        }
        if !matches!(SecurityCode::parse(&self.security_code, None), Ok(Some(_))) {
            return Some("given with a security_code of three or four digits");
        }
        let are_known = self
            .currencies
            .iter()
            .all(|currency| minor_digits(currency).is_some());
        if self.currencies.is_empty() || !are_known {
            return Some("given with currencies, as ISO 4217 codes");
        }
        None
    }
}

impl fmt::Debug for TestCards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TestCards(…)")
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

const NAMES: &str = "1 to 40 lower-case letters, digits and hyphens";
const CERTIFICATES: &str = "the path of a file with certificates, as PEM";
const LONGEST_NAME: usize = 40;
const LONGEST_LIMIT_SECONDS: u64 = 120;

#[cfg(test)]
mod tests;
