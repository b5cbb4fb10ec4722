//! `/fe/build/*`: what the gateway's own frames call (contract, section 5).

use super::Reply;
use super::browser_kind::kind_of_browser;
use super::call::{Call, PathId, SentBody};
use super::caller::Callers;
use super::encrypted_card::{is_encrypted, not_encrypted};
use super::endpoint::{Endpoint, FRAMES};
use super::error::ApiError;
use super::query::{self, text_of};
use super::requests::Part;
use super::requests::frame::{CheckField, LookUpBin, SubmittedItem};
use super::requests::queries::DeviceCheck;
use super::session_call::{CallSession, FrameSession};
use super::submitted_card::{is_input, read_entry};
use crate::App;
use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use payframe_error_codes::ErrorCode::{GW9003, GW9006, GW9008, GW9015, PS0017, PS0026, PS0061};
use payframe_payment_domain::terms::Version;
use payframe_payment_service::card_entry::check_one;
use payframe_payment_service::completion::DeviceCheckStatus;
use payframe_payment_service::session_status::{CARD_BUTTON, session_sum, summary};
use payframe_payment_service::submit_card::field_status;
use payframe_payment_service::{CardSender, PaymentError};
use payframe_protocol::api::{
    BuildState, FieldSet, FieldStatus, GdiResult, SavedCards, StateObject, TextAnswer,
};
use payframe_protocol::build::{ActionAnswer, BinAnswer, ReturnAddress};
use utoipa_axum::routes;

/// Contract, section 5.
pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::of(routes!(submit_card))
            .callers(Callers::Frame)
            .with_idempotency_key()
            .with_encryption()
            .refusals(&[PS0026, GW9008, GW9015, PS0061, GW9003]),
        Endpoint::of(routes!(check_field))
            .callers(Callers::Frame)
            .with_idempotency_key()
            .refusals(&[PS0026, GW9008, PS0061]),
        Endpoint::of(routes!(press_button))
            .callers(Callers::Frame)
            .with_idempotency_key()
            .refusals(&[PS0061, GW9003, GW9006]),
        Endpoint::of(routes!(check_device))
            .callers(Callers::Frame)
            .query::<DeviceCheck>()
            .refusals(&[PS0026, PS0061, GW9003]),
        Endpoint::of(routes!(skip_device_check))
            .callers(Callers::Frame)
            .with_idempotency_key()
            .refusals(&[PS0061, GW9003]),
        Endpoint::of(routes!(leave_challenge))
            .callers(Callers::Frame)
            .with_idempotency_key()
            .refusals(&[PS0061, GW9003]),
        Endpoint::of(routes!(verify_device))
            .callers(Callers::Frame)
            .query::<DeviceCheck>()
            .refusals(&[PS0026, PS0061, GW9003]),
        Endpoint::of(routes!(read_challenge_result))
            .callers(Callers::Frame)
            .refusals(&[PS0061, GW9003]),
        Endpoint::of(routes!(remove_saved_card))
            .callers(Callers::Frame)
            .with_idempotency_key()
            .refusals(&[PS0061, PS0017, GW9003]),
        Endpoint::of(routes!(look_up_bin))
            .callers(Callers::Frame)
            .refusals(&[PS0026, PS0061]),
    ]
}

