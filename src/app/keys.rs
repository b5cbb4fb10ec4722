//! Idempotency keys of a form.

use crate::gateway_client::random_key;
use std::cell::{Cell, RefCell};

/// Idempotency keys: one for each submission of the same card data, one for each attempt to close.
pub struct Keys {
    submission: RefCell<String>,
    capture_initiator: RefCell<String>,
    edited: Cell<bool>,
}

impl Keys {
    pub(super) fn new() -> Self {
        Self {
            submission: RefCell::new(random_key()),
            capture_initiator: RefCell::new(random_key()),
            edited: Cell::new(false),
        }
    }

    /// The entry has changed.
    pub fn edited(&self) {
        self.edited.set(true);
    }

    /// For sending card data: the same until the buyer edits.
    pub fn submission(&self) -> String {
        if self.edited.replace(false) {
            self.submission.replace(random_key());
        }
        self.submission.borrow().clone()
    }

    /// For the completion call: the same until a refusal.
    pub fn capture_initiator(&self) -> String {
        self.capture_initiator.borrow().clone()
    }

    /// After a refusal.
    pub fn new_attempt(&self) {
        self.edited();
        self.capture_initiator.replace(random_key());
    }
}
