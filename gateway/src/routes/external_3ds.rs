//! 3-step payments (contract 8.1.5 to 8.1.7): the merchant's server leads the authentication.

use super::Reply;
use super::call::{Call, CallingTerminal, SentBody};
use super::card_part;
use super::endpoint::{Endpoint, PAYMENTS};
use super::error::{ApiError, RequestErrors};
use super::exemptions;
use super::fields::{Presence, Section};
use super::order_part::OrderPart;
use super::payment_part::read_asked_capture;
use super::recurrence;
use super::requests::external_3ds::{
    AuthenticationData, BeginThreeStepPayment, MakeThreeStepPayment, ValidateThreeStepPayment,
};
use super::requests::forms::{ActionTypes, ChallengeWishes};
use super::requests::{Member, Part};
use super::server_to_server::{Rules, direct_order, read_any_order};
use crate::App;
use axum::extract::State;
use payframe_error_codes::ErrorCode::{
    GW9003, GW9006, PS0005, PS0006, PS0008, PS0009, PS0017, PS0026, PS0036,
};
use payframe_money::Amount;
use payframe_payment_domain::contract::Recurrence;
use payframe_payment_domain::exemption::UnchallengedPayment;
use payframe_payment_domain::operation::{ActionType, Capture};
use payframe_payment_domain::terms::{Channel, agreed_capture};
use payframe_payment_service::card_entry::ValidatedCard;
use payframe_payment_service::external_3ds::{
    AuthenticationProof, External3dsError, StepInit, StepPayment,
};
use payframe_protocol::operation::OperationAnswer;
use payframe_protocol::three_step::{ThreeStepInitAnswer, ThreeStepValidationAnswer};
use utoipa_axum::routes;

/// Contract 8.1.5 to 8.1.7.
pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::of(routes!(begin_three_step_payment))
            .asking_for_buyers_money()
            .refusals(&[
                PS0026, PS0036, PS0008, PS0009, PS0005, PS0006, PS0017, GW9006,
            ]),
        Endpoint::of(routes!(validate_three_step_payment))
            .asking_for_money()
            .refusals(&[PS0026, GW9003]),
        Endpoint::of(routes!(make_three_step_payment))
            .asking_for_money()
            .refusals(&[
                PS0026, PS0036, PS0008, PS0009, PS0005, PS0006, PS0017, GW9006, GW9003,
            ]),
    ]
}

/// The members of the first call.
struct InitPart {
    order: Option<OrderPart>,
    action: ActionType,
    card: Option<ValidatedCard>,
    recurrence: Option<Recurrence>,
    challenge_preference: &'static str,
}

/// Begin a 3-step payment
///
/// Asks the card's issuer whether the buyer has to be authenticated. If `operationResult` is `PENDING`, the buyer's
/// browser posts a form to `threeDSAuthUrl` with `ThreeDsRequest` (`threeDSAuthRequest`), `ReturnUrl` and
/// `transactionId` (`operationId`). A form with `PaRes` and `paymentId` sends it back to `ReturnUrl`: validate that
/// `PaRes`. If `threeDSAuthRequest` is `notneeded`, the buyer is not asked: validate the word `notneeded`, or continue
/// with the payment. The operation is valid for 30 minutes. A payment by `SUBSEQUENT_PAYMENT` needs no `card`; a card
/// that is sent must be the contract's. For merchants who may handle card data.
#[utoipa::path(
    post, path = "/orders/3steps/init", operation_id = "beginThreeStepPayment", tag = PAYMENTS,
    request_body = BeginThreeStepPayment,
    responses((status = 200, body = ThreeStepInitAnswer)),
)]
async fn begin_three_step_payment(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    SentBody(body): SentBody<BeginThreeStepPayment>,
    call: Call,
) -> Result<Reply, ApiError> {
    let mut findings = RequestErrors::default();
    let part = read_init(&body, &Rules::of(&app, &call, &terminal), &mut findings);
    findings.into_result()?;
    // Without a finding, all mandatory members were read.
    let order = part.order.ok_or(ApiError::Ours)?;
    // The last call decides about the capture. With a pre-authorization there is nothing to decide.
    let capture = agreed_capture(None, part.action, &terminal).unwrap_or(terminal.capture);
    let init = StepInit {
        order: direct_order(&call, order, part.action, capture, Channel::Server),
        card: part.card,
        recurrence: part.recurrence,
        challenge_preference: part.challenge_preference,
    };
    let body = app
        .external_3ds()
        .begin(&terminal, &init, call.slot.as_ref())
        .await?;
    Ok(Reply::bytes(body))
}

