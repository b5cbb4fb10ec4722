//! Periodic work: expired limits, and recovery after a crash.
//!
//! The process calls [`DueWork::run`] every second; tests call it after they moved the clock. It applies limits that have expired,
//! requests the responses of sessions with an authorization in progress, records final results of pending operations, charges due parts of
//! reservations, releases authorizations that were not captured in time, ends disputes whose deadline passed, and looks whether attacks are over. [`DueWork::recover`] does the same at once for everything
//! that was in progress when the process ended.
//!
//! Work that failed is postponed, for longer the longer it has failed ([`next_try_ms`]). An acquirer that gives no answer is not asked again
//! in the same run, so that the work of other acquirers does not wait for it.
//!
//! All processes that share a database run it. Work that one process has done is not due for the next one.

use super::error::{PaymentError, report};
use super::transition::ASK_AGAIN_MS;
use super::{
    CardKeys, Disputes, Ledger, PaymentContext, PostAuthorization, Reservations, Transitions,
};
use payframe_payment_domain::session::{State, TransitionError};
use payframe_payment_ports::acquirer::AcquirerError;
use payframe_storage::ledger::OverdueAuthorization;
use payframe_storage::{Subject, acquirer_choices, ledger, operations, sessions};
use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::pin::Pin;

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
        let silent = &mut SilentAcquirers::default();
        if let Err(problem) = self.expire_sessions(silent).await {
            report("the expiry of sessions", &problem);
        }
        if let Err(problem) = self.inquire_due(silent).await {
            report("the inquiry about pending operations", &problem);
        }
        if let Err(problem) = self.release_overdue(silent).await {
            report("the release of authorizations", &problem);
        }
        if let Err(problem) = self.reservations.charge_due_parts_of_all().await {
            report("the charges of reservations", &problem);
        }
        if let Err(problem) = CardKeys::of(self.context).rotate().await {
            report("rotating card keys", &problem);
        }
        match self.context.open_planned_disputes().await {
            Ok(0) => {}
            Ok(_) => self.context.wake_notifier(),
            Err(problem) => report("the disputes of a sandbox's bank", &problem),
        }
        match Disputes::new(self.context).expire_due().await {
            Ok(0) => {}
            Ok(_) => self.context.wake_notifier(),
            Err(problem) => report("the deadlines of disputes", &problem),
        }
        self.context.security_codes().forget_old();
        if let Err(problem) = self.context.check_attacks().await {
            report("the end of attacks", &problem);
        }
    }

    async fn authorizing(&self) -> Result<Vec<String>, PaymentError> {
        Ok(sessions::authorizing(&mut *self.context.store().read().await?).await?)
    }

    async fn asking(&self) -> Result<Vec<String>, PaymentError> {
        Ok(ledger::asking(&mut *self.context.store().read().await?).await?)
    }

    async fn expire_sessions(&self, silent: &mut SilentAcquirers) -> Result<(), PaymentError> {
        let now_ms = self.context.clock().now_ms();
        let hashes = sessions::to_wake(&mut *self.context.store().read().await?, now_ms).await?;
        for hash in hashes {
            let held = self.context.lock_session(&hash).await;
            let waits_since_ms = match self.transitions.current_row(&hash).await {
                // No acquirer is asked, so none can be silent.
                Ok(row) if matches!(row.session.state, State::SteppingUp { .. }) => {
                    match Box::pin(self.transitions.resume(&held, &hash)).await {
                        Ok(_) => continue,
                        Err(problem) => report("the question for a challenge", &problem),
                    }
                    row.last_seen_ms
                }
                Ok(row) => match row.session.state.operation_on_its_way() {
                    None => continue,
                    Some(payment_id) => {
                        let resumed = Box::pin(async {
                            self.transitions.resume(&held, &hash).await?;
                            Ok(())
                        });
                        if silent.ask(self.context, payment_id, resumed).await {
                            continue;
                        }
                        row.last_seen_ms
                    }
                },
                Err(PaymentError::Refused(TransitionError::Dead)) => continue,
                // A failure in one session must not stop the next one.
                Err(problem) => {
                    report("the expiry of a session", &problem);
                    now_ms
                }
            };
            let wake_ms = next_try_ms(now_ms, waits_since_ms);
            let mut transaction = self.context.store().write(Subject::Statement).await?;
            sessions::postpone(&mut transaction, &hash, now_ms, wake_ms).await?;
            transaction.commit().await?;
        }
        Ok(())
    }

    async fn inquire_due(&self, silent: &mut SilentAcquirers) -> Result<(), PaymentError> {
        let now_ms = self.context.clock().now_ms();
        let pending =
            operations::due_inquiries(&mut *self.context.store().read().await?, now_ms).await?;
        for pending in pending {
            let operation_id = &pending.operation.operation_id;
            let payment_id = pending.payment_id.as_deref();
            let inquired = Box::pin(async {
                match payment_id {
                    None => self.ledger.book_pending(&pending).await,
                    Some(payment_id) => {
                        self.post_authorization
                            .inquire_pending(payment_id, operation_id)
                            .await
                    }
                }
            });
            let asked = payment_id.unwrap_or(operation_id);
            if silent.ask(self.context, asked, inquired).await {
                continue;
            }
            let inquire_ms = next_try_ms(now_ms, pending.time_ms);
            let mut transaction = self.context.store().write(Subject::Statement).await?;
            operations::postpone_inquiry(&mut transaction, operation_id, now_ms, inquire_ms)
                .await?;
            transaction.commit().await?;
        }
        Ok(())
    }

    async fn release_overdue(&self, silent: &mut SilentAcquirers) -> Result<(), PaymentError> {
        let now_ms = self.context.clock().now_ms();
        let overdue = ledger::overdue(&mut *self.context.store().read().await?, now_ms).await?;
        for OverdueAuthorization {
            payment_id,
            release_ms,
        } in overdue
        {
            let released = Box::pin(self.post_authorization.catch_up(&payment_id));
            if silent.ask(self.context, &payment_id, released).await {
                continue;
            }
            let retry_ms = next_try_ms(now_ms, release_ms);
            let mut transaction = self.context.store().write(Subject::Statement).await?;
            ledger::postpone_release(&mut transaction, &payment_id, retry_ms).await?;
            transaction.commit().await?;
        }
        Ok(())
    }
}

