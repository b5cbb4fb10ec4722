//! The tries that rules against card testing stopped, one by one, so that an administrator finds an honest buyer among them. Who it was
//! stands on the page of the order; the try itself has only hashes.

use super::card_testing::label;
use super::error::OfficeError;
use super::labels::Badge;
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
use payframe_payment_domain::back_office::Role;
use payframe_storage::card_tries::TryOutcome;
use payframe_storage::stopped_tries::{self, StoppedTry};
use payframe_storage::{RowPlace, cut_page};
use serde::Deserialize;

pub(super) fn router() -> Router<BackOffice> {
    Router::new().route(PATH, get(list))
}

/// The address of the list.
const PATH: &str = "/office/card-testing/stopped";

/// Which part of the list.
#[derive(Default, Deserialize)]
#[serde(default)]
struct StoppedQuery {
    /// The try that the page begins behind: its time and its operation. An unreadable one begins at the newest.
    before: String,
}

async fn list(
    State(office): State<BackOffice>,
    login: LoginSession,
    Query(query): Query<StoppedQuery>,
) -> Result<Response, OfficeError> {
    login.require(Role::Administrator)?;
    let merchant_id = &login.member.merchant_id;
    let place = RowPlace::parse(&query.before);
    let mut connection = office.store().read().await?;
    let mut tries =
        stopped_tries::list(&mut connection, merchant_id, place.as_ref(), PAGE + 1).await?;
    drop(connection);
    let older =
        cut_page(&mut tries, PAGE as usize).map(|last| format!("{PATH}?before={}", last.place()));
    let page = StoppedPage {
        layout: Layout::of(&login, Section::CardTesting, "Stopped tries"),
        rows: tries.into_iter().map(ShownTry::of).collect(),
        older,
    };
    Ok(show(StatusCode::OK, &page))
}

#[derive(Template)]
#[template(path = "office-stopped-tries.html")]
struct StoppedPage<'a> {
    layout: Layout<'a>,
    rows: Vec<ShownTry>,
    older: Option<String>,
}

/// A try as the page shows it.
pub(super) struct ShownTry {
    /// The order and the address of its page.
    pub(super) order: Option<(String, String)>,
    pub(super) at: Moment,
    pub(super) rule: &'static str,
    pub(super) terminal_id: String,
    pub(super) badge: Badge,
}

impl ShownTry {
    pub(super) fn of(this: StoppedTry) -> ShownTry {
        ShownTry {
            order: this.order_id.map(|id| (path_of(&id), id)),
            at: Moment(this.at_ms),
            rule: label(this.rule),
            terminal_id: this.terminal_id,
            badge: match this.outcome {
                TryOutcome::Refused => Badge::bad("Refused"),
                TryOutcome::Admitted => Badge::waiting("Challenge demanded"),
                TryOutcome::Approved => Badge::good("Paid with a challenge"),
            },
        }
    }
}

const PAGE: i64 = 50;
