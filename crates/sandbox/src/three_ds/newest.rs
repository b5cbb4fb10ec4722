//! What a server of the sandbox keeps in memory of its newest transactions, until it ends.

use payframe_emv_3ds::element::TransactionId;
use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Something of each of the newest transactions.
pub(super) struct Newest<T>(Mutex<Kept<T>>);

struct Kept<T> {
    by_id: HashMap<TransactionId, T>,
    /// The oldest one first.
    order: VecDeque<TransactionId>,
}

impl<T> Default for Newest<T> {
    fn default() -> Newest<T> {
        Newest(Mutex::new(Kept {
            by_id: HashMap::new(),
            order: VecDeque::new(),
        }))
    }
}

impl<T: Clone> Newest<T> {
    pub(super) fn find(&self, id: &TransactionId) -> Option<T> {
        self.kept().by_id.get(id).cloned()
    }

    /// Keeps a new one. One that is there stays: the message was repeated. Returns whether it is new.
    pub(super) fn keep(&self, id: TransactionId, value: T) -> bool {
        let mut kept = self.kept();
        if kept.by_id.contains_key(&id) {
            return false;
        }
        kept.order.push_back(id.clone());
        kept.by_id.insert(id, value);
        while kept.order.len() > MOST {
            if let Some(oldest) = kept.order.pop_front() {
                kept.by_id.remove(&oldest);
            }
        }
        true
    }

    /// Changes the one with this id. `None`: there is none.
    pub(super) fn change<R>(
        &self,
        id: &TransactionId,
        change: impl FnOnce(&mut T) -> R,
    ) -> Option<R> {
        self.kept().by_id.get_mut(id).map(change)
    }

    fn kept(&self) -> MutexGuard<'_, Kept<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// More than a sandbox has at the same time.
const MOST: usize = 10_000;

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: usize) -> TransactionId {
        TransactionId::of_bytes((number as u128).to_be_bytes())
    }

    #[test]
    fn the_first_of_a_transaction_stays_and_the_oldest_transaction_goes() {
        let newest = Newest::default();
        assert!(newest.keep(id(0), 1));
        assert!(!newest.keep(id(0), 2));
        assert_eq!(newest.find(&id(0)), Some(1));
        assert_eq!(newest.change(&id(0), |one| *one += 5), Some(()));
        assert_eq!(newest.find(&id(0)), Some(6));
        for number in 1..=MOST {
            assert!(newest.keep(id(number), number));
        }
        assert_eq!(newest.find(&id(0)), None);
        assert_eq!(newest.change(&id(0), |one| *one), None);
        assert_eq!(newest.find(&id(MOST)), Some(MOST));
    }
}
