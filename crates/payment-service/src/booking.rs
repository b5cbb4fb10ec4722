//! Writes operations: what merchants read ([`super::operation_document`]), the order's totals and the notification, in one transaction.

use super::PaymentContext;
use super::booked_money::{booked_amount, booked_capture};
use super::contracts::conclude;
use super::error::PaymentError;
use super::hosted_result;
use super::operation_document::{
    Booking, LIABILITY, add_contract, add_repeated, add_reply, may_be_disputed, method_of,
    operation_type, scheme_id, tried,
};
use crate::meter;
use payframe_card_rules::secret::Secret;
use payframe_money::Amount;
use payframe_payment_domain::calendar::instant;
use payframe_payment_domain::event_type::EventType;
use payframe_payment_domain::method::Method;
use payframe_payment_domain::operation::{ActionType, Capture, OperationResult, OperationType};
use payframe_payment_domain::session::{Recorded, State};
use payframe_payment_domain::terms::{AcceptanceChannel, Terms};
use payframe_payment_ports::acquirer::InquiryRequest;
use payframe_protocol::operation::{CARD_TESTING_RULE, Notification, Operation};
use payframe_storage::events::{About, FeedPlace};
use payframe_storage::operations::{NewOperation, PendingOperation};
use payframe_storage::orders::{OrderChange, OrderToRecord};
use payframe_storage::sessions::SessionRow;
use payframe_storage::{
    Connection, StoreError, card_tries, events, operations, orders, outbox, sessions,
};
use serde_json::{Map, Value};

/// The content of a notification to a merchant.
pub(super) struct NotificationContent<'a> {
    pub(super) terms: &'a Terms,
    pub(super) operation: &'a Operation,
    /// What it is about.
    pub(super) event_type: EventType,
    /// When it happened.
    pub(super) event_ms: i64,
}

/// Writes operations: results, totals, documents, and the content of notifications.
#[derive(Clone, Copy)]
pub(crate) struct Ledger<'a> {
    pub(super) context: &'a PaymentContext,
}

