//! How many calls a process works on at a time, and what becomes of those above that number.
//!
//! Each call at work takes memory and a share of the computing time. A process that accepts everything becomes slower for all of its callers, until
//! it fails for all of them. So a limited number is at work. Some more wait for a moment ([`Times`]), and what finds no
//! place, or waits for longer, is turned away: with 503 and `Retry-After`, in less time than any call takes.
//!
//! What belongs to a payment that has begun comes before what may begin another one ([`CallKind`]): otherwise a process with too many buyers
//! would begin many payments and finish few. And fewer of the others wait ([`OTHERS_THAT_WAIT`]), because whoever waits behind many is served late.
//! While calls are turned away, few of those that begin payments of buyers are at work ([`beginnings`]).
//!
//! A call is turned away before anything else, and never afterwards. It keeps its permit until its work ends, even if its caller is gone:
//! a payment goes on then. The usual parts of `tower` do not fit: `ConcurrencyLimit` lets calls wait without a limit, `LoadShed` lets none
//! wait, and both count connections, not work.
//!
//! What costs next to nothing has no limit: health, metrics, files.

mod beginnings;

use crate::unavailable;
use beginnings::{Beginning, Beginnings};
use metrics::{counter, gauge};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout};

/// Calls at work: a gauge.
pub(crate) const AT_WORK: &str = "payframe_calls_at_work";
/// Calls that were turned away: a counter.
pub(crate) const TURNED_AWAY: &str = "payframe_calls_turned_away_total";
/// How long a caller is asked to wait before the same call is sent again.
pub(crate) const RETRY_AFTER_SECONDS: u64 = 1;

/// The places of a process.
#[derive(Debug)]
pub(crate) struct Admission {
    at_work: Arc<Semaphore>,
    /// Places of those that wait.
    of_payments: Semaphore,
    others: Semaphore,
    /// One of the others at a time waits among the calls of payments. So however many others there are, calls of payments have most of the
    /// places that become free, and the others are never left out.
    turn_of_others: Semaphore,
    beginnings: Arc<Beginnings>,
    times: Times,
}

/// How long calls wait.
#[derive(Clone, Copy, Debug)]
struct Times {
    /// For a place.
    queue: Duration,
    /// For the end of another call that begins a payment, before that of any call is enough. So none is left out.
    beginning: Duration,
}

/// What a call is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallKind {
    /// A payment that has begun: what frames and buyers' pages ask, and what frames could ask in place of a merchant's server.
    OfPayment,
    /// It begins a payment of a buyer, and asks nobody outside of the gateway.
    Beginning,
    /// Anything else.
    Other,
}

/// A place at work. It is free again when this is dropped.
#[derive(Debug)]
pub(crate) struct Permit {
    // Dropped first: it is free before who waits for the end of a beginning hears of it.
    _place: OwnedSemaphorePermit,
    _beginning: Option<Beginning>,
}

/// There is no place, and was none for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Busy;

/// An extension of a call that a page makes within the gateway: the page has a permit already.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WithinPage;

impl Admission {
    /// So many calls at work, as many of payments that wait, and a part of it of others.
    pub(crate) fn new(most: u32) -> Admission {
        Admission::with(most, TIMES)
    }

    fn with(most: u32, times: Times) -> Admission {
        let most = usize::try_from(most)
            .unwrap_or(usize::MAX)
            .min(Semaphore::MAX_PERMITS);
        Admission {
            at_work: Arc::new(Semaphore::new(most)),
            of_payments: Semaphore::new(most),
            others: Semaphore::new((most / OTHERS_THAT_WAIT).max(1)),
            turn_of_others: Semaphore::new(1),
            beginnings: Arc::new(Beginnings::at(most)),
            times,
        }
    }