/// Submit the card
///
/// Every input of the session, once each. Answers the result of each field. `CARD_NUMBER` and `SECURITY_CODE` may come
/// encrypted, as the value of one item `ENCRYPTED_CARD`: a compact JWE (`ECDH-ES`, `A256GCM`) of their array, made with
/// the key of the session's page, with the SHA-256 of the session's id as `apv`. While somebody tries out cards at the terminal, the card is
/// taken only with the item `PROOF_OF_WORK`: the refusal `GW9015` has a puzzle in its header `Proof-Of-Work`, and the same call is made again
/// with the solution.
#[utoipa::path(
    post, path = "/fe/build/text", operation_id = "submitCard", tag = FRAMES,
    request_body = Vec<SubmittedItem>,
    responses((status = 200, body = TextAnswer)),
)]
async fn submit_card(
    State(app): State<App>,
    FrameSession(session): FrameSession,
    headers: HeaderMap,
    call: Call,
) -> Result<Reply, ApiError> {
    call.refuse_scripts()?;
    let terminal = session.terminal(&app).await?;
    let entry = read_entry(
        &call,
        &terminal,
        app.config().mode.requires_encrypted_cards(),
    )?;
    let Some(slot) = &call.slot else {
        return Err(ApiError::Ours);
    };
    let sender = CardSender {
        address: call.address,
        browser: kind_of_browser(&headers),
    };
    let body = app
        .sessions()
        .submit_card(&session.row.hash, &terminal, entry, slot, sender)
        .await;
    body.map(Reply::bytes)
        .map_err(|problem| with_state(problem, &session))
}

/// Check one field
///
/// Checks whether a value is valid. The value is not stored.
#[utoipa::path(
    post, path = "/fe/build/text/{id}", operation_id = "checkField", tag = FRAMES,
    params((
        "id" = String, Path, example = "CARDHOLDER_NAME",
        description = "The input that the value is for. One that the session does not have is answered with 404.",
    )),
    request_body = CheckField,
    responses((status = 200, body = FieldStatus)),
)]
async fn check_field(
    State(app): State<App>,
    FrameSession(session): FrameSession,
    PathId(id): PathId,
    call: Call,
) -> Result<Json<FieldStatus>, ApiError> {
    let terminal = session.terminal(&app).await?;
    if !is_input(&terminal, &id) {
        return Err(ApiError::NotFound);
    }
    call.refuse_scripts()?;
    let body: Part<CheckField> = Part::of(&call.body);
    let Some(value) = text_of(&body.members().value) else {
        return Err(ApiError::bad(PS0026, "value must be a text"));
    };
    if app.config().mode.requires_encrypted_cards() && is_encrypted(&id) {
        return Err(not_encrypted(&id));
    }
    let code = check_one(
        &id,
        value,
        terminal.networks,
        app.payments().today(),
        app.payments().bin_lookup(),
    );
    Ok(Json(field_status(&(id, code))))
}

/// Press a method's button
///
/// Chooses the card, or a method that is paid on another page.
#[utoipa::path(
    post, path = "/fe/build/action/{id}", operation_id = "pressButton", tag = FRAMES,
    params((
        "id" = String, Path, example = "PAY_WITH_CARD",
        description = "The button: `PAY_WITH_CARD`, or the code of a method that the session offers.",
    )),
    responses((status = 200, body = ActionAnswer)),
)]
async fn press_button(
    State(app): State<App>,
    FrameSession(session): FrameSession,
    PathId(id): PathId,
    call: Call,
) -> Result<Json<ActionAnswer>, ApiError> {
    let hash = &session.row.hash;
    let row = if id == CARD_BUTTON {
        call.refuse_scripts()?;
        app.sessions().choose_card(hash).await?
    } else if let Some(method) = session.row.terms.offered(&id) {
        call.refuse_scripts()?;
        app.sessions().choose_method(hash, method).await?
    } else {
        return Err(ApiError::NotFound);
    };
    let status = app.sessions().status(&row, &session.session_id).await?;
    let nothing = || FieldSet {
        session_id: session.session_id.clone(),
        fields: Vec::new(),
    };
    Ok(Json(ActionAnswer {
        event: String::from("BUILD_FLOW_STATE_CHANGE"),
        state: status.state,
        url: status.url,
        method: status.method.map(str::to_owned),
        field_set: status.field_set.unwrap_or_else(nothing),
    }))
}

