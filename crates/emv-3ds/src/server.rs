//! The 3-D Secure server: it finds the directory server of a card, asks it, and keeps what it says.
//!
//! One reference is one transaction. Its id is derived from the reference, or from the device check that came before, because the issuer
//! recognises the browser by it; a device check serves one reference only. The result of a challenge is that of RReq. CRes only says that
//! the browser is back.

mod asking;
mod confirming;
mod ranges;
mod results;

use self::asking::{decoupled_ms, response, without};
use self::ranges::keep_ranges;
use crate::card_ranges::CardRanges;
use crate::element::Text;
use crate::error::ExchangeError;
use crate::journal::Journal;
use crate::settings::{DirectorySettings, TerminalSettings, ThreeDsFile};
use crate::transport::Transport;
use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use payframe_card_rules::secret::Secret;
use payframe_payment_domain::external_3ds::eci;
use payframe_payment_domain::session::ChallengeReply;
use payframe_payment_ports::three_ds_server::{
    Authentication, AuthenticationEvidence, AuthenticationRequest, AuthenticationResponse,
    BrowserForm, CardRange, ConfirmationOutcome, ConfirmationRequest, ConfirmationStatus,
    DataShare, DeviceCheck, Enrollment, EvidenceRequest, ThreeDsServer, ThreeDsServerError,
};
use payframe_payment_ports::{Clock, Vault};
use payframe_settings_file::SettingsFileError;
use payframe_storage::Store;
use payframe_storage::three_ds_authentications::AuthenticationState;
use serde_json::json;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, RwLock};

/// A 3-D Secure server over the directory servers of a file.
pub struct EmvThreeDsServer(Arc<Inner>);

struct Inner {
    journal: Journal,
    server_reference: Text<1, 32>,
    directories: Vec<Directory>,
    terminals: HashMap<String, TerminalSettings>,
    /// The terminals whose buyers pay without authentication.
    without_authentication: HashSet<String>,
}

struct Directory {
    settings: DirectorySettings,
    transport: Transport,
    ranges: RwLock<Arc<CardRanges>>,
}

impl EmvThreeDsServer {
    /// Connects the directory servers of a file. Their card ranges are fetched in the background, and again at intervals.
    ///
    /// # Errors
    /// A certificate or a key cannot be used.
    pub fn connect(
        file: ThreeDsFile,
        without_authentication: HashSet<String>,
        store: Store,
        vault: Arc<dyn Vault>,
        clock: Clock,
    ) -> Result<EmvThreeDsServer, SettingsFileError> {
        let mut directories = Vec::new();
        for settings in file.directories {
            let Some(transport) = Transport::new(&settings) else {
                return Err(SettingsFileError::File {
                    file: format!("the files of directory {}", settings.name),
                    problem: String::from("must be certificates and a private key, as PEM"),
                });
            };
            directories.push(Directory {
                settings,
                transport,
                ranges: RwLock::default(),
            });
        }
        let terminals = file.terminals.into_iter();
        let inner = Arc::new(Inner {
            journal: Journal {
                store,
                vault,
                clock,
            },
            server_reference: file.server_reference,
            directories,
            terminals: terminals
                .map(|terminal| (terminal.id.clone(), terminal))
                .collect(),
            without_authentication,
        });
        for place in 0..inner.directories.len() {
            tokio::spawn(keep_ranges(Arc::downgrade(&inner), place));
        }
        Ok(EmvThreeDsServer(inner))
    }
}

#[async_trait]
impl ThreeDsServer for EmvThreeDsServer {
    fn card_range(&self, number: &Secret) -> CardRange {
        let directories = &self.0.directories;
        let is_found = directories
            .iter()
            .any(|one| !one.versions_of(number).is_empty());
        let has_ranges = |one: &Directory| one.known_ranges().serial_number().is_some();
        let enrollment = match is_found {
            true => Enrollment::Enrolled,
            false if directories.iter().all(has_ranges) => Enrollment::NotEnrolled,
            false => Enrollment::Unavailable,
        };
        CardRange {
            enrollment,
            // Its page collects the data of the browser.
            device_check: DeviceCheck::Due,
        }
    }

    fn serves(&self, terminal_id: &str) -> bool {
        self.0.terminals.contains_key(terminal_id)
            || self.0.without_authentication.contains(terminal_id)
    }

    fn needs_browser(&self) -> bool {
        true
    }

    fn device_check_form(
        &self,
        number: &Secret,
        check: &str,
        notification_url: &str,
    ) -> Option<BrowserForm> {
        let directories = self.0.directories.iter();
        let mut versions = directories.flat_map(|directory| {
            let mut versions = directory.versions_of(number);
            versions.retain(|(version, _)| directory.settings.versions.contains(version));
            versions.into_iter().max_by_key(|(version, _)| *version)
        });
        let address = versions.find_map(|(_, address)| address)?;
        let data = json!({
            "threeDSServerTransID": &*self.0.journal.transaction_id(check),
            "threeDSMethodNotificationURL": notification_url,
        });
        Some(BrowserForm {
            address,
            field: (
                "threeDSMethodData",
                URL_SAFE_NO_PAD.encode(data.to_string()),
            ),
        })
    }

