//! The card ranges of directory servers: fetched when the server starts, and at intervals.

use super::{Directory, Inner};
use crate::card_ranges::{CardRanges, Versions};
use crate::element::Text;
use crate::error::ExchangeError;
use crate::fault::FaultCode;
use crate::message::{RangesAnswer, RangesCall, Version};
use crate::transport::other;
use payframe_card_rules::network::Network;
use payframe_card_rules::secret::Secret;
use payframe_payment_ports::three_ds_server::EvidenceRequest;
use std::sync::{Arc, PoisonError, Weak};
use std::time::Duration;

/// Fetches the card ranges of one directory server as long as there is a server.
pub(super) async fn keep_ranges(server: Weak<Inner>, place: usize) {
    while let Some(inner) = server.upgrade() {
        let Some(directory) = inner.directories.get(place) else {
            return;
        };
        let pause = match inner.fetch_ranges(directory).await {
            Ok(()) => directory.settings.ranges_interval,
            Err(problem) => {
                let directory = directory.settings.name.as_str();
                tracing::error!(directory, %problem, "no card ranges");
                AFTER_FAILURE
            }
        };
        drop(inner);
        tokio::time::sleep(pause).await;
    }
}

impl Inner {
    /// Fetches the card ranges, or what changed since the last time.
    pub(super) async fn fetch_ranges(&self, directory: &Directory) -> Result<(), ExchangeError> {
        let known = directory.known_ranges();
        let mut serial_number = known.serial_number().and_then(Text::new);
        let mut versions = directory.settings.versions.iter().copied().peekable();
        while let Some(version) = versions.peek().copied() {
            let asked = self.ask_ranges(directory, version, serial_number.clone());
            match asked.await {
                // The serial number is not known there any more: all ranges are wanted.
                Err(ExchangeError::Reported { code, .. })
                    if code == UNKNOWN_SERIAL && serial_number.is_some() =>
                {
                    serial_number = None;
                }
                Err(ExchangeError::Reported { code, .. })
                    if code == FaultCode::Version.code() && versions.len() > 1 =>
                {
                    versions.next();
                }
                answer => {
                    let next = known.after(&answer?, serial_number.is_none());
                    let ranges = directory.ranges.write();
                    *ranges.unwrap_or_else(PoisonError::into_inner) = Arc::new(next);
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    async fn ask_ranges(
        &self,
        directory: &Directory,
        version: Version,
        serial_number: Option<Text<1, 20>>,
    ) -> Result<RangesAnswer, ExchangeError> {
        let id = self.journal.transaction_id(&format!(
            "ranges of {} in {} since {} at {}",
            directory.settings.name,
            version.code(),
            serial_number.as_deref().unwrap_or("the beginning"),
            self.journal.clock.now_ms()
        ));
        let question = RangesCall::new(
            version,
            id.clone(),
            self.server_reference.clone(),
            directory.settings.server_operator.clone(),
            serial_number,
        );
        let accept = |answer: &RangesAnswer| match answer.server_transaction_id == id {
            true => Ok(()),
            false => Err(other("threeDSServerTransID")),
        };
        directory.transport.ask(&question, version, accept).await
    }

    /// The acquirer's number, as the directory server of the network knows it for the terminal. Empty if it is no longer known.
    pub(super) fn acquirer_bin(&self, request: &EvidenceRequest<'_>) -> String {
        let directory = request
            .network
            .and_then(|network| self.directory_of(network));
        let terminal = self.terminals.get(request.terminal_id);
        let enrolment = terminal
            .zip(directory)
            .and_then(|(terminal, directory)| terminal.enrolments.get(&directory.settings.name));
        enrolment.map_or_else(String::new, |enrolment| enrolment.acquirer_bin.to_string())
    }

    pub(super) fn directory_of(&self, network: Network) -> Option<&Directory> {
        let mut directories = self.directories.iter();
        directories.find(|directory| directory.settings.networks.contains(&network))
    }
}

impl Directory {
    pub(super) fn known_ranges(&self) -> Arc<CardRanges> {
        self.ranges
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    pub(super) fn versions_of(&self, number: &Secret) -> Versions {
        // Exposed to find its range.
        let found = self.known_ranges().find(number.expose()).cloned();
        found.unwrap_or_default()
    }
}

/// When card ranges are asked for again after a failure.
const AFTER_FAILURE: Duration = Duration::from_secs(300);

/// The error code of a directory server that does not know a serial number.
const UNKNOWN_SERIAL: &str = "307";
