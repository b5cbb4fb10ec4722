//! `payframe-gateway trigger`: makes a sandbox tell of an event, by doing what the event tells of.
//!
//! It pays with a test card, so it has to be sure that no money moves. It calls only with the keys that every sandbox has, and that no
//! production gateway accepts.

use super::client::{CallError, GatewayClient, RunningGateway};
use clap::{Args, ValueEnum};
use payframe_payment_domain::calendar::{instant, parse_instant};
use payframe_payment_domain::event_type::EventType;
use payframe_vault::random_token;
use serde_json::{Value, json};
use thiserror::Error;

/// Which event is wanted, and of which gateway.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub struct Trigger {
    /// What the event is about.
    #[arg(value_enum, ignore_case = true)]
    pub event: TriggeredEvent,
    #[command(flatten)]
    #[allow(missing_docs, reason = "its members are described")]
    pub at: RunningGateway,
}

/// The events that a payment makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TriggeredEvent {
    /// A payment.
    Payment,
    /// A payment over a link.
    PayByLink,
    /// A refund of a part of a payment.
    Operation,
    /// A payment that the buyer's bank disputes.
    Dispute,
}

/// Why there is no event.
#[derive(Debug, Error)]
pub enum TriggerError {
    /// It may be the key of a gateway in production.
    #[error(
        "trigger makes payments: it does so only with a key that every sandbox has, as `sandbox-implicit`; no gateway in production accepts one"
    )]
    NotOfTheSandbox,
    /// A call failed.
    #[error(transparent)]
    Call(#[from] CallError),
}

impl TriggeredEvent {
    /// Its type.
    pub fn event_type(self) -> EventType {
        match self {
            TriggeredEvent::Payment => EventType::Payment,
            TriggeredEvent::PayByLink => EventType::PayByLink,
            TriggeredEvent::Operation => EventType::Operation,
            TriggeredEvent::Dispute => EventType::Dispute,
        }
    }
}

impl ValueEnum for TriggeredEvent {
    fn value_variants<'a>() -> &'a [TriggeredEvent] {
        &[
            TriggeredEvent::Payment,
            TriggeredEvent::PayByLink,
            TriggeredEvent::Operation,
            TriggeredEvent::Dispute,
        ]
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        Some(clap::builder::PossibleValue::new(self.event_type().code()))
    }
}

impl Trigger {
    /// Makes the event, and returns what to print.
    ///
    /// # Errors
    /// The key is not one of the sandbox, or a call failed.
    pub async fn run(&self) -> Result<String, TriggerError> {
        if !self.at.api_key().starts_with(SANDBOX_KEYS) {
            return Err(TriggerError::NotOfTheSandbox);
        }
        let gateway = GatewayClient::of(&self.at)?;
        let order_id = format!("T{}", &random_token().map_err(CallError::from)?[..12]);
        let done = match self.event {
            TriggeredEvent::Payment => telephone_order(&gateway, &order_id).await?,
            TriggeredEvent::PayByLink => paid_link(&gateway, &order_id).await?,
            TriggeredEvent::Operation => refund(&gateway, &order_id).await?,
            TriggeredEvent::Dispute => dispute(&gateway, &order_id).await?,
        };
        let kind = self.event.event_type().code();
        Ok(format!("{kind} order {order_id} {done}\n"))
    }
}

/// Pays an order in one call.
async fn telephone_order(gateway: &GatewayClient, order_id: &str) -> Result<String, CallError> {
    let answer = gateway
        .post("/orders/moto", &by_telephone(order_id))
        .await?;
    result(gateway, &answer["operation"])
}

/// Pays an order, and gives a part of it back.
async fn refund(gateway: &GatewayClient, order_id: &str) -> Result<String, CallError> {
    let paid = gateway
        .post("/orders/moto", &by_telephone(order_id))
        .await?;
    let paid = id(gateway, &paid["operation"])?;
    let part = json!({ "amount": "1000", "currency": "EUR" });
    let taken = gateway
        .post(&format!("/operations/{paid}/refunds"), &part)
        .await?;
    let refund = gateway
        .get(&format!("/operations/{}", id(gateway, &taken)?))
        .await?;
    result(gateway, &refund)
}

