//! Increments of a pre-authorization (contract 8.3.4, 8.3.17): a follow-up operation as in [`crate::post_authorization`], but the response
//! contains its outcome. So the call is stored with the intent: a repeated call finds the operation, even if the process ended before the
//! response was stored.

use crate::PostAuthorization;
use crate::error::PaymentError;
use crate::idempotency::Slot;
use crate::order_version::ExpectedVersion;
use crate::post_authorization::loaded_payment::load;
use crate::post_authorization::{ActionError, FollowUpCall, plan_follow_up};
use crate::reservations::{self, Reservation};
use payframe_money::Amount;
use payframe_payment_domain::ledger_rules::ActionCall;
use payframe_payment_domain::reservation::charges::{Charge, ReservationChargeError};
use payframe_payment_domain::terms::Terms;
use payframe_protocol::operation::Operation;
use payframe_storage::{Connection, StoreError, ledger, operations};

impl PostAuthorization<'_> {
    /// Increments the pre-authorization, if that is allowed, and returns the outcome.
    pub async fn increment(&self, ask: &FollowUpCall<'_>) -> Result<Operation, ActionError> {
        let held = self.context.lock_payment(ask.payment_id).await;
        let operation_id = match self.asked_before(ask.slot).await? {
            Some(operation_id) => operation_id,
            None => {
                let (mut transaction, operation) = self.begin_action(&held, ask).await?;
                if let Some(slot) = ask.slot {
                    let (name, fingerprint) = (slot.name(), slot.fingerprint());
                    let id = &operation.operation_id;
                    ledger::put_asked(&mut transaction, id, &name, fingerprint);
                }
                transaction.commit().await?;
                operation.operation_id
            }
        };
        self.complete_follow_up(&held, ask.payment_id, &operation_id)
            .await?;
        let found =
            operations::find(&mut *self.context.store().read().await?, &operation_id).await?;
        Ok(found.ok_or(StoreError::Unreadable("operation"))?)
    }

    /// The operation that the same call has requested before, if the process ended before the response.
    async fn asked_before(&self, slot: Option<&Slot>) -> Result<Option<String>, PaymentError> {
        let Some(slot) = slot else { return Ok(None) };
        let mut connection = self.context.store().read().await?;
        match ledger::find_asked(&mut connection, &slot.name()).await? {
            None => Ok(None),
            Some((id, fingerprint)) if fingerprint == slot.fingerprint() => Ok(Some(id)),
            Some(_) => Err(PaymentError::KeyReused),
        }
    }

    /// The maximum increment of a reservation's payment now. An error if an increment by this amount is not allowed.
    pub async fn validate_increment(
        &self,
        connection: &mut Connection,
        reservation: &Reservation,
        amount: Amount,
        now_ms: i64,
    ) -> Result<Amount, ActionError> {
        reservation
            .permitted_amount(Charge::Incremental, None, now_ms)
            .map_err(PaymentError::Reservation)?;
        let payment_id = reservation.order.payment_operation_id.as_deref();
        let payment_id =
            payment_id.ok_or(PaymentError::Reservation(ReservationChargeError::NotPaid))?;
        let ask = FollowUpCall {
            expected_version: ExpectedVersion::Any,
            target_id: payment_id,
            payment_id,
            call: ActionCall::Increment,
            wanted: None,
            amount: Some(amount),
            description: None,
            terminal_id: &reservation.row.terminal_id,
            slot: None,
            author: None,
        };
        let loaded = load(connection, payment_id).await?;
        plan_follow_up(connection, &ask, &loaded, now_ms).await?;
        let mut allowed = loaded.payment.allowed(payment_id, now_ms).into_iter();
        let increment = allowed.find(|allowed| allowed.call == ActionCall::Increment);
        Ok(increment.map_or(amount, |allowed| allowed.bounds.max))
    }
}

/// The reservation's own check of an increment, if the payment belongs to a reservation.
pub(crate) async fn may_be_increased(
    connection: &mut Connection,
    terms: &Terms,
    now_ms: i64,
) -> Result<(), PaymentError> {
    let found = reservations::load(connection, &terms.merchant_id, &terms.order_id).await?;
    let judged =
        found.map(|reservation| reservation.permitted_amount(Charge::Incremental, None, now_ms));
    judged
        .transpose()
        .map(|_| ())
        .map_err(PaymentError::Reservation)
}
