//! What buyers' banks dispute, and the merchant's answers. An extension of the contract.

use super::call::{Call, CallingTerminal, PathId, SentQuery};
use super::endpoint::{BACK_OFFICE, Endpoint};
use super::error::{ApiError, RequestErrors};
use super::fields::{Presence, Section};
use super::order_part::is_order_id;
use super::query::{Query, text_of};
use super::requests::disputes::{AddDisputeFile, SubmitEvidence};
use super::requests::forms::DisputeStates;
use super::requests::queries::ListDisputes;
use super::requests::{Member, Part};
use crate::App;
use axum::Json;
use axum::extract::State;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use payframe_error_codes::ErrorCode::{GW9003, PS0026, PS0029};
use payframe_payment_domain::back_office::Act;
use payframe_payment_domain::dispute::evidence_file::EvidenceFileError;
use payframe_payment_domain::dispute::{DisputeState, MOST_TEXT_CHARACTERS};
use payframe_payment_service::audit_notes::Noted;
use payframe_payment_service::disputes::{DisputeChange, DisputeRefusal, EvidenceTexts};
use payframe_payment_service::idempotency::Slot;
use payframe_protocol::contract::Done;
use payframe_protocol::dispute::{Dispute, DisputeFile, DisputeFileContent, DisputeList};
use payframe_storage::disputes::DisputeFilter;
use payframe_storage::{StoreError, Write};
use serde::Serialize;
use utoipa_axum::routes;

/// They are not in the contract.
pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::of(routes!(list_disputes))
            .query::<ListDisputes>()
            .refusals(&[PS0026]),
        Endpoint::of(routes!(read_dispute)),
        Endpoint::of(routes!(add_dispute_file))
            .with_idempotency_key()
            .body_limit(FILE_BODY_LIMIT)
            .refusals(&[PS0026, GW9003]),
        Endpoint::of(routes!(read_dispute_file)),
        Endpoint::of(routes!(remove_dispute_file))
            .with_idempotency_key()
            .refusals(&[GW9003]),
        Endpoint::of(routes!(submit_evidence))
            .with_idempotency_key()
            .refusals(&[PS0026, GW9003]),
        Endpoint::of(routes!(accept_dispute))
            .with_idempotency_key()
            .refusals(&[GW9003]),
    ]
}

/// List disputes
///
/// Newest first, without their evidence. For the next page: the same call with `after` = the `disputeId` of the last row.
#[utoipa::path(
    get, path = "/disputes", operation_id = "listDisputes", tag = BACK_OFFICE,
    responses((status = 200, body = DisputeList)),
)]
async fn list_disputes(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    SentQuery(sent): SentQuery<ListDisputes>,
) -> Result<Json<DisputeList>, ApiError> {
    let mut query = Query::default();
    let state = query.one_of("state", &sent.state, DisputeStates::CODES);
    let order_id = text_of(&sent.order_id);
    if order_id.is_some_and(|order_id| !is_order_id(order_id)) {
        let findings = &mut query.findings;
        findings.add(PS0026, "orderId must be the id of an order");
    }
    let after = query.text("after", &sent.after, 1..=63);
    let limit = query.count("limit", &sent.limit, ROWS);
    query.into_result()?;
    let filter = DisputeFilter {
        state: state.and_then(DisputeState::from_code),
        order_id,
    };
    let merchant_id = &terminal.merchant_id;
    let page = app
        .disputes()
        .list(merchant_id, &filter, after, limit)
        .await?;
    let (disputes, has_more) = page.ok_or_else(|| {
        ApiError::bad(PS0026, "after must be the disputeId of a dispute of yours")
    })?;
    Ok(Json(DisputeList { disputes, has_more }))
}

