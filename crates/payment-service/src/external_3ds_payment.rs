//! The last call of a 3-step payment: compares the validated data, and requests the authorization.

use super::External3ds;
use super::cardholder_data::CardholderData;
use super::error::PaymentError;
use super::external_3ds::{
    External3dsError, StepPayment, card_id, evidence_request, external_3ds_row, operation, same,
    written,
};
use super::external_3ds_events;
use super::transition::EventContext;
use crate::idempotency::Slot;
use payframe_payment_domain::contract::Recurrence;
use payframe_payment_domain::operation::{Capture, OperationResult};
use payframe_payment_domain::session::{Authentication, State, Verdict};
use payframe_payment_domain::terms::{Terminal, agreed_capture};
use payframe_payment_ports::three_ds_server::AuthenticationEvidence;
use payframe_protocol::operation::{Operation, OperationAnswer};
use payframe_storage::external_3ds::External3dsRow;
use payframe_storage::sessions::{self, SessionRow};
use payframe_storage::{StoreError, cards};

impl External3ds<'_> {
    /// Makes the payment, or returns its outcome again.
    pub async fn pay(
        &self,
        terminal: &Terminal,
        mut payment: StepPayment<'_>,
        slot: Option<&Slot>,
    ) -> Result<Vec<u8>, External3dsError> {
        let operation_id = payment.operation_id;
        let step = self.step_of(&terminal.merchant_id, operation_id).await?;
        let hash = &step.session_hash;
        let held = self.context.lock_session(hash).await;
        self.transitions.current_row(hash).await?;
        // A call during the acquirer's processing waits for the response.
        let row = self.transitions.resume(&held, hash).await?;
        let (step, before) = {
            let mut connection = self.context.store().read().await?;
            (
                external_3ds_row(&mut connection, operation_id).await?,
                operation(&mut connection, operation_id).await?,
            )
        };
        let authenticated = step.status.authentication();
        let authenticated = authenticated.unwrap_or(Authentication::None);
        let asked = evidence_request(&before, &row.terms.terminal_id, authenticated);
        let evidence = self.authorizations.evidence(&asked).await?;
        self.compare(&payment, &row, (&step, &evidence), &before)?;
        let capture = agreed_capture(payment.capture, row.terms.action, terminal)
            .map_err(External3dsError::Capture)?;
        if !matches!(row.session.state, State::Ready { .. }) {
            return match OperationResult::from_code(&before.operation_result) {
                Some(OperationResult::ThreeDsFailed | OperationResult::Canceled) | None => {
                    Err(External3dsError::State(before.operation_result))
                }
                Some(_) => Ok(written(&OperationAnswer { operation: before })?),
            };
        }
        let Some(authentication) = step.status.authentication() else {
            return Err(External3dsError::State(before.operation_result));
        };
        let code = payment
            .card
            .as_mut()
            .and_then(|card| card.security_code.take());
        self.context.security_codes().keep(hash, code);
        let decided = (capture, authentication);
        let asked = self
            .ask_for_money(terminal, &payment, hash, decided, slot)
            .await;
        if asked.is_err() {
            self.context.security_codes().forget(hash);
        }
        asked?;
        self.transitions.resume(&held, hash).await?;
        let paid = operation(&mut *self.context.store().read().await?, operation_id).await?;
        Ok(written(&OperationAnswer { operation: paid })?)
    }

    /// Compares the last call with the first one.
    fn compare(
        &self,
        payment: &StepPayment<'_>,
        row: &SessionRow,
        (step, evidence): (&External3dsRow, &AuthenticationEvidence),
        before: &Operation,
    ) -> Result<(), External3dsError> {
        let known_card = before.additional_data.get("cardId4");
        let known_card = known_card.and_then(|id| id.as_str()).unwrap_or_default();
        let merchant_id = &row.terms.merchant_id;
        let sent_card = payment.card.as_ref().map(|sent| {
            card_id(
                self.context.vault(),
                merchant_id,
                &sent.cardholder_data,
                sent.card.expiry,
            )
        });
        let differs: Vec<&'static str> = [
            ("order.orderId", payment.order_id != row.terms.order_id),
            ("order.amount", payment.amount != row.amount),
            ("order.currency", payment.currency != row.terms.currency),
            ("card", sent_card.is_some_and(|sent| sent != known_card)),
        ]
        .into_iter()
        .filter_map(|(name, differs)| differs.then_some(name))
        .collect();
        if !differs.is_empty() {
            return Err(External3dsError::Differs(differs));
        }
        // A stored card is not sent.
        let is_kept = before.additional_data.contains_key("contractId");
        if payment.card.is_none() && !is_kept {
            return Err(External3dsError::NoCard);
        }
        if let (Some(Recurrence::Pay { .. }), false) = (&payment.recurrence, is_kept) {
            return Err(External3dsError::Differs(vec!["recurrence.action"]));
        }
        // Without a validation nothing was told, and where the issuer stands aside nothing is proved.
        if step.validation.is_none() || evidence.authentication_value.is_empty() {
            return Ok(());
        }
        let Some(proof) = &payment.proof else {
            return Err(External3dsError::NoProof);
        };
        let fits =
            |sent: Option<&str>, expected: &str| sent.is_none_or(|sent| same(sent, expected));
        let is_that = same(proof.authentication_value, &evidence.authentication_value)
            && fits(proof.response, &self.response_of(step))
            && fits(proof.eci, &evidence.eci)
            && fits(proof.xid, &evidence.ds_transaction_id);
        if is_that {
            Ok(())
        } else {
            Err(External3dsError::OtherProof)
        }
    }

    /// The transaction of the intent.
    async fn ask_for_money(
        &self,
        terminal: &Terminal,
        payment: &StepPayment<'_>,
        hash: &str,
        (capture, authentication): (Capture, Authentication),
        slot: Option<&Slot>,
    ) -> Result<(), External3dsError> {
        let (mut transaction, row) = sessions::begin_change(self.context.store(), hash).await?;
        let mut row = row.ok_or(StoreError::Unreadable("session"))?;
        row.terms.capture = capture;
        if let Some(recurrence) = &payment.recurrence {
            let merchant_id = &terminal.merchant_id;
            self.contracts
                .agree(&mut transaction, merchant_id, Some(recurrence))
                .await?;
            row.terms.contract = recurrence.requested_contract();
        }
        sessions::put_decided(&mut transaction, &row).await?;
        if let Some(card) = &payment.card {
            let encrypted = card.cardholder_data.encrypt(self.context.vault(), hash)?;
            cards::keep(&mut transaction, &mut row, encrypted);
        }
        let card = CardholderData::of(self.context.vault(), &row)?;
        let card = card.ok_or(PaymentError::Broken("no encrypted card"))?;
        let verdict = match &row.session.state {
            State::Ready { card: shown } => {
                self.authorizations
                    .verdict_unless_risky(&card, shown.expiry, authentication)
            }
            // No payment is due, so this verdict has no effect.
            _ => Verdict::Pass(authentication),
        };
        let event = external_3ds_events::completion(
            &row,
            &terminal.terminal_id,
            verdict,
            slot.map(Slot::name),
        )?;
        let applied = self
            .transitions
            .apply(&mut transaction, &mut row, event, &EventContext::default())
            .await?;
        transaction.commit().await?;
        self.transitions.after_commit(&row, &applied);
        Ok(())
    }
}