/// Work on one payment. It is on the heap, because the stack of a thread is too small for it in a build without optimization.
type Work<'a> = Pin<Box<dyn Future<Output = Result<(), PaymentError>> + Send + 'a>>;

/// The acquirers that gave no answer in this run, by name.
#[derive(Default)]
struct SilentAcquirers(HashSet<Option<String>>);

impl SilentAcquirers {
    /// Does work that asks the acquirer of a payment, unless that acquirer is silent. Returns whether it is done.
    async fn ask(&mut self, context: &PaymentContext, payment_id: &str, work: Work<'_>) -> bool {
        let done = async {
            let choice =
                acquirer_choices::find(&mut *context.store().read().await?, payment_id).await?;
            let name = choice.map(|choice| choice.acquirer);
            if self.0.contains(&name) {
                return Ok(false);
            }
            let outcome = work.await;
            if let Err(PaymentError::Acquirer(
                AcquirerError::NoAnswer(_) | AcquirerError::NotSent(_),
            )) = outcome
            {
                self.0.insert(name);
            }
            outcome.map(|()| true)
        };
        done.await.unwrap_or_else(|problem| {
            report("due work on a payment", &problem);
            false
        })
    }
}

/// When work that failed is tried again: after an eighth of the time that it has waited, but within [`RETRY_MS`].
fn next_try_ms(now_ms: i64, waits_since_ms: i64) -> i64 {
    let waited_ms = now_ms.saturating_sub(waits_since_ms);
    now_ms + (waited_ms / 8).clamp(*RETRY_MS.start(), *RETRY_MS.end())
}

const RETRY_MS: RangeInclusive<i64> = ASK_AGAIN_MS..=600_000;
