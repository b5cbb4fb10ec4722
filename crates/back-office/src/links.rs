//! Payment links: the list, the state of each, cancelling one and making one valid again.

use super::confirm::{Confirmed, Question};
use super::display::{segment, sum};
use super::error::OfficeError;
use super::filter::{FieldErrors, ListQuery, ROWS_AND_ONE, ResultPage, typed};
use super::form::Posted;
use super::idempotent_form::{FormOutcome, FormSubmission, carry_out, new_key};
use super::labels::{self, Badge};
use super::login_session::LoginSession;
use super::moment::Moment;
use super::orders;
use super::page::{LastAction, Layout, Section, show};
use crate::BackOffice;
use askama::Template;
use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use payframe_payment_domain::back_office::{Act, Role};
use payframe_payment_domain::hosted::Status;
use payframe_payment_service::idempotency::Slot;
use payframe_storage::hosted_pages::{self, HostedPageRow, LinkFilter};
use payframe_web_pages::see_other;
use serde::Deserialize;
use std::sync::Arc;

pub(super) fn router() -> Router<BackOffice> {
    Router::new()
        .route("/office/links", get(list))
        .route("/office/links/{link_id}", get(detail))
        .route("/office/links/{link_id}/{act}", get(ask).post(act))
}

/// The page of a link.
pub(super) fn path_of(link_id: &str) -> String {
    format!("/office/links/{}", segment(link_id))
}

/// The parameters of the address.
#[derive(Default, Deserialize)]
#[serde(default)]
struct LinksQuery {
    order: String,
    customer: String,
    status: String,
    from: String,
    to: String,
    before: String,
}

async fn list(
    State(office): State<BackOffice>,
    login: LoginSession,
    Query(query): Query<LinksQuery>,
) -> Result<Response, OfficeError> {
    let now_ms = office.payment_clock().now_ms();
    let mut errors = FieldErrors::default();
    let is_status = |code: &str| Status::CODES.into_iter().find(|known| *known == code);
    let filter = LinkFilter {
        order_id: typed(&query.order),
        customer_id: typed(&query.customer),
        custom_field: None,
        status: errors.choice("status", &query.status, is_status),
        now_ms,
    };
    let window = errors.window((&query.from, &query.to), &query.before, ROWS_AND_ONE);
    let links = match errors.is_empty() {
        true => {
            let mut connection = office.store().read().await?;
            hosted_pages::list_links(&mut connection, &login.member.merchant_id, &filter, window)
                .await?
        }
        false => Vec::new(),
    };
    let result = ResultPage::of(links, |link| link.created_ms);
    let page = LinksPage {
        layout: Layout::of(&login, Section::Links, "Payment links"),
        rows: result
            .rows
            .iter()
            .map(|link| Row::of(link, now_ms))
            .collect(),
        next: result.next.map(|next| query.next(next)),
        is_filtered: query.is_filtered(),
        statuses: STATUSES.map(|status| (status.code(), labels::link(status).text)),
        query: &query,
        errors: &errors,
    };
    Ok(show(errors.status(), &page))
}

const STATUSES: [Status; 5] = [
    Status::Active,
    Status::Paid,
    Status::Expired,
    Status::Canceled,
    Status::Failed,
];

impl ListQuery for LinksQuery {
    const PATH: &'static str = "/office/links";

    fn fields(&self) -> Vec<(&'static str, &str)> {
        vec![
            ("order", self.order.as_str()),
            ("customer", &self.customer),
            ("status", &self.status),
            ("from", &self.from),
            ("to", &self.to),
        ]
    }
}

async fn detail(
    State(office): State<BackOffice>,
    login: LoginSession,
    Path(link_id): Path<String>,
    Query(done): Query<LastAction>,
) -> Result<Response, OfficeError> {
    let link = find(&office, &login, &link_id).await?;
    let now_ms = office.payment_clock().now_ms();
    let status = link.life.status(now_ms);
    let told = office.hosted_pages().link_answer(&link);
    let path = path_of(&link_id);
    let acts = LINK_ACTIONS
        .iter()
        .filter(|change| login.may(Role::Operator) && change.suits(status));
    let page = LinkPage {
        layout: Layout::of(&login, Section::Links, "Payment link").after(&done, &DONE),
        status: labels::link(status),
        sum: sum(link.terms.amount, &link.terms.currency),
        order_id: &link.terms.order_id,
        order: orders::path_of(&link.terms.order_id),
        address: (status == Status::Active).then_some(told.link),
        made: Moment(link.created_ms),
        ends: Moment(link.life.ends_ms),
        refused: link.life.refused,
        billing_address: labels::billing_address(link.terms.billing_address),
        renewals: link.term.as_ref().map_or(0, |term| term.renewals),
        acts: acts
            .map(|change| (format!("{path}/{}", change.word), change.label))
            .collect(),
        link: &link,
    };
    Ok(show(StatusCode::OK, &page))
}

const DONE: [(&str, &str); 3] = [
    (
        "revoke",
        "The link is revoked: it can no longer be used to pay.",
    ),
    ("renew", "The link is good again."),
    (
        "before",
        "This form was sent before; nothing was done twice.",
    ),
];