/// Read a dispute
///
/// With the evidence that was submitted last, and its files without their content.
#[utoipa::path(
    get, path = "/disputes/{disputeId}", operation_id = "readDispute", tag = BACK_OFFICE,
    params(("disputeId" = String, Path, example = "6f1e2a3b-8c4d-4e5f-9a0b-1c2d3e4f5a6b", description = DISPUTE_ID)),
    responses((status = 200, body = Dispute)),
)]
async fn read_dispute(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    PathId(dispute_id): PathId,
) -> Result<Json<Dispute>, ApiError> {
    let found = app
        .disputes()
        .read(&terminal.merchant_id, &dispute_id)
        .await?;
    found.map(Json).ok_or(ApiError::NotFound)
}

/// Add a file to a dispute
///
/// It is a part of the evidence that is submitted next. The type is found in the content: PDF, PNG or JPEG. A file has at most 4.5 MB, and
/// a dispute at most 10 files with 13.5 MB together. Files can be added while the dispute needs a response.
#[utoipa::path(
    post, path = "/disputes/{disputeId}/files", operation_id = "addDisputeFile", tag = BACK_OFFICE,
    params(("disputeId" = String, Path, example = "6f1e2a3b-8c4d-4e5f-9a0b-1c2d3e4f5a6b", description = DISPUTE_ID)),
    request_body = AddDisputeFile,
    responses((status = 200, body = DisputeFile)),
)]
async fn add_dispute_file(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    PathId(dispute_id): PathId,
    call: Call,
) -> Result<Json<DisputeFile>, ApiError> {
    let merchant_id = &terminal.merchant_id;
    must_be_there(&app, merchant_id, &dispute_id).await?;
    call.refuse_scripts()?;
    let mut findings = RequestErrors::default();
    let body = Part::of(&call.body);
    let file = read_file(&body, &mut findings);
    findings.into_result()?;
    let (name, content) = file.ok_or(ApiError::Ours)?;
    let (mut transaction, file) = app
        .disputes()
        .add_file(merchant_id, &dispute_id, name, &content)
        .await?;
    let detail = format!("file {}, {} bytes", file.file_id, content.len());
    let what = (dispute_id.as_str(), detail);
    note(&app, &call, &mut transaction, Act::AddEvidenceFile, what).await?;
    keep(&app, transaction, call.slot.as_ref(), &file).await?;
    Ok(Json(file))
}

/// Read a file of a dispute
///
/// With its content. Do not show it where a page of yours would run it: it is what somebody uploaded.
#[utoipa::path(
    get, path = "/disputes/files/{fileId}", operation_id = "readDisputeFile", tag = BACK_OFFICE,
    params(("fileId" = String, Path, example = "0d9c8b7a-6f5e-4d3c-8b2a-190807060504", description = FILE_ID)),
    responses((status = 200, body = DisputeFileContent)),
)]
async fn read_dispute_file(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    PathId(file_id): PathId,
) -> Result<Json<DisputeFileContent>, ApiError> {
    let found = app
        .disputes()
        .file_content(&terminal.merchant_id, &file_id)
        .await?;
    let (file, content) = found.ok_or(ApiError::NotFound)?;
    Ok(Json(DisputeFileContent {
        file,
        content: STANDARD.encode(content.as_slice()),
    }))
}

/// Remove a file of a dispute
///
/// Only a file that was not submitted yet, while the dispute needs a response.
#[utoipa::path(
    post, path = "/disputes/files/{fileId}/removal", operation_id = "removeDisputeFile", tag = BACK_OFFICE,
    params(("fileId" = String, Path, example = "0d9c8b7a-6f5e-4d3c-8b2a-190807060504", description = FILE_ID)),
    responses((status = 200, body = Done)),
)]
async fn remove_dispute_file(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    PathId(file_id): PathId,
    call: Call,
) -> Result<Json<Done>, ApiError> {
    let found = app.disputes().file(&terminal.merchant_id, &file_id).await?;
    found.ok_or(ApiError::NotFound)?;
    call.refuse_scripts()?;
    let (mut transaction, file) = app
        .disputes()
        .remove_file(&terminal.merchant_id, &file_id)
        .await?;
    let what = (file.dispute_id.as_str(), format!("file {file_id}"));
    note(&app, &call, &mut transaction, Act::RemoveEvidenceFile, what).await?;
    keep(&app, transaction, call.slot.as_ref(), &Done {}).await?;
    Ok(Json(Done {}))
}

