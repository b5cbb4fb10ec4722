//! Where a member is logged in, and ending that. Administrators see and end the log-ins of other members on those members' pages.

use super::error::OfficeError;
use super::form::{NoFields, Posted};
use super::login_session::{self, LoginSession};
use super::moment::Moment;
use super::page::{LastAction, Layout, Section, show};
use crate::BackOffice;
use askama::Template;
use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use payframe_payment_domain::back_office::Act;
use payframe_storage::login_sessions::ListedSession;
use payframe_storage::{Subject, audit, login_sessions};
use payframe_web_pages::see_other;

pub(super) fn router() -> Router<BackOffice> {
    Router::new()
        .route("/office/log-ins", get(list))
        .route("/office/log-ins/end-others", post(end_others))
        .route("/office/log-ins/{id}/end", post(end_one))
}

/// A log-in as pages show it.
pub(super) struct ShownLogIn {
    pub(super) id: String,
    pub(super) began: Moment,
    pub(super) used: Moment,
    pub(super) address: String,
    pub(super) browser: String,
    /// Whether it is the log-in that the page is shown to.
    pub(super) is_this: bool,
}

impl ShownLogIn {
    pub(super) fn of(session: ListedSession, login: &LoginSession) -> ShownLogIn {
        ShownLogIn {
            is_this: session.token_hash == login.token_hash,
            id: session.id,
            began: Moment(session.created_ms),
            used: Moment(session.seen_ms),
            address: if session.address.is_empty() {
                String::from("Unknown")
            } else {
                session.address
            },
            browser: session.browser,
        }
    }
}

async fn list(
    State(office): State<BackOffice>,
    login: LoginSession,
    Query(done): Query<LastAction>,
) -> Result<Response, OfficeError> {
    let open = login_session::open_of(&office, &login.member).await?;
    let page = ListPage {
        layout: Layout::of(&login, Section::LogIns, "Your log-ins").after(&done, DONE),
        log_ins: open
            .into_iter()
            .map(|session| ShownLogIn::of(session, &login))
            .collect(),
    };
    Ok(show(StatusCode::OK, &page))
}

async fn end_one(
    State(office): State<BackOffice>,
    Path(id): Path<String>,
    Posted { login, .. }: Posted<NoFields>,
) -> Result<Response, OfficeError> {
    let member = &login.member;
    let subject = Subject::Merchant(&member.merchant_id);
    let mut change = office.store().write(subject).await?;
    if !login_sessions::end_listed(&mut change, &member.id, &id).await? {
        return Err(OfficeError::NotFound);
    }
    let entry = login.entry(
        office.clock().now_ms(),
        Act::EndLogIns,
        "",
        "one of their own",
    );
    audit::add(&mut change, &entry).await?;
    change.commit().await?;
    Ok(see_other("/office/log-ins?done=one"))
}

async fn end_others(
    State(office): State<BackOffice>,
    Posted { login, .. }: Posted<NoFields>,
) -> Result<Response, OfficeError> {
    let member = &login.member;
    let subject = Subject::Merchant(&member.merchant_id);
    let mut change = office.store().write(subject).await?;
    login_sessions::end_others(&mut change, &member.id, &login.token_hash).await?;
    let entry = login.entry(
        office.clock().now_ms(),
        Act::EndLogIns,
        "",
        "all others of their own",
    );
    audit::add(&mut change, &entry).await?;
    change.commit().await?;
    Ok(see_other("/office/log-ins?done=others"))
}

#[derive(Template)]
#[template(path = "office-log-ins.html")]
struct ListPage<'a> {
    layout: Layout<'a>,
    log_ins: Vec<ShownLogIn>,
}

const DONE: &[(&str, &str)] = &[
    ("one", "The log-in was ended."),
    ("others", "Everywhere else you are logged out."),
];
