//! The money of one payment: what is open, captured, released, refunded and in progress, and what the table of
//! [`super`] allows.

mod bounds;
mod captured;
mod outcome;

use super::{ActionCall, FollowUpError, FollowUpOperation, Rule, rule};
#[cfg(test)]
use crate::operation::Totals;
use crate::operation::{Capture, OperationResult, OperationType};
use captured::{CaptureStatus, CapturedAmount};
use payframe_money::Amount;

/// An authorization with everything that was done to its money since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payment {
    authorization: Authorization,
    /// Oldest first. If the money was captured with the authorization, that is the only one.
    captures: Vec<CapturedAmount>,
    released: Amount,
    /// The amount of captures and releases in progress.
    held: Amount,
    /// Held in addition to the first amount.
    increased: Amount,
    /// The amount of increments in progress.
    increasing: Amount,
    /// Authorized, and neither captured nor released nor part of an operation in progress.
    open: Amount,
    /// Every operation of the payment: id, type, result.
    known: Vec<(String, OperationType, OperationResult)>,
}

/// The operation that a payment begins with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Authorization {
    /// Its id.
    pub operation_id: String,
    /// An authorization, or a card verification.
    pub kind: OperationType,
    /// Its result.
    pub result: OperationResult,
    /// How much was authorized.
    pub amount: Amount,
    /// Whether its money is captured at once.
    pub capture: Capture,
    /// If its money was captured at once: the limits that follow from that time.
    pub dates: Dates,
    /// The time from which the open amount is released automatically.
    pub release_ms: i64,
    /// How much more may be held; zero if it is not a pre-authorization.
    pub increments: Amount,
}

/// The limits that follow from the time of a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dates {
    /// The last millisecond of that day in the terminal's time zone.
    pub day_ends_ms: i64,
    /// The last millisecond at which it can be refunded.
    pub refundable_until_ms: i64,
}

/// A later operation of a payment, as it was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FollowUp {
    /// Its id.
    pub operation_id: String,
    /// The follow-up operation of money.
    pub follow_up: FollowUpOperation,
    /// Its result.
    pub result: OperationResult,
    /// The amount.
    pub amount: Amount,
    /// The operation that the call named.
    pub target_id: String,
    /// Of a refund: how much of it comes from which captures.
    pub shares: Vec<RefundShare>,
    /// The time of the request.
    pub time_ms: i64,
    /// Of a capture: its limits.
    pub dates: Dates,
}

/// The part of a refund that comes from one capture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefundShare {
    /// The operation that captured it.
    pub capture_id: String,
    /// The amount.
    pub amount: Amount,
}

/// An action that is possible now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowed {
    /// The call.
    pub call: ActionCall,
    /// The follow-up operation of money.
    pub follow_up: FollowUpOperation,
    /// The possible amounts, and the time limit.
    pub bounds: Bounds,
}

/// Those actions that a call with an amount reaches. Where an amount fits two movements of one call, the first one is made
/// ([`Payment::plan_call`]): a release is out of reach while as much can be given back.
pub fn within_reach(allowed: &[Allowed]) -> Vec<Allowed> {
    let is_covered = |index: usize, action: &Allowed| {
        allowed[..index].iter().any(|before| {
            before.call == action.call
                && before.bounds.min <= action.bounds.min
                && action.bounds.max <= before.bounds.max
        })
    };
    let in_reach = allowed
        .iter()
        .enumerate()
        .filter(|(index, action)| !is_covered(*index, action));
    in_reach.map(|(_, action)| *action).collect()
}

/// The possible amounts of an action, and its time limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The smallest amount.
    pub min: Amount,
    /// The largest amount.
    pub max: Amount,
    /// The last possible instant.
    pub until_ms: i64,
}

/// The effect of a call that is allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedFollowUp {
    /// The follow-up operation of money.
    pub follow_up: FollowUpOperation,
    /// The amount.
    pub amount: Amount,
    /// Of a refund: how much of it comes from which captures.
    pub shares: Vec<RefundShare>,
}

/// The effect of an approved follow-up operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The result of the follow-up operation's own operation.
    pub result: OperationResult,
    /// Other operations of the payment that get another result.
    pub changes: Vec<(String, OperationResult)>,
}

/// The records do not add up, so other code wrote them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the records of the payment do not add up")]
pub struct InconsistentLedgerError;

impl Payment {
    /// The payment that begins with `authorization` and continues with `later`, oldest first.
    pub fn of(
        authorization: Authorization,
        later: &[FollowUp],
    ) -> Result<Payment, InconsistentLedgerError> {
        let mut payment = Payment {
            captures: Vec::new(),
            released: Amount::ZERO,
            held: Amount::ZERO,
            increased: Amount::ZERO,
            increasing: Amount::ZERO,
            open: Amount::ZERO,
            known: vec![(
                authorization.operation_id.clone(),
                authorization.kind,
                authorization.result,
            )],
            authorization,
        };
        let first = &payment.authorization;
        if payment.approved_minor() > 0 && first.capture == Capture::Implicit {
            let captured =
                CapturedAmount::new(&first.operation_id, first.result, first.amount, first.dates);
            payment.captures.push(captured);
        }
        for operation in later {
            payment.count(operation)?;
        }
        // Sums of 12 digits each: they cannot overflow.
        let used = payment.captured_minor() + payment.released.minor() + payment.held.minor();
        payment.open = payment
            .approved_minor()
            .checked_sub(used)
            .and_then(Amount::from_minor)
            .ok_or(InconsistentLedgerError)?;
        Ok(payment)
    }

