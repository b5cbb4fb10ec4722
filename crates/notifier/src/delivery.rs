//! Delivery: one lane for each receiver, attempts, and their records.

use crate::schedule::{self, Jitter};
use crate::{ATTEMPTS, DELIVERED, FAILED, GIVEN_UP, Notifier, signature};
use metrics::counter;
use payframe_outbound_address::OutboundAddress;
use payframe_payment_ports::clock::millis;
use payframe_protocol::api_version::ApiVersion;
use payframe_storage::StoreError;
use payframe_storage::delivery_queue::{self, AttemptResult, Event};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::task::JoinSet;

/// The lanes and their workers.
pub(crate) struct Dispatcher {
    notifier: Notifier,
    answer_timeout: Duration,
    busy: HashSet<Lane>,
    workers: JoinSet<Lane>,
    stopping: Arc<AtomicBool>,
}

/// One merchant's events for one receiver, which are sent one after the other.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Lane {
    merchant_id: String,
    /// Scheme, host and port, or the whole text if the URL cannot be parsed.
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
    /// No worker is running yet.
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

    /// Starts a worker for each lane that has due events and no worker.
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

    /// Waits until a worker has finished its lane. Waits indefinitely if there is no worker.
    pub(crate) async fn lane_emptied(&mut self) {
        match self.workers.join_next().await {
            Some(Ok(lane)) => {
                self.busy.remove(&lane);
            }
            Some(Err(problem)) => {
                tracing::error!(%problem, "a delivery ended by a bug");
                // The lane of the failed worker is unknown: wait for the other workers, then all lanes are free.
                while self.workers.join_next().await.is_some() {}
                self.busy.clear();
            }
            None => std::future::pending().await,
        }
    }

    /// The time until the next event is due. It has a minimum and a maximum, because clocks may jump, and a failing database must not be
    /// called in a tight loop.
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

    /// Starts no new deliveries. Running deliveries have [`SHUTDOWN_TIMEOUT`] to complete.
    pub(crate) async fn stop(&mut self) {
        self.stopping.store(true, Ordering::SeqCst);
        let farewell = async { while self.workers.join_next().await.is_some() {} };
        if tokio::time::timeout(SHUTDOWN_TIMEOUT, farewell)
            .await
            .is_err()
        {
            // An aborted delivery has no recorded attempt and is sent again: delivery is at least once.
            self.workers.shutdown().await;
        }
    }
}

/// Sends the events of one lane.
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

    /// Makes one attempt and records it. Without a record, the attempt does not count.
    async fn attempt(&self, event: &Event) {
        let attempt = event.attempts + 1;
        let finding =
            match tokio::time::timeout(self.answer_timeout, self.send(event, attempt)).await {
                Ok(finding) => finding,
                Err(_) => AttemptResult::NoAnswer { cause: "timeout" },
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
            // The event is due again at once. Without a pause this would be a tight loop.
            tokio::time::sleep(RECORD_PAUSE).await;
        }
    }

    async fn send(&self, event: &Event, attempt: u32) -> AttemptResult {
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
                return AttemptResult::NoAnswer {
                    cause: refusal.as_str(),
                };
            }
        };
        let client = receiver.client("gateway-notifier/1");
        let Ok(client) = client else {
            return AttemptResult::NoAnswer { cause: "client" };
        };
        let signed = signature::headers(
            store,
            &**vault,
            clock.real().now_ms(),
            &event.terminal_id,
            &event.event_id,
            &event.body,
        );
        let signatures = match signed.await {
            Ok(signatures) => signatures,
            Err(problem) => {
                // Without a signature, a receiver that checks it would treat the event as a forgery.
                tracing::error!(%problem, event_id = event.event_id, "a notification cannot be signed");
                return AttemptResult::NoAnswer { cause: "signature" };
            }
        };
        let mut request = client.post(receiver.url);
        for (name, value) in signatures {
            request = request.header(name, value);
        }
        let answer = request
            .header("Content-Type", "application/json")
            .header("X-Event-Id", &event.event_id)
            .header("X-Event-Attempt", attempt)
            .header("Payframe-Version", ApiVersion::default().date())
            .body(event.body.clone())
            .send()
            .await;
        match answer {
            Ok(answer) => AttemptResult::Answered {
                status: answer.status().as_u16(),
            },
            Err(problem) if problem.is_connect() => AttemptResult::NoAnswer { cause: "connect" },
            Err(problem) if problem.is_timeout() => AttemptResult::NoAnswer { cause: "timeout" },
            Err(_) => AttemptResult::NoAnswer { cause: "network" },
        }
    }
}

/// From the start of an attempt to the status of the response (contract 9.2).
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);

/// How much longer than the attempt a process keeps its claim on an event.
const CLAIM: Duration = Duration::from_secs(20);

const SHORTEST_PAUSE: Duration = Duration::from_millis(200);
/// Nobody wakes the notifier for what another process wrote if the message about it is lost, or if the tables are in a file.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
const RECORD_PAUSE: Duration = Duration::from_secs(1);

/// How long a shutdown waits for running deliveries.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(2);

#[cfg(test)]
mod tests;
