//! The state of a shop's order, which always agrees with the gateway about the order's money.
//!
//! **What it is.** One pure machine for one order. The shop passes each event (an [`Input`]) and gets the order's new
//! state and the actions to carry out (a list of [`Output`]). It has no clock, does no I/O and knows no database.
//!
//! **When to use it.** In every shop that takes one payment for an order by a form, a hosted page or a link: from the
//! placement of the order until its goods are shipped, its stock is released, or its money is refunded.
//!
//! **What it refuses.** It trusts no message: the return page, a notification and the event feed only make it read the order
//! (`GET /orders/{orderId}`). It accepts only the answer to its newest request, so an older answer changes
//! nothing. It gives up an order only if every attempt is closed at the gateway *and* a later read shows no money. It
//! does not support reservations, orders with several deliveries, or intended part payments: it calls a person.
//!
//! # How it is stored
//!
//! The shop has one row for each order ([`Order::snapshot`]) and a table of outputs that are still to be carried out (an outbox).
//! For every input it does this, **in one transaction**:
//!
//! 1. lock and read the row (`SELECT … FOR UPDATE`; with SQLite `BEGIN IMMEDIATE`), and [`Order::restore`] it;
//! 2. [`Order::step`];
//! 3. write the row, and add the outputs to the outbox;
//! 4. if the input answers an output, delete that output.
//!
//! Calls to the gateway and to a warehouse are made between transactions, never inside one. A worker takes outputs from the
//! outbox, carries them out and passes the answer as an input. If it ends before that, another worker carries them out again.
//! Every output may be carried out twice: its call has the same idempotency key each time (see [`Output`]). [`Output::Ask`] is
//! stored in the row instead, as a ticket and a time: there is one request at a time, and a new one replaces it.
//!
//! The row is written before the first call to the gateway. A notification whose order has no row is answered with 404, not with 200, so that
//! the gateway sends it again.
//!
//! # Example
//!
//! ```
//! use payframe_money::Amount;
//! use payframe_order_keeper::{Input, Operation, OrderView, Order, Output, Reading, Status};
//!
//! // The buyer presses Pay. The shop stores the order, calls POST /orders/build, and shows the form only if an output says so.
//! let order = Order::new(Amount::from_minor(3545).unwrap()).unwrap();
//! let (order, outputs) = order.step(Input::AttemptWanted);
//! assert_eq!(outputs, [Output::OpenAttempt(1)]);
//! let (order, outputs) = order.step(Input::AttemptOpened(1));
//! assert_eq!(outputs, [Output::ShowForm(1), Output::Ask { ticket: 1, seconds: 5 }]);
//!
//! // A notification arrives. It is only a reason to read the order.
//! let (order, outputs) = order.step(Input::Notification);
//! assert_eq!(outputs, [Output::Ask { ticket: 2, seconds: 0 }]);
//!
//! // The answer of GET /orders/{orderId}.
//! let sale = Operation { id: "347074400000000001", kind: "AUTHORIZATION", result: "EXECUTED", amount: "3545" };
//! let view = OrderView { currency: "EUR", authorized: "3545", refunded: "0", operations: &[sale] };
//! let reading = Reading::parse(&view, "EUR").unwrap();
//! let (order, outputs) = order.step(Input::Read { ticket: 2, reading });
//! assert_eq!(order.status(), Status::Paid);
//! assert_eq!(outputs, [Output::Fulfil, Output::CloseAttempt(1)]);
//!
//! // The same order again: nothing is shipped twice.
//! let stored = order.snapshot();
//! let (again, outputs) = Order::restore(stored).unwrap().step(Input::ReturnPage);
//! assert_eq!(outputs, [Output::Ask { ticket: 3, seconds: 0 }]);
//! assert_eq!(again.status(), Status::Paid);
//! ```

mod evaluation;
mod messages;
mod order;
mod reading;
mod step;

pub use messages::{Cause, Input, Output, PaymentUnavailable, Staff};
pub use order::{
    Goods, Intent, InvalidOrderError, OpenAttempt, Order, Snapshot, Status, WaitingFor,
};
pub use reading::{
    Operation, OperationId, OrderView, Payment, PaymentOutcome, Reading, ReadingError,
};

/// Seconds until the next request, by the number of answers without a result. The last value applies to all later requests.
pub const ASK_AFTER_SECONDS: [u32; 6] = [5, 15, 60, 300, 1800, 7200];

/// A person is called after this number of answers in a row that left a payment undecided or money not refunded. The requests continue.
pub const READS_UNTIL_PERSON: u8 = 6;

/// The largest number of open attempts. Further ones are refused until the shop has closed some.
pub const MAX_OPEN_ATTEMPTS: usize = 8;
