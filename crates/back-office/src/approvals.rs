//! Refunds that wait for a second member: asking for one, the list, approving and declining, and the sums above which they wait
//! ([`super::refund_rule`]).

use super::approved_refund::{Approval, OVER};
use super::confirm::Confirmed;
use super::display::{segment, sum};
use super::error::OfficeError;
use super::filter::FieldErrors;
use super::form::{NoFields, Posted};
use super::idempotent_form::{FormOutcome, FormSubmission, carry_out, new_key};
use super::labels::Badge;
use super::login_session::LoginSession;
use super::moment::Moment;
use super::orders::path_of as order_path;
use super::page::{LastAction, Layout, Section, show};
use super::told_refund::tell;
use crate::BackOffice;
use askama::Template;
use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use payframe_money::{Amount, currencies};
use payframe_payment_domain::back_office::{Act, RefundRequestState, Role};
use payframe_payment_domain::calendar::instant;
use payframe_payment_ports::clock::millis;
use payframe_protocol::notice::RefundApprovalState;
use payframe_protocol::operation::Operation;
use payframe_storage::refund_requests::{self, RefundRequest, RefundRequestRow};
use payframe_storage::{Subject, audit};
use payframe_web_pages::see_other;
use serde::Deserialize;
use std::time::Duration;

pub(super) fn router() -> Router<BackOffice> {
    Router::new()
        .route(PATH, get(list))
        .route("/office/approvals/rules", post(put_rule))
        .route("/office/approvals/{id}", get(ask))
        .route("/office/approvals/{id}/approve", post(approve))
        .route("/office/approvals/{id}/decline", post(decline))
}

/// The address of the list.
pub(super) const PATH: &str = "/office/approvals";

/// The message of the list after each action.
const DONE: [(&str, &str); 4] = [
    (
        "approved",
        "The refund was requested. Its result is on the page of the order.",
    ),
    (
        "declined",
        "The request was declined. Nothing was refunded.",
    ),
    ("rule", "The rule is valid from now on."),
    (
        "before",
        "This form was sent before. Nothing was done twice.",
    ),
];

/// A refund that a member asks for.
pub(super) struct Wanted<'a> {
    pub(super) operation: &'a Operation,
    pub(super) payment_id: &'a str,
    pub(super) amount: Amount,
    pub(super) note: Option<&'a str>,
    /// The key of the form, which becomes the id of the request.
    pub(super) key: &'a str,
    pub(super) version: String,
}

/// Writes the request of a member, once for a form.
pub(super) async fn request(
    office: &BackOffice,
    login: &LoginSession,
    wanted: Wanted<'_>,
) -> Result<FormOutcome, OfficeError> {
    let operation = wanted.operation;
    let currency = &operation.operation_currency;
    let submission = FormSubmission {
        login,
        key: wanted.key,
        act: Act::AskForRefund,
        subject: format!("order {}", operation.order_id),
        detail: format!(
            "Refund {} of operation {}",
            sum(wanted.amount, currency),
            operation.operation_id
        ),
    };
    let now_ms = office.clock().now_ms();
    let request = RefundRequest {
        id: wanted.key.to_owned(),
        order_id: operation.order_id.clone(),
        order_version: wanted.version,
        operation_id: operation.operation_id.clone(),
        payment_id: wanted.payment_id.to_owned(),
        terminal_id: operation.terminal_id.clone(),
        amount: wanted.amount,
        currency: currency.clone(),
        note: wanted.note.map(str::to_owned),
        asked_by: login.member.id.clone(),
        asked_ms: now_ms,
        ends_ms: now_ms + millis(WAITS_FOR),
    };
    let merchant_id = login.member.merchant_id.clone();
    carry_out(office, submission, move |office, _| async move {
        let mut change = office.store().write(Subject::Statement).await?;
        if refund_requests::add(&mut change, &merchant_id, &request).await? {
            let told = RefundApprovalState::Asked;
            tell(&office, &mut change, &merchant_id, &request, told).await?;
        }
        change.commit().await?;
        office.payments().wake_notifier();
        Ok(format!("waits until {}", instant(request.ends_ms)))
    })
    .await
}

async fn list(
    State(office): State<BackOffice>,
    login: LoginSession,
    Query(done): Query<LastAction>,
) -> Result<Response, OfficeError> {
    login.require(Role::Operator)?;
    let layout = Layout::of(&login, Section::Approvals, "Refunds to approve").after(&done, &DONE);
    list_page(
        &office,
        &login,
        layout,
        RuleForm::default(),
        FieldErrors::default(),
    )
    .await
}

