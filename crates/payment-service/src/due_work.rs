//! Periodic work: expired limits, and recovery after a crash.
//!
//! The process calls [`DueWork::run`] every second; tests call it after they moved the clock. It applies limits that have expired,
//! requests the responses of sessions with an authorization in progress, records final results of pending operations, charges due parts of
//! reservations, and releases authorizations that were not captured in time. [`DueWork::recover`] does the same at once for everything
//! that was in progress when the process ended.
//!
//! All processes that share a database run it. Work that one process has done is not due for the next one.

use super::authorization::REFUSALS_COUNT_MS;
use super::error::{PaymentError, report};
use super::{CardKeys, Ledger, PaymentContext, PostAuthorization, Reservations, Transitions};
use payframe_payment_domain::session::TransitionError;
use payframe_storage::{Subject, answers, card_refusals, ledger, operations, sessions};

/// Runs the work that is due, and recovers from a crash.
#[derive(Clone, Copy)]
pub struct DueWork<'a> {
    pub(super) context: &'a PaymentContext,
    pub(super) ledger: Ledger<'a>,
    pub(super) transitions: Transitions<'a>,
    pub(super) post_authorization: PostAuthorization<'a>,
    pub(super) reservations: Reservations<'a>,
}

impl<'a> DueWork<'a> {
    /// The service over these dependencies.
    pub fn new(context: &'a PaymentContext) -> DueWork<'a> {
        DueWork {
            context,
            ledger: Ledger::new(context),
            transitions: Transitions::new(context),
            post_authorization: PostAuthorization::new(context),
            reservations: Reservations::new(context),
        }
    }
}

impl DueWork<'_> {
    /// Records everything that was in progress when the last process ended. Call it once, before serving. Do not call it where other
    /// processes share the database: they may still be working on it, and the periodic call does the rest.
    pub async fn recover(&self) {
        match self.authorizing().await {
            Ok(hashes) => {
                for hash in hashes {
                    let held = self.context.lock_session(&hash).await;
                    match self.transitions.resume(&held, &hash).await {
                        Ok(_) => {
                            tracing::info!("booked a payment that was on its way at the last end")
                        }
                        Err(problem) => report("recovery", &problem),
                    }
                }
            }
            Err(problem) => report("recovery", &problem),
        }
        match self.asking().await {
            Ok(payment_ids) => {
                for payment_id in payment_ids {
                    match self.post_authorization.catch_up(&payment_id).await {
                        Ok(()) => {
                            tracing::info!("booked what was in progress when the process ended")
                        }
                        Err(problem) => report("recovery", &problem),
                    }
                }
            }
            Err(problem) => report("recovery", &problem),
        }
    }

    /// Does everything that is due now.
    pub async fn run(&self) {
        if let Err(problem) = self.expire_sessions().await {
            report("the expiry of sessions", &problem);
        }
        if let Err(problem) = self.inquire_due().await {
            report("the inquiry about pending operations", &problem);
        }
        if let Err(problem) = self.release_overdue().await {
            report("the release of authorizations", &problem);
        }
        if let Err(problem) = self.reservations.charge_due_parts_of_all().await {
            report("the charges of reservations", &problem);
        }
        if let Err(problem) = CardKeys::of(self.context).rotate().await {
            report("rotating card keys", &problem);
        }
    }

    async fn authorizing(&self) -> Result<Vec<String>, PaymentError> {
        Ok(sessions::authorizing(&mut *self.context.store().read().await?).await?)
    }

    async fn asking(&self) -> Result<Vec<String>, PaymentError> {
        Ok(ledger::asking(&mut *self.context.store().read().await?).await?)
    }

    async fn expire_sessions(&self) -> Result<(), PaymentError> {
        let now_ms = self.context.clock().now_ms();
        let hashes = sessions::to_wake(&mut *self.context.store().read().await?, now_ms).await?;
        for hash in hashes {
            let held = self.context.lock_session(&hash).await;
            let woken = match self.transitions.current_row(&hash).await {
                Ok(row) if row.session.state.has_money_on_its_way() => {
                    self.transitions.resume(&held, &hash).await.map(|_| ())
                }
                Ok(_) | Err(PaymentError::Refused(TransitionError::Dead)) => Ok(()),
                Err(problem) => Err(problem),
            };
            // A failure in one session must not stop the next one.
            if let Err(problem) = woken {
                report("the expiry of a session", &problem);
            }
        }
        Ok(())
    }

    async fn inquire_due(&self) -> Result<(), PaymentError> {
        let now_ms = self.context.clock().now_ms();
        let pending =
            operations::due_inquiries(&mut *self.context.store().read().await?, now_ms).await?;
        for operation in pending {
            let inquired = match &operation.payment_id {
                None => self.ledger.book_pending(&operation).await,
                Some(payment_id) => {
                    self.post_authorization
                        .inquire_pending(payment_id, &operation.operation.operation_id)
                        .await
                }
            };
            if let Err(problem) = inquired {
                report("the inquiry about a pending operation", &problem);
            }
        }
        Ok(())
    }

    async fn release_overdue(&self) -> Result<(), PaymentError> {
        let now_ms = self.context.clock().now_ms();
        let payment_ids = ledger::overdue(&mut *self.context.store().read().await?, now_ms).await?;
        for payment_id in payment_ids {
            if let Err(problem) = self.post_authorization.catch_up(&payment_id).await {
                report("the release of an authorization", &problem);
            }
        }
        Ok(())
    }

    /// Deletes stored responses that can no longer be requested.
    pub async fn tidy_up(&self) {
        let now_ms = self.context.clock().now_ms();
        let tidied = async {
            let mut transaction = self.context.store().write(Subject::Statement).await?;
            answers::drop_older(&mut transaction, now_ms - ANSWERS_KEPT_MS).await?;
            card_refusals::drop_older(&mut transaction, now_ms - REFUSALS_COUNT_MS).await?;
            transaction.commit().await?;
            Ok::<(), PaymentError>(())
        };
        if let Err(problem) = tidied.await {
            report("tidying up", &problem);
        }
    }
}

/// How long responses are stored: twice the time that the contract requires (1.7).
const ANSWERS_KEPT_MS: i64 = 2 * 86_400_000;
