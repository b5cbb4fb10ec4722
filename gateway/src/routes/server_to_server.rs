//! Payments that one call makes, without a buyer to ask (contract 8.1.8 to 8.1.10).

use super::call::{Call, CallingTerminal, SentBody};
use super::card_part;
use super::endpoint::{Endpoint, PAYMENTS};
use super::error::{ApiError, RequestErrors};
use super::fields::{Presence, Section};
use super::order_part::{self, OrderPart};
use super::payment_part::read_capture;
use super::recurrence;
use super::requests::Part;
use super::requests::order::Order;
use super::requests::server_to_server::{ChargeContract, TakeMailOrder, VerifyCard};
use crate::App;
use axum::Json;
use axum::extract::State;
use payframe_card_rules::expiry::Date;
use payframe_error_codes::ErrorCode::{
    GW9006, PS0004, PS0005, PS0006, PS0008, PS0009, PS0017, PS0026, PS0036, PS0043,
};
use payframe_money::Amount;
use payframe_payment_domain::calendar::terminal_day;
use payframe_payment_domain::operation::{ActionType, Capture};
use payframe_payment_domain::terms::{Channel, Terminal};
use payframe_payment_ports::BinLookup;
use payframe_payment_service::card_entry::ValidatedCard;
use payframe_payment_service::server_to_server::{DirectCard, DirectOrder, DirectPayment};
use payframe_protocol::operation::OperationAnswer;
use serde_json::Value;
use utoipa_axum::routes;

/// Contract 8.1.8 to 8.1.10.
pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::of(routes!(charge_contract))
            .with_idempotency_key()
            .asking_for_money()
            .refusals(&[
                PS0026, PS0036, PS0008, PS0009, PS0005, PS0006, PS0017, PS0043, GW9006,
            ]),
        Endpoint::of(routes!(take_mail_order))
            .asking_for_money()
            .refusals(&[PS0026, PS0036, PS0008, PS0009, PS0005, PS0006, GW9006]),
        Endpoint::of(routes!(verify_card))
            .asking_for_money()
            .refusals(&[
                PS0026, PS0036, PS0008, PS0009, PS0005, PS0006, GW9006, PS0004,
            ]),
    ]
}

/// The facts for the checks of a request.
pub(super) struct Rules<'a> {
    pub(super) terminal: &'a Terminal,
    pub(super) bins: &'a dyn BinLookup,
    /// In the terminal's time zone.
    pub(super) today: Date,
    /// The date in the time zone where the day ends last.
    pub(super) last_today: Date,
    plugin_name: Option<&'a str>,
}

impl<'a> Rules<'a> {
    pub(super) fn of(app: &'a App, call: &'a Call, terminal: &'a Terminal) -> Rules<'a> {
        Rules {
            terminal,
            bins: app.payments().bin_lookup(),
            today: terminal_day(app.clock().now_ms()),
            last_today: app.payments().today(),
            plugin_name: call.plugin_name.as_deref(),
        }
    }
}

/// Charge a stored card without the buyer
///
/// Charges the order's amount to the card of a contract, if the contract allows it: not with `CIT`, not after
/// `contractExpiryDate`, not before `contractFrequency` days have passed since the latest charge.
#[utoipa::path(
    post, path = "/orders/mit", operation_id = "chargeContract", tag = PAYMENTS,
    request_body = ChargeContract,
    responses((status = 200, body = OperationAnswer)),
)]
async fn charge_contract(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    SentBody(body): SentBody<ChargeContract>,
    call: Call,
) -> Result<Json<OperationAnswer>, ApiError> {
    let mut findings = RequestErrors::default();
    let rules = Rules::of(&app, &call, &terminal);
    let (order, contract_id, capture) = read_charge(&body, &rules, &mut findings);
    findings.into_result()?;
    // Without a finding, all mandatory members were read.
    let (Some(order), Some(contract_id)) = (order, contract_id) else {
        return Err(ApiError::Ours);
    };
    let card = DirectCard::Kept {
        contract_id: contract_id.to_owned(),
    };
    let payment = payment(&call, order, capture, Channel::MerchantInitiated, card);
    pay(&app, &call, &terminal, payment).await
}

fn read_charge<'a>(
    body: &'a Part<ChargeContract>,
    rules: &Rules<'_>,
    findings: &mut RequestErrors,
) -> (Option<OrderPart>, Option<&'a str>, Capture) {
    let mut whole = Section::body(body, findings);
    let sent = body.members();
    let order = read_order(&whole, &sent.order, rules, findings);
    let contract_id = recurrence::contract_id(&whole, &sent.contract_id, findings);
    if contract_id.is_some() && !rules.terminal.tokenization {
        findings.add(PS0026, "contractId is not enabled on this terminal");
    }
    let (asked, action) = (&sent.capture_type, ActionType::Pay);
    let capture = read_capture(&mut whole, asked, action, rules.terminal, findings);
    (order, contract_id, capture)
}

/// Take a mail or telephone order
///
/// Charges a card whose data the buyer gave by mail or telephone. `order.customerInfo.cardHolderName` is mandatory. For merchants who may
/// handle card data.
#[utoipa::path(
    post, path = "/orders/moto", operation_id = "takeMailOrder", tag = PAYMENTS,
    request_body = TakeMailOrder,
    responses((status = 200, body = OperationAnswer)),
)]
async fn take_mail_order(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    SentBody(body): SentBody<TakeMailOrder>,
    call: Call,
) -> Result<Json<OperationAnswer>, ApiError> {
    let mut findings = RequestErrors::default();
    let rules = Rules::of(&app, &call, &terminal);
    let (order, card, capture) = read_mail_order(&body, &rules, &mut findings);
    findings.into_result()?;
    let (Some(order), Some(card)) = (order, card) else {
        return Err(ApiError::Ours);
    };
    let card = DirectCard::Entered(Box::new(card));
    let payment = payment(&call, order, capture, Channel::MailOrTelephone, card);
    pay(&app, &call, &terminal, payment).await
}

