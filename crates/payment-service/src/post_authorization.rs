//! What is done with a payment's money after the payment: captures, releases, refunds, undone captures, increments
//! ([`super::increments`]).
//!
//! The same three steps as in [`super::transition`]. The first transaction writes the operation down as pending,
//! with the answer to the call: from then on its amount is held and it will be done. Then the acquirer is asked,
//! with the operation's id as reference. The second transaction books what it said: results, totals and
//! notification together. Whatever dies in between, the next start asks again with the same reference.
//!
//! Calls on one payment wait for each other. Who finds something on its way brings it to its end first. What is
//! allowed is not decided here: see [`ledger_rules`].

mod increments;
mod loaded_payment;

use super::booking::{POINT_OF_SALE, Telling, add_status};
use super::error::{PaymentError, report};
use super::transition::ASK_AGAIN_MS;
use super::{Ledger, PaymentContext};
use crate::idempotency::Slot;
use crate::locks::Held;
use crate::meter;
use increments::may_be_increased;
use loaded_payment::{Loaded, load};
use payframe_money::Amount;
use payframe_payment_domain::calendar::{end_of_terminal_day, instant, months_later};
use payframe_payment_domain::ledger_rules::{
    ActionCall, Allowed, Dates, FollowUpError, FollowUpOperation, Later, Plan,
};
use payframe_payment_domain::offer::ExchangeRate;
use payframe_payment_domain::operation::{AuthorizationResult, OperationResult};
use payframe_payment_domain::terms::AcceptanceChannel;
use payframe_payment_ports::acquirer::{AuthorizationResponse, FollowUpRequest};
use payframe_protocol::back_office::Taken;
use payframe_protocol::operation::Operation;
use payframe_storage::ledger::{self, NewLater, Stage};
use payframe_storage::sessions::SessionRow;
use payframe_storage::{Connection, StoreError, Subject, Write, merchants, operations, orders};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A call that moves money.
pub struct ActionAsk<'a> {
    /// The operation that it names, and the payment which that belongs to.
    pub target_id: &'a str,
    /// The first operation of the payment.
    pub payment_id: &'a str,
    /// What is asked for.
    pub call: ActionCall,
    /// What the caller was told that the call comes to, if it was: that or nothing is done.
    pub wanted: Option<FollowUpOperation>,
    /// `None` where the call has none: all that there is.
    pub amount: Option<Amount>,
    /// The merchant's own words.
    pub description: Option<&'a str>,
    /// The terminal of the caller.
    pub terminal_id: &'a str,
    /// Where the answer is kept, if the call has a key.
    pub slot: Option<&'a Slot>,
}

/// Why money was not moved.
#[derive(Debug)]
pub enum ActionError {
    /// The operation does not allow it.
    Denied {
        /// In the order in which they are told.
        denials: Vec<FollowUpError>,
        /// The operation's type and result.
        state: String,
        /// What it does allow.
        allowed: Vec<Allowed>,
    },
    /// The payment does not move on.
    Payment(PaymentError),
}

impl<P: Into<PaymentError>> From<P> for ActionError {
    fn from(problem: P) -> ActionError {
        ActionError::Payment(problem.into())
    }
}

/// Who wants a movement.
struct FollowUpContext<'a> {
    target_id: &'a str,
    terminal_id: &'a str,
    description: Option<&'a str>,
    channel_detail: &'static str,
}

/// What is done with an authorization or a payment afterwards: capture, void, refund, increment.
#[derive(Clone, Copy)]
pub struct PostAuthorization<'a> {
    pub(super) context: &'a PaymentContext,
    pub(super) ledger: Ledger<'a>,
}

impl<'a> PostAuthorization<'a> {
    /// The service over what payments work with.
    pub fn new(context: &'a PaymentContext) -> PostAuthorization<'a> {
        PostAuthorization {
            context,
            ledger: Ledger::new(context),
        }
    }
}

impl PostAuthorization<'_> {
    /// What may be done with an operation now. `None`: the merchant has no such operation.
    pub async fn allowed_actions(
        &self,
        merchant_id: &str,
        operation_id: &str,
    ) -> Result<Option<(String, Vec<Allowed>)>, PaymentError> {
        let mut connection = self.context.store().read().await?;
        let Some(payment_id) =
            ledger::payment_of(&mut connection, merchant_id, operation_id).await?
        else {
            return Ok(None);
        };
        let loaded = load(&mut connection, &payment_id).await?;
        let allowed = loaded
            .payment
            .allowed(operation_id, self.context.clock().now_ms());
        Ok(Some((loaded.row.terms.currency, allowed)))
    }

