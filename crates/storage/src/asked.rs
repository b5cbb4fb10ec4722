//! The statements that a test sends, for [`super::plans`]. It exists in tests only.

use super::statement::{Statement, Value};
use std::cell::RefCell;

thread_local! {
    /// Each statement that this thread sent, with its values.
    pub(crate) static ASKED: RefCell<Vec<(&'static str, Vec<Value>)>> = const { RefCell::new(Vec::new()) };
}

/// Notes a statement.
pub(crate) fn note(statement: &Statement) {
    ASKED.with_borrow_mut(|asked| asked.push((statement.sql, statement.values.clone())));
}