/// Pays an order, and lets the buyer's bank dispute it.
async fn dispute(gateway: &GatewayClient, order_id: &str) -> Result<String, CallError> {
    let paid = gateway
        .post("/orders/moto", &by_telephone(order_id))
        .await?;
    let paid = id(gateway, &paid["operation"])?;
    let opened = json!({ "operationId": paid });
    let opened = gateway.post("/test/disputes", &opened).await?;
    match (opened["disputeId"].as_str(), opened["state"].as_str()) {
        (Some(dispute_id), Some(state)) => Ok(format!("{state} dispute {dispute_id}")),
        _ => Err(gateway.unreadable()),
    }
}

/// Makes a link, opens its page and pays there.
async fn paid_link(gateway: &GatewayClient, order_id: &str) -> Result<String, CallError> {
    // The sandbox's clock may be ahead of this machine's.
    let clock = gateway.get("/test/clock").await?;
    let now_ms = clock["time"].as_str().and_then(parse_instant);
    let day = instant(now_ms.ok_or_else(|| gateway.unreadable())? + LINK_MS);
    let link = json!({
        "order": { "orderId": order_id, "amount": AMOUNT, "currency": "EUR" },
        "paymentSession": { "actionType": "PAY", "amount": AMOUNT, "language": "eng" },
        "expirationDate": day[..10],
    });
    let made = gateway.post("/v2/orders/paybylink", &link).await?;
    let address = made["paymentLink"]["link"].as_str();
    let address = address.and_then(|address| url::Url::parse(address).ok());
    let address = address.ok_or_else(|| gateway.unreadable())?;
    // The gateway may be called under another name than buyers do.
    let opened = gateway
        .submit(&format!("{}/session", address.path()))
        .await?;
    let session = opened["session"].as_str();
    let session = session.ok_or_else(|| gateway.unreadable())?;
    let card = json!([
        { "id": "CARD_NUMBER", "value": WITHOUT_DEVICE_CHECK },
        { "id": "EXPIRATION_DATE", "value": EXPIRY },
        { "id": "SECURITY_CODE", "value": "123" },
        { "id": "CARDHOLDER_NAME", "value": BUYER },
    ]);
    let entered = gateway
        .post_of_form(session, "/fe/build/text", &card)
        .await?;
    // Where directory servers are asked, every card has a device check. There is no browser here.
    if entered["gdiStatus"]["gdiUrl"].is_string() {
        gateway
            .post_of_form(session, "/fe/build/skip_gdi", &json!({}))
            .await?;
    }
    let body = json!({ "sessionId": session });
    let state = gateway
        .post_of_form(session, "/build/finalize_payment", &body)
        .await?;
    result(gateway, &state["operation"])
}

fn by_telephone(order_id: &str) -> Value {
    json!({
        "order": {
            "orderId": order_id, "amount": AMOUNT, "currency": "EUR",
            "customerInfo": { "cardHolderName": BUYER },
        },
        "card": { "pan": WITHOUT_DEVICE_CHECK, "expiryDate": EXPIRY, "cvv": "123" },
    })
}

/// Type and result of an operation.
fn result(gateway: &GatewayClient, operation: &Value) -> Result<String, CallError> {
    let text = |name: &str| operation[name].as_str();
    match (text("operationType"), text("operationResult")) {
        (Some(kind), Some(result)) => Ok(format!("{kind}/{result}")),
        _ => Err(gateway.unreadable()),
    }
}

fn id<'a>(gateway: &GatewayClient, operation: &'a Value) -> Result<&'a str, CallError> {
    operation["operationId"]
        .as_str()
        .ok_or_else(|| gateway.unreadable())
}

/// How the keys of the sandbox's own terminals begin.
const SANDBOX_KEYS: &str = "sandbox-";

const AMOUNT: &str = "3545";
const BUYER: &str = "Anna Rossi";

/// The test card that is approved without a device check (`docs/testing.md`).
const WITHOUT_DEVICE_CHECK: &str = "4761730000003049";
const EXPIRY: &str = "1240";

/// How long a link can be paid: two days.
const LINK_MS: i64 = 2 * 86_400_000;
