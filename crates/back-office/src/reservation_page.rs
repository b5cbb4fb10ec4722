//! The page of one reservation: what was agreed, what the guest accepted, and what was charged.
//! Actions by hand are in [`super::charges`].

use super::charges;
use super::display::{moment, sum, sum_of_text};
use super::error::OfficeError;
use super::labels::{self, Badge};
use super::login_session::LoginSession;
use super::moment::Moment;
use super::orders;
use super::page::{LastAction, Layout, Section, show};
use super::reservations::{Row, find};
use crate::BackOffice;
use askama::Template;
use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use payframe_payment_domain::back_office::Role;
use payframe_payment_domain::reservation::ReservationType;
use payframe_payment_domain::reservation::agreement::{Agreement, ChargeInitiator, Paid};
use payframe_payment_service::acceptance::evidence;
use payframe_payment_service::reservations::Reservation;
use payframe_protocol::acceptance::Acceptance;
use payframe_protocol::operation::Operation;
use payframe_storage::{hosted_pages, operations};

pub(super) fn router() -> Router<BackOffice> {
    Router::new().route("/office/reservations/{reservation_id}", get(detail))
}

async fn detail(
    State(office): State<BackOffice>,
    login: LoginSession,
    Path(reservation_id): Path<String>,
    Query(done): Query<LastAction>,
) -> Result<Response, OfficeError> {
    let reservation = find(&office, &login, &reservation_id).await?;
    let merchant_id = &login.member.merchant_id;
    let mut connection = office.store().read().await?;
    let made = operations::of_order(&mut connection, merchant_id, &reservation_id).await?;
    let links = hosted_pages::links_of_order(&mut connection, merchant_id, &reservation_id).await?;
    let accepted = evidence(&mut connection, merchant_id, &reservation_id).await?;
    drop(connection);
    let now_ms = office.payment_clock().now_ms();
    let page = ReservationPage {
        layout: Layout::of(
            &login,
            Section::Reservations,
            format!("Reservation {reservation_id}"),
        )
        .after(&done, &charges::DONE),
        row: Row::of(&reservation.row),
        agreement: agreed(&reservation),
        parts: parts(&reservation.agreement, &reservation.order.currency),
        state: state(&reservation),
        operations: made.iter().map(OperationRow::of).collect(),
        accepted: accepted.iter().map(ShownAcceptance::of).collect(),
        links: links
            .iter()
            .map(|link| {
                let status = labels::link(link.life.status(now_ms));
                (super::links::path_of(&link.page_id), status)
            })
            .collect(),
        order: orders::path_of(&reservation_id),
        acts: match login.may(Role::Operator) {
            true => charges::action_links(&reservation, now_ms),
            false => Vec::new(),
        },
    };
    Ok(show(StatusCode::OK, &page))
}

/// The agreement.
fn agreed(reservation: &Reservation) -> Vec<(&'static str, String)> {
    let agreement = &reservation.agreement;
    let write = |amount| sum(amount, &reservation.order.currency);
    let mut facts = vec![
        ("Amount", write(agreement.amount)),
        (
            "Collected",
            labels::collection(agreement.collection).to_owned(),
        ),
        ("Nights", agreement.nights.to_string()),
        ("One night", write(agreement.one_night())),
    ];
    if let Some(deposit) = agreement.deposit {
        facts.push(("Deposit", write(deposit)));
    }
    if agreement.kind == ReservationType::GuaranteedPenalty {
        facts.push(("Penalty", write(agreement.penalty())));
    }
    facts
}

/// The amounts and their due dates: the parts of the amount, and the cancellation penalties.
fn parts(agreement: &Agreement, currency: &str) -> Vec<DueRow> {
    let parts = (1..).zip(&agreement.parts).map(|(place, part)| DueRow {
        what: match part.by {
            ChargeInitiator::Gateway => format!("Part {place}, charged by itself"),
            ChargeInitiator::Merchant => format!("Part {place}, charged by you"),
        },
        // The date of the first part does not count: the first part is paid with the link.
        from: (place > 1).then_some(Moment(part.due_ms)),
        sum: sum(part.amount, currency),
    });
    let steps = agreement.cancellation.iter().map(|step| DueRow {
        what: String::from("Owed by who cancels"),
        from: Some(Moment(step.from_ms)),
        sum: sum(step.owed, currency),
    });
    parts.chain(steps).collect()
}

/// The state of the reservation.
fn state(reservation: &Reservation) -> Vec<(&'static str, Badge)> {
    let history = &reservation.history;
    let paid = match history.paid {
        Paid::No => Badge::quiet("Not yet"),
        Paid::Running => Badge::waiting("Under way"),
        Paid::Yes => Badge::good("Yes"),
        Paid::Undone => Badge::quiet("Taken back"),
    };
    let yes_or_no = |is_so| match is_so {
        true => Badge::good("Yes"),
        false => Badge::quiet("No"),
    };
    vec![
        ("First payment", paid),
        ("Terms accepted", yes_or_no(history.is_accepted)),
        ("Card kept", yes_or_no(history.has_card)),
    ]
}

#[derive(Template)]
#[template(path = "office-reservation.html")]
struct ReservationPage<'a> {
    layout: Layout<'a>,
    row: Row<'a>,
    agreement: Vec<(&'static str, String)>,
    parts: Vec<DueRow>,
    state: Vec<(&'static str, Badge)>,
    operations: Vec<OperationRow>,
    accepted: Vec<ShownAcceptance<'a>>,
    links: Vec<(String, Badge)>,
    order: String,
    acts: Vec<charges::ActionLink>,
}

/// Something that is due.
struct DueRow {
    what: String,
    from: Option<Moment>,
    sum: String,
}

/// An operation, in short.
struct OperationRow {
    kind: String,
    sum: String,
    result: Badge,
    time: Moment,
}

impl OperationRow {
    fn of(operation: &Operation) -> OperationRow {
        OperationRow {
            kind: labels::kind(&operation.operation_type),
            sum: sum_of_text(&operation.operation_amount, &operation.operation_currency),
            result: labels::result(&operation.operation_result),
            time: moment(&operation.operation_time),
        }
    }
}

/// A text that was accepted.
struct ShownAcceptance<'a> {
    acceptance: &'a Acceptance,
    time: Moment,
}

impl<'a> ShownAcceptance<'a> {
    fn of(acceptance: &'a Acceptance) -> ShownAcceptance<'a> {
        ShownAcceptance {
            time: moment(&acceptance.accepted_time),
            acceptance,
        }
    }
}
