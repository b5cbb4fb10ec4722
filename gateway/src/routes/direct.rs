//! Payments that one call makes: nobody is there to be asked (contract 8.1.8 to 8.1.10).

use super::Reply;
use super::caller::Caller;
use super::card_part;
use super::fields::{Presence, Section};
use super::order_part::{self, OrderPart};
use super::order_request::read_capture;
use super::pipeline::Call;
use super::problem::{Findings, Refusal};
use super::recurrence;
use crate::App;
use crate::clock::terminal_day;
use crate::domain::operation::{ActionType, Capture};
use crate::domain::terms::{Channel, Terminal};
use crate::payments::direct::{DirectCard, DirectPayment};
use payframe_checkout::money::Amount;
use payframe_protocol::operation::OperationAnswer;
use serde_json::Value;

/// `POST /orders/mit`
pub(crate) async fn merchant_initiated(app: &App, call: &Call) -> Result<Reply, Refusal> {
    let terminal = caller(call)?;
    call.refuse_scripts()?;
    let mut findings = Findings::default();
    let mut body = Section::body(&call.body, &mut findings);
    let order = read_order(app, call, &body, &mut findings);
    let contract_id = recurrence::contract_id(&mut body, &mut findings);
    if contract_id.is_some() && !terminal.tokenization {
        findings.add("PS0026", "contractId is not enabled on this terminal");
    }
    let capture = read_capture(&mut body, ActionType::Pay, terminal, &mut findings);
    findings.into_result()?;
    // Without a finding everything mandatory was read.
    let (Some(order), Some(contract_id)) = (order, contract_id) else {
        return Err(Refusal::Ours);
    };
    let payment = payment(
        call,
        order,
        capture,
        Channel::MerchantInitiated,
        DirectCard::Kept {
            contract_id: contract_id.to_owned(),
        },
    );
    pay(app, call, terminal, payment).await
}

/// `POST /orders/moto`
pub(crate) async fn mail_or_telephone(app: &App, call: &Call) -> Result<Reply, Refusal> {
    let terminal = caller(call)?;
    call.refuse_scripts()?;
    let mut findings = Findings::default();
    let mut body = Section::body(&call.body, &mut findings);
    let order = read_order(app, call, &body, &mut findings);
    if order.as_ref().is_some_and(|order| !names_holder(order)) {
        findings.add(
            "PS0026",
            "order.customerInfo.cardHolderName is missing: it is mandatory for mail and telephone orders",
        );
    }
    let card = card_part::read(&body, terminal, app.today(), &mut findings);
    let capture = read_capture(&mut body, ActionType::Pay, terminal, &mut findings);
    findings.into_result()?;
    let (Some(order), Some(card)) = (order, card) else {
        return Err(Refusal::Ours);
    };
    let card = DirectCard::Entered(Box::new(card));
    let payment = payment(call, order, capture, Channel::MailOrTelephone, card);
    pay(app, call, terminal, payment).await
}

/// `POST /orders/card_verification`
pub(crate) async fn card_verification(app: &App, call: &Call) -> Result<Reply, Refusal> {
    let terminal = caller(call)?;
    call.refuse_scripts()?;
    let mut findings = Findings::default();
    let body = Section::body(&call.body, &mut findings);
    // Whatever the order costs, nothing is charged.
    let order = read_any_order(app, call, &body, &mut findings).0;
    let card = card_part::read(&body, terminal, app.today(), &mut findings);
    findings.into_result()?;
    let (Some(order), Some(card)) = (order, card) else {
        return Err(Refusal::Ours);
    };
    let card = DirectCard::Entered(Box::new(card));
    let payment = DirectPayment {
        action: ActionType::Verify,
        ..payment(call, order, terminal.capture, Channel::Server, card)
    };
    pay(app, call, terminal, payment).await
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
) -> Result<Reply, Refusal> {
    let operation = app
        .pay_directly(terminal, payment, call.slot.as_ref())
        .await?;
    Reply::json(&OperationAnswer { operation })
}

/// The order, which has to cost something.
fn read_order(
    app: &App,
    call: &Call,
    body: &Section<'_>,
    findings: &mut Findings,
) -> Option<OrderPart> {
    let (order, amount) = read_any_order(app, call, body, findings);
    if amount.is_some_and(Amount::is_zero) {
        findings.add("PS0026", "order.amount must be above 0");
    }
    order
}

/// The order with its amount, and the header that is kept with it.
fn read_any_order(
    app: &App,
    call: &Call,
    body: &Section<'_>,
    findings: &mut Findings,
) -> (Option<OrderPart>, Option<Amount>) {
    let section = body.section("order", Presence::Mandatory, findings);
    let today = terminal_day(app.clock().now_ms());
    let read = order_part::read(section, today, findings);
    if call
        .plugin_name
        .as_ref()
        .is_some_and(|name| name.chars().count() > 255)
    {
        findings.add(
            "PS0026",
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
        order_id: order.order_id,
        amount: order.amount,
        currency: order.currency,
        document: order.document,
        plugin_name: call.plugin_name.clone(),
        action: ActionType::Pay,
        capture,
        channel,
        card,
        trace_id: call.correlation_id.clone(),
    }
}

fn caller(call: &Call) -> Result<&Terminal, Refusal> {
    match &call.caller {
        Caller::Merchant { terminal, .. } => Ok(terminal),
        Caller::Frame { .. } => Err(Refusal::Unauthorized),
    }
}
