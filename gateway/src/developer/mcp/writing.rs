//! The tools that make test payments. They are offered with `--allow-writes` only, and each asks the gateway first whether it is a sandbox.

use super::server::{AssistantServer, told};
use crate::developer::trigger::{Trigger, TriggeredEvent};
use payframe_vault::random_token;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::schemars::{self, JsonSchema};
use rmcp::{tool, tool_router};
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WantedSession {
    /// The address of the page that will show the form, such as `http://127.0.0.1:3000/checkout`. No page of another origin can show it.
    merchant_url: String,
    /// The id of the test order. Without it one is made.
    order_id: Option<String>,
    /// The amount in the minor unit: `3545` is 35.45 EUR, and what is taken without it.
    amount: Option<String>,
    /// The currency's three letters. Without it `EUR`.
    currency: Option<String>,
    /// Where the gateway posts notifications of this order. Without it nothing is posted; list_events has the events all the same.
    notification_url: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WantedEvent {
    /// What the event is about.
    event: Kind,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum Kind {
    /// A payment.
    Payment,
    /// A payment over a link.
    PayByLink,
    /// A payment, and a refund of a part of it.
    Operation,
}

#[tool_router(router = writing_tools, vis = "pub(super)")]
impl AssistantServer {
    /// Opens a payment session for a test order at the sandbox. The answer has `sessionId` for the tag `payment-form`, and the form as HTML in `form.html`. Open it in a browser and pay with a card of list_test_cards.
    #[tool(annotations(
        title = "Open a session for a test order",
        read_only_hint = false,
        destructive_hint = false,
        idempotent_hint = false
    ))]
    async fn create_test_session(
        &self,
        Parameters(wanted): Parameters<WantedSession>,
    ) -> Result<String, String> {
        self.must_allow_writes().await?;
        let order_id = match wanted.order_id {
            Some(order_id) => order_id,
            None => {
                let token = random_token().map_err(|problem| problem.to_string())?;
                format!("T{}", &token[..12])
            }
        };
        let amount = wanted.amount.unwrap_or_else(|| String::from("3545"));
        let currency = wanted.currency.unwrap_or_else(|| String::from("EUR"));
        let request = json!({
            "version": "3",
            "merchantUrl": wanted.merchant_url,
            "order": { "orderId": order_id, "amount": amount, "currency": currency },
            "paymentSession": {
                "actionType": "PAY", "amount": amount, "paymentService": "CARDS",
                "resultUrl": wanted.merchant_url, "cancelUrl": wanted.merchant_url,
                "notificationUrl": wanted.notification_url,
            },
            "form": { "closing": "FRAME", "attempts": 3 },
        });
        let made = told(self.gateway.post("/orders/build", &request).await)?;
        Ok(format!("order {order_id}\n{made}"))
    }

    /// Makes the sandbox tell of an event, by a payment with a test card. It stands in list_events afterwards, and is posted to who listens by `payframe-gateway listen`.
    #[tool(annotations(
        title = "Trigger a test event",
        read_only_hint = false,
        destructive_hint = false,
        idempotent_hint = false
    ))]
    async fn trigger_event(
        &self,
        Parameters(wanted): Parameters<WantedEvent>,
    ) -> Result<String, String> {
        self.must_allow_writes().await?;
        let trigger = Trigger {
            event: match wanted.event {
                Kind::Payment => TriggeredEvent::Payment,
                Kind::PayByLink => TriggeredEvent::PayByLink,
                Kind::Operation => TriggeredEvent::Operation,
            },
            at: self.at.clone(),
        };
        let done = trigger.run().await;
        done.map_err(|problem| problem.to_string())
    }
}
