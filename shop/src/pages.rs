//! The shop's pages as data: the values for each template of `www/shop`.
//!
//! The templates escape every value that they write.

use crate::{
    choice::{Choice, ParameterError},
    delivery::Delivery,
    gateway::{Field, GatewayError, OrderView, Sdk},
    ledger::{ReceivedNotification, ShopOrder},
    money::Money,
    order_status::OrderStatus,
};
use askama::Template;
use axum::{
    http::StatusCode,
    response::{Html, IntoResponse, Response},
};
use jiff::Timestamp;

/// The checkout page.
#[derive(Template)]
#[template(path = "checkout.html")]
pub(crate) struct CheckoutPage<'a> {
    theme: &'static str,
    gateway: &'a str,
    sdk: Sdk,
    locale: &'a str,
    mode: &'static str,
    button: &'static str,
    basket: Basket,
    forms: Vec<PaymentForm>,
}

impl<'a> CheckoutPage<'a> {
    /// One form for each opened payment.
    pub(crate) fn new(
        choice: &'a Choice,
        gateway: &'a str,
        sdk: Sdk,
        opened: &[ShopOrder],
    ) -> Self {
        Self {
            theme: choice.theme.as_str(),
            gateway,
            sdk,
            locale: &choice.locale,
            mode: choice.mode.as_str(),
            button: choice.button.as_str(),
            basket: Basket::new(choice),
            forms: opened.iter().map(PaymentForm::new).collect(),
        }
    }
}

/// The page with one frame for each field, in its own layout.
#[derive(Template)]
#[template(path = "fields.html")]
pub(crate) struct FieldsPage<'a> {
    pub(crate) theme: &'static str,
    pub(crate) gateway: &'a str,
    pub(crate) sdk: Sdk,
    pub(crate) fields_sdk: Sdk,
    pub(crate) locale: &'a str,
    pub(crate) mode: &'static str,
    pub(crate) basket: Basket,
    pub(crate) form: PaymentForm,
}

/// The page of the class `Build` that begins with the buttons of the methods.
#[derive(Template)]
#[template(path = "build3.html")]
pub(crate) struct ButtonsPage<'a> {
    pub(crate) theme: &'static str,
    pub(crate) gateway: &'a str,
    pub(crate) sdk: Sdk,
    pub(crate) basket: Basket,
    pub(crate) form: PaymentForm,
    pub(crate) buttons: Vec<Field>,
}

/// The page of the class `Build` that adds a fee once the card is known.
#[derive(Template)]
#[template(path = "build2.html")]
pub(crate) struct FeesPage<'a> {
    pub(crate) theme: &'static str,
    pub(crate) gateway: &'a str,
    pub(crate) sdk: Sdk,
    pub(crate) basket: Basket,
    pub(crate) form: PaymentForm,
    pub(crate) fields: Vec<CardInput>,
}

/// The page that sends the buyer to a page of the gateway, or shows the address to send to a customer.
#[derive(Template)]
#[template(path = "hosted.html")]
pub(crate) struct HostedPage {
    pub(crate) theme: &'static str,
    pub(crate) basket: Basket,
    pub(crate) order_id: String,
    pub(crate) address: String,
    /// For a link only.
    pub(crate) last_day: Option<String>,
}

/// One input of a card with the shop's own label.
pub(crate) struct CardInput {
    pub(crate) id: String,
    pub(crate) src: String,
    pub(crate) label: &'static str,
}

impl CardInput {
    pub(crate) fn new(field: Field) -> Self {
        let label = match field.id.as_str() {
            "CARD_NUMBER" => "Card number",
            "EXPIRATION_DATE" => "Expiry date",
            "SECURITY_CODE" => "Security code",
            "CARDHOLDER_NAME" => "Name on card",
            "CARDHOLDER_SURNAME" => "Surname on card",
            "CARDHOLDER_EMAIL" => "E-mail",
            _ => "Card",
        };
        Self {
            id: field.id,
            src: field.src,
            label,
        }
    }
}

