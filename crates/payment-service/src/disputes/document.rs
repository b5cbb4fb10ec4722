//! The texts of merchants' evidence, which are stored encrypted, and a dispute with them.

use super::Disputes;
use crate::PaymentError;
use crate::dispute_document::on_the_wire;
use payframe_payment_domain::calendar::instant;
use payframe_payment_ports::Vault;
use payframe_protocol::dispute::{Dispute, SubmittedEvidence};
use payframe_storage::disputes::DisputeRow;
use payframe_storage::{Connection, StoreError, dispute_files};
use serde::{Deserialize, Serialize};

/// The texts of evidence. An empty one is none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvidenceTexts {
    /// Why the payment is right.
    pub explanation: Option<String>,
    /// What was sold.
    pub goods: Option<String>,
    /// When, how and where it was delivered.
    pub delivery: Option<String>,
    /// What buyer and merchant wrote to each other.
    pub correspondence: Option<String>,
    /// The terms of cancellation and refund that the buyer accepted.
    pub refund_terms: Option<String>,
}

impl EvidenceTexts {
    /// Whether nothing is told.
    pub fn is_empty(&self) -> bool {
        *self == EvidenceTexts::default()
    }

    pub(super) fn encrypt(
        &self,
        vault: &dyn Vault,
        dispute_id: &str,
    ) -> Result<Vec<u8>, PaymentError> {
        let texts = serde_json::to_vec(self).map_err(|_| PaymentError::Broken("evidence"))?;
        Ok(vault.encrypt(&texts, &evidence_belongs_to(dispute_id))?)
    }

    fn decrypt(
        vault: &dyn Vault,
        dispute_id: &str,
        encrypted: &[u8],
    ) -> Result<EvidenceTexts, PaymentError> {
        let unreadable = || StoreError::Unreadable("evidence");
        let texts = vault
            .decrypt(encrypted, &evidence_belongs_to(dispute_id))
            .map_err(|_| unreadable())?;
        Ok(serde_json::from_slice(&texts).map_err(|_| unreadable())?)
    }
}

impl Disputes<'_> {
    /// A dispute with its evidence and its files.
    pub(super) async fn whole(
        &self,
        connection: &mut Connection,
        row: DisputeRow,
    ) -> Result<Dispute, PaymentError> {
        let files = dispute_files::of_dispute(connection, &row.dispute_id).await?;
        let evidence = match &row.evidence {
            None => None,
            Some(stored) => {
                let texts = EvidenceTexts::decrypt(self.vault, &row.dispute_id, &stored.encrypted)?;
                Some(SubmittedEvidence {
                    submitted_time: instant(stored.submitted_ms),
                    explanation: texts.explanation,
                    goods: texts.goods,
                    delivery: texts.delivery,
                    correspondence: texts.correspondence,
                    refund_terms: texts.refund_terms,
                })
            }
        };
        Ok(Dispute {
            evidence,
            files: files.iter().map(super::files::on_the_wire).collect(),
            ..on_the_wire(&row)
        })
    }
}

/// The owner of the encrypted texts of a dispute.
pub fn evidence_belongs_to(dispute_id: &str) -> String {
    format!("evidence of dispute {dispute_id}")
}