fn read_init(
    body: &Part<BeginThreeStepPayment>,
    rules: &Rules<'_>,
    findings: &mut RequestErrors,
) -> InitPart {
    let mut whole = Section::body(body, findings);
    let sent = body.members();
    let (order, amount) = read_any_order(&whole, &sent.order, rules, findings);
    let action = whole.one_of(
        "actionType",
        &sent.action_type,
        ActionTypes::CODES,
        findings,
    );
    let action = action
        .and_then(ActionType::from_code)
        .unwrap_or(ActionType::Pay);
    if action != ActionType::Verify && amount.is_some_and(Amount::is_zero) {
        findings.add(PS0026, "order.amount must be above 0, except with VERIFY");
    }
    let recurrence = &sent.recurrence;
    let recurrence = recurrence::read(&whole, recurrence, rules.terminal, rules.today, findings);
    // Mandatory unless a stored card pays.
    let presence = match recurrence {
        Some(Recurrence::Pay { .. }) => Presence::Optional,
        _ => Presence::Mandatory,
    };
    let held_against = (rules.terminal, rules.bins);
    let card = card_part::read(
        &whole,
        &sent.card,
        presence,
        held_against,
        rules.last_today,
        findings,
    );
    let payment = order
        .as_ref()
        .zip(amount)
        .map(|(order, amount)| UnchallengedPayment {
            action,
            amount,
            currency: &order.currency,
            recurrence: recurrence.as_ref(),
        });
    let challenge_preference = exemptions::read(
        &mut whole,
        &sent.exemptions,
        payment.as_ref(),
        rules.terminal,
        findings,
    );
    InitPart {
        order,
        action,
        card,
        recurrence,
        challenge_preference,
    }
}

/// Validate the challenge of a 3-step payment
///
/// Takes the `PaRes` that the buyer's browser brought, or `notneeded` if the buyer was not asked. A repeated call
/// gets the same answer. `threeDSAuthResult` contains what the payment needs as `threeDSAuthData`.
#[utoipa::path(
    post, path = "/orders/3steps/validation", operation_id = "validateThreeStepPayment", tag = PAYMENTS,
    request_body = ValidateThreeStepPayment,
    responses((status = 200, body = ThreeStepValidationAnswer)),
)]
async fn validate_three_step_payment(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    SentBody(body): SentBody<ValidateThreeStepPayment>,
) -> Result<Reply, ApiError> {
    let mut findings = RequestErrors::default();
    let read = read_validation(&body, &mut findings);
    findings.into_result()?;
    let (Some(operation_id), Some(response)) = read else {
        return Err(ApiError::Ours);
    };
    let body = app
        .external_3ds()
        .validate(&terminal.merchant_id, operation_id, response)
        .await?;
    Ok(Reply::bytes(body))
}

fn read_validation<'a>(
    body: &'a Part<ValidateThreeStepPayment>,
    findings: &mut RequestErrors,
) -> (Option<&'a str>, Option<&'a str>) {
    let mut whole = Section::body(body, findings);
    let sent = body.members();
    let operation_id = read_operation_id(&sent.operation_id, findings);
    let response = whole.text(
        "threeDSAuthResponse",
        &sent.three_ds_auth_response,
        Presence::Mandatory,
        1..=2048,
        findings,
    );
    (operation_id, response)
}

/// An `operationId` of a body.
fn read_operation_id<'a>(member: &'a Member, findings: &mut RequestErrors) -> Option<&'a str> {
    let is_id = |text: &&str| text.len() == 18 && text.bytes().all(|byte| byte.is_ascii_digit());
    let Some(value) = member.sent() else {
        findings.add(PS0026, "operationId is missing");
        return None;
    };
    let operation_id = value.as_str().filter(is_id);
    if operation_id.is_none() {
        findings.add(PS0026, "operationId must be 18 digits");
    }
    operation_id
}

/// The members of the last call.
struct PaymentPart<'a> {
    operation_id: Option<&'a str>,
    order: Option<OrderPart>,
    card: Option<ValidatedCard>,
    recurrence: Option<Recurrence>,
    capture: Option<Capture>,
    proof: Option<AuthenticationProof<'a>>,
}

