//! The effect of an approved follow-up operation.

use super::captured::CapturedAmount;
use super::{FollowUp, FollowUpOperation, Outcome, Payment};
use crate::operation::{Capture, OperationResult};

impl Payment {
    /// The effect of the approval of `follow_up`, which is one of the payment's operations and is not final.
    pub fn approved(&self, follow_up: &FollowUp) -> Outcome {
        let first = &self.authorization;
        let change = |id: &str, result| (id.to_owned(), result);
        match follow_up.follow_up {
            FollowUpOperation::Capture => {
                // The capture is complete if nothing is open and no other operation is in progress.
                let is_whole = self.open.is_zero() && self.held == follow_up.amount;
                Outcome {
                    result: OperationResult::Executed,
                    changes: is_whole
                        .then(|| change(&first.operation_id, OperationResult::Executed))
                        .into_iter()
                        .collect(),
                }
            }
            FollowUpOperation::Void => {
                let after = if self.captured_minor() == 0 {
                    OperationResult::Voided
                } else {
                    OperationResult::Executed
                };
                Outcome {
                    // No money was captured, so the result must not look like a payment (contract 13, D140).
                    result: OperationResult::Voided,
                    changes: vec![change(&first.operation_id, after)],
                }
            }
            FollowUpOperation::Refund => self.refunded(follow_up),
            FollowUpOperation::Increment => Outcome {
                result: OperationResult::Authorized,
                changes: Vec::new(),
            },
            FollowUpOperation::Cancel => Outcome {
                result: OperationResult::Executed,
                changes: vec![
                    change(&follow_up.target_id, OperationResult::Voided),
                    change(&first.operation_id, OperationResult::Authorized),
                ],
            },
        }
    }

    /// The effect of an approved refund. A full refund on the day of the capture cancels the capture; any other refund is recorded as a refund.
    fn refunded(&self, refund: &FollowUp) -> Outcome {
        let share_of = |captured: &CapturedAmount| {
            let share = refund
                .shares
                .iter()
                .find(|share| share.capture_id == captured.operation_id);
            share.map_or(0, |share| share.amount.minor())
        };
        let is_whole = self.captures_of(&refund.target_id).all(|captured| {
            share_of(captured) == captured.amount.minor()
                && refund.time_ms <= captured.dates.day_ends_ms
        });
        let mut changes = Vec::new();
        let mut after = Vec::new();
        for captured in self.captures.iter().filter(|captured| captured.counts()) {
            let share = share_of(captured);
            let is_emptied =
                share > 0 && captured.refunded.minor() + share == captured.amount.minor();
            let result = match (is_emptied, is_whole) {
                (false, _) => captured.result,
                (true, true) => OperationResult::Voided,
                (true, false) => OperationResult::Refunded,
            };
            if result != captured.result {
                changes.push((captured.operation_id.clone(), result));
            }
            after.push(result);
        }
        let first = &self.authorization;
        let is_gone = |result: &OperationResult| {
            matches!(result, OperationResult::Voided | OperationResult::Refunded)
        };
        if first.capture == Capture::Explicit
            && first.result == OperationResult::Executed
            && after.iter().all(is_gone)
        {
            let is_undone = after
                .iter()
                .all(|result| *result == OperationResult::Voided);
            let result = if is_undone {
                OperationResult::Voided
            } else {
                OperationResult::Refunded
            };
            changes.push((first.operation_id.clone(), result));
        }
        Outcome {
            result: if is_whole {
                OperationResult::Voided
            } else {
                OperationResult::Executed
            },
            changes,
        }
    }
}
