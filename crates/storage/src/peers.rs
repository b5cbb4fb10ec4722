//! Messages between the gateway's processes that share a server: `NOTIFY` and `LISTEN` of PostgreSQL.
//!
//! A message reaches every process that listens at that moment, its sender included. Nothing keeps it for others, so nobody may depend on it: what has to
//! happen is in the tables. A message has at most 8,000 bytes. Where the tables are in a file there is one process, and there are no messages.
//!
//! A message is never part of a change: PostgreSQL lets only one transaction with a `NOTIFY` commit at a time, on the whole server.

use super::hosts::Hosts;
use super::statement::query;
use super::{Store, StoreError};
use sqlx::Error;
use sqlx::postgres::{PgListener, PgPoolOptions};
use std::time::Duration;

/// What a process hears.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PeerMessage {
    /// A text for whoever can read it ([`Store::tell_peers`]).
    Text(String),
    /// The outbox has notifications that somebody has to send ([`Store::tell_outbox_filled`]).
    OutboxFilled,
}

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
        listener.listen_all([TEXTS, OUTBOX]).await?;
        Ok(PeerListener(listener))
    }

    /// The next message. `None`: the connection is lost, and with it the messages until a new listener is open.
    pub async fn next(&mut self) -> Result<Option<PeerMessage>, StoreError> {
        let heard = self.0.try_recv().await?;
        Ok(heard.map(|message| match message.channel() {
            OUTBOX => PeerMessage::OutboxFilled,
            _ => PeerMessage::Text(message.payload().to_owned()),
        }))
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

    /// Sends a text to all processes that listen. Only where the tables are on a server.
    pub async fn tell_peers(&self, text: &str) -> Result<(), StoreError> {
        self.notify(TEXTS, text).await
    }

    /// Tells all processes that listen that the outbox has new notifications. Where the tables are in a file, nobody is told.
    pub async fn tell_outbox_filled(&self) -> Result<(), StoreError> {
        match self.is_shared() {
            true => self.notify(OUTBOX, "").await,
            false => Ok(()),
        }
    }

    async fn notify(&self, channel: &'static str, text: &str) -> Result<(), StoreError> {
        let notify = query("SELECT pg_notify(?, ?)").bind(channel).bind(text);
        self.0.change(notify).await?;
        Ok(())
    }
}

const TEXTS: &str = "payframe_peers";
const OUTBOX: &str = "payframe_outbox";
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(5);
