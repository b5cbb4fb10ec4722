//! `POST /orders/build` and `/build/*` (contract, sections 3 and 4).

use super::Reply;
use super::call::{Call, CallingTerminal, SentBody};
use super::caller::{Caller, Callers};
use super::creation_rules::{Headers, Rules};
use super::endpoint::{Endpoint, PAYMENTS};
use super::error::{ApiError, RequestErrors};
use super::fields::{Presence, Section};
use super::order_request;
use super::requests::Part;
use super::requests::creation::OpenPayment;
use super::requests::queries::AskedSession;
use super::requests::session::{ConfirmPayment, FinalizePayment, NamedSession};
use super::session_call::{CallSession, QuerySession};
use super::session_sum::read_shown;
use crate::App;
use axum::Json;
use axum::extract::State;
use axum::http::header::CACHE_CONTROL;
use axum::http::{HeaderName, StatusCode};
use payframe_error_codes::ErrorCode::{
    GW0001, GW0002, GW9003, GW9006, PS0000, PS0005, PS0006, PS0007, PS0008, PS0009, PS0017, PS0026,
    PS0036, PS0061,
};
use payframe_money::Amount;
use payframe_payment_domain::card::{EnteredCard, circuit};
use payframe_payment_domain::operation::ActionType;
use payframe_payment_domain::session::{CompletionCall, State as SessionState};
use payframe_payment_domain::sum::Sum;
use payframe_payment_domain::terms::{CaptureInitiator, Version};
use payframe_payment_service::PaymentError;
use payframe_payment_service::completion::{CompletedSession, CompletionError, CompletionRequest};
use payframe_payment_service::idempotency::{Slot, StoredResponse};
use payframe_payment_service::session_sum::offer_dropped_warning;
use payframe_protocol::api::{CardData, ShownCard, StateObject};
use payframe_protocol::build::{
    BuildAnswer, IntegrityAnswer, MerchantStateObject, ScriptIntegrity,
};
use payframe_protocol::operation::Operation;
use payframe_protocol::warning::Warning;
use payframe_storage::sessions::SessionRow;
use utoipa_axum::routes;

/// Contract, sections 3 and 4.
pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::of(routes!(open_payment))
            .asking_for_buyers_money()
            .refusals(&[
                GW0001, PS0026, PS0036, PS0008, PS0009, PS0007, PS0005, PS0006, GW0002, PS0017,
                GW9006,
            ]),
        Endpoint::of(routes!(read_state))
            .answer_to_frames::<StateObject>()
            .callers(Callers::MerchantOrFrame)
            .query::<AskedSession>()
            .refusals(&[PS0026, PS0061]),
        Endpoint::of(routes!(read_card_data))
            .answer_to_frames::<ShownCard>()
            .callers(Callers::MerchantOrFrame)
            .query::<AskedSession>()
            .refusals(&[PS0026, PS0061, GW9003]),
        Endpoint::of(routes!(read_integrity)),
        Endpoint::of(routes!(confirm_payment))
            .answer_to_frames::<StateObject>()
            .callers(Callers::MerchantOrFrame)
            .asking_for_buyers_money()
            .refusals(&[PS0026, PS0036, PS0061, PS0017, GW9003, GW9006]),
        Endpoint::of(routes!(finalize_payment))
            .answer_to_frames::<StateObject>()
            .callers(Callers::MerchantOrFrame)
            .asking_for_buyers_money()
            .refusals(&[PS0026, PS0061, PS0017, GW9003, GW9006]),
        Endpoint::of(routes!(cancel_session))
            .answer_to_frames::<StateObject>()
            .callers(Callers::MerchantOrFrame)
            .refusals(&[PS0026, PS0061, GW9003]),
    ]
}

/// Open a payment in an embedded form
///
/// Makes a build session for an order. The answer says where the form or its fields are. The order may be new, or one
/// without an approved payment and with the same amount and currency. The origin of `merchantUrl` has to be proven for
/// the terminal. `paymentSession.amount` must not be above `order.amount`; both are above 0 except with `VERIFY`.
#[utoipa::path(
    post, path = "/orders/build", operation_id = "openPayment", tag = PAYMENTS,
    request_body = OpenPayment,
    responses((status = 200, body = BuildAnswer)),
)]
async fn open_payment(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    SentBody(body): SentBody<OpenPayment>,
    call: Call,
) -> Result<Reply, ApiError> {
    let rules = Rules::of(&app, &terminal);
    let headers = Headers::of(&call);
    let new_session = order_request::read(&body, &headers, &rules)?;
    app.forms()
        .must_be_proven(&terminal, &new_session.framing.merchant)
        .await?;
    let body = app
        .sessions()
        .open(&terminal, new_session, call.slot.as_ref())
        .await?;
    Ok(Reply::bytes(body))
}

/// Read the state of a session
///
/// The state of the session, and what the page must show in it.
#[utoipa::path(
    get, path = "/build/state", operation_id = "readState", tag = PAYMENTS,
    responses((status = 200, body = MerchantStateObject)),
)]
async fn read_state(
    State(app): State<App>,
    QuerySession(session): QuerySession,
    call: Call,
) -> Result<Reply, ApiError> {
    session.answer(&app, &call, &session.row, Vec::new()).await
}

