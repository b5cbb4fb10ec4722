//! The possible amounts of actions on a payment, and their time limits.

use super::captured::{CaptureStatus, CapturedAmount};
use super::{Bounds, FollowUpError, FollowUpOperation, Payment, RefundShare, smallest};
use payframe_money::Amount;

impl Payment {
    /// The possible amounts of a follow-up operation, and its time limit.
    pub(super) fn bounds(
        &self,
        target_id: &str,
        follow_up: FollowUpOperation,
        now_ms: i64,
    ) -> Result<Bounds, Vec<FollowUpError>> {
        match follow_up {
            FollowUpOperation::Capture | FollowUpOperation::Void => {
                // A capture in progress decides the further state of the authorization, so a release has to wait.
                let waits = follow_up == FollowUpOperation::Void && !self.held.is_zero();
                if waits
                    || !self.increasing.is_zero()
                    || self.open.is_zero()
                    || now_ms >= self.authorization.release_ms
                {
                    return Err(vec![FollowUpError::State]);
                }
                Ok(Bounds {
                    min: if follow_up == FollowUpOperation::Void {
                        self.open
                    } else {
                        smallest()
                    },
                    max: self.open,
                    until_ms: self.authorization.release_ms - 1,
                })
            }
            FollowUpOperation::Increment => {
                let is_untouched =
                    self.captured_minor() == 0 && self.held.is_zero() && self.released.is_zero();
                let is_over = now_ms >= self.authorization.release_ms;
                let used = self.increased.minor() + self.increasing.minor();
                let left = self.authorization.increments.minor().saturating_sub(used);
                // The API has no larger amount.
                let room = Amount::MAX.minor() - self.approved_minor();
                let max = Amount::from_minor(left.min(room)).filter(|max| !max.is_zero());
                if !is_untouched || is_over || !self.increasing.is_zero() {
                    return Err(vec![FollowUpError::State]);
                }
                Ok(Bounds {
                    min: smallest(),
                    max: max.ok_or(vec![self.no_increment()])?,
                    until_ms: self.authorization.release_ms - 1,
                })
            }
            FollowUpOperation::Refund => {
                let in_time = || {
                    self.captures_of(target_id).filter(|captured| {
                        captured.is_refundable(now_ms) && captured.left_minor() > 0
                    })
                };
                let until_ms = in_time()
                    .map(|captured| captured.dates.refundable_until_ms)
                    .max();
                let max = in_time().map(CapturedAmount::left_minor).sum::<u64>();
                match (until_ms, Amount::from_minor(max)) {
                    (Some(until_ms), Some(max)) => Ok(Bounds {
                        min: smallest(),
                        max,
                        until_ms,
                    }),
                    _ if self.left_minor(target_id) == 0 => {
                        Err(vec![self.too_much(target_id, smallest())])
                    }
                    _ => Err(vec![FollowUpError::State]),
                }
            }
            FollowUpOperation::Cancel => {
                let Some(captured) = self
                    .captures
                    .iter()
                    .find(|captured| captured.operation_id == target_id)
                else {
                    return Err(vec![FollowUpError::State]);
                };
                let mut denials = Vec::new();
                if !captured.refunded.is_zero() || !captured.held.is_zero() {
                    denials.push(FollowUpError::AlreadyRefunded);
                }
                if !captured.disputed.is_zero() {
                    denials.push(FollowUpError::Disputed);
                }
                if now_ms > captured.dates.day_ends_ms {
                    denials.push(FollowUpError::OtherDay);
                }
                if denials.is_empty() && captured.status != CaptureStatus::Stands {
                    denials.push(FollowUpError::State);
                }
                if !denials.is_empty() {
                    return Err(denials);
                }
                Ok(Bounds {
                    min: captured.amount,
                    max: captured.amount,
                    until_ms: captured.dates.day_ends_ms,
                })
            }
        }
    }

    /// How much of a refund comes from which captures: the oldest first.
    pub(super) fn shares(&self, target_id: &str, amount: Amount, now_ms: i64) -> Vec<RefundShare> {
        let mut missing = amount.minor();
        let mut shares = Vec::new();
        for captured in self
            .captures_of(target_id)
            .filter(|captured| captured.is_refundable(now_ms))
        {
            let part = missing.min(captured.left_minor());
            if let Some(amount) = Amount::from_minor(part).filter(|part| !part.is_zero()) {
                shares.push(RefundShare {
                    capture_id: captured.operation_id.clone(),
                    amount,
                });
            }
            missing -= part;
        }
        shares
    }

    /// The captures from which a refund of `target_id` comes.
    pub(super) fn captures_of<'a>(
        &'a self,
        target_id: &'a str,
    ) -> impl Iterator<Item = &'a CapturedAmount> {
        let is_first = self.authorization.operation_id == target_id;
        self.captures
            .iter()
            .filter(move |captured| is_first || captured.operation_id == target_id)
            .filter(|captured| captured.counts())
    }

    /// Why a refund of an amount above [`Payment::left_minor`] is refused: without the disputes it might be possible.
    pub(super) fn too_much(&self, target_id: &str, amount: Amount) -> FollowUpError {
        let captures = self.captures_of(target_id);
        let disputed = captures
            .map(|captured| captured.disputed.minor())
            .sum::<u64>();
        let is_disputed = disputed > 0 && amount.minor() <= self.left_minor(target_id) + disputed;
        match is_disputed {
            true => FollowUpError::Disputed,
            false => FollowUpError::AboveCaptured,
        }
    }

    /// How much an operation captured. `None`: nothing, or it is undone.
    pub fn captured_by(&self, operation_id: &str) -> Option<Amount> {
        let mut captures = self.captures.iter().filter(|captured| captured.counts());
        let captured = captures.find(|captured| captured.operation_id == operation_id)?;
        Some(captured.amount)
    }

    /// How much of an operation can be disputed: what it captured and what is neither refunded, nor disputed already, nor part of an
    /// operation in progress. `None`: it captured nothing.
    pub fn disputable(&self, operation_id: &str) -> Option<Amount> {
        let mut captures = self.captures.iter();
        let captured = captures.find(|captured| captured.operation_id == operation_id)?;
        captured.counts().then_some(())?;
        Amount::from_minor(captured.left_minor())
    }

    /// The captured amount that is neither refunded, nor disputed, nor part of a refund in progress. The time limit does not matter.
    pub(super) fn left_minor(&self, target_id: &str) -> u64 {
        self.captures_of(target_id)
            .map(CapturedAmount::left_minor)
            .sum()
    }

    /// Why nothing more can be held: the limit is reached, or the authorization cannot be increased.
    fn no_increment(&self) -> FollowUpError {
        match self.authorization.increments.is_zero() {
            true => FollowUpError::State,
            false => FollowUpError::AboveIncrement,
        }
    }
}
