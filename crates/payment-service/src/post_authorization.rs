//! Follow-up operations of a payment: captures, releases, refunds, reversals of captures, increments ([`super::increments`]).
//!
//! The same three steps as in [`super::transition`]. The first transaction writes the operation as pending, with the response of the call:
//! its amount is reserved, and the operation will be carried out. Then the acquirer is called, with the operation's id as reference. The
//! second transaction records the acquirer's response: results, totals and notification together. After a crash in between, the next start
//! repeats the request with the same reference.
//!
//! Calls on one payment wait for each other. A call that finds an operation in progress completes that first. The rules are not in this
//! file: see [`ledger_rules`].

mod acquirer_exchange;
mod increments;
mod loaded_payment;

use super::booking::POINT_OF_SALE;
use super::error::{PaymentError, report};
use super::order_version::{self, ExpectedVersion};
use super::transition::ASK_AGAIN_MS;
use super::{Ledger, PaymentContext};
use crate::audit_notes::Noted;
use crate::idempotency::Slot;
use crate::locks::Held;
use crate::operation_document::{CONVERSION, conversion_document};
use increments::may_be_increased;
pub(crate) use loaded_payment::load as load_payment;
use loaded_payment::{LoadedPayment, load};
use payframe_money::Amount;
use payframe_money::currency_format::format_amount;
use payframe_payment_domain::back_office::Act;
use payframe_payment_domain::calendar::{end_of_terminal_day, instant, months_later};
use payframe_payment_domain::ledger_rules::{
    ActionCall, Allowed, Dates, FollowUpError, FollowUpOperation, PlannedFollowUp,
};
use payframe_payment_domain::offer::AcceptedOffer;
use payframe_payment_domain::operation::OperationResult;
use payframe_payment_domain::terms::AcceptanceChannel;
use payframe_protocol::back_office::Taken;
use payframe_protocol::operation::Operation;
use payframe_storage::audit::Author;
use payframe_storage::ledger::{self, BookingStatus, NewFollowUp};
use payframe_storage::{Connection, Subject, Write, events, merchants};
use serde_json::Value;
use std::collections::BTreeMap;
use thiserror::Error;

/// A call for a follow-up operation.
pub struct FollowUpCall<'a> {
    /// The operation that the call names. It belongs to the payment below.
    pub target_id: &'a str,
    /// The first operation of the payment.
    pub payment_id: &'a str,
    /// The requested action.
    pub call: ActionCall,
    /// The operation that the caller was shown for this call, if any. No other operation is carried out.
    pub wanted: Option<FollowUpOperation>,
    /// `None` if the call has no amount: the whole available amount.
    pub amount: Option<Amount>,
    /// The merchant's description.
    pub description: Option<&'a str>,
    /// The terminal of the caller.
    pub terminal_id: &'a str,
    /// The version of the order that the caller saw. If the order has another one, nothing is done.
    pub expected_version: ExpectedVersion,
    /// Where the response is stored, if the call has an idempotency key.
    pub slot: Option<&'a Slot>,
    /// Who asks, if the audit log gets an entry together with the operation.
    pub author: Option<Author<'a>>,
}

/// Why a follow-up operation was not carried out.
#[derive(Debug, Error)]
pub enum ActionError {
    /// The operation does not allow it.
    #[error("the operation is {state}: {}", in_one_line(denials))]
    Denied {
        /// In the order of the response.
        denials: Vec<FollowUpError>,
        /// The operation's type and result.
        state: String,
        /// The actions that it allows.
        allowed: Vec<Allowed>,
    },
    /// The order is not the one that the caller saw.
    #[error("the order has changed")]
    OrderChanged,
    /// The payment does not continue.
    #[error(transparent)]
    Payment(PaymentError),
}

impl<P: Into<PaymentError>> From<P> for ActionError {
    fn from(problem: P) -> ActionError {
        ActionError::Payment(problem.into())
    }
}

fn in_one_line(denials: &[FollowUpError]) -> String {
    let sentences: Vec<_> = denials.iter().map(|denial| denial.sentence()).collect();
    sentences.join("; ")
}

/// The source of a follow-up operation.
struct FollowUpContext<'a> {
    target_id: &'a str,
    terminal_id: &'a str,
    description: Option<&'a str>,
    channel_detail: &'static str,
}

/// Follow-up operations of an authorization or a payment: capture, void, refund, increment.
#[derive(Clone, Copy)]
pub struct PostAuthorization<'a> {
    pub(super) context: &'a PaymentContext,
    pub(super) ledger: Ledger<'a>,
}