/// Read the card data that a page may show
///
/// First and last digits, expiry and network of the card that was entered. Refused until a card is entered. A frame is told the
/// network, and the digits that the session allows (`form.cardSummary`); of a stored card the last four, because the form says which it is.
#[utoipa::path(
    get, path = "/build/cardData", operation_id = "readCardData", tag = PAYMENTS,
    responses((status = 200, body = CardData)),
)]
async fn read_card_data(
    QuerySession(session): QuerySession,
    call: Call,
) -> Result<Reply, ApiError> {
    let card = match &session.row.session.state {
        SessionState::Ready { card }
        | SessionState::VerifyingDevice { card, .. }
        | SessionState::Challenged { card, .. }
        | SessionState::Authorizing { card, .. }
        | SessionState::SteppingUp { card, .. }
        | SessionState::Complete {
            card: Some(card), ..
        } => card,
        other => return Err(ApiError::wrong_state(other)),
    };
    if matches!(call.caller, Caller::Frame { .. }) {
        return Reply::json(&shown_card(card, &session.row.terms.card_summary));
    }
    Reply::json(&CardData {
        bin: card.bin.clone(),
        last_four_digits: card.last4.clone(),
        expiring_date: card.expiry.mmyy(),
        circuit: circuit(card.network).to_owned(),
        funding: card.funding.map(|funding| funding.code().to_owned()),
        issuer_country: card.country.clone(),
    })
}

/// What a frame may read of a card. Whoever has the session's id can call like a frame.
fn shown_card(card: &EnteredCard, card_summary: &str) -> ShownCard {
    let tells_bin = card_summary == "BIN_LAST4";
    let tells_last4 = card_summary != "NONE" || card.contract_id.is_some();
    ShownCard {
        circuit: circuit(card.network).to_owned(),
        bin: card.bin.get(..6).filter(|_| tells_bin).map(str::to_owned),
        last_four_digits: tells_last4.then(|| card.last4.clone()),
    }
}

/// Read the integrity values of the browser SDK
///
/// What the attribute `integrity` of a script element has to be for each script that merchants load. May be kept for
/// five minutes.
#[utoipa::path(
    get, path = "/build/integrity", operation_id = "readIntegrity", tag = PAYMENTS,
    responses((status = 200, body = IntegrityAnswer)),
)]
async fn read_integrity(
    State(app): State<App>,
) -> Result<([(HeaderName, &'static str); 1], Json<IntegrityAnswer>), ApiError> {
    let scripts: Vec<ScriptIntegrity> = app
        .dist()
        .map(|dist| dist.integrity())
        .unwrap_or_default()
        .into_iter()
        .map(|(path, integrity)| ScriptIntegrity {
            src: format!("{}{path}", app.config().origin),
            integrity,
        })
        .collect();
    let Some(current) = scripts.first() else {
        return Err(ApiError::with(
            StatusCode::INTERNAL_SERVER_ERROR,
            PS0000,
            "the browser SDK is not built",
        ));
    };
    let answer = IntegrityAnswer {
        integrity: current.integrity.clone(),
        cross_origin: String::from("anonymous"),
        scripts,
    };
    Ok(([(CACHE_CONTROL, "max-age=300")], Json(answer)))
}

/// Close a payment of version 2
///
/// Charges the card that was entered, or, with `confirm: false`, only fixes the amount. A frame may call it if the
/// session says so (`form.closing`), with the session's amount.
#[utoipa::path(
    post, path = "/build/confirm_payment", operation_id = "confirmPayment", tag = PAYMENTS,
    request_body = ConfirmPayment,
    responses((status = 200, body = MerchantStateObject)),
)]
async fn confirm_payment(State(app): State<App>, call: Call) -> Result<Reply, ApiError> {
    let body: Part<ConfirmPayment> = Part::of(&call.body);
    let sent = body.members();
    let session = CallSession::in_body(&app, &call, &sent.session_id).await?;
    call.refuse_scripts()?;
    let mut findings = RequestErrors::default();
    let mut whole = Section::body(&body, &mut findings);
    let amount = whole.amount("amount", &sent.amount, Presence::Mandatory, &mut findings);
    let confirms = whole.flag("confirm", &sent.confirm, &mut findings);
    let confirms = confirms.unwrap_or(true);
    if amount.is_some_and(Amount::is_zero) && session.row.terms.action != ActionType::Verify {
        findings.add(PS0026, "amount must be above 0");
    }
    if matches!(call.caller, Caller::Frame { .. }) {
        if amount.is_some_and(|amount| amount != session.row.amount) {
            findings.add(PS0026, "amount must be the session's");
        }
        if !confirms {
            findings.add(
                PS0026,
                "confirm may be false only from the merchant's server",
            );
        }
    }
    let shown = read_shown(&sent.shown_sum, &mut findings);
    findings.into_result()?;
    let amount = amount.ok_or(ApiError::Ours)?;
    may_close(&call, &session, Version::Two)?;
    if confirms {
        return close(
            &app,
            &call,
            &session,
            CompletionCall::Confirm,
            (Some(amount), shown),
        )
        .await;
    }
    let closed = app
        .sessions()
        .fix_amount(&session.row.hash, amount)
        .await
        .map_err(|problem| with_state(problem, &session))?;
    session
        .answer(&app, &call, &closed.row, dropped(&closed))
        .await
}

