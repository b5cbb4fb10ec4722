//! Another sum for an open session: the merchant's server changes it, and the buyer presses Pay for it.
//!
//! Until a payment is in progress, the merchant's server may change amount and currency of a session. Offers for the former
//! sum are withdrawn. A card that is already sent stays, with the sum that its form showed. It is charged only after a form has
//! sent the new sum ([`may_charge`](payframe_payment_domain::session::may_charge)).

use super::Sessions;
use super::completion::{has_begun, has_offer};
use super::error::PaymentError;
use super::session_status::wire_state;
use super::sum_change::SumChange;
use super::transition::EventContext;
use crate::idempotency::{Slot, StoredResponse};
use payframe_error_codes::ErrorCode::GW9102;
use payframe_money::Amount;
use payframe_payment_domain::operation::Totals;
use payframe_payment_domain::session::{Event, State, TransitionError};
use payframe_payment_domain::sum::Sum;
use payframe_protocol::build::ChangedSession;
use payframe_protocol::operation::Operation;
use payframe_protocol::warning::Warning;
use payframe_storage::orders;
use payframe_storage::sessions::SessionRow;
use serde_json::Value;

/// The change that a merchant's server requests. Members that it leaves out do not change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AskedChange {
    /// The new amount of the session.
    pub amount: Option<Amount>,
    /// ISO 4217 letters.
    pub currency: Option<String>,
    /// The new amount of the order. Without it: the amount of the session, or unchanged if the session charges a part.
    pub order_amount: Option<Amount>,
    /// The new description of the order.
    pub description: Option<String>,
}

/// Why a sum does not change.
#[derive(Debug, thiserror::Error)]
pub enum SumChangeError {
    /// The state of the payment does not allow it.
    #[error(transparent)]
    Payment(#[from] PaymentError),
    /// The session would charge more than its order costs.
    #[error("the amount is above the order's")]
    AboveOrder,
    /// The order would cost less than its installments.
    #[error("the order's instalments exceed the amount")]
    BelowInstallments,
}

impl Sessions<'_> {
    /// Changes the sum of an open session, and returns the body of the response. Refused if a payment is in progress or over.
    pub async fn change_sum(
        &self,
        hash: &str,
        asked: AskedChange,
        slot: Option<&Slot>,
    ) -> Result<Vec<u8>, SumChangeError> {
        let held = self.context.lock_session(hash).await;
        let mut due = self.transitions.due(&held, hash).await?;
        let before = due.row.clone();
        let state = &before.session.state;
        if *state == State::Dead {
            return Err(PaymentError::from(TransitionError::Dead).into());
        }
        if !state.is_open() || has_begun(state) {
            return Err(PaymentError::from(TransitionError::WrongState).into());
        }
        let (merchant_id, order_id) = (&before.terms.merchant_id, &before.terms.order_id);
        let order = orders::find(&mut due.transaction, merchant_id, order_id)
            .await
            .map_err(PaymentError::from)?
            .ok_or(PaymentError::Broken("a session without an order"))?;
        // A session must not change what was agreed about a reservation, or what is already paid.
        if order.is_reservation || order.totals != Totals::default() {
            return Err(PaymentError::OrderPaid.into());
        }
        let change = asked.of(&before, &order)?;
        let offer_dropped =
            has_offer(&before) && (change.sum != before.sum() || change.touches(&order));
        let answer = |row: &SessionRow| {
            // The answer contains only values that JSON can represent.
            serde_json::to_vec(&changed_session(row, change.order_amount, offer_dropped))
                .unwrap_or_default()
        };
        let write = |row: &SessionRow, _: Option<&Operation>| Some(answer(row));
        let context = EventContext {
            change: Some(&change),
            answer: slot.map(|slot| StoredResponse {
                slot,
                write: &write,
            }),
            ..EventContext::default()
        };
        if change.sum == before.sum() && !change.touches(&order) {
            return Ok(answer(&before));
        }
        let row = self
            .transitions
            .apply_event(&held, due, Event::AmountChanged, context)
            .await?;
        Ok(answer(&row))
    }

    /// Records that the buyer pressed Pay again, for this sum.
    pub async fn agree_to_sum(&self, hash: &str, sum: Sum) -> Result<SessionRow, PaymentError> {
        let held = self.context.lock_session(hash).await;
        let due = self.transitions.due(&held, hash).await?;
        let event = Event::SumAgreed {
            sum,
            session: due.row.sum(),
        };
        let context = EventContext {
            by_buyer: true,
            ..EventContext::default()
        };
        self.transitions
            .apply_event(&held, due, event, context)
            .await
    }
}

impl AskedChange {
    fn of(self, row: &SessionRow, order: &orders::OrderRow) -> Result<SumChange, SumChangeError> {
        let amount = self.amount.unwrap_or(row.amount);
        let order_amount = self.order_amount.unwrap_or(if order.amount == row.amount {
            amount
        } else {
            order.amount
        });
        if amount > order_amount {
            return Err(SumChangeError::AboveOrder);
        }
        let parts = order.document.get("installments").and_then(Value::as_array);
        let sum: u64 = parts
            .into_iter()
            .flatten()
            .filter_map(|part| Amount::parse(part.get("amount")?.as_str()?))
            .map(Amount::minor)
            .sum();
        if sum > order_amount.minor() {
            return Err(SumChangeError::BelowInstallments);
        }
        Ok(SumChange {
            sum: Sum {
                amount,
                currency: self.currency.unwrap_or_else(|| row.terms.currency.clone()),
            },
            order_amount,
            description: self.description,
        })
    }
}

fn changed_session(row: &SessionRow, order_amount: Amount, offer_dropped: bool) -> ChangedSession {
    ChangedSession {
        state: wire_state(&row.session.state),
        amount: row.amount.to_string(),
        currency: row.terms.currency.clone(),
        order_amount: order_amount.to_string(),
        warnings: offer_dropped
            .then(offer_dropped_warning)
            .into_iter()
            .collect(),
    }
}

/// The warning of a call that withdrew an accepted currency offer.
pub fn offer_dropped_warning() -> Warning {
    Warning {
        code: GW9102.to_string(),
        description: String::from(
            "the accepted currency offer was dropped because the amount changed",
        ),
    }
}