/// Read the result of the device check
///
/// Version 3. The tenth call is the last: a check that has not ended by then has failed.
#[utoipa::path(
    get, path = "/fe/build/check_gdi_result", operation_id = "checkDevice", tag = FRAMES,
    responses((status = 200, body = GdiResult)),
)]
async fn check_device(
    State(app): State<App>,
    FrameSession(session): FrameSession,
    call: Call,
) -> Result<Json<GdiResult>, ApiError> {
    let last = is_last_attempt(&call)?;
    if session.row.terms.version != Version::Three {
        return Err(ApiError::bad(
            GW9003,
            "the device check of version 2 is asked for by gdi_and_finalize",
        ));
    }
    let status = app
        .sessions()
        .check_device(&session.row.hash, last)
        .await
        .map_err(|problem| with_state(problem, &session))?;
    let DeviceCheckStatus::Over(row) = status else {
        return Ok(Json(GdiResult {
            result: String::from("KO"),
            operation: None,
        }));
    };
    let operation = app
        .sessions()
        .status(&row, &session.session_id)
        .await?
        .operation;
    let failed = operation.filter(|operation| operation.operation_result == "THREEDS_FAILED");
    let result = String::from(if failed.is_some() { "KO" } else { "OK" });
    Ok(Json(GdiResult {
        result,
        operation: failed.as_ref().map(summary),
    }))
}

/// Continue without the device check
///
/// Version 3. For a form that has waited for ten seconds: the payment continues, and its operation says `deviceCheck: NOT_DONE`.
#[utoipa::path(
    post, path = "/fe/build/skip_gdi", operation_id = "skipDeviceCheck", tag = FRAMES,
    responses((status = 200, body = StateObject)),
)]
async fn skip_device_check(
    State(app): State<App>,
    FrameSession(session): FrameSession,
    call: Call,
) -> Result<Reply, ApiError> {
    let row = app
        .sessions()
        .skip_device_check(&session.row.hash)
        .await
        .map_err(|problem| with_state(problem, &session))?;
    session.answer(&app, &call, &row, Vec::new()).await
}

/// Leave a challenge
///
/// For a buyer who wants another card, or to try again: the attempt ends as THREEDS_FAILED. The payment ends only if
/// it was the last attempt.
#[utoipa::path(
    post, path = "/fe/build/leave_challenge", operation_id = "leaveChallenge", tag = FRAMES,
    responses((status = 200, body = StateObject)),
)]
async fn leave_challenge(
    State(app): State<App>,
    FrameSession(session): FrameSession,
    call: Call,
) -> Result<Reply, ApiError> {
    let row = app
        .sessions()
        .leave_challenge(&session.row.hash)
        .await
        .map_err(|problem| with_state(problem, &session))?;
    session.answer(&app, &call, &row, Vec::new()).await
}

/// Read the result of the device check and continue
///
/// Version 2. The tenth call is the last: a check that has not ended by then has failed.
#[utoipa::path(
    get, path = "/fe/build/gdi_and_finalize", operation_id = "verifyDevice", tag = FRAMES,
    responses((status = 200, body = StateObject)),
)]
async fn verify_device(
    State(app): State<App>,
    FrameSession(session): FrameSession,
    call: Call,
) -> Result<Reply, ApiError> {
    let last = is_last_attempt(&call)?;
    if session.row.terms.version != Version::Two {
        return Err(ApiError::bad(
            GW9003,
            "the device check of version 3 is asked for by check_gdi_result",
        ));
    }
    match app
        .sessions()
        .verify_device(&session.row.hash, last)
        .await
        .map_err(|problem| with_state(problem, &session))?
    {
        DeviceCheckStatus::Over(row) => session.answer(&app, &call, &row, Vec::new()).await,
        // The frame learns the address of the check's page only from this answer.
        DeviceCheckStatus::Running(row) => Reply::json(&StateObject {
            state: BuildState::GdiVerification,
            url: Some(
                app.payments()
                    .device_check_url(&row.hash, row.session.counters.submissions),
            ),
            operation: None,
            field_set: None,
            method: None,
            sum: Some(session_sum(&row.sum())),
            offer: None,
            seconds_left: None,
        }),
    }
}

