//! Disputes: the list, one dispute with its evidence, and accepting one. Its files are in [`super::dispute_files`].

use super::confirm::{Confirmed, Question};
use super::display::{address, moment, segment, sum_of_text};
use super::error::OfficeError;
use super::evidence_form::EvidenceForm;
use super::filter::{FieldErrors, typed};
use super::form::Posted;
use super::idempotent_form::{FormOutcome, FormSubmission, carry_out, new_key};
use super::labels::{self, Badge};
use super::login_session::LoginSession;
use super::moment::Moment;
use super::orders::path_of as order_path;
use super::page::{LastAction, Layout, Section, show};
use super::shown_file::ShownFile;
use crate::BackOffice;
use askama::Template;
use axum::Router;
use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use payframe_payment_domain::back_office::{Act, Role};
use payframe_payment_domain::dispute::DisputeState as Stored;
use payframe_payment_service::Disputes;
use payframe_payment_service::disputes::{DisputeChange, DisputeRefusal};
use payframe_payment_service::idempotency::Slot;
use payframe_protocol::dispute::{Dispute, DisputeKind, DisputeState};
use payframe_storage::disputes::DisputeFilter;
use payframe_web_pages::see_other;
use serde::Deserialize;
use std::sync::Arc;

pub(super) fn router() -> Router<BackOffice> {
    Router::new()
        .route(PATH, get(list))
        .route("/office/disputes/{id}", get(detail))
        .route(
            "/office/disputes/{id}/evidence",
            post(submit).layer(DefaultBodyLimit::max(LARGEST_EVIDENCE)),
        )
        .route("/office/disputes/{id}/accept", get(ask).post(accept))
}

const PATH: &str = "/office/disputes";

/// The page of a dispute.
pub(super) fn path_of(dispute_id: &str) -> String {
    format!("{PATH}/{}", segment(dispute_id))
}

/// The message of a dispute's page after each action.
const DONE: [(&str, &str); 5] = [
    ("file", "The file was added."),
    ("removed", "The file was removed."),
    (
        "submitted",
        "The evidence was submitted. The bank reads it now.",
    ),
    (
        "accepted",
        "The dispute was accepted. The buyer keeps the money.",
    ),
    (
        "before",
        "This form was sent before. Nothing was done twice.",
    ),
];

/// The parameters of the list's address.
#[derive(Default, Deserialize)]
#[serde(default)]
struct DisputesQuery {
    state: String,
    order: String,
    /// The last dispute of the page before.
    after: String,
}

async fn list(
    State(office): State<BackOffice>,
    login: LoginSession,
    Query(query): Query<DisputesQuery>,
) -> Result<Response, OfficeError> {
    let mut errors = FieldErrors::default();
    let filter = DisputeFilter {
        state: errors.choice("state", &query.state, Stored::from_code),
        order_id: typed(&query.order),
    };
    let mut found = (Vec::new(), false);
    if errors.is_empty() {
        let disputes = Disputes::new(office.payments());
        let merchant_id = &login.member.merchant_id;
        let page = disputes
            .list(merchant_id, &filter, typed(&query.after), ROWS)
            .await?;
        match page {
            Some(page) => found = page,
            None => errors.add("after", "There is no such page. Start at the first page."),
        }
    }
    let (rows, has_more) = found;
    let next = rows.last().filter(|_| has_more).map(|last| {
        let parameters = [
            ("state", query.state.as_str()),
            ("order", &query.order),
            ("after", &last.dispute_id),
        ];
        address(PATH, &parameters)
    });
    let page = ListPage {
        layout: Layout::of(&login, Section::Disputes, "Disputes"),
        rows: rows.iter().map(ShownDispute::of).collect(),
        next,
        is_filtered: !query.state.is_empty() || !query.order.is_empty(),
        states: SHOWN_STATES.map(|(state, wire)| (state.code(), labels::dispute_state(wire).text)),
        query,
        errors,
    };
    Ok(show(page.errors.status(), &page))
}

async fn detail(
    State(office): State<BackOffice>,
    login: LoginSession,
    Path(id): Path<String>,
    Query(done): Query<LastAction>,
) -> Result<Response, OfficeError> {
    let dispute = find(&office, &login, &id).await?;
    let layout = Layout::of(&login, Section::Disputes, title(&dispute)).after(&done, &DONE);
    let form = EvidenceForm::of(dispute.evidence.as_ref());
    Ok(dispute_page(
        &login,
        layout,
        &dispute,
        form,
        FieldErrors::default(),
        None,
    ))
}

