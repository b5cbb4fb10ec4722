//! Carrying an approved refund out. It is decided first and then refunded: whatever interrupts that, somebody continues it, and the key of
//! its request lets it happen once.

use super::error::OfficeError;
use super::told_refund::tell;
use crate::BackOffice;
use payframe_payment_domain::back_office::RefundRequestState;
use payframe_payment_domain::ledger_rules::{ActionCall, FollowUpOperation};
use payframe_payment_service::idempotency::{PreviousUse, Slot};
use payframe_payment_service::order_version::ExpectedVersion;
use payframe_payment_service::post_authorization::FollowUpCall;
use payframe_protocol::notice::RefundApprovalState;
use payframe_storage::Subject;
use payframe_storage::refund_requests::{self, RefundRequest};

/// An approval that is being carried out, in a task of its own.
pub(super) struct Approval {
    pub(super) request: RefundRequest,
    pub(super) merchant_id: String,
    /// Who approves.
    pub(super) member_id: String,
}

impl Approval {
    /// Decides the request, and then refunds.
    pub(super) async fn run(self, office: &BackOffice) -> Result<String, OfficeError> {
        let request = &self.request;
        let slot = self.slot(office);
        let _held = office.idempotency_keys().lock(&slot.name()).await;
        self.decide(office).await?;
        if let Some(outcome) = self.refunded(office, &slot).await? {
            return self
                .finish(office, RefundRequestState::Refunded, outcome)
                .await;
        }
        let call = FollowUpCall {
            expected_version: ExpectedVersion::OneOf(vec![request.order_version.clone()]),
            target_id: &request.operation_id,
            payment_id: &request.payment_id,
            call: ActionCall::Refund,
            wanted: Some(FollowUpOperation::Refund),
            amount: Some(request.amount),
            description: request.note.as_deref(),
            terminal_id: &request.terminal_id,
            slot: Some(&slot),
            author: None,
        };
        let done = Box::pin(office.post_authorization().act(&call)).await;
        match done.map_err(OfficeError::from) {
            Ok(made) => {
                let outcome = format!("operation {}", made.operation_id);
                self.finish(office, RefundRequestState::Refunded, outcome)
                    .await
            }
            Err(OfficeError::Bad(why)) => {
                // Another process may have carried it out meanwhile.
                if let Some(outcome) = self.refunded(office, &slot).await? {
                    return self
                        .finish(office, RefundRequestState::Refunded, outcome)
                        .await;
                }
                self.finish(office, RefundRequestState::Refused, why.clone())
                    .await?;
                Err(OfficeError::Bad(why))
            }
            // It stays approved: somebody carries it out later.
            Err(failed) => Err(failed),
        }
    }

    /// The slot in which the refund keeps its answer, the same for whoever approves.
    fn slot(&self, office: &BackOffice) -> Slot {
        let request = &self.request;
        let values = [request.operation_id.as_bytes(), request.id.as_bytes()];
        let scope = format!("refund request {}", self.merchant_id);
        Slot::new(
            scope,
            request.id.clone(),
            office.vault().fingerprint(&values),
        )
    }

    /// Approves the request, unless it was approved before and not carried out.
    async fn decide(&self, office: &BackOffice) -> Result<(), OfficeError> {
        let now_ms = office.clock().now_ms();
        let (id, state) = (&self.request.id, RefundRequestState::Approved);
        let mut change = office.store().write(Subject::Statement).await?;
        let decided =
            refund_requests::decide(&mut change, id, state, &self.member_id, now_ms).await?;
        if decided {
            let told = RefundApprovalState::Approved;
            tell(office, &mut change, &self.merchant_id, &self.request, told).await?;
            change.commit().await?;
            office.payments().wake_notifier();
            return Ok(());
        }
        drop(change);
        let mut connection = office.store().read().await?;
        let now = refund_requests::find(&mut connection, &self.merchant_id, id).await?;
        match now.is_some_and(|row| row.state == RefundRequestState::Approved) {
            true => Ok(()),
            false => Err(OfficeError::Bad(OVER.to_owned())),
        }
    }

    /// The refund's operation, if it was carried out.
    async fn refunded(
        &self,
        office: &BackOffice,
        slot: &Slot,
    ) -> Result<Option<String>, OfficeError> {
        let mut connection = office.store().read().await?;
        let earlier = slot.earlier(&mut connection, office.vault()).await?;
        let PreviousUse::Same { body, .. } = earlier else {
            return Ok(None);
        };
        let answer: serde_json::Value = serde_json::from_slice(&body).unwrap_or_default();
        let id = answer["operationId"].as_str().unwrap_or_default();
        Ok(Some(format!("operation {id}")))
    }

    async fn finish(
        &self,
        office: &BackOffice,
        state: RefundRequestState,
        outcome: String,
    ) -> Result<String, OfficeError> {
        let mut change = office.store().write(Subject::Statement).await?;
        let noted = refund_requests::finish(&mut change, &self.request.id, state, &outcome).await?;
        // The event of the refund's own operation tells that it was carried out.
        if noted && state == RefundRequestState::Refused {
            let told = RefundApprovalState::NotPossible;
            tell(office, &mut change, &self.merchant_id, &self.request, told).await?;
        }
        change.commit().await?;
        office.payments().wake_notifier();
        Ok(outcome)
    }
}

/// Why a request cannot be decided.
pub(super) const OVER: &str = "This request was decided before, or its time is over.";