impl<'a> Ledger<'a> {
    pub(crate) fn new(context: &'a PaymentContext) -> Ledger<'a> {
        Ledger { context }
    }
}

impl Ledger<'_> {
    /// Writes an operation, what it does to its order, and the notification. Returns the operation.
    pub(crate) async fn record(
        &self,
        connection: &mut Connection,
        row: &SessionRow,
        booking: &Booking<'_>,
        now_ms: i64,
    ) -> Result<Operation, PaymentError> {
        let terms = &row.terms;
        let result = match booking.result {
            Recorded::Own(result) => result,
            Recorded::Issuer(result) => {
                OperationResult::of(result, terms.action, capture(row, booking.method))
            }
        };
        let order = (terms.merchant_id.as_str(), terms.order_id.as_str());
        let (terminal_id, operation_id) = (booking.terminal_id, booking.operation_id);
        let OrderToRecord {
            order,
            place,
            is_promised,
        } = orders::to_book(connection, order, terminal_id, operation_id).await?;
        let announced_ms = match &terms.preassigned_operation_id {
            Some(preassigned_operation_id) if preassigned_operation_id == booking.operation_id => {
                operations::time_of(connection, preassigned_operation_id).await?
            }
            _ => None,
        };
        let concluded = if is_promised {
            conclude(connection, booking.operation_id, result, now_ms).await?
        } else {
            None
        };
        let card_testing_rule = match result {
            OperationResult::DeniedByRisk => card_tries::find(connection, operation_id).await?,
            _ => None,
        }
        .and_then(|(_, rule)| rule);
        let repeated = match booking.repeats {
            Some(declined) => operations::find(connection, declined).await?,
            None => None,
        };
        // A decline that a challenge follows does not end the attempt.
        let is_repeated = matches!(row.session.state, State::SteppingUp { .. });
        if !is_repeated {
            let page = terms.hosted_page.as_deref();
            hosted_result::record_result(connection, page, operation_id, result).await?;
        }
        // From here on the merchant's other changes wait: what follows only writes.
        let about = match announced_ms {
            Some(_) => About::Other,
            None => About::NewOperation,
        };
        let feed = events::next_place(connection, &terms.merchant_id, about, now_ms).await?;
        let time_ms = announced_ms.unwrap_or(feed.time_ms);
        // The time of this result.
        let event_ms = announced_ms.map_or(time_ms, |_| now_ms);
        let amount = booked_amount(terms.action, row.amount);
        let release_limit = match (terms.action, order.is_reservation) {
            (ActionType::PreAuth, true) => self.context.settings().delayed_limit,
            (ActionType::PreAuth, false) => self.context.settings().preauth_limit,
            (ActionType::Pay | ActionType::Verify, _) => self.context.settings().capture_limit,
        };
        let customer_info = match order.document.get("customerInfo") {
            Some(Value::Object(info)) => info.clone(),
            _ => Map::new(),
        };
        let mut operation =
            booking.document(self.context, row, result, amount, time_ms, customer_info);
        if let Some(declined) = &repeated {
            add_repeated(&mut operation.additional_data, declined);
        }
        if let Some(rule) = card_testing_rule {
            let rule = Value::from(rule.code());
            operation
                .additional_data
                .insert(CARD_TESTING_RULE.to_owned(), rule);
        }
        if place == AcceptanceChannel::PointOfSale {
            operation.channel = String::from(POINT_OF_SALE);
            operation.omnichannel_id = Some(self.omnichannel_id(terms));
        }
        let paid_with = booking.card.and_then(|card| card.contract_id.clone());
        add_contract(&mut operation, concluded.or(paid_with));
        let new = NewOperation {
            merchant_id: &terms.merchant_id,
            session_hash: &row.hash,
            time_ms,
            amount,
            inquire_ms: booking.reply.and_then(|reply| reply.ask_again_ms),
            release_ms: release_ms(
                operation_type(result, terms),
                booked_capture(terms.action, capture(row, booking.method)),
                event_ms + payframe_payment_ports::clock::millis(release_limit),
            ),
            document: &operation,
        };
        match announced_ms {
            Some(_) => operations::replace(connection, &new)?,
            None => operations::add(connection, &new)?,
        }
        if let (OperationResult::Declined, Some(number), false) =
            (result, booking.number, is_repeated)
        {
            self.context
                .count_refusal(connection, &terms.merchant_id, number, now_ms);
        }
        self.context
            .conclude_try(connection, tried(&operation), result.is_good());
        let change = OrderChange {
            totals: order.totals.after(result, amount),
            last_operation_ms: announced_ms.is_none().then_some(time_ms),
            released: (!result.holds_the_order()).then_some(booking.operation_id),
        };
        let order = (terms.merchant_id.as_str(), terms.order_id.as_str());
        orders::change(connection, order, &change);
        let telling = NotificationContent {
            terms,
            operation: &operation,
            event_type: terms.event_type(),
            event_ms,
        };
        self.announce(connection, feed, &telling, now_ms)?;
        Ok(operation)
    }

    /// Counts a decline that was recorded before and ends the attempt after all.
    pub(crate) async fn finish_decline(
        &self,
        connection: &mut Connection,
        row: &SessionRow,
        operation_id: &str,
        number: Option<&Secret>,
        now_ms: i64,
    ) -> Result<(), PaymentError> {
        let page = row.terms.hosted_page.as_deref();
        hosted_result::record_result(connection, page, operation_id, OperationResult::Declined)
            .await?;
        if let Some(number) = number {
            let merchant_id = &row.terms.merchant_id;
            self.context
                .count_refusal(connection, merchant_id, number, now_ms);
        }
        Ok(())
    }