    /// The same payment with money that disputes hold or took: the capture's id and the amount of each.
    pub fn with_disputes(
        mut self,
        disputes: &[(String, Amount)],
    ) -> Result<Payment, InconsistentLedgerError> {
        for (capture_id, amount) in disputes {
            let captured = self.captured_mut(capture_id)?;
            captured.disputed = sum(captured.disputed, *amount)?;
            let used = [captured.refunded, captured.held, captured.disputed];
            let used: u64 = used.iter().map(|amount| amount.minor()).sum();
            if used > captured.amount.minor() {
                return Err(InconsistentLedgerError);
            }
        }
        Ok(self)
    }

    /// What may be done with the operation `target_id` now.
    pub fn allowed(&self, target_id: &str, now_ms: i64) -> Vec<Allowed> {
        let Some((kind, result)) = self.find(target_id) else {
            return Vec::new();
        };
        let of_call = |call| {
            let movements = self.movements(target_id, rule(kind, result, call));
            movements
                .unwrap_or_default()
                .into_iter()
                .filter_map(move |follow_up| {
                    let bounds = self.bounds(target_id, follow_up, now_ms).ok()?;
                    Some(Allowed {
                        call,
                        follow_up,
                        bounds,
                    })
                })
        };
        ActionCall::ALL.into_iter().flat_map(of_call).collect()
    }

    /// The possible movements of a call. A refund of an authorization that is captured in part gives captured money back. If the amount is
    /// larger than the captured one and is exactly the open one, it releases the open amount (contract 13, D137).
    fn movements(
        &self,
        target_id: &str,
        rule: Rule,
    ) -> Result<Vec<FollowUpOperation>, FollowUpError> {
        match rule {
            Rule::Does(FollowUpOperation::Void) if self.left_minor(target_id) > 0 => {
                Ok(vec![FollowUpOperation::Refund, FollowUpOperation::Void])
            }
            Rule::Does(follow_up) => Ok(vec![follow_up]),
            Rule::Refused(denial) => Err(denial),
        }
    }

    /// Whether a call may act on the operation `target_id` now, and its effect. Without an amount, the largest possible one is
    /// meant. Several errors are in the order in which they are reported.
    pub fn plan_call(
        &self,
        target_id: &str,
        call: ActionCall,
        amount: Option<Amount>,
        now_ms: i64,
    ) -> Result<PlannedFollowUp, Vec<FollowUpError>> {
        let (kind, result) = self.find(target_id).ok_or(vec![FollowUpError::State])?;
        let movements = self
            .movements(target_id, rule(kind, result, call))
            .map_err(|denial| vec![denial])?;
        let fits = |follow_up: &FollowUpOperation| {
            let bounds = self.bounds(target_id, *follow_up, now_ms);
            bounds.is_ok_and(|bounds| {
                amount.is_none_or(|amount| (bounds.min..=bounds.max).contains(&amount))
            })
        };
        let found = movements.iter().copied().find(fits);
        // If no operation fits, the first one gives the reason.
        let follow_up = found.or(movements.first().copied());
        self.plan(
            target_id,
            follow_up.ok_or(vec![FollowUpError::State])?,
            amount,
            now_ms,
        )
    }

    /// The same for a caller who has seen the effect of the call, and wants exactly that effect.
    pub fn plan_exactly(
        &self,
        target_id: &str,
        (call, wanted): (ActionCall, FollowUpOperation),
        amount: Option<Amount>,
        now_ms: i64,
    ) -> Result<PlannedFollowUp, Vec<FollowUpError>> {
        let (kind, result) = self.find(target_id).ok_or(vec![FollowUpError::State])?;
        let movements = self
            .movements(target_id, rule(kind, result, call))
            .map_err(|denial| vec![denial])?;
        if !movements.contains(&wanted) {
            return Err(vec![FollowUpError::State]);
        }
        self.plan(target_id, wanted, amount, now_ms)
    }

    fn plan(
        &self,
        target_id: &str,
        follow_up: FollowUpOperation,
        amount: Option<Amount>,
        now_ms: i64,
    ) -> Result<PlannedFollowUp, Vec<FollowUpError>> {
        let bounds = self.bounds(target_id, follow_up, now_ms)?;
        let amount = amount.unwrap_or(bounds.max);
        if !(bounds.min..=bounds.max).contains(&amount) {
            return Err(vec![match follow_up {
                FollowUpOperation::Capture => FollowUpError::AboveOpen,
                FollowUpOperation::Increment => FollowUpError::AboveIncrement,
                FollowUpOperation::Void => FollowUpError::NotTheOpenAmount,
                FollowUpOperation::Refund if amount.minor() > self.left_minor(target_id) => {
                    self.too_much(target_id, amount)
                }
                FollowUpOperation::Refund | FollowUpOperation::Cancel => FollowUpError::State,
            }]);
        }
        let shares = match follow_up {
            FollowUpOperation::Refund => self.shares(target_id, amount, now_ms),
            FollowUpOperation::Capture
            | FollowUpOperation::Void
            | FollowUpOperation::Cancel
            | FollowUpOperation::Increment => Vec::new(),
        };
        Ok(PlannedFollowUp {
            follow_up,
            amount,
            shares,
        })
    }

