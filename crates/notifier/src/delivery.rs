//! One lane for each receiver: who sends what is due, and what is recorded of it.

use crate::schedule::{self, Jitter};
use crate::{ATTEMPTS, DELIVERED, FAILED, GIVEN_UP, Notifier, signature};
use metrics::counter;
use payframe_outbound_address::OutboundAddress;
use payframe_payment_ports::clock::millis;
use payframe_storage::StoreError;
use payframe_storage::delivery_queue::{self, Event, Finding};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::task::JoinSet;

/// The lanes and who is at work in them.
pub(crate) struct Dispatcher {
    notifier: Notifier,
    answer_timeout: Duration,
    busy: HashSet<Lane>,
    workers: JoinSet<Lane>,
    stopping: Arc<AtomicBool>,
}

/// One merchant's events for one receiver: worked off one after the other.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Lane {
    merchant_id: String,
    /// Scheme, host and port; the whole text where the address cannot be read.
    receiver: String,
}

impl Lane {
    fn of(event: &Event) -> Lane {
        let receiver = url::Url::parse(&event.url).map_or_else(
            |_| event.url.clone(),
            |url| url.origin().ascii_serialization(),
        );
        Lane {
            merchant_id: event.merchant_id.clone(),
            receiver,
        }
    }
}

impl Dispatcher {
    /// Nobody is at work yet.
    pub(crate) fn new(notifier: Notifier) -> Dispatcher {
        Dispatcher::with(notifier, ANSWER_TIMEOUT)
    }

    fn with(notifier: Notifier, answer_timeout: Duration) -> Dispatcher {
        Dispatcher {
            notifier,
            answer_timeout,
            busy: HashSet::new(),
            workers: JoinSet::new(),
            stopping: Arc::new(AtomicBool::new(false)),
        }
    }

    /// Sends a worker into each lane that has something due and nobody at work.
    pub(crate) async fn dispatch(&mut self) {
        let due =
            match delivery_queue::due(&self.notifier.store, self.notifier.clock.now_ms()).await {
                Ok(due) => due,
                Err(problem) => {
                    tracing::error!(%problem, "the outbox cannot be read");
                    return;
                }
            };
        let mut lanes: HashMap<Lane, Vec<Event>> = HashMap::new();
        for event in due {
            lanes.entry(Lane::of(&event)).or_default().push(event);
        }
        for (lane, events) in lanes {
            if self.busy.insert(lane.clone()) {
                let worker = Worker {
                    notifier: self.notifier.clone(),
                    answer_timeout: self.answer_timeout,
                    stopping: self.stopping.clone(),
                };
                self.workers.spawn(async move {
                    worker.deliver(events).await;
                    lane
                });
            }
        }
    }

    /// Waits until a worker has left its lane. For ever, while nobody is at work.
    pub(crate) async fn lane_emptied(&mut self) {
        match self.workers.join_next().await {
            Some(Ok(lane)) => {
                self.busy.remove(&lane);
            }
            Some(Err(problem)) => {
                tracing::error!(%problem, "a delivery ended by a bug");
                // Which lane it was is not known any more: let the others end, then all lanes are free.
                while self.workers.join_next().await.is_some() {}
                self.busy.clear();
            }
            None => std::future::pending().await,
        }
    }

    /// How long nothing is due. Bounded on both sides: clocks jump, and a database that fails must not be hammered.
    pub(crate) async fn pause(&self) -> Duration {
        let now = self.notifier.clock.now_ms();
        let next = delivery_queue::next_due_ms(&self.notifier.store, now)
            .await
            .ok()
            .flatten();
        let wait = next.map_or(LONGEST_PAUSE, |next| {
            Duration::from_millis(u64::try_from(next.saturating_sub(now)).unwrap_or(0))
        });
        wait.clamp(SHORTEST_PAUSE, LONGEST_PAUSE)
    }

    /// No new deliveries; those under way get [`SHUTDOWN_TIMEOUT`] to end.
    pub(crate) async fn stop(&mut self) {
        self.stopping.store(true, Ordering::SeqCst);
        let farewell = async { while self.workers.join_next().await.is_some() {} };
        if tokio::time::timeout(SHUTDOWN_TIMEOUT, farewell)
            .await
            .is_err()
        {
            // What is cut off here has no attempt recorded and is sent again: at least once.
            self.workers.shutdown().await;
        }
    }
}

