//! What was decided about stopped tries, by whom, why and until when, newest first. A decision can be ended before its time.

use super::error::OfficeError;
use super::form::{NoFields, Posted};
use super::labels::Badge;
use super::login_session::LoginSession;
use super::moment::Moment;
use super::page::{LastAction, Layout, Section, show};
use super::try_reviews::with;
use crate::BackOffice;
use askama::Template;
use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use payframe_payment_domain::back_office::{Act, Role};
use payframe_payment_domain::card_testing::Verdict;
use payframe_storage::card_try_reviews::{self, ListedReview};
use payframe_storage::{RowPlace, Subject, audit, cut_page};
use payframe_web_pages::see_other;
use serde::Deserialize;

pub(super) fn router() -> Router<BackOffice> {
    Router::new()
        .route(PATH, get(list))
        .route(&format!("{PATH}/{{review}}"), post(end))
}

/// The address of the list.
const PATH: &str = "/office/card-testing/decided";

/// Which part of the list.
#[derive(Default, Deserialize)]
#[serde(default)]
struct DecidedQuery {
    /// The decision that the page begins behind: its time and its id. An unreadable one begins at the newest.
    before: String,
}

async fn list(
    State(office): State<BackOffice>,
    login: LoginSession,
    Query(query): Query<DecidedQuery>,
    Query(done): Query<LastAction>,
) -> Result<Response, OfficeError> {
    login.require(Role::Administrator)?;
    let merchant_id = &login.member.merchant_id;
    let place = RowPlace::parse(&query.before);
    let mut connection = office.store().read().await?;
    let mut reviews =
        card_try_reviews::list(&mut connection, merchant_id, place.as_ref(), PAGE + 1).await?;
    drop(connection);
    let older = cut_page(&mut reviews, PAGE as usize)
        .map(|last| format!("{PATH}?before={}", last.review.place()));
    let now_ms = office.payment_clock().now_ms();
    let rows = reviews.into_iter();
    let page = DecidedPage {
        layout: Layout::of(&login, Section::CardTesting, "Decided tries").after(&done, DONE),
        rows: rows.map(|row| ShownReview::of(row, now_ms)).collect(),
        older,
    };
    Ok(show(StatusCode::OK, &page))
}

async fn end(
    State(office): State<BackOffice>,
    Path(review_id): Path<String>,
    Posted {
        login,
        fields: NoFields {},
    }: Posted<NoFields>,
) -> Result<Response, OfficeError> {
    login.require(Role::Administrator)?;
    let merchant_id = &login.member.merchant_id;
    let ended_ms = office.payment_clock().now_ms();
    let subject = Subject::CardTries(merchant_id);
    let mut change = office.store().write(subject).await?;
    let ended = card_try_reviews::end(&mut change, merchant_id, &review_id, ended_ms).await?;
    let Some(review) = ended else {
        return Ok(see_other(&format!("{PATH}?done=over")));
    };
    let detail = format!("{} {}", review.rule.code(), review.verdict.code());
    let now_ms = office.clock().now_ms();
    let entry = login.entry(now_ms, Act::EndReview, &review_id, &detail);
    audit::add(&mut change, &entry).await?;
    change.commit().await?;
    Ok(see_other(&format!("{PATH}?done=ended")))
}

#[derive(Template)]
#[template(path = "office-decided-tries.html")]
struct DecidedPage<'a> {
    layout: Layout<'a>,
    rows: Vec<ShownReview>,
    older: Option<String>,
}

/// A decision as the page shows it.
struct ShownReview {
    label: String,
    badge: Badge,
    reason: String,
    by: String,
    at: Moment,
    ends: Moment,
    /// Where it can be ended, as long as it is in force.
    end: Option<String>,
}

impl ShownReview {
    fn of(row: ListedReview, now_ms: i64) -> ShownReview {
        let review = row.review;
        let tries = match review.tries {
            1 => String::from("1 try"),
            count => format!("{count} tries"),
        };
        ShownReview {
            label: format!("{tries} {}", with(review.rule, &review.subject, "one")),
            badge: match review.verdict {
                Verdict::Buyers => Badge::good("Real buyers"),
                Verdict::Attack => Badge::bad("An attack"),
            },
            reason: review.reason,
            by: row.member.unwrap_or_default(),
            at: Moment(review.at_ms),
            ends: Moment(review.ends_ms),
            end: (review.ends_ms > now_ms).then(|| format!("{PATH}/{}", review.review_id)),
        }
    }
}

/// Sentences about the last action.
const DONE: &[(&str, &str)] = &[
    ("ended", "The decision is over. The rule counts again."),
    ("over", "The decision was over before. Nothing was changed."),
];

const PAGE: i64 = 50;
