//! Rotates the vault's keys while gateways serve.
//!
//! A gateway writes into the database which key it encrypts with ([`record_encryption_key`]). [`reencrypt`] encrypts with the newest key the values
//! of other keys, a few at a time. [`retire`] ends a key that no gateway encrypts with and that no value needs. This file collects
//! the purpose of each encrypted value from the code that encrypts it.

use crate::StartError;
use payframe_back_office::authenticator;
use payframe_notifier::signature;
use payframe_payment_service::idempotency;
use payframe_payment_service::{
    card_keys, cardholder_data, contracts, disputes, error::PaymentError, external_3ds,
};
use payframe_storage::encrypted_values::{EncryptedColumn, EncryptedValue};
use payframe_storage::vault_keys::{self, Content};
use payframe_storage::{Connection, Store, StoreError, Subject};
use payframe_vault::{EncryptionKey, HashingKeys, KeyId, Keyring, KeyringVault};
use std::time::Instant;
use thiserror::Error;

/// What [`reencrypt`] did with the values of a column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reencrypted {
    /// How many values were encrypted again.
    pub(crate) anew: u64,
    /// How many values no known key decrypts.
    pub(crate) closed: u64,
}

/// How many values a key has encrypted.
pub(crate) struct Count {
    pub(crate) id: KeyId,
    pub(crate) values: i64,
}

/// Why a key cannot be retired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum RetireKeyError {
    /// New values are encrypted with it.
    #[error("new values are encrypted with it")]
    Current,
    /// How many values are encrypted with it, or with a key that is not known.
    #[error(
        "{0} values are encrypted with it, or with no key that is here: `vault reencrypt` first"
    )]
    Needed(i64),
    /// A gateway reported a moment ago that it encrypts with this key.
    #[error("a gateway has used it within the last minute")]
    InUse,
}

