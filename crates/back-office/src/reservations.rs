//! The list of reservations, and the search for one. The page of a reservation is in [`super::reservation_page`].

use super::display::segment;
use super::error::OfficeError;
use super::filter::{FieldErrors, ListQuery, ROWS_AND_ONE, ResultPage, typed};
use super::labels::{self, Badge};
use super::login_session::LoginSession;
use super::moment::Moment;
use super::page::{Layout, Section, show};
use crate::BackOffice;
use askama::Template;
use axum::Router;
use axum::extract::{Query, State};
use axum::response::Response;
use axum::routing::get;
use payframe_payment_domain::reservation::ReservationType;
use payframe_payment_service::reservations::{Reservation, load};
use payframe_storage::reservations::{self, ListedBy, ReservationFilter, ReservationRow};
use serde::Deserialize;
use serde_json::Value;

pub(super) fn router() -> Router<BackOffice> {
    Router::new().route("/office/reservations", get(list))
}

/// The page of a reservation.
pub(super) fn path_of(reservation_id: &str) -> String {
    format!("/office/reservations/{}", segment(reservation_id))
}

/// The parameters of the address.
#[derive(Default, Deserialize)]
#[serde(default)]
struct ReservationsQuery {
    q: String,
    surname: String,
    place: String,
    kind: String,
    from: String,
    to: String,
    before: String,
}

async fn list(
    State(office): State<BackOffice>,
    login: LoginSession,
    Query(query): Query<ReservationsQuery>,
) -> Result<Response, OfficeError> {
    let mut errors = FieldErrors::default();
    let is_kind = |code: &str| ReservationType::from_code(code).map(ReservationType::code);
    let filter = ReservationFilter {
        reservation_id: typed(&query.q),
        by: ListedBy::Creation,
        custom_field: None,
        kind: errors.choice("kind", &query.kind, is_kind),
        structure_name: typed(&query.place),
        customer_name: None,
        customer_surname: typed(&query.surname),
    };
    let window = errors.window((&query.from, &query.to), &query.before, ROWS_AND_ONE);
    let found = match errors.is_empty() {
        true => {
            let mut connection = office.store().read().await?;
            reservations::list(&mut connection, &login.member.merchant_id, &filter, window).await?
        }
        false => Vec::new(),
    };
    let result = ResultPage::of(found, |row| row.created_ms);
    let page = ReservationsPage {
        layout: Layout::of(&login, Section::Reservations, "Reservations"),
        rows: result.rows.iter().map(Row::of).collect(),
        next: result.next.map(|next| query.next(next)),
        is_filtered: query.is_filtered(),
        kinds: ReservationType::ALL.map(|kind| (kind.code(), labels::reservation(kind))),
        query: &query,
        errors: &errors,
    };
    Ok(show(errors.status(), &page))
}

impl ListQuery for ReservationsQuery {
    const PATH: &'static str = "/office/reservations";

    fn fields(&self) -> Vec<(&'static str, &str)> {
        vec![
            ("q", self.q.as_str()),
            ("surname", &self.surname),
            ("place", &self.place),
            ("kind", &self.kind),
            ("from", &self.from),
            ("to", &self.to),
        ]
    }
}

/// A merchant's reservation.
pub(super) async fn find(
    office: &BackOffice,
    login: &LoginSession,
    reservation_id: &str,
) -> Result<Reservation, OfficeError> {
    let mut connection = office.store().read().await?;
    let found = load(&mut connection, &login.member.merchant_id, reservation_id).await?;
    found.ok_or(OfficeError::NotFound)
}

#[derive(Template)]
#[template(path = "office-reservations.html")]
struct ReservationsPage<'a> {
    layout: Layout<'a>,
    rows: Vec<Row<'a>>,
    next: Option<String>,
    is_filtered: bool,
    kinds: [(&'static str, &'static str); 5],
    query: &'a ReservationsQuery,
    errors: &'a FieldErrors,
}

/// A reservation in a list.
pub(super) struct Row<'a> {
    pub(super) reservation_id: &'a str,
    pub(super) path: String,
    pub(super) status: Badge,
    pub(super) kind: &'static str,
    pub(super) guest: String,
    pub(super) from: &'a str,
    pub(super) to: &'a str,
    pub(super) made: Moment,
    pub(super) cancelled: Option<Moment>,
}

impl<'a> Row<'a> {
    /// The row of a stored reservation.
    pub(super) fn of(row: &'a ReservationRow) -> Row<'a> {
        let text = |name: &str| row.document.get(name).and_then(Value::as_str);
        let names = [text("customerName"), text("customerSurname")];
        let names: Vec<&str> = names.into_iter().flatten().collect();
        Row {
            reservation_id: &row.reservation_id,
            path: path_of(&row.reservation_id),
            status: match row.cancelled_ms {
                None => Badge::good("Active"),
                Some(_) => Badge::quiet("Cancelled"),
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