fn read_mail_order(
    body: &Part<TakeMailOrder>,
    rules: &Rules<'_>,
    findings: &mut RequestErrors,
) -> (Option<OrderPart>, Option<ValidatedCard>, Capture) {
    let mut whole = Section::body(body, findings);
    let sent = body.members();
    let order = read_order(&whole, &sent.order, rules, findings);
    if order.as_ref().is_some_and(|order| !names_holder(order)) {
        findings.add(
            PS0026,
            "order.customerInfo.cardHolderName is missing: it is mandatory for mail and telephone orders",
        );
    }
    let card = card_part::read(
        &whole,
        &sent.card,
        Presence::Mandatory,
        (rules.terminal, rules.bins),
        rules.last_today,
        findings,
    );
    let (asked, action) = (&sent.capture_type, ActionType::Pay);
    let capture = read_capture(&mut whole, asked, action, rules.terminal, findings);
    (order, card, capture)
}

/// Verify a card
///
/// Asks the issuer whether the card is valid; nothing is charged. For merchants who may handle card data.
#[utoipa::path(
    post, path = "/orders/card_verification", operation_id = "verifyCard", tag = PAYMENTS,
    request_body = VerifyCard,
    responses((status = 200, body = OperationAnswer)),
)]
async fn verify_card(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    SentBody(body): SentBody<VerifyCard>,
    call: Call,
) -> Result<Json<OperationAnswer>, ApiError> {
    let mut findings = RequestErrors::default();
    let rules = Rules::of(&app, &call, &terminal);
    let (order, card) = read_verification(&body, &rules, &mut findings);
    findings.into_result()?;
    let (Some(order), Some(card)) = (order, card) else {
        return Err(ApiError::Ours);
    };
    let card = DirectCard::Entered(Box::new(card));
    let mut payment = payment(&call, order, terminal.capture, Channel::Server, card);
    payment.order.action = ActionType::Verify;
    pay(&app, &call, &terminal, payment).await
}

fn read_verification(
    body: &Part<VerifyCard>,
    rules: &Rules<'_>,
    findings: &mut RequestErrors,
) -> (Option<OrderPart>, Option<ValidatedCard>) {
    let whole = Section::body(body, findings);
    let sent = body.members();
    // Any amount is accepted, because nothing is charged.
    let order = read_any_order(&whole, &sent.order, rules, findings).0;
    let card = card_part::read(
        &whole,
        &sent.card,
        Presence::Mandatory,
        (rules.terminal, rules.bins),
        rules.last_today,
        findings,
    );
    (order, card)
}

fn names_holder(order: &OrderPart) -> bool {
    order
        .document
        .get("customerInfo")
        .and_then(|info| info.get("cardHolderName"))
        .and_then(Value::as_str)
        .is_some_and(|name| !name.trim().is_empty())
}

async fn pay(
    app: &App,
    call: &Call,
    terminal: &Terminal,
    payment: DirectPayment,
) -> Result<Json<OperationAnswer>, ApiError> {
    let operation = app
        .server_payments()
        .pay(terminal, payment, call.slot.as_ref())
        .await?;
    Ok(Json(OperationAnswer { operation }))
}

/// The order, whose amount must not be zero.
fn read_order(
    whole: &Section,
    part: &Part<Order>,
    rules: &Rules<'_>,
    findings: &mut RequestErrors,
) -> Option<OrderPart> {
    let (order, amount) = read_any_order(whole, part, rules, findings);
    if amount.is_some_and(Amount::is_zero) {
        findings.add(PS0026, "order.amount must be above 0");
    }
    order
}

/// The order with its amount, and the header that is stored with it.
pub(super) fn read_any_order(
    whole: &Section,
    part: &Part<Order>,
    rules: &Rules<'_>,
    findings: &mut RequestErrors,
) -> (Option<OrderPart>, Option<Amount>) {
    let section = whole.section("order", part, Presence::Mandatory, findings);
    let read = order_part::read(section, part.members(), rules.today, findings);
    if let (Some(order), _) = &read {
        order.refuse_terms(findings);
    }
    if rules
        .plugin_name
        .is_some_and(|name| name.chars().count() > 255)
    {
        findings.add(
            PS0026,
            "header x-plugin-name must have at most 255 characters",
        );
    }
    read
}

fn payment(
    call: &Call,
    order: OrderPart,
    capture: Capture,
    channel: Channel,
    card: DirectCard,
) -> DirectPayment {
    DirectPayment {
        order: direct_order(call, order, ActionType::Pay, capture, channel),
        card,
    }
}

/// The order to pay.
pub(super) fn direct_order(
    call: &Call,
    order: OrderPart,
    action: ActionType,
    capture: Capture,
    channel: Channel,
) -> DirectOrder {
    DirectOrder {
        order_id: order.order_id,
        amount: order.amount,
        currency: order.currency,
        document: order.document,
        plugin_name: call.plugin_name.clone(),
        action,
        capture,
        channel,
        trace_id: call.correlation_id.clone(),
    }
}
