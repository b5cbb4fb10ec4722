//! The shop's side of the gateway API: the few calls that a merchant's server makes.
//!
//! Each call carries the API key and a new `Correlation-Id`. The answer is parsed into
//! the members that the shop uses; other members are ignored, as the contract requires.

mod error;

pub use error::{GatewayError, ReportedError};

use crate::{choice::Choice, config::ApiKey};
use error::ErrorsAnswer;
use jiff::Timestamp;
use reqwest::{Method, RequestBuilder};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};
use std::time::Duration;
use uuid::Uuid;

/// A client of one gateway with one merchant's key.
#[derive(Clone, Debug)]
pub struct Gateway {
    http: reqwest::Client,
    base: String,
    api_key: ApiKey,
}

impl Gateway {
    /// `origin` is the gateway's; its API base is `{origin}/api`.
    pub fn new(origin: &str, api_key: ApiKey) -> Result<Self, GatewayError> {
        let http = reqwest::Client::builder()
            .connect_timeout(Duration::from_secs(3))
            .timeout(ANSWER_TIMEOUT)
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .build()
            .map_err(|error| GatewayError::Unreachable(error.to_string()))?;
        Ok(Self {
            http,
            base: format!("{origin}/api"),
            api_key,
        })
    }

    /// `POST /orders/build`: opens a payment and returns what the page needs to show it.
    pub async fn build(
        &self,
        order_id: &str,
        choice: &Choice,
        shop_origin: &str,
        embedding: Embedding,
    ) -> Result<BuiltSession, GatewayError> {
        let mut body = payment(order_id, choice, shop_origin);
        body["version"] = json!(embedding.version());
        body["merchantUrl"] = json!(shop_origin);
        // Without a service the buyer chooses one, with the buttons in the answer.
        if embedding != Embedding::BuildWithButtons {
            body["paymentSession"]["paymentService"] = json!("CARDS");
        }
        if embedding == Embedding::Form {
            body["form"] = json!({
                "closing": choice.mode.closing(),
                "attempts": choice.attempts,
                "cardSummary": "LAST4",
            });
            if let Some(customer) = &choice.customer {
                body["order"]["customerId"] = json!(customer);
                body["form"]["savedCards"] = json!("USE_AND_REMOVE");
                body["form"]["consent"] = json!("OPTIONAL");
                // The order's id can be used again as long as the order is not paid.
                body["paymentSession"]["recurrence"] = json!({
                    "action": "CONTRACT_CREATION",
                    "contractId": order_id,
                    "contractType": "CIT",
                });
            }
        }
        self.ask(Method::POST, "/orders/build", |request| request.json(&body))
            .await
    }

    /// `POST /orders/hpp` or `POST /v2/orders/paybylink`: opens a payment on a page of the gateway.
    pub async fn host(
        &self,
        order_id: &str,
        choice: &Choice,
        shop_origin: &str,
        hosting: Hosting,
    ) -> Result<Hosted, GatewayError> {
        let mut body = payment(order_id, choice, shop_origin);
        match hosting {
            Hosting::Page => {
                let page: HostedAnswer = self
                    .ask(Method::POST, "/orders/hpp", |request| request.json(&body))
                    .await?;
                Ok(Hosted {
                    address: page.hosted_page,
                    security_token: page.security_token,
                    last_day: None,
                })
            }
            Hosting::Link => {
                let last_day = (Timestamp::now() + LINK_LIFE).strftime("%Y-%m-%d");
                body["expirationDate"] = json!(last_day.to_string());
                let made: LinkAnswer = self
                    .ask(Method::POST, "/v2/orders/paybylink", |request| {
                        request.json(&body)
                    })
                    .await?;
                Ok(Hosted {
                    address: made.payment_link.link,
                    security_token: made.security_token,
                    last_day: Some(made.payment_link.expiration_date),
                })
            }
        }
    }

    /// `GET /build/integrity`: the scripts of the gateway's current release, with their hashes.
    pub async fn scripts(&self) -> Result<Scripts, GatewayError> {
        self.ask(Method::GET, "/build/integrity", |request| request)
            .await
    }

    /// `GET /orders/{orderId}`: the state of an order that the shop can rely on.
    pub async fn order(&self, order_id: &str) -> Result<OrderView, GatewayError> {
        let raw: Value = self
            .ask(Method::GET, &format!("/orders/{order_id}"), |request| {
                request
            })
            .await?;
        OrderView::read(raw)
    }