/// The page of a dispute, with what was typed into its form.
pub(super) fn dispute_page(
    login: &LoginSession,
    layout: Layout<'_>,
    dispute: &Dispute,
    form: EvidenceForm,
    errors: FieldErrors,
    problem: Option<String>,
) -> Response {
    let is_open = dispute.state == DisputeState::NeedsResponse;
    let may_answer = is_open && login.may(Role::Operator);
    let shown = ShownDispute::of(dispute);
    let submitted = dispute.evidence.as_ref().map(|evidence| {
        let texts = EvidenceForm::of(Some(evidence)).texts();
        (moment(&evidence.submitted_time), texts)
    });
    let status = match problem {
        Some(_) => StatusCode::BAD_REQUEST,
        None => errors.status(),
    };
    let page = DisputePage {
        layout,
        facts: facts(dispute),
        about: labels::about_dispute(dispute.kind, dispute.state),
        may_accept: may_answer && dispute.kind != DisputeKind::Inquiry,
        may_answer,
        files: dispute
            .files
            .iter()
            .map(|file| ShownFile::of(file, dispute.evidence.as_ref(), may_answer))
            .collect(),
        submitted,
        form,
        errors,
        problem,
        key: new_key(),
        shown,
    };
    show(status, &page)
}

pub(super) fn title(dispute: &Dispute) -> String {
    format!("Dispute of order {}", dispute.order_id)
}

fn facts(dispute: &Dispute) -> Vec<(&'static str, String)> {
    let mut facts = vec![
        ("Stage", labels::dispute_kind(dispute.kind).to_owned()),
        (
            "Reason",
            labels::dispute_category(dispute.category).to_owned(),
        ),
        ("Network's code", dispute.reason_code.clone()),
        ("Operation", dispute.operation_id.clone()),
    ];
    let reference = dispute.reference.clone();
    facts.extend(reference.map(|reference| ("Acquirer's number", reference)));
    facts
}

async fn submit(
    State(office): State<BackOffice>,
    Path(id): Path<String>,
    Posted {
        login,
        fields: form,
    }: Posted<EvidenceForm>,
) -> Result<Response, OfficeError> {
    login.require(Role::Operator)?;
    let dispute = find(&office, &login, &id).await?;
    let again = |form, errors, problem| {
        let layout = Layout::of(&login, Section::Disputes, title(&dispute));
        dispute_page(&login, layout, &dispute, form, errors, problem)
    };
    let texts = match form.read() {
        Ok(texts) => texts,
        Err(errors) => return Ok(again(form, errors, None)),
    };
    let submission = FormSubmission {
        login: &login,
        key: &form.key,
        act: Act::SubmitEvidence,
        subject: format!("order {}", dispute.order_id),
        detail: format!("Dispute {id}"),
    };
    let merchant_id = login.member.merchant_id.clone();
    let of = id.clone();
    let run = move |office: BackOffice, slot: Arc<Slot>| async move {
        let disputes = Disputes::new(office.payments());
        let change = Box::pin(disputes.submit(&merchant_id, &of, &texts)).await?;
        finish(&office, change, &slot).await?;
        Ok(String::from("submitted"))
    };
    match Box::pin(carry_out(&office, submission, run)).await {
        Ok(FormOutcome::Done) => Ok(see_other(&format!("{}?done=submitted", path_of(&id)))),
        Ok(FormOutcome::DoneBefore) => Ok(see_other(&format!("{}?done=before", path_of(&id)))),
        Err(OfficeError::Bad(why)) => Ok(again(form, FieldErrors::default(), Some(why))),
        Err(failed) => Err(failed),
    }
}

fn question<'a>(login: &'a LoginSession, dispute: &Dispute) -> Question<'a> {
    Question {
        layout: Layout::of(login, Section::Disputes, "Accept the dispute"),
        sum: Some(sum_of_text(&dispute.amount, &dispute.currency)),
        about: "The buyer keeps this money. You cannot submit evidence any more, and nobody can take this back.",
        facts: vec![
            ("Order", dispute.order_id.clone()),
            (
                "Reason",
                labels::dispute_category(dispute.category).to_owned(),
            ),
        ],
        label: String::from("Accept the dispute"),
        back: path_of(&dispute.dispute_id),
        hidden: vec![("key", new_key())],
        problem: None,
    }
}

async fn ask(
    State(office): State<BackOffice>,
    login: LoginSession,
    Path(id): Path<String>,
) -> Result<Response, OfficeError> {
    login.require(Role::Operator)?;
    let dispute = find(&office, &login, &id).await?;
    Ok(question(&login, &dispute).page())
}