impl<'a> PostAuthorization<'a> {
    /// The service over these dependencies.
    pub fn new(context: &'a PaymentContext) -> PostAuthorization<'a> {
        PostAuthorization {
            context,
            ledger: Ledger::new(context),
        }
    }
}

impl PostAuthorization<'_> {
    /// The actions that an operation allows now. `None`: the merchant has no such operation.
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

    /// Carries out a follow-up operation, if it is allowed. Once it is written, the call has succeeded: the outcome is read from the
    /// operation.
    pub async fn act(&self, ask: &FollowUpCall<'_>) -> Result<Taken, ActionError> {
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
        // The operation is written. If the acquirer does not respond now, the periodic job repeats the request.
        if let Err(problem) = self
            .complete_follow_up(&held, ask.payment_id, &operation.operation_id)
            .await
        {
            report("a later operation", &problem);
        }
        Ok(answer)
    }

    /// Writes an allowed follow-up operation, in a transaction that the caller commits.
    pub(super) async fn begin_action(
        &self,
        held: &Held,
        ask: &FollowUpCall<'_>,
    ) -> Result<(Write, Operation), ActionError> {
        let (mut transaction, mut loaded) = self.begin(ask.payment_id).await?;
        if loaded.has_pending() || loaded.may_be_overdue(self.context.clock().now_ms()) {
            drop(transaction);
            self.bring_up_to_date(held, ask.payment_id).await?;
            (transaction, loaded) = self.begin(ask.payment_id).await?;
        }
        let now_ms = self.context.clock().now_ms();
        expect_version(&mut transaction, ask, &loaded).await?;
        let plan = plan_follow_up(&mut transaction, ask, &loaded, now_ms).await?;
        let follow_up = FollowUpContext {
            target_id: ask.target_id,
            terminal_id: ask.terminal_id,
            description: ask.description,
            channel_detail: "SERVER_TO_SERVER",
        };
        let operation = self
            .intend(&mut transaction, &loaded, &plan, &follow_up, now_ms)
            .await?;
        if let Some(author) = ask.author {
            let terms = &loaded.row.terms;
            let (act, word) = in_audit_log(plan.follow_up);
            let sum = format_amount(plan.amount, &terms.currency, "eng");
            let noted = Noted {
                merchant_id: &terms.merchant_id,
                act,
                subject: format!("order {}", terms.order_id),
                detail: format!("{word} {sum} of operation {}", ask.target_id),
            };
            self.context.note(&mut transaction, author, noted).await?;
        }
        Ok((transaction, operation))
    }

    /// Starts a change of a payment, and reads the payment in it.
    async fn begin(&self, payment_id: &str) -> Result<(Write, LoadedPayment), PaymentError> {
        let subject = Subject::Operation(payment_id);
        let mut transaction = self.context.store().write(subject).await?;
        let loaded = load(&mut transaction, payment_id).await?;
        Ok((transaction, loaded))
    }

    /// Records the final result of a follow-up operation, if the acquirer has one.
    pub(super) async fn inquire_pending(
        &self,
        payment_id: &str,
        operation_id: &str,
    ) -> Result<(), PaymentError> {
        let held = self.context.lock_payment(payment_id).await;
        self.complete_follow_up(&held, payment_id, operation_id)
            .await
    }

