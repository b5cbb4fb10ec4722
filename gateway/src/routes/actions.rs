//! What may be done with an operation, and the calls that do it (contract 8.2.5 to 8.2.8).

use super::call::{Call, CallingTerminal, PathId};
use super::customer::{currency, currency_of};
use super::endpoint::{BACK_OFFICE, Endpoint};
use super::error::{ApiError, Reason, RequestErrors};
use super::fields::{Presence, Section};
use super::order_version::IfMatch;
use super::requests::actions::{Cancel, Capture, Refund};
use super::requests::{Member, Part};
use crate::App;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use payframe_error_codes::ErrorCode::{
    GW9003, GW9012, GW9014, PS0002, PS0009, PS0022, PS0023, PS0024, PS0026, PS0027, PS0028, PS0029,
    PS0036,
};
use payframe_money::Amount;
use payframe_payment_domain::calendar::instant;
use payframe_payment_domain::ledger_rules::{ActionCall, Allowed, FollowUpError, within_reach};
use payframe_payment_service::post_authorization::{ActionError, FollowUpCall};
use payframe_protocol::back_office::{ActionList, AllowedAction, Taken};
use payframe_storage::{ledger, operations};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use utoipa_axum::routes;

/// Contract 8.2.5 to 8.2.8.
pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::of(routes!(list_actions)),
        Endpoint::of(routes!(refund))
            .with_idempotency_key()
            .asking_for_money()
            .comparing_order_version()
            .refusals(&[
                PS0026, PS0036, PS0009, GW9012, PS0027, PS0028, PS0029, GW9014, GW9003,
            ]),
        Endpoint::of(routes!(capture))
            .with_idempotency_key()
            .asking_for_money()
            .comparing_order_version()
            .refusals(&[
                PS0026, PS0036, PS0009, GW9012, PS0022, PS0023, PS0024, PS0029, GW9003,
            ]),
        Endpoint::of(routes!(cancel))
            .with_idempotency_key()
            .asking_for_money()
            .comparing_order_version()
            .refusals(&[PS0026, GW9012, PS0028, PS0027, GW9014, PS0002, GW9003]),
    ]
}

const OPERATION_ID: &str =
    "The operation, by the id that the answer of a payment, the order or a notification tells.";

/// List the actions that an operation allows
///
/// Each action with its smallest and largest amount, its time limit, and the path of its call.
#[utoipa::path(
    get, path = "/operations/{operationId}/actions", operation_id = "listActions", tag = BACK_OFFICE,
    params(("operationId" = String, Path, description = OPERATION_ID, example = "347074400000000001")),
    responses((status = 200, body = ActionList)),
)]
async fn list_actions(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    PathId(operation_id): PathId,
) -> Result<Json<ActionList>, ApiError> {
    let (currency, allowed) = app
        .post_authorization()
        .allowed_actions(&terminal.merchant_id, &operation_id)
        .await?
        .ok_or(ApiError::NotFound)?;
    let action = |allowed: Allowed| AllowedAction {
        action_type: allowed.follow_up.operation_type().code().to_owned(),
        min_amount: allowed.bounds.min.to_string(),
        max_amount: allowed.bounds.max.to_string(),
        currency: currency.clone(),
        expiration_time: Some(instant(allowed.bounds.until_ms)),
        path: match allowed.call {
            ActionCall::Increment => format!("/{}", path(allowed.call)),
            _ => format!("/operations/{}/{}", operation_id, path(allowed.call)),
        },
    };
    Ok(Json(ActionList {
        actions: within_reach(&allowed).into_iter().map(action).collect(),
    }))
}

/// The members of a call that acts on an operation.
trait SentAction: DeserializeOwned + Default + Send + Sync {
    /// `amount` and `currency`, if the call may have them.
    fn money(&self) -> Option<[&Member; 2]>;
    /// `description`.
    fn description(&self) -> &Member;
}

impl SentAction for Refund {
    fn money(&self) -> Option<[&Member; 2]> {
        Some([&self.amount, &self.currency])
    }

    fn description(&self) -> &Member {
        &self.description
    }
}

impl SentAction for Capture {
    fn money(&self) -> Option<[&Member; 2]> {
        Some([&self.amount, &self.currency])
    }

    fn description(&self) -> &Member {
        &self.description
    }
}

impl SentAction for Cancel {
    fn money(&self) -> Option<[&Member; 2]> {
        None
    }

    fn description(&self) -> &Member {
        &self.description
    }
}

/// Refund an operation
///
/// Refunds captured money, in one or several parts, the oldest capture first. An authorization is released if the amount
/// is exactly its part that is not captured, and is more than its captured part. With `If-Match` it is refused if the order has changed
/// since the caller read it.
#[utoipa::path(
    post, path = "/operations/{operationId}/refunds", operation_id = "refund", tag = BACK_OFFICE,
    params((
        "operationId" = String, Path, example = "347074400000000002",
        description = "The authorization or the capture whose money goes back to the buyer.",
    )),
    request_body = Refund,
    responses((status = 200, body = Taken)),
)]
async fn refund(
    State(app): State<App>,
    expected: IfMatch,
    call: Call,
) -> Result<Json<Taken>, ApiError> {
    act::<Refund>(&app, &call, ActionCall::Refund, expected).await
}

/// Capture authorized money
///
/// Captures an authorization, as a whole or in parts.
#[utoipa::path(
    post, path = "/operations/{operationId}/captures", operation_id = "capture", tag = BACK_OFFICE,
    params((
        "operationId" = String, Path, example = "347074400000000001",
        description = "The authorization whose held money is taken.",
    )),
    request_body = Capture,
    responses((status = 200, body = Taken)),
)]
async fn capture(
    State(app): State<App>,
    expected: IfMatch,
    call: Call,
) -> Result<Json<Taken>, ApiError> {
    act::<Capture>(&app, &call, ActionCall::Capture, expected).await
}