async fn accept(
    State(office): State<BackOffice>,
    Path(id): Path<String>,
    Posted { login, fields }: Posted<Confirmed>,
) -> Result<Response, OfficeError> {
    login.require(Role::Operator)?;
    let dispute = find(&office, &login, &id).await?;
    let submission = FormSubmission {
        login: &login,
        key: &fields.key,
        act: Act::AcceptDispute,
        subject: format!("order {}", dispute.order_id),
        detail: format!(
            "Dispute {id}, {}",
            sum_of_text(&dispute.amount, &dispute.currency)
        ),
    };
    let merchant_id = login.member.merchant_id.clone();
    let of = id.clone();
    let run = move |office: BackOffice, slot: Arc<Slot>| async move {
        let disputes = Disputes::new(office.payments());
        let change = Box::pin(disputes.accept(&merchant_id, &of)).await?;
        finish(&office, change, &slot).await?;
        Ok(String::from("accepted"))
    };
    let word = match Box::pin(carry_out(&office, submission, run)).await {
        Ok(FormOutcome::Done) => "accepted",
        Ok(FormOutcome::DoneBefore) => "before",
        Err(refused) => return question(&login, &dispute).refused(refused),
    };
    Ok(see_other(&format!("{}?done={word}", path_of(&id))))
}

/// Commits a change together with the note that its form was carried out.
async fn finish(
    office: &BackOffice,
    mut change: DisputeChange,
    slot: &Slot,
) -> Result<(), OfficeError> {
    let now_ms = office.payment_clock().now_ms();
    slot.keep(&mut change.transaction, office.vault(), 200, &[], now_ms)?;
    change.transaction.commit().await?;
    office.payments().wake_notifier();
    Ok(())
}

/// A dispute of the member's merchant.
pub(super) async fn find(
    office: &BackOffice,
    login: &LoginSession,
    id: &str,
) -> Result<Dispute, OfficeError> {
    let disputes = Disputes::new(office.payments());
    let found = disputes.read(&login.member.merchant_id, id).await?;
    found.ok_or(OfficeError::NotFound)
}

impl From<DisputeRefusal> for OfficeError {
    fn from(refusal: DisputeRefusal) -> OfficeError {
        match refusal {
            DisputeRefusal::NoOperation | DisputeRefusal::NoDispute | DisputeRefusal::NoFile => {
                OfficeError::NotFound
            }
            DisputeRefusal::Payment(problem) => problem.into(),
            refusal => OfficeError::Bad(format!("Nothing was done: {refusal}.")),
        }
    }
}

/// A dispute as pages show it.
pub(super) struct ShownDispute {
    pub(super) path: String,
    pub(super) order_id: String,
    pub(super) order: String,
    pub(super) badge: Badge,
    pub(super) sum: String,
    pub(super) kind: &'static str,
    pub(super) reason: &'static str,
    pub(super) opened: Moment,
    /// Only while it needs a response.
    pub(super) deadline: Option<Moment>,
}

impl ShownDispute {
    pub(super) fn of(dispute: &Dispute) -> ShownDispute {
        let is_open = dispute.state == DisputeState::NeedsResponse;
        ShownDispute {
            path: path_of(&dispute.dispute_id),
            order: order_path(&dispute.order_id),
            order_id: dispute.order_id.clone(),
            badge: labels::dispute_state(dispute.state),
            sum: sum_of_text(&dispute.amount, &dispute.currency),
            kind: labels::dispute_kind(dispute.kind),
            reason: labels::dispute_category(dispute.category),
            opened: moment(&dispute.opened_time),
            deadline: is_open.then(|| moment(&dispute.deadline)),
        }
    }
}

#[derive(Template)]
#[template(path = "office-disputes.html")]
struct ListPage<'a> {
    layout: Layout<'a>,
    rows: Vec<ShownDispute>,
    next: Option<String>,
    is_filtered: bool,
    /// Code and name of each.
    states: [(&'static str, &'static str); 6],
    query: DisputesQuery,
    errors: FieldErrors,
}

#[derive(Template)]
#[template(path = "office-dispute.html")]
struct DisputePage<'a> {
    layout: Layout<'a>,
    shown: ShownDispute,
    facts: Vec<(&'static str, String)>,
    /// What is to be done, or what became of it.
    about: &'static str,
    /// When, and label and text of each.
    submitted: Option<(Moment, Vec<(&'static str, String)>)>,
    files: Vec<ShownFile>,
    may_answer: bool,
    may_accept: bool,
    form: EvidenceForm,
    errors: FieldErrors,
    /// Why the last form had no effect.
    problem: Option<String>,
    key: String,
}

/// The states, in the words of rules and of the wire.
const SHOWN_STATES: [(Stored, DisputeState); 6] = [
    (Stored::NeedsResponse, DisputeState::NeedsResponse),
    (Stored::UnderReview, DisputeState::UnderReview),
    (Stored::Won, DisputeState::Won),
    (Stored::Lost, DisputeState::Lost),
    (Stored::Accepted, DisputeState::Accepted),
    (Stored::Expired, DisputeState::Expired),
];

/// How many rows a page shows.
const ROWS: u32 = 25;

/// Five texts in which each character may be twelve bytes of a form.
const LARGEST_EVIDENCE: usize = 256 * 1024;
