//! `GET /events`: the feed of everything that merchants are told about.

use super::call::{CallingTerminal, SentQuery};
use super::endpoint::{BACK_OFFICE, Endpoint};
use super::error::ApiError;
use super::query::{Query, text_of};
use super::requests::queries::ListEvents;
use crate::App;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use payframe_error_codes::ErrorCode::{GW9011, PS0026};
use payframe_payment_domain::calendar::instant;
use payframe_protocol::events::{Event, EventList};
use payframe_storage::events::{self, Cursor, FeedEvent, Start, Told};
use utoipa_axum::routes;

/// The feed is not in the contract.
pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::of(routes!(list_events))
            .query::<ListEvents>()
            .refusals(&[PS0026, GW9011]),
    ]
}

/// List events
///
/// Everything that notifications tell of, and what the shop told of its goods, oldest first and without a gap, for all terminals of the
/// merchant and whether a notification is sent or not. For the next page: the same call with `after` = `nextCursor`. A cursor can be used again, so events can be read
/// again. Events are kept for 90 days, unless the operator sets another time, and the newest one for longer. If the event of `after` is no longer kept, the answer is
/// 410 `GW9011`, because events behind it may be gone.
#[utoipa::path(
    get, path = "/events", operation_id = "listEvents", tag = BACK_OFFICE,
    responses((status = 200, body = EventList)),
)]
async fn list_events(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    SentQuery(sent): SentQuery<ListEvents>,
) -> Result<Json<EventList>, ApiError> {
    let mut query = Query::default();
    let after = text_of(&sent.after).filter(|after| *after != LATEST);
    let cursor = after.and_then(Cursor::parse);
    if after.is_some() && cursor.is_none() {
        query.findings.add(
            PS0026,
            "after must be the nextCursor of an answer, the cursor of an event, or latest",
        );
    }
    let limit = query.count("limit", &sent.limit, LIMIT);
    query.into_result()?;
    let start = match &cursor {
        Some(cursor) => Start::Behind(cursor),
        None if sent.after.is_there() => Start::Newest,
        None => Start::Oldest,
    };
    let mut connection = app.store().read().await?;
    let page = events::page(&mut connection, &terminal.merchant_id, start, limit).await?;
    let page = page.ok_or_else(|| {
        ApiError::with(
            StatusCode::GONE,
            GW9011,
            "the event of after is not in the feed: it is older than the feed keeps (90 days, unless the operator sets another time), or after is a cursor of another feed; read without after",
        )
    })?;
    Ok(Json(EventList {
        events: page.events.into_iter().map(on_the_wire).collect(),
        next_cursor: page.end.to_string(),
        has_more: page.has_more,
    }))
}

fn on_the_wire(event: FeedEvent) -> Event {
    let bare = |event_type: String| Event {
        cursor: event.cursor.to_string(),
        event_id: event.event_id,
        event_type,
        recorded_time: instant(event.written_ms),
        notification: None,
        fulfilment: None,
        attack: None,
        refund_approval: None,
        dispute: None,
        page_change: None,
    };
    match event.told {
        Told::Operation(notification) => {
            let event_type = notification.event_type.clone();
            Event {
                notification: Some(*notification),
                ..bare(event_type)
            }
        }
        Told::Goods { fulfilment } => Event {
            fulfilment: Some(fulfilment),
            ..bare(ORDER_FULFILMENT.to_owned())
        },
        Told::Notice(notice) => Event {
            attack: notice.attack,
            refund_approval: notice.refund_approval,
            dispute: notice.dispute,
            page_change: notice.page_change,
            ..bare(notice.event_type)
        },
    }
}

/// The type of events about goods. No notification has it, so it is not among
/// [`payframe_payment_domain::event_type::EventType`].
const ORDER_FULFILMENT: &str = "ORDER_FULFILMENT";

/// The value of `after` that is no cursor.
const LATEST: &str = "latest";

/// How many events an answer has if the caller does not say.
const LIMIT: u32 = 100;
