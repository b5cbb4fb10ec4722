//! The list of reservations, and one of them: what was agreed, what the guest accepted, and what was charged.
//! What is done with one by hand is in [`super::charges`].

use super::charges;
use super::display::{address, moment, segment, sum, sum_of_text};
use super::filter::{ROWS_AND_ONE, Slice, Wrong, typed};
use super::labels::{self, Word};
use super::login_session::LoginSession;
use super::orders;
use super::page::{Done, Frame, Moment, Refused, Section, show};
use crate::App;
use crate::payments::acceptance::evidence;
use crate::payments::reservations::{Reservation, load};
use askama::Template;
use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use payframe_payment_domain::office::Role;
use payframe_payment_domain::reservation::ReservationType;
use payframe_payment_domain::reservation::agreement::{Agreement, Charger, Paid};
use payframe_protocol::operation::Operation;
use payframe_protocol::reservation::Acceptance;
use payframe_storage::reservations::{self, ListedBy, ReservationFilter, ReservationRow};
use payframe_storage::{hosted_pages, operations};
use serde::Deserialize;
use serde_json::Value;

pub(super) fn router() -> Router<App> {
    Router::new()
        .route("/office/reservations", get(list))
        .route("/office/reservations/{reservation_id}", get(detail))
}

/// The page of a reservation.
pub(super) fn path_of(reservation_id: &str) -> String {
    format!("/office/reservations/{}", segment(reservation_id))
}

/// What the address says.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Asked {
    q: String,
    surname: String,
    place: String,
    kind: String,
    from: String,
    to: String,
    before: String,
}

async fn list(
    State(app): State<App>,
    login: LoginSession,
    Query(asked): Query<Asked>,
) -> Result<Response, Refused> {
    let mut wrong = Wrong::default();
    let is_kind = |code: &str| ReservationType::from_code(code).map(ReservationType::code);
    let filter = ReservationFilter {
        reservation_id: typed(&asked.q),
        by: ListedBy::Creation,
        custom_field: None,
        kind: wrong.choice("kind", &asked.kind, is_kind),
        structure_name: typed(&asked.place),
        customer_name: None,
        customer_surname: typed(&asked.surname),
    };
    let window = wrong.window((&asked.from, &asked.to), &asked.before, ROWS_AND_ONE);
    let found = match wrong.is_empty() {
        true => {
            let mut connection = app.store().read().await?;
            reservations::list(&mut connection, &login.member.merchant_id, &filter, window).await?
        }
        false => Vec::new(),
    };
    let slice = Slice::of(found, |row| row.created_ms);
    let page = ReservationsPage {
        frame: Frame::of(&login, Section::Reservations, "Reservations"),
        rows: slice.rows.iter().map(Row::of).collect(),
        next: slice
            .next
            .map(|next| address("/office/reservations", &asked.query(&next.to_string()))),
        is_filtered: asked.query("").iter().any(|(_, value)| !value.is_empty()),
        kinds: ReservationType::ALL.map(|kind| (kind.code(), labels::reservation(kind))),
        asked: &asked,
        wrong: &wrong,
    };
    Ok(show(wrong.status(), &page))
}

impl Asked {
    fn query<'a>(&'a self, before: &'a str) -> [(&'static str, &'a str); 7] {
        [
            ("q", &self.q),
            ("surname", &self.surname),
            ("place", &self.place),
            ("kind", &self.kind),
            ("from", &self.from),
            ("to", &self.to),
            ("before", before),
        ]
    }
}

/// A merchant's reservation.
pub(super) async fn find(
    app: &App,
    login: &LoginSession,
    reservation_id: &str,
) -> Result<Reservation, Refused> {
    let mut connection = app.store().read().await?;
    let found = load(&mut connection, &login.member.merchant_id, reservation_id).await?;
    found.ok_or(Refused::NotFound)
}

async fn detail(
    State(app): State<App>,
    login: LoginSession,
    Path(reservation_id): Path<String>,
    Query(done): Query<Done>,
) -> Result<Response, Refused> {
    let reservation = find(&app, &login, &reservation_id).await?;
    let merchant_id = &login.member.merchant_id;
    let mut connection = app.store().read().await?;
    let made = operations::of_order(&mut connection, merchant_id, &reservation_id).await?;
    let links = hosted_pages::links_of_order(&mut connection, merchant_id, &reservation_id).await?;
    let accepted = evidence(&mut connection, merchant_id, &reservation_id).await?;
    drop(connection);
    let now_ms = app.clock().now_ms();
    let page = ReservationPage {
        frame: Frame::of(
            &login,
            Section::Reservations,
            format!("Reservation {reservation_id}"),
        )
        .after(&done, &charges::DONE),
        row: Row::of(&reservation.row),
        agreement: agreed(&reservation),
        parts: parts(&reservation.agreement, &reservation.order.currency),
        state: state(&reservation),
        operations: made.iter().map(Made::of).collect(),
        accepted: accepted.iter().map(Accepted::of).collect(),
        links: links
            .iter()
            .map(|link| {
                let status = labels::link(link.life.status(now_ms));
                (super::links::path_of(&link.page_id), status)
            })
            .collect(),
        order: orders::path_of(&reservation_id),
        acts: match login.may(Role::Operator) {
            true => charges::offers(&reservation, now_ms),
            false => Vec::new(),
        },
    };
    Ok(show(StatusCode::OK, &page))
}

