//! Whether a call has money asked for, and whether its terminal can ask.

use payframe_payment_service::idempotency::Slot;
use payframe_payment_service::{NoAcquirerError, PaymentContext, PaymentError};

/// Whether a call asks an acquirer for money. Without an acquirer it is refused before its body is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Money {
    /// It asks, or begins a payment that will.
    Asked,
    /// The same, for a payment of a buyer, who has to be authenticated unless the operator decided otherwise.
    AskedOfBuyer,
    /// It does not ask.
    None,
}

impl Money {
    /// Checks that the call may ask. What the same call began before is not refused: its outcome may be unknown.
    pub(crate) async fn admit(
        self,
        payments: &PaymentContext,
        terminal_id: Option<&str>,
        slot: Option<&Slot>,
    ) -> Result<(), PaymentError> {
        let Err(refusal) = self.admit_new(payments, terminal_id) else {
            return Ok(());
        };
        match slot {
            Some(slot) if slot.has_begun(payments).await? => Ok(()),
            _ => Err(refusal),
        }
    }

    /// Checks that the caller's terminal has an acquirer, and a way to authenticate the buyer whom the call is about. A frame whose
    /// session is not known yet is checked with its payment.
    fn admit_new(
        self,
        payments: &PaymentContext,
        terminal_id: Option<&str>,
    ) -> Result<(), PaymentError> {
        match (self, terminal_id) {
            (Money::Asked, Some(terminal_id)) => {
                payments.instruments_of_terminal(terminal_id)?;
            }
            (Money::AskedOfBuyer, Some(terminal_id)) => payments.admit_buyers(terminal_id)?,
            (Money::Asked | Money::AskedOfBuyer, None) if payments.acquirers().is_empty() => {
                return Err(NoAcquirerError::OfTerminal.into());
            }
            (Money::Asked | Money::AskedOfBuyer, None) | (Money::None, _) => {}
        }
        Ok(())
    }
}
