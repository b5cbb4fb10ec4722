//! Messages between the gateway's processes that share a server: `NOTIFY` and `LISTEN` of PostgreSQL.
//!
//! A message reaches every process that listens at that moment, its sender included. Nothing keeps it for others, so nobody may depend on it: what has to
//! happen is in the tables. A message has at most 8,000 bytes. Where the tables are in a file there is one process, and there are no messages.

use super::hosts::Hosts;
use super::statement::query;
use super::{Store, StoreError};
use sqlx::Error;
use sqlx::postgres::{PgListener, PgPoolOptions};
use std::time::Duration;

/// Hears the messages of all processes, until a connection is lost.
#[derive(Debug)]
pub struct PeerListener(PgListener);

impl PeerListener {
    pub(crate) async fn open(hosts: &Hosts) -> Result<PeerListener, Error> {
        let options = hosts.find(CONNECTION_TIMEOUT).await?;
        let pool = PgPoolOptions::new()
            .max_connections(1)
            .acquire_timeout(CONNECTION_TIMEOUT)
            .connect_lazy_with(options);
        let mut listener = PgListener::connect_with(&pool).await?;
        // After a failover the server is another one: the owner opens a new listener.
        listener.eager_reconnect(false);
        listener.listen(CHANNEL).await?;
        Ok(PeerListener(listener))
    }

    /// The next message. `None`: the connection is lost, and with it the messages until a new listener is open.
    pub async fn next(&mut self) -> Result<Option<String>, StoreError> {
        let heard = self.0.try_recv().await?;
        Ok(heard.map(|message| message.payload().to_owned()))
    }
}

impl Store {
    /// Listens to the other processes. `None`: the tables are in a file.
    pub async fn hear_peers(&self) -> Result<Option<PeerListener>, StoreError> {
        match self.0.hosts() {
            Some(hosts) => Ok(Some(PeerListener::open(hosts).await?)),
            None => Ok(None),
        }
    }

    /// Sends a message to all processes that listen. Only where the tables are on a server.
    pub async fn tell_peers(&self, message: &str) -> Result<(), StoreError> {
        let notify = query("SELECT pg_notify(?, ?)").bind(CHANNEL).bind(message);
        self.0.change(notify).await?;
        Ok(())
    }
}

const CHANNEL: &str = "payframe_peers";
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(5);
