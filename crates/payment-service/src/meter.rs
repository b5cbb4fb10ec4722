//! Metrics of payments, through the `metrics` facade. Without a recorder they cost nothing.
//!
//! The gateway describes all metrics in one place.

use metrics::{counter, gauge, histogram};
use payframe_payment_domain::card_testing::Rule;
use payframe_payment_domain::session::StepUp;
use payframe_payment_ports::acquirer::AcquirerError;
use std::time::Instant;

/// Operations with a result, by `type` and `result`: a counter.
pub const OPERATIONS: &str = "payframe_operations_total";
/// Duration of calls to acquirers, by `acquirer`, `call` and `outcome`: a histogram.
pub const ACQUIRER: &str = "payframe_acquirer_call_duration_seconds";
/// Orders whose books differ, by `difference`: a gauge.
pub const BOOK_DIFFERENCES: &str = "payframe_book_differences";
/// Tries that a rule against card testing stopped, by `rule` and `measure`: a counter.
pub const STOPPED: &str = "payframe_card_testing_stopped_total";
/// Changes of watched pages that were found: a counter.
pub const PAGE_CHANGES: &str = "payframe_page_changes_total";
/// Proofs of work that forms were asked for, by `result`: a counter.
pub const PROOFS: &str = "payframe_proofs_of_work_total";
/// Declines of issuers that demanded an authentication, by what followed (`answer`): a counter.
pub const STEP_UPS: &str = "payframe_step_ups_total";
/// Old records that were deleted, by `kind`: a counter.
pub const DELETED: &str = "payframe_records_deleted_total";
/// Failures of the gateway's background work: a counter.
pub const FAILURES: &str = "payframe_task_failures_total";

/// Sets the counters to zero, so that the first event shows as a rise. Results of operations are known when there are some.
pub fn start() {
    counter!(FAILURES).absolute(0);
    counter!(PAGE_CHANGES).absolute(0);
    for rule in Rule::ALL {
        for measure in ["refused", "challenged"] {
            counter!(STOPPED, "rule" => rule.code(), "measure" => measure).absolute(0);
        }
    }
    for result in ["asked", "passed", "refused", "impossible"] {
        counter!(PROOFS, "result" => result).absolute(0);
    }
    for answer in [StepUp::Challenge, StepUp::Refused, StepUp::NotPossible] {
        counter!(STEP_UPS, "answer" => step_up_code(answer)).absolute(0);
    }
}

/// Counts an operation that has a result.
pub(crate) fn booked(operation_type: &str, result: &str) {
    let (operation_type, result) = (operation_type.to_owned(), result.to_owned());
    counter!(OPERATIONS, "type" => operation_type, "result" => result).increment(1);
}

/// Calls an acquirer and measures the duration. `acquirer`: its name.
pub(crate) async fn asking<T>(
    call: &'static str,
    acquirer: &str,
    answer: impl Future<Output = Result<T, AcquirerError>>,
) -> Result<T, AcquirerError> {
    let began = Instant::now();
    let answer = answer.await;
    let outcome = match &answer {
        Ok(_) => "answered",
        Err(AcquirerError::NotSent(_)) => "not_sent",
        Err(AcquirerError::NoAnswer(_) | AcquirerError::Unreadable(_)) => "failed",
    };
    let acquirer = acquirer.to_owned();
    histogram!(ACQUIRER, "acquirer" => acquirer, "call" => call, "outcome" => outcome)
        .record(began.elapsed());
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

/// Counts a change of a watched page.
pub(crate) fn page_changed() {
    counter!(PAGE_CHANGES).increment(1);
}

/// Counts a proof of work that was due, by what became of it.
pub(crate) fn proof(result: &'static str) {
    counter!(PROOFS, "result" => result).increment(1);
}

/// Counts a decline for want of an authentication, by what followed.
pub(crate) fn stepped_up(answer: StepUp) {
    counter!(STEP_UPS, "answer" => step_up_code(answer)).increment(1);
}

/// Counts old records that were deleted.
pub(crate) fn deleted(kind: &'static str, count: u64) {
    counter!(DELETED, "kind" => kind).increment(count);
}

/// Counts a failure of background work.
pub(crate) fn failed() {
    counter!(FAILURES).increment(1);
}

fn step_up_code(answer: StepUp) -> &'static str {
    match answer {
        StepUp::Challenge | StepUp::Confirmation | StepUp::Decoupled { .. } => "challenge",
        StepUp::Refused => "refused",
        StepUp::NotPossible => "not_possible",
    }
}
