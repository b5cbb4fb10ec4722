//! Reservations: reads the agreement and the charges so far, for the rules of [`payframe_payment_domain::reservation`], and the link for
//! the first payment (contract 8.3). [`super::reservation_lifecycle`] creates and cancels reservations, [`super::reservation_charges`] makes
//! the charges after the first payment.
//!
//! All payments of a reservation are operations of one order, which has the reservation's id. The order is created together with the
//! reservation, so that no other call can create it. Its lock protects every change in this module.

use super::error::PaymentError;
use payframe_card_rules::expiry::Date;
use payframe_money::Amount;
use payframe_payment_domain::calendar::{at_terminal, day_over, days_between, days_later};
use payframe_payment_domain::contract::hidden_id;
use payframe_payment_domain::hosted::minutes;
use payframe_payment_domain::operation::OperationResult;
use payframe_payment_domain::reservation::agreement::{
    Agreement, ChargeInitiator, Paid, Part, ReservationHistory, Stay, Step,
};
use payframe_payment_domain::reservation::charges::{Charge, ReservationChargeError};
use payframe_payment_domain::reservation::{CollectionType, PointUnit};
use payframe_storage::reservations::{self, ReservationRow};
use payframe_storage::{Connection, StoreError, acceptances, contracts, operations, orders};
use serde_json::{Map, Value};

/// A reservation with its agreement and its charges.
pub struct Reservation {
    /// The stored row.
    pub row: ReservationRow,
    /// The agreement with the guest.
    pub agreement: Agreement,
    /// The recorded charges.
    pub history: ReservationHistory,
    /// Its order.
    pub order: orders::OrderRow,
}

/// Reads a merchant's reservation. `None`: it does not exist.
pub async fn load(
    connection: &mut Connection,
    merchant_id: &str,
    reservation_id: &str,
) -> Result<Option<Reservation>, PaymentError> {
    let Some(row) = reservations::find(connection, merchant_id, reservation_id).await? else {
        return Ok(None);
    };
    let order = orders::find(connection, merchant_id, reservation_id).await?;
    let order = order.ok_or(StoreError::Unreadable("order"))?;
    let paid = match &order.payment_operation_id {
        None => Paid::No,
        Some(operation_id) => match operations::find(connection, operation_id).await? {
            None => Paid::Running,
            Some(operation) => {
                let result = OperationResult::from_code(&operation.operation_result);
                Paid::of(result.ok_or(StoreError::Unreadable("operation result"))?)
            }
        },
    };
    let contract =
        contracts::find_active(connection, merchant_id, &hidden_id(reservation_id)).await?;
    let accepted = acceptances::of_order(connection, merchant_id, reservation_id).await?;
    let history = ReservationHistory {
        cancelled_ms: row.cancelled_ms,
        paid,
        is_accepted: !accepted.is_empty(),
        has_card: contract.is_some(),
        charges: reservations::charges(connection, merchant_id, reservation_id).await?,
    };
    let agreement = agreement_of(&row).ok_or(StoreError::Unreadable("reservation"))?;
    Ok(Some(Reservation {
        row,
        agreement,
        history,
        order,
    }))
}

/// Refuses operations that a cancelled reservation does not allow.
pub(super) async fn must_be_active(
    connection: &mut Connection,
    merchant_id: &str,
    reservation_id: &str,
) -> Result<(), PaymentError> {
    let row = reservations::find(connection, merchant_id, reservation_id).await?;
    match row.and_then(|row| row.cancelled_ms) {
        Some(_) => Err(PaymentError::Reservation(ReservationChargeError::Cancelled)),
        None => Ok(()),
    }
}

