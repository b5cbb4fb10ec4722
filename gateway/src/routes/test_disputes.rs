//! `POST /test/disputes` and `POST /test/disputes/{disputeId}/result`: a test of the sandbox plays the buyer's bank. An extension of the
//! contract.

use super::call::{Call, CallingTerminal, PathId, SentBody};
use super::disputes::{finish, must_be_there};
use super::endpoint::{Endpoint, SANDBOX};
use super::error::{ApiError, RequestErrors};
use super::fields::{Presence, Section};
use super::requests::Part;
use super::requests::disputes::{DecideTestDispute, OpenTestDispute};
use super::requests::forms::{DisputeCategories, DisputeKinds, DisputeResults};
use crate::App;
use axum::Json;
use axum::extract::State;
use payframe_error_codes::ErrorCode::{GW9003, PS0026, PS0029, PS0036};
use payframe_payment_domain::dispute::{DisputeCategory, DisputeEvent, DisputeKind, ReasonCode};
use payframe_payment_service::disputes::NewDispute;
use payframe_protocol::dispute::Dispute;
use utoipa_axum::routes;

/// They are not in the contract, and production does not have them.
pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::of(routes!(open_test_dispute))
            .with_idempotency_key()
            .with_object_in_body()
            .only_with_test_clock()
            .refusals(&[PS0026, PS0036, PS0029, GW9003]),
        Endpoint::of(routes!(decide_test_dispute))
            .with_idempotency_key()
            .only_with_test_clock()
            .refusals(&[PS0026, PS0029, GW9003]),
    ]
}

/// Open a dispute
///
/// The buyer's bank disputes a captured payment of yours. The deadline passes with the clock of the sandbox.
#[utoipa::path(
    post, path = "/test/disputes", operation_id = "openTestDispute", tag = SANDBOX,
    request_body = OpenTestDispute,
    responses((status = 200, body = Dispute)),
)]
async fn open_test_dispute(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    SentBody(body): SentBody<OpenTestDispute>,
    call: Call,
) -> Result<Json<Dispute>, ApiError> {
    let mut findings = RequestErrors::default();
    let new = read_new(&body, app.clock().now_ms(), &mut findings);
    findings.into_result()?;
    let new = new.ok_or(ApiError::Ours)?;
    let change = app
        .disputes()
        .open(Some(&terminal.merchant_id), &new)
        .await?;
    finish(&app, change, call.slot.as_ref()).await
}

/// Decide a dispute
///
/// The buyer's bank decides, or the dispute comes to a later stage.
#[utoipa::path(
    post, path = "/test/disputes/{disputeId}/result", operation_id = "decideTestDispute", tag = SANDBOX,
    params((
        "disputeId" = String, Path, example = "6f1e2a3b-8c4d-4e5f-9a0b-1c2d3e4f5a6b",
        description = "The dispute, by the id that the list or an event tells.",
    )),
    request_body = DecideTestDispute,
    responses((status = 200, body = Dispute)),
)]
async fn decide_test_dispute(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    PathId(dispute_id): PathId,
    call: Call,
) -> Result<Json<Dispute>, ApiError> {
    let merchant_id = &terminal.merchant_id;
    must_be_there(&app, merchant_id, &dispute_id).await?;
    call.refuse_scripts()?;
    let mut findings = RequestErrors::default();
    let body = Part::<DecideTestDispute>::of(&call.body);
    let mut whole = Section::body(&body, &mut findings);
    let sent = &body.members().result;
    whole.must_have("result", sent.is_there(), &mut findings);
    let result = whole.one_of("result", sent, DisputeResults::CODES, &mut findings);
    findings.into_result()?;
    let event = match result {
        Some("WON") => DisputeEvent::Won,
        Some("LOST") => DisputeEvent::Lost,
        later => DisputeEvent::Advanced {
            to: later
                .and_then(DisputeKind::from_code)
                .ok_or(ApiError::Ours)?,
            deadline_ms: app.clock().now_ms() + TO_RESPOND_MS,
        },
    };
    let change = app
        .disputes()
        .decide_of(merchant_id, &dispute_id, event)
        .await?;
    finish(&app, change, call.slot.as_ref()).await
}

fn read_new<'a>(
    body: &'a Part<OpenTestDispute>,
    now_ms: i64,
    findings: &mut RequestErrors,
) -> Option<NewDispute<'a>> {
    let mut whole = Section::body(body, findings);
    let sent = body.members();
    let operation_id = &sent.operation_id;
    let operation_id = whole.text(
        "operationId",
        operation_id,
        Presence::Mandatory,
        1..=63,
        findings,
    );
    let kind = whole.one_of("kind", &sent.kind, DisputeKinds::CODES, findings);
    let category = &sent.category;
    let category = whole.one_of("category", category, DisputeCategories::CODES, findings);
    let reason = &sent.reason_code;
    let reason = whole.text("reasonCode", reason, Presence::Optional, 1..=20, findings);
    let reason_code = ReasonCode::parse(reason.unwrap_or("TEST"));
    if reason_code.is_none() {
        findings.add(
            PS0026,
            "reasonCode must be 1 to 20 letters, digits, dots and hyphens",
        );
    }
    let amount = whole.amount("amount", &sent.amount, Presence::Optional, findings);
    let seconds = &sent.seconds_to_respond;
    let seconds = whole.count("secondsToRespond", seconds, 1..=8_640_000, findings);
    let to_respond_ms = seconds
        .and_then(|seconds| i64::try_from(seconds * 1000).ok())
        .unwrap_or(TO_RESPOND_MS);
    Some(NewDispute {
        operation_id: operation_id?,
        reference: None,
        kind: kind
            .and_then(DisputeKind::from_code)
            .unwrap_or(DisputeKind::Chargeback),
        category: category
            .and_then(DisputeCategory::from_code)
            .unwrap_or(DisputeCategory::NotReceived),
        reason_code: reason_code?,
        amount,
        deadline_ms: now_ms + to_respond_ms,
    })
}

/// Ten days.
const TO_RESPOND_MS: i64 = 10 * 86_400_000;
