//! Money that one operation captured: how much of it remains, and whether it still counts as captured.

use super::Dates;
use crate::operation::OperationResult;
use payframe_money::Amount;

/// The captured money of one operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CapturedAmount {
    pub(super) operation_id: String,
    pub(super) result: OperationResult,
    pub(super) amount: Amount,
    pub(super) refunded: Amount,
    /// The amount of refunds in progress.
    pub(super) held: Amount,
    /// The amount of disputes that hold it, or took it.
    pub(super) disputed: Amount,
    pub(super) status: CaptureStatus,
    pub(super) dates: Dates,
}

/// The status of a captured amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CaptureStatus {
    Stands,
    BeingUndone,
    Undone,
}

impl CapturedAmount {
    pub(super) fn new(
        operation_id: &str,
        result: OperationResult,
        amount: Amount,
        dates: Dates,
    ) -> CapturedAmount {
        CapturedAmount {
            operation_id: operation_id.to_owned(),
            result,
            amount,
            refunded: Amount::ZERO,
            held: Amount::ZERO,
            disputed: Amount::ZERO,
            status: CaptureStatus::Stands,
            dates,
        }
    }

    /// Whether it counts as captured: also while a cancellation is in progress.
    pub(super) fn counts(&self) -> bool {
        self.status != CaptureStatus::Undone
    }

    pub(super) fn is_refundable(&self, now_ms: i64) -> bool {
        now_ms <= self.dates.refundable_until_ms
    }

    pub(super) fn left_minor(&self) -> u64 {
        match self.status {
            // This cannot be negative: records with more than the amount are refused when they are read.
            CaptureStatus::Stands => {
                let used = self.refunded.minor() + self.held.minor() + self.disputed.minor();
                self.amount.minor() - used
            }
            CaptureStatus::BeingUndone | CaptureStatus::Undone => 0,
        }
    }
}
