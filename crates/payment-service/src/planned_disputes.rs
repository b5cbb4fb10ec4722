//! The disputes that a simulator's banks open by themselves: planned in the transaction that books a capture, opened when they are due.

use crate::disputes::{DisputeRefusal, Disputes, NewDispute};
use crate::error::report;
use crate::{PaymentContext, PaymentError};
use payframe_payment_domain::dispute::ReasonCode;
use payframe_payment_domain::operation::{OperationResult, OperationType};
use payframe_payment_ports::buyers_banks::PlannedDispute;
use payframe_payment_ports::clock::millis;
use payframe_protocol::operation::Operation;
use payframe_storage::{Connection, Subject, operations, planned_disputes};

impl PaymentContext {
    /// Plans the dispute of what an operation has captured, if the card's bank disputes it.
    pub(super) fn plan_dispute(
        &self,
        connection: &mut Connection,
        operation: &Operation,
        now_ms: i64,
    ) {
        let is_capture = [OperationType::Authorization, OperationType::Capture]
            .iter()
            .any(|kind| kind.code() == operation.operation_type);
        if is_capture
            && operation.operation_result == OperationResult::Executed.code()
            && let Some(planned) = self.dispute_of(operation)
        {
            let due_ms = now_ms + millis(planned.after);
            planned_disputes::add(connection, &operation.operation_id, due_ms);
        }
    }

    /// Opens the disputes that are due. Call [`PaymentContext::wake_notifier`] if there were any. Returns how many were done. One that
    /// cannot be opened now is reported and stays due, and those behind it are opened.
    pub(super) async fn open_planned_disputes(&self) -> Result<usize, PaymentError> {
        let now_ms = self.clock().now_ms();
        let due = planned_disputes::due(&mut *self.store().read().await?, now_ms).await?;
        let mut done = 0;
        for operation_id in &due {
            match Box::pin(self.open_or_drop(operation_id, now_ms)).await {
                Ok(()) => done += 1,
                Err(problem) => report("a dispute of a sandbox's bank", &problem),
            }
        }
        Ok(done)
    }

    async fn open_or_drop(&self, operation_id: &str, now_ms: i64) -> Result<(), PaymentError> {
        match self.open_planned(operation_id, now_ms).await {
            Ok(()) => Ok(()),
            Err(DisputeRefusal::Payment(problem)) => Err(problem),
            // The money was refunded meanwhile, or all of it is disputed: the bank has nothing to claim.
            Err(_) => {
                let mut change = self.store().write(Subject::Statement).await?;
                planned_disputes::remove(&mut change, operation_id).await?;
                Ok(change.commit().await?)
            }
        }
    }

    async fn open_planned(&self, operation_id: &str, now_ms: i64) -> Result<(), DisputeRefusal> {
        let operation = operations::find(&mut *self.store().read().await?, operation_id).await?;
        let operation = operation.ok_or(DisputeRefusal::NoOperation)?;
        let planned = self.dispute_of(&operation);
        let planned = planned.ok_or(DisputeRefusal::NoOperation)?;
        let new = NewDispute {
            operation_id,
            reference: None,
            kind: planned.kind,
            category: planned.category,
            reason_code: ReasonCode::parse(planned.reason_code)
                .ok_or(PaymentError::Broken("reason of a planned dispute"))?,
            amount: None,
            deadline_ms: now_ms + millis(planned.to_respond),
        };
        let mut change = Disputes::new(self).open(None, &new).await?;
        // Another process may have opened it.
        if planned_disputes::remove(&mut change.transaction, operation_id).await? {
            change.transaction.commit().await?;
        }
        Ok(())
    }

    fn dispute_of(&self, operation: &Operation) -> Option<PlannedDispute> {
        let masked = operation.additional_data.get("maskedPan")?.as_str()?;
        self.buyers_banks().dispute_of(masked)
    }
}
