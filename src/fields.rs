//! The adopted inputs: formatting while typing, checking, reporting. They are in the form's own page, or each in a
//! frame of its own, which may be added and removed.
//!
//! What the buyer entered is in the inputs only. It is read when needed and every copy is wiped at once, so that
//! signals, messages and views hold states of fields and never a digit. Two things are kept beside the inputs, and
//! wiped with them: the last content of the fields (for undo also the earlier content of card number and expiry), and the
//! first digits of the latest look-up. [`message`] has the messages about a field, [`report`] has what the page is told.

mod field;
pub mod message;
pub mod report;
mod validation;

pub use field::Field;
use field::{Facts, Text};
pub use message::Message;
pub use payframe_protocol::field_id::{FIELDS, FieldId};
pub use report::Report;

use crate::page::mark;
use crate::wire;
use payframe_card_rules::co_badge::{Asking, Choice, CoBadge};
use payframe_card_rules::disclosure::{DigitInput, Disclosure};
use payframe_card_rules::expiry::Date;
use payframe_card_rules::network::{
    Network, NetworkSet, SecurityCodePolicy, claimed_network, is_certainly_full,
};
use payframe_checkout_flow::decline::Decline;
use std::cell::{Cell, RefCell};
use wasm_bindgen::JsValue;

/// All fields and what is known of the card.
pub struct Fields {
    /// In visual order, as in [`FieldId::ALL`].
    all: Vec<Field>,
    accepted: NetworkSet,
    today: Cell<Date>,
    network: Cell<Option<Network>>,
    /// What the page may be told about the number.
    disclosure: RefCell<Disclosure>,
    /// Key of a text about the whole form: an error that the merchant's server stated, or that the terms have changed. Removed at the next
    /// edit.
    pub stated: Cell<Option<&'static str>>,
    co_badge: RefCell<CoBadge>,
    /// The id of a look-up that is due.
    due: Cell<Option<u32>>,
    /// The network of the saved card that the buyer chose. For such a card only the security code is asked.
    saved: Cell<Option<Network>>,
}

impl Fields {
    /// Adopts the inputs of the session's fields. `wanted`: whether the session has a field; `accepted`: the networks of the session; `asking`: which
    /// ranges the gateway is asked about; `today`: the gateway's date.
    ///
    /// # Errors
    /// If the browser can't make an element.
    pub fn adopt(
        wanted: impl Fn(FieldId) -> bool,
        accepted: NetworkSet,
        asking: Asking,
        today: Date,
    ) -> Result<Self, JsValue> {
        let all = FieldId::ALL
            .into_iter()
            .map(|id| Field::adopt(id, wanted(id)));
        Ok(Self {
            all: all.collect::<Result<_, _>>()?,
            accepted,
            today: Cell::new(today),
            network: Cell::new(None),
            disclosure: RefCell::new(Disclosure::new(accepted)),
            stated: Cell::new(None),
            co_badge: RefCell::new(CoBadge::new(asking)),
            due: Cell::new(None),
            saved: Cell::new(None),
        })
    }

    /// The fields that the buyer is asked for, in visual order.
    pub fn wanted(&self) -> impl Iterator<Item = &Field> {
        self.all
            .iter()
            .filter(|field| field.wanted && self.asks(field.id))
    }

    /// Whether this field is asked for: of a saved card only the security code is.
    pub fn asks(&self, id: FieldId) -> bool {
        self.saved.get().is_none() || matches!(id, FieldId::SecurityCode | FieldId::Privacy)
    }

    /// The field at which a refusal of the issuer is shown.
    pub fn field_of_decline(&self, decline: Decline) -> Option<FieldId> {
        let field = decline.field().and_then(FieldId::from_id);
        field.filter(|id| self.asks(*id))
    }

    /// The field that gets the focus after a refusal: the number if another card is needed, else the security code, which is asked again.
    pub fn next_after(&self, decline: Decline) -> FieldId {
        self.field_of_decline(decline).unwrap_or(
            if decline.wants_another_card() && self.asks(FieldId::CardNumber) {
                FieldId::CardNumber
            } else {
                FieldId::SecurityCode
            },
        )
    }

    /// The first field that the buyer has to fill in, else the first one.
    pub fn first_to_fill(&self) -> Option<FieldId> {
        let missing = self.open().find(|field| !field.facts.get().complete);
        missing.or_else(|| self.open().next()).map(|field| field.id)
    }

    /// The buyer chose a saved card of this network, or, with `None`, to enter a card.
    pub fn choose_saved(&self, network: Option<Network>) {
        self.saved.set(network);
        // The code belongs to another card.
        self.forget_security_code();
        self.field(FieldId::SecurityCode).message.set(None);
        self.follow_code();
    }

    /// The frame of a field appeared or was removed: binds the field to its current input.
    ///
    /// # Errors
    /// If the browser can't make an element.
    pub fn rebind(&self, id: FieldId) -> Result<(), JsValue> {
        self.field(id).rebind()?;
        // An input that replaces another one is as much in use.
        let unused = !self.asks(id);
        mark(&self.field(id).input(), "disabled", unused.then_some(""));
        self.edited(id);
        Ok(())
    }

