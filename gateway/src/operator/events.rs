//! Commands about events that merchants are told about.

use super::{CommandContext, CommandError};
use clap::Subcommand;
use payframe_payment_domain::back_office::Act;
use payframe_storage::{StoreError, Subject, outbox};

/// What can be done with events.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum EventsCommand {
    /// Sends the notification of an event again, whatever its earlier result.
    ///
    /// A gateway that runs sends it with the same id and the same body: at once where the tables are on a database server, otherwise within
    /// ten seconds.
    #[command(verbatim_doc_comment)]
    Resend {
        /// The event's id: `eventId` in the notification and in the feed.
        event_id: String,
    },
}

impl CommandContext<'_> {
    /// Carries out a subcommand of `events`.
    pub(super) async fn events(&self, command: EventsCommand) -> Result<String, CommandError> {
        let EventsCommand::Resend { event_id } = command;
        let mut change = self.store.write(Subject::Gateway).await?;
        let merchant_id = outbox::merchant_of(&mut change, &event_id).await?;
        let merchant_id = merchant_id.ok_or_else(|| {
            CommandError::Failed(format!(
                "there is no notification with the event id {event_id}; where an order has no notificationUrl, its events are only in the feed"
            ))
        })?;
        let now_ms = self.clock.now_ms();
        let soon_ms = now_ms + outbox::SOON_MS;
        let again = outbox::send_again(&mut change, &merchant_id, &event_id, now_ms, soon_ms);
        if !again.await? {
            return Err(CommandError::Failed(format!(
                "the notification of {event_id} is on its way already, or will be in a moment"
            )));
        }
        let what = (event_id.as_str(), "");
        self.log_of(&mut change, &merchant_id, Act::SendAgain, what)
            .await?;
        change.commit().await.map_err(StoreError::from)?;
        self.tell_gateways_of_outbox().await;
        Ok(format!("{event_id} is sent again\n"))
    }
}