    /// `POST /build/finalize_payment`: closes the payment of a session of version 3.
    pub async fn finalize(&self, session_id: &str) -> Result<PaymentProgress, GatewayError> {
        let body = json!({ "sessionId": session_id });
        self.ask(Method::POST, "/build/finalize_payment", |request| {
            request.json(&body)
        })
        .await
    }

    /// `GET /build/cardData`: what a shop may know about the card before it fixes the amount.
    pub async fn card(&self, session_id: &str) -> Result<CardData, GatewayError> {
        self.ask(Method::GET, "/build/cardData", |request| {
            request.query(&[("sessionId", session_id)])
        })
        .await
    }

    /// `POST /build/confirm_payment`: fixes the amount of a session of version 2, in minor units, and continues the payment.
    pub async fn confirm(
        &self,
        session_id: &str,
        amount_minor: u64,
    ) -> Result<PaymentProgress, GatewayError> {
        let body = json!({ "sessionId": session_id, "amount": amount_minor.to_string() });
        self.ask(Method::POST, "/build/confirm_payment", |request| {
            request.json(&body)
        })
        .await
    }

    /// `PATCH /build/session`: the sum of an open session becomes another, in minor units of the same currency.
    pub async fn change_amount(
        &self,
        session_id: &str,
        amount_minor: u64,
    ) -> Result<(), GatewayError> {
        let body = json!({ "sessionId": session_id, "amount": amount_minor.to_string() });
        self.ask::<Value>(Method::PATCH, "/build/session", |request| {
            request.json(&body)
        })
        .await
        .map(drop)
    }

    /// `POST /build/cancel`: the buyer cancels.
    pub async fn cancel(&self, session_id: &str) -> Result<PaymentProgress, GatewayError> {
        let body = json!({ "sessionId": session_id });
        self.ask(Method::POST, "/build/cancel", |request| request.json(&body))
            .await
    }

    async fn ask<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        complete: impl FnOnce(RequestBuilder) -> RequestBuilder,
    ) -> Result<T, GatewayError> {
        let correlation_id = Uuid::new_v4().to_string();
        let request = self
            .http
            .request(method, format!("{}{path}", self.base))
            // The only place where the key is used, as a credential.
            .header("X-API-KEY", self.api_key.expose())
            .header("Correlation-Id", &correlation_id);
        let answer = complete(request).send().await?;
        let status = answer.status();
        let bytes = answer.bytes().await?;
        if status.is_success() {
            return serde_json::from_slice(&bytes)
                .map_err(|error| GatewayError::Unreadable(error.to_string()));
        }
        let first = serde_json::from_slice::<ErrorsAnswer>(&bytes)
            .ok()
            .and_then(|refusals| refusals.errors.into_iter().next());
        tracing::warn!(path, %status, correlation_id, code = first.as_ref().map(|refusal| refusal.code.as_str()), "the gateway refused a call");
        Err(GatewayError::Refused { status, first })
    }
}

/// Order and payment, as in every call that opens one.
fn payment(order_id: &str, choice: &Choice, shop_origin: &str) -> Value {
    let amount = choice.amount.minor().to_string();
    json!({
        "order": {
            "orderId": order_id,
            "amount": amount,
            "currency": choice.currency,
            "description": "Demo shop order",
        },
        "paymentSession": {
            "actionType": "PAY",
            "amount": amount,
            "language": choice.gateway_language(),
            "resultUrl": format!("{shop_origin}/result?order={order_id}"),
            "cancelUrl": format!("{shop_origin}/cancelled?order={order_id}"),
            "notificationUrl": format!("{shop_origin}/hook"),
        },
    })
}

/// How the buyer gets to a page of the gateway.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hosting {
    /// From the shop's page.
    Page,
    /// With an address that the shop sends.
    Link,
}

/// A payment on a page of the gateway.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosted {
    /// Where the buyer pays.
    pub address: String,
    /// Repeated by every notification of this order.
    pub security_token: String,
    /// For a link: its last valid day.
    pub last_day: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct HostedAnswer {
    hosted_page: String,
    security_token: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct LinkAnswer {
    payment_link: Link,
    security_token: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Link {
    link: String,
    expiration_date: String,
}

/// How long the shop's links are valid.
const LINK_LIFE: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// How a page shows a payment. It decides what the shop asks the gateway for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Embedding {
    /// The form, in one frame or with separate fields.
    Form,
    /// Build, version 3, which begins with the buttons of the methods.
    BuildWithButtons,
    /// Build, version 2, where the shop adds a fee once it knows the card.
    BuildWithFees,
}

impl Embedding {
    fn version(self) -> &'static str {
        match self {
            Self::Form | Self::BuildWithButtons => "3",
            Self::BuildWithFees => "2",
        }
    }
}