    async fn authenticate(
        &self,
        request: &AuthenticationRequest<'_>,
    ) -> Result<AuthenticationResponse, ThreeDsServerError> {
        let inner = &self.0;
        let Some(terminal) = inner.terminals.get(request.terminal_id) else {
            return match inner.without_authentication.contains(request.terminal_id) {
                true => Ok(AuthenticationResponse::Completed(Authentication::None)),
                false => Err(ExchangeError::UnknownTerminal.into()),
            };
        };
        let kept = inner.journal.find(request.reference).await?;
        if let Some(kept) = kept.filter(|kept| kept.state != AuthenticationState::Asked) {
            return Ok(response(&kept, request, terminal.unauthenticated));
        }
        let Some(route) = inner.route(request).await? else {
            return Ok(without(terminal.unauthenticated));
        };
        // Who hides the browser does not get around the authentication.
        let Some(browser) = request.browser else {
            return Ok(AuthenticationResponse::Refused);
        };
        let kept = inner.ask(&route, request, browser).await?;
        Ok(response(&kept, request, terminal.unauthenticated))
    }

    async fn confirmation(
        &self,
        request: &ConfirmationRequest<'_>,
    ) -> Result<ConfirmationStatus, ThreeDsServerError> {
        Ok(self.0.confirmation(&request.authentication).await?)
    }

    async fn confirm(
        &self,
        request: &ConfirmationRequest<'_>,
        outcome: &ConfirmationOutcome,
    ) -> Result<AuthenticationResponse, ThreeDsServerError> {
        Ok(self.0.confirm(&request.authentication, outcome).await?)
    }

    fn longest_decoupled_ms(&self) -> u32 {
        let terminals = self.0.terminals.values();
        let minutes = terminals.filter_map(|terminal| terminal.decoupled_minutes);
        minutes.max().map_or(0, decoupled_ms)
    }

    async fn decoupled_notice(
        &self,
        reference: &str,
    ) -> Result<Option<String>, ThreeDsServerError> {
        Ok(self.0.decoupled_notice(reference).await?)
    }

    async fn challenge_form(
        &self,
        reference: &str,
    ) -> Result<Option<BrowserForm>, ThreeDsServerError> {
        Ok(self.0.challenge_form(reference).await?)
    }

    async fn challenge_result(
        &self,
        reference: &str,
    ) -> Result<ChallengeReply, ThreeDsServerError> {
        Ok(self.0.challenge_result(reference).await?)
    }

    async fn receive_result(
        &self,
        reference: &str,
        message: &[u8],
    ) -> Result<Vec<u8>, ThreeDsServerError> {
        Ok(self.0.receive_result(reference, message).await?)
    }

    async fn data_share(
        &self,
        request: &EvidenceRequest<'_>,
    ) -> Result<Option<DataShare>, ThreeDsServerError> {
        let kept = self.0.journal.find(request.reference).await?;
        Ok(kept.as_ref().and_then(results::data_share))
    }

    async fn evidence(
        &self,
        request: &EvidenceRequest<'_>,
    ) -> Result<AuthenticationEvidence, ThreeDsServerError> {
        let kept = self.0.journal.find(request.reference).await?;
        let fallback = request
            .network
            .map_or("07", |network| eci(network, request.authentication));
        let authenticated = match request.authentication {
            Authentication::Full | Authentication::Attempted => kept.as_ref(),
            Authentication::DataShared | Authentication::None | Authentication::NotDue => None,
        };
        let proof = authenticated.and_then(results::proof);
        let Some(proof) = proof else {
            return match request.authentication {
                Authentication::DataShared | Authentication::None | Authentication::NotDue => {
                    Ok(no_evidence(fallback))
                }
                Authentication::Full | Authentication::Attempted => Err(ExchangeError::Kept.into()),
            };
        };
        Ok(AuthenticationEvidence {
            eci: proof.eci.unwrap_or_else(|| fallback.to_owned()).into(),
            authentication_value: proof.value,
            ds_transaction_id: proof.ds_transaction_id,
            version: proof.version.code(),
            acquirer_bin: self.0.acquirer_bin(request).into(),
            operator: "emv-3ds",
        })
    }
}

/// That nobody was authenticated.
fn no_evidence(eci: &'static str) -> AuthenticationEvidence {
    AuthenticationEvidence {
        eci: eci.into(),
        authentication_value: String::new(),
        ds_transaction_id: String::new(),
        version: "",
        acquirer_bin: "".into(),
        operator: "",
    }
}