/// Make a 3-step payment
///
/// Charges the card. Order, amount, currency and card must be those of the first call. `threeDSAuthData` is mandatory
/// if the challenge was validated. Each operation has one payment: a repeated call answers its result. For merchants
/// who may handle card data.
#[utoipa::path(
    post, path = "/orders/3steps/payment", operation_id = "makeThreeStepPayment", tag = PAYMENTS,
    request_body = MakeThreeStepPayment,
    responses((status = 200, body = OperationAnswer)),
)]
async fn make_three_step_payment(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    SentBody(body): SentBody<MakeThreeStepPayment>,
    call: Call,
) -> Result<Reply, ApiError> {
    let mut findings = RequestErrors::default();
    let part = read_payment(&body, &Rules::of(&app, &call, &terminal), &mut findings);
    findings.into_result()?;
    let (Some(operation_id), Some(order)) = (part.operation_id, part.order) else {
        return Err(ApiError::Ours);
    };
    let payment = StepPayment {
        operation_id,
        order_id: &order.order_id,
        amount: order.amount,
        currency: &order.currency,
        card: part.card,
        recurrence: part.recurrence,
        capture: part.capture,
        proof: part.proof,
    };
    let body = app
        .external_3ds()
        .pay(&terminal, payment, call.slot.as_ref())
        .await?;
    Ok(Reply::bytes(body))
}

fn read_payment<'a>(
    body: &'a Part<MakeThreeStepPayment>,
    rules: &Rules<'_>,
    findings: &mut RequestErrors,
) -> PaymentPart<'a> {
    let mut whole = Section::body(body, findings);
    let sent = body.members();
    let operation_id = read_operation_id(&sent.operation_id, findings);
    let (order, _) = read_any_order(&whole, &sent.order, rules, findings);
    let recurrence = &sent.recurrence;
    let recurrence = recurrence::read(&whole, recurrence, rules.terminal, rules.today, findings);
    // The operation decides whether the card may be missing.
    let card = card_part::read(
        &whole,
        &sent.card,
        Presence::Optional,
        (rules.terminal, rules.bins),
        rules.last_today,
        findings,
    );
    whole.one_of(
        "exemptions",
        &sent.exemptions,
        ChallengeWishes::CODES,
        findings,
    );
    let capture = read_asked_capture(&mut whole, &sent.capture_type, findings);
    PaymentPart {
        operation_id,
        order,
        card,
        recurrence,
        capture,
        proof: read_proof(&whole, &sent.three_ds_auth_data, findings),
    }
}

fn read_proof<'a>(
    whole: &Section,
    part: &'a Part<AuthenticationData>,
    findings: &mut RequestErrors,
) -> Option<AuthenticationProof<'a>> {
    if !part.is_there() {
        return None;
    }
    let mut data = whole.section("threeDSAuthData", part, Presence::Optional, findings);
    let sent = part.members();
    let authentication_value = data.text(
        "authenticationValue",
        &sent.authentication_value,
        Presence::Mandatory,
        1..=255,
        findings,
    );
    let optional = Presence::Optional;
    let response = data.text(
        "threeDSAuthResponse",
        &sent.three_ds_auth_response,
        optional,
        1..=2048,
        findings,
    );
    let eci = data.text("eci", &sent.eci, optional, 1..=2, findings);
    let xid = data.text("xid", &sent.xid, optional, 1..=255, findings);
    Some(AuthenticationProof {
        authentication_value: authentication_value?,
        response,
        eci,
        xid,
    })
}

impl From<External3dsError> for ApiError {
    fn from(problem: External3dsError) -> ApiError {
        let wrong = |text: &str| ApiError::bad(PS0026, text);
        match problem {
            External3dsError::Unknown => wrong("operationId is not that of an operation"),
            External3dsError::NoCard => wrong("card is missing"),
            External3dsError::OtherCard => wrong("card is not that of the contract"),
            External3dsError::Differs(members) => {
                let mut findings = RequestErrors::default();
                for member in members {
                    findings.add(
                        PS0026,
                        format!("{member} is not what orders/3steps/init was called with"),
                    );
                }
                findings.into_result().err().unwrap_or(ApiError::Ours)
            }
            External3dsError::Capture(why) => wrong(&format!("captureType {why}")),
            External3dsError::NoProof => {
                wrong("threeDSAuthData is missing: it is mandatory after a validation")
            }
            External3dsError::OtherProof => wrong(
                "threeDSAuthData is not what orders/3steps/validation answered for this operation",
            ),
            External3dsError::OtherResponse => ApiError::bad(
                GW9003,
                "threeDSAuthResponse is not the result of this operation's challenge",
            ),
            External3dsError::State(state) => ApiError::bad(
                GW9003,
                format!(
                    "the operation is {state}; allowed: {}",
                    if state == "PENDING" {
                        "orders/3steps/validation"
                    } else {
                        "none of the calls of a 3-step payment"
                    }
                ),
            ),
            External3dsError::Payment(problem) => problem.into(),
        }
    }
}