/// The agreement in the stored document of the reservation.
pub(crate) fn agreement_of(row: &ReservationRow) -> Option<Agreement> {
    let document = &row.document;
    let text = |name: &str| document.get(name).and_then(Value::as_str);
    let amount = |name: &str| text(name).and_then(Amount::parse);
    let minute = |name: &str| text(name).and_then(|time| minutes(time, 23)).unwrap_or(0);
    let collection = match text("collectionType") {
        None => CollectionType::Instant,
        Some(code) => CollectionType::from_code(code)?,
    };
    let (check_in, check_out) = (
        day(document, "checkInDate")?,
        day(document, "checkOutDate")?,
    );
    let nights = match text("reservationPeriod") {
        Some(digits) => digits.parse().ok()?,
        None => u32::try_from(days_between(check_in, check_out)).ok()?,
    };
    let parts = document.get("installments").and_then(Value::as_array);
    let parts = parts
        .into_iter()
        .flatten()
        .enumerate()
        .map(|(place, part)| {
            let date = part["date"].as_str().and_then(Date::parse);
            Some(Part {
                amount: Amount::parse(part["amount"].as_str()?)?,
                by: match part["type"].as_str()? {
                    "MANUAL" => ChargeInitiator::Merchant,
                    _ => ChargeInitiator::Gateway,
                },
                // The first installment needs no date.
                due_ms: match date {
                    Some(date) => at_terminal(date, 0),
                    None if place == 0 => i64::MIN,
                    None => return None,
                },
            })
        });
    Some(Agreement {
        kind: row.kind,
        collection,
        amount: amount("amount")?,
        deposit: amount("deposit"),
        nights: nights.max(1),
        parts: parts.collect::<Option<Vec<_>>>()?,
        stay: Stay {
            check_in_ms: at_terminal(check_in, minute("checkInToTime")),
            check_out_ms: at_terminal(check_out, 0),
            over_ms: day_over(days_later(check_out, CHARGEABLE_DAYS)),
        },
        cancellation: steps_of(document, check_in, minute("checkInFromTime"))?,
        delayed_percent: DELAYED_PERCENT,
        has_terms: !row.text_ids.is_empty(),
    })
}

/// The points of `CancelationDetails`, in ascending order.
fn steps_of(document: &Map<String, Value>, check_in: Date, minute: u16) -> Option<Vec<Step>> {
    let Some(details) = document.get("CancelationDetails") else {
        return Some(Vec::new());
    };
    let unit = PointUnit::from_code(details["dataType"].as_str()?)?;
    let conditions = details["cancellationCondition"].as_array()?;
    let steps = conditions.iter().map(|condition| {
        let text = condition["dataTypeValue"].as_str()?;
        let from_ms = match unit {
            // The point is the end of that day.
            PointUnit::Date => day_over(Date::parse(text)?),
            PointUnit::HoursBefore => {
                at_terminal(check_in, minute) - text.parse::<i64>().ok()? * HOUR_MS
            }
            PointUnit::DaysBefore => {
                at_terminal(days_later(check_in, -text.parse::<i32>().ok()?), minute)
            }
        };
        let owed = Amount::parse(condition["value"].as_str()?)?;
        Some(Step { from_ms, owed })
    });
    let mut steps = steps.collect::<Option<Vec<_>>>()?;
    steps.sort_by_key(|step| step.from_ms);
    Some(steps)
}

/// A date in a document.
pub fn day(document: &Map<String, Value>, name: &str) -> Option<Date> {
    Date::parse(document.get(name)?.as_str()?)
}

impl Reservation {
    /// Whether a charge is allowed now: the maximum amount, or the reason for the refusal.
    pub fn permitted_amount(
        &self,
        charge: Charge,
        amount: Option<Amount>,
        now_ms: i64,
    ) -> Result<Amount, ReservationChargeError> {
        self.agreement
            .permitted_amount(&self.history, charge, amount, now_ms)
    }
}

/// Contract 8.3.5, 8.3.6: how long after the check-out date a charge is allowed.
pub(super) const CHARGEABLE_DAYS: i32 = 90;

/// Contract 8.3.5: percentage of the reservation's amount.
const DELAYED_PERCENT: u64 = 100;

const HOUR_MS: i64 = 3_600_000;
