//! Charges for a reservation after its first payment, and the calls that ask first whether a charge is possible (contract 8.3.4 to
//! 8.3.6, 8.3.11, 8.3.15 to 8.3.17).

use super::actions::{read_amount, read_description, read_money, refusal};
use super::call::{Call, CallingTerminal, SentBody};
use super::endpoint::{BASES, Endpoint, GUARANTEED_COLLECTION, Verb};
use super::error::{ApiError, RequestErrors};
use super::fields::{BodyCheck, Presence, Section};
use super::order_part::read_id;
use super::requests::reservation_charges::{
    ChargePart, ChargeQuestion, DelayedCharge, Increment, NoShow,
};
use super::requests::{Member, Part};
use super::reservations::NamedReservation;
use crate::App;
use axum::Json;
use axum::extract::State;
use payframe_error_codes::ErrorCode::{GW9003, PS0009, PS0026, PS0036, PS0043};
use payframe_money::Amount;
use payframe_payment_domain::ledger_rules::ActionCall;
use payframe_payment_domain::reservation::charges::{Charge, ReservationChargeError};
use payframe_payment_domain::terms::Terminal;
use payframe_payment_service::PaymentError;
use payframe_payment_service::order_version::ExpectedVersion;
use payframe_payment_service::post_authorization::FollowUpCall;
use payframe_payment_service::reservation_charges::ReservationChargeRequest;
use payframe_payment_service::reservations::{self as agreed, Reservation};
use payframe_protocol::operation::{Operation, OperationAnswer};
use payframe_protocol::reservation::Validation;
use payframe_storage::{ledger, operations, orders};
use serde::de::DeserializeOwned;
use utoipa_axum::routes;

/// Contract 8.3.4 to 8.3.6, 8.3.11, 8.3.15 to 8.3.17.
pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::of(routes!(increment))
            .with_idempotency_key()
            .with_object_in_body()
            .asking_for_money()
            .refusals(&[PS0026, PS0036, PS0009, GW9003]),
        Endpoint::of(routes!(charge_delayed))
            .with_idempotency_key()
            .with_object_in_body()
            .asking_for_money()
            .refusals(&[PS0026, PS0036, PS0009, PS0043, GW9003]),
        Endpoint::of(routes!(charge_no_show))
            .with_idempotency_key()
            .with_object_in_body()
            .asking_for_money()
            .refusals(&[PS0026, PS0036, PS0009, PS0043, GW9003]),
        Endpoint::of(routes!(charge_part))
            .alias(Verb::Post, "/reservations/{reservationId}/mit", BASES)
            .with_idempotency_key()
            .asking_for_money()
            .refusals(&[PS0026, PS0036, PS0043, GW9003]),
        Endpoint::of(routes!(validate_no_show))
            .with_object_in_body()
            .refusals(&[PS0026, PS0036, PS0009, PS0043, GW9003]),
        Endpoint::of(routes!(validate_delayed_charge))
            .with_object_in_body()
            .refusals(&[PS0026, PS0036, PS0009, PS0043, GW9003]),
        Endpoint::of(routes!(validate_increment))
            .with_object_in_body()
            .refusals(&[PS0026, PS0036, PS0009, PS0043, GW9003]),
    ]
}

/// The request of a charge that follows an operation.
struct FollowUpCharge {
    original_id: String,
    amount: Amount,
    currency: String,
    description: Option<String>,
}

/// The members of such a charge.
trait SentFollowUpCharge: DeserializeOwned + Default {
    /// `originalOperationId`.
    fn original_operation_id(&self) -> &Member;
    /// `amount` and `currency`.
    fn money(&self) -> [&Member; 2];
    /// `description`.
    fn description(&self) -> &Member;
}

macro_rules! following {
    ($($body:ty),*) => {$(
        impl SentFollowUpCharge for $body {
            fn original_operation_id(&self) -> &Member {
                &self.original_operation_id
            }

            fn money(&self) -> [&Member; 2] {
                [&self.amount, &self.currency]
            }

            fn description(&self) -> &Member {
                &self.description
            }
        }
    )*};
}

following!(Increment, DelayedCharge, NoShow);

fn read_following(
    whole: &mut Section,
    sent: &impl SentFollowUpCharge,
    findings: &mut RequestErrors,
) -> Option<FollowUpCharge> {
    let original_id = whole.text(
        "originalOperationId",
        sent.original_operation_id(),
        Presence::Mandatory,
        1..=36,
        findings,
    );
    let (amount, currency) = read_money(whole, sent.money(), findings);
    let description = read_description(whole, sent.description(), findings);
    Some(FollowUpCharge {
        original_id: original_id?.to_owned(),
        amount: amount?,
        currency: currency?,
        description: description.map(str::to_owned),
    })
}

