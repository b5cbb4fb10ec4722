//! Creates and cancels a reservation (contract 8.3.0, 8.3.7).

pub mod reservation_charges;

use super::audit_notes::Noted;
use super::error::PaymentError;
use super::hosted::acceptance::active_terms;
use super::reservations::{agreement_of, day, load};
use super::{HostedPages, PaymentContext, ServerPayments, Transitions};
use payframe_money::Amount;
use payframe_money::currency_format::format_amount;
use payframe_payment_domain::back_office::Act;
use payframe_payment_domain::calendar::at_terminal;
use payframe_payment_domain::hosted::{HostedPageError, HostedPageState};
use payframe_payment_domain::reservation::ReservationType;
use payframe_payment_domain::reservation::agreement::Paid;
use payframe_payment_domain::reservation::charges::{Charge, ReservationChargeError};
use payframe_payment_domain::terms::{Channel, Terminal};
use payframe_protocol::operation::Operation;
use payframe_storage::audit::Author;
use payframe_storage::legal_texts::{self, LegalText, TextKind, TextUser};
use payframe_storage::reservations::{self, ReservationRow};
use payframe_storage::structures::{self, StructureRow};
use payframe_storage::{Connection, StoreError, Subject, events, hosted_pages, merchants, orders};
use reservation_charges::AllowedCharge;
use serde_json::{Map, Value, json};
use thiserror::Error;

/// A validated request for a reservation.
pub struct NewReservation {
    /// Generated if it is missing.
    pub reservation_id: Option<String>,
    /// How it is paid.
    pub kind: ReservationType,
    /// The price of the whole stay.
    pub amount: Amount,
    /// ISO 4217 letters.
    pub currency: String,
    /// The structure (the hotel or property).
    pub structure_id: String,
    /// Terms and conditions that the buyer accepts.
    pub terms_ids: Vec<String>,
    /// The validated document, as it was sent.
    pub document: Map<String, Value>,
    /// The name of the merchant's software.
    pub plugin_name: Option<String>,
}

/// Why a reservation is not created.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum CreateReservationError {
    /// The structure does not exist, or takes no reservations.
    #[error("the structure does not exist, or takes no reservations")]
    Structure,
    /// The terms and conditions do not exist, or are cancelled.
    #[error("the terms and conditions do not exist, or are cancelled")]
    Terms,
    /// An order has this id.
    #[error("an order has this id")]
    Used,
}

/// Reservations, and the charges that their agreement allows.
#[derive(Clone, Copy)]
pub struct Reservations<'a> {
    pub(super) context: &'a PaymentContext,
    pub(super) transitions: Transitions<'a>,
    pub(super) server_payments: ServerPayments<'a>,
    pub(super) hosted_pages: HostedPages<'a>,
}

impl<'a> Reservations<'a> {
    /// The service over these dependencies.
    pub fn new(context: &'a PaymentContext) -> Reservations<'a> {
        Reservations {
            context,
            transitions: Transitions::new(context),
            server_payments: ServerPayments::new(context),
            hosted_pages: HostedPages::new(context),
        }
    }
}

impl Reservations<'_> {
    /// Creates a reservation and its order. Nothing is charged. Returns its id.
    pub async fn make(
        &self,
        terminal: &Terminal,
        new: NewReservation,
    ) -> Result<Result<String, CreateReservationError>, PaymentError> {
        let reservation_id = match new.reservation_id {
            Some(reservation_id) => reservation_id,
            None => payframe_vault::random_operation_id()?,
        };
        let merchant_id = &terminal.merchant_id;
        let _held = self.context.lock_order(merchant_id, &reservation_id).await;
        let now_ms = self.context.clock().now_ms();
        let mut transaction = self
            .context
            .store()
            .write(Subject::Merchant(merchant_id))
            .await?;
        let structure = structures::find(&mut transaction, merchant_id, &new.structure_id).await?;
        let Some(structure) = structure.filter(StructureRow::is_active) else {
            return Ok(Err(CreateReservationError::Structure));
        };
        let Some(mut text_ids) =
            active_terms(&mut transaction, merchant_id, &new.terms_ids).await?
        else {
            return Ok(Err(CreateReservationError::Terms));
        };
        let condition = condition_of(&mut transaction, merchant_id, &structure, new.kind).await?;
        text_ids.extend(condition.filter(|text_id| !text_ids.contains(text_id)));
        if orders::find(&mut transaction, merchant_id, &reservation_id)
            .await?
            .is_some()
        {
            return Ok(Err(CreateReservationError::Used));
        }
        let created_ms = events::next_time(&mut transaction, merchant_id, now_ms).await?;
        let mut document = new.document;
        document.insert(String::from("reservationId"), json!(reservation_id));
        let day_ms = |name: &str| day(&document, name).map(|day| at_terminal(day, 0));
        let days_ms = day_ms("checkInDate").zip(day_ms("checkOutDate"));
        let row = ReservationRow {
            merchant_id: merchant_id.clone(),
            reservation_id,
            terminal_id: structure
                .terminal_id()
                .unwrap_or(&terminal.terminal_id)
                .to_owned(),
            structure_id: new.structure_id,
            kind: new.kind,
            text_ids,
            days_ms: days_ms.ok_or(StoreError::Unreadable("reservation"))?,
            document,
            created_ms,
            cancelled_ms: None,
        };
        let agreement = agreement_of(&row).ok_or(StoreError::Unreadable("reservation"))?;
        let order = orders::NewOrder {
            merchant_id,
            order_id: &row.reservation_id,
            currency: &new.currency,
            amount: new.amount,
            document: &order_document(&row),
            plugin_name: new.plugin_name.as_deref(),
            created_ms: now_ms,
            is_reservation: true,
        };
        orders::put(&mut transaction, &order);
        reservations::add(&mut transaction, &row).await?;
        let user = TextUser::Reservation(&row.reservation_id);
        legal_texts::put_uses(&mut transaction, merchant_id, user, &row.text_ids).await?;
        reservations::put_parts(&mut transaction, &row, &agreement.parts_by_gateway()).await?;
        transaction.commit().await?;
        Ok(Ok(row.reservation_id))
    }