    /// Moves money, if that is allowed. Once the movement is written down it is taken: its outcome is read from the
    /// operation.
    pub async fn act(&self, ask: &ActionAsk<'_>) -> Result<Taken, ActionError> {
        let held = self.context.lock_payment(ask.payment_id).await;
        let (mut transaction, operation) = self.begin_action(&held, ask).await?;
        let answer = Taken {
            operation_id: operation.operation_id.clone(),
            operation_time: operation.operation_time,
            warnings: Vec::new(),
        };
        let body = serde_json::to_vec(&answer)
            .map_err(|_| PaymentError::Broken("an answer does not serialize"))?;
        if let Some(slot) = ask.slot {
            let now_ms = self.context.clock().now_ms();
            slot.keep(&mut transaction, self.context.vault(), 200, &body, now_ms)?;
        }
        transaction.commit().await?;
        // It is taken. What is not heard of the acquirer now is asked again by the sweep.
        if let Err(problem) = self
            .settle_later(&held, ask.payment_id, &operation.operation_id)
            .await
        {
            report("a later operation", &problem);
        }
        Ok(answer)
    }

    /// Writes down a movement that is allowed, in a transaction that the caller commits.
    pub(super) async fn begin_action(
        &self,
        held: &Held,
        ask: &ActionAsk<'_>,
    ) -> Result<(Write, Operation), ActionError> {
        self.bring_up_to_date(held, ask.payment_id).await?;
        let now_ms = self.context.clock().now_ms();
        let mut transaction = self
            .context
            .store()
            .write(Subject::Operation(ask.payment_id))
            .await?;
        let (loaded, plan) = judge(&mut transaction, ask, now_ms).await?;
        let wish = FollowUpContext {
            target_id: ask.target_id,
            terminal_id: ask.terminal_id,
            description: ask.description,
            channel_detail: "SERVER_TO_SERVER",
        };
        let operation = self
            .intend(&mut transaction, &loaded, &plan, &wish, now_ms)
            .await?;
        Ok((transaction, operation))
    }

    /// Books the final result of a later operation, if the acquirer has one by now.
    pub(super) async fn settle_pending_later(
        &self,
        payment_id: &str,
        operation_id: &str,
    ) -> Result<(), PaymentError> {
        let held = self.context.lock_payment(payment_id).await;
        self.settle_later(&held, payment_id, operation_id).await
    }

    /// Brings to its end what is on its way in a payment, and releases what has not been captured in time.
    pub(super) async fn catch_up(&self, payment_id: &str) -> Result<(), PaymentError> {
        let held = self.context.lock_payment(payment_id).await;
        self.bring_up_to_date(&held, payment_id).await
    }

    pub(super) async fn bring_up_to_date(
        &self,
        held: &Held,
        payment_id: &str,
    ) -> Result<(), PaymentError> {
        let loaded = load(&mut *self.context.store().read().await?, payment_id).await?;
        for operation in &loaded.stored {
            if operation.stage == Stage::Asking {
                self.settle_later(held, payment_id, &operation.document.operation_id)
                    .await?;
            }
        }
        let now_ms = self.context.clock().now_ms();
        if !loaded.may_be_overdue(now_ms) {
            return Ok(());
        }
        let mut transaction = self
            .context
            .store()
            .write(Subject::Operation(payment_id))
            .await?;
        let loaded = load(&mut transaction, payment_id).await?;
        let Some(plan) = loaded.payment.overdue(now_ms) else {
            return Ok(());
        };
        let wish = FollowUpContext {
            target_id: payment_id,
            terminal_id: &loaded.first()?.document.terminal_id,
            description: None,
            channel_detail: AUTOMATIC,
        };
        let operation = self
            .intend(&mut transaction, &loaded, &plan, &wish, now_ms)
            .await?;
        transaction.commit().await?;
        self.settle_later(held, payment_id, &operation.operation_id)
            .await
    }

