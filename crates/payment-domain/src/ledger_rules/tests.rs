//! Compares the table with the contract's, and random payments with a simple ledger that knows the place of
//! every coin.

mod slow_ledger;

use super::payment::Bounds;
use super::*;
use crate::operation::{Capture, Totals};
use payframe_money::Amount;
use proptest::prelude::*;

const DAY_MS: i64 = 86_400_000;
const AUTHORIZATION: &str = "authorization";

fn amount(minor: u64) -> Amount {
    Amount::from_minor(minor).unwrap()
}

fn dates(time_ms: i64) -> Dates {
    Dates {
        day_ends_ms: time_ms - time_ms % DAY_MS + DAY_MS - 1,
        refundable_until_ms: time_ms + 400 * DAY_MS,
    }
}

fn authorization(capture: Capture, minor: u64) -> Authorization {
    Authorization {
        operation_id: String::from(AUTHORIZATION),
        kind: OperationType::Authorization,
        result: match capture {
            Capture::Implicit => OperationResult::Executed,
            Capture::Explicit => OperationResult::Authorized,
        },
        amount: amount(minor),
        capture,
        dates: dates(0),
        release_ms: 1000 * DAY_MS,
        increments: match capture {
            // As much again as the first amount, as far as the API has such amounts.
            Capture::Explicit => {
                Amount::from_minor(minor * 2).map_or(Amount::ZERO, |_| amount(minor))
            }
            Capture::Implicit => Amount::ZERO,
        },
    }
}

/// The recorded operations of a payment.
struct RecordedPayment {
    authorization: Authorization,
    later: Vec<FollowUp>,
}

impl RecordedPayment {
    fn new(capture: Capture, minor: u64) -> RecordedPayment {
        RecordedPayment {
            authorization: authorization(capture, minor),
            later: Vec::new(),
        }
    }

    fn payment(&self) -> Payment {
        Payment::of(self.authorization.clone(), &self.later).unwrap()
    }

    /// Records an operation, which is then in progress.
    fn begin(
        &mut self,
        target: &str,
        call: ActionCall,
        minor: u64,
        now_ms: i64,
    ) -> Result<usize, Vec<FollowUpError>> {
        let amount = (call != ActionCall::Cancel).then(|| amount(minor));
        let plan = self.payment().plan_call(target, call, amount, now_ms)?;
        self.later.push(FollowUp {
            operation_id: format!("later {}", self.later.len()),
            follow_up: plan.follow_up,
            result: OperationResult::Pending,
            amount: plan.amount,
            target_id: target.to_owned(),
            shares: plan.shares,
            time_ms: now_ms,
            dates: dates(now_ms),
        });
        Ok(self.later.len() - 1)
    }

    fn approve(&mut self, index: usize) {
        let outcome = self.payment().approved(&self.later[index]);
        self.later[index].result = outcome.result;
        for (id, result) in outcome.changes {
            if id == AUTHORIZATION {
                self.authorization.result = result;
            } else {
                let changed = self.later.iter_mut().find(|later| later.operation_id == id);
                changed.unwrap().result = result;
            }
        }
    }

    fn act(&mut self, target: &str, call: ActionCall, minor: u64, now_ms: i64) -> String {
        match self.begin(target, call, minor, now_ms) {
            Ok(index) => {
                self.approve(index);
                let done = &self.later[index];
                let code = done.follow_up.operation_type().code();
                format!(
                    "{code} {} / {}",
                    done.result.code(),
                    self.authorization.result.code()
                )
            }
            Err(denials) => {
                let names: Vec<String> =
                    denials.iter().map(|denial| format!("{denial:?}")).collect();
                names.join(" ")
            }
        }
    }
}

