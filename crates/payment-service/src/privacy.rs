//! A buyer's data: what is stored of it, as JSON, and its erasure.
//!
//! Money is not erased: amounts, times, results and ids stay, with the card as lists show it, because refunds, disputes and the merchant's
//! books need them. The order says when its buyer was erased. Each order is one transaction, so an erasure may be interrupted at any
//! moment and begun again.

mod documents;
mod export;

use super::error::PaymentError;
use super::idempotency;
use super::reservations::CHARGEABLE_DAYS;
use documents::{
    answer_without_buyer, event_without_buyer, holds_text, operation_without_buyer, order_of_event,
    order_without_buyer, origin_of,
};
use payframe_payment_ports::{Clock, Vault};
use payframe_storage::buyers::{self, BuyerContract, OrderActivity};
use payframe_storage::encrypted_values::EncryptedColumn;
use payframe_storage::{Connection, Store, StoreError, Subject, Write, erasure};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// Buyers' data in these tables.
#[derive(Clone, Copy)]
pub struct Privacy<'a> {
    store: &'a Store,
    vault: &'a dyn Vault,
    clock: &'a Clock,
}

/// By what a buyer is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuyerKey<'a> {
    /// The merchant's id of the customer.
    Customer(&'a str),
    /// An e-mail address that orders name, in any letter case. Every order of the merchant is read for it.
    Email(&'a str),
    /// One order.
    Order(&'a str),
}

/// What belongs to a buyer.
pub struct Buyer {
    /// The merchant.
    pub merchant_id: String,
    /// The orders, by their ids.
    pub orders: Vec<String>,
    /// The stored cards, by their place in the table.
    pub contracts: BTreeMap<i64, BuyerContract>,
}

/// Why an order, or a stored card, is not erased now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hindrance {
    /// A form is open or a payment is on its way.
    BeingPaid,
    /// An operation has no final result, or held money is neither captured nor released.
    OpenMoney,
    /// A hosted page or a link can still be paid.
    OpenPage,
    /// A dispute is not decided.
    Disputed,
    /// The stay can still be charged.
    Stay,
    /// A stored card is being charged.
    CardInUse,
}

impl Hindrance {
    /// What it is, and what ends it.
    pub fn sentence(self) -> &'static str {
        match self {
            Hindrance::BeingPaid => {
                "a form of it is open, or a payment is on its way: wait until that has ended"
            }
            Hindrance::OpenMoney => {
                "an operation has no final result, or money is held: wait, and capture or release the money"
            }
            Hindrance::OpenPage => {
                "a hosted page or a link of it can still be paid: revoke the link, or wait until it ends"
            }
            Hindrance::Disputed => "a dispute is not decided: its evidence is needed until then",
            Hindrance::Stay => {
                "its reservation can still be charged: cancel it, or wait until 90 days after the check-out"
            }
            Hindrance::CardInUse => {
                "a card that it stored is being charged: wait until that has ended"
            }
        }
    }
}

