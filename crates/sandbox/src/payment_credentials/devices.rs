//! Where an issuer keeps the devices that buyers have enrolled: in a database, or in memory until its program ends.

use async_trait::async_trait;
use payframe_payment_ports::Clock;
use payframe_storage::{Database, Row, Subject, query};
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// A device that may confirm payments. Both members are base64url.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Device {
    /// The id of its credential, as browsers name it.
    pub(crate) id: String,
    /// The point of its public key on P-256.
    pub(crate) public_key: String,
}

/// The newest devices.
#[async_trait]
pub(crate) trait Devices: Send + Sync {
    /// Keeps a device. One that is there stays as it is.
    async fn keep(&self, device: Device) -> Result<(), sqlx::Error>;

    /// All of them, the newest first.
    async fn all(&self) -> Result<Vec<Device>, sqlx::Error>;
}

/// Devices in the database of the sandbox's acquirer.
pub(crate) struct StoredDevices {
    pub(crate) records: Database,
    pub(crate) clock: Clock,
}

#[async_trait]
impl Devices for StoredDevices {
    async fn keep(&self, device: Device) -> Result<(), sqlx::Error> {
        let mut transaction = self.records.write(Subject::Statement).await?;
        query(
            "INSERT INTO payment_credential (credential_id, public_key, made_ms) VALUES (?, ?, ?) \
             ON CONFLICT (credential_id) DO NOTHING",
        )
        .bind(device.id)
        .bind(device.public_key)
        .bind(self.clock.now_ms())
        .execute(&mut transaction)
        .await?;
        query(
            "DELETE FROM payment_credential WHERE credential_id NOT IN \
             (SELECT credential_id FROM payment_credential ORDER BY made_ms DESC, credential_id LIMIT ?)",
        )
        .bind(i64::from(MOST_DEVICES))
        .execute(&mut transaction)
        .await?;
        transaction.commit().await
    }

    async fn all(&self) -> Result<Vec<Device>, sqlx::Error> {
        let mut connection = self.records.read().await?;
        let rows = query(
            "SELECT credential_id, public_key FROM payment_credential ORDER BY made_ms DESC, credential_id",
        )
        .fetch_all(&mut connection)
        .await?;
        let text = |row: &Row, name: &str| -> Result<String, sqlx::Error> {
            Ok(row.try_get::<&str>(name)?.to_owned())
        };
        let devices = rows.iter().map(|row| {
            Ok(Device {
                id: text(row, "credential_id")?,
                public_key: text(row, "public_key")?,
            })
        });
        devices.collect()
    }
}

/// Devices of a program that stores nothing.
#[derive(Default)]
pub(crate) struct DevicesInMemory(Mutex<VecDeque<Device>>);

#[async_trait]
impl Devices for DevicesInMemory {
    async fn keep(&self, device: Device) -> Result<(), sqlx::Error> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.iter().all(|one| one.id != device.id) {
            kept.push_front(device);
            kept.truncate(usize::from(MOST_DEVICES));
        }
        Ok(())
    }

    async fn all(&self) -> Result<Vec<Device>, sqlx::Error> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(kept.iter().cloned().collect())
    }
}

/// How many devices are kept.
const MOST_DEVICES: u8 = 20;