/// Submit evidence for a dispute
///
/// These texts, with all files of the dispute: at least one text or one file. The dispute is `UNDER_REVIEW` then, and the evidence cannot
/// be changed any more; a later stage of the dispute may need another response.
#[utoipa::path(
    post, path = "/disputes/{disputeId}/evidence", operation_id = "submitEvidence", tag = BACK_OFFICE,
    params(("disputeId" = String, Path, example = "6f1e2a3b-8c4d-4e5f-9a0b-1c2d3e4f5a6b", description = DISPUTE_ID)),
    request_body = SubmitEvidence,
    responses((status = 200, body = Dispute)),
)]
async fn submit_evidence(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    PathId(dispute_id): PathId,
    call: Call,
) -> Result<Json<Dispute>, ApiError> {
    let merchant_id = &terminal.merchant_id;
    must_be_there(&app, merchant_id, &dispute_id).await?;
    call.refuse_scripts()?;
    let mut findings = RequestErrors::default();
    let texts = read_texts(&Part::of(&call.body), &mut findings);
    findings.into_result()?;
    let mut change = app
        .disputes()
        .submit(merchant_id, &dispute_id, &texts)
        .await?;
    note_change(&app, &call, &mut change, Act::SubmitEvidence).await?;
    finish(&app, change, call.slot.as_ref()).await
}

/// Accept a dispute
///
/// The buyer keeps the money, and the dispute is over. An inquiry takes no money and is not accepted: refund the payment instead.
#[utoipa::path(
    post, path = "/disputes/{disputeId}/acceptance", operation_id = "acceptDispute", tag = BACK_OFFICE,
    params(("disputeId" = String, Path, example = "6f1e2a3b-8c4d-4e5f-9a0b-1c2d3e4f5a6b", description = DISPUTE_ID)),
    responses((status = 200, body = Dispute)),
)]
async fn accept_dispute(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    PathId(dispute_id): PathId,
    call: Call,
) -> Result<Json<Dispute>, ApiError> {
    must_be_there(&app, &terminal.merchant_id, &dispute_id).await?;
    call.refuse_scripts()?;
    let mut change = app
        .disputes()
        .accept(&terminal.merchant_id, &dispute_id)
        .await?;
    note_change(&app, &call, &mut change, Act::AcceptDispute).await?;
    finish(&app, change, call.slot.as_ref()).await
}

/// Notes what a merchant's server did to a dispute, together with the change.
async fn note_change(
    app: &App,
    call: &Call,
    change: &mut DisputeChange,
    act: Act,
) -> Result<(), ApiError> {
    let dispute = &change.dispute;
    let of = format!("order {}", dispute.order_id);
    let what = (dispute.dispute_id.as_str(), of);
    note(app, call, &mut change.transaction, act, what).await
}

async fn note(
    app: &App,
    call: &Call,
    transaction: &mut Write,
    act: Act,
    (dispute_id, detail): (&str, String),
) -> Result<(), ApiError> {
    let Some(author) = call.author() else {
        return Ok(());
    };
    let noted = Noted {
        merchant_id: &call.terminal()?.merchant_id,
        act,
        subject: format!("dispute {dispute_id}"),
        detail,
    };
    Ok(app.payments().note(transaction, author, noted).await?)
}

/// Step 8: the dispute is the caller's.
pub(super) async fn must_be_there(
    app: &App,
    merchant_id: &str,
    dispute_id: &str,
) -> Result<(), ApiError> {
    let found = app.disputes().read(merchant_id, dispute_id).await?;
    found.map(|_| ()).ok_or(ApiError::NotFound)
}

/// Commits a change with its answer, and wakes the notifier.
pub(super) async fn finish(
    app: &App,
    change: DisputeChange,
    slot: Option<&Slot>,
) -> Result<Json<Dispute>, ApiError> {
    let DisputeChange {
        transaction,
        dispute,
        ..
    } = change;
    keep(app, transaction, slot, &dispute).await?;
    app.payments().wake_notifier();
    Ok(Json(dispute))
}