#[test]
fn every_cell_of_the_table_is_the_contracts() {
    use OperationType::{Authorization, Capture, DelayCharge, NoShow};
    for kind in OperationType::ALL {
        for result in OperationResult::ALL {
            let cell = |call| match rule(kind, result, call) {
                Rule::Does(follow_up) => String::from(follow_up.operation_type().code()),
                Rule::Refused(denial) => format!("{denial:?}"),
            };
            let row = ActionCall::ALL.map(cell).join(" ");
            let expected = match (kind, result.code()) {
                (Authorization, "AUTHORIZED") => "CAPTURE VOID State INCREMENTAL",
                (Authorization, "EXECUTED") => "CaptureOfExecuted REFUND State State",
                (Authorization, "VOIDED") => "CaptureOfVoided AlreadyVoided State State",
                (Authorization, "REFUNDED") => "CaptureOfRefunded AlreadyRefunded State State",
                (Capture, "EXECUTED") => "State REFUND CANCEL State",
                (Capture, "VOIDED") => "State AlreadyVoided AlreadyVoided State",
                (Capture, "REFUNDED") => "State AlreadyRefunded AlreadyRefunded State",
                (NoShow | DelayCharge, "EXECUTED") => "State REFUND State State",
                (NoShow | DelayCharge, "VOIDED") => "State AlreadyVoided State State",
                (NoShow | DelayCharge, "REFUNDED") => "State AlreadyRefunded State State",
                _ => "State State State State",
            };
            assert_eq!(row, expected, "{kind:?} {result:?}");
        }
    }
}

