//! Sends a pending follow-up operation to the acquirer of its payment, and records the response.

use super::loaded_payment::load;
use super::{AUTOMATIC, DAY_MS, PostAuthorization};
use crate::booking::NotificationContent;
use crate::error::PaymentError;
use crate::locks::Held;
use crate::meter;
use crate::operation_document::{add_status, conversion_of};
use payframe_payment_domain::event_type::EventType;
use payframe_payment_domain::ledger_rules::FollowUp;
use payframe_payment_domain::operation::{AuthorizationResult, OperationResult};
use payframe_payment_ports::acquirer::{AuthorizationResponse, FollowUpRequest};
use payframe_protocol::operation::Operation;
use payframe_storage::ledger::{self, BookingStatus};
use payframe_storage::orders::OrderChange;
use payframe_storage::sessions::SessionRow;
use payframe_storage::{Connection, StoreError, Subject, operations, orders};

impl PostAuthorization<'_> {
    /// Requests a pending follow-up operation from the acquirer, and records the response. Does nothing for other operations. `held` is
    /// the payment's lock.
    pub(super) async fn complete_follow_up(
        &self,
        _held: &Held,
        payment_id: &str,
        operation_id: &str,
    ) -> Result<(), PaymentError> {
        let loaded = load(&mut *self.context.store().read().await?, payment_id).await?;
        let Some((later, stored)) = loaded.pending(operation_id) else {
            return Ok(());
        };
        let conversion = conversion_of(&stored.document);
        let request = FollowUpRequest {
            reference: operation_id,
            authorization: payment_id,
            target: &later.target_id,
            terminal_id: &stored.document.terminal_id,
            operation: later.follow_up,
            amount: later.amount,
            currency: &loaded.row.terms.currency,
            conversion: conversion.as_ref(),
        };
        let asked = self.context.find_acquirer(payment_id).await?;
        let now_ms = self.context.clock().now_ms();
        let reply = asked.acquirer.follow_up(&request);
        let reply = meter::asking("move_money", &asked.name, reply).await?;
        let mut transaction = self
            .context
            .store()
            .write(Subject::Operation(payment_id))
            .await?;
        self.book_later(&mut transaction, payment_id, operation_id, &reply, now_ms)
            .await?;
        transaction.commit().await?;
        self.context.wake_notifier();
        Ok(())
    }

    /// Records the acquirer's response to a follow-up operation.
    async fn book_later(
        &self,
        connection: &mut Connection,
        payment_id: &str,
        operation_id: &str,
        reply: &AuthorizationResponse,
        now_ms: i64,
    ) -> Result<(), PaymentError> {
        let loaded = load(connection, payment_id).await?;
        let Some((later, stored)) = loaded.pending(operation_id) else {
            // Another process has recorded it.
            return Ok(());
        };
        let mut operation = stored.document.clone();
        add_status(&mut operation.additional_data, reply);
        let result = match reply.result {
            AuthorizationResult::Pending => OperationResult::Pending,
            AuthorizationResult::Declined => OperationResult::Declined,
            AuthorizationResult::Failed => OperationResult::Failed,
            AuthorizationResult::Approved => {
                let outcome = loaded.payment.approved(later);
                for (id, result) in &outcome.changes {
                    let changed = loaded.document(id)?;
                    let changed = Operation {
                        operation_result: result.code().to_owned(),
                        ..changed.clone()
                    };
                    operations::record_response(connection, &changed, None)?;
                }
                move_totals(connection, &loaded.row, later).await?;
                outcome.result
            }
        };
        if operation.channel_detail == AUTOMATIC && !result.moved_money() {
            ledger::put_release(connection, payment_id, now_ms + DAY_MS);
        }
        operation.operation_result = result.code().to_owned();
        operations::record_response(connection, &operation, reply.ask_again_ms)?;
        if result == OperationResult::Pending && stored.booking == BookingStatus::Booked {
            // The pending state has been notified before.
            return Ok(());
        }
        let telling = NotificationContent {
            terms: &loaded.row.terms,
            operation: &operation,
            event_type: EventType::Operation,
            event_ms: match stored.booking {
                BookingStatus::Pending => stored.time_ms,
                BookingStatus::Booked => now_ms,
            },
        };
        self.ledger
            .announce_known(connection, &telling, now_ms)
            .await
    }
}

/// Updates the totals of the payment's order.
async fn move_totals(
    connection: &mut Connection,
    row: &SessionRow,
    later: &FollowUp,
) -> Result<(), PaymentError> {
    let terms = &row.terms;
    let order = orders::find(connection, &terms.merchant_id, &terms.order_id)
        .await?
        .ok_or(StoreError::Unreadable("order"))?;
    let totals = order
        .totals
        .moved(later.follow_up, later.amount)
        .ok_or(StoreError::Unreadable("totals"))?;
    let change = OrderChange {
        totals,
        last_operation_ms: None,
        released: None,
    };
    orders::change(connection, (&terms.merchant_id, &terms.order_id), &change);
    Ok(())
}
