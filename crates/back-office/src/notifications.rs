//! Notifications: what was sent to the merchant's server, with every attempt, and sending one again.

use super::confirm::Confirmed;
use super::display::{address, moment, segment, sum_of_text};
use super::error::OfficeError;
use super::filter::{FieldErrors, ListQuery, ROWS_AND_ONE, ResultPage, typed};
use super::form::Posted;
use super::idempotent_form::{FormOutcome, FormSubmission, carry_out, new_key};
use super::labels::{self, Badge};
use super::login_session::LoginSession;
use super::moment::Moment;
use super::orders::path_of;
use super::page::{LastAction, Layout, Section, show};
use crate::BackOffice;
use askama::Template;
use axum::Router;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use axum::routing::{get, post};
use payframe_payment_domain::back_office::{Act, Role};
use payframe_payment_service::idempotency::Slot;
use payframe_storage::Subject;
use payframe_storage::outbox::{self, Attempt, Content, Delivery, EventFilter, EventRow};
use payframe_web_pages::see_other;
use serde::Deserialize;
use std::sync::Arc;

pub(super) fn router() -> Router<BackOffice> {
    Router::new()
        .route("/office/notifications", get(list))
        .route("/office/notifications/{event_id}/again", post(send_again))
}

/// The parameters of the address.
#[derive(Default, Deserialize)]
#[serde(default)]
struct NotificationsQuery {
    /// The id of an order.
    order: String,
    /// The id of an event.
    event: String,
    status: String,
    before: String,
}

async fn list(
    State(office): State<BackOffice>,
    login: LoginSession,
    Query(query): Query<NotificationsQuery>,
    Query(done): Query<LastAction>,
) -> Result<Response, OfficeError> {
    let mut errors = FieldErrors::default();
    let filter = EventFilter {
        event_id: typed(&query.event),
        order_id: typed(&query.order),
        delivery: errors.choice("status", &query.status, Delivery::from_code),
        before_seq: errors.place(&query.before),
    };
    let events = match errors.is_empty() {
        true => {
            let mut connection = office.store().read().await?;
            outbox::list(
                &mut connection,
                &login.member.merchant_id,
                &filter,
                ROWS_AND_ONE,
            )
            .await?
        }
        false => Vec::new(),
    };
    let result = ResultPage::of(events, |event| event.seq);
    let may_send = login.may(Role::Operator);
    let now_ms = office.payment_clock().now_ms();
    let page = NotificationsPage {
        layout: Layout::of(&login, Section::Notifications, "Notifications").after(&done, &DONE),
        rows: result
            .rows
            .iter()
            .map(|event| Row::of(event, now_ms, may_send))
            .collect(),
        next: result.next.map(|next| query.next(next)),
        is_filtered: query.is_filtered(),
        deliveries: Delivery::ALL
            .map(|delivery| (delivery.code(), labels::delivery(delivery).text)),
        query: &query,
        errors: &errors,
    };
    Ok(show(errors.status(), &page))
}

const DONE: [(&str, &str); 2] = [
    (
        "again",
        "The notification is on its way. Reload the page to see the result.",
    ),
    (
        "before",
        "This form was sent before: the notification is not sent twice for it.",
    ),
];

async fn send_again(
    State(office): State<BackOffice>,
    Path(event_id): Path<String>,
    Posted { login, fields }: Posted<Confirmed>,
) -> Result<Response, OfficeError> {
    login.require(Role::Operator)?;
    let merchant_id = login.member.merchant_id.clone();
    let filter = EventFilter {
        event_id: Some(&event_id),
        ..EventFilter::default()
    };
    let found = outbox::list(&mut *office.store().read().await?, &merchant_id, &filter, 1).await?;
    let event = found.into_iter().next().ok_or(OfficeError::NotFound)?;
    let submission = FormSubmission {
        login: &login,
        key: &fields.key,
        act: Act::SendAgain,
        subject: about(&event.told),
        detail: format!("notification {event_id}"),
    };
    let id = event_id.clone();
    let run = move |office: BackOffice, _: Arc<Slot>| async move {
        let now_ms = office.payment_clock().now_ms();
        let mut change = office
            .store()
            .write(Subject::Merchant(&merchant_id))
            .await?;
        let is_due = outbox::send_again(
            &mut change,
            &merchant_id,
            &id,
            now_ms,
            now_ms + outbox::SOON_MS,
        )
        .await?;
        if !is_due {
            return Err(OfficeError::Bad(String::from(
                "The notification is on its way already, or will be in a moment.",
            )));
        }
        change.commit().await?;
        office.payments().wake_notifier();
        Ok(String::from("due now"))
    };
    let word = match carry_out(&office, submission, run).await? {
        FormOutcome::Done => "again",
        FormOutcome::DoneBefore => "before",
    };
    let query = [("event", event_id.as_str()), ("done", word)];
    Ok(see_other(&address("/office/notifications", &query)))
}

