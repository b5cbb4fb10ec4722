//! The connections for queries: each is lent to one query at a time.
//!
//! A general pool (`sqlx::Pool`, `deadpool`) tests a connection whenever it lends it and gets it back. For SQLite, each test is a message to its thread and back, so
//! the tests cost twice as much as the query. A file in this process does not disconnect like a network, so these connections are not
//! tested. The connection that was used last is lent next, because its thread may still be awake.

use super::connection::Connection;
use sqlx::sqlite::SqliteConnectOptions;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Lends connections for queries.
#[derive(Clone, Debug)]
pub(crate) struct Readers {
    options: Arc<SqliteConnectOptions>,
    idle: Arc<Mutex<Vec<Connection>>>,
    turns: Arc<Semaphore>,
}

/// A lent connection.
#[derive(Debug)]
pub(crate) struct PooledConnection {
    /// `None` only while it is returned.
    connection: Option<Connection>,
    idle: Arc<Mutex<Vec<Connection>>>,
    _turn: OwnedSemaphorePermit,
}

impl Readers {
    /// Opens connections on demand, up to a small maximum.
    pub(crate) fn new(options: SqliteConnectOptions) -> Readers {
        Readers {
            options: Arc::new(options),
            idle: Arc::default(),
            turns: Arc::new(Semaphore::new(MOST)),
        }
    }

    /// How its file is opened.
    pub(crate) fn options(&self) -> &SqliteConnectOptions {
        &self.options
    }

    /// A connection for queries.
    pub(crate) async fn acquire(&self) -> Result<PooledConnection, sqlx::Error> {
        let turn = Arc::clone(&self.turns).acquire_owned().await;
        let turn = turn.map_err(|_| sqlx::Error::PoolClosed)?;
        // A panic during the lock cannot leave the list inconsistent.
        let idle = self
            .idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        let connection = match idle {
            Some(connection) => connection,
            None => Connection::open(&self.options).await?,
        };
        Ok(PooledConnection {
            connection: Some(connection),
            idle: Arc::clone(&self.idle),
            _turn: turn,
        })
    }
}

impl Drop for PooledConnection {
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

impl Deref for PooledConnection {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        match &self.connection {
            Some(connection) => connection,
            // Only `drop` takes it.
            None => unreachable!("a connection that was given back"),
        }
    }
}

impl DerefMut for PooledConnection {
    fn deref_mut(&mut self) -> &mut Connection {
        match &mut self.connection {
            Some(connection) => connection,
            // Only `drop` takes it.
            None => unreachable!("a connection that was given back"),
        }
    }
}

/// More connections would not read faster: they share one disk and the few cores of the machine.
const MOST: usize = 4;