    /// The fields that can be filled in: a card without a security code has no field for it.
    fn open(&self) -> impl Iterator<Item = &Field> {
        let no_code = self.code_policy() == SecurityCodePolicy::None;
        self.wanted()
            .filter(move |field| !(no_code && field.id == FieldId::SecurityCode))
    }

    /// The field before this one, in visual order.
    pub fn before(&self, id: FieldId) -> Option<&Field> {
        self.open().take_while(|field| field.id != id).last()
    }

    /// The field after this one.
    pub fn after(&self, id: FieldId) -> Option<&Field> {
        self.open().skip_while(|field| field.id != id).nth(1)
    }

    /// One of them.
    pub fn field(&self, id: FieldId) -> &Field {
        &self.all[id as usize]
    }

    /// The card's network, once certain: of two networks, the one that would be used now. A network that the session does not take is not
    /// shown.
    pub fn network(&self) -> Option<Network> {
        self.network_or(self.network.get())
    }

    /// The network of the saved card, else the one that was chosen, else the one to which the digits belong.
    fn network_or(&self, claimed: Option<Network>) -> Option<Network> {
        let claimed = || claimed.filter(|network| network.is_taken(self.accepted));
        self.saved
            .get()
            .or_else(|| self.choice().map(|choice| choice.chosen))
            .or_else(claimed)
    }

    /// The networks to choose from.
    pub fn choice(&self) -> Option<Choice> {
        let choice = self.co_badge.borrow().choice();
        choice.filter(|_| self.saved.get().is_none())
    }

    /// Whether a choice was withdrawn because the number has changed.
    pub fn choice_is_withdrawn(&self) -> bool {
        self.co_badge.borrow().is_withdrawn()
    }

    /// The buyer chose the network at this place of those that are offered.
    pub fn choose_network(&self, place: usize) {
        self.co_badge.borrow_mut().choose(place);
        self.follow_code();
    }

    /// The id of a look-up that has become due since the last call.
    pub fn take_due_look_up(&self) -> Option<u32> {
        self.due.take()
    }

    /// Whether the look-up with this id is about the current range.
    pub fn is_latest(&self, look_up_id: u32) -> bool {
        self.co_badge.borrow().range(look_up_id).is_some()
    }

    /// Continues in another session: see [`Self::adopt`] for the arguments.
    pub fn renew(&self, asking: Asking, today: Date) {
        self.today.set(today);
        self.co_badge.borrow_mut().ask(asking);
    }

    /// Drops the answer to the last look-up: another look-up becomes due.
    pub fn look_up_anew(&self) {
        self.due.set(self.co_badge.borrow_mut().again());
    }

    /// The first digits of a look-up, if it is the latest. Only to be sent to the gateway.
    pub fn look_up(&self, look_up_id: u32) -> Option<JsValue> {
        let co_badge = self.co_badge.borrow();
        Some(wire::object(&[("bin", co_badge.range(look_up_id)?)]))
    }

    /// Takes the answer to a look-up.
    pub fn looked_up(&self, look_up_id: u32, networks: NetworkSet, preferred: Option<Network>) {
        let networks = networks.intersection(self.accepted);
        self.co_badge
            .borrow_mut()
            .answered(look_up_id, networks, preferred);
        self.follow_code();
    }

    /// The network whose rule the security code follows. It is used only once the page may know the network, because the page is told whether
    /// the code is complete.
    fn code_network(&self) -> Option<Network> {
        let entered = || {
            self.co_badge
                .borrow()
                .code_network(self.disclosure.borrow().network(), self.accepted)
        };
        self.saved.get().or_else(entered)
    }

    /// Whether the card has a security code, as far as it is known.
    pub fn code_policy(&self) -> SecurityCodePolicy {
        self.code_network()
            .map_or(SecurityCodePolicy::Required, Network::security_code_policy)
    }

    /// Takes an edit: formats, updates the network, removes a message whose cause is gone. Gives whether the field is now
    /// full, so that the next field may get the focus.
    pub fn edited(&self, id: FieldId) -> bool {
        self.take(id, None)
    }

    /// Undo in a field, or redo (`forth`). Gives whether there was a step.
    pub fn step(&self, id: FieldId, forth: bool) -> bool {
        let stepped = self.field(id).step(forth);
        if stepped {
            self.take(id, Some(DigitInput::ByParts));
        }
        stepped
    }

