//! The command `examine`: drives the acquirers of a file, adapters and hosts for ISO 8583, through what they have to get right, and prints what was tried.
//!
//! It needs no settings. The journal of messages over ISO 8583 is in a folder that is deleted afterwards, encrypted with a key that is written
//! nowhere. It makes payments, so the operator has to say that the endpoints are for tests.

use crate::acquirers;
use clap::Args;
use payframe_acquirer_http::{AcquirerFile, ExchangeError, OtherAcquirer, Place, examiner as http};
use payframe_acquirer_iso8583::IsoAcquirer;
use payframe_acquirer_iso8583::examiner::{self as iso8583, Subject};
use payframe_examiner::Report;
use payframe_payment_ports::Clock;
use payframe_settings_file::SettingsFileError;
use payframe_storage::{StorageSettings, Store};
use payframe_vault::{HashingKeys, Keyring, KeyringError, KeyringVault};
use std::path::PathBuf;
use std::sync::Arc;
use thiserror::Error;

/// Which acquirers to examine.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub struct Examination {
    /// The TOML file with the acquirers, as for PAYFRAME_ACQUIRERS.
    #[arg(long, value_name = "FILE")]
    pub acquirer: PathBuf,
    /// The name of one of them; without it all are examined.
    #[arg(long)]
    pub name: Option<String>,
    /// Says that no money moves at these endpoints. Without it nothing is sent.
    #[arg(long)]
    pub test_endpoint: bool,
}