async fn find(
    office: &BackOffice,
    login: &LoginSession,
    link_id: &str,
) -> Result<HostedPageRow, OfficeError> {
    let link = office
        .hosted_pages()
        .link(&login.member.merchant_id, link_id)
        .await?;
    link.ok_or(OfficeError::NotFound)
}

/// A change of a link by hand.
struct LinkAction {
    word: &'static str,
    act: Act,
    label: &'static str,
    about: &'static str,
}

/// All changes.
const LINK_ACTIONS: [LinkAction; 2] = [
    LinkAction {
        word: "revoke",
        act: Act::RevokeLink,
        label: "Revoke the link",
        about: "The link can no longer be used to pay. This cannot be undone.",
    },
    LinkAction {
        word: "renew",
        act: Act::RenewLink,
        label: "Renew the link",
        about: "The link is valid again for its original time, at the same address.",
    },
];

impl LinkAction {
    fn of(word: &str) -> Result<&'static LinkAction, OfficeError> {
        let found = LINK_ACTIONS.iter().find(|change| change.word == word);
        found.ok_or(OfficeError::NotFound)
    }

    /// Whether the action is offered for a link with this status. The call itself decides whether it is carried out.
    fn suits(&self, status: Status) -> bool {
        match self.act {
            Act::RevokeLink => matches!(status, Status::Active | Status::Expired),
            _ => matches!(status, Status::Active | Status::Expired | Status::Failed),
        }
    }

    fn question<'a>(&'static self, login: &'a LoginSession, link: &HostedPageRow) -> Question<'a> {
        Question {
            layout: Layout::of(login, Section::Links, self.label),
            sum: None,
            about: self.about,
            facts: vec![
                ("Order", link.terms.order_id.clone()),
                ("Amount", sum(link.terms.amount, &link.terms.currency)),
            ],
            label: self.label.to_owned(),
            back: path_of(&link.page_id),
            hidden: vec![("key", new_key())],
            problem: None,
        }
    }
}

async fn ask(
    State(office): State<BackOffice>,
    login: LoginSession,
    Path((link_id, word)): Path<(String, String)>,
) -> Result<Response, OfficeError> {
    login.require(Role::Operator)?;
    let change = LinkAction::of(&word)?;
    let link = find(&office, &login, &link_id).await?;
    Ok(change.question(&login, &link).page())
}

async fn act(
    State(office): State<BackOffice>,
    Path((link_id, word)): Path<(String, String)>,
    Posted { login, fields }: Posted<Confirmed>,
) -> Result<Response, OfficeError> {
    login.require(Role::Operator)?;
    let change = LinkAction::of(&word)?;
    let link = find(&office, &login, &link_id).await?;
    let submission = FormSubmission {
        login: &login,
        key: &fields.key,
        act: change.act,
        subject: format!("order {}", link.terms.order_id),
        detail: format!("link {link_id}"),
    };
    let (changed, kind) = (link.clone(), change.act);
    let run = move |office: BackOffice, _: Arc<Slot>| async move {
        match kind {
            Act::RevokeLink => office.hosted_pages().cancel_link(&changed, None).await?,
            _ => office.hosted_pages().renew_link(&changed, None).await?,
        };
        Ok(String::from("done"))
    };
    let word = match carry_out(&office, submission, run).await {
        Ok(FormOutcome::Done) => change.word,
        Ok(FormOutcome::DoneBefore) => "before",
        Err(refused) => return change.question(&login, &link).refused(refused),
    };
    Ok(see_other(&format!("{}?done={word}", path_of(&link_id))))
}

#[derive(Template)]
#[template(path = "office-links.html")]
struct LinksPage<'a> {
    layout: Layout<'a>,
    rows: Vec<Row<'a>>,
    next: Option<String>,
    is_filtered: bool,
    statuses: [(&'static str, &'static str); 5],
    query: &'a LinksQuery,
    errors: &'a FieldErrors,
}

struct Row<'a> {
    link: &'a HostedPageRow,
    path: String,
    order: String,
    status: Badge,
    sum: String,
    made: Moment,
    ends: Moment,
}

impl<'a> Row<'a> {
    fn of(link: &'a HostedPageRow, now_ms: i64) -> Row<'a> {
        Row {
            path: path_of(&link.page_id),
            order: orders::path_of(&link.terms.order_id),
            status: labels::link(link.life.status(now_ms)),
            sum: sum(link.terms.amount, &link.terms.currency),
            made: Moment(link.created_ms),
            ends: Moment(link.life.ends_ms),
            link,
        }
    }
}

#[derive(Template)]
#[template(path = "office-link.html")]
struct LinkPage<'a> {
    layout: Layout<'a>,
    link: &'a HostedPageRow,
    status: Badge,
    sum: String,
    order_id: &'a str,
    order: String,
    /// The address where it can be paid, while it can.
    address: Option<String>,
    made: Moment,
    ends: Moment,
    /// What the form asks of the billing address.
    billing_address: Option<&'static str>,
    refused: u8,
    renewals: u32,
    acts: Vec<(String, &'static str)>,
}
