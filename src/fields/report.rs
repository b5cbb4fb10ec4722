//! What the shop's page is told about the fields: states and, if the session allows it, first and last digits.
//!
//! It is less than the buyer sees: of the card number only what [`payframe_card_rules::disclosure`] lets through.

use super::{FIELDS, Facts, Field, FieldId, Fields, Message};
use crate::texts::Texts;
use payframe_card_rules::card_number::CardNumber;
use payframe_card_rules::network::{Network, NetworkSet};
use payframe_protocol::frame::{FieldError, FieldReport};

/// Everything that the page is told about the fields; compared, so that nothing is told twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    network: Option<Network>,
    candidates: NetworkSet,
    fields: [LastReported; FIELDS],
    /// Whether first and last digits are told.
    digits: bool,
}

/// What the page is told about one field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LastReported {
    facts: Facts,
    message: Option<Message>,
}

impl Fields {
    /// The current report. `digits`: whether the session allows some.
    pub fn report(&self, digits: bool) -> Report {
        Report {
            network: self.reported_network(),
            candidates: self.candidates(),
            fields: FieldId::ALL.map(|id| self.reported(self.field(id))),
            digits: digits && self.disclosure.borrow().tells_digits(),
        }
    }

    /// The state of each field, for the page.
    pub fn reports(&self, texts: &Texts) -> Vec<FieldReport> {
        let report = |field: &Field| {
            let LastReported { facts, message } = self.reported(field);
            FieldReport {
                id: field.id,
                empty: facts.empty,
                complete: facts.complete,
                error: message.map(|message| message.code.into()),
                message: message.map(|message| self.sentence(texts, message)),
            }
        };
        self.wanted().map(report).collect()
    }

    /// The message codes of the fields, without any value.
    pub fn faults(&self) -> Vec<FieldError> {
        let said = self
            .wanted()
            .filter_map(|field| Some((field.id, self.reported(field).message?)));
        said.map(|(id, message)| FieldError {
            field: id,
            code: message.code.into(),
        })
        .collect()
    }

    /// Whether every field holds a valid value, as far as the page is told.
    pub fn are_complete(&self) -> bool {
        self.wanted()
            .all(|field| self.reported(field).facts.complete)
    }

    /// The card's network, as the page may know it.
    pub fn reported_network(&self) -> Option<Network> {
        self.network_or(self.disclosure.borrow().network())
    }

    /// The networks that are possible, as far as the page may know.
    pub fn candidates(&self) -> NetworkSet {
        self.disclosure.borrow().candidates()
    }

    /// First six and last four digits of a valid number, while they may be told. Only for a session whose merchant asked for
    /// them.
    pub fn summary(&self) -> Option<(String, String)> {
        if self.saved.get().is_some() || !self.disclosure.borrow().tells_digits() {
            return None;
        }
        let text = self.field(FieldId::CardNumber).text();
        let number = CardNumber::parse(&text.0, self.accepted).ok()?;
        Some((number.bin(6).into(), number.last4().into()))
    }

    /// Last four digits of the number in the form, for the buyer's own eyes. Empty if no number is asked for.
    pub fn typed_last4(&self) -> String {
        if !self.asks(FieldId::CardNumber) {
            return String::new();
        }
        let digits = self.field(FieldId::CardNumber).text().digits();
        let start = digits.0.len().saturating_sub(4);
        digits.0.get(start..).unwrap_or_default().into()
    }

    fn reported(&self, field: &Field) -> LastReported {
        let mut reported = LastReported {
            facts: field.facts.get(),
            message: field.message.get(),
        };
        if field.id == FieldId::CardNumber {
            let disclosure = self.disclosure.borrow();
            reported.facts.complete &= disclosure.tells_good();
            reported.message = reported
                .message
                .filter(|message| message.stated || disclosure.tells_fault());
        }
        reported
    }
}
