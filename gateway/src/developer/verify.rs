//! `payframe-gateway verify`: compares what a running gateway serves with a signed release.
//!
//! The files of a release name the hash of each file of the widget. The list counts only if the release's checksums name it, and one of the
//! signers has signed them. Every file that a gateway serves as it is is then requested in each encoding, because browsers get the compressed copies.

mod release;

use super::client::client;
use crate::dist::addresses::{ENCODINGS, address};
use clap::Args;
use reqwest::Client;
use reqwest::header::{ACCEPT_ENCODING, CONTENT_ENCODING};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::PathBuf;
use thiserror::Error;
use tokio::task::JoinSet;

pub use release::ReleaseError;

/// Which gateway is compared, and with what.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub struct Verification {
    /// The address of the gateway: scheme, host and port.
    #[arg(value_name = "URL")]
    pub gateway: String,
    /// The folder with SHA256SUMS, SHA256SUMS.sig and payframe-gateway-VERSION-files.sha256 of the release that it should serve.
    #[arg(long, value_name = "FOLDER")]
    pub release: PathBuf,
    /// The public keys that may sign a release, as `ssh-keygen` reads them: on each line a name and an Ed25519 or P-256 key.
    #[arg(long, value_name = "FILE")]
    pub signers: PathBuf,
}

/// Why a gateway cannot be said to serve the release.
#[derive(Debug, Error)]
pub enum VerifyError {
    /// The files of the release are not those that a signer signed.
    #[error(transparent)]
    Release(#[from] ReleaseError),
    /// The client cannot be made.
    #[error(transparent)]
    Client(#[from] reqwest::Error),
    /// There is no answer, or one that no gateway gives.
    #[error("{0} does not answer as a gateway does: it says no release at /sdk/release.json")]
    NotAGateway(String),
    /// The gateway says that it serves another release.
    #[error("the gateway serves the release {serves}, and the files are of {listed}")]
    AnotherRelease {
        /// As the gateway says it.
        serves: String,
        /// As the files say it.
        listed: String,
    },
    /// Some files differ. Each was told.
    #[error("{differing} of {answers} answers are not those of the release")]
    Differs {
        /// How many.
        differing: usize,
        /// Of how many that were compared.
        answers: usize,
    },
}

/// What `/sdk/release.json` says.
#[derive(Deserialize)]
struct Served {
    release: String,
}

/// The hash of a file, and of its compressed copies by encoding. `identity` is the file itself.
type Hashes = BTreeMap<&'static str, String>;

impl Verification {
    /// Compares, and says what was found.
    ///
    /// # Errors
    /// The release is not signed by one of the signers, the gateway does not answer, or it serves something else.
    pub async fn run(&self, mut say: impl FnMut(&str)) -> Result<(), VerifyError> {
        let release = release::read(&self.release, &self.signers)?;
        say(&format!(
            "{} signed the release {}",
            release.signer, release.name
        ));
        let gateway = self.gateway.trim_end_matches('/');
        let http = client()?;
        let serves = served(&http, gateway).await?.release;
        if serves != release.name {
            return Err(VerifyError::AnotherRelease {
                serves,
                listed: release.name,
            });
        }
        let mut answers = 0;
        let mut differing = 0;
        let mut running = JoinSet::new();
        let mut wanted = wanted(&release.files).into_iter();
        loop {
            while running.len() < AT_ONCE
                && let Some((path, hashes)) = wanted.next()
            {
                let address = format!("{gateway}{path}");
                running.spawn(compare(http.clone(), address, hashes));
            }
            let Some(compared) = running.join_next().await else {
                break;
            };
            // A task ends without a result only where it panics.
            let compared =
                compared.unwrap_or_else(|problem| std::panic::resume_unwind(problem.into_panic()));
            answers += compared.len();
            for difference in compared.iter().flatten() {
                differing += 1;
                say(difference);
            }
        }
        if differing > 0 {
            return Err(VerifyError::Differs { differing, answers });
        }
        say(&format!("{gateway} serves it: {answers} answers compared"));
        Ok(())
    }
}

/// What the gateway says of itself.
async fn served(http: &Client, gateway: &str) -> Result<Served, VerifyError> {
    let unreadable = |_| VerifyError::NotAGateway(gateway.to_owned());
    let answer = http.get(format!("{gateway}/sdk/release.json")).send().await;
    let text = answer
        .map_err(unreadable)?
        .text()
        .await
        .map_err(unreadable)?;
    serde_json::from_str(&text).map_err(|_| VerifyError::NotAGateway(gateway.to_owned()))
}

/// Each address at which a file is served as it is, with the hashes of what may be answered there.
fn wanted(files: &BTreeMap<String, String>) -> BTreeMap<String, Hashes> {
    files
        .iter()
        .filter_map(|(path, hash)| {
            let copies = ENCODINGS.into_iter().filter_map(|(encoding, ending)| {
                let copy = files.get(&format!("{path}.{ending}"))?;
                Some((encoding, copy.clone()))
            });
            let hashes = copies.chain([(PLAIN, hash.clone())]).collect();
            Some((address(path)?, hashes))
        })
        .collect()
}

/// Requests a file in each encoding. For each answer: `None`, or what is wrong with it.
async fn compare(http: Client, address: String, hashes: Hashes) -> Vec<Option<String>> {
    let mut found = Vec::new();
    for asked in hashes.keys() {
        let difference = match answer(&http, &address, asked).await {
            Ok((encoding, hash)) if hashes.get(encoding.as_str()) == Some(&hash) => None,
            Ok((encoding, _)) => Some(format!("differs: {address} ({encoding})")),
            Err(problem) => Some(format!("missing: {address} ({problem})")),
        };
        found.push(difference);
    }
    found
}

/// The encoding of an answer, and the hash of its bytes. A proxy may answer in another encoding than was asked for.
async fn answer(http: &Client, address: &str, encoding: &str) -> Result<(String, String), String> {
    let silent = |_| String::from("no answer");
    let request = http.get(address).header(ACCEPT_ENCODING, encoding);
    let answer = request.send().await.map_err(silent)?;
    if answer.status() != 200 {
        return Err(format!("status {}", answer.status().as_u16()));
    }
    let encoding = answer.headers().get(CONTENT_ENCODING);
    let encoding = encoding.map_or(PLAIN, |value| value.to_str().unwrap_or("unreadable"));
    let encoding = encoding.to_owned();
    let bytes = answer.bytes().await.map_err(silent)?;
    Ok((encoding, payframe_vault::hex(&Sha256::digest(&bytes))))
}

/// The encoding of a file that is not compressed.
const PLAIN: &str = "identity";

/// How many files are requested at the same time.
const AT_ONCE: usize = 8;

#[cfg(test)]
mod tests;