/// Works off one lane.
struct Worker {
    notifier: Notifier,
    answer_timeout: Duration,
    stopping: Arc<AtomicBool>,
}

impl Worker {
    async fn deliver(&self, events: Vec<Event>) {
        for event in events {
            if self.stopping.load(Ordering::SeqCst) {
                return;
            }
            match self.claim(&event).await {
                Ok(true) => self.attempt(&event).await,
                Ok(false) => {}
                Err(problem) => {
                    tracing::error!(%problem, event_id = event.event_id, "an event cannot be claimed");
                    tokio::time::sleep(RECORD_PAUSE).await;
                }
            }
        }
    }

    async fn claim(&self, event: &Event) -> Result<bool, StoreError> {
        let now_ms = self.notifier.clock.now_ms();
        let until_ms = now_ms + millis(self.answer_timeout + CLAIM);
        delivery_queue::claim(&self.notifier.store, event, now_ms, until_ms).await
    }

    /// One attempt, and its record. Without a record the attempt counts as not made.
    async fn attempt(&self, event: &Event) {
        let attempt = event.attempts + 1;
        let finding =
            match tokio::time::timeout(self.answer_timeout, self.send(event, attempt)).await {
                Ok(finding) => finding,
                Err(_) => Finding::NoAnswer { cause: "timeout" },
            };
        let now = self.notifier.clock.now_ms();
        let next = schedule::delay_after(attempt, Jitter::random())
            .map(|delay| now.saturating_add(millis(delay)));
        let outcome = match (finding.is_acknowledged(), next) {
            (true, _) => DELIVERED,
            (false, Some(_)) => FAILED,
            (false, None) => GIVEN_UP,
        };
        counter!(ATTEMPTS, "outcome" => outcome).increment(1);
        tracing::info!(event_id = event.event_id, order_id = event.order_id, attempt, finding = %finding, "notification sent");
        if let Err(problem) =
            delivery_queue::record(&self.notifier.store, event, attempt, now, &finding, next).await
        {
            tracing::error!(%problem, event_id = event.event_id, "an attempt cannot be recorded");
            // The event is due at once again; without a pause this would be a tight loop.
            tokio::time::sleep(RECORD_PAUSE).await;
        }
    }

    async fn send(&self, event: &Event, attempt: u32) -> Finding {
        let Notifier {
            store,
            vault,
            clock,
            receivers,
            ..
        } = &self.notifier;
        let receiver = match OutboundAddress::find(&event.url, *receivers).await {
            Ok(receiver) => receiver,
            Err(refusal) => {
                return Finding::NoAnswer {
                    cause: refusal.as_str(),
                };
            }
        };
        let client = receiver.client("gateway-notifier/1");
        let Ok(client) = client else {
            return Finding::NoAnswer { cause: "client" };
        };
        let signed = signature::header(
            store,
            vault,
            clock.now_ms(),
            &event.terminal_id,
            &event.body,
        );
        let signature = match signed.await {
            Ok(signature) => signature,
            Err(problem) => {
                // Sent without it, a receiver that checks would take the event for a forgery.
                tracing::error!(%problem, event_id = event.event_id, "a notification cannot be signed");
                return Finding::NoAnswer { cause: "signature" };
            }
        };
        let mut request = client.post(receiver.url);
        if let Some(signature) = signature {
            request = request.header("X-Signature", signature);
        }
        let answer = request
            .header("Content-Type", "application/json")
            .header("X-Event-Id", &event.event_id)
            .header("X-Event-Attempt", attempt)
            .body(event.body.clone())
            .send()
            .await;
        match answer {
            Ok(answer) => Finding::Answered {
                status: answer.status().as_u16(),
            },
            Err(problem) if problem.is_connect() => Finding::NoAnswer { cause: "connect" },
            Err(problem) if problem.is_timeout() => Finding::NoAnswer { cause: "timeout" },
            Err(_) => Finding::NoAnswer { cause: "network" },
        }
    }
}

/// From the start of an attempt to the answer's status (contract 9.2).
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);

/// How much longer than the attempt may take an event is its process's.
const CLAIM: Duration = Duration::from_secs(20);

const SHORTEST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
const RECORD_PAUSE: Duration = Duration::from_secs(1);

/// How long running deliveries hold up the end of the process.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(2);

#[cfg(test)]
mod tests;
