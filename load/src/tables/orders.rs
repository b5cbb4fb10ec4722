//! The orders that copies are made of: each is paid through the gateway, as merchants' servers and buyers do it.

use super::template::{Form, Name};
use crate::caller::Credentials;
use crate::connection::Connection;
use crate::payment::{card_entry, text};
use anyhow::{Result, ensure};
use serde_json::{Value, json};

/// What becomes of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Case {
    Paid,
    Refused,
    Refunded(i64),
    Captured,
    Contract,
    Disputed,
    /// A link that nobody has opened.
    Link,
    /// An alternative method.
    Method,
}

/// An order that is copied.
pub(super) struct Order {
    pub(super) order_id: String,
    pub(super) customer_id: String,
    pub(super) custom_field: String,
    pub(super) contract_id: String,
    pub(super) case: Case,
    card: &'static str,
    amount: i64,
    /// Whether the merchant is notified.
    notified: bool,
}

/// Twenty orders, so that one of each kind is five in a hundred.
const CASES: [(Case, &str); 20] = [
    (Case::Paid, VISA),
    (Case::Paid, MASTERCARD),
    (Case::Paid, VISA),
    (Case::Paid, MASTERCARD),
    (Case::Paid, VISA),
    (Case::Paid, AMEX),
    (Case::Paid, VISA),
    (Case::Paid, MASTERCARD),
    (Case::Paid, VISA),
    (Case::Paid, MASTERCARD),
    (Case::Paid, VISA),
    (Case::Paid, DINERS),
    (Case::Refused, "4761730000001167"),
    (Case::Refunded(AMOUNT), VISA),
    (Case::Refunded(1000), MASTERCARD),
    (Case::Captured, VISA),
    (Case::Contract, VISA),
    (Case::Disputed, MASTERCARD),
    (Case::Link, VISA),
    (Case::Method, ""),
];

/// The orders, without a payment.
pub(super) fn all() -> Vec<Order> {
    let orders = CASES.iter().enumerate();
    orders
        .map(|(number, (case, card))| Order {
            order_id: format!("copied-{number:02}"),
            customer_id: format!("buyer-{number:02}"),
            custom_field: format!("field-{number:02}"),
            contract_id: format!("contract-{number:02}"),
            case: *case,
            card,
            amount: AMOUNT,
            notified: number % 2 == 0,
        })
        .collect()
}

impl Order {
    /// What differs in copies, besides the ids that the gateway makes.
    pub(super) fn names(&self) -> Vec<Name> {
        let name = |text: &str, form: Form| Name {
            text: text.to_owned(),
            form,
        };
        let mut names = vec![
            name(&self.order_id, Form::Numbered),
            name(&self.customer_id, Form::Shared(ORDERS_OF_A_CUSTOMER)),
            name(&self.custom_field, Form::Shared(ORDERS_OF_A_FIELD)),
            name(&self.contract_id, Form::Numbered),
            name(&format!("\"{}\"", self.amount), Form::Amount(self.amount)),
        ];
        if let Some(at) = self.card.len().checked_sub(4) {
            let digits = &self.card[at..];
            names.push(name(&format!("***{digits}"), Form::LastFour));
            names.push(name(&format!("\"last4\":\"{digits}"), Form::LastFour));
        }
        names
    }

    /// Brings it to its end.
    pub(super) async fn make(
        &self,
        line: &mut Connection,
        hook: &str,
        last_day: &str,
    ) -> Result<()> {
        let id = &self.order_id;
        if self.case == Case::Link {
            let mut body = self.body(hook);
            body["expirationDate"] = last_day.into();
            line.post(
                MERCHANT,
                "/api/v2/orders/paybylink",
                &format!("{id}-link"),
                body.to_string(),
            )
            .await?;
            return Ok(());
        }
        let mut body = self.body(hook);
        body["merchantUrl"] = "https://shop.example".into();
        body["form"] = json!({ "closing": "FRAME" });
        let built = line
            .post(
                MERCHANT,
                "/api/orders/build",
                &format!("{id}-build"),
                body.to_string(),
            )
            .await?;
        let frame = Credentials::Frame(text(&built, "sessionId")?);
        if self.case == Case::Method {
            return line.press(text(&built, "url")?, "answer=approve").await;
        }
        let mut card = card_entry(self.card);
        if self.card == AMEX {
            card[2]["value"] = "1234".into();
        }
        let card = card.to_string();
        let entered = line
            .post(frame, "/api/fe/build/text", &format!("{id}-card"), card)
            .await?;
        line.press(text(&entered["gdiStatus"], "gdiUrl")?, "")
            .await?;
        let state = line
            .post(
                frame,
                "/api/build/finalize_payment",
                &format!("{id}-close"),
                "{}",
            )
            .await?;
        let operation = &state["operation"];
        let result = text(operation, "operationResult")?;
        let is_good = matches!(result, "EXECUTED" | "AUTHORIZED");
        ensure!(is_good != (self.case == Case::Refused), "{id}: {state}");
        self.follow_up(line, text(operation, "operationId")?).await
    }

    async fn follow_up(&self, line: &mut Connection, payment: &str) -> Result<()> {
        let money = |amount: i64| json!({ "amount": amount.to_string(), "currency": "EUR" });
        let (path, body) = match self.case {
            Case::Refunded(amount) => (format!("/api/operations/{payment}/refunds"), money(amount)),
            Case::Captured => (
                format!("/api/operations/{payment}/captures"),
                money(self.amount),
            ),
            Case::Disputed => (
                String::from("/api/test/disputes"),
                json!({ "operationId": payment }),
            ),
            _ => return Ok(()),
        };
        let key = format!("{}-later", self.order_id);
        line.post(MERCHANT, &path, &key, body.to_string()).await?;
        Ok(())
    }

    fn body(&self, hook: &str) -> Value {
        let amount = self.amount.to_string();
        let recurrence = match self.case {
            Case::Contract => json!({
                "action": "CONTRACT_CREATION", "contractId": self.contract_id, "contractType": "MIT_UNSCHEDULED"
            }),
            _ => json!({ "action": "NO_RECURRING" }),
        };
        let mut session = json!({
            "actionType": if self.case == Case::Captured { "PREAUTH" } else { "PAY" }, "amount": amount,
            "resultUrl": "https://shop.example/paid", "cancelUrl": "https://shop.example/left", "recurrence": recurrence
        });
        if self.case != Case::Link {
            let is_method = self.case == Case::Method;
            session["paymentService"] = if is_method { "PAYPAL" } else { "CARDS" }.into();
        }
        if self.notified {
            session["notificationUrl"] = hook.into();
        }
        json!({
            "order": {
                "orderId": self.order_id, "amount": amount, "currency": "EUR", "customerId": self.customer_id,
                "customField": self.custom_field, "description": "Two tickets",
                "customerInfo": { "cardHolderName": "Anna Rossi", "billingAddress": { "country": "ITA" } }
            },
            "paymentSession": session
        })
    }
}

/// The demo merchant's server.
pub(super) const MERCHANT: Credentials<'_> = Credentials::Merchant("sandbox-implicit");
/// How many orders a customer has.
pub(super) const ORDERS_OF_A_CUSTOMER: i64 = 5;
/// How many orders have the same custom field.
pub(super) const ORDERS_OF_A_FIELD: i64 = 50;
/// Of each order. A number that nothing else in its rows has.
pub(super) const AMOUNT: i64 = 3545;
const VISA: &str = "4761730000000003";
const MASTERCARD: &str = "5555555555554444";
const AMEX: &str = "378282246310005";
const DINERS: &str = "30569309025904";