async fn keep(
    app: &App,
    mut transaction: Write,
    slot: Option<&Slot>,
    answer: &impl Serialize,
) -> Result<(), ApiError> {
    if let Some(slot) = slot {
        let body = serde_json::to_vec(answer).map_err(|_| ApiError::Ours)?;
        let now_ms = app.clock().now_ms();
        slot.keep(&mut transaction, app.payments().vault(), 200, &body, now_ms)?;
    }
    Ok(transaction.commit().await.map_err(StoreError::from)?)
}

/// Name and content.
fn read_file<'a>(
    body: &'a Part<AddDisputeFile>,
    findings: &mut RequestErrors,
) -> Option<(&'a str, Vec<u8>)> {
    let mut whole = Section::body(body, findings);
    let AddDisputeFile { name, content } = body.members();
    let name = whole.text("name", name, Presence::Mandatory, 1..=100, findings);
    let lengths = 1..=FILE_BODY_LIMIT;
    let content = whole.text("content", content, Presence::Mandatory, lengths, findings)?;
    match STANDARD.decode(content) {
        Ok(content) => Some((name?, content)),
        Err(_) => {
            findings.add(PS0026, "content must be the file in base64");
            None
        }
    }
}

/// A text that is empty is none.
fn read_texts(body: &Part<SubmitEvidence>, findings: &mut RequestErrors) -> EvidenceTexts {
    let mut whole = Section::body(body, findings);
    let sent = body.members();
    let mut read = |name: &str, member: &Member| {
        let lengths = 0..=MOST_TEXT_CHARACTERS;
        let text = whole.free_text(name, member, Presence::Optional, lengths, findings);
        text.filter(|text| !text.trim().is_empty())
            .map(str::to_owned)
    };
    EvidenceTexts {
        explanation: read("explanation", &sent.explanation),
        goods: read("goods", &sent.goods),
        delivery: read("delivery", &sent.delivery),
        correspondence: read("correspondence", &sent.correspondence),
        refund_terms: read("refundTerms", &sent.refund_terms),
    }
}

impl From<DisputeRefusal> for ApiError {
    fn from(refusal: DisputeRefusal) -> ApiError {
        let code = match refusal {
            DisputeRefusal::NoDispute | DisputeRefusal::NoFile | DisputeRefusal::NoOperation => {
                return ApiError::NotFound;
            }
            DisputeRefusal::Payment(problem) => return problem.into(),
            DisputeRefusal::File(refused) => {
                return match member_of(refused) {
                    Some(member) => {
                        ApiError::bad(PS0026, format!("{member} is refused: {refused}"))
                    }
                    None => ApiError::bad(PS0026, refused.to_string()),
                };
            }
            DisputeRefusal::NoEvidence | DisputeRefusal::KnownReference => PS0026,
            DisputeRefusal::Amount => PS0029,
            DisputeRefusal::NotCaptured
            | DisputeRefusal::Rule(_)
            | DisputeRefusal::FileSubmitted => GW9003,
        };
        ApiError::bad(code, refusal.to_string())
    }
}

/// The member that is wrong. `None`: it is the number or the size of all files.
fn member_of(refused: EvidenceFileError) -> Option<&'static str> {
    match refused {
        EvidenceFileError::Name | EvidenceFileError::CardDataInName => Some("name"),
        EvidenceFileError::Type | EvidenceFileError::TooLarge => Some("content"),
        EvidenceFileError::TooMany | EvidenceFileError::TooLargeTogether => None,
    }
}

const DISPUTE_ID: &str = "The dispute, by the id that the list or an event tells.";
const FILE_ID: &str = "The file, by the id that the dispute tells.";

/// The largest file in base64, and its name.
const FILE_BODY_LIMIT: usize = 6_100_000;

/// How many rows a page has if the caller does not say.
const ROWS: u32 = 20;