#[test]
fn effects_are_those_of_the_contract() {
    use ActionCall::{Cancel, Capture as Take, Refund};
    let (today, tomorrow) = (1_000, DAY_MS + 1_000);
    let check = |capture, steps: &[(&str, ActionCall, u64, i64, &str)]| {
        let mut recorded = RecordedPayment::new(capture, 100);
        for (target, call, minor, now_ms, expected) in steps {
            let found = recorded.act(target, *call, *minor, *now_ms);
            assert_eq!(found, *expected, "{target} {call:?} {minor} of {steps:?}");
        }
        recorded.payment().totals()
    };
    let totals = |authorized, captured, refunded| Totals {
        authorized: amount(authorized),
        captured: amount(captured),
        refunded: amount(refunded),
    };
    let first = AUTHORIZATION;
    let found = check(
        Capture::Explicit,
        &[
            (first, Take, 101, today, "AboveOpen"),
            (first, Take, 40, today, "CAPTURE EXECUTED / AUTHORIZED"),
            (first, Refund, 59, today, "AboveCaptured"),
            (first, Cancel, 0, today, "State"),
            (first, Take, 60, today, "CAPTURE EXECUTED / EXECUTED"),
            (first, Take, 1, today, "CaptureOfExecuted"),
            ("later 0", Cancel, 0, today, "CANCEL EXECUTED / AUTHORIZED"),
            ("later 0", Refund, 1, today, "AlreadyVoided"),
            ("later 0", Cancel, 0, today, "AlreadyVoided"),
            ("later 2", Refund, 1, today, "State"),
            (first, Take, 30, tomorrow, "CAPTURE EXECUTED / AUTHORIZED"),
            (first, Take, 10, tomorrow, "CAPTURE EXECUTED / EXECUTED"),
            // Of several captures, the oldest one is refunded first.
            (first, Refund, 70, tomorrow, "REFUND EXECUTED / EXECUTED"),
            ("later 1", Refund, 1, tomorrow, "AlreadyRefunded"),
            ("later 3", Cancel, 0, tomorrow, "AlreadyRefunded"),
            ("later 3", Refund, 21, tomorrow, "AboveCaptured"),
            (
                "later 3",
                Refund,
                20,
                tomorrow,
                "REFUND EXECUTED / EXECUTED",
            ),
            ("later 4", Refund, 10, tomorrow, "REFUND VOIDED / REFUNDED"),
            (first, Refund, 1, tomorrow, "AlreadyRefunded"),
            (first, Take, 1, tomorrow, "CaptureOfRefunded"),
        ],
    );
    assert_eq!(found, totals(100, 100, 100));
    // Contract 13, D137: captured money comes first, whatever the open amount is.
    let found = check(
        Capture::Explicit,
        &[
            (first, Take, 30, today, "CAPTURE EXECUTED / AUTHORIZED"),
            (first, Take, 20, today, "CAPTURE EXECUTED / AUTHORIZED"),
            (first, Refund, 40, today, "REFUND EXECUTED / AUTHORIZED"),
            ("later 0", Refund, 1, today, "AlreadyRefunded"),
            (first, Refund, 11, today, "AboveCaptured"),
            (first, Refund, 10, today, "REFUND EXECUTED / AUTHORIZED"),
            (first, Refund, 49, today, "NotTheOpenAmount"),
            (first, Refund, 50, today, "VOID VOIDED / EXECUTED"),
        ],
    );
    assert_eq!(found, totals(50, 50, 50));
    // A captured amount is given back, also if it equals the open amount.
    let found = check(
        Capture::Explicit,
        &[
            (first, Take, 60, today, "CAPTURE EXECUTED / AUTHORIZED"),
            (first, Refund, 40, today, "REFUND EXECUTED / AUTHORIZED"),
            (first, Refund, 40, today, "VOID VOIDED / EXECUTED"),
        ],
    );
    assert_eq!(found, totals(60, 60, 40));
    let found = check(
        Capture::Explicit,
        &[
            (first, Refund, 100, today, "VOID VOIDED / VOIDED"),
            (first, Refund, 100, today, "AlreadyVoided"),
            (first, Take, 100, today, "CaptureOfVoided"),
        ],
    );
    assert_eq!(found, totals(0, 0, 0));
    let found = check(
        Capture::Implicit,
        &[
            (first, Take, 1, today, "CaptureOfExecuted"),
            (first, Cancel, 0, today, "State"),
            (first, Refund, 100, today, "REFUND VOIDED / VOIDED"),
            (first, Refund, 1, today, "AlreadyVoided"),
        ],
    );
    assert_eq!(found, totals(100, 100, 100));
    let found = check(
        Capture::Implicit,
        &[
            (first, Refund, 101, tomorrow, "AboveCaptured"),
            (first, Refund, 99, today, "REFUND EXECUTED / EXECUTED"),
            (first, Refund, 2, today, "AboveCaptured"),
            // The rest of it, on the same day: it was refunded, not undone.
            (first, Refund, 1, today, "REFUND EXECUTED / REFUNDED"),
            (first, Refund, 1, today, "AlreadyRefunded"),
        ],
    );
    assert_eq!(found, totals(100, 100, 100));
    check(
        Capture::Implicit,
        &[(first, Refund, 100, tomorrow, "REFUND EXECUTED / REFUNDED")],
    );
    check(
        Capture::Explicit,
        &[
            (first, Take, 60, today, "CAPTURE EXECUTED / AUTHORIZED"),
            ("later 0", Cancel, 0, tomorrow, "OtherDay"),
            (
                "later 0",
                Refund,
                10,
                tomorrow,
                "REFUND EXECUTED / AUTHORIZED",
            ),
            ("later 0", Cancel, 0, tomorrow, "AlreadyRefunded OtherDay"),
            (first, Take, 40, tomorrow, "CAPTURE EXECUTED / EXECUTED"),
            ("later 2", Refund, 40, tomorrow, "REFUND VOIDED / EXECUTED"),
            ("later 2", Refund, 1, tomorrow, "AlreadyVoided"),
            (first, Refund, 50, tomorrow, "REFUND EXECUTED / REFUNDED"),
        ],
    );
}