async fn list_page(
    office: &BackOffice,
    login: &LoginSession,
    layout: Layout<'_>,
    form: RuleForm,
    errors: FieldErrors,
) -> Result<Response, OfficeError> {
    let merchant_id = &login.member.merchant_id;
    let mut connection = office.store().read().await?;
    let newest = refund_requests::newest(&mut connection, merchant_id, MOST).await?;
    let rules = refund_requests::rules(&mut connection, merchant_id).await?;
    drop(connection);
    let now_ms = office.clock().now_ms();
    let shown = newest.into_iter().map(|row| ShownRequest::of(row, now_ms));
    let (waiting, decided) = shown.partition(|shown| shown.is_open);
    let page = ListPage {
        layout,
        waiting,
        decided,
        rules: rules
            .into_iter()
            .map(|rule| (sum(rule.above, &rule.currency), rule.currency))
            .collect(),
        may_put_rules: login.may(Role::Administrator),
        currencies: currencies().map(|code| (code, code)).collect(),
        form,
        errors,
    };
    Ok(show(page.errors.status(), &page))
}

/// The form of a rule, as it was typed.
#[derive(Default, Deserialize)]
struct RuleForm {
    currency: String,
    #[serde(default)]
    above: String,
    /// Not empty: the rule ends.
    #[serde(default)]
    remove: String,
}

async fn put_rule(
    State(office): State<BackOffice>,
    Posted {
        login,
        fields: form,
    }: Posted<RuleForm>,
) -> Result<Response, OfficeError> {
    login.require(Role::Administrator)?;
    login.require_confirmed(&office, PATH)?;
    let mut errors = FieldErrors::default();
    let currency = errors.currency("currency", &form.currency);
    if form.currency.is_empty() {
        errors.add("currency", "Choose a currency.");
    }
    let above = match (currency, form.remove.is_empty()) {
        (Some(currency), true) => {
            let above = errors.amount("above", &form.above, currency);
            if form.above.trim().is_empty() {
                errors.add("above", "Write an amount.");
            }
            above
        }
        _ => None,
    };
    let Some(currency) = currency.filter(|_| errors.is_empty()) else {
        let layout = Layout::of(&login, Section::Approvals, "Refunds to approve");
        return list_page(&office, &login, layout, form, errors).await;
    };
    let merchant_id = &login.member.merchant_id;
    let detail = match above {
        Some(above) => format!(
            "refunds of an order above {} wait for a second member",
            sum(above, currency)
        ),
        None => format!("no refund in {currency} waits for a second member"),
    };
    let mut change = office.store().write(Subject::Statement).await?;
    refund_requests::put_rule(&mut change, merchant_id, currency, above).await?;
    let now_ms = office.clock().now_ms();
    let entry = login.entry(now_ms, Act::ChangeMerchant, merchant_id, &detail);
    audit::add(&mut change, &entry).await?;
    change.commit().await?;
    Ok(see_other(&format!("{PATH}?done=rule")))
}

async fn ask(
    State(office): State<BackOffice>,
    login: LoginSession,
    Path(id): Path<String>,
) -> Result<Response, OfficeError> {
    login.require(Role::Operator)?;
    let row = named(&office, &login, &id).await?;
    Ok(decision(&office, &login, row, None))
}

/// The page of a request, with its buttons as long as it is open.
fn decision(
    office: &BackOffice,
    login: &LoginSession,
    row: RefundRequestRow,
    problem: Option<String>,
) -> Response {
    let is_own = row.request.asked_by == login.member.id;
    let page = RequestPage {
        layout: Layout::of(
            login,
            Section::Approvals,
            format!("Refund of order {}", row.request.order_id),
        ),
        path: path_of(&row.request.id),
        note: row.request.note.clone(),
        operation_id: row.request.operation_id.clone(),
        shown: ShownRequest::of(row, office.clock().now_ms()),
        is_own,
        key: new_key(),
        problem,
    };
    let status = match page.problem {
        None => StatusCode::OK,
        Some(_) => StatusCode::BAD_REQUEST,
    };
    show(status, &page)
}

async fn approve(
    State(office): State<BackOffice>,
    Path(id): Path<String>,
    Posted { login, fields }: Posted<Confirmed>,
) -> Result<Response, OfficeError> {
    login.require(Role::Operator)?;
    let row = named(&office, &login, &id).await?;
    if row.request.asked_by == login.member.id {
        return Err(OfficeError::Bad(String::from(
            "Whoever asked for a refund cannot approve it: somebody else can.",
        )));
    }
    login.require_confirmed(&office, &path_of(&id))?;
    let request = &row.request;
    let submission = FormSubmission {
        login: &login,
        key: &fields.key,
        act: Act::ApproveRefund,
        subject: format!("order {}", request.order_id),
        detail: format!(
            "Refund {} of operation {}, asked for by {}",
            sum(request.amount, &request.currency),
            request.operation_id,
            row.asker
        ),
    };
    let approval = Approval {
        request: request.clone(),
        merchant_id: login.member.merchant_id.clone(),
        member_id: login.member.id.clone(),
    };
    let run = move |office: BackOffice, _| async move { approval.run(&office).await };
    match carry_out(&office, submission, run).await {
        Ok(FormOutcome::Done) => Ok(see_other(&format!("{PATH}?done=approved"))),
        Ok(FormOutcome::DoneBefore) => Ok(see_other(&format!("{PATH}?done=before"))),
        Err(OfficeError::Bad(why)) => {
            let row = named(&office, &login, &id).await?;
            Ok(decision(&office, &login, row, Some(why)))
        }
        Err(failed) => Err(failed),
    }
}