    /// Writes down what is going to happen.
    async fn intend(
        &self,
        connection: &mut Connection,
        loaded: &Loaded,
        plan: &Plan,
        wish: &FollowUpContext<'_>,
        now_ms: i64,
    ) -> Result<Operation, PaymentError> {
        self.context.acquirer()?;
        let first = &loaded.first()?.document;
        let terms = &loaded.row.terms;
        let time_ms = merchants::next_time(connection, &terms.merchant_id, now_ms).await?;
        let is_automatic = wish.channel_detail == AUTOMATIC;
        let is_in_shop = !is_automatic
            && merchants::place(connection, wish.terminal_id).await?
                == AcceptanceChannel::PointOfSale;
        let omnichannel_id = if is_in_shop {
            Some(self.ledger.omnichannel_id(terms))
        } else {
            first.omnichannel_id.clone()
        };
        let operation = Operation {
            operation_id: payframe_vault::random_operation_id()?,
            channel: String::from(if is_in_shop {
                POINT_OF_SALE
            } else {
                "BACKOFFICE"
            }),
            omnichannel_id,
            channel_detail: wish.channel_detail.to_owned(),
            operation_type: plan.movement.operation_type().code().to_owned(),
            operation_result: OperationResult::Pending.code().to_owned(),
            operation_time: instant(time_ms),
            cancelled_operation_id: (plan.movement == FollowUpOperation::Cancel)
                .then(|| wish.target_id.to_owned()),
            operation_amount: plan.amount.to_string(),
            warnings: Vec::new(),
            payment_link_id: None,
            terminal_id: wish.terminal_id.to_owned(),
            additional_data: inherited(first, plan.amount),
            ..first.clone()
        };
        let new = NewLater {
            merchant_id: &terms.merchant_id,
            session_hash: &loaded.row.hash,
            payment_id: &first.operation_id,
            target_id: wish.target_id,
            description: wish.description,
            time_ms,
            amount: plan.amount,
            shares: &plan.shares,
            settle_ms: now_ms + ASK_AGAIN_MS,
            document: &operation,
        };
        ledger::add(connection, &new).await?;
        Ok(operation)
    }

    /// Asks the acquirer for a movement that is on its way, and books its answer. Does nothing for others.
    /// `held` is the payment's lock.
    pub(super) async fn settle_later(
        &self,
        _held: &Held,
        payment_id: &str,
        operation_id: &str,
    ) -> Result<(), PaymentError> {
        let loaded = load(&mut *self.context.store().read().await?, payment_id).await?;
        let Some((later, _)) = loaded.pending(operation_id) else {
            return Ok(());
        };
        let request = FollowUpRequest {
            reference: operation_id,
            authorization: payment_id,
            operation: later.movement,
            amount: later.amount,
        };
        let now_ms = self.context.clock().now_ms();
        let reply = self.context.acquirer()?.follow_up(&request);
        let reply = meter::asking("move_money", reply).await?;
        let mut transaction = self
            .context
            .store()
            .write(Subject::Operation(payment_id))
            .await?;
        self.book_later(&mut transaction, payment_id, operation_id, &reply, now_ms)
            .await?;
        transaction.commit().await?;
        self.context.wake_notifier();
        Ok(())
    }

    /// Books what the acquirer said of a movement.
    async fn book_later(
        &self,
        connection: &mut Connection,
        payment_id: &str,
        operation_id: &str,
        reply: &AuthorizationResponse,
        now_ms: i64,
    ) -> Result<(), PaymentError> {
        let loaded = load(connection, payment_id).await?;
        let Some((later, stored)) = loaded.pending(operation_id) else {
            // Somebody else has booked it.
            return Ok(());
        };
        let mut operation = stored.document.clone();
        add_status(&mut operation.additional_data, reply);
        let result = match reply.result {
            AuthorizationResult::Pending => OperationResult::Pending,
            AuthorizationResult::Declined => OperationResult::Declined,
            AuthorizationResult::Failed => OperationResult::Failed,
            AuthorizationResult::Approved => {
                let outcome = loaded.payment.approved(later);
                for (id, result) in &outcome.changes {
                    let changed = loaded.document(id)?;
                    let changed = Operation {
                        operation_result: result.code().to_owned(),
                        ..changed.clone()
                    };
                    operations::settle(connection, &changed, None).await?;
                }
                move_totals(connection, &loaded.row, later).await?;
                outcome.result
            }
        };
        if operation.channel_detail == AUTOMATIC && !result.moved_money() {
            ledger::put_release(connection, payment_id, now_ms + DAY_MS).await?;
        }
        operation.operation_result = result.code().to_owned();
        operations::settle(connection, &operation, reply.ask_again_ms).await?;
        if result == OperationResult::Pending && stored.stage == Stage::Booked {
            // That it is pending has been told.
            return Ok(());
        }
        let telling = Telling {
            terms: &loaded.row.terms,
            operation: &operation,
            event_type: "OPERATION",
            event_ms: match stored.stage {
                Stage::Asking => stored.time_ms,
                Stage::Booked => now_ms,
            },
        };
        self.ledger.announce(connection, &telling, now_ms).await
    }
}