/// Cancel an operation
///
/// Cancels a capture on the day on which it was made. An authorization is released by a reversal.
#[utoipa::path(
    post, path = "/operations/{operationId}/cancels", operation_id = "cancel", tag = BACK_OFFICE,
    params((
        "operationId" = String, Path, example = "347074400000000002",
        description = "The capture to be undone: the whole of it, on its own day, while nothing of it is refunded.",
    )),
    request_body = Option<Cancel>,
    responses((status = 200, body = Taken)),
)]
async fn cancel(
    State(app): State<App>,
    expected: IfMatch,
    call: Call,
) -> Result<Json<Taken>, ApiError> {
    act::<Cancel>(&app, &call, ActionCall::Cancel, expected).await
}

/// `POST /operations/{operationId}/captures`, `refunds` and `cancels`
async fn act<T: SentAction>(
    app: &App,
    call: &Call,
    action: ActionCall,
    IfMatch(expected_version): IfMatch,
) -> Result<Json<Taken>, ApiError> {
    let terminal = call.terminal()?;
    let (operation, payment_id) = {
        let mut connection = app.store().read().await?;
        let merchant_id = &terminal.merchant_id;
        let found =
            operations::find_of_merchant(&mut connection, merchant_id, &call.parameter).await?;
        let payment_id = ledger::payment_of(&mut connection, merchant_id, &call.parameter).await?;
        found.zip(payment_id).ok_or(ApiError::NotFound)?
    };
    call.refuse_scripts()?;
    let nothing = Value::Object(Map::new());
    let sent = match &call.body {
        Value::Null if action == ActionCall::Cancel => &nothing,
        body => body,
    };
    let mut findings = RequestErrors::default();
    let body: Part<T> = Part::of(sent);
    let mut whole = Section::body(&body, &mut findings);
    let sent = body.members();
    let amount = match sent.money() {
        None => None,
        Some([amount, currency]) => {
            let amount = read_amount(&mut whole, amount, &mut findings);
            // Without a currency it is the order's currency: existing clients send `null` (contract 13, D140).
            let currency = currency_of(&mut whole, currency, Presence::Optional, &mut findings);
            if currency.is_some_and(|currency| currency != operation.operation_currency) {
                findings.add(PS0009, "currency must be that of the operation");
            }
            amount
        }
    };
    let description = read_description(&mut whole, sent.description(), &mut findings);
    findings.into_result()?;
    let ask = FollowUpCall {
        target_id: &call.parameter,
        payment_id: &payment_id,
        call: action,
        wanted: None,
        amount,
        description,
        terminal_id: &terminal.terminal_id,
        expected_version,
        slot: call.slot.as_ref(),
        author: call.author(),
    };
    let taken = app.post_authorization().act(&ask).await.map_err(refusal)?;
    Ok(Json(taken))
}

/// `amount` and `currency` of a body, which are mandatory.
pub(super) fn read_money(
    whole: &mut Section,
    [amount, money_currency]: [&Member; 2],
    findings: &mut RequestErrors,
) -> (Option<Amount>, Option<String>) {
    let amount = read_amount(whole, amount, findings);
    (amount, currency(whole, money_currency, findings))
}

/// An amount that moves money.
pub(super) fn read_amount(
    whole: &mut Section,
    member: &Member,
    findings: &mut RequestErrors,
) -> Option<Amount> {
    let amount = whole.amount("amount", member, Presence::Mandatory, findings);
    if amount.is_some_and(Amount::is_zero) {
        findings.add(PS0026, "amount must be above 0");
    }
    amount
}

pub(super) fn read_description<'a>(
    whole: &mut Section,
    member: &'a Member,
    findings: &mut RequestErrors,
) -> Option<&'a str> {
    whole.free_text("description", member, Presence::Optional, 0..=255, findings)
}

/// The last segment of a call's path.
fn path(call: ActionCall) -> &'static str {
    match call {
        ActionCall::Capture => "captures",
        ActionCall::Refund => "refunds",
        ActionCall::Cancel => "cancels",
        ActionCall::Increment => "incrementals",
    }
}

pub(super) fn refusal(problem: ActionError) -> ApiError {
    let (denials, state, allowed) = match problem {
        ActionError::Payment(problem) => return problem.into(),
        ActionError::OrderChanged => {
            return ApiError::with(
                StatusCode::PRECONDITION_FAILED,
                GW9012,
                "header If-Match is not the version of the order: it has changed since it was read",
            );
        }
        ActionError::Denied {
            denials,
            state,
            allowed,
        } => (denials, state, allowed),
    };
    let reason = |denial: &FollowUpError| Reason {
        code: (*denial).into(),
        description: describe(*denial, &state, &allowed),
    };
    ApiError::Because(
        StatusCode::BAD_REQUEST,
        denials.iter().map(reason).collect(),
    )
}

fn describe(denial: FollowUpError, state: &str, allowed: &[Allowed]) -> String {
    if denial != FollowUpError::State {
        return denial.sentence().to_owned();
    }
    let mut calls: Vec<&str> = allowed.iter().map(|allowed| path(allowed.call)).collect();
    calls.dedup();
    let calls = if calls.is_empty() {
        String::from("none")
    } else {
        calls.join(", ")
    };
    format!("the operation is {state}, which does not allow this call now; allowed: {calls}")
}
