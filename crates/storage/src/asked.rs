//! The statements that a test sends or queues, for [`super::plans`]. It exists in tests only.

use super::statement::Value;
use std::cell::RefCell;

thread_local! {
    /// Each statement of this thread, with its values.
    pub(crate) static ASKED: RefCell<Vec<(&'static str, Vec<Value>)>> = const { RefCell::new(Vec::new()) };
}

/// Notes a statement, unless it only begins or ends a change.
pub(crate) fn note(sql: &'static str, values: &[Value]) {
    let begins_or_ends = ["BEGIN", "SAVEPOINT", "RELEASE", "COMMIT", "ROLLBACK"];
    if !begins_or_ends.iter().any(|word| sql.starts_with(word)) {
        ASKED.with_borrow_mut(|asked| asked.push((sql, values.to_vec())));
    }
}
