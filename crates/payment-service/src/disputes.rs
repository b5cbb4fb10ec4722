//! Disputes: opening them, the bank's decisions, the merchants' answers with their evidence, and deadlines that pass.
//!
//! Every change locks the order of the payment, so that no refund runs beside it, and writes its event in the same transaction. The changes
//! here return a transaction that the caller commits: it may have to write an answer or an entry of the audit log into it. Then it calls
//! [`PaymentContext::wake_notifier`]. Texts and files of merchants are stored encrypted.

mod document;
mod files;

pub use document::{EvidenceTexts, evidence_belongs_to};
pub use files::file_belongs_to;

use crate::dispute_document::on_the_wire;
use crate::notices::tell_of_dispute;
use crate::post_authorization::load_payment;
use crate::{PaymentContext, PaymentError};
use payframe_money::Amount;
use payframe_payment_domain::dispute::evidence_file::EvidenceFileError;
use payframe_payment_domain::dispute::{
    DisputeCategory, DisputeError, DisputeEvent, DisputeKind, DisputedMoney, ReasonCode, Standing,
};
use payframe_payment_ports::{Clock, Vault};
use payframe_protocol::dispute::Dispute;
use payframe_storage::disputes::{self, DisputeFilter, DisputeRow, SubmittedEvidence};
use payframe_storage::{Connection, Store, Subject, Write, dispute_files, ledger};
use thiserror::Error;

/// A dispute that is reported.
#[derive(Clone, Debug)]
pub struct NewDispute<'a> {
    /// The operation whose captured money is disputed.
    pub operation_id: &'a str,
    /// The acquirer's own number of the case.
    pub reference: Option<&'a str>,
    /// How far it has come.
    pub kind: DisputeKind,
    /// Why, in plain words.
    pub category: DisputeCategory,
    /// Why, as the network writes it.
    pub reason_code: ReasonCode,
    /// `None`: all that can be disputed.
    pub amount: Option<Amount>,
    /// From then on the merchant cannot answer.
    pub deadline_ms: i64,
}

/// Why a dispute is not opened or changed.
#[derive(Debug, Error)]
pub enum DisputeRefusal {
    /// There is no such operation.
    #[error("there is no such operation")]
    NoOperation,
    /// There is no such dispute, or it is of another merchant.
    #[error("there is no such dispute")]
    NoDispute,
    /// There is no such file, or it is of another merchant.
    #[error("there is no such file")]
    NoFile,
    /// The operation captured no money.
    #[error("the operation captured no money that can be disputed")]
    NotCaptured,
    /// It is zero, or more than the operation captured and is neither refunded nor disputed.
    #[error(
        "the amount must be above 0 and at most what is captured and neither refunded nor disputed"
    )]
    Amount,
    /// The merchant has a dispute with this reference.
    #[error("a dispute with this reference is recorded already")]
    KnownReference,
    /// The rules of disputes refuse it.
    #[error(transparent)]
    Rule(#[from] DisputeError),
    /// The rules of files refuse it.
    #[error(transparent)]
    File(#[from] EvidenceFileError),
    /// A file was submitted, so it is the bank's too.
    #[error("the file was submitted: it cannot be removed any more")]
    FileSubmitted,
    /// There is neither a text nor a file.
    #[error("evidence needs at least one text or one file")]
    NoEvidence,
    /// Internal.
    #[error(transparent)]
    Payment(PaymentError),
}

impl<P: Into<PaymentError>> From<P> for DisputeRefusal {
    fn from(problem: P) -> DisputeRefusal {
        DisputeRefusal::Payment(problem.into())
    }
}

/// A change of a dispute that is not committed.
pub struct DisputeChange {
    /// The transaction.
    pub transaction: Write,
    /// The dispute behind it, with its evidence.
    pub dispute: Dispute,
    /// Its merchant.
    pub merchant_id: String,
}

/// Disputes.
#[derive(Clone, Copy)]
pub struct Disputes<'a> {
    store: &'a Store,
    vault: &'a dyn Vault,
    clock: &'a Clock,
}