    /// Cancels a reservation and its links, and charges the penalty that is due. One transaction writes all of this, and the penalty is
    /// charged exactly once, even after a crash. A repeated call is not an error, and retries a penalty that was refused. Returns the
    /// penalty, if one was charged now. `None`: the reservation does not exist.
    pub async fn cancel(
        &self,
        merchant_id: &str,
        reservation_id: &str,
        author: Option<Author<'_>>,
    ) -> Result<Option<Option<Operation>>, PaymentError> {
        let _held = self.context.lock_order(merchant_id, reservation_id).await;
        let links = {
            let mut connection = self.context.store().read().await?;
            hosted_pages::links_of_order(&mut connection, merchant_id, reservation_id).await?
        };
        for link in &links {
            match self.hosted_pages.clear_page(link).await {
                Err(PaymentError::Hosted(HostedPageError::Running)) => {
                    return Err(PaymentError::Reservation(ReservationChargeError::Running));
                }
                cleared => cleared?,
            }
        }
        let now_ms = self.context.clock().now_ms();
        let mut transaction = self
            .context
            .store()
            .write(Subject::Merchant(merchant_id))
            .await?;
        let Some(found) = load(&mut transaction, merchant_id, reservation_id).await? else {
            return Ok(None);
        };
        if found.history.paid == Paid::Running {
            return Err(PaymentError::Reservation(ReservationChargeError::Running));
        }
        reservations::cancel(&mut transaction, merchant_id, reservation_id, now_ms).await?;
        for link in links {
            let link = hosted_pages::find(&mut transaction, &link.page_id).await?;
            let mut link = link.ok_or(StoreError::Unreadable("payment link"))?;
            if !matches!(link.life.status, HostedPageState::Paid(_)) {
                link.life.status = HostedPageState::Canceled;
                hosted_pages::put(&mut transaction, &link).await?;
            }
        }
        let Some(reservation) = load(&mut transaction, merchant_id, reservation_id).await? else {
            return Ok(None);
        };
        let owed = reservation.permitted_amount(Charge::Penalty, None, now_ms);
        let charged = match &owed {
            Ok(amount) => {
                let terminal =
                    merchants::terminal(&mut transaction, &reservation.row.terminal_id).await?;
                let allowed = AllowedCharge {
                    charge: Charge::Penalty,
                    amount: *amount,
                    part: None,
                    description: None,
                    terminal: &terminal,
                    channel: Channel::Automatic,
                    trace_id: uuid::Uuid::new_v4().to_string(),
                    slot: None,
                };
                Some(
                    self.intend_charge(&mut transaction, &reservation, &allowed, now_ms)
                        .await?,
                )
            }
            // Nothing is due, or no charge is possible.
            Err(_) => None,
        };
        let is_news = found.row.cancelled_ms.is_none() || charged.is_some();
        if let Some(author) = author.filter(|_| is_news) {
            let penalty = owed.as_ref().map_or_else(
                |_| String::new(),
                |amount| {
                    let sum = format_amount(*amount, &reservation.order.currency, "eng");
                    format!("Penalty {sum}")
                },
            );
            let noted = Noted {
                merchant_id,
                act: Act::CancelReservation,
                subject: format!("reservation {reservation_id}"),
                detail: penalty,
            };
            self.context.note(&mut transaction, author, noted).await?;
        }
        transaction.commit().await?;
        let penalty = match charged {
            Some(session_hash) => Some(self.conclude_charge(&session_hash).await?),
            None => None,
        };
        Ok(Some(penalty))
    }
}

/// The order that all payments of a reservation belong to.
fn order_document(row: &ReservationRow) -> Map<String, Value> {
    let mut order: Map<String, Value> = ORDER_MEMBERS
        .iter()
        .filter_map(|name| Some(((*name).to_owned(), row.document.get(*name)?.clone())))
        .collect();
    order.insert(String::from("orderId"), json!(row.reservation_id));
    order
}

/// The condition of a structure that buyers of a reservation type accept: the one that the structure names, or its newest one of the type.
async fn condition_of(
    connection: &mut Connection,
    merchant_id: &str,
    structure: &StructureRow,
    kind: ReservationType,
) -> Result<Option<String>, StoreError> {
    let named = structure.text_of(kind);
    if let Some(text_id) = named {
        return Ok(Some(text_id.to_owned()));
    }
    let texts = legal_texts::of_structure(connection, merchant_id, &structure.structure_id).await?;
    let is_it = |text: &LegalText| {
        text.is_active
            && matches!(&text.kind, TextKind::Condition { reservation_type, .. } if *reservation_type == kind)
    };
    let newest = texts.into_iter().rfind(is_it);
    Ok(newest.map(|text| text.text_id))
}

/// The members that an order and its reservation share.
const ORDER_MEMBERS: [&str; 8] = [
    "amount",
    "currency",
    "customerId",
    "description",
    "customField",
    "customerInfo",
    "transactionSummary",
    "installments",
];