#[test]
fn what_is_on_its_way_holds_its_amount() {
    let mut recorded = RecordedPayment::new(Capture::Implicit, 100);
    let first = recorded
        .begin(AUTHORIZATION, ActionCall::Refund, 40, 5)
        .unwrap();
    assert_eq!(recorded.payment().totals().refunded, Amount::ZERO);
    let above = recorded.begin(AUTHORIZATION, ActionCall::Refund, 61, 5);
    assert_eq!(above, Err(vec![FollowUpError::AboveCaptured]));
    let second = recorded
        .begin(AUTHORIZATION, ActionCall::Refund, 60, 5)
        .unwrap();
    let nothing_left = recorded.begin(AUTHORIZATION, ActionCall::Refund, 1, 5);
    assert_eq!(nothing_left, Err(vec![FollowUpError::AboveCaptured]));
    recorded.approve(second);
    assert_eq!(recorded.authorization.result, OperationResult::Executed);
    // If the issuer refuses, the money is available again.
    recorded.later[first].result = OperationResult::Failed;
    assert_eq!(recorded.payment().totals().refunded, amount(60));
    assert_eq!(
        recorded.act(AUTHORIZATION, ActionCall::Refund, 40, 6),
        "REFUND EXECUTED / REFUNDED"
    );

    let mut recorded = RecordedPayment::new(Capture::Explicit, 100);
    let capture = recorded
        .begin(AUTHORIZATION, ActionCall::Capture, 40, 5)
        .unwrap();
    let void = recorded.begin(AUTHORIZATION, ActionCall::Refund, 60, 5);
    assert_eq!(
        void,
        Err(vec![FollowUpError::State]),
        "the capture may yet fail"
    );
    assert_eq!(
        recorded.begin(AUTHORIZATION, ActionCall::Capture, 61, 5),
        Err(vec![FollowUpError::AboveOpen])
    );
    let rest = recorded
        .begin(AUTHORIZATION, ActionCall::Capture, 60, 5)
        .unwrap();
    recorded.approve(capture);
    assert_eq!(
        recorded.authorization.result,
        OperationResult::Authorized,
        "the rest may yet fail"
    );
    recorded.approve(rest);
    assert_eq!(recorded.authorization.result, OperationResult::Executed);
    let cancel = recorded.begin("later 0", ActionCall::Cancel, 0, 6).unwrap();
    for (call, minor) in [(ActionCall::Refund, 1), (ActionCall::Cancel, 0)] {
        assert!(
            recorded.begin("later 0", call, minor, 6).is_err(),
            "{call:?}"
        );
    }
    recorded.approve(cancel);
    assert_eq!(recorded.payment().totals().captured, amount(60));
}

#[test]
fn limits_of_time_end_what_may_be_done() {
    let allowed = |recorded: &RecordedPayment, target: &str, now_ms| {
        let text = |allowed: Allowed| {
            let Bounds { min, max, until_ms } = allowed.bounds;
            format!("{:?} {min}..{max} until {until_ms}", allowed.follow_up)
        };
        let allowed = recorded.payment().allowed(target, now_ms);
        allowed.into_iter().map(text).collect::<Vec<_>>().join(", ")
    };
    let mut recorded = RecordedPayment::new(Capture::Explicit, 100);
    recorded.authorization.release_ms = 5 * DAY_MS;
    let last = 5 * DAY_MS - 1;
    assert_eq!(
        allowed(&recorded, AUTHORIZATION, last),
        format!(
            "Capture 1..100 until {last}, Void 100..100 until {last}, Increment 1..100 until {last}"
        )
    );
    assert_eq!(recorded.payment().overdue(last), None);
    assert_eq!(allowed(&recorded, AUTHORIZATION, last + 1), "");
    let overdue = recorded.payment().overdue(last + 1).unwrap();
    assert_eq!(
        (overdue.follow_up, overdue.amount),
        (FollowUpOperation::Void, amount(100))
    );
    assert_eq!(
        recorded.act(AUTHORIZATION, ActionCall::Capture, 1, last + 1),
        "State"
    );
    recorded.act(AUTHORIZATION, ActionCall::Capture, 40, 3);
    assert_eq!(
        recorded.payment().overdue(last + 1).unwrap().amount,
        amount(60)
    );
    let (day, year) = (DAY_MS - 1, 400 * DAY_MS + 3);
    assert_eq!(
        allowed(&recorded, "later 0", day),
        format!("Refund 1..40 until {year}, Cancel 40..40 until {day}")
    );
    assert_eq!(
        allowed(&recorded, "later 0", day + 1),
        format!("Refund 1..40 until {year}")
    );
    assert_eq!(allowed(&recorded, "later 0", year + 1), "");
    assert_eq!(
        recorded.act("later 0", ActionCall::Refund, 40, year + 1),
        "State"
    );
    assert_eq!(
        recorded.act("later 0", ActionCall::Refund, 41, year + 1),
        "State"
    );
    assert_eq!(allowed(&recorded, "unknown", 0), "");

    let mut recorded = RecordedPayment::new(Capture::Explicit, 100);
    recorded.act(AUTHORIZATION, ActionCall::Capture, 40, 3);
    recorded.act(AUTHORIZATION, ActionCall::Capture, 60, DAY_MS);
    assert_eq!(
        allowed(&recorded, AUTHORIZATION, year + 1),
        format!("Refund 1..60 until {}", 401 * DAY_MS),
        "the older capture is out of time"
    );
    assert_eq!(
        recorded.act(AUTHORIZATION, ActionCall::Refund, 61, year + 1),
        "State"
    );
    assert_eq!(
        recorded.act(AUTHORIZATION, ActionCall::Refund, 60, year + 1),
        "REFUND EXECUTED / EXECUTED"
    );
    assert_eq!(recorded.later[2].shares.len(), 1);
}