/// Why nothing, or not everything, was tried.
#[derive(Debug, Error)]
pub enum ExaminationError {
    /// The operator has not said that no money moves.
    #[error(
        "the examiner makes payments: run it with --test-endpoint, against an endpoint where no money moves"
    )]
    NotForTests,
    /// The file does not say that this acquirer is for tests.
    #[error(
        "the examiner makes payments: {0} is examined only with `test_endpoint = true` in the file, which says that no money moves there"
    )]
    Live(String),
    /// The file cannot be used.
    #[error(transparent)]
    File(#[from] SettingsFileError),
    /// There is no such acquirer.
    #[error("{file} has no acquirer {name}; there are: {names}")]
    NoSuch {
        /// The file.
        file: String,
        /// The name that was asked for.
        name: String,
        /// Those of the file.
        names: String,
    },
    /// The adapter does not answer.
    #[error("{name} can not be examined: {problem}")]
    NoAnswer {
        /// Its name.
        name: String,
        /// The cause.
        #[source]
        problem: ExchangeError,
    },
    /// The journal of a host for ISO 8583 has no place.
    #[error("the journal of the examination: {0}")]
    Journal(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The reports say what was wrong.
    #[error("{0} checks failed")]
    Failed(usize),
}

impl Examination {
    /// Examines the adapters one after the other, and passes each report to `tell`.
    ///
    /// # Errors
    /// Something was not tried, or a check failed.
    pub async fn run(&self, mut tell: impl FnMut(&Report)) -> Result<(), ExaminationError> {
        if !self.test_endpoint {
            return Err(ExaminationError::NotForTests);
        }
        let file = AcquirerFile::read(&self.acquirer, Place::Examination)?;
        let wanted = |name: &str| self.name.as_deref().is_none_or(|wanted| wanted == name);
        let adapters: Vec<_> = file
            .acquirers()
            .iter()
            .filter(|one| wanted(&one.name))
            .collect();
        let hosts: Vec<_> = file
            .others()
            .iter()
            .filter(|one| wanted(&one.name))
            .collect();
        if adapters.is_empty() && hosts.is_empty() {
            let names = file.acquirers().iter().map(|one| one.name.as_str());
            let names = names.chain(file.others().iter().map(|one| one.name.as_str()));
            return Err(ExaminationError::NoSuch {
                file: self.acquirer.display().to_string(),
                name: self.name.clone().unwrap_or_default(),
                names: names.collect::<Vec<_>>().join(", "),
            });
        }
        let places = adapters.iter().map(|one| (&one.name, one.is_test_endpoint));
        let mut places = places.chain(hosts.iter().map(|one| (&one.name, one.is_test_endpoint)));
        if let Some((live, _)) = places.find(|(_, is_test_endpoint)| !is_test_endpoint) {
            return Err(ExaminationError::Live(live.clone()));
        }
        let mut failures = 0;
        for settings in adapters {
            let report = http::examine(settings, Clock::system()).await;
            let report = report.map_err(|problem| ExaminationError::NoAnswer {
                name: settings.name.clone(),
                problem,
            })?;
            tell(&report);
            failures += report.failures().count();
        }
        for host in hosts {
            let report = examine_host(&file, host).await?;
            tell(&report);
            failures += report.failures().count();
        }
        match failures {
            0 => Ok(()),
            failures => Err(ExaminationError::Failed(failures)),
        }
    }
}

/// Examines a host for ISO 8583, with tables of its own.
async fn examine_host(
    file: &AcquirerFile,
    host: &OtherAcquirer,
) -> Result<Report, ExaminationError> {
    let settings = acquirers::settings(file, host)?;
    let unplaced = ExaminationError::Journal;
    let folder = tempfile::tempdir().map_err(|problem| unplaced(problem.into()))?;
    let storage = StorageSettings {
        folder: folder.path().to_owned(),
        server_url: None,
    };
    let store = Store::open(&storage).await;
    let store = store.map_err(|problem| unplaced(problem.into()))?;
    let vault = vault_in_memory().map_err(|problem| unplaced(problem.into()))?;
    let subject = Subject {
        name: &host.name,
        test_cards: &host.test_cards,
        connect: |clock: &Clock| {
            let (store, vault) = (store.clone(), vault.clone());
            IsoAcquirer::connect(settings.clone(), store, vault, clock.clone())
        },
    };
    Ok(iso8583::examine(&subject).await)
}

/// A vault whose keys are written nowhere.
fn vault_in_memory() -> Result<Arc<KeyringVault>, KeyringError> {
    let keyring = Keyring::in_memory()?;
    Ok(Arc::new(KeyringVault::new(keyring, HashingKeys::random()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn examined(text: &str) -> Result<Vec<Report>, ExaminationError> {
        let folder = tempfile::tempdir().unwrap();
        let write =
            |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        write("acquirers.toml", text);
        write(
            "dialect.toml",
            include_str!("../../crates/acquirer-iso8583/dialects/1987-ascii.toml"),
        );
        let examination = Examination {
            acquirer: folder.path().join("acquirers.toml"),
            name: None,
            test_endpoint: true,
        };
        let mut reports = Vec::new();
        examination
            .run(|report| reports.push(report.clone()))
            .await?;
        Ok(reports)
    }

    /// A host that nobody listens at.
    fn host(more: &str) -> String {
        let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = closed.local_addr().unwrap().port();
        format!(
            "[[acquirer]]\nname = 'bank'\nprotocol = 'iso8583'\nhost = '127.0.0.1'\nport = {port}\ntls = false\n\
             dialect_file = 'dialect.toml'\nacquirer_id = '1'\nmerchant_id = 'M'\nconnect_seconds = 1\n{more}"
        )
    }

    #[tokio::test]
    async fn a_host_for_real_money_is_not_examined() {
        let said = examined(&host("")).await.unwrap_err().to_string();
        assert!(
            said.contains("bank is examined only with `test_endpoint = true`"),
            "{said}"
        );
    }

    #[tokio::test]
    async fn a_host_that_does_not_answer_fails_at_the_sign_on_and_nothing_else_is_tried() {
        let failed = examined(&host("test_endpoint = true")).await;
        assert!(
            matches!(failed, Err(ExaminationError::Failed(1))),
            "{failed:?}"
        );
    }

    #[tokio::test]
    async fn an_amount_that_no_card_can_pay_is_refused() {
        let cards = "test_endpoint = true\n[acquirer.test_cards]\napproved = '4761730000000003'\ndeclined = '4761730000000003'\n\
                     declined_amount = 0\nexpiry = '1240'\nsecurity_code = '123'\ncurrencies = ['EUR']\n";
        let said = examined(&host(cards)).await.unwrap_err().to_string();
        assert!(
            said.contains("test_cards of acquirer bank must be given with declined_amount"),
            "{said}"
        );
    }
}