/// Whether a key has encrypted something in this database.
pub(crate) async fn is_in_use(connection: &mut Connection) -> Result<bool, StoreError> {
    for content in [Content::Hashing, Content::Proof] {
        if vault_keys::find(connection, content).await?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Opens the vault of a database with these keys. The first start makes its keys for hashes.
pub(crate) async fn unlock(
    change: &mut Connection,
    keyring: Keyring,
) -> Result<KeyringVault, StartError> {
    let belongs_to = |content: Content| belongs_to(EncryptedColumn::Vault, content.name());
    if let Some(encrypted) = vault_keys::find(change, Content::Hashing).await? {
        let opened = keyring.decrypt(&encrypted, &belongs_to(Content::Hashing));
        let hashing = opened.ok().and_then(|keys| HashingKeys::from_bytes(&keys));
        return Ok(KeyringVault::new(
            keyring,
            hashing.ok_or(StartError::OtherVault)?,
        ));
    }
    let hashing = match vault_keys::find(change, Content::Proof).await? {
        Some(encrypted) => {
            let opener = keyring.opener(&encrypted, &belongs_to(Content::Proof));
            HashingKeys::of(&opener.map_err(|_| StartError::OtherVault)?)
        }
        None => HashingKeys::random()?,
    };
    let encrypted = keyring.encrypt(hashing.as_bytes(), &belongs_to(Content::Hashing))?;
    vault_keys::put_hashing(change, &encrypted);
    Ok(KeyringVault::new(keyring, hashing))
}

/// Reports at intervals which key this gateway encrypts with. False: the key is retired.
pub(crate) async fn record_encryption_key(
    store: &Store,
    vault: &KeyringVault,
    now_ms: i64,
) -> Result<bool, StoreError> {
    let current = vault.keyring().current().to_string();
    let known = vault_keys::all(&mut *store.read().await?).await?;
    let known = known.into_iter().find(|key| key.id == current);
    let is_recent = |at_ms: i64| at_ms > now_ms - REPORT_INTERVAL_MS;
    match known {
        Some(key) if key.retired_ms.is_some() => return Ok(false),
        Some(key) if key.encrypting_ms.is_some_and(is_recent) => return Ok(true),
        _ => {}
    }
    let mut change = store.write(Subject::Statement).await?;
    let is_good = vault_keys::record_encryption_key(&mut change, &current, now_ms).await?;
    change.commit().await?;
    Ok(is_good)
}

/// Takes up a new key, and reports which one this gateway encrypts with.
pub(crate) async fn follow(
    store: &Store,
    vault: &KeyringVault,
    now_ms: i64,
) -> Result<(), StoreError> {
    if let Err(problem) = vault.keyring().refresh() {
        tracing::error!(%problem, "the vault's keys cannot be read again");
    }
    if !record_encryption_key(store, vault, now_ms).await? {
        let key = vault.keyring().current();
        tracing::error!(%key, "the key that this gateway encrypts with is retired: start it with the new key");
    }
    Ok(())
}

/// Encrypts with the current key the values of a column that other keys have encrypted. It may be interrupted at any moment and
/// started again.
pub(crate) async fn reencrypt(
    store: &Store,
    keyring: &Keyring,
    column: EncryptedColumn,
) -> Result<Reencrypted, PaymentError> {
    let current = keyring.current();
    let mut done = Reencrypted::default();
    let mut last: Option<EncryptedValue> = None;
    loop {
        let begun = Instant::now();
        let values = column
            .next(&mut *store.read().await?, last.as_ref(), current.as_bytes())
            .await?;
        if values.is_empty() {
            return Ok(done);
        }
        let mut change = store.write(Subject::Statement).await?;
        for value in &values {
            let belongs_to = belongs_to(column, &value.owner);
            let Ok(content) = keyring.decrypt(&value.encrypted, &belongs_to) else {
                done.closed += 1;
                continue;
            };
            let encrypted = keyring.encrypt(&content, &belongs_to)?;
            done.anew += u64::from(column.put(&mut change, value, encrypted).await?);
        }
        change.commit().await?;
        last = values.into_iter().next_back();
        // The gateways get the same time for their work.
        tokio::time::sleep(begun.elapsed()).await;
    }
}

/// How many values each of the keys has encrypted, and how many are of unknown keys.
pub(crate) async fn counted(
    store: &Store,
    keyring: &Keyring,
) -> Result<(Vec<Count>, i64), StoreError> {
    let mut connection = store.read().await?;
    let count = |key: &EncryptionKey| Count {
        id: key.id(),
        values: 0,
    };
    let mut counts: Vec<Count> = keyring.keys().iter().map(count).collect();
    let mut others = 0;
    for column in EncryptedColumn::ALL {
        for (beginning, number) in column.beginnings(&mut connection).await? {
            let of = counts
                .iter_mut()
                .find(|count| count.id.as_bytes() == beginning);
            *of.map_or(&mut others, |count| &mut count.values) += number;
        }
    }
    Ok((counts, others))
}

/// Ends a key. `Ok(Err(…))`: the key is still needed, and the error says why.
pub(crate) async fn retire(
    store: &Store,
    keyring: &Keyring,
    id: KeyId,
    now_ms: i64,
) -> Result<Result<(), RetireKeyError>, StoreError> {
    if keyring.current() == id {
        return Ok(Err(RetireKeyError::Current));
    }
    let mut change = store.write(Subject::Gateway).await?;
    let name = id.to_string();
    if !vault_keys::retire(&mut change, &name, now_ms - QUIET_MS, now_ms).await? {
        return Ok(Err(RetireKeyError::InUse));
    }
    // No gateway has encrypted with it for a while. Values of unknown keys may still be encrypted with it.
    let (counts, others) = counted(store, keyring).await?;
    let own = counts.iter().find(|count| count.id == id);
    match others + own.map_or(0, |count| count.values) {
        0 => {
            change.commit().await?;
            Ok(Ok(()))
        }
        needed => Ok(Err(RetireKeyError::Needed(needed))),
    }
}

/// The purpose for which an owner's value is encrypted.
fn belongs_to(column: EncryptedColumn, owner: &str) -> String {
    match column {
        EncryptedColumn::Vault if owner == Content::Proof.name() => {
            String::from("proof of the vault")
        }
        EncryptedColumn::Vault => format!("{owner} of the vault"),
        EncryptedColumn::Cards => cardholder_data::belongs_to(owner),
        EncryptedColumn::Contracts | EncryptedColumn::ContractChanges => {
            cardholder_data::belongs_to(&contracts::owner(owner))
        }
        EncryptedColumn::Validations => external_3ds::validation_of(owner),
        EncryptedColumn::Secrets => signature::belongs_to(owner),
        EncryptedColumn::CardKeys => card_keys::belongs_to(owner),
        EncryptedColumn::Answers => idempotency::belongs_to(owner),
        EncryptedColumn::Iso8583Cards => payframe_acquirer_iso8583::belongs_to(owner),
        EncryptedColumn::SecondFactors => authenticator::belongs_to(owner),
        EncryptedColumn::Authentications => payframe_emv_3ds::belongs_to(owner),
        EncryptedColumn::DisputeEvidence => disputes::evidence_belongs_to(owner),
        EncryptedColumn::DisputeFiles => disputes::file_belongs_to(owner),
    }
}

/// How often a gateway reports which key it encrypts with.
const REPORT_INTERVAL_MS: i64 = 20_000;

/// After this time without a report, a gateway does not encrypt with the key.
const QUIET_MS: i64 = 60_000;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use payframe_payment_ports::Vault;
    use payframe_storage::{query, query_scalar};

    #[tokio::test]
    async fn a_database_from_before_keeps_its_hashes_and_loses_its_proof() {
        let folder = tempfile::tempdir().unwrap();
        let config = Config {
            data: folder.path().to_owned(),
            ..Config::sandbox()
        };
        let store = Store::open(&config.storage()).await.unwrap();
        let keyring = || Keyring::open(None, None, folder.path().join("vault.key")).unwrap();
        let proof = keyring().encrypt(b"proof of the vault", "proof of the vault");
        // The older format, without the key's id.
        let proof = proof.unwrap().split_off(8);
        let hash =
            KeyringVault::new(keyring(), HashingKeys::of(&keyring().keys()[0])).api_key_hash("k");
        let mut change = store.write(Subject::Gateway).await.unwrap();
        query("INSERT INTO vault_content (name, sealed) VALUES ('vault', ?)")
            .bind(&proof)
            .execute(&mut change)
            .await
            .unwrap();
        for _ in 0..2 {
            let vault = unlock(&mut change, keyring()).await.unwrap();
            assert_eq!(vault.api_key_hash("k"), hash);
        }
        let names: Vec<String> = query_scalar("SELECT name FROM vault_content")
            .fetch_all(&mut change)
            .await
            .unwrap();
        assert_eq!(names, ["hashing"]);
        let other = Keyring::open(None, None, folder.path().join("other.key")).unwrap();
        let refused = unlock(&mut change, other).await;
        assert!(matches!(refused, Err(StartError::OtherVault)));
    }
}
