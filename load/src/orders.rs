//! Orders of every kind. The merchant's server and the buyer's frame bring each to its end.

use crate::caller::{Caller, Credentials};
use crate::payment::{card_entry, text};
use anyhow::{Context, Result};
use serde_json::{Value, json};

/// The kind of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Case {
    /// Cards that are used one after the other in one session; all except the last are refused.
    Cards(&'static [&'static str]),
    /// An alternative method, approved on its operator's page.
    Method(&'static str),
    /// By telephone, in one call.
    Telephone,
    /// A payment that makes a contract, and a charge of that contract later.
    Contract,
}

/// The kinds of orders. Buyers take them in turn.
pub(crate) const CASES: [Case; 9] = [
    Case::Cards(&["4761730000000003"]),
    Case::Cards(&["4761730000001167", "5413330000000001"]),
    Case::Cards(&["4761730000003007"]),
    Case::Cards(&["4761730000008881"]),
    Case::Cards(&["4761730000003049"]),
    Case::Method("PAYPAL"),
    Case::Method("MULTIBANCO"),
    Case::Telephone,
    Case::Contract,
];

/// The later movements of the money.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PaymentKind {
    /// Captured at once; a part of it is refunded in two steps.
    Sale,
    /// Held; captured in two parts, and the rest is released.
    Hold,
}

impl PaymentKind {
    fn action(self) -> &'static str {
        match self {
            PaymentKind::Sale => "PAY",
            PaymentKind::Hold => "PREAUTH",
        }
    }

    /// Call, type of the resulting operation, and amount.
    pub(crate) fn movements(self) -> &'static [(&'static str, &'static str, i64)] {
        match self {
            PaymentKind::Sale => &[("refunds", "REFUND", 1000), ("refunds", "REFUND", 545)],
            PaymentKind::Hold => &[
                ("captures", "CAPTURE", 1000),
                ("captures", "CAPTURE", 500),
                // The amount exceeds the captured one, so it is the open one.
                ("refunds", "VOID", 2045),
            ],
        }
    }

    /// Authorized, captured and refunded amounts at the end, if all movements succeed.
    fn totals(self) -> [i64; 3] {
        match self {
            PaymentKind::Sale => [AMOUNT, AMOUNT, 1545],
            PaymentKind::Hold => [AMOUNT - 2045, 1500, 0],
        }
    }
}

/// An order as its merchant sees it.
#[derive(Debug)]
pub(crate) struct ReportedOrder {
    pub(crate) order: String,
    /// Results that it received, one for each call that closes a payment.
    pub(crate) results: Vec<String>,
    /// Movements of money for which it received an answer: id, type, amount.
    pub(crate) moved: Vec<(String, String, i64)>,
    /// Authorized, captured and refunded amounts at the end.
    pub(crate) totals: [i64; 3],
}

impl ReportedOrder {
    /// The result of its payment when everything has arrived: captured, or held for later.
    pub(crate) fn good(&self) -> &'static str {
        match self.totals {
            [_, 0, _] => "AUTHORIZED",
            _ => "EXECUTED",
        }
    }
}

/// A merchant's server and its buyers.
pub(crate) struct Merchant<'a> {
    pub(crate) caller: &'a Caller,
    pub(crate) api_key: &'a str,
    /// The address for its notifications.
    pub(crate) hook: &'a str,
}

