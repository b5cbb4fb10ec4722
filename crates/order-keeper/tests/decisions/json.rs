//! The form of the vectors: orders, inputs, outputs and readings as JSON, with closed names in capital letters.

use payframe_order_keeper::{
    Cause, Goods, Input, Intent, OpenAttempt, OperationId, Order, Output, Payment, PaymentOutcome,
    PaymentUnavailable, Reading, Snapshot, Staff, Status, WaitingFor,
};
use serde_json::{Value, json};

fn cause(cause: Cause) -> &'static str {
    match cause {
        Cause::Undecided => "UNDECIDED",
        Cause::NotGivenBack => "NOT_GIVEN_BACK",
        Cause::TooMuch => "TOO_MUCH",
        Cause::TooLittle => "TOO_LITTLE",
        Cause::PaidAfterRelease => "PAID_AFTER_RELEASE",
        Cause::FulfilledUnpaid => "FULFILLED_UNPAID",
        Cause::Unreadable => "UNREADABLE",
    }
}

pub(crate) fn order_json(order: &Order) -> Value {
    snapshot_json(&order.snapshot())
}

pub(crate) fn snapshot_json(at: &Snapshot) -> Value {
    let (status, why) = match at.status {
        Status::Unpaid => ("UNPAID", None),
        Status::Paying(WaitingFor::Buyer) => ("PAYING", Some("BUYER")),
        Status::Paying(WaitingFor::Issuer) => ("PAYING", Some("ISSUER")),
        Status::Paid => ("PAID", None),
        Status::PartlyPaid => ("PARTLY_PAID", None),
        Status::Refunded => ("REFUNDED", None),
        Status::GivenUp => ("GIVEN_UP", None),
        Status::NeedsPerson(why) => ("NEEDS_PERSON", Some(cause(why))),
    };
    let attempt = |one: &OpenAttempt| json!({"number": one.number, "isClosing": one.is_closing});
    json!({
        "due": at.due.minor(),
        "status": status,
        "statusDetail": why,
        "intent": match at.intent {
            Intent::Sell => "SELL",
            Intent::GiveUp => "GIVE_UP",
            Intent::GiveBack => "GIVE_BACK",
        },
        "goods": match at.goods {
            Goods::Reserved => "RESERVED",
            Goods::Fulfilled => "FULFILLED",
            Goods::Released => "RELEASED",
        },
        "open": at.open.iter().map(attempt).collect::<Vec<_>>(),
        "attempts": at.attempts,
        "returning": at.returning.iter().map(OperationId::to_string).collect::<Vec<_>>(),
        "asked": at.asked,
        "tickets": at.tickets,
        "reads": at.reads,
        "called": at.called.map(cause),
    })
}

pub(crate) fn reading_json(reading: &Reading) -> Value {
    let payment = |one: &Payment| {
        let outcome = match one.outcome {
            PaymentOutcome::Undecided => "UNDECIDED",
            PaymentOutcome::Approved => "APPROVED",
            PaymentOutcome::Returned => "RETURNED",
        };
        json!({"operation": one.operation.to_string(), "outcome": outcome, "amount": one.amount.minor()})
    };
    let payments: Vec<_> = reading.payments().iter().map(payment).collect();
    json!({"held": reading.held().minor(), "payments": payments})
}

pub(crate) fn input_json(input: &Input) -> Value {
    match input {
        Input::AttemptWanted => json!({"type": "ATTEMPT_WANTED"}),
        Input::AttemptOpened(number) => json!({"type": "ATTEMPT_OPENED", "number": number}),
        Input::AttemptClosed(number) => json!({"type": "ATTEMPT_CLOSED", "number": number}),
        Input::ReturnPage => json!({"type": "RETURN_PAGE"}),
        Input::Notification => json!({"type": "NOTIFICATION"}),
        Input::Feed => json!({"type": "FEED"}),
        Input::Read { ticket, reading } => {
            json!({"type": "READ", "ticket": ticket, "reading": reading_json(reading)})
        }
        Input::ReadFailed { ticket } => json!({"type": "READ_FAILED", "ticket": ticket}),
        Input::ReadUnreadable { ticket } => json!({"type": "READ_UNREADABLE", "ticket": ticket}),
        Input::TimeOut => json!({"type": "TIME_OUT"}),
        Input::Staff(Staff::Cancel) => json!({"type": "STAFF_CANCEL"}),
        Input::Staff(Staff::LookAgain) => json!({"type": "STAFF_LOOK_AGAIN"}),
    }
}

pub(crate) fn output_json(output: &Output) -> Value {
    match output {
        Output::OpenAttempt(number) => json!({"type": "OPEN_ATTEMPT", "number": number}),
        Output::ShowForm(number) => json!({"type": "SHOW_FORM", "number": number}),
        Output::RefuseAttempt(refusal) => {
            let why = match refusal {
                PaymentUnavailable::AlreadyPaid => "ALREADY_PAID",
                PaymentUnavailable::NotForSale => "NOT_FOR_SALE",
                PaymentUnavailable::Undecided => "UNDECIDED",
                PaymentUnavailable::NeedsPerson => "NEEDS_PERSON",
                PaymentUnavailable::TooManyAttempts => "TOO_MANY_ATTEMPTS",
            };
            json!({"type": "REFUSE_ATTEMPT", "why": why})
        }
        Output::CloseAttempt(number) => json!({"type": "CLOSE_ATTEMPT", "number": number}),
        Output::Fulfil => json!({"type": "FULFIL"}),
        Output::ReleaseStock => json!({"type": "RELEASE_STOCK"}),
        Output::Ask { ticket, seconds } => {
            json!({"type": "ASK", "ticket": ticket, "seconds": seconds})
        }
        Output::GiveBack { operation, amount } => {
            json!({"type": "GIVE_BACK", "operation": operation.to_string(), "amount": amount.minor()})
        }
        Output::CallPerson(why) => json!({"type": "CALL_PERSON", "why": cause(*why)}),
    }
}
