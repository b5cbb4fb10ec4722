//! What time brings about, and what a crash left behind.
//!
//! [`App::do_due_work`] is called every second by the process, and by tests after they moved the clock. It gives
//! effect to limits that have passed, asks for the answers of sessions whose money is on its way, books final
//! results of pending operations, charges the parts of reservations whose day has come, and releases what was not captured in time. [`App::recover`] is the same for everything that was on its way when
//! the process died, without waiting.
//!
//! Processes that share a database all sweep. What one does, the next finds done.

use super::error::PaymentError;
use crate::{App, monitoring};
use payframe_payment_domain::session::TransitionError;
use payframe_storage::{Subject, answers, ledger, operations, sessions};
use std::time::{Duration, Instant};

impl App {
    /// Books everything that was on its way when the last process ended. Call it once, before serving, and not where other
    /// processes share the database: what is on its way there may be theirs, and what is not is swept.
    pub async fn recover(&self) {
        match self.authorizing().await {
            Ok(hashes) => {
                for hash in hashes {
                    let held = self.lock_session(&hash).await;
                    match self.settle(&held, &hash).await {
                        Ok(_) => {
                            tracing::info!("booked a payment that was on its way at the last end")
                        }
                        Err(problem) => self.report("recovery", &problem),
                    }
                }
            }
            Err(problem) => self.report("recovery", &problem),
        }
        match self.asking().await {
            Ok(payment_ids) => {
                for payment_id in payment_ids {
                    match self.catch_up(&payment_id).await {
                        Ok(()) => {
                            tracing::info!("booked what was on its way at the last end")
                        }
                        Err(problem) => self.report("recovery", &problem),
                    }
                }
            }
            Err(problem) => self.report("recovery", &problem),
        }
        self.do_due_work().await;
    }

    /// Gives effect to everything that time has brought about by now.
    pub async fn do_due_work(&self) {
        let began = Instant::now();
        if let Err(problem) = self.sweep_sessions().await {
            self.report("the sweep of sessions", &problem);
        }
        if let Err(problem) = self.sweep_pending().await {
            self.report("the sweep of pending operations", &problem);
        }
        if let Err(problem) = self.sweep_overdue().await {
            self.report("the sweep of authorizations", &problem);
        }
        if let Err(problem) = self.sweep_parts().await {
            self.report("the sweep of reservations", &problem);
        }
        if let Err(problem) = self.card_keys().rotate().await {
            self.report("the change of card keys", &problem);
        }
        if let Err(problem) = self.follow_vault_keys().await {
            self.report("the change of the vault's keys", &problem);
        }
        monitoring::swept(began);
    }

    /// Sweeps every second, and tidies up every hour, until `shutdown` is done.
    pub async fn keep_doing_due_work(&self, shutdown: impl Future<Output = ()>) {
        let mut second = tokio::time::interval(Duration::from_secs(1));
        second.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut hour = tokio::time::interval(Duration::from_secs(3600));
        let mut shutdown = std::pin::pin!(shutdown);
        loop {
            tokio::select! {
                () = &mut shutdown => return,
                _ = second.tick() => self.do_due_work().await,
                _ = hour.tick() => self.tidy_up().await,
            }
        }
    }

    async fn authorizing(&self) -> Result<Vec<String>, PaymentError> {
        Ok(sessions::authorizing(&mut *self.store().read().await?).await?)
    }

    async fn asking(&self) -> Result<Vec<String>, PaymentError> {
        Ok(ledger::asking(&mut *self.store().read().await?).await?)
    }

    async fn sweep_sessions(&self) -> Result<(), PaymentError> {
        let now_ms = self.clock().now_ms();
        let hashes = sessions::to_wake(&mut *self.store().read().await?, now_ms).await?;
        for hash in hashes {
            let held = self.lock_session(&hash).await;
            let woken = match self.lapsed(&hash).await {
                Ok(row) if row.session.state.has_money_on_its_way() => {
                    self.settle(&held, &hash).await.map(|_| ())
                }
                Ok(_) | Err(PaymentError::Refused(TransitionError::Dead)) => Ok(()),
                Err(problem) => Err(problem),
            };
            // One session's trouble is not the next one's.
            if let Err(problem) = woken {
                self.report("the sweep of a session", &problem);
            }
        }
        Ok(())
    }

    async fn sweep_pending(&self) -> Result<(), PaymentError> {
        let now_ms = self.clock().now_ms();
        let unsettled = operations::unsettled(&mut *self.store().read().await?, now_ms).await?;
        for operation in unsettled {
            let settled = match &operation.payment_id {
                None => self.settle_pending(&operation).await,
                Some(payment_id) => {
                    self.settle_pending_later(payment_id, &operation.operation.operation_id)
                        .await
                }
            };
            if let Err(problem) = settled {
                self.report("the sweep of a pending operation", &problem);
            }
        }
        Ok(())
    }

    async fn sweep_overdue(&self) -> Result<(), PaymentError> {
        let now_ms = self.clock().now_ms();
        let payment_ids = ledger::overdue(&mut *self.store().read().await?, now_ms).await?;
        for payment_id in payment_ids {
            if let Err(problem) = self.catch_up(&payment_id).await {
                self.report("the release of an authorization", &problem);
            }
        }
        Ok(())
    }

    async fn tidy_up(&self) {
        let before_ms = self.clock().now_ms() - ANSWERS_KEPT_MS;
        let tidied = async {
            let mut transaction = self.store().write(Subject::Statement).await?;
            answers::drop_older(&mut transaction, before_ms).await?;
            transaction.commit().await?;
            Ok::<(), PaymentError>(())
        };
        if let Err(problem) = tidied.await {
            self.report("tidying up", &problem);
        }
    }

    /// Says in the log what failed. Problems hold no card data.
    pub(crate) fn report(&self, what: &'static str, problem: &PaymentError) {
        tracing::error!(%problem, "{what} failed");
        monitoring::failed();
    }
}

/// How long stored answers are kept: twice what the contract asks for (1.7).
const ANSWERS_KEPT_MS: i64 = 2 * 86_400_000;