#[test]
fn disputed_money_is_not_refunded_and_the_rest_is() {
    let recorded = RecordedPayment::new(Capture::Implicit, 100);
    let disputed = |minor| {
        let disputes = [(String::from(AUTHORIZATION), amount(minor))];
        recorded.payment().with_disputes(&disputes)
    };
    let refund = |minor, asked| {
        let payment = disputed(minor).unwrap();
        let planned = payment.plan_call(AUTHORIZATION, ActionCall::Refund, asked, 5);
        planned.map(|plan| plan.amount)
    };
    assert_eq!(refund(60, Some(amount(40))), Ok(amount(40)));
    assert_eq!(refund(60, None), Ok(amount(40)));
    assert_eq!(
        refund(60, Some(amount(41))),
        Err(vec![FollowUpError::Disputed])
    );
    assert_eq!(
        refund(60, Some(amount(101))),
        Err(vec![FollowUpError::AboveCaptured])
    );
    assert_eq!(refund(100, None), Err(vec![FollowUpError::Disputed]));
    assert_eq!(refund(0, None), Ok(amount(100)));
    assert_eq!(disputed(101), Err(InconsistentLedgerError));
    assert_eq!(
        disputed(60).unwrap().disputable(AUTHORIZATION),
        Some(amount(40))
    );
}

#[test]
fn a_dispute_is_about_one_capture() {
    let mut recorded = RecordedPayment::new(Capture::Explicit, 100);
    recorded.act(AUTHORIZATION, ActionCall::Capture, 40, 3);
    recorded.act(AUTHORIZATION, ActionCall::Capture, 60, 4);
    assert_eq!(recorded.payment().disputable(AUTHORIZATION), None);
    assert_eq!(recorded.payment().disputable("later 1"), Some(amount(60)));
    let disputes = [(String::from("later 1"), amount(50))];
    let payment = recorded.payment().with_disputes(&disputes).unwrap();
    let planned = payment.plan_call(AUTHORIZATION, ActionCall::Refund, Some(amount(50)), 5);
    let shares = planned.unwrap().shares;
    let taken: Vec<_> = shares
        .iter()
        .map(|share| (share.capture_id.as_str(), share.amount.minor()))
        .collect();
    assert_eq!(taken, [("later 0", 40), ("later 1", 10)]);
    let refused = payment.plan_call("later 1", ActionCall::Cancel, None, 5);
    assert_eq!(refused, Err(vec![FollowUpError::Disputed]));
    assert!(
        payment
            .plan_call("later 0", ActionCall::Cancel, None, 5)
            .is_ok()
    );
}
