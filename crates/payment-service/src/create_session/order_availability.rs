//! Whether an order can have a new attempt, and what prevents it.

use crate::Sessions;
use crate::error::PaymentError;
use crate::transition::EventContext;
use payframe_error_codes::ErrorCode::GW9103;
use payframe_payment_domain::hosted::{HostedPageState, Kind, Status};
use payframe_payment_domain::operation::Totals;
use payframe_payment_domain::session::{Event, Limit, PreviousAttempt, State, TransitionError};
use payframe_payment_domain::terms::{Channel, Terminal};
use payframe_protocol::warning::Warning;
use payframe_storage::orders::OrderRow;
use payframe_storage::sessions::SessionRow;
use payframe_storage::{Connection, hosted_pages, orders, sessions};

/// The state of an order, for a new attempt.
struct OrderState {
    /// Sessions that must be cancelled before a new attempt.
    open: Vec<String>,
    /// The order had another amount or currency.
    changed: bool,
}

/// Whether a new attempt may change the amount or currency of its order. Shops keep one id for a cart whose total changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AmountChange {
    /// The order accepts them, unless it belongs to a reservation.
    Taken,
    /// The call is refused.
    Refused,
}

pub(crate) enum Attempt {
    Opened(Vec<u8>),
    /// These sessions of the order are open.
    OpenSessions(OpenSessions),
}

/// Open sessions of an order that prevent a new attempt.
pub(crate) struct OpenSessions {
    pub(crate) hashes: Vec<String>,
    /// Whether the new attempt has another amount or currency.
    pub(crate) changed: bool,
}

/// Whether an order can have a new attempt.
pub(crate) enum OrderAvailability {
    /// Nothing prevents it.
    Clear(ClearedOrder),
    /// These sessions of the order are open.
    Open(OpenSessions),
}

/// The changes that made a new attempt possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ClearedOrder {
    /// How many hosted pages or links were cancelled.
    pub(crate) given_up: usize,
    /// Whether the order had another amount or currency.
    pub(crate) changed: bool,
}

impl Sessions<'_> {
    /// Cancels sessions that prevent a new attempt (contract 2.1). A session in which the buyer has submitted nothing, or only a card for
    /// another amount, is removed without an operation in the order, and the shop gets no notification.
    pub(crate) async fn give_up_earlier(
        &self,
        earlier: &OpenSessions,
        terminal: Option<&Terminal>,
        warnings: &mut Vec<Warning>,
    ) -> Result<(), PaymentError> {
        for hash in &earlier.hashes {
            let held = self.context.lock_session(hash).await;
            let due = match self.transitions.due(&held, hash).await {
                Ok(due) => due,
                Err(PaymentError::Refused(TransitionError::Dead)) => continue,
                Err(problem) => return Err(problem),
            };
            let leaves_no_trace = leaves_no_trace(&due.row, earlier.changed);
            let event = if leaves_no_trace {
                Event::LimitPassed(Limit::Hard)
            } else {
                Event::CancelAsked {
                    operation_id: payframe_vault::random_operation_id()?,
                }
            };
            let context = EventContext {
                terminal_id: terminal.map(|terminal| terminal.terminal_id.as_str()),
                ..EventContext::default()
            };
            match self
                .transitions
                .apply_event(&held, due, event, context)
                .await
            {
                Ok(row)
                    if leaves_no_trace || matches!(row.session.state, State::Cancelled { .. }) =>
                {
                    warn_of_closed(warnings);
                }
                // The session has expired, or has an outcome: it was not closed here.
                Ok(_) | Err(PaymentError::Refused(TransitionError::Dead)) => {}
                Err(problem) => return Err(problem),
            }
        }
        Ok(())
    }

    /// Checks whether a new attempt of the order is possible, and cancels hosted pages that prevent it, in the caller's transaction.
    /// `known`: the order as it is stored. `replaces`: the kinds to cancel. If the order's amount changes, all kinds are cancelled, because they show the old amount.
    pub(crate) async fn order_availability(
        &self,
        connection: &mut Connection,
        (known, order): (Option<OrderRow>, &orders::NewOrder<'_>),
        replaces: &[Kind],
        changes: AmountChange,
    ) -> Result<OrderAvailability, PaymentError> {
        let Some(OrderState { open, changed }) =
            find_order(connection, known, order, changes).await?
        else {
            // A new order has no pages.
            let (given_up, changed) = (0, false);
            return Ok(OrderAvailability::Clear(ClearedOrder { given_up, changed }));
        };
        if !open.is_empty() {
            let hashes = open;
            return Ok(OrderAvailability::Open(OpenSessions { hashes, changed }));
        }
        let pages =
            hosted_pages::active_of_order(connection, order.merchant_id, order.order_id).await?;
        let mut given_up = 0;
        for mut page in pages {
            let is_active = page.life.status(self.context.clock().now_ms()) == Status::Active;
            if !is_active || !(changed || replaces.contains(&page.life.kind)) {
                continue;
            }
            page.life.status = HostedPageState::Canceled;
            hosted_pages::put(connection, &page).await?;
            given_up += 1;
        }
        Ok(OrderAvailability::Clear(ClearedOrder { given_up, changed }))
    }
}

