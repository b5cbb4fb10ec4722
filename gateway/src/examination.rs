//! The command `examine`: drives the adapters of a file of acquirers through what they have to get right, and prints what was tried.
//!
//! It needs no settings and opens no tables. It makes payments, so the operator has to say that the endpoints are for tests.

use clap::Args;
use payframe_acquirer_http::examiner::{Report, examine};
use payframe_acquirer_http::{AcquirerFile, AcquirerFileError, ExchangeError, Place};
use payframe_payment_ports::Clock;
use std::path::PathBuf;
use thiserror::Error;

/// Which adapters to examine.
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
        "the examiner makes payments: run it with --test-endpoint, against an adapter whose processor moves no money"
    )]
    NotForTests,
    /// The file does not say that this acquirer is for tests.
    #[error(
        "the examiner makes payments: {0} is examined only with `test_endpoint = true` in the file, which says that its processor moves no money"
    )]
    Live(String),
    /// The file cannot be used.
    #[error(transparent)]
    File(#[from] AcquirerFileError),
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
    /// The acquirer is reached without an adapter.
    #[error(
        "{0} speaks ISO 8583: the examiner drives adapters alone. Name the others one by one with --name"
    )]
    NoAdapter(String),
    /// The adapter does not answer.
    #[error("{name} can not be examined: {problem}")]
    NoAnswer {
        /// Its name.
        name: String,
        /// The cause.
        #[source]
        problem: ExchangeError,
    },
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
        if let Some(other) = file.others().iter().find(|one| wanted(&one.name)) {
            return Err(ExaminationError::NoAdapter(other.name.clone()));
        }
        let acquirers = file.acquirers().iter();
        let chosen: Vec<_> = acquirers.filter(|one| wanted(&one.name)).collect();
        if chosen.is_empty() {
            let names = file.acquirers().iter().map(|one| one.name.as_str());
            return Err(ExaminationError::NoSuch {
                file: self.acquirer.display().to_string(),
                name: self.name.clone().unwrap_or_default(),
                names: names.collect::<Vec<_>>().join(", "),
            });
        }
        if let Some(live) = chosen.iter().find(|one| !one.is_test_endpoint) {
            return Err(ExaminationError::Live(live.name.clone()));
        }
        let mut failures = 0;
        for settings in chosen {
            let report = examine(settings, Clock::system()).await;
            let report = report.map_err(|problem| ExaminationError::NoAnswer {
                name: settings.name.clone(),
                problem,
            })?;
            tell(&report);
            failures += report.failures().count();
        }
        match failures {
            0 => Ok(()),
            failures => Err(ExaminationError::Failed(failures)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_acquirer_without_an_adapter_is_named_and_nothing_is_tried() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("acquirers.toml");
        let text = "[[acquirer]]\nname = 'bank'\nprotocol = 'iso8583'\ntest_endpoint = true\n";
        std::fs::write(&file, text).unwrap();
        for name in [None, Some(String::from("bank"))] {
            let examination = Examination {
                acquirer: file.clone(),
                name,
                test_endpoint: true,
            };
            let ended = examination.run(|_| panic!("nothing is reported")).await;
            let said = ended.unwrap_err().to_string();
            assert!(said.starts_with("bank speaks ISO 8583"), "{said}");
        }
    }
}