/// What a movement that is asked for comes to, if it is allowed now.
pub(super) async fn judge(
    connection: &mut Connection,
    ask: &ActionAsk<'_>,
    now_ms: i64,
) -> Result<(Loaded, Plan), ActionError> {
    let loaded = load(connection, ask.payment_id).await?;
    if ask.call == ActionCall::Increment {
        may_be_increased(connection, &loaded.row.terms, now_ms).await?;
    }
    let payment = &loaded.payment;
    let judged = match ask.wanted {
        None => payment.judge(ask.target_id, ask.call, ask.amount, now_ms),
        Some(wanted) => payment.judge_as(ask.target_id, (ask.call, wanted), ask.amount, now_ms),
    };
    match judged {
        Ok(plan) => Ok((loaded, plan)),
        Err(denials) => Err(ActionError::Denied {
            denials,
            state: loaded.state_of(ask.target_id),
            allowed: loaded.payment.allowed(ask.target_id, now_ms),
        }),
    }
}

/// Moves the totals of the payment's order.
async fn move_totals(
    connection: &mut Connection,
    row: &SessionRow,
    later: &Later,
) -> Result<(), PaymentError> {
    let terms = &row.terms;
    let order = orders::find(connection, &terms.merchant_id, &terms.order_id)
        .await?
        .ok_or(StoreError::Unreadable("order"))?;
    let totals = order
        .totals
        .moved(later.movement, later.amount)
        .ok_or(StoreError::Unreadable("totals"))?;
    orders::put_totals(connection, &terms.merchant_id, &terms.order_id, totals);
    Ok(())
}

pub(super) fn dates(time_ms: i64) -> Dates {
    Dates {
        day_ends_ms: end_of_terminal_day(time_ms),
        refundable_until_ms: months_later(time_ms, REFUND_MONTHS),
    }
}

/// What a later operation says of the card: the same as the first one. An accepted currency offer is applied to
/// the new amount, at its own rate.
fn inherited(first: &Operation, amount: Amount) -> BTreeMap<String, Value> {
    let mut data: BTreeMap<String, Value> = INHERITED
        .iter()
        .filter_map(|key| Some(((*key).to_owned(), first.additional_data.get(*key)?.clone())))
        .collect();
    if let Some(conversion) = first.additional_data.get(CONVERSION) {
        let text = |name: &str| conversion.get(name).and_then(Value::as_str);
        let converted = text("currency")
            .zip(text("exchangeRate"))
            .and_then(|(currency, rate)| {
                let converted = ExchangeRate::parse(rate)?.convert(
                    amount,
                    &first.operation_currency,
                    currency,
                )?;
                Some(json!({
                    "amount": converted.to_string(),
                    "currency": currency,
                    "exchangeRate": rate,
                }))
            });
        data.extend(converted.map(|converted| (CONVERSION.to_owned(), converted)));
    }
    data
}

const INHERITED: [&str; 8] = [
    "authorizationCode",
    "cardCountry",
    "cardExpiryDate",
    "cardId",
    "cardId4",
    "cardType",
    "maskedPan",
    "schemaTID",
];

const CONVERSION: &str = "multiCurrencyConversion";

/// `channelDetail` of what the gateway does by itself.
const AUTOMATIC: &str = "AUTOMATIC";

/// Contract 2.4.
const REFUND_MONTHS: i32 = 13;

/// A release that the acquirer refused is asked for again after this long.
const DAY_MS: i64 = 86_400_000;