/// The state of an order; a new one has none. Refuses an order that is paid or pending, and the order of a reservation if the payment is not for that
/// reservation. Refuses another amount or currency if `changes` says so, and always after any money has moved.
async fn find_order(
    connection: &mut Connection,
    known: Option<OrderRow>,
    order: &orders::NewOrder<'_>,
    changes: AmountChange,
) -> Result<Option<OrderState>, PaymentError> {
    let Some(known) = known else {
        return Ok(None);
    };
    let changed = known.amount != order.amount || known.currency != order.currency;
    let may_change = changes == AmountChange::Taken && known.totals == Totals::default();
    if (changed && !may_change) || known.is_reservation != order.is_reservation {
        return Err(PaymentError::OrderPaid);
    }
    let open = sessions::open_of_order(connection, order.merchant_id, order.order_id).await?;
    if open.is_empty() && known.payment_operation_id.is_some() {
        return Err(PaymentError::OrderPaid);
    }
    Ok(Some(OrderState { open, changed }))
}

/// Adds one warning if anything of the order was closed for the new attempt.
pub(crate) fn warn_of_closed(warnings: &mut Vec<Warning>) {
    let code = GW9103.to_string();
    if warnings.iter().any(|warning| warning.code == code) {
        return;
    }
    warnings.push(Warning {
        code,
        description: String::from("an earlier open session of the same order was closed"),
    });
}

/// Adds warnings for the changes that made a new attempt possible.
pub(crate) fn warn_of_cleared(cleared: ClearedOrder, warnings: &mut Vec<Warning>) {
    if cleared.given_up > 0 {
        warn_of_closed(warnings);
    }
    if cleared.changed {
        warnings.push(Warning {
            code: GW9103.to_string(),
            description: String::from(
                "the order had another amount or currency, and takes those of this call",
            ),
        });
    }
}

/// Whether a session is cancelled without an operation: the buyer has sent nothing yet, or, if the amount changes, only a card that was
/// not sent to the issuer. Payments without a form always have an operation.
fn leaves_no_trace(row: &SessionRow, changed: bool) -> bool {
    let has_form = matches!(
        row.terms.channel,
        Channel::Build | Channel::HostedPage | Channel::Link
    );
    let session = &row.session;
    match session.state {
        _ if !has_form => false,
        State::ChoosingMethod
        | State::CollectingCard(PreviousAttempt::None)
        | State::Ready { .. } => changed || session.counters.submissions == 0,
        State::CollectingCard(PreviousAttempt::Refused { .. }) | State::CheckingDevice { .. } => {
            changed
        }
        _ => false,
    }
}