impl<'a> Privacy<'a> {
    /// Over these tables and keys.
    pub fn new(store: &'a Store, vault: &'a dyn Vault, clock: &'a Clock) -> Privacy<'a> {
        Privacy {
            store,
            vault,
            clock,
        }
    }

    /// Finds what belongs to a buyer. `progress` is told how many orders were read.
    pub async fn find(
        &self,
        merchant_id: &str,
        key: BuyerKey<'_>,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Buyer, PaymentError> {
        let mut connection = self.store.read().await?;
        let orders = match key {
            BuyerKey::Customer(customer_id) => {
                buyers::orders_of_customer(&mut connection, merchant_id, customer_id).await?
            }
            BuyerKey::Order(order_id) => {
                let found = buyers::activity(&mut connection, (merchant_id, order_id), 0).await?;
                found.map(|_| order_id.to_owned()).into_iter().collect()
            }
            BuyerKey::Email(email) => {
                drop(connection);
                let orders = self.scan(merchant_id, email, progress).await?;
                connection = self.store.read().await?;
                orders
            }
        };
        let mut contracts = BTreeMap::new();
        let customer_id = match key {
            BuyerKey::Customer(customer_id) => Some(customer_id),
            BuyerKey::Email(_) | BuyerKey::Order(_) => None,
        };
        let mut add = |found: Vec<BuyerContract>| {
            contracts.extend(found.into_iter().map(|contract| (contract.key, contract)));
        };
        add(buyers::contracts(&mut connection, merchant_id, customer_id, None).await?);
        for order_id in &orders {
            add(buyers::contracts(&mut connection, merchant_id, None, Some(order_id)).await?);
        }
        Ok(Buyer {
            merchant_id: merchant_id.to_owned(),
            orders,
            contracts,
        })
    }

    /// The orders that name an e-mail address. Each page of orders is read by a connection of its own, so that no other waits for it.
    async fn scan(
        &self,
        merchant_id: &str,
        email: &str,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Vec<String>, PaymentError> {
        let email = email.trim();
        let (mut found, mut last, mut read) = (Vec::new(), String::new(), 0);
        loop {
            let mut connection = self.store.read().await?;
            let page = buyers::scan(&mut connection, merchant_id, &last, PAGE).await?;
            drop(connection);
            let Some(newest) = page.last() else {
                return Ok(found);
            };
            last.clone_from(&newest.order_id);
            read += u64::try_from(page.len()).unwrap_or_default();
            progress(read);
            let names = |document: &Map<String, Value>| {
                document.values().any(|value| holds_text(value, email))
            };
            let of_buyer = page.into_iter().filter(|order| {
                names(&order.document) || order.reservation.as_ref().is_some_and(names)
            });
            found.extend(of_buyer.map(|order| order.order_id));
        }
    }

    /// What keeps orders and stored cards from being erased: each with its reasons.
    pub async fn hindrances(
        &self,
        buyer: &Buyer,
    ) -> Result<Vec<(String, Vec<Hindrance>)>, PaymentError> {
        let mut connection = self.store.read().await?;
        let mut found = Vec::new();
        for order_id in &buyer.orders {
            let activity = self.activity(&mut connection, buyer, order_id).await?;
            let hindrances = self.judge(activity);
            if !hindrances.is_empty() {
                found.push((format!("order {order_id}"), hindrances));
            }
        }
        for contract in buyer.contracts.values() {
            let id = contract.contract_id.as_str();
            if buyers::is_contract_in_use(&mut connection, &buyer.merchant_id, id).await? {
                found.push((format!("stored card {id}"), vec![Hindrance::CardInUse]));
            }
        }
        Ok(found)
    }

    /// The orders whose buyer was erased before.
    pub async fn erased(&self, buyer: &Buyer) -> Result<usize, PaymentError> {
        let mut connection = self.store.read().await?;
        let mut erased = 0;
        for order_id in &buyer.orders {
            let at = buyers::erased_ms(&mut connection, &buyer.merchant_id, order_id).await?;
            erased += usize::from(at.is_some());
        }
        Ok(erased)
    }

    async fn activity(
        &self,
        connection: &mut Connection,
        buyer: &Buyer,
        order_id: &str,
    ) -> Result<OrderActivity, PaymentError> {
        let of = (buyer.merchant_id.as_str(), order_id);
        let activity = buyers::activity(connection, of, self.clock.now_ms()).await?;
        Ok(activity.ok_or(StoreError::Unreadable("order"))?)
    }

    fn judge(&self, activity: OrderActivity) -> Vec<Hindrance> {
        let chargeable_ms = i64::from(CHARGEABLE_DAYS + 1) * DAY_MS;
        let can_be_charged = activity
            .stays_until_ms
            .is_some_and(|ends_ms| ends_ms + chargeable_ms > self.clock.now_ms());
        let all = [
            (activity.is_being_paid, Hindrance::BeingPaid),
            (activity.has_open_money, Hindrance::OpenMoney),
            (activity.has_open_page, Hindrance::OpenPage),
            (activity.is_disputed, Hindrance::Disputed),
            (can_be_charged, Hindrance::Stay),
            (activity.is_card_in_use, Hindrance::CardInUse),
        ];
        all.into_iter()
            .filter_map(|(is_so, hindrance)| is_so.then_some(hindrance))
            .collect()
    }

    /// Erases the buyer of one order, and the cards that it stored. The caller writes the audit log into the change and commits it.
    /// `Err` within `Ok`: it cannot be erased now.
    pub async fn erase_order(
        &self,
        buyer: &Buyer,
        order_id: &str,
    ) -> Result<Result<Write, Vec<Hindrance>>, PaymentError> {
        let subject = Subject::Order {
            merchant_id: &buyer.merchant_id,
            order_id,
        };
        let mut change = self.store.write(subject).await?;
        // What was seen before may have changed.
        let activity = self.activity(&mut change, buyer, order_id).await?;
        let hindrances = self.judge(activity);
        if !hindrances.is_empty() {
            return Ok(Err(hindrances));
        }
        let of = (buyer.merchant_id.as_str(), order_id);
        let stored = buyers::contracts(&mut change, of.0, None, Some(order_id)).await?;
        for contract in stored {
            erasure::delete_contract(&mut change, contract.key).await?;
        }
        let mut documents = erasure::documents(&mut change, of.0, of.1).await?;
        let order = |text: &str| -> Result<String, StoreError> {
            Ok(Value::Object(order_without_buyer(&object(text)?)).to_string())
        };
        documents.order = order(&documents.order)?;
        documents.reservation = documents.reservation.as_deref().map(order).transpose()?;
        for (_, document) in &mut documents.operations {
            *document = rewritten(document, operation_without_buyer)?;
        }
        for (_, body) in &mut documents.notifications {
            *body = rewritten(body, event_without_buyer)?;
        }
        for urls in &mut documents.return_urls {
            urls.result_url = urls.result_url.as_deref().map(origin_of);
            urls.cancel_url = urls.cancel_url.as_deref().map(origin_of);
        }
        erasure::erase(&mut change, of, &documents, self.clock.now_ms()).await?;
        Ok(Ok(change))
    }

    /// Erases the stored cards that no order of the buyer brought along. The caller commits. `None`: there is none.
    /// `Err` within: one of them is being charged.
    pub async fn erase_contracts(
        &self,
        buyer: &Buyer,
    ) -> Result<Result<Write, Vec<Hindrance>>, PaymentError> {
        let mut change = self
            .store
            .write(Subject::Merchant(&buyer.merchant_id))
            .await?;
        for contract in buyer.contracts.values() {
            let id = contract.contract_id.as_str();
            if buyers::is_contract_in_use(&mut change, &buyer.merchant_id, id).await? {
                return Ok(Err(vec![Hindrance::CardInUse]));
            }
            erasure::delete_contract(&mut change, contract.key).await?;
        }
        Ok(Ok(change))
    }

    /// Erases the buyer in events of the feed and in stored responses, which name orders only in their texts: all of them are read.
    pub async fn erase_copies(&self, buyer: &Buyer) -> Result<(), PaymentError> {
        let orders: BTreeSet<&str> = buyer.orders.iter().map(String::as_str).collect();
        self.erase_events(&buyer.merchant_id, &orders).await?;
        self.erase_answers(&buyer.merchant_id, &orders).await
    }

    async fn erase_events(
        &self,
        merchant_id: &str,
        orders: &BTreeSet<&str>,
    ) -> Result<(), PaymentError> {
        let mut behind = 0;
        loop {
            let began = Instant::now();
            let mut connection = self.store.read().await?;
            let page = erasure::events(&mut connection, merchant_id, behind, PAGE).await?;
            drop(connection);
            let Some((last, _)) = page.last() else {
                return Ok(());
            };
            behind = *last;
            let mut found = Vec::new();
            for (position, body) in page {
                let mut event = object(&body)?;
                if order_of_event(&event).is_some_and(|order_id| orders.contains(order_id)) {
                    event_without_buyer(&mut event);
                    found.push((position, Value::Object(event).to_string()));
                }
            }
            if !found.is_empty() {
                let mut change = self.store.write(Subject::Statement).await?;
                for (position, body) in &found {
                    erasure::put_event(&mut change, (merchant_id, *position), body).await?;
                }
                change.commit().await?;
            }
            // Payments get the same time for their work.
            tokio::time::sleep(began.elapsed()).await;
        }
    }

    async fn erase_answers(
        &self,
        merchant_id: &str,
        orders: &BTreeSet<&str>,
    ) -> Result<(), PaymentError> {
        let column = EncryptedColumn::Answers;
        // Frames and pages get no answer that describes a buyer.
        let of_merchant = format!("merchant {merchant_id} ");
        let mut last = None;
        loop {
            let began = Instant::now();
            // No value begins with nothing but an empty one, so all of them are read.
            let values = column
                .next(&mut *self.store.read().await?, last.as_ref(), &[])
                .await?;
            if values.is_empty() {
                return Ok(());
            }
            let mut change = self.store.write(Subject::Statement).await?;
            for value in &values {
                if !value.owner.starts_with(&of_merchant) {
                    continue;
                }
                let belongs_to = idempotency::belongs_to(&value.owner);
                // What no key opens is not repeated to anybody, either.
                let Ok(body) = self.vault.decrypt(&value.encrypted, &belongs_to) else {
                    continue;
                };
                let Ok(mut answer) = serde_json::from_slice::<Value>(&body) else {
                    continue;
                };
                if answer_without_buyer(&mut answer, &|order_id| orders.contains(order_id)) {
                    let without = answer.to_string();
                    let encrypted = self.vault.encrypt(without.as_bytes(), &belongs_to)?;
                    column.put(&mut change, value, encrypted).await?;
                }
            }
            change.commit().await?;
            last = values.into_iter().next_back();
            tokio::time::sleep(began.elapsed()).await;
        }
    }
}

fn object(text: &str) -> Result<Map<String, Value>, StoreError> {
    serde_json::from_str(text).map_err(|_| StoreError::Unreadable("document"))
}

fn rewritten(text: &str, erase: fn(&mut Map<String, Value>)) -> Result<String, StoreError> {
    let mut document = object(text)?;
    erase(&mut document);
    Ok(Value::Object(document).to_string())
}

/// How many orders or events are read at a time.
const PAGE: u32 = 500;

const DAY_MS: i64 = 86_400_000;