    /// Takes an edit. `arrival`: how its digits came, if that can not be derived from the last content of the field.
    fn take(&self, id: FieldId, arrival: Option<DigitInput>) -> bool {
        self.stated.set(None);
        let field = self.field(id);
        let mut edited = field.format(self.code_length());
        edited.changed |= arrival.is_some();
        let text = &edited.text;
        let full = match id {
            FieldId::CardNumber => {
                let digits = text.0.bytes().filter(u8::is_ascii_digit).count();
                let arrival = arrival.unwrap_or(DigitInput::of(edited.digits_before, digits));
                self.follow_network(text, edited.changed.then_some(arrival))
            }
            // There are more digits while the year is typed first.
            FieldId::Expiry => text.digits().0.len() == 4,
            FieldId::SecurityCode => self.code_network().is_some(),
            _ => false,
        };
        let verdict = self.judge_text(id, text);
        let empty = text.0.trim().is_empty();
        field.facts.set(Facts {
            empty,
            complete: verdict.is_ok(),
        });
        let said = field.message.get();
        let was_wrong = said.is_some() || field.was_wrong.get();
        field.was_wrong.set(was_wrong && verdict.is_err());
        field.message.set(match verdict {
            Err(wrong) if edited.overflow => Some(wrong),
            Err(wrong) => said.filter(|said| said.holds_where(wrong)),
            Ok(()) => None,
        });
        verdict.is_ok() && full
    }

    /// Derives the network from the number; the rule of the security code follows it. `arrival`: how the digits came, if they
    /// have changed. Gives whether no further digit can follow.
    fn follow_network(&self, number: &Text, arrival: Option<DigitInput>) -> bool {
        let code_network = self.code_network();
        let digits = number.digits();
        if let Some(arrival) = arrival {
            let is_in_use = self.field(FieldId::CardNumber).is_in_use();
            let mut disclosure = self.disclosure.borrow_mut();
            disclosure.edited(&digits.0, arrival);
            if !is_in_use {
                disclosure.record_verdict(&digits.0);
            }
        }
        self.network.set(claimed_network(&digits.0, self.accepted));
        let due = self.co_badge.borrow_mut().follow(&digits.0, self.accepted);
        self.due.set(due.or(self.due.get()));
        // With most keys it stays the same; then the code is not read.
        if self.code_network() != code_network {
            self.follow_code();
        }
        is_certainly_full(&digits.0)
    }

    /// The rule of the security code may have changed: updates the state and the message of the code.
    fn follow_code(&self) {
        let code = self.field(FieldId::SecurityCode);
        if self.code_policy() == SecurityCodePolicy::None && !code.is_empty() {
            code.clear();
        }
        let verdict = self.validate(FieldId::SecurityCode);
        code.facts.set(Facts {
            complete: verdict.is_ok(),
            empty: code.is_empty(),
        });
        if code.message.get().is_some_and(|message| !message.stated) {
            code.message.set(verdict.err());
        }
    }

    /// Checks a field that was left. An empty field is not wrong before the first submit, unless it was wrong before it was
    /// emptied; a message of the gateway or the issuer stays until the first edit. Gives the message to announce.
    pub fn left(&self, id: FieldId) -> Option<Message> {
        let field = self.field(id);
        let text = field.text();
        let untouched = text.0.trim().is_empty() && !field.was_wrong.get();
        if untouched || field.message.get().is_some_and(|said| said.stated) {
            return None;
        }
        let verdict = self.judge_text(id, &text);
        if id == FieldId::CardNumber {
            let mut disclosure = self.disclosure.borrow_mut();
            if !disclosure.record_verdict(&text.digits().0) {
                return None;
            }
            if verdict.is_ok() {
                disclosure.left_good();
            }
        }
        field.message.set(verdict.err());
        verdict.err()
    }

    /// Checks all fields, as a submit does. Gives the first one that is wrong.
    pub fn check(&self) -> Option<(FieldId, Message)> {
        let mut first = None;
        self.stated.set(None);
        let number = self.field(FieldId::CardNumber).text().digits();
        self.disclosure.borrow_mut().record_verdict(&number.0);
        for field in self.open() {
            let message = self.validate(field.id).err();
            // A message of the gateway or the issuer stays until the entry changes.
            let stated = field.message.get().filter(|message| message.stated);
            let message = message.or(stated);
            field.message.set(message);
            first = first.or(message.map(|message| (field.id, message)));
        }
        first
    }

    /// The entry is being sent.
    pub fn sent(&self) {
        if self.saved.get().is_none() {
            self.disclosure.borrow_mut().sent();
        }
    }

    /// Empties the security code: the gateway has it.
    pub fn forget_security_code(&self) {
        self.field(FieldId::SecurityCode).clear();
    }

    /// Empties everything.
    pub fn clear(&self) {
        self.stated.set(None);
        for field in &self.all {
            field.clear();
            field.message.set(None);
        }
        self.forget_number();
        self.follow_code();
    }

    /// The form emptied the field of the number.
    fn forget_number(&self) {
        self.follow_network(&Text(String::new()), Some(DigitInput::ByParts));
    }

    /// Formats what was typed before the form was live, and checks the fields that were left in that time. Gives the message to
    /// announce.
    pub fn take_over(&self) -> Option<Message> {
        let mut first = None;
        for field in self.wanted().filter(|field| !field.is_empty()) {
            let raw = field.now();
            self.take(field.id, Some(DigitInput::ByParts));
            field.recall(&raw, self.code_length());
            if !field.is_in_use() {
                first = first.or(self.left(field.id));
            }
        }
        first
    }
}