/// Increase a pre-authorization
///
/// Holds more money for a pre-authorization of which nothing is captured, also for a reservation with `DELAYED`
/// collection. All increments together are at most the first amount. The day of its release does not change.
#[utoipa::path(
    post, path = "/incrementals", operation_id = "increment", tag = GUARANTEED_COLLECTION,
    request_body = Increment,
    responses((status = 200, body = OperationAnswer)),
)]
async fn increment(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    SentBody(sent): SentBody<Increment>,
    call: Call,
) -> Result<Json<OperationAnswer>, ApiError> {
    let (asked, original) = original(&app, &terminal, &sent).await?;
    let payment_id = {
        let mut connection = app.store().read().await?;
        ledger::payment_of(&mut connection, &terminal.merchant_id, &asked.original_id).await?
    };
    let ask = FollowUpCall {
        expected_version: ExpectedVersion::Any,
        target_id: &original.operation_id,
        payment_id: &payment_id.ok_or(ApiError::NotFound)?,
        call: ActionCall::Increment,
        wanted: None,
        amount: Some(asked.amount),
        description: asked.description.as_deref(),
        terminal_id: &terminal.terminal_id,
        slot: call.slot.as_ref(),
        author: call.author(),
    };
    let operation = app
        .post_authorization()
        .increment(&ask)
        .await
        .map_err(refusal)?;
    Ok(Json(OperationAnswer { operation }))
}

/// Charge an amount after the stay
///
/// From `checkOutDate` until 90 days later; all such charges together are at most the reservation's amount.
#[utoipa::path(
    post, path = "/delay_charges", operation_id = "chargeDelayed", tag = GUARANTEED_COLLECTION,
    request_body = DelayedCharge,
    responses((status = 200, body = OperationAnswer)),
)]
async fn charge_delayed(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    SentBody(sent): SentBody<DelayedCharge>,
    call: Call,
) -> Result<Json<OperationAnswer>, ApiError> {
    charge(&app, (&terminal, &call), &sent, Charge::Delayed).await
}

/// Charge a guest who did not come
///
/// Once, from the check-in time until 90 days after `checkOutDate`: with `GUARANTEED_NOSHOW` at most one night, with
/// `GUARANTEED_PENALTY` at most the penalty.
#[utoipa::path(
    post, path = "/no_shows", operation_id = "chargeNoShow", tag = GUARANTEED_COLLECTION,
    request_body = NoShow,
    responses((status = 200, body = OperationAnswer)),
)]
async fn charge_no_show(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    SentBody(sent): SentBody<NoShow>,
    call: Call,
) -> Result<Json<OperationAnswer>, ApiError> {
    charge(&app, (&terminal, &call), &sent, Charge::NoShow).await
}

/// `POST /delay_charges`, `POST /no_shows`
async fn charge<T: SentFollowUpCharge>(
    app: &App,
    (terminal, call): (&Terminal, &Call),
    sent: &Part<T>,
    charge: Charge,
) -> Result<Json<OperationAnswer>, ApiError> {
    let (asked, original) = original(app, terminal, sent).await?;
    let order = {
        let mut connection = app.store().read().await?;
        orders::find(&mut connection, &terminal.merchant_id, &original.order_id).await?
    };
    if !order.is_some_and(|order| order.is_reservation) {
        return Err(PaymentError::Reservation(ReservationChargeError::Original).into());
    }
    let ask = ReservationChargeRequest {
        merchant_id: &terminal.merchant_id,
        reservation_id: &original.order_id,
        original: Some(&original),
        charge,
        amount: asked.amount,
        description: asked.description.as_deref(),
        terminal,
        trace_id: &call.correlation_id,
        slot: call.slot.as_ref(),
        author: call.author(),
    };
    made(app, &ask).await
}

/// The request, and the operation that it names.
async fn original<T: SentFollowUpCharge>(
    app: &App,
    terminal: &Terminal,
    sent: &Part<T>,
) -> Result<(FollowUpCharge, Operation), ApiError> {
    let asked = check_following(sent)?;
    let merchant_id = &terminal.merchant_id;
    let mut connection = app.store().read().await?;
    let found =
        operations::find_of_merchant(&mut connection, merchant_id, &asked.original_id).await?;
    let original = found.ok_or(ApiError::NotFound)?;
    must_be(&asked.currency, &original.operation_currency)?;
    Ok((asked, original))
}

fn check_following<T: SentFollowUpCharge>(sent: &Part<T>) -> Result<FollowUpCharge, ApiError> {
    let mut check = BodyCheck::of(sent);
    let asked = read_following(&mut check.body, sent.members(), &mut check.findings);
    check.finish()?;
    // Without a finding, all mandatory members were read.
    asked.ok_or(ApiError::Ours)
}

