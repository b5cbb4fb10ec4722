//! Measures what payments do, through the `metrics` facade: it costs nothing where nobody reads.
//!
//! What each measure means is told where all of the gateway's are told.

use metrics::{counter, histogram};
use std::time::Instant;

/// Operations that have got a result, by `type` and `result`: a counter.
pub const OPERATIONS: &str = "payframe_operations_total";
/// How long the acquirer took to answer, by `call` and `outcome`: a histogram.
pub const ACQUIRER: &str = "payframe_acquirer_call_duration_seconds";
/// What the gateway did by itself and failed at: a counter.
pub const FAILURES: &str = "payframe_task_failures_total";

/// An operation has got a result.
pub(crate) fn booked(operation_type: &str, result: &str) {
    let (operation_type, result) = (operation_type.to_owned(), result.to_owned());
    counter!(OPERATIONS, "type" => operation_type, "result" => result).increment(1);
}

/// Asks the acquirer.
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

/// Something that the gateway does by itself failed.
pub(crate) fn failed() {
    counter!(FAILURES).increment(1);
}