    /// A place for a call, in the order of arrival of its kind.
    pub(crate) async fn enter(&self, kind: CallKind) -> Result<Permit, Busy> {
        let place = match self.place_at_once(kind) {
            Some(place) => Some(place),
            None => self.place_in_queue(kind).await,
        };
        let Some(place) = place else {
            self.beginnings.note_overload(Instant::now());
            return Err(Busy::turned_away());
        };
        let beginning = (kind == CallKind::Beginning).then(|| self.beginnings.begin());
        Ok(Permit::of(place, beginning))
    }

    fn place_at_once(&self, kind: CallKind) -> Option<OwnedSemaphorePermit> {
        // Who waits for the end of a beginning comes before.
        let is_next = || self.turn_of_others.available_permits() > 0;
        if kind == CallKind::Beginning && !(is_next() && self.beginnings.are_few(Instant::now())) {
            return None;
        }
        Arc::clone(&self.at_work).try_acquire_owned().ok()
    }

    async fn place_in_queue(&self, kind: CallKind) -> Option<OwnedSemaphorePermit> {
        let queue = match kind {
            CallKind::OfPayment => &self.of_payments,
            CallKind::Beginning | CallKind::Other => &self.others,
        };
        let _queued = queue.try_acquire().ok()?;
        let waiting = async {
            let _turn = match kind {
                CallKind::OfPayment => None,
                CallKind::Beginning | CallKind::Other => Some(self.turn_of_others.acquire().await),
            };
            if kind == CallKind::Beginning {
                // The next place is enough after that time.
                let _ = timeout(self.times.beginning, self.beginnings.until_few()).await;
            }
            Arc::clone(&self.at_work).acquire_owned().await
        };
        timeout(self.times.queue, waiting).await.ok()?.ok()
    }
}

impl Permit {
    fn of(place: OwnedSemaphorePermit, beginning: Option<Beginning>) -> Permit {
        gauge!(AT_WORK).increment(1.0);
        Permit {
            _place: place,
            _beginning: beginning,
        }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        gauge!(AT_WORK).decrement(1.0);
    }
}

impl Busy {
    fn turned_away() -> Busy {
        counter!(TURNED_AWAY).increment(1);
        unavailable::note_busy();
        Busy
    }
}

/// Of what may begin a payment, one waits for so many at work.
const OTHERS_THAT_WAIT: usize = 16;

const TIMES: Times = Times {
    // A moment in which many end, and short for who waits for the answer.
    queue: Duration::from_secs(1),
    beginning: Duration::from_millis(100),
};

#[cfg(test)]
mod tests {
    // A panic fails the test.
    #![allow(clippy::unwrap_used)]

    use super::*;

    use CallKind::{Beginning, OfPayment, Other};

    const LONG: Times = Times {
        queue: Duration::from_secs(600),
        beginning: Duration::from_secs(600),
    };

    #[tokio::test]
    async fn a_call_that_finds_no_place_waits_for_a_moment_and_is_turned_away() {
        let limit = Duration::from_millis(50);
        let admission = Admission::with(
            1,
            Times {
                queue: limit,
                ..LONG
            },
        );
        for kind in [OfPayment, Beginning, Other] {
            let first = admission.enter(kind).await.unwrap();
            let began = Instant::now();
            assert_eq!(admission.enter(kind).await.unwrap_err(), Busy);
            assert!(began.elapsed() >= limit);
            drop(first);
            admission.enter(kind).await.unwrap();
        }
    }

    #[tokio::test]
    async fn a_queue_that_is_full_turns_away_at_once_and_that_of_the_others_is_shorter() {
        for (kind, most, waiting) in [
            (Other, 1, 1),
            (Other, 32, 2),
            (Beginning, 1, 1),
            (Beginning, 32, 2),
            (OfPayment, 1, 1),
            (OfPayment, 8, 8),
        ] {
            let admission = Arc::new(Admission::with(most, LONG));
            let mut held = Vec::new();
            for _ in 0..most {
                held.push(admission.enter(Other).await.unwrap());
            }
            let mut queue = Vec::new();
            for _ in 0..waiting {
                queue.push(queued(&admission, kind).await);
            }
            assert_eq!(admission.enter(kind).await.unwrap_err(), Busy);
            drop(held);
            for waited in queue {
                drop(waited.await.unwrap());
            }
        }
    }