/// The goods.
pub(crate) struct Basket {
    lines: Vec<Line>,
    total: String,
    /// The price of an express delivery, if the buyer chooses the delivery.
    express: Option<String>,
}

impl Basket {
    pub(crate) fn new(choice: &Choice) -> Self {
        let [mug, towel] = choice.amount.split([69, 31]);
        Self {
            lines: vec![
                Line::new("Stoneware jug", "Sand glaze, 0.8 l", &mug, &choice.locale),
                Line::new("Linen towel", "Undyed, 45 × 70 cm", &towel, &choice.locale),
            ],
            total: choice.amount.format(&choice.locale),
            express: choice
                .asks_delivery
                .then(|| Delivery::Express.price(&choice.currency, &choice.locale)),
        }
    }
}

/// One line of the basket.
struct Line {
    name: &'static str,
    note: &'static str,
    amount: String,
}

impl Line {
    fn new(name: &'static str, note: &'static str, amount: &Money, locale: &str) -> Self {
        Self {
            name,
            note,
            amount: amount.format(locale),
        }
    }
}

/// One payment on a page.
pub(crate) struct PaymentForm {
    order_id: String,
    session_id: String,
}

impl PaymentForm {
    pub(crate) fn new(order: &ShopOrder) -> Self {
        Self {
            order_id: order.order_id.clone(),
            session_id: order.session_id.clone(),
        }
    }
}

/// An order as the gateway knows it. Also the page to which a browser returns.
#[derive(Template)]
#[template(path = "order.html")]
pub(crate) struct OrderPage {
    theme: &'static str,
    order_id: String,
    status: &'static str,
    title: &'static str,
    sentence: String,
    amounts: Vec<(&'static str, String)>,
    operations: Vec<OperationRow>,
    notifications: Vec<NotificationRow>,
    raw: String,
}

impl OrderPage {
    pub(crate) fn new(
        order: &ShopOrder,
        view: &OrderView,
        notifications: &[ReceivedNotification],
    ) -> Self {
        let status = OrderStatus::of(order, view);
        let totals = &view.order_status;
        let money = |minor: &str| {
            Money::from_wire(minor, &totals.order.currency)
                .map_or_else(|| minor.to_owned(), |money| money.format(&order.locale))
        };
        let mut amounts = vec![
            ("Ordered", money(&totals.order.amount)),
            ("Authorized", money(&totals.authorized_amount)),
            ("Captured", money(&totals.captured_amount)),
        ];
        if let Some(refunded) = totals
            .refunded_amount
            .as_deref()
            .filter(|amount| *amount != "0")
        {
            amounts.push(("Refunded", money(refunded)));
        }
        Self {
            theme: "auto",
            order_id: order.order_id.clone(),
            status: status.as_str(),
            title: status.title(),
            sentence: status.sentence(&order.order_id),
            amounts,
            operations: view
                .operations
                .iter()
                .map(|operation| OperationRow {
                    time: readable_instant(&operation.operation_time),
                    kind: operation.operation_type.clone(),
                    result: operation.operation_result.clone(),
                    amount: operation
                        .operation_amount
                        .as_deref()
                        .map(money)
                        .unwrap_or_default(),
                    card: [
                        operation.payment_circuit.as_deref(),
                        operation.payment_instrument_info.as_deref(),
                    ]
                    .into_iter()
                    .flatten()
                    .collect::<Vec<_>>()
                    .join(" "),
                    id: operation.operation_id.clone(),
                })
                .collect(),
            notifications: notifications.iter().map(NotificationRow::new).collect(),
            raw: serde_json::to_string_pretty(&view.raw).unwrap_or_default(),
        }
    }
}

/// One row of the operations of an order.
struct OperationRow {
    time: String,
    kind: String,
    result: String,
    amount: String,
    card: String,
    id: String,
}

/// All notifications that the shop received.
#[derive(Template)]
#[template(path = "notifications.html")]
pub(crate) struct NotificationsPage {
    theme: &'static str,
    notifications: Vec<NotificationRow>,
}

impl NotificationsPage {
    pub(crate) fn new(notifications: &[ReceivedNotification]) -> Self {
        Self {
            theme: "auto",
            notifications: notifications.iter().map(NotificationRow::new).collect(),
        }
    }
}

/// One row of the received notifications.
struct NotificationRow {
    received: String,
    order_id: String,
    kind: String,
    result: String,
    event_id: String,
}

impl NotificationRow {
    fn new(notification: &ReceivedNotification) -> Self {
        Self {
            received: Timestamp::from_millisecond(notification.received_ms)
                .map_or_else(|_| String::new(), readable),
            order_id: notification.order_id.clone(),
            kind: notification.operation_type.clone(),
            result: notification.operation_result.clone(),
            event_id: notification.event_id.clone(),
        }
    }
}

/// A page with an error and what to do about it.
#[derive(Template)]
#[template(path = "problem.html")]
pub(crate) struct ProblemPage {
    theme: &'static str,
    title: String,
    sentence: String,
    details: Vec<(String, String)>,
}

impl ProblemPage {
    /// A message without details.
    pub(crate) fn new(title: &str, sentence: &str) -> Self {
        Self {
            theme: "auto",
            title: title.to_owned(),
            sentence: sentence.to_owned(),
            details: Vec::new(),
        }
    }

