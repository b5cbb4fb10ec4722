//! The link over which a reservation is paid or guaranteed.

use super::create_session::{Opening, Start};
use super::hosted::HostedOpening;
use super::reservations::Reservation;
use payframe_payment_domain::contract::{self, Recurrence, hidden_id};
use payframe_payment_domain::hosted::Term;
use payframe_payment_domain::operation::{ActionType, Capture};
use payframe_payment_domain::reservation::agreement::Paid;
use payframe_payment_domain::reservation::charges::{First, ReservationChargeError, first};
use payframe_payment_domain::terms::{Terminal, Version, agreed_capture};

/// What a merchant asks of a link.
pub struct LinkWish {
    /// How long the link is good.
    pub term: Term,
    /// When the money is taken, where the call says it.
    pub capture: Option<Capture>,
    /// Where outcomes are told.
    pub notification_url: Option<String>,
    /// Names the merchant's software.
    pub plugin_name: Option<String>,
    /// The call's `Correlation-Id`.
    pub trace_id: String,
}

/// Why a reservation has no link.
pub enum LinkError {
    /// It is cancelled, or paid, or about to be.
    State(&'static str),
    /// The capture that is asked for is not possible; why.
    Capture(&'static str),
    /// The terminal keeps no cards, and what was agreed needs one.
    Terminal,
}

impl Reservation {
    /// The link that is to be made, over which the reservation is paid or guaranteed.
    pub fn link(&self, terminal: &Terminal, wish: LinkWish) -> Result<HostedOpening, LinkError> {
        if self.books.cancelled_ms.is_some() {
            return Err(LinkError::State(
                ReservationChargeError::Cancelled.sentence(),
            ));
        }
        if self.books.paid != Paid::No {
            return Err(LinkError::State(PAID));
        }
        let first = first(self.agreement.kind, self.agreement.collection);
        let action = match first {
            First::Verification => ActionType::Verify,
            First::Hold => ActionType::PreAuth,
            First::Sale | First::Installment => ActionType::Pay,
        };
        let capture = agreed_capture(wish.capture, action, terminal).map_err(LinkError::Capture)?;
        // A card is kept by itself, for what may be charged later. Some reservations are nothing without one.
        if !terminal.tokenization && matches!(first, First::Verification | First::Installment) {
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
        let opening = Opening {
            version: Version::Three,
            merchant_origin: String::new(),
            order_id: self.row.reservation_id.clone(),
            order_amount: self.order.amount,
            currency: self.order.currency.clone(),
            document: self.order.document.clone(),
            is_reservation: true,
            plugin_name: wish.plugin_name,
            amount: self.agreement.first_amount(),
            action,
            capture,
            language: "ita",
            challenge_wish: String::from("NO_PREFERENCE"),
            result_url: None,
            cancel_url: None,
            notification_url: wish.notification_url,
            start: Start::Card,
            recurrence,
            wallet: None,
            methods: Vec::new(),
            form: None,
            warnings: Vec::new(),
            trace_id: wish.trace_id,
        };
        Ok(HostedOpening {
            opening,
            // The reservation has them.
            terms_ids: Vec::new(),
            term: Some(wish.term),
        })
    }
}

/// Why a reservation that is paid has no link.
pub const PAID: &str = "the reservation is paid or guaranteed already, or about to be";