/// Close a payment of version 3
///
/// Charges the card that was entered. A frame may call it if the session says so (`form.closing`).
#[utoipa::path(
    post, path = "/build/finalize_payment", operation_id = "finalizePayment", tag = PAYMENTS,
    request_body = FinalizePayment,
    responses((status = 200, body = MerchantStateObject)),
)]
async fn finalize_payment(State(app): State<App>, call: Call) -> Result<Reply, ApiError> {
    let body: Part<FinalizePayment> = Part::of(&call.body);
    let sent = body.members();
    let session = CallSession::in_body(&app, &call, &sent.session_id).await?;
    call.refuse_scripts()?;
    let mut findings = RequestErrors::default();
    let shown = read_shown(&sent.shown_sum, &mut findings);
    findings.into_result()?;
    may_close(&call, &session, Version::Three)?;
    close(
        &app,
        &call,
        &session,
        CompletionCall::Finalize,
        (None, shown),
    )
    .await
}

/// Cancel a session
///
/// Ends the session. Money that is already approved is released or refunded.
#[utoipa::path(
    post, path = "/build/cancel", operation_id = "cancelSession", tag = PAYMENTS,
    request_body = NamedSession,
    responses((status = 200, body = MerchantStateObject)),
)]
async fn cancel_session(State(app): State<App>, call: Call) -> Result<Reply, ApiError> {
    let body: Part<NamedSession> = Part::of(&call.body);
    let session = CallSession::in_body(&app, &call, &body.members().session_id).await?;
    call.refuse_scripts()?;
    let (terminal_id, by_buyer) = match &call.caller {
        Caller::Merchant { terminal, .. } => (Some(terminal.terminal_id.as_str()), false),
        Caller::Frame { .. } => (None, true),
    };
    let row = app
        .sessions()
        .cancel(&session.row.hash, terminal_id, by_buyer)
        .await?;
    session.answer(&app, &call, &row, Vec::new()).await
}

async fn close(
    app: &App,
    call: &Call,
    session: &CallSession,
    completion_call: CompletionCall,
    (amount, shown): (Option<Amount>, Option<Sum>),
) -> Result<Reply, ApiError> {
    let (terminal_id, by_buyer) = match &call.caller {
        Caller::Merchant { terminal, .. } => (terminal.terminal_id.clone(), false),
        Caller::Frame { .. } => (session.row.terms.terminal_id.clone(), true),
    };
    let write = |row: &SessionRow, recorded: Option<&Operation>| {
        session.answer_after(app, call, row, recorded)
    };
    let close = CompletionRequest {
        completion_call,
        amount,
        shown,
        terminal_id,
        by_buyer,
        answer: call.slot.as_ref().map(|slot| StoredResponse {
            slot,
            write: &write,
        }),
    };
    match app.sessions().close(&session.row.hash, close).await {
        Ok(closed) => match call.slot.as_ref().and_then(Slot::kept) {
            Some(kept) => Ok(Reply::bytes(kept.to_owned())),
            None => {
                session
                    .answer(app, call, &closed.row, dropped(&closed))
                    .await
            }
        },
        Err(CompletionError::OtherAmount) => Err(ApiError::bad(
            PS0026,
            "amount must be the one that was confirmed",
        )),
        Err(CompletionError::Payment(problem)) => Err(with_state(problem, session)),
    }
}

/// Whether the caller may close a session of this version (contract 1.4, 3.2, 3.7).
fn may_close(call: &Call, session: &CallSession, version: Version) -> Result<(), ApiError> {
    let terms = &session.row.terms;
    if terms.version != version {
        let right = match terms.version {
            Version::Two => "confirm_payment",
            Version::Three => "finalize_payment",
        };
        let text = format!(
            "a session of version {} is closed by {right}",
            terms.version.number()
        );
        return Err(ApiError::bad(GW9003, text));
    }
    if matches!(call.caller, Caller::Frame { .. })
        && terms.capture_initiator == CaptureInitiator::Server
    {
        return Err(ApiError::bad(
            GW9003,
            "only the merchant's server may close this session (form.closing)",
        ));
    }
    Ok(())
}

/// Adds the state to the refusal if the state is the reason.
fn with_state(problem: PaymentError, session: &CallSession) -> ApiError {
    match problem {
        PaymentError::Refused(payframe_payment_domain::session::TransitionError::WrongState) => {
            ApiError::wrong_state(&session.row.session.state)
        }
        other => other.into(),
    }
}

fn dropped(closed: &CompletedSession) -> Vec<Warning> {
    if !closed.offer_dropped {
        return Vec::new();
    }
    vec![offer_dropped_warning()]
}
