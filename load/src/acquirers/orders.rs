//! Telephone orders, and what merchants do with their money afterwards. Each merchant takes one order after the other.

use crate::caller::{Caller, Credentials};
use crate::orders::PaymentKind;
use crate::payment::text;
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use tokio::task::JoinSet;

/// An order as its merchant was told about it.
#[derive(Debug)]
pub(super) struct TelephoneOrder {
    pub(super) order: String,
    /// The payment, and then the movements of its money, in the order in which they were asked for.
    pub(super) told: Vec<Told>,
}

/// The answer to a call that moves money.
#[derive(Debug)]
pub(super) struct Told {
    pub(super) operation_id: String,
    pub(super) result: String,
}

impl TelephoneOrder {
    /// Whether the answer to the payment said so.
    pub(super) fn is_paid(&self) -> bool {
        self.told.first().is_some_and(Told::is_good)
    }
}

/// Takes so many orders.
pub(super) async fn take_all(caller: Arc<Caller>, orders: u32) -> Result<Vec<TelephoneOrder>> {
    let next = Arc::new(AtomicU32::new(0));
    let mut running = JoinSet::new();
    for _ in 0..CLIENTS {
        let (caller, next) = (Arc::clone(&caller), Arc::clone(&next));
        running.spawn(async move {
            let mut taken = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= orders {
                    return anyhow::Ok(taken);
                }
                taken.push(take(&caller, number).await?);
            }
        });
    }
    let mut all = Vec::new();
    while let Some(taken) = running.join_next().await {
        all.extend(taken??);
    }
    Ok(all)
}

async fn take(caller: &Caller, number: u32) -> Result<TelephoneOrder> {
    let place = number as usize;
    let (kind, (_, api_key)) = match place % 2 {
        0 => (PaymentKind::Sale, TERMINALS[0]),
        _ => (PaymentKind::Hold, TERMINALS[1]),
    };
    let (card, paid) = CARDS[place / 2 % CARDS.len()];
    let mut order = TelephoneOrder {
        order: format!("T{number}"),
        told: Vec::new(),
    };
    let merchant = Merchant { caller, api_key };
    merchant
        .serve(&mut order, kind, card, paid)
        .await
        .with_context(|| format!("order {}", order.order))?;
    Ok(order)
}

struct Merchant<'a> {
    caller: &'a Caller,
    api_key: &'a str,
}

impl Merchant<'_> {
    async fn serve(
        &self,
        taken: &mut TelephoneOrder,
        kind: PaymentKind,
        card: &str,
        paid: i64,
    ) -> Result<()> {
        let order = taken.order.clone();
        let body = json!({
            "order": {
                "orderId": order, "amount": paid.to_string(), "currency": "EUR",
                "customerInfo": { "cardHolderName": "Anna Rossi" }
            },
            "card": { "pan": card, "expiryDate": "1230", "cvv": "123" }
        });
        let answer = self
            .call("/api/orders/moto", &format!("{order}-pay"), &body)
            .await?;
        let payment = self.note(taken, &answer["operation"])?;
        if !taken.is_paid() {
            return Ok(());
        }
        let mut held = paid;
        for (step, (call, movement, amount)) in kind.movements().iter().enumerate() {
            // What is held is released whole.
            let amount = if *movement == "VOID" { held } else { *amount };
            held -= amount;
            let path = format!("/api/operations/{payment}/{call}");
            let body = json!({ "amount": amount.to_string(), "currency": "EUR" });
            let key = format!("{order}-move-{step}");
            let answer = self.call(&path, &key, &body).await?;
            let movement = self.read(&order, text(&answer, "operationId")?).await?;
            self.note(taken, &movement)?;
            if !taken.told.last().is_some_and(Told::is_good) {
                // What may be moved next depends on how this ends.
                return Ok(());
            }
        }
        Ok(())
    }

    async fn call(&self, path: &str, key: &str, body: &Value) -> Result<Value> {
        let who = Credentials::Merchant(self.api_key);
        self.caller.post(who, path, key, body).await
    }

    /// An operation of an order.
    async fn read(&self, order: &str, operation_id: &str) -> Result<Value> {
        let who = Credentials::Merchant(self.api_key);
        let path = format!("/api/orders/{order}");
        let read = self.caller.get(who, &path).await?;
        let mut operations = read["operations"].as_array().into_iter().flatten();
        let found = operations.find(|one| one["operationId"] == operation_id);
        let found = found.with_context(|| format!("{order} has no operation {operation_id}"))?;
        Ok(found.clone())
    }

    /// Keeps what an answer says of an operation, and returns its id.
    fn note(&self, order: &mut TelephoneOrder, operation: &Value) -> Result<String> {
        let operation_id = text(operation, "operationId")?.to_owned();
        order.told.push(Told {
            operation_id: operation_id.clone(),
            result: text(operation, "operationResult")?.to_owned(),
        });
        Ok(operation_id)
    }
}

impl Told {
    /// Whether the answer left the outcome open.
    pub(super) fn is_open(&self) -> bool {
        self.result == "PENDING"
    }

    /// Whether the answer said that money moved.
    pub(super) fn is_good(&self) -> bool {
        ["EXECUTED", "AUTHORIZED", "VOIDED", "REFUNDED"].contains(&self.result.as_str())
    }
}

/// The terminals that are connected with the acquirer, and their keys: one captures at once, the other with a call.
pub(super) const TERMINALS: [(&str, &str); 2] = [
    ("91000001", "sandbox-implicit"),
    ("91000002", "sandbox-explicit"),
];

/// Cards and amounts, in turn. Adapters decide by the card, hosts for ISO 8583 by the last digits of the amount: approved, declined, pending
/// first (adapters), a part approved (hosts), an answer that nobody knows (hosts).
const CARDS: [(&str, i64); 8] = [
    ("4761730000000003", 3545),
    ("4761730000000003", 3545),
    ("4761730000001167", 3551),
    ("4761730000000003", 3545),
    ("4761730000009111", 3545),
    ("4761730000000003", 3510),
    ("4761730000000003", 3545),
    ("4761730000000003", 3568),
];

const CLIENTS: usize = 12;
