//! Books: the orders whose money and goods do not agree, each with its cause and what ends it. Usually there are none.

use super::display::sum;
use super::error::OfficeError;
use super::login_session::LoginSession;
use super::moment::Moment;
use super::orders::path_of;
use super::page::{Layout, Section, show};
use crate::BackOffice;
use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use payframe_payment_domain::reconciliation::{Difference, GracePeriods};
use payframe_payment_ports::clock::millis;
use payframe_payment_service::books::{OrderDifference, compare_books};

pub(super) fn router() -> Router<BackOffice> {
    Router::new().route("/office/books", get(list))
}

async fn list(
    State(office): State<BackOffice>,
    login: LoginSession,
) -> Result<Response, OfficeError> {
    let merchant_id = &login.member.merchant_id;
    let fulfil_within = office.payments().settings().fulfil_within;
    let grace = GracePeriods::to_fulfil(millis(fulfil_within));
    let now_ms = office.payment_clock().now_ms();
    let comparison = compare_books(office.store(), Some(merchant_id), grace, now_ms).await?;
    let page = BooksPage {
        layout: Layout::of(&login, Section::Books, "Books"),
        now: Moment(now_ms),
        hours: fulfil_within.as_secs() / 3600,
        rows: comparison.differences.iter().map(Row::of).collect(),
        is_cut: comparison.is_cut,
    };
    Ok(show(StatusCode::OK, &page))
}

#[derive(Template)]
#[template(path = "office-books.html")]
struct BooksPage<'a> {
    layout: Layout<'a>,
    now: Moment,
    /// How many hours a paid order may wait for its goods.
    hours: u64,
    rows: Vec<Row<'a>>,
    is_cut: bool,
}

struct Row<'a> {
    order_id: &'a str,
    order: String,
    difference: Difference,
    since: Moment,
    held: String,
}

impl<'a> Row<'a> {
    fn of(one: &'a OrderDifference) -> Row<'a> {
        Row {
            order_id: &one.order_id,
            order: path_of(&one.order_id),
            difference: one.difference,
            since: Moment(one.since_ms),
            held: sum(one.held, &one.currency),
        }
    }
}