    /// The release that is due because the time limit has passed; `None` if none is due.
    pub fn overdue(&self, now_ms: i64) -> Option<PlannedFollowUp> {
        let is_held = self.authorization.kind == OperationType::Authorization
            && self.authorization.result == OperationResult::Authorized;
        let is_still = self.increasing.is_zero() && !self.open.is_zero();
        (is_held && is_still && now_ms >= self.authorization.release_ms).then(|| PlannedFollowUp {
            follow_up: FollowUpOperation::Void,
            amount: self.open,
            shares: Vec::new(),
        })
    }

    /// The payment's part of its order's totals, computed again. Tests compare the order's own totals with it.
    #[cfg(test)]
    pub fn totals(&self) -> Totals {
        // Each is a part of the authorized amount: see `of`.
        let amount = |minor| Amount::from_minor(minor).unwrap_or(Amount::MAX);
        let refunded = self
            .captures
            .iter()
            .map(|captured| captured.refunded.minor());
        Totals {
            authorized: amount(self.approved_minor() - self.released.minor()),
            captured: amount(self.captured_minor()),
            refunded: amount(refunded.sum()),
        }
    }

    /// Type and result of an operation of the payment.
    pub fn find(&self, operation_id: &str) -> Option<(OperationType, OperationResult)> {
        let known = self.known.iter().find(|(id, _, _)| id == operation_id)?;
        Some((known.1, known.2))
    }

    fn count(&mut self, operation: &FollowUp) -> Result<(), InconsistentLedgerError> {
        let follow_up = operation.follow_up;
        self.known.push((
            operation.operation_id.clone(),
            follow_up.operation_type(),
            operation.result,
        ));
        let is_held = operation.result == OperationResult::Pending;
        let is_done = operation.result.moved_money() || operation.result.is_good();
        if !is_held && !is_done {
            return Ok(());
        }
        match follow_up {
            FollowUpOperation::Capture if !is_held => self.captures.push(CapturedAmount::new(
                &operation.operation_id,
                operation.result,
                operation.amount,
                operation.dates,
            )),
            FollowUpOperation::Void if !is_held => {
                self.released = sum(self.released, operation.amount)?;
            }
            FollowUpOperation::Capture | FollowUpOperation::Void => {
                self.held = sum(self.held, operation.amount)?;
            }
            FollowUpOperation::Increment if is_held => {
                self.increasing = sum(self.increasing, operation.amount)?;
            }
            FollowUpOperation::Increment => {
                self.increased = sum(self.increased, operation.amount)?;
            }
            FollowUpOperation::Refund => {
                for share in &operation.shares {
                    let captured = self.captured_mut(&share.capture_id)?;
                    if is_held {
                        captured.held = sum(captured.held, share.amount)?;
                    } else {
                        captured.refunded = sum(captured.refunded, share.amount)?;
                    }
                    if captured.refunded.minor() + captured.held.minor() > captured.amount.minor() {
                        return Err(InconsistentLedgerError);
                    }
                }
            }
            FollowUpOperation::Cancel => {
                self.captured_mut(&operation.target_id)?.status = if is_held {
                    CaptureStatus::BeingUndone
                } else {
                    CaptureStatus::Undone
                };
            }
        }
        Ok(())
    }

    fn captured_mut(
        &mut self,
        operation_id: &str,
    ) -> Result<&mut CapturedAmount, InconsistentLedgerError> {
        self.captures
            .iter_mut()
            .find(|captured| captured.operation_id == operation_id)
            .ok_or(InconsistentLedgerError)
    }

    fn approved_minor(&self) -> u64 {
        let is_charge = matches!(
            self.authorization.kind,
            OperationType::Authorization | OperationType::NoShow | OperationType::DelayCharge
        );
        let is_approved = is_charge
            && (self.authorization.result == OperationResult::Authorized
                || self.authorization.result.moved_money());
        if is_approved {
            self.authorization.amount.minor() + self.increased.minor()
        } else {
            0
        }
    }

    fn captured_minor(&self) -> u64 {
        let status = self.captures.iter().filter(|captured| captured.counts());
        status.map(|captured| captured.amount.minor()).sum()
    }
}

/// One minor unit of the currency.
fn smallest() -> Amount {
    Amount::from_minor(1).unwrap_or(Amount::MAX)
}

fn sum(one: Amount, other: Amount) -> Result<Amount, InconsistentLedgerError> {
    one.checked_add(other).ok_or(InconsistentLedgerError)
}