/// Charge a part of a reservation
///
/// A `MANUAL` installment, or the rest of the amount. Installments that the gateway charges on a later day are not part of that rest.
#[utoipa::path(
    post, path = "/reservation/{reservationId}/mit", operation_id = "chargePart", tag = GUARANTEED_COLLECTION,
    params((
        "reservationId" = String, Path, example = "STAY-1",
        description = "The reservation, by its id, which is also the `orderId` of its payments.",
    )),
    request_body = ChargePart,
    responses((status = 200, body = OperationAnswer)),
)]
async fn charge_part(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    NamedReservation(reservation): NamedReservation,
    SentBody(sent): SentBody<ChargePart>,
    call: Call,
) -> Result<Json<OperationAnswer>, ApiError> {
    let mut check = BodyCheck::of(&sent);
    let amount = &sent.members().amount;
    let amount = read_amount(&mut check.body, amount, &mut check.findings);
    check.finish()?;
    let ask = ReservationChargeRequest {
        merchant_id: &terminal.merchant_id,
        reservation_id: &reservation.row.reservation_id,
        original: None,
        charge: Charge::Part,
        // Without a finding, the amount was read.
        amount: amount.ok_or(ApiError::Ours)?,
        description: None,
        terminal: &terminal,
        trace_id: &call.correlation_id,
        slot: call.slot.as_ref(),
        author: call.author(),
    };
    made(&app, &ask).await
}

async fn made(
    app: &App,
    ask: &ReservationChargeRequest<'_>,
) -> Result<Json<OperationAnswer>, ApiError> {
    let operation = app.reservations().charge(ask).await?;
    Ok(Json(OperationAnswer {
        operation: operation.ok_or(ApiError::NotFound)?,
    }))
}

/// Ask whether a no-show may be charged
///
/// Nothing is charged or stored. Answers the largest amount that is possible at present, or the refusal that the charge would get.
#[utoipa::path(
    post, path = "/noshow_validation", operation_id = "validateNoShow", tag = GUARANTEED_COLLECTION,
    request_body = ChargeQuestion,
    responses((status = 200, body = Validation)),
)]
async fn validate_no_show(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    SentBody(sent): SentBody<ChargeQuestion>,
) -> Result<Json<Validation>, ApiError> {
    validate(&app, &terminal, &sent, Charge::NoShow).await
}

/// Ask whether a delayed charge may be made
///
/// Nothing is charged or stored. Answers the largest amount that is possible at present, or the refusal that the charge would get.
#[utoipa::path(
    post, path = "/delaycharge_validation", operation_id = "validateDelayedCharge", tag = GUARANTEED_COLLECTION,
    request_body = ChargeQuestion,
    responses((status = 200, body = Validation)),
)]
async fn validate_delayed_charge(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    SentBody(sent): SentBody<ChargeQuestion>,
) -> Result<Json<Validation>, ApiError> {
    validate(&app, &terminal, &sent, Charge::Delayed).await
}

/// Ask whether a pre-authorization may be increased
///
/// Nothing is charged or stored. Answers the largest amount that is possible at present, or the refusal that the increase would get.
#[utoipa::path(
    post, path = "/incremental_validation", operation_id = "validateIncrement", tag = GUARANTEED_COLLECTION,
    request_body = ChargeQuestion,
    responses((status = 200, body = Validation)),
)]
async fn validate_increment(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    SentBody(sent): SentBody<ChargeQuestion>,
) -> Result<Json<Validation>, ApiError> {
    validate(&app, &terminal, &sent, Charge::Incremental).await
}

/// `POST /noshow_validation`, `POST /delaycharge_validation`, `POST /incremental_validation`
async fn validate(
    app: &App,
    terminal: &Terminal,
    sent: &Part<ChargeQuestion>,
    charge: Charge,
) -> Result<Json<Validation>, ApiError> {
    let mut check = BodyCheck::of(sent);
    let asked = read_question(&mut check.body, sent.members(), &mut check.findings);
    check.finish()?;
    // Without a finding, all mandatory members were read.
    let (reservation_id, amount, currency) = asked.ok_or(ApiError::Ours)?;
    let merchant_id = &terminal.merchant_id;
    let mut connection = app.store().read().await?;
    let found = agreed::load(&mut connection, merchant_id, reservation_id).await?;
    let reservation: Reservation = found.ok_or(ApiError::NotFound)?;
    must_be(&currency, &reservation.order.currency)?;
    let now_ms = app.clock().now_ms();
    let max_amount = match charge {
        Charge::Incremental => app
            .post_authorization()
            .validate_increment(&mut connection, &reservation, amount, now_ms)
            .await
            .map_err(refusal)?,
        _ => reservation
            .permitted_amount(charge, Some(amount), now_ms)
            .map_err(PaymentError::Reservation)?,
    };
    Ok(Json(Validation {
        valid: true,
        max_amount: max_amount.to_string(),
        currency,
    }))
}

fn read_question<'a>(
    whole: &mut Section,
    sent: &'a ChargeQuestion,
    findings: &mut RequestErrors,
) -> Option<(&'a str, Amount, String)> {
    let reservation_id = read_id(
        whole,
        "reservationId",
        &sent.reservation_id,
        Presence::Mandatory,
        findings,
    );
    let (amount, currency) = read_money(whole, [&sent.amount, &sent.currency], findings);
    Some((reservation_id?, amount?, currency?))
}

/// Contract 8: a later charge has the currency of the operation that it follows.
fn must_be(currency: &str, of_original: &str) -> Result<(), ApiError> {
    if currency == of_original {
        return Ok(());
    }
    Err(ApiError::bad(
        PS0009,
        "currency must be that of the operation or the reservation",
    ))
}