    /// Records the final result of a pending operation, if the acquirer has one.
    pub(crate) async fn book_pending(
        &self,
        pending: &PendingOperation,
    ) -> Result<(), PaymentError> {
        let _held = self.context.lock_session(&pending.session_hash).await;
        let operation_id = &pending.operation.operation_id;
        let now_ms = self.context.clock().now_ms();
        let asked = self.context.find_acquirer(operation_id).await?;
        let request = InquiryRequest {
            reference: operation_id,
            terminal_id: &pending.operation.terminal_id,
            amount: Amount::parse(&pending.operation.operation_amount)
                .ok_or(StoreError::Unreadable("amount"))?,
            currency: &pending.operation.operation_currency,
        };
        let reply = asked.acquirer.inquire(&request);
        let reply = meter::asking("inquire", &asked.name, reply).await?;
        let Some(reply) = reply else {
            return Err(PaymentError::Broken(
                "the acquirer does not know a pending operation",
            ));
        };
        let (mut transaction, row) =
            sessions::begin_change(self.context.store(), &pending.session_hash).await?;
        let operation = operations::find(&mut transaction, operation_id).await?;
        let (Some(row), Some(mut operation)) = (row, operation) else {
            return Err(StoreError::Unreadable("pending operation").into());
        };
        let terms = &row.terms;
        let before = OperationResult::from_code(&operation.operation_result);
        let before = before.ok_or(StoreError::Unreadable("operation result"))?;
        let method = method_of(&operation);
        let Ok(result) = before.resolve(reply.result, terms.action, capture(&row, method)) else {
            // Another process has recorded it.
            return Ok(());
        };
        operation.operation_result = result.code().to_owned();
        add_reply(&mut operation.additional_data, method, &reply);
        if !may_be_disputed(result) {
            operation.additional_data.remove(LIABILITY);
        }
        operation.payment_end_to_end_id = reply.approval.as_ref().and_then(scheme_id);
        let concluded = conclude(&mut transaction, operation_id, result, now_ms).await?;
        add_contract(&mut operation, concluded);
        operations::record_response(&mut transaction, &operation, reply.ask_again_ms)?;
        if result != OperationResult::Pending {
            let order = orders::find(&mut transaction, &terms.merchant_id, &terms.order_id).await?;
            let order = order.ok_or(StoreError::Unreadable("order"))?;
            let amount = Amount::parse(&operation.operation_amount)
                .ok_or(StoreError::Unreadable("amount"))?;
            self.context
                .conclude_try(&mut transaction, tried(&operation), result.is_good());
            let change = OrderChange {
                totals: order.totals.after(result, amount),
                last_operation_ms: None,
                released: (!result.holds_the_order()).then_some(operation_id),
            };
            let order = (terms.merchant_id.as_str(), terms.order_id.as_str());
            orders::change(&mut transaction, order, &change);
            let page = terms.hosted_page.as_deref();
            hosted_result::record_result(&mut transaction, page, operation_id, result).await?;
            let telling = NotificationContent {
                terms,
                operation: &operation,
                event_type: terms.event_type(),
                event_ms: now_ms,
            };
            self.announce_known(&mut transaction, &telling, now_ms)
                .await?;
        }
        transaction.commit().await?;
        self.context.wake_notifier();
        Ok(())
    }

    /// The same as [`Ledger::announce`] for an operation that has its time: behind all else that the change reads.
    pub(super) async fn announce_known(
        &self,
        connection: &mut Connection,
        telling: &NotificationContent<'_>,
        now_ms: i64,
    ) -> Result<(), PaymentError> {
        let (merchant_id, about) = (&telling.terms.merchant_id, About::Other);
        let place = events::next_place(connection, merchant_id, about, now_ms).await?;
        self.announce(connection, place, telling, now_ms)
    }

    /// Writes the event of an operation at its place in the merchant's feed, and its notification into the outbox if the merchant wants
    /// notifications.
    fn announce(
        &self,
        connection: &mut Connection,
        place: FeedPlace,
        telling: &NotificationContent<'_>,
        now_ms: i64,
    ) -> Result<(), PaymentError> {
        let (operation, terms) = (telling.operation, telling.terms);
        meter::booked(&operation.operation_type, &operation.operation_result);
        self.context.plan_dispute(connection, operation, now_ms);
        let notification = Notification {
            event_id: uuid::Uuid::new_v4().to_string(),
            event_time: instant(telling.event_ms),
            security_token: terms.security_token.clone(),
            operation: telling.operation.clone(),
            event_type: telling.event_type.code().to_owned(),
        };
        events::add(connection, &terms.merchant_id, place, &notification)?;
        if let Some(url) = &terms.notification_url {
            outbox::add(connection, &terms.merchant_id, url, &notification, now_ms)?;
        }
        Ok(())
    }

    /// The id that links all operations of an order at points of sale.
    pub(super) fn omnichannel_id(&self, terms: &Terms) -> String {
        let (merchant_id, order_id) = (&terms.merchant_id, &terms.order_id);
        self.context
            .vault()
            .page_token(&format!("points of sale of {merchant_id} {order_id}"))
    }
}

/// When an authorization is released automatically: at `limit_ms`. `None` if it holds no money for a later capture.
fn release_ms(kind: OperationType, capture: Capture, limit_ms: i64) -> Option<i64> {
    (kind == OperationType::Authorization && capture == Capture::Explicit).then_some(limit_ms)
}

/// When approved money is captured. Alternative methods capture at once; `captureType` is for cards (contract 2.4).
pub(super) fn capture(row: &SessionRow, method: Option<&Method>) -> Capture {
    match method {
        Some(_) => Capture::Implicit,
        None => row.terms.capture,
    }
}

/// `channel` of an operation at a point of sale.
pub(super) const POINT_OF_SALE: &str = "POS";