/// Continue after a challenge
///
/// Records the result of the challenge, and answers where the browser goes.
#[utoipa::path(
    get, path = "/fe/build/validateAndPay", operation_id = "readChallengeResult", tag = FRAMES,
    responses((status = 200, body = ReturnAddress)),
)]
async fn read_challenge_result(
    State(app): State<App>,
    FrameSession(session): FrameSession,
) -> Result<Json<ReturnAddress>, ApiError> {
    let row = app
        .sessions()
        .challenge_result(&session.row.hash)
        .await
        .map_err(|problem| with_state(problem, &session))?;
    Ok(Json(ReturnAddress {
        url: app.payments().return_url(&row),
    }))
}

/// Remove a saved card
///
/// For a buyer who does not want the card to be stored: its contract ends. Possible while the buyer chooses a card, if the
/// session allows it (`form.savedCards`). Answers the remaining cards.
#[utoipa::path(
    post, path = "/fe/build/remove_saved_card/{id}", operation_id = "removeSavedCard", tag = FRAMES,
    params((
        "id" = String, Path, example = "b3f1c2d4e5a60718",
        description = "The saved card, by the id that the form's data gives it. It is good in sessions of the order whose form was told it.",
    )),
    responses((status = 200, body = SavedCards)),
)]
async fn remove_saved_card(
    State(app): State<App>,
    FrameSession(session): FrameSession,
    PathId(handle): PathId,
    call: Call,
) -> Result<Json<SavedCards>, ApiError> {
    call.refuse_scripts()?;
    let terminal = session.terminal(&app).await?;
    let cards = app
        .contracts()
        .remove_saved_card(&session.row, &terminal, &handle)
        .await
        .map_err(|problem| with_state(problem, &session))?;
    Ok(Json(SavedCards { cards }))
}

/// Look up a card's first digits
///
/// Answers the networks that they belong to, and what the form needs to know of them. At most 30 times a session. Once
/// the buyer can enter no card any more, nothing is known of any.
#[utoipa::path(
    post, path = "/fe/build/bin", operation_id = "lookUpBin", tag = FRAMES,
    request_body = LookUpBin,
    responses((status = 200, body = BinAnswer)),
)]
async fn look_up_bin(
    State(app): State<App>,
    FrameSession(session): FrameSession,
    SentBody(body): SentBody<LookUpBin>,
) -> Result<Json<BinAnswer>, ApiError> {
    let is_bin = |text: &&str| {
        (6..=8).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let Some(digits) = text_of(&body.members().bin).filter(is_bin) else {
        return Err(ApiError::bad(PS0026, "bin must be 6 to 8 digits"));
    };
    let terminal = session.terminal(&app).await?;
    match app
        .sessions()
        .look_up_bin(&session.row, &terminal, digits)
        .await?
    {
        Some(answer) => Ok(Json(answer)),
        // Waiting does not help: the session has used up its look-ups.
        None => Err(ApiError::TooMany(60)),
    }
}

/// Whether this is the last call (contract 4.1, `deviceCheck.attempts`).
fn is_last_attempt(call: &Call) -> Result<bool, ApiError> {
    let sent: DeviceCheck = query::sent(&call.query);
    match text_of(&sent.attempt_number).and_then(|text| text.parse::<u8>().ok()) {
        Some(number @ 1..=DEVICE_CHECK_ATTEMPTS) => Ok(number == DEVICE_CHECK_ATTEMPTS),
        _ => Err(ApiError::bad(
            PS0026,
            "attemptNumber must be a whole number from 1 to 10",
        )),
    }
}

fn with_state(problem: PaymentError, session: &CallSession) -> ApiError {
    match problem {
        PaymentError::Refused(payframe_payment_domain::session::TransitionError::WrongState) => {
            ApiError::wrong_state(&session.row.session.state)
        }
        other => other.into(),
    }
}

const DEVICE_CHECK_ATTEMPTS: u8 = 10;