async fn decline(
    State(office): State<BackOffice>,
    Path(id): Path<String>,
    Posted { login, .. }: Posted<NoFields>,
) -> Result<Response, OfficeError> {
    login.require(Role::Operator)?;
    let row = named(&office, &login, &id).await?;
    let request = &row.request;
    let now_ms = office.clock().now_ms();
    let mut change = office.store().write(Subject::Statement).await?;
    let state = RefundRequestState::Declined;
    let member_id = &login.member.id;
    if !refund_requests::decide(&mut change, &id, state, member_id, now_ms).await? {
        drop(change);
        let row = named(&office, &login, &id).await?;
        return Ok(decision(&office, &login, row, Some(OVER.to_owned())));
    }
    let subject = format!("order {}", request.order_id);
    let detail = format!(
        "Refund {} of operation {}, asked for by {}",
        sum(request.amount, &request.currency),
        request.operation_id,
        row.asker
    );
    let (merchant_id, told) = (&login.member.merchant_id, RefundApprovalState::Declined);
    tell(&office, &mut change, merchant_id, request, told).await?;
    let entry = login.entry(now_ms, Act::DeclineRefund, &subject, &detail);
    audit::add(&mut change, &entry).await?;
    change.commit().await?;
    office.payments().wake_notifier();
    Ok(see_other(&format!("{PATH}?done=declined")))
}

/// A request of the member's merchant.
async fn named(
    office: &BackOffice,
    login: &LoginSession,
    id: &str,
) -> Result<RefundRequestRow, OfficeError> {
    let mut connection = office.store().read().await?;
    let found = refund_requests::find(&mut connection, &login.member.merchant_id, id).await?;
    found.ok_or(OfficeError::NotFound)
}

fn path_of(id: &str) -> String {
    format!("{PATH}/{}", segment(id))
}

/// A request as pages show it.
struct ShownRequest {
    path: String,
    order_id: String,
    order: String,
    sum: String,
    asker: String,
    asked: Moment,
    ends: Moment,
    badge: Badge,
    /// Whether somebody can decide it, or carry it out.
    is_open: bool,
    may_be_declined: bool,
    decided: Option<(String, Moment)>,
    outcome: Option<String>,
}

impl ShownRequest {
    fn of(row: RefundRequestRow, now_ms: i64) -> ShownRequest {
        let request = row.request;
        let is_waiting = row.state == RefundRequestState::Waiting && now_ms < request.ends_ms;
        let badge = match row.state {
            RefundRequestState::Waiting if is_waiting => Badge::waiting("Waiting"),
            RefundRequestState::Waiting => Badge::quiet("Not approved in time"),
            RefundRequestState::Approved => Badge::waiting("Approved, not carried out"),
            RefundRequestState::Refunded => Badge::good("Approved"),
            RefundRequestState::Refused => Badge::bad("Not possible"),
            RefundRequestState::Declined => Badge::quiet("Declined"),
        };
        ShownRequest {
            path: path_of(&request.id),
            order: order_path(&request.order_id),
            order_id: request.order_id,
            sum: sum(request.amount, &request.currency),
            asker: row.asker,
            asked: Moment(request.asked_ms),
            ends: Moment(request.ends_ms),
            badge,
            is_open: row.state == RefundRequestState::Approved || is_waiting,
            may_be_declined: is_waiting,
            decided: row.decided.map(|(name, at_ms)| (name, Moment(at_ms))),
            outcome: row.outcome,
        }
    }
}

#[derive(Template)]
#[template(path = "office-approvals.html")]
struct ListPage<'a> {
    layout: Layout<'a>,
    waiting: Vec<ShownRequest>,
    decided: Vec<ShownRequest>,
    /// Sum and currency of each.
    rules: Vec<(String, String)>,
    may_put_rules: bool,
    currencies: Vec<(&'static str, &'static str)>,
    form: RuleForm,
    errors: FieldErrors,
}

#[derive(Template)]
#[template(path = "office-approval.html")]
struct RequestPage<'a> {
    layout: Layout<'a>,
    shown: ShownRequest,
    path: String,
    note: Option<String>,
    operation_id: String,
    is_own: bool,
    key: String,
    /// Why the last form had no effect.
    problem: Option<String>,
}

/// How long a request can be approved: over a weekend.
const WAITS_FOR: Duration = Duration::from_secs(72 * 3600);

/// How many requests the list shows.
const MOST: i64 = 100;
