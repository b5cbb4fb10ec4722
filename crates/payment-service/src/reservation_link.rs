//! The link through which a reservation is paid or guaranteed.

use super::create_session::{FormOptions, NewSession, Start};
use super::hosted::NewHostedPage;
use super::reservations::Reservation;
use payframe_payment_domain::billing_address::BillingAddressFields;
use payframe_payment_domain::contract::{self, Recurrence, hidden_id};
use payframe_payment_domain::hosted::{Kind, LinkValidity};
use payframe_payment_domain::operation::{ActionType, Capture};
use payframe_payment_domain::reservation::agreement::Paid;
use payframe_payment_domain::reservation::charges::{FirstPayment, ReservationChargeError, first};
use payframe_payment_domain::terms::{FramingPages, Terminal, Version, agreed_capture};
use thiserror::Error;

/// A merchant's request for a link.
pub struct LinkRequest {
    /// The validity period of the link.
    pub validity: LinkValidity,
    /// When the money is captured, if the call sets it.
    pub capture: Option<Capture>,
    /// What the form asks of the billing address.
    pub billing_address: BillingAddressFields,
    /// The address for notifications of outcomes.
    pub notification_url: Option<String>,
    /// The name of the merchant's software.
    pub plugin_name: Option<String>,
    /// The call's `Correlation-Id`.
    pub trace_id: String,
}

/// Why a link cannot be created for a reservation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum LinkError {
    /// The reservation is cancelled or paid, or a payment is in progress.
    #[error("{0}")]
    State(&'static str),
    /// The requested capture type is not possible, with the reason.
    #[error("the capture type {0}")]
    Capture(&'static str),
    /// The terminal stores no cards, and the agreement needs a stored card.
    #[error("the terminal stores no cards, and the agreement needs a stored card")]
    Terminal,
}

impl Reservation {
    /// The request for the link through which the reservation is paid or guaranteed.
    pub fn link(
        &self,
        terminal: &Terminal,
        request: LinkRequest,
    ) -> Result<NewHostedPage, LinkError> {
        if self.history.cancelled_ms.is_some() {
            return Err(LinkError::State(
                ReservationChargeError::Cancelled.sentence(),
            ));
        }
        if self.history.paid != Paid::No {
            return Err(LinkError::State(PAID));
        }
        let first = first(self.agreement.kind, self.agreement.collection);
        let action = match first {
            FirstPayment::Verification => ActionType::Verify,
            FirstPayment::Hold => ActionType::PreAuth,
            FirstPayment::Sale | FirstPayment::Installment => ActionType::Pay,
        };
        let capture =
            agreed_capture(request.capture, action, terminal).map_err(LinkError::Capture)?;
        // The card is stored automatically, for charges that may follow. Some types of reservations require a stored card.
        if !terminal.tokenization
            && matches!(
                first,
                FirstPayment::Verification | FirstPayment::Installment
            )
        {
            return Err(LinkError::Terminal);
        }
        let recurrence = terminal.tokenization.then(|| Recurrence::Create {
            contract_id: hidden_id(&self.row.reservation_id),
            rules: contract::Rules {
                kind: contract::Kind::Unscheduled,
                last_day: None,
                gap_days: None,
            },
        });
        let session = NewSession {
            version: Version::Three,
            framing: FramingPages::default(),
            order_id: self.row.reservation_id.clone(),
            order_amount: self.order.amount,
            currency: self.order.currency.clone(),
            document: self.order.document.clone(),
            is_reservation: true,
            plugin_name: request.plugin_name,
            amount: self.agreement.first_amount(),
            action,
            capture,
            language: "ita",
            challenge_preference: String::from("NO_PREFERENCE"),
            result_url: None,
            cancel_url: None,
            notification_url: request.notification_url,
            start: Start::Card,
            recurrence,
            wallet: None,
            methods: Vec::new(),
            form: Some(FormOptions::hosted(Kind::Link, request.billing_address)),
            warnings: Vec::new(),
            trace_id: request.trace_id,
        };
        Ok(NewHostedPage {
            session,
            // The reservation has its own terms.
            terms_ids: Vec::new(),
            validity: Some(request.validity),
        })
    }
}

/// The reason why a paid reservation gets no link.
pub const PAID: &str = "the reservation is paid or guaranteed already, or about to be";