impl<'a> Disputes<'a> {
    /// The service over the dependencies of payments.
    pub fn new(context: &'a PaymentContext) -> Disputes<'a> {
        Disputes::over(context.store(), context.vault(), context.clock())
    }

    /// The service of a program that serves no payments.
    pub fn over(store: &'a Store, vault: &'a dyn Vault, clock: &'a Clock) -> Disputes<'a> {
        Disputes {
            store,
            vault,
            clock,
        }
    }
}

impl Disputes<'_> {
    /// A dispute of a merchant, with its evidence. `None`: there is none.
    pub async fn read(
        &self,
        merchant_id: &str,
        dispute_id: &str,
    ) -> Result<Option<Dispute>, PaymentError> {
        let mut connection = self.store.read().await?;
        match disputes::of_merchant(&mut connection, merchant_id, dispute_id).await? {
            Some(row) => Ok(Some(self.whole(&mut connection, row).await?)),
            None => Ok(None),
        }
    }

    /// Disputes of a merchant behind another one, newest first, without their evidence. `None`: there is no dispute `after`.
    pub async fn list(
        &self,
        merchant_id: &str,
        filter: &DisputeFilter<'_>,
        after: Option<&str>,
        most: u32,
    ) -> Result<Option<(Vec<Dispute>, bool)>, PaymentError> {
        let mut connection = self.store.read().await?;
        let after = match after {
            None => None,
            Some(id) => match disputes::of_merchant(&mut connection, merchant_id, id).await? {
                Some(row) => Some(row),
                None => return Ok(None),
            },
        };
        let mut rows = disputes::list(
            &mut connection,
            merchant_id,
            filter,
            after.as_ref(),
            most.saturating_add(1),
        )
        .await?;
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let has_more = rows.len() > most;
        rows.truncate(most);
        Ok(Some((rows.iter().map(on_the_wire).collect(), has_more)))
    }

    /// Opens a dispute, of a merchant's operation or, where none is named, of anybody's.
    pub async fn open(
        &self,
        merchant_id: Option<&str>,
        new: &NewDispute<'_>,
    ) -> Result<DisputeChange, DisputeRefusal> {
        let subject = Subject::Operation(new.operation_id);
        let mut transaction = self.store.write(subject).await?;
        let now_ms = self.clock.now_ms();
        let of = ledger::merchant_of(&mut transaction, new.operation_id).await?;
        let of = of.filter(|(owner, _)| merchant_id.is_none_or(|merchant_id| merchant_id == owner));
        let (merchant_id, payment_id) = of.ok_or(DisputeRefusal::NoOperation)?;
        let standing = Standing::opened(new.kind, new.deadline_ms, now_ms)?;
        let loaded = load_payment(&mut transaction, &payment_id).await?;
        let captured = loaded.payment.captured_by(new.operation_id);
        let captured = captured.ok_or(DisputeRefusal::NotCaptured)?;
        let most = match standing.money() {
            DisputedMoney::Free => captured,
            DisputedMoney::Held | DisputedMoney::Taken => {
                let left = loaded.payment.disputable(new.operation_id);
                left.ok_or(DisputeRefusal::NotCaptured)?
            }
        };
        let amount = new.amount.unwrap_or(most);
        if amount.is_zero() || amount > most {
            return Err(DisputeRefusal::Amount);
        }
        let operation = loaded.document(new.operation_id)?;
        let row = DisputeRow {
            dispute_id: uuid::Uuid::new_v4().to_string(),
            merchant_id,
            terminal_id: operation.terminal_id.clone(),
            order_id: operation.order_id.clone(),
            operation_id: new.operation_id.to_owned(),
            payment_id,
            reference: new.reference.map(str::to_owned),
            category: new.category,
            reason_code: new.reason_code.as_str().to_owned(),
            amount,
            currency: operation.operation_currency.clone(),
            standing,
            opened_ms: now_ms,
            changed_ms: now_ms,
            evidence: None,
        };
        if !disputes::add(&mut transaction, &row).await? {
            return Err(DisputeRefusal::KnownReference);
        }
        self.told(transaction, row).await
    }

    /// Writes what the bank decided, or that the dispute came to a later stage.
    pub async fn decide(
        &self,
        dispute_id: &str,
        event: DisputeEvent,
    ) -> Result<DisputeChange, DisputeRefusal> {
        let (mut transaction, row) = self.begin(None, dispute_id).await?;
        let row = self.moved(&mut transaction, row, event).await?;
        self.told(transaction, row).await
    }

    /// The same for a dispute of a merchant: its sandbox decides.
    pub async fn decide_of(
        &self,
        merchant_id: &str,
        dispute_id: &str,
        event: DisputeEvent,
    ) -> Result<DisputeChange, DisputeRefusal> {
        let (mut transaction, row) = self.begin(Some(merchant_id), dispute_id).await?;
        let row = self.moved(&mut transaction, row, event).await?;
        self.told(transaction, row).await
    }

    /// The merchant agrees that the buyer keeps the money.
    pub async fn accept(
        &self,
        merchant_id: &str,
        dispute_id: &str,
    ) -> Result<DisputeChange, DisputeRefusal> {
        self.decide_of(merchant_id, dispute_id, DisputeEvent::Accepted)
            .await
    }

    /// The merchant submits evidence: these texts, with all files of the dispute.
    pub async fn submit(
        &self,
        merchant_id: &str,
        dispute_id: &str,
        texts: &EvidenceTexts,
    ) -> Result<DisputeChange, DisputeRefusal> {
        let (mut transaction, row) = self.begin(Some(merchant_id), dispute_id).await?;
        let event = DisputeEvent::EvidenceSubmitted;
        let mut row = self.moved(&mut transaction, row, event).await?;
        let files = dispute_files::of_dispute(&mut transaction, dispute_id).await?;
        if texts.is_empty() && files.is_empty() {
            return Err(DisputeRefusal::NoEvidence);
        }
        let evidence = SubmittedEvidence {
            submitted_ms: row.changed_ms,
            encrypted: texts.encrypt(self.vault, dispute_id)?,
        };
        disputes::put_evidence(&mut transaction, dispute_id, &evidence).await?;
        row.evidence = Some(evidence);
        self.told(transaction, row).await
    }

    /// Ends the disputes whose deadline passed without an answer. Returns how many ended.
    pub async fn expire_due(&self) -> Result<usize, PaymentError> {
        let now_ms = self.clock.now_ms();
        let due = disputes::due(&mut *self.store.read().await?, now_ms).await?;
        let mut ended = 0;
        for row in due {
            match Box::pin(self.expire(&row.dispute_id, now_ms)).await {
                Ok(()) => ended += 1,
                // The merchant answered, or another process was first.
                Err(DisputeRefusal::Rule(_)) => {}
                Err(DisputeRefusal::Payment(problem)) => return Err(problem),
                Err(_) => return Err(PaymentError::Broken("dispute that expires")),
            }
        }
        Ok(ended)
    }

    async fn expire(&self, dispute_id: &str, now_ms: i64) -> Result<(), DisputeRefusal> {
        let (mut transaction, row) = self.begin(None, dispute_id).await?;
        // It may have come to a later stage meanwhile.
        if row.standing.deadline_ms > now_ms {
            return Ok(());
        }
        let event = DisputeEvent::DeadlinePassed;
        let row = self.moved(&mut transaction, row, event).await?;
        let change = self.told(transaction, row).await?;
        Ok(change.transaction.commit().await?)
    }

    /// Begins a change of a dispute, of a merchant or of anybody.
    async fn begin(
        &self,
        merchant_id: Option<&str>,
        dispute_id: &str,
    ) -> Result<(Write, DisputeRow), DisputeRefusal> {
        let found = disputes::find(&mut *self.store.read().await?, dispute_id).await?;
        let found = found.filter(|row| merchant_id.is_none_or(|id| id == row.merchant_id));
        let found = found.ok_or(DisputeRefusal::NoDispute)?;
        let subject = Subject::Operation(&found.payment_id);
        let mut transaction = self.store.write(subject).await?;
        let row = disputes::find(&mut transaction, dispute_id).await?;
        Ok((transaction, row.ok_or(DisputeRefusal::NoDispute)?))
    }

    /// Writes where a dispute stands behind an event.
    async fn moved(
        &self,
        transaction: &mut Connection,
        row: DisputeRow,
        event: DisputeEvent,
    ) -> Result<DisputeRow, DisputeRefusal> {
        let now_ms = self.clock.now_ms();
        let standing = row.standing.after(event, now_ms)?;
        let is_held_again =
            row.standing.money() == DisputedMoney::Free && standing.money() != DisputedMoney::Free;
        if is_held_again {
            // It was the merchant's to refund meanwhile.
            let loaded = load_payment(transaction, &row.payment_id).await?;
            let left = loaded.payment.disputable(&row.operation_id);
            if left.is_none_or(|left| left < row.amount) {
                return Err(DisputeRefusal::Amount);
            }
        }
        disputes::put_standing(transaction, &row.dispute_id, standing, now_ms).await?;
        Ok(DisputeRow {
            standing,
            changed_ms: now_ms,
            ..row
        })
    }

    /// Writes the event of a change.
    async fn told(
        &self,
        mut transaction: Write,
        row: DisputeRow,
    ) -> Result<DisputeChange, DisputeRefusal> {
        let merchant_id = row.merchant_id.clone();
        let now_ms = self.clock.now_ms();
        let told = on_the_wire(&row);
        let dispute = self.whole(&mut transaction, row).await?;
        tell_of_dispute(&mut transaction, &merchant_id, told, now_ms).await?;
        Ok(DisputeChange {
            transaction,
            dispute,
            merchant_id,
        })
    }
}
