//! A payment as a follow-up operation reads it: its operations, its totals, and the requested operations.

use crate::booked_money::booked_capture;
use crate::booking::capture;
use crate::error::PaymentError;
use crate::operation_document::method_of;
use crate::post_authorization::dates;
use payframe_money::Amount;
use payframe_payment_domain::ledger_rules::{self, FollowUp, FollowUpOperation, Payment};
use payframe_payment_domain::operation::{ActionType, OperationResult};
use payframe_protocol::operation::Operation;
use payframe_storage::disputes;
use payframe_storage::ledger::{self, BookingStatus, StoredOperation};
use payframe_storage::sessions::{self, SessionRow};
use payframe_storage::{Connection, StoreError};

/// A stored payment.
pub(crate) struct LoadedPayment {
    pub(crate) payment: Payment,
    /// The authorization first.
    pub(crate) stored: Vec<StoredOperation>,
    pub(crate) later: Vec<FollowUp>,
    pub(crate) row: SessionRow,
}

impl LoadedPayment {
    pub(crate) fn first(&self) -> Result<&StoredOperation, StoreError> {
        self.stored.first().ok_or(StoreError::Unreadable("payment"))
    }

    /// Whether an operation was written whose request to the acquirer has no answer yet.
    pub(crate) fn has_pending(&self) -> bool {
        let mut stored = self.stored.iter();
        stored.any(|operation| operation.booking == BookingStatus::Pending)
    }

    /// Whether there may be an amount to release. Operations in progress at the time of the read may change the amount.
    pub(crate) fn may_be_overdue(&self, now_ms: i64) -> bool {
        let release_ms = self.stored.first().and_then(|first| first.release_ms);
        release_ms.is_some_and(|release_ms| release_ms <= now_ms)
    }

    pub(crate) fn document(&self, operation_id: &str) -> Result<&Operation, StoreError> {
        self.stored
            .iter()
            .map(|stored| &stored.document)
            .find(|document| document.operation_id == operation_id)
            .ok_or(StoreError::Unreadable("payment"))
    }

    /// A follow-up operation that is not final.
    pub(crate) fn pending(&self, operation_id: &str) -> Option<(&FollowUp, &StoredOperation)> {
        let later = self.later.iter().find(|later| {
            later.operation_id == operation_id && later.result == OperationResult::Pending
        })?;
        let stored = self
            .stored
            .iter()
            .find(|stored| stored.document.operation_id == operation_id)?;
        Some((later, stored))
    }

    pub(crate) fn state_of(&self, operation_id: &str) -> String {
        let found = self.payment.find(operation_id);
        found.map_or_else(String::new, |(kind, result)| {
            format!("{} {}", kind.code(), result.code())
        })
    }
}

pub(crate) async fn load(
    connection: &mut Connection,
    payment_id: &str,
) -> Result<LoadedPayment, PaymentError> {
    let stored = ledger::of_payment(connection, payment_id).await?;
    let shares = ledger::shares(connection, payment_id).await?;
    let (first, rest) = stored
        .split_first()
        .ok_or(StoreError::Unreadable("payment"))?;
    let row = sessions::find(connection, &first.session_hash)
        .await?
        .ok_or(StoreError::Unreadable("session"))?;
    let later = rest
        .iter()
        .map(|stored| {
            let id = &stored.document.operation_id;
            let own = shares.iter().filter(|(refund_id, _)| refund_id == id);
            Some(FollowUp {
                operation_id: id.clone(),
                follow_up: FollowUpOperation::of(stored.kind)?,
                result: stored.result,
                amount: stored.amount,
                target_id: stored.target_id.clone()?,
                shares: own.map(|(_, share)| share.clone()).collect(),
                time_ms: stored.time_ms,
                dates: dates(stored.time_ms),
            })
        })
        .collect::<Option<Vec<_>>>()
        .ok_or(StoreError::Unreadable("later operation"))?;
    let authorization = ledger_rules::Authorization {
        operation_id: first.document.operation_id.clone(),
        kind: first.kind,
        result: first.result,
        amount: first.amount,
        capture: booked_capture(row.terms.action, capture(&row, method_of(&first.document))),
        dates: dates(first.time_ms),
        release_ms: first.release_ms.unwrap_or(i64::MAX),
        increments: match row.terms.action {
            ActionType::PreAuth => increments_of(first.amount),
            ActionType::Pay | ActionType::Verify => Amount::ZERO,
        },
    };
    let disputes = disputes::held_of_payment(connection, payment_id).await?;
    let payment = Payment::of(authorization, &later)
        .and_then(|payment| payment.with_disputes(&disputes))
        .map_err(|ledger_rules::InconsistentLedgerError| StoreError::Unreadable("payment"))?;
    Ok(LoadedPayment {
        payment,
        stored,
        later,
        row,
    })
}

/// The maximum increment of a pre-authorization (contract 8.3.4).
fn increments_of(first: Amount) -> Amount {
    let most = first.minor() * INCREMENT_PERCENT / 100;
    Amount::from_minor(most).unwrap_or(Amount::MAX)
}

/// Contract 8.3.4: percentage of the first amount.
const INCREMENT_PERCENT: u64 = 100;