impl Merchant<'_> {
    /// Brings an order, or the two orders of a contract, to the end.
    pub(crate) async fn serve(
        &self,
        order: &str,
        case: Case,
        plan: PaymentKind,
    ) -> Result<Vec<ReportedOrder>> {
        let served = async {
            match case {
                Case::Cards(cards) => Ok(vec![self.by_cards(order, cards, plan, None).await?]),
                Case::Method(service) => Ok(vec![self.by_method(order, service).await?]),
                Case::Telephone => Ok(vec![self.by_telephone(order).await?]),
                Case::Contract => self.on_contract(order).await,
            }
        };
        served
            .await
            .with_context(|| format!("order {order}, {case:?}"))
    }

    async fn by_cards(
        &self,
        order: &str,
        cards: &[&str],
        plan: PaymentKind,
        contract: Option<&str>,
    ) -> Result<ReportedOrder> {
        let built = self.build(order, "CARDS", plan, contract).await?;
        let frame = Credentials::Frame(text(&built, "sessionId")?);
        let mut results = Vec::new();
        for (attempt, number) in cards.iter().enumerate() {
            let key = format!("{order}-card-{attempt}");
            let entry = card_entry(number);
            let entered = self
                .caller
                .post(frame, "/api/fe/build/text", &key, &entry)
                .await?;
            if let Some(url) = entered["gdiStatus"]["gdiUrl"].as_str() {
                self.caller.press(self.caller.path(url)?, "").await?;
            }
            let key = format!("{order}-close-{attempt}");
            let close = "/api/build/finalize_payment";
            let mut state = self.caller.post(frame, close, &key, &json!({})).await?;
            if let Some(url) = state["url"].as_str() {
                let token = url.rsplit('/').next().unwrap_or_default();
                let page = format!("/threeds/result/{token}");
                self.caller
                    .press(&page, "answer=approve&code=123456")
                    .await?;
                state = self.caller.get(frame, "/api/build/state").await?;
            }
            results.push(result(&state)?);
        }
        self.moved_or_pending(order, results, plan).await
    }

    async fn by_method(&self, order: &str, service: &str) -> Result<ReportedOrder> {
        let built = self.build(order, service, PaymentKind::Sale, None).await?;
        let frame = Credentials::Frame(text(&built, "sessionId")?);
        let url = text(&built, "url")?;
        self.caller
            .press(self.caller.path(url)?, "answer=approve")
            .await?;
        let state = self.caller.get(frame, "/api/build/state").await?;
        self.moved_or_pending(order, vec![result(&state)?], PaymentKind::Sale)
            .await
    }

    async fn by_telephone(&self, order: &str) -> Result<ReportedOrder> {
        let body = json!({
            "order": {
                "orderId": order, "amount": AMOUNT.to_string(), "currency": "EUR",
                "customerInfo": { "cardHolderName": "Anna Rossi" }
            },
            "card": { "pan": "4761730000000003", "expiryDate": "1230", "cvv": "123" }
        });
        self.in_one_call(order, "/api/orders/moto", &body).await
    }

    async fn on_contract(&self, order: &str) -> Result<Vec<ReportedOrder>> {
        let contract = format!("{order}-contract");
        let cards = &["4761730000000003"];
        let first = self
            .by_cards(order, cards, PaymentKind::Sale, Some(&contract))
            .await?;
        let charge = format!("{order}-later");
        let body = json!({
            "order": { "orderId": charge, "amount": AMOUNT.to_string(), "currency": "EUR" },
            "contractId": contract
        });
        Ok(vec![
            first,
            self.in_one_call(&charge, "/api/orders/mit", &body).await?,
        ])
    }

    async fn in_one_call(&self, order: &str, path: &str, body: &Value) -> Result<ReportedOrder> {
        let who = Credentials::Merchant(self.api_key);
        let answer = self
            .caller
            .post(who, path, &format!("{order}-pay"), body)
            .await?;
        self.moved_or_pending(order, vec![result(&answer)?], PaymentKind::Sale)
            .await
    }

    /// Moves the money as planned, unless the last result is still pending.
    async fn moved_or_pending(
        &self,
        order: &str,
        results: Vec<String>,
        plan: PaymentKind,
    ) -> Result<ReportedOrder> {
        let is_pending = results.last().is_some_and(|result| result == "PENDING");
        let mut order_report = ReportedOrder {
            order: order.to_owned(),
            results,
            moved: Vec::new(),
            totals: match plan {
                _ if !is_pending => plan.totals(),
                PaymentKind::Sale => [AMOUNT, AMOUNT, 0],
                PaymentKind::Hold => [AMOUNT, 0, 0],
            },
        };
        if !is_pending {
            self.move_money(plan, &mut order_report).await?;
        }
        Ok(order_report)
    }

    async fn build(
        &self,
        order: &str,
        service: &str,
        plan: PaymentKind,
        contract: Option<&str>,
    ) -> Result<Value> {
        let recurrence = match contract {
            Some(contract_id) => json!({
                "action": "CONTRACT_CREATION", "contractId": contract_id, "contractType": "MIT_UNSCHEDULED"
            }),
            None => json!({ "action": "NO_RECURRING" }),
        };
        let body = json!({
            "merchantUrl": "https://shop.example",
            "order": {
                "orderId": order, "amount": AMOUNT.to_string(), "currency": "EUR",
                "customerInfo": { "billingAddress": { "country": "PRT" } }
            },
            "paymentSession": {
                "actionType": plan.action(), "amount": AMOUNT.to_string(), "paymentService": service,
                "resultUrl": "https://shop.example/paid", "cancelUrl": "https://shop.example/left",
                "notificationUrl": self.hook, "recurrence": recurrence
            },
            "form": { "closing": "FRAME", "attempts": 3 }
        });
        let who = Credentials::Merchant(self.api_key);
        self.caller
            .post(who, "/api/orders/build", &format!("{order}-build"), &body)
            .await
    }

    async fn move_money(&self, plan: PaymentKind, report: &mut ReportedOrder) -> Result<()> {
        let who = Credentials::Merchant(self.api_key);
        let order = &report.order;
        let read = self
            .caller
            .get(who, &format!("/api/orders/{order}"))
            .await?;
        // The newest operation is the payment.
        let payment = read["operations"].as_array().and_then(|all| all.first());
        let payment = text(
            payment.context("an order without operations")?,
            "operationId",
        )?;
        for (step, (call, kind, amount)) in plan.movements().iter().enumerate() {
            let path = format!("/api/operations/{payment}/{call}");
            let body = json!({ "amount": amount.to_string(), "currency": "EUR" });
            let key = format!("{order}-move-{step}");
            let taken = self.caller.post(who, &path, &key, &body).await?;
            let id = text(&taken, "operationId")?.to_owned();
            report.moved.push((id, (*kind).to_owned(), *amount));
        }
        Ok(())
    }
}

fn result(state: &Value) -> Result<String> {
    Ok(text(&state["operation"], "operationResult")?.to_owned())
}

const AMOUNT: i64 = 3545;