    /// Names each wrong parameter and the accepted values.
    pub(crate) fn wrong_parameters(wrong: Vec<ParameterError>) -> Self {
        let mut page = Self::new(
            "This address cannot be used",
            "A parameter of the page's address is not understood.",
        );
        page.details = wrong
            .into_iter()
            .map(|parameter| (parameter.name, parameter.accepted))
            .collect();
        page
    }

    /// With the status that fits the error.
    pub(crate) fn gateway(problem: &GatewayError) -> (StatusCode, Self) {
        tracing::error!(%problem, "the gateway could not be used");
        match problem {
            GatewayError::Unreachable(_) => (
                StatusCode::BAD_GATEWAY,
                Self::new(
                    "Payments are not available right now",
                    "The payment gateway does not answer. Nothing was charged; please try again in a minute.",
                ),
            ),
            GatewayError::Unreadable(_) => (
                StatusCode::BAD_GATEWAY,
                Self::new(
                    "Payments are not available right now",
                    "The payment gateway answered something that the shop does not understand.",
                ),
            ),
            GatewayError::Refused { status, first } => {
                let mut page = Self::new(
                    "The gateway refused this payment",
                    "Change the address of the page, or the settings of the shop.",
                );
                page.details.push(match first {
                    Some(refusal) => (refusal.code.clone(), refusal.description.clone()),
                    None => ("Status".to_owned(), status.to_string()),
                });
                let by_request = *status == StatusCode::BAD_REQUEST;
                (
                    if by_request {
                        StatusCode::BAD_REQUEST
                    } else {
                        StatusCode::BAD_GATEWAY
                    },
                    page,
                )
            }
        }
    }
}

/// A filled page as an answer.
pub(crate) fn page(status: StatusCode, template: impl Template) -> Response {
    match template.render() {
        Ok(html) => (status, Html(html)).into_response(),
        Err(error) => {
            tracing::error!(%error, "a page could not be written");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

/// An instant of the API for people. Text that is not an instant is unchanged.
fn readable_instant(text: &str) -> String {
    text.parse::<Timestamp>()
        .map_or_else(|_| text.to_owned(), readable)
}

fn readable(instant: Timestamp) -> String {
    instant.strftime("%-d %b %Y, %H:%M:%S UTC").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_escaped() {
        let hostile = ParameterError {
            name: "<script>alert(1)</script>".to_owned(),
            accepted: "\"'&".to_owned(),
        };
        let html = ProblemPage::wrong_parameters(vec![hostile])
            .render()
            .expect("renders");
        assert!(!html.contains("<script>alert"));
        assert!(html.contains("alert(1)"));
    }

    #[test]
    fn instants_are_written_for_people() {
        assert_eq!(
            readable_instant("2022-09-01T01:20:00.001Z"),
            "1 Sep 2022, 01:20:00 UTC"
        );
        assert_eq!(readable_instant("yesterday"), "yesterday");
    }
}
