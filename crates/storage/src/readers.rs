//! The connections that read: each is lent to one question at a time.
//!
//! A general pool tests a connection whenever it is lent and whenever it comes back, which for SQLite is a message to its
//! thread and back each time, and twice as much as the question itself. A file in this process does not break off like
//! a network, so these are handed on as they are. The one that was used last is lent next: its thread may still be
//! awake.

use super::connection::Connection;
use sqlx::sqlite::SqliteConnectOptions;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Lends connections.
#[derive(Clone, Debug)]
pub(crate) struct Readers {
    options: Arc<SqliteConnectOptions>,
    idle: Arc<Mutex<Vec<Connection>>>,
    turns: Arc<Semaphore>,
}

/// A connection that is lent.
#[derive(Debug)]
pub(crate) struct Lent {
    /// Nothing only while it is given back.
    connection: Option<Connection>,
    idle: Arc<Mutex<Vec<Connection>>>,
    _turn: OwnedSemaphorePermit,
}

impl Readers {
    /// Opens connections when they are needed, and never more than a few.
    pub(crate) fn new(options: SqliteConnectOptions) -> Readers {
        Readers {
            options: Arc::new(options),
            idle: Arc::default(),
            turns: Arc::new(Semaphore::new(MOST)),
        }
    }

    /// A connection to ask with.
    pub(crate) async fn lend(&self) -> Result<Lent, sqlx::Error> {
        let turn = Arc::clone(&self.turns).acquire_owned().await;
        let turn = turn.map_err(|_| sqlx::Error::PoolClosed)?;
        // A panic while the list is held leaves it whole.
        let idle = self
            .idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        let connection = match idle {
            Some(connection) => connection,
            None => Connection::open(&self.options).await?,
        };
        Ok(Lent {
            connection: Some(connection),
            idle: Arc::clone(&self.idle),
            _turn: turn,
        })
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take() {
            debug_assert!(
                !connection.has_more_to_send(),
                "a change on a connection that only reads"
            );
            self.idle
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(connection);
        }
    }
}

impl Deref for Lent {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        match &self.connection {
            Some(connection) => connection,
            // Only `drop` takes it.
            None => unreachable!("a connection that was given back"),
        }
    }
}

impl DerefMut for Lent {
    fn deref_mut(&mut self) -> &mut Connection {
        match &mut self.connection {
            Some(connection) => connection,
            // Only `drop` takes it.
            None => unreachable!("a connection that was given back"),
        }
    }
}

/// More would not read faster: they share one disk and the machine's few cores.
const MOST: usize = 4;