/// All scripts that the gateway serves to pages.
#[derive(Clone, Debug, Deserialize)]
pub struct Scripts {
    scripts: Vec<Sdk>,
}

impl Scripts {
    /// The script with this file name.
    ///
    /// The address that names the release is listed after the short one. Its bytes never change, so the hash also matches
    /// if a browser still has an older script under the short address.
    pub fn named(&self, file: &str) -> Result<Sdk, GatewayError> {
        self.scripts
            .iter()
            .rfind(|script| script.src.rsplit('/').next() == Some(file))
            .cloned()
            .ok_or_else(|| GatewayError::Unreadable(format!("no script {file} is listed")))
    }
}

/// A script that the gateway serves, from `GET /build/integrity`.
#[derive(Clone, Debug, Deserialize)]
pub struct Sdk {
    /// Address that names the release.
    pub src: String,
    /// `sha384-…`, for the script element.
    pub integrity: String,
}

/// The parts of the answer to `POST /orders/build` that the shop uses.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BuiltSession {
    /// Credential of the form.
    pub session_id: String,
    /// Repeated by every notification of this order.
    pub security_token: String,
    /// What the page shows in separate frames; empty for a redirect.
    #[serde(default)]
    pub fields: Vec<Field>,
}

/// One input, button or device check, to be shown in a frame.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Field {
    /// E.g. `CARD_NUMBER`.
    pub id: String,
    /// Address of the frame.
    pub src: String,
}

/// The state of a payment after a call that moves it on.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PaymentProgress {
    /// E.g. `PAYMENT_COMPLETE`.
    pub state: String,
    /// Where the buyer has to go, with `REDIRECTED_TO_EXTERNAL_DOMAIN`.
    #[serde(default)]
    pub url: Option<String>,
    #[serde(default)]
    field_set: FieldSet,
}

impl PaymentProgress {
    /// Address of the frame of the device check, with `GDI_VERIFICATION`.
    pub fn device_check(&self) -> Option<&str> {
        self.field_set
            .fields
            .iter()
            .find(|field| field.id == "GDI")
            .map(|field| field.src.as_str())
    }
}

#[derive(Clone, Debug, Default, Deserialize)]
struct FieldSet {
    #[serde(default)]
    fields: Vec<Field>,
}

/// What a shop may know about a card.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CardData {
    /// First 6 or 8 digits.
    pub bin: String,
    /// Last four digits.
    pub last_four_digits: String,
    /// Network, e.g. `VISA`.
    pub circuit: String,
    /// `CREDIT`, `DEBIT` or `PREPAID`, if known.
    #[serde(default)]
    pub funding: Option<String>,
}

/// The gateway's view of an order.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OrderView {
    /// Totals.
    pub order_status: OrderStatus,
    /// Newest first.
    #[serde(default)]
    pub operations: Vec<Operation>,
    /// The whole answer, to show the API to readers.
    #[serde(skip)]
    pub raw: Value,
}

impl OrderView {
    fn read(raw: Value) -> Result<Self, GatewayError> {
        let mut view: Self = serde_json::from_value(raw.clone())
            .map_err(|error| GatewayError::Unreadable(error.to_string()))?;
        view.raw = raw;
        Ok(view)
    }
}

/// Totals of an order.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OrderStatus {
    /// What was ordered.
    pub order: OrderedAmount,
    /// Minor units.
    pub authorized_amount: String,
    /// Minor units.
    pub captured_amount: String,
    /// Minor units.
    #[serde(default)]
    pub refunded_amount: Option<String>,
}

/// What was ordered.
#[derive(Clone, Debug, Deserialize)]
pub struct OrderedAmount {
    /// Minor units.
    pub amount: String,
    /// ISO 4217 letters.
    pub currency: String,
}

/// One operation of an order.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Operation {
    /// 18 digits.
    pub operation_id: String,
    /// E.g. `AUTHORIZATION`.
    pub operation_type: String,
    /// E.g. `EXECUTED`.
    pub operation_result: String,
    /// The time of the operation: an instant.
    pub operation_time: String,
    /// Minor units.
    #[serde(default)]
    pub operation_amount: Option<String>,
    /// E.g. `VISA`.
    #[serde(default)]
    pub payment_circuit: Option<String>,
    /// E.g. `***4549`.
    #[serde(default)]
    pub payment_instrument_info: Option<String>,
}

/// The gateway answers within 30 seconds. After a little more than that, no answer can be expected.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(35);