    /// Completes the operations in progress of a payment, and releases an authorization that was not captured in time.
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
            if operation.booking == BookingStatus::Pending {
                self.complete_follow_up(held, payment_id, &operation.document.operation_id)
                    .await?;
            }
        }
        let now_ms = self.context.clock().now_ms();
        if !loaded.may_be_overdue(now_ms) {
            return Ok(());
        }
        let (mut transaction, loaded) = self.begin(payment_id).await?;
        let Some(plan) = loaded.payment.overdue(now_ms) else {
            return Ok(());
        };
        let follow_up = FollowUpContext {
            target_id: payment_id,
            terminal_id: &loaded.first()?.document.terminal_id,
            description: None,
            channel_detail: AUTOMATIC,
        };
        let operation = self
            .intend(&mut transaction, &loaded, &plan, &follow_up, now_ms)
            .await?;
        transaction.commit().await?;
        self.complete_follow_up(held, payment_id, &operation.operation_id)
            .await
    }

    /// Writes the intended operation.
    async fn intend(
        &self,
        connection: &mut Connection,
        loaded: &LoadedPayment,
        plan: &PlannedFollowUp,
        follow_up: &FollowUpContext<'_>,
        now_ms: i64,
    ) -> Result<Operation, PaymentError> {
        let first = &loaded.first()?.document;
        self.context
            .acquirer_of_payment(connection, &first.operation_id)
            .await?;
        let terms = &loaded.row.terms;
        let is_automatic = follow_up.channel_detail == AUTOMATIC;
        let is_in_shop = !is_automatic
            && merchants::place(connection, follow_up.terminal_id).await?
                == AcceptanceChannel::PointOfSale;
        let omnichannel_id = if is_in_shop {
            Some(self.ledger.omnichannel_id(terms))
        } else {
            first.omnichannel_id.clone()
        };
        // From here on the merchant's other changes wait: what follows only writes.
        let time_ms = events::next_time(connection, &terms.merchant_id, now_ms).await?;
        let operation = Operation {
            operation_id: payframe_vault::random_operation_id()?,
            channel: String::from(if is_in_shop {
                POINT_OF_SALE
            } else {
                "BACKOFFICE"
            }),
            omnichannel_id,
            channel_detail: follow_up.channel_detail.to_owned(),
            operation_type: plan.follow_up.operation_type().code().to_owned(),
            operation_result: OperationResult::Pending.code().to_owned(),
            operation_time: instant(time_ms),
            cancelled_operation_id: (plan.follow_up == FollowUpOperation::Cancel)
                .then(|| follow_up.target_id.to_owned()),
            operation_amount: plan.amount.to_string(),
            warnings: Vec::new(),
            payment_link_id: None,
            terminal_id: follow_up.terminal_id.to_owned(),
            additional_data: inherited(first, plan.amount),
            ..first.clone()
        };
        let new = NewFollowUp {
            merchant_id: &terms.merchant_id,
            session_hash: &loaded.row.hash,
            payment_id: &first.operation_id,
            target_id: follow_up.target_id,
            description: follow_up.description,
            time_ms,
            amount: plan.amount,
            shares: &plan.shares,
            inquire_ms: now_ms + ASK_AGAIN_MS,
            document: &operation,
        };
        ledger::add(connection, &new)?;
        Ok(operation)
    }
}

/// How the audit log calls an operation.
fn in_audit_log(follow_up: FollowUpOperation) -> (Act, &'static str) {
    match follow_up {
        FollowUpOperation::Capture => (Act::Capture, "Capture"),
        FollowUpOperation::Void => (Act::Refund, "Release"),
        FollowUpOperation::Refund => (Act::Refund, "Refund"),
        FollowUpOperation::Cancel => (Act::Cancel, "Cancel"),
        FollowUpOperation::Increment => (Act::Increment, "Hold more:"),
    }
}

/// Refuses a call whose caller saw another version of the order.
async fn expect_version(
    connection: &mut Connection,
    ask: &FollowUpCall<'_>,
    loaded: &LoadedPayment,
) -> Result<(), ActionError> {
    if ask.expected_version == ExpectedVersion::Any {
        return Ok(());
    }
    let terms = &loaded.row.terms;
    let version = order_version::current(connection, &terms.merchant_id, &terms.order_id).await?;
    match version.is_some_and(|version| ask.expected_version.accepts(&version)) {
        true => Ok(()),
        false => Err(ActionError::OrderChanged),
    }
}

/// The operation that a call results in, if it is allowed now.
pub(super) async fn plan_follow_up(
    connection: &mut Connection,
    ask: &FollowUpCall<'_>,
    loaded: &LoadedPayment,
    now_ms: i64,
) -> Result<PlannedFollowUp, ActionError> {
    if ask.call == ActionCall::Increment {
        may_be_increased(connection, &loaded.row.terms, now_ms).await?;
    }
    let payment = &loaded.payment;
    let judged = match ask.wanted {
        None => payment.plan_call(ask.target_id, ask.call, ask.amount, now_ms),
        Some(wanted) => payment.plan_exactly(ask.target_id, (ask.call, wanted), ask.amount, now_ms),
    };
    judged.map_err(|denials| ActionError::Denied {
        denials,
        state: loaded.state_of(ask.target_id),
        allowed: loaded.payment.allowed(ask.target_id, now_ms),
    })
}

pub(super) fn dates(time_ms: i64) -> Dates {
    Dates {
        day_ends_ms: end_of_terminal_day(time_ms),
        refundable_until_ms: months_later(time_ms, REFUND_MONTHS),
    }
}

/// The card members of a follow-up operation: the same as in the first operation. An accepted currency offer is applied to the new amount,
/// at its own rate.
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
                AcceptedOffer::of(amount, &first.operation_currency, currency, rate)
            });
        data.extend(
            converted.map(|converted| (CONVERSION.to_owned(), conversion_document(&converted))),
        );
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

/// `channelDetail` of operations that the gateway starts itself.
const AUTOMATIC: &str = "AUTOMATIC";

/// The period in which refunds are allowed (contract 2.4).
const REFUND_MONTHS: i32 = 13;

/// The time until a release is requested again after the acquirer refused it.
const DAY_MS: i64 = 86_400_000;