impl ListQuery for NotificationsQuery {
    const PATH: &'static str = "/office/notifications";

    fn fields(&self) -> Vec<(&'static str, &str)> {
        vec![
            ("order", self.order.as_str()),
            ("event", &self.event),
            ("status", &self.status),
        ]
    }
}

#[derive(Template)]
#[template(path = "office-notifications.html")]
struct NotificationsPage<'a> {
    layout: Layout<'a>,
    rows: Vec<Row<'a>>,
    next: Option<String>,
    is_filtered: bool,
    deliveries: [(&'static str, &'static str); 3],
    query: &'a NotificationsQuery,
    errors: &'a FieldErrors,
}

struct Row<'a> {
    event: &'a EventRow,
    what: String,
    /// What the notification says of it.
    told_as: String,
    delivery: Badge,
    told: Moment,
    /// The order that it is about, and the address of its page.
    order: Option<(&'a str, String)>,
    /// What it is about, for a button.
    about: String,
    attempts: Vec<AttemptRow>,
    /// Only for a notification that waits.
    next_attempt: Option<Moment>,
    /// The address that sends it again, and the key of that form.
    again: Option<(String, String)>,
}

/// An attempt, as the page shows it.
struct AttemptRow {
    number: i64,
    at: Moment,
    answer: String,
}

impl<'a> Row<'a> {
    fn of(event: &'a EventRow, now_ms: i64, may_send: bool) -> Row<'a> {
        let waits = event.delivery == Delivery::Waiting;
        let is_soon = waits && event.next_attempt_ms <= now_ms + outbox::SOON_MS;
        let path = format!(
            "/office/notifications/{}/again",
            segment(event.told.event_id())
        );
        let (what, told_as) = match &event.told {
            Content::Operation(notification) => {
                let operation = &notification.operation;
                let amount =
                    sum_of_text(&operation.operation_amount, &operation.operation_currency);
                let kind = labels::kind(&operation.operation_type);
                let result = labels::result(&operation.operation_result);
                (format!("{kind} {amount}"), result.text.to_lowercase())
            }
            Content::Notice(notice) => labels::notice(notice),
        };
        let order_id = order_of(&event.told);
        Row {
            what,
            told_as,
            about: about(&event.told),
            order: order_id.map(|order_id| (order_id, path_of(order_id))),
            delivery: labels::delivery(event.delivery),
            told: moment(event.told.event_time()),
            attempts: event.attempts.iter().map(AttemptRow::of).collect(),
            next_attempt: waits.then_some(Moment(event.next_attempt_ms)),
            again: (may_send && !is_soon).then(|| (path, new_key())),
            event,
        }
    }
}

/// The order that a notification is about.
fn order_of(told: &Content) -> Option<&str> {
    match told {
        Content::Operation(notification) => Some(&notification.operation.order_id),
        Content::Notice(notice) => {
            let refund = notice.refund_approval.as_ref();
            let dispute = notice.dispute.as_ref();
            let refunded = refund.map(|refund| refund.order_id.as_str());
            refunded.or_else(|| dispute.map(|dispute| dispute.order_id.as_str()))
        }
    }
}

/// What a notification is about, in words.
fn about(told: &Content) -> String {
    if let Some(order_id) = order_of(told) {
        return format!("order {order_id}");
    }
    let terminal_id = match told {
        Content::Operation(_) => None,
        Content::Notice(notice) => {
            let attack = notice.attack.as_ref().map(|attack| &attack.terminal_id);
            attack.or_else(|| {
                notice
                    .page_change
                    .as_ref()
                    .map(|change| &change.terminal_id)
            })
        }
    };
    terminal_id.map_or_else(String::new, |terminal_id| format!("terminal {terminal_id}"))
}

impl AttemptRow {
    fn of(attempt: &Attempt) -> AttemptRow {
        AttemptRow {
            number: attempt.number,
            at: Moment(attempt.at_ms),
            answer: match (attempt.status, &attempt.cause) {
                (Some(status), _) => format!("answered {status}"),
                (None, Some(cause)) => labels::no_answer(cause),
                (None, None) => String::from("no answer"),
            },
        }
    }
}
