//! Books: the orders whose money and goods do not agree, each with its cause and what ends it. Usually there are none.
//!
//! It shows what comparisons have found, and compares no other orders.

use super::display::{address, sum};
use super::error::OfficeError;
use super::login_session::LoginSession;
use super::moment::Moment;
use super::orders::path_of;
use super::page::{Layout, Section, show};
use crate::BackOffice;
use askama::Template;
use axum::Router;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use payframe_payment_domain::reconciliation::{Difference, GracePeriods};
use payframe_payment_ports::clock::millis;
use payframe_payment_service::books::{OrderDifference, open_differences};
use serde::Deserialize;

pub(super) fn router() -> Router<BackOffice> {
    Router::new().route(PATH, get(list))
}

const PATH: &str = "/office/books";

/// The parameters of the page's address.
#[derive(Default, Deserialize)]
#[serde(default)]
struct BooksQuery {
    /// The last order of the page before.
    after: String,
}

async fn list(
    State(office): State<BackOffice>,
    login: LoginSession,
    Query(query): Query<BooksQuery>,
) -> Result<Response, OfficeError> {
    let merchant_id = &login.member.merchant_id;
    let fulfil_within = office.payments().settings().fulfil_within;
    let grace = GracePeriods::to_fulfil(millis(fulfil_within));
    let now_ms = office.payment_clock().now_ms();
    let place = (merchant_id.as_str(), query.after.as_str());
    let found = open_differences(office.store(), place, ROWS, grace, now_ms).await?;
    let page = BooksPage {
        layout: Layout::of(&login, Section::Books, "Books"),
        compared: found.compared_ms.map(Moment),
        hours: fulfil_within.as_secs() / 3600,
        rows: found.differences.iter().map(Row::of).collect(),
        next: found.next.map(|last| address(PATH, &[("after", &last)])),
    };
    Ok(show(StatusCode::OK, &page))
}

#[derive(Template)]
#[template(path = "office-books.html")]
struct BooksPage<'a> {
    layout: Layout<'a>,
    /// When the last comparison ended.
    compared: Option<Moment>,
    /// How many hours a paid order may wait for its goods.
    hours: u64,
    rows: Vec<Row<'a>>,
    /// The address of the next page.
    next: Option<String>,
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

/// How many orders a page has.
const ROWS: u32 = 50;
