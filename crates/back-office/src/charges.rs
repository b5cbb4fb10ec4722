//! Actions on a reservation by hand: charging what was agreed, and cancelling it. The same table as for the API decides what may be
//! charged, and the same functions charge it ([`payframe_payment_service::reservation_charges`]).

use super::amount::{AmountForm, AmountPage, AmountRange};
use super::confirm::{Confirmed, Question};
use super::display::sum;
use super::error::OfficeError;
use super::filter::FieldErrors;
use super::form::Posted;
use super::idempotent_form::{FormOutcome, FormSubmission, carry_out, new_key, was_sent};
use super::login_session::LoginSession;
use super::page::{Layout, Section};
use super::reservations::{find, path_of};
use crate::BackOffice;
use axum::Router;
use axum::extract::{Path, State};
use axum::response::Response;
use axum::routing::get;
use payframe_money::Amount;
use payframe_payment_domain::back_office::{Act, Role};
use payframe_payment_domain::reservation::ReservationType;
use payframe_payment_domain::reservation::charges::Charge;
use payframe_payment_service::idempotency::Slot;
use payframe_payment_service::reservation_charges::ReservationChargeRequest;
use payframe_payment_service::reservations::Reservation;
use payframe_storage::merchants;
use payframe_web_pages::see_other;
use std::sync::Arc;

pub(super) fn router() -> Router<BackOffice> {
    Router::new()
        .route(
            "/office/reservations/{reservation_id}/cancel",
            get(ask_to_cancel).post(cancel),
        )
        .route(
            "/office/reservations/{reservation_id}/charges/{charge}",
            get(ask).post(answer),
        )
}

/// The message of the reservation's page after each action.
pub(super) const DONE: [(&str, &str); 3] = [
    ("charged", "The charge was requested. Its result is below."),
    (
        "cancelled",
        "The reservation is cancelled. What was charged for it is below.",
    ),
    (
        "before",
        "This form was sent before. Its result is below; nothing was done twice.",
    ),
];

/// A charge that people make by hand.
struct ManualCharge {
    word: &'static str,
    charge: Charge,
    label: &'static str,
    about: &'static str,
}

/// All charges that can be made by hand. An increment belongs to the payment, and a penalty comes with the cancellation.
const MANUAL_CHARGES: [ManualCharge; 3] = [
    ManualCharge {
        word: "no-show",
        charge: Charge::NoShow,
        label: "Charge a no-show",
        about: "The guest did not come. The stored card is charged, once.",
    },
    ManualCharge {
        word: "delayed",
        charge: Charge::Delayed,
        label: "Charge afterwards",
        about: "Something came to light after the stay. The stored card is charged.",
    },
    ManualCharge {
        word: "part",
        charge: Charge::Part,
        label: "Charge a part",
        about: "A part of the amount, or the rest of it, is charged to the stored card.",
    },
];

/// An action on a reservation that its page offers.
pub(super) struct ActionLink {
    pub(super) path: String,
    pub(super) label: &'static str,
    /// The largest possible amount.
    pub(super) most: Option<String>,
}

/// The actions that are possible for a reservation now.
pub(super) fn action_links(reservation: &Reservation, now_ms: i64) -> Vec<ActionLink> {
    let path = path_of(&reservation.row.reservation_id);
    let charges = MANUAL_CHARGES.iter().filter_map(|manual| {
        let most = reservation
            .permitted_amount(manual.charge, None, now_ms)
            .ok()?;
        Some(ActionLink {
            path: format!("{path}/charges/{}", manual.word),
            label: manual.label,
            most: Some(sum(most, &reservation.order.currency)),
        })
    });
    let cancel = reservation
        .history
        .cancelled_ms
        .is_none()
        .then(|| ActionLink {
            path: format!("{path}/cancel"),
            label: "Cancel the reservation",
            most: None,
        });
    charges.chain(cancel).collect()
}

/// A charge that is possible now.
struct PossibleCharge {
    reservation: Reservation,
    manual: &'static ManualCharge,
    possible: AmountRange,
}

