//! What the gateway's processes on one database server tell each other: security codes that one has and another one needs, and that there are
//! notifications to send.
//!
//! The process that writes a notification sends it itself, and tells the others only so that they send what it did not begin: it may be
//! ending, or be a command of the operator. So messages are few, whatever the number of payments ([`TELL_PAUSE`]), and are heard with a
//! delay ([`HEAD_START`]). Nothing depends on them: every process also looks by itself.

use super::PaymentContext;
use super::security_codes::hand_over::HandOverError;
use payframe_card_rules::security_code::SecurityCode;
use payframe_storage::StoreError;
use payframe_storage::peers::PeerMessage;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{sleep, timeout};

/// Why the others were not heard, or not told.
#[derive(Debug, thiserror::Error)]
enum PeerError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    HandOver(#[from] HandOverError),
    /// The connection to the server is lost.
    #[error("the connection is lost")]
    Lost,
}

impl PaymentContext {
    /// The security code of a session: of this process, or of the one that received it.
    pub(super) async fn security_code(&self, session_hash: &str) -> Option<Arc<SecurityCode>> {
        if let Some(own) = self.security_codes().find(session_hash) {
            return Some(own);
        }
        if !*self.questions().listens.borrow() {
            return None;
        }
        match self.ask_peers(session_hash).await {
            Ok(code) => self.security_codes().keep(session_hash, code),
            Err(problem) => {
                tracing::warn!(%problem, "other processes could not be asked for a security code")
            }
        }
        self.security_codes().find(session_hash)
    }

    async fn ask_peers(&self, session_hash: &str) -> Result<Option<SecurityCode>, PeerError> {
        let (mut asked, question) = self.questions().ask(self.vault(), session_hash)?;
        self.store().tell_peers(&question).await?;
        Ok(timeout(ANSWER_LIMIT, asked.answer()).await.ok().flatten())
    }

    /// Answers the other processes, and tells them of new notifications, until `shutdown` is done. Where the tables are in a file there
    /// are none.
    pub async fn hear_peers(self, shutdown: impl Future<Output = ()>) {
        let telling = async {
            loop {
                self.outbox_news().notified().await;
                if let Err(problem) = self.store().tell_outbox_filled().await {
                    // The others find it by themselves, later.
                    tracing::debug!(%problem, "other processes are not told of notifications");
                }
                sleep(TELL_PAUSE).await;
            }
        };
        let hearing = async {
            loop {
                if let Err(problem) = self.hear_until_quiet().await {
                    self.questions().listens.send_replace(false);
                    tracing::warn!(%problem, "other processes are not heard");
                    sleep(PAUSE).await;
                }
            }
        };
        tokio::select! {
            () = shutdown => {}
            () = hearing => {}
            () = telling => {}
        }
    }

    /// Waits until this process hears the others.
    pub async fn peers_are_heard(&self) {
        let mut listens = self.questions().listens.subscribe();
        // The sender lives as long as this context.
        let _ = listens.wait_for(|listens| *listens).await;
    }

    fn wake_own_notifier_soon(&self) {
        let outbox_filled = self.outbox_signal();
        tokio::spawn(async move {
            sleep(HEAD_START).await;
            outbox_filled.notify_one();
        });
    }

    /// Answers until nothing was heard for a while: a server that is gone without a word is not noticed otherwise.
    async fn hear_until_quiet(&self) -> Result<(), PeerError> {
        let Some(mut listener) = self.store().hear_peers().await? else {
            return std::future::pending().await;
        };
        self.questions().listens.send_replace(true);
        while let Ok(heard) = timeout(QUIET, listener.next()).await {
            let message = match heard?.ok_or(PeerError::Lost)? {
                PeerMessage::Text(text) => text,
                PeerMessage::OutboxFilled => {
                    self.wake_own_notifier_soon();
                    continue;
                }
            };
            let codes = self.security_codes();
            match self.questions().hear(self.vault(), codes, &message) {
                Ok(None) => {}
                Ok(Some(answer)) => self.store().tell_peers(&answer).await?,
                Err(problem) => {
                    tracing::warn!(%problem, "a security code could not be handed over");
                }
            }
        }
        Ok(())
    }
}

/// How long a payment waits for its code. Processes answer within milliseconds; a process that ended does not.
const ANSWER_LIMIT: Duration = Duration::from_secs(1);
/// Between two messages of a process about its notifications.
const TELL_PAUSE: Duration = Duration::from_millis(250);
/// How long the process that wrote a notification has to begin to send it, before others try to.
const HEAD_START: Duration = Duration::from_millis(500);
/// If nothing was heard for this time, a new connection is opened.
const QUIET: Duration = Duration::from_secs(60);
/// Before a lost connection is opened again.
const PAUSE: Duration = Duration::from_secs(1);