    #[tokio::test]
    async fn calls_of_payments_come_before_the_others_and_none_is_left_out() {
        let admission = Arc::new(Admission::with(48, LONG));
        let mut held = Vec::new();
        for _ in 0..48 {
            held.push(admission.enter(Other).await.unwrap());
        }
        let (tell, mut told) = tokio::sync::mpsc::unbounded_channel();
        let kinds = [Other, Other, Other, OfPayment, OfPayment];
        for (number, kind) in kinds.into_iter().enumerate() {
            let (waiting, tell) = (queued(&admission, kind).await, tell.clone());
            tokio::spawn(async move { tell.send((number, waiting.await.unwrap())) });
        }
        let mut order = Vec::new();
        while order.len() < kinds.len() {
            held.pop();
            let (number, permit) = told.recv().await.unwrap();
            order.push(number);
            held.push(permit);
        }
        assert_eq!(order, [0, 3, 4, 1, 2]);
    }

    #[tokio::test]
    async fn as_many_payments_begin_at_once_as_there_are_places() {
        let admission = Admission::with(64, LONG);
        let mut held = Vec::new();
        for _ in 0..64 {
            held.push(admission.enter(Beginning).await.unwrap());
        }
    }

    #[tokio::test]
    async fn in_an_overload_few_payments_begin_and_all_other_calls_are_served() {
        let admission = Arc::new(Admission::with(10, LONG));
        admission
            .beginnings
            .note_overload(Instant::now() + Duration::from_secs(600));
        let mut begun = vec![
            admission.enter(Beginning).await.unwrap(),
            admission.enter(Beginning).await.unwrap(),
        ];
        let third = queued(&admission, Beginning).await;
        let mut held = Vec::new();
        for kind in [OfPayment, Other].repeat(4) {
            held.push(admission.enter(kind).await.unwrap());
        }
        held.truncate(4);
        assert!(!third.is_finished(), "places are free, and it waits");
        begun.pop();
        third.await.unwrap();
    }

    #[tokio::test]
    async fn a_payment_begins_although_those_that_began_take_long() {
        let soon = Duration::from_millis(20);
        let admission = Admission::with(
            2,
            Times {
                beginning: soon,
                ..LONG
            },
        );
        admission
            .beginnings
            .note_overload(Instant::now() + Duration::from_secs(600));
        let _first = admission.enter(Beginning).await.unwrap();
        let began = Instant::now();
        let _second = admission.enter(Beginning).await.unwrap();
        assert!(began.elapsed() >= soon);
    }

    #[tokio::test]
    async fn a_caller_that_leaves_the_queue_leaves_its_place() {
        let admission = Admission::with(1, LONG);
        let _first = admission.enter(Other).await.unwrap();
        let gone = timeout(Duration::from_millis(20), admission.enter(Other));
        assert!(gone.await.is_err());
        assert_eq!(admission.others.available_permits(), 1);
        assert_eq!(admission.turn_of_others.available_permits(), 1);
    }

    /// A call that waits by now.
    async fn queued(admission: &Arc<Admission>, kind: CallKind) -> tokio::task::JoinHandle<Permit> {
        let queue = |admission: &Admission| match kind {
            OfPayment => admission.of_payments.available_permits(),
            Beginning | Other => admission.others.available_permits(),
        };
        let before = queue(admission);
        let waiting = tokio::spawn({
            let admission = Arc::clone(admission);
            async move { admission.enter(kind).await.unwrap() }
        });
        while queue(admission) == before {
            tokio::task::yield_now().await;
        }
        waiting
    }
}