/// What was agreed.
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
        ("One night", write(agreement.night())),
    ];
    if let Some(deposit) = agreement.deposit {
        facts.push(("Deposit", write(deposit)));
    }
    if agreement.kind == ReservationType::GuaranteedPenalty {
        facts.push(("Penalty", write(agreement.penalty())));
    }
    facts
}

/// What is due when: the parts of the amount, and what who cancels owes.
fn parts(agreement: &Agreement, currency: &str) -> Vec<Due> {
    let parts = (1..).zip(&agreement.parts).map(|(place, part)| Due {
        what: match part.by {
            Charger::Gateway => format!("Part {place}, charged by itself"),
            Charger::Merchant => format!("Part {place}, charged by you"),
        },
        // That of the first part does not count: it is paid over the link.
        from: (place > 1).then_some(Moment(part.due_ms)),
        sum: sum(part.amount, currency),
    });
    let steps = agreement.cancellation.iter().map(|step| Due {
        what: String::from("Owed by who cancels"),
        from: Some(Moment(step.from_ms)),
        sum: sum(step.owed, currency),
    });
    parts.chain(steps).collect()
}

/// What has happened.
fn state(reservation: &Reservation) -> Vec<(&'static str, Word)> {
    let books = &reservation.books;
    let paid = match books.paid {
        Paid::No => Word::quiet("Not yet"),
        Paid::Running => Word::waiting("Under way"),
        Paid::Yes => Word::good("Yes"),
        Paid::Undone => Word::quiet("Taken back"),
    };
    let yes_or_no = |is_so| match is_so {
        true => Word::good("Yes"),
        false => Word::quiet("No"),
    };
    vec![
        ("First payment", paid),
        ("Terms accepted", yes_or_no(books.is_accepted)),
        ("Card kept", yes_or_no(books.has_card)),
    ]
}

#[derive(Template)]
#[template(path = "office-reservations.html")]
struct ReservationsPage<'a> {
    frame: Frame<'a>,
    rows: Vec<Row<'a>>,
    next: Option<String>,
    is_filtered: bool,
    kinds: [(&'static str, &'static str); 5],
    asked: &'a Asked,
    wrong: &'a Wrong,
}

struct Row<'a> {
    reservation_id: &'a str,
    path: String,
    status: Word,
    kind: &'static str,
    guest: String,
    from: &'a str,
    to: &'a str,
    made: Moment,
    cancelled: Option<Moment>,
}

impl<'a> Row<'a> {
    fn of(row: &'a ReservationRow) -> Row<'a> {
        let text = |name: &str| row.document.get(name).and_then(Value::as_str);
        let names = [text("customerName"), text("customerSurname")];
        let names: Vec<&str> = names.into_iter().flatten().collect();
        Row {
            reservation_id: &row.reservation_id,
            path: path_of(&row.reservation_id),
            status: match row.cancelled_ms {
                None => Word::good("Active"),
                Some(_) => Word::quiet("Cancelled"),
            },
            kind: labels::reservation(row.kind),
            guest: names.join(" "),
            from: text("checkInDate").unwrap_or_default(),
            to: text("checkOutDate").unwrap_or_default(),
            made: Moment(row.created_ms),
            cancelled: row.cancelled_ms.map(Moment),
        }
    }
}

#[derive(Template)]
#[template(path = "office-reservation.html")]
struct ReservationPage<'a> {
    frame: Frame<'a>,
    row: Row<'a>,
    agreement: Vec<(&'static str, String)>,
    parts: Vec<Due>,
    state: Vec<(&'static str, Word)>,
    operations: Vec<Made>,
    accepted: Vec<Accepted<'a>>,
    links: Vec<(String, Word)>,
    order: String,
    acts: Vec<charges::Offer>,
}

/// Something that is due.
struct Due {
    what: String,
    from: Option<Moment>,
    sum: String,
}

/// An operation, in short.
struct Made {
    kind: String,
    sum: String,
    result: Word,
    time: Moment,
}

impl Made {
    fn of(operation: &Operation) -> Made {
        Made {
            kind: labels::kind(&operation.operation_type),
            sum: sum_of_text(&operation.operation_amount, &operation.operation_currency),
            result: labels::result(&operation.operation_result),
            time: moment(&operation.operation_time),
        }
    }
}

/// A text that was accepted.
struct Accepted<'a> {
    acceptance: &'a Acceptance,
    time: Moment,
}

impl<'a> Accepted<'a> {
    fn of(acceptance: &'a Acceptance) -> Accepted<'a> {
        Accepted {
            time: moment(&acceptance.accepted_time),
            acceptance,
        }
    }
}
