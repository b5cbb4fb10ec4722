//! The payments whose intent this process has written and that nobody has been asked for yet. It is the first to ask for them
//! ([`super::acquirer_choice`]).

use payframe_storage::acquirer_choices::AcquirerChoice;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// The payments, with their choices. `None`: the gateway's own acquirer.
#[derive(Default)]
pub(crate) struct FirstRequests(Mutex<HashMap<String, Option<AcquirerChoice>>>);

impl FirstRequests {
    /// The intent of an operation is written, with this choice.
    pub(crate) fn expect(&self, operation_id: &str, choice: Option<AcquirerChoice>) {
        let mut choices = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // An intent that was rolled back leaves its choice behind. A payment whose choice is lost stays with its first acquirer.
        if choices.len() >= MOST {
            choices.clear();
        }
        choices.insert(operation_id.to_owned(), choice);
    }

    /// The choice, once.
    pub(crate) fn take(&self, operation_id: &str) -> Option<Option<AcquirerChoice>> {
        let mut choices = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        choices.remove(operation_id)
    }
}

/// Many more than are on their way at a time.
const MOST: usize = 10_000;
