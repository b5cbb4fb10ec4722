//! The acquirers of the operator's file: those behind adapters, and those over ISO 8583.

use payframe_acquirer_http::{AcquirerFile, HttpAcquirers, OtherAcquirer, Place};
use payframe_acquirer_iso8583::{IsoAcquirer, IsoMembers, IsoSettings, PlainTcp};
use payframe_payment_ports::{Acquirer, Acquirers, Clock};
use payframe_settings_file::SettingsFileError;
use payframe_storage::Store;
use payframe_vault::KeyringVault;
use std::collections::HashMap;
use std::sync::Arc;

/// What acquirers over ISO 8583 need besides their settings.
pub(crate) struct JournalPlace<'a> {
    /// The gateway's tables, which have their journal.
    pub(crate) store: &'a Store,
    /// Encrypts the cards in it.
    pub(crate) vault: &'a Arc<KeyringVault>,
}

/// Connects the acquirers of a file. `own` has those of the terminals that are not in it.
///
/// # Errors
/// A member, or a file that it names, cannot be used.
pub(crate) fn connect(
    file: &AcquirerFile,
    place: &JournalPlace<'_>,
    clock: &Clock,
    own: Arc<dyn Acquirers>,
) -> Result<HttpAcquirers, SettingsFileError> {
    // All of them are read before one is connected.
    let settings = file.others().iter().map(|other| settings(file, other));
    let settings: Vec<_> = settings.collect::<Result<_, _>>()?;
    let mut others: HashMap<String, Arc<dyn Acquirer>> = HashMap::new();
    for (other, settings) in file.others().iter().zip(settings) {
        let (store, vault) = (place.store.clone(), place.vault.clone());
        let acquirer = IsoAcquirer::connect(settings, store, vault, clock.clone());
        others.insert(other.name.clone(), Arc::new(acquirer));
    }
    HttpAcquirers::connect(file, clock, others, own)
}

/// The settings of a host, with the files that they name.
pub(crate) fn settings(
    file: &AcquirerFile,
    other: &OtherAcquirer,
) -> Result<IsoSettings, SettingsFileError> {
    let members = other.members.clone().try_into::<IsoMembers>();
    let members = members.map_err(|problem| file.unreadable(&other.name, problem.message()))?;
    let plain = match file.place() {
        Place::Production => PlainTcp::Refused,
        Place::Sandbox | Place::Examination => PlainTcp::SameMachine,
    };
    IsoSettings::read(&other.name, members, file.folder(), plain)
        .map_err(|problem| file.refused(&other.name, problem.member, &problem.accepts))
}

#[cfg(test)]
mod tests;
