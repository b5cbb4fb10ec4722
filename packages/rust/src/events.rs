//! The feed of events: everything that notifications tell of, in order and without a gap.

use crate::call::Call;
use crate::exchange::{Sent, Verb};
use crate::rows::{Page, Rows};
use crate::transport::Sender;
use crate::types::{EventPage, EventQuery, FeedEvent};
use std::fmt;
use std::sync::Arc;

/// Calls of [`crate::Payframe::events`].
#[derive(Clone)]
pub struct Events {
    sender: Arc<Sender>,
}

impl Events {
    pub(crate) fn new(sender: &Arc<Sender>) -> Self {
        Self {
            sender: Arc::clone(sender),
        }
    }

    /// A page of the feed, the oldest event first. For the next page repeat the call with `after` = `next_cursor`. A cursor whose event is no longer in
    /// the feed is refused with the code `GW9011`.
    pub fn list(&self, query: &EventQuery) -> Call<EventPage> {
        Call::new(&self.sender, Sent::new(Verb::Get, "/events").query(query))
    }

    /// The events behind a cursor that are there now, page by page. Without a cursor it begins with the oldest event. Store the `cursor` of
    /// an event once it is processed, and begin there the next time.
    ///
    /// ```
    /// use payframe_server::{Payframe, PayframeError};
    ///
    /// async fn catch_up(payframe: &Payframe, cursor: Option<&str>) -> Result<Option<String>, PayframeError> {
    ///     let mut last = cursor.map(str::to_owned);
    ///     let mut events = payframe.events.since(cursor);
    ///     while let Some(event) = events.next().await? {
    ///         // Process it here; heed each `event_id` once.
    ///         last = Some(event.cursor);
    ///     }
    ///     Ok(last)
    /// }
    /// ```
    #[must_use]
    pub fn since(&self, cursor: Option<&str>) -> Rows<FeedEvent> {
        let events = self.clone();
        Rows::new(cursor.map(str::to_owned), move |after| {
            let query = EventQuery {
                after,
                ..EventQuery::default()
            };
            let call = events.list(&query);
            async move {
                let page = call.await?;
                Ok(Page {
                    next: page.has_more.then_some(page.next_cursor),
                    rows: page.events,
                })
            }
        })
    }
}

impl fmt::Debug for Events {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Events").finish_non_exhaustive()
    }
}
