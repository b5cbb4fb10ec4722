//! Another sum for an open session: `PATCH /build/session`, and the buyer's consent to it.

use super::Reply;
use super::call::{Call, SentBody};
use super::caller::Callers;
use super::customer::currency_of;
use super::endpoint::{Endpoint, FRAMES, PAYMENTS};
use super::error::{ApiError, RequestErrors};
use super::fields::{Presence, Section};
use super::requests::session::{AgreedSum, ChangeSession};
use super::requests::{Member, Part};
use super::session_call::{CallSession, FrameSession};
use crate::App;
use axum::extract::State;
use payframe_error_codes::ErrorCode::{
    GW9003, GW9006, PS0005, PS0007, PS0009, PS0026, PS0036, PS0061,
};
use payframe_money::Amount;
use payframe_payment_domain::operation::ActionType;
use payframe_payment_domain::session::TransitionError;
use payframe_payment_domain::sum::Sum;
use payframe_payment_service::PaymentError;
use payframe_payment_service::session_sum::{AskedChange, SumChangeError};
use payframe_protocol::api::StateObject;
use payframe_protocol::build::ChangedSession;
use utoipa_axum::routes;

/// The endpoint for merchants' servers: an extension of the contract.
pub(super) fn merchants() -> Vec<Endpoint> {
    vec![Endpoint::of(routes!(change_session)).refusals(&[
        PS0026, PS0036, PS0009, PS0007, PS0005, PS0061, GW9003, GW9006,
    ])]
}

/// The endpoint for frames: an extension of the contract.
pub(super) fn frames() -> Vec<Endpoint> {
    vec![
        Endpoint::of(routes!(agree_to_sum))
            .callers(Callers::Frame)
            .with_idempotency_key()
            .refusals(&[PS0026, PS0061, GW9003]),
    ]
}

/// Change the sum of an open session
///
/// Gives a session, and its order, another amount or currency while the buyer types. Members that are left out do not change. A form that is
/// open shows the new sum as soon as its page calls `refresh()`, or else before it pays. It keeps the entered data, and the buyer
/// presses Pay for the new sum. An offer in the card's own currency is withdrawn. Refused with `GW9003` once the payment is on
/// its way (a completion call was accepted, or the issuer asks the buyer) or over, and with `GW9006` for the order of a
/// reservation.
#[utoipa::path(
    patch, path = "/build/session", operation_id = "changeSession", tag = PAYMENTS,
    request_body = ChangeSession,
    responses((status = 200, body = ChangedSession)),
)]
async fn change_session(State(app): State<App>, call: Call) -> Result<Reply, ApiError> {
    let body: Part<ChangeSession> = Part::of(&call.body);
    let sent = body.members();
    let session = CallSession::in_body(&app, &call, &sent.session_id).await?;
    call.refuse_scripts()?;
    let mut findings = RequestErrors::default();
    let asked = read_change(&body, session.row.terms.action, &mut findings);
    findings.into_result()?;
    let changed = app
        .sessions()
        .change_sum(&session.row.hash, asked, call.slot.as_ref())
        .await;
    match changed {
        Ok(body) => Ok(Reply::bytes(body)),
        Err(SumChangeError::AboveOrder) => {
            Err(ApiError::bad(PS0007, "amount is above orderAmount"))
        }
        Err(SumChangeError::BelowInstallments) => Err(ApiError::bad(
            PS0005,
            "order.installments exceed the new amount",
        )),
        Err(SumChangeError::Payment(PaymentError::Refused(TransitionError::WrongState))) => {
            Err(ApiError::bad(
                GW9003,
                "the payment is on its way or over, so its amount can not change any more",
            ))
        }
        Err(SumChangeError::Payment(problem)) => Err(problem.into()),
    }
}

fn read_change(
    body: &Part<ChangeSession>,
    action: ActionType,
    findings: &mut RequestErrors,
) -> AskedChange {
    let mut whole = Section::body(body, findings);
    let sent = body.members();
    let optional = Presence::Optional;
    let amount = whole.amount("amount", &sent.amount, optional, findings);
    let currency = currency_of(&mut whole, &sent.currency, optional, findings);
    let order_amount = whole.amount("orderAmount", &sent.order_amount, optional, findings);
    let description = whole.free_text(
        "description",
        &sent.description,
        optional,
        0..=255,
        findings,
    );
    let members = [
        &sent.amount,
        &sent.currency,
        &sent.order_amount,
        &sent.description,
    ];
    if members.iter().all(|member| member.sent().is_none()) {
        findings.add(
            PS0026,
            "one of amount, currency, orderAmount, description must be there",
        );
    }
    for (name, amount) in [("amount", amount), ("orderAmount", order_amount)] {
        if action != ActionType::Verify && amount.is_some_and(Amount::is_zero) {
            findings.add(
                PS0026,
                format!("{name} must be above 0, except with VERIFY"),
            );
        }
    }
    AskedChange {
        amount,
        currency,
        order_amount,
        description: description.map(str::to_owned),
    }
}

/// Pay the new sum
///
/// For a buyer who pressed Pay again after the sum of the session changed: the payment continues with the card that was already sent. Another
/// sum than the session's is refused.
#[utoipa::path(
    post, path = "/fe/build/sum", operation_id = "agreeToSum", tag = FRAMES,
    request_body = AgreedSum,
    responses((status = 200, body = StateObject)),
)]
async fn agree_to_sum(
    State(app): State<App>,
    FrameSession(session): FrameSession,
    SentBody(body): SentBody<AgreedSum>,
    call: Call,
) -> Result<Reply, ApiError> {
    let mut findings = RequestErrors::default();
    let sent = &body.members().shown_sum;
    if sent.sent().is_none() {
        findings.add(PS0026, "shownSum is missing");
    }
    let sum = read_shown(sent, &mut findings);
    findings.into_result()?;
    let sum = sum.ok_or(ApiError::Ours)?;
    let agreed = app.sessions().agree_to_sum(&session.row.hash, sum).await;
    let row = match agreed {
        Err(PaymentError::Refused(TransitionError::WrongState)) => {
            return Err(ApiError::wrong_state(&session.row.session.state));
        }
        agreed => agreed?,
    };
    session.answer(&app, &call, &row, Vec::new()).await
}

/// The member `shownSum`: the sum that the form showed when the buyer pressed Pay.
pub(super) fn read_shown(member: &Member, findings: &mut RequestErrors) -> Option<Sum> {
    let sent = member.sent()?;
    let sum = sent.as_str().and_then(Sum::parse);
    if sum.is_none() {
        findings.add(
            PS0026,
            "shownSum must be an amount and a currency, as in 3545 EUR",
        );
    }
    sum
}
