//! Metrics of payments, through the `metrics` facade. Without a recorder they cost nothing.
//!
//! The gateway describes all metrics in one place.

use metrics::{counter, gauge, histogram};
use std::time::Instant;

/// Operations with a result, by `type` and `result`: a counter.
pub const OPERATIONS: &str = "payframe_operations_total";
/// Duration of calls to the acquirer, by `call` and `outcome`: a histogram.
pub const ACQUIRER: &str = "payframe_acquirer_call_duration_seconds";
/// Orders whose books differ, by `difference`: a gauge.
pub const BOOK_DIFFERENCES: &str = "payframe_book_differences";
/// Tries that a rule against card testing stopped, by `rule` and `measure`: a counter.
pub const STOPPED: &str = "payframe_card_testing_stopped_total";
/// Failures of the gateway's background work: a counter.
pub const FAILURES: &str = "payframe_task_failures_total";

/// Counts an operation that has a result.
pub(crate) fn booked(operation_type: &str, result: &str) {
    let (operation_type, result) = (operation_type.to_owned(), result.to_owned());
    counter!(OPERATIONS, "type" => operation_type, "result" => result).increment(1);
}

/// Calls the acquirer and measures the duration.
pub(crate) async fn asking<T, E>(
    call: &'static str,
    answer: impl Future<Output = Result<T, E>>,
) -> Result<T, E> {
    let began = Instant::now();
    let answer = answer.await;
    let outcome = if answer.is_ok() { "answered" } else { "failed" };
    histogram!(ACQUIRER, "call" => call, "outcome" => outcome).record(began.elapsed());
    answer
}

/// Records how many orders differ in a way.
#[allow(clippy::cast_precision_loss, reason = "counts are small")]
pub(crate) fn books_compared(difference: &'static str, count: usize) {
    gauge!(BOOK_DIFFERENCES, "difference" => difference).set(count as f64);
}

/// Counts a try that a rule against card testing refused, or let pass only with a challenge.
pub(crate) fn stopped(rule: &'static str, measure: &'static str) {
    counter!(STOPPED, "rule" => rule, "measure" => measure).increment(1);
}

/// Counts a failure of background work.
pub(crate) fn failed() {
    counter!(FAILURES).increment(1);
}