async fn possible_charge(
    office: &BackOffice,
    login: &LoginSession,
    (reservation_id, word): &(String, String),
) -> Result<PossibleCharge, OfficeError> {
    let manual = MANUAL_CHARGES.iter().find(|manual| manual.word == word);
    let manual = manual.ok_or(OfficeError::NotFound)?;
    let reservation = find(office, login, reservation_id).await?;
    let most = reservation.permitted_amount(manual.charge, None, office.payment_clock().now_ms());
    let max = most.map_err(|denial| {
        OfficeError::Bad(format!(
            "This cannot be charged now: {}.",
            denial.sentence()
        ))
    })?;
    let possible = AmountRange {
        min: Amount::from_minor(1).unwrap_or_default(),
        max,
        currency: reservation.order.currency.clone(),
    };
    Ok(PossibleCharge {
        reservation,
        manual,
        possible,
    })
}

impl PossibleCharge {
    fn page<'a>(
        &'a self,
        login: &'a LoginSession,
        form: AmountForm,
        errors: FieldErrors,
    ) -> AmountPage<'a> {
        let id = &self.reservation.row.reservation_id;
        let title = format!("{}: reservation {id}", self.manual.label);
        AmountPage {
            layout: Layout::of(login, Section::Reservations, title),
            about: self.manual.about,
            facts: Vec::new(),
            possible: &self.possible,
            until: None,
            back: path_of(id),
            form,
            errors,
        }
    }
}

async fn ask(
    State(office): State<BackOffice>,
    login: LoginSession,
    Path(path): Path<(String, String)>,
) -> Result<Response, OfficeError> {
    login.require(Role::Operator)?;
    let charge = possible_charge(&office, &login, &path).await?;
    let form = AmountForm::all_of(&charge.possible);
    Ok(charge.page(&login, form, FieldErrors::default()).page())
}

async fn answer(
    State(office): State<BackOffice>,
    Path(path): Path<(String, String)>,
    Posted { login, fields }: Posted<AmountForm>,
) -> Result<Response, OfficeError> {
    login.require(Role::Operator)?;
    let back = path_of(&path.0);
    let found = possible_charge(&office, &login, &path).await;
    if was_sent(&office, &login, &fields.key).await? {
        return Ok(see_other(&format!("{back}?done=before")));
    }
    let charge = found?;
    let mut errors = FieldErrors::default();
    let Some(amount) = fields.read(&charge.possible, &mut errors) else {
        let form = fields.again(&charge.possible);
        return Ok(charge.page(&login, form, errors).page());
    };
    if !fields.is_confirmed() {
        let page = charge.page(&login, AmountForm::all_of(&charge.possible), errors);
        return Ok(fields.question(page, charge.manual.label, amount).page());
    }
    let written = sum(amount, &charge.possible.currency);
    let submission = FormSubmission {
        login: &login,
        key: &fields.key,
        act: Act::ChargeReservation,
        subject: format!("reservation {}", path.0),
        detail: format!("{} {written}", charge.manual.label),
    };
    let task = ChargeTask {
        merchant_id: login.member.merchant_id.clone(),
        reservation_id: path.0.clone(),
        terminal_id: charge.reservation.row.terminal_id.clone(),
        charge: charge.manual.charge,
        amount,
        description: fields.note().map(str::to_owned),
    };
    let run =
        move |office: BackOffice, slot: Arc<Slot>| async move { task.run(&office, &slot).await };
    match carry_out(&office, submission, run).await {
        Ok(FormOutcome::Done) => Ok(see_other(&format!("{back}?done=charged"))),
        Ok(FormOutcome::DoneBefore) => Ok(see_other(&format!("{back}?done=before"))),
        Err(OfficeError::Bad(why)) => {
            errors.add("amount", why);
            let form = fields.again(&charge.possible);
            Ok(charge.page(&login, form, errors).page())
        }
        Err(refused) => Err(refused),
    }
}

