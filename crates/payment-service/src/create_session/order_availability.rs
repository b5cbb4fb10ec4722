//! Whether an order can have a new attempt, and what is in its way.

use crate::Sessions;
use crate::error::PaymentError;
use crate::transition::EventContext;
use payframe_error_codes::ErrorCode::GW9103;
use payframe_payment_domain::hosted::{HostedPageState, Kind, Status};
use payframe_payment_domain::operation::Totals;
use payframe_payment_domain::session::{AfterRefusal, Event, Limit, State, TransitionError};
use payframe_payment_domain::terms::{Channel, Terminal};
use payframe_protocol::warning::Warning;
use payframe_storage::sessions::SessionRow;
use payframe_storage::{Connection, hosted_pages, orders, sessions};

/// What a new attempt of an order finds.
struct Found {
    /// Sessions that have to be given up before the order can be paid anew.
    open: Vec<String>,
    /// The order had another amount or currency.
    changed: bool,
}

/// Whether a new attempt may bring another amount or currency for its order: a shop keeps one id for a cart whose total
/// changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Changes {
    /// The order takes them, unless it is a reservation's.
    Taken,
    /// The call is refused.
    Refused,
}

pub(crate) enum Attempt {
    Opened(Vec<u8>),
    /// These sessions of the order are open.
    Earlier(Earlier),
}

/// Open sessions of an order, which are in the way of a new attempt.
pub(crate) struct Earlier {
    pub(crate) hashes: Vec<String>,
    /// The new attempt is of another amount or currency.
    pub(crate) changed: bool,
}

/// Whether an order can have a new attempt.
pub(crate) enum OrderAvailability {
    /// Nothing is in the way.
    Clear(Cleared),
    /// These sessions of the order are open.
    Open(Earlier),
}

/// What was done to make the way clear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cleared {
    /// How many hosted pages or links were given up.
    pub(crate) given_up: usize,
    /// Whether the order had another amount or currency.
    pub(crate) changed: bool,
}

impl Sessions<'_> {
    /// Gives up sessions that are in the way of a new attempt: as by a cancel (contract 2.1), or without a trace where
    /// nothing was submitted yet, or nothing but a card for another sum: then the order has no operation of it, and the
    /// shop is told nothing.
    pub(crate) async fn give_up_earlier(
        &self,
        earlier: &Earlier,
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
                // Dead by a limit, or it got its outcome: nothing was closed.
                Ok(_) | Err(PaymentError::Refused(TransitionError::Dead)) => {}
                Err(problem) => return Err(problem),
            }
        }
        Ok(())
    }

    /// Looks whether a new attempt of the order is possible, and gives up hosted pages that are in its way: the caller's
    /// transaction writes it. `replaces`: which kinds are; where the order's sum changes, all are, because they say the old one.
    pub(crate) async fn order_availability(
        &self,
        connection: &mut Connection,
        order: &orders::NewOrder<'_>,
        replaces: &[Kind],
        changes: Changes,
    ) -> Result<OrderAvailability, PaymentError> {
        let Found { open, changed } = find_order(connection, order, changes).await?;
        if !open.is_empty() {
            let hashes = open;
            return Ok(OrderAvailability::Open(Earlier { hashes, changed }));
        }
        let pages =
            hosted_pages::active_of_order(connection, order.merchant_id, order.order_id).await?;
        let mut given_up = 0;
        for mut page in pages {
            let is_active = page.life.status(self.context.clock().now_ms()) == Status::Active;
            if !is_active || !(changed || replaces.contains(&page.life.kind)) {
                continue;
            }
            page.life.standing = HostedPageState::Canceled;
            hosted_pages::put(connection, &page).await?;
            given_up += 1;
        }
        Ok(OrderAvailability::Clear(Cleared { given_up, changed }))
    }
}

/// Looks what there is of an order. Refuses one that is paid or pending, or is a reservation's while the payment is not.
/// Another amount or currency is refused where `changes` says so, and once any money has moved.
async fn find_order(
    connection: &mut Connection,
    order: &orders::NewOrder<'_>,
    changes: Changes,
) -> Result<Found, PaymentError> {
    let Some(known) = orders::find(connection, order.merchant_id, order.order_id).await? else {
        return Ok(Found {
            open: Vec::new(),
            changed: false,
        });
    };
    let changed = known.amount != order.amount || known.currency != order.currency;
    let may_change = changes == Changes::Taken && known.totals == Totals::default();
    if (changed && !may_change) || known.is_reservation != order.is_reservation {
        return Err(PaymentError::OrderPaid);
    }
    let open = sessions::open_of_order(connection, order.merchant_id, order.order_id).await?;
    if open.is_empty() && known.payment_operation_id.is_some() {
        return Err(PaymentError::OrderPaid);
    }
    Ok(Found { open, changed })
}

/// Says, once, that something of the order was closed for the new attempt.
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

/// Says what was done to make the way clear.
pub(crate) fn warn_of_cleared(cleared: Cleared, warnings: &mut Vec<Warning>) {
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

/// Whether a session is given up without an operation: the buyer has sent nothing yet, or, where the sum changes,
/// nothing but a card that nobody asked the issuer about. Payments without a form have an operation from the beginning.
fn leaves_no_trace(row: &SessionRow, changed: bool) -> bool {
    let has_form = matches!(
        row.terms.channel,
        Channel::Build | Channel::HostedPage | Channel::Link
    );
    let session = &row.session;
    match session.state {
        _ if !has_form => false,
        State::ChoosingMethod | State::CollectingCard(AfterRefusal::No) | State::Ready { .. } => {
            changed || session.counters.submissions == 0
        }
        State::CollectingCard(AfterRefusal::Yes { .. }) | State::CheckingDevice { .. } => changed,
        _ => false,
    }
}