/// A charge that is being made, in a task of its own: it is made even if the browser closes the connection.
struct ChargeTask {
    merchant_id: String,
    reservation_id: String,
    terminal_id: String,
    charge: Charge,
    amount: Amount,
    description: Option<String>,
}

impl ChargeTask {
    async fn run(self, office: &BackOffice, slot: &Slot) -> Result<String, OfficeError> {
        let terminal =
            merchants::terminal(&mut *office.store().read().await?, &self.terminal_id).await?;
        let trace_id = uuid::Uuid::new_v4().to_string();
        let ask = ReservationChargeRequest {
            merchant_id: &self.merchant_id,
            reservation_id: &self.reservation_id,
            // The form names the reservation, not an operation of it.
            original: None,
            charge: self.charge,
            amount: self.amount,
            description: self.description.as_deref(),
            terminal: &terminal,
            trace_id: &trace_id,
            slot: Some(slot),
            author: None,
        };
        let made = office.reservations().charge(&ask).await?;
        let made = made.ok_or(OfficeError::NotFound)?;
        Ok(format!(
            "operation {}, {}",
            made.operation_id, made.operation_result
        ))
    }
}

fn question<'a>(login: &'a LoginSession, reservation: &Reservation, now_ms: i64) -> Question<'a> {
    let row = &reservation.row;
    let owed = sum(
        reservation.agreement.owed(now_ms),
        &reservation.order.currency,
    );
    let has_penalty = row.kind == ReservationType::GuaranteedPenalty;
    Question {
        layout: Layout::of(login, Section::Reservations, "Cancel the reservation"),
        sum: None,
        about: "Its unpaid links are given up, and nothing else can be charged for it. What is owed by its terms of \
                cancellation is charged to the stored card. A cancelled reservation can not be brought back.",
        facts: [
            Some(("Reservation", row.reservation_id.clone())),
            has_penalty.then_some(("Owed now", owed)),
        ]
        .into_iter()
        .flatten()
        .collect(),
        label: String::from("Cancel the reservation"),
        back: path_of(&row.reservation_id),
        hidden: vec![("key", new_key())],
        problem: None,
    }
}

async fn ask_to_cancel(
    State(office): State<BackOffice>,
    login: LoginSession,
    Path(reservation_id): Path<String>,
) -> Result<Response, OfficeError> {
    login.require(Role::Operator)?;
    let reservation = find(&office, &login, &reservation_id).await?;
    Ok(question(&login, &reservation, office.payment_clock().now_ms()).page())
}

async fn cancel(
    State(office): State<BackOffice>,
    Path(reservation_id): Path<String>,
    Posted { login, fields }: Posted<Confirmed>,
) -> Result<Response, OfficeError> {
    login.require(Role::Operator)?;
    let reservation = find(&office, &login, &reservation_id).await?;
    let submission = FormSubmission {
        login: &login,
        key: &fields.key,
        act: Act::CancelReservation,
        subject: format!("reservation {reservation_id}"),
        detail: String::from("Cancel the reservation"),
    };
    let (merchant_id, id) = (login.member.merchant_id.clone(), reservation_id.clone());
    let run = move |office: BackOffice, _: Arc<Slot>| async move {
        let penalty = office
            .reservations()
            .cancel(&merchant_id, &id, None)
            .await?;
        let penalty = penalty.ok_or(OfficeError::NotFound)?;
        Ok(match penalty {
            None => String::from("nothing was charged"),
            Some(made) => format!(
                "penalty, operation {}, {}",
                made.operation_id, made.operation_result
            ),
        })
    };
    let word = match carry_out(&office, submission, run).await {
        Ok(FormOutcome::Done) => "cancelled",
        Ok(FormOutcome::DoneBefore) => "before",
        Err(refused) => {
            return question(&login, &reservation, office.payment_clock().now_ms())
                .refused(refused);
        }
    };
    Ok(see_other(&format!(
        "{}?done={word}",
        path_of(&reservation_id)
    )))
}
