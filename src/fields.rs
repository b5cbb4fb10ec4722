//! The inputs, adopted: formatting while typing, checking, reporting. They stand in the form's own page or each in a
//! frame of its own, which may come and go.
//!
//! What the buyer entered lives in the inputs alone. It is read when needed and every copy is wiped at once, so that
//! signals, messages and views hold states of fields and never a digit. Two things are remembered beside the inputs, and
//! wiped with them: what the fields showed last, of the card number and the expiry also before that, for undo; and the
//! first digits that the gateway was asked about. What is said about a field is in [`message`], what the page is told in
//! [`report`].

pub mod message;
pub mod report;

pub use message::Message;
pub use report::Report;

use crate::page::element;
use crate::wire;
use js_sys::Array;
use leptos::prelude::document;
use payframe_card_rules::card_number::{CardNumber, CardNumberError};
use payframe_card_rules::co_badge::{Asking, Choice, CoBadge};
use payframe_card_rules::digit::digit_value;
use payframe_card_rules::disclosure::{Arrival, Disclosure};
use payframe_card_rules::entry::{
    Entry, Typed, holds_digit, may_change_expiry, type_card_number, type_expiry, type_security_code,
};
use payframe_card_rules::expiry::{Date, Expiry};
use payframe_card_rules::history::History;
use payframe_card_rules::holder::{Email, HolderName, HolderNameError};
use payframe_card_rules::network::{
    Network, NetworkSet, SecurityCodePolicy, claimed_network, is_certainly_full,
};
use payframe_card_rules::security_code::{SecurityCode, SecurityCodeError};
use payframe_checkout_flow::decline::Decline;
use std::cell::{Cell, Ref, RefCell};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{HtmlInputElement, InputEvent};
use zeroize::Zeroize;

/// One of the form's inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldId {
    /// `CARD_NUMBER`
    CardNumber,
    /// `EXPIRATION_DATE`
    Expiry,
    /// `SECURITY_CODE`
    SecurityCode,
    /// `CARDHOLDER_NAME`
    HolderName,
    /// `CARDHOLDER_SURNAME`
    HolderSurname,
    /// `CARDHOLDER_EMAIL`
    Email,
    /// `PRIVACY_CONDITIONS`
    Privacy,
}

/// How many fields there can be.
pub const FIELDS: usize = 7;

impl FieldId {
    /// In visual order.
    pub const ALL: [Self; FIELDS] = [
        Self::CardNumber,
        Self::Expiry,
        Self::SecurityCode,
        Self::HolderName,
        Self::HolderSurname,
        Self::Email,
        Self::Privacy,
    ];

    /// The id on the wire and in the page.
    pub fn id(self) -> &'static str {
        match self {
            Self::CardNumber => "CARD_NUMBER",
            Self::Expiry => "EXPIRATION_DATE",
            Self::SecurityCode => "SECURITY_CODE",
            Self::HolderName => "CARDHOLDER_NAME",
            Self::HolderSurname => "CARDHOLDER_SURNAME",
            Self::Email => "CARDHOLDER_EMAIL",
            Self::Privacy => "PRIVACY_CONDITIONS",
        }
    }

    /// The field with this id.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.id() == id)
    }

    /// Whether it is of digits.
    pub fn is_numeric(self) -> bool {
        (self as usize) < Self::HolderName as usize
    }
}

/// One field: the input that shows it, and what is known of its content.
pub struct Field {
    /// Which one.
    pub id: FieldId,
    /// Whether the session asks for it.
    pub wanted: bool,
    /// In whichever document of our origin it stands; out of any while its frame is missing.
    input: RefCell<HtmlInputElement>,
    /// What is said about it.
    pub message: Cell<Option<Message>>,
    facts: Cell<Facts>,
    /// What an edit starts from: what the field showed last, or when a keyboard began to compose.
    before: RefCell<Entry>,
    /// It was called wrong, and has not been right since.
    was_wrong: Cell<bool>,
    history: RefCell<History>,
    composing: Cell<bool>,
}

/// What is known of a field's content. Kept, because every keystroke reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Facts {
    empty: bool,
    complete: bool,
}

impl Field {
    fn adopt(id: FieldId, wanted: bool) -> Result<Self, JsValue> {
        Ok(Self {
            id,
            wanted,
            input: RefCell::new(input(id)?),
            message: Cell::new(None),
            facts: Cell::new(EMPTY),
            before: RefCell::default(),
            was_wrong: Cell::new(false),
            history: RefCell::default(),
            composing: Cell::new(false),
        })
    }

    /// The element.
    pub fn input(&self) -> Ref<'_, HtmlInputElement> {
        self.input.borrow()
    }

    /// What the input shows. Wipe it after use.
    fn text(&self) -> Text {
        let input = self.input();
        Text(match self.id {
            FieldId::Privacy if !input.checked() => String::new(),
            FieldId::Privacy => "true".into(),
            _ => input.value(),
        })
    }

    /// Takes the input that there is now, with what was in the one before unless the new one holds something.
    fn rebind(&self) -> Result<(), JsValue> {
        let input = input(self.id)?;
        let before = self.input.replace(input.clone());
        if self.is_empty() {
            let mut kept = before.value();
            input.set_value(&kept);
            input.set_checked(before.checked());
            kept.zeroize();
        }
        before.set_value("");
        Ok(())
    }

    /// Whether it holds nothing.
    pub fn is_empty(&self) -> bool {
        self.text().0.trim().is_empty()
    }

    fn has_focus(&self) -> bool {
        let input = self.input();
        input
            .owner_document()
            .and_then(|document| document.active_element())
            .is_some_and(|active| active == ***input)
    }

    /// Whether the buyer is in it: without, a field that holds something was left, or filled by a program.
    fn is_in_use(&self) -> bool {
        let document = self.input().owner_document();
        self.has_focus() && document.is_some_and(|document| document.has_focus().unwrap_or(true))
    }

    /// Whether it holds something else than what was taken in last, as after a program that fills fields and says so by
    /// `change` alone.
    pub fn is_filled_unheard(&self) -> bool {
        self.before.borrow().text != self.text().0
    }

    /// Puts the caret at the end and the focus in.
    pub fn focus(&self) {
        // Focus that the browser refuses is not given; there is nothing to mend.
        let _ = self.input().focus();
    }

    /// Whether the buyer types at the end of the text.
    pub fn caret_is_at_end(&self) -> bool {
        let caret = self.input().selection_start().ok().flatten();
        self.has_focus() && caret.is_some_and(|caret| caret as usize == self.text().0.len())
    }

    fn clear(&self) {
        self.input().set_value("");
        self.input().set_checked(false);
        self.facts.set(EMPTY);
        self.was_wrong.set(false);
        self.before.take();
        self.history.borrow_mut().forget();
    }

    /// Remembers what an edit starts from, and stops one that could change nothing, which keeps the selection. Gives whether
    /// the edit is one of the browser's own steps back (`Some(false)`) or forth: they are taken by [`Self::step`] instead.
    pub fn before_edit(&self, event: &InputEvent) -> Option<bool> {
        if !self.id.is_numeric() {
            return None;
        }
        let data = event.data();
        if data.is_none() && self.is_formatted() {
            // What brings no text may be a step back.
            let kind = event.input_type();
            if kind.starts_with("history") {
                event.prevent_default();
                return Some(kind.ends_with("Redo"));
            }
        }
        // What a keyboard composes is one edit, from where it began.
        let composing = event.is_composing();
        if !(self.composing.replace(composing) && composing) {
            self.before.replace(self.now());
        }
        let in_vain = data.is_some_and(|mut data| {
            let may_change = match self.id {
                // A slash ends a month of one digit.
                FieldId::Expiry => may_change_expiry(&data),
                _ => holds_digit(&data),
            };
            let in_vain = !data.is_empty() && !may_change;
            data.zeroize();
            in_vain
        });
        if in_vain {
            event.prevent_default();
        }
        None
    }

    /// The keyboard has composed. What it made is an edit like any other.
    pub fn composed(&self) {
        self.composing.set(false);
    }

    /// Whether gaps move in it, so that the browser forgets what it held.
    pub fn is_formatted(&self) -> bool {
        matches!(self.id, FieldId::CardNumber | FieldId::Expiry)
    }

    /// Shows what there was a step back, or forth again. Gives whether there was one.
    fn step(&self, forth: bool) -> bool {
        let step = {
            let mut history = self.history.borrow_mut();
            if forth {
                history.redo()
            } else {
                history.undo()
            }
        };
        let Some(entry) = step else { return false };
        self.input().set_value(&entry.text);
        self.select(entry.start, entry.end);
        self.before.replace(entry);
        true
    }

    /// What the input shows, and its selection.
    fn now(&self) -> Entry {
        let input = self.input();
        let place =
            |place: Result<Option<u32>, JsValue>| place.ok().flatten().unwrap_or(0) as usize;
        Entry {
            text: input.value(),
            start: place(input.selection_start()),
            end: place(input.selection_end()),
        }
    }

    fn select(&self, start: usize, end: usize) {
        // Text inputs always have a selection.
        let _ = self.input().set_selection_range(start as u32, end as u32);
    }

    /// Rewrites the field after an edit, the caret where the buyer left it. While a keyboard composes, the field is its own.
    fn format(&self, code_length: u8) -> Edited {
        if self.composing.get() || !self.id.is_numeric() {
            let edited = Edited::of(&self.before.borrow(), self.text());
            if !self.composing.get() {
                self.before.borrow_mut().text.clone_from(&edited.text.0);
            }
            return edited;
        }
        let mut now = self.now();
        let raw = Text(std::mem::take(&mut now.text));
        let before = self.before.take();
        // Behind what was dropped, which is selected.
        let caret = now.end;
        let Typed {
            text,
            caret,
            overflow,
        } = self.typed(&before, &raw.0, caret, code_length);
        let after = Entry {
            text: text.clone(),
            start: caret,
            end: caret,
        };
        if self.is_formatted() {
            self.history.borrow_mut().edited(&before, &after);
        }
        self.before.replace(after);
        if text != raw.0 {
            self.input().set_value(&text);
            // A value that is set takes the caret to its end. Setting it there once more would cost a layout in the
            // middle of the keystroke.
            if caret != text.len() && self.has_focus() {
                self.select(caret, caret);
            }
        }
        Edited {
            overflow,
            ..Edited::of(&before, Text(text))
        }
    }

    /// The rule of typing that the field has.
    fn typed(&self, before: &Entry, raw: &str, caret: usize, code_length: u8) -> Typed {
        match self.id {
            FieldId::CardNumber => type_card_number(before, raw, caret),
            FieldId::Expiry => type_expiry(before, raw, caret),
            _ => type_security_code(before, raw, caret, code_length),
        }
    }

    /// The field was rewritten for the first time; `raw` is what was in it. What was selected is so again, and what was typed
    /// goes back step by step.
    fn recall(&self, raw: &Entry, code_length: u8) {
        if !self.id.is_numeric() {
            return;
        }
        let now = self.now();
        if raw.start < raw.end && raw.text != now.text && self.has_focus() {
            let [start, end] = selection_in(&now.text, raw);
            self.select(start, end);
        }
        if self.is_formatted() {
            let typing =
                |before: &Entry, raw: &str, caret| self.typed(before, raw, caret, code_length);
            self.history
                .replace(History::retyped(&raw.text, &now, typing));
        }
    }
}

/// What an edit made of a field.
struct Edited {
    /// What it shows now.
    text: Text,
    /// More was put in than can ever be right.
    overflow: bool,
    /// Whether it showed something else before.
    changed: bool,
    /// How many digits there were before; none where all were selected.
    digits_before: usize,
}

impl Edited {
    fn of(before: &Entry, text: Text) -> Self {
        let all_selected = before.start == 0 && before.end == before.text.len();
        let digits = before.text.bytes().filter(u8::is_ascii_digit).count();
        Self {
            overflow: false,
            changed: before.text != text.0,
            digits_before: if all_selected { 0 } else { digits },
            text,
        }
    }
}

/// Where the selection of `raw` is in the text that its digits are shown by: before the digit that it began with, behind the
/// digit that it ended with. Counted from the end, because zeros are put in front.
fn selection_in(shown: &str, raw: &Entry) -> [usize; 2] {
    let digits_from = |units: usize| {
        let mut place = 0;
        let behind = raw.text.chars().skip_while(|c| {
            place += c.len_utf16();
            place <= units
        });
        behind.filter(|c| digit_value(*c).is_some()).count()
    };
    let place = |digits_behind: usize, beside: usize| {
        let digit_at = |place: &usize| shown.as_bytes()[*place].is_ascii_digit();
        let nth = (0..shown.len()).rev().filter(digit_at).nth(digits_behind);
        nth.map_or(0, |place| place + beside)
    };
    let (from, to) = (digits_from(raw.start), digits_from(raw.end));
    [place(from.saturating_sub(1), 0), place(to, 1)]
}

const EMPTY: Facts = Facts {
    empty: true,
    complete: false,
};

/// A copy of what a field shows; wiped when dropped.
struct Text(String);

impl Text {
    fn digits(&self) -> Text {
        let mut digits = String::with_capacity(self.0.len());
        digits.extend(self.0.chars().filter(char::is_ascii_digit));
        Text(digits)
    }
}

impl Drop for Text {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

/// The element of a field, or one out of any document where there is none: it keeps what a frame that left had in it.
fn input(id: FieldId) -> Result<HtmlInputElement, JsValue> {
    element(id.id()).or_else(|_| Ok(document().create_element("input")?.unchecked_into()))
}

/// All fields and what is known of the card.
pub struct Fields {
    all: [Field; FIELDS],
    accepted: NetworkSet,
    today: Date,
    network: Cell<Option<Network>>,
    /// What the page may hear of the number.
    disclosure: RefCell<Disclosure>,
    /// What the merchant's server stated of the whole, or that the terms are others now: key of its text. It goes with the next
    /// edit.
    pub stated: Cell<Option<&'static str>>,
    co_badge: RefCell<CoBadge>,
    /// The number of a look-up that is due.
    due: Cell<Option<u32>>,
    /// The network of the kept card that the buyer chose, of which only the security code is asked.
    saved: Cell<Option<Network>>,
}

impl Fields {
    /// Adopts the inputs of the session's fields. `wanted`: which these are; `accepted`: the networks of the session; `asking`: which
    /// ranges the gateway is asked about; `today`:
    /// the gateway's date.
    ///
    /// # Errors
    /// If the browser can't make an element.
    pub fn adopt(
        wanted: impl Fn(FieldId) -> bool,
        accepted: NetworkSet,
        asking: Asking,
        today: Date,
    ) -> Result<Self, JsValue> {
        let [number, expiry, code, name, surname, email, privacy] =
            FieldId::ALL.map(|id| Field::adopt(id, wanted(id)));
        Ok(Self {
            all: [number?, expiry?, code?, name?, surname?, email?, privacy?],
            accepted,
            today,
            network: Cell::new(None),
            disclosure: RefCell::new(Disclosure::new(accepted)),
            stated: Cell::new(None),
            co_badge: RefCell::new(CoBadge::new(asking)),
            due: Cell::new(None),
            saved: Cell::new(None),
        })
    }

    /// Those that the buyer is asked for, in visual order.
    pub fn wanted(&self) -> impl Iterator<Item = &Field> {
        self.all
            .iter()
            .filter(|field| field.wanted && self.asks(field.id))
    }

    /// Whether it is asked of the card: a kept one is known but for its security code.
    pub fn asks(&self, id: FieldId) -> bool {
        self.saved.get().is_none() || matches!(id, FieldId::SecurityCode | FieldId::Privacy)
    }

    /// The field that a refusal of the issuer is shown at.
    pub fn concerned(&self, decline: Decline) -> Option<FieldId> {
        let field = decline.field().and_then(FieldId::from_id);
        field.filter(|id| self.asks(*id))
    }

    /// The buyer chose a kept card of this network, or, without one, to enter a card.
    pub fn choose_saved(&self, network: Option<Network>) {
        self.saved.set(network);
        // It was another card's.
        self.forget_security_code();
        self.field(FieldId::SecurityCode).message.set(None);
        self.follow_code();
    }

    /// The frame of a field came or went: takes the input that there is now.
    ///
    /// # Errors
    /// If the browser can't make an element.
    pub fn rebind(&self, id: FieldId) -> Result<(), JsValue> {
        self.field(id).rebind()?;
        self.edited(id);
        Ok(())
    }

    /// Those that there is something to enter in: a card without a security code has no field for it.
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

    /// The card's network, once certain: of two, the one that would be used now. One that the session does not take is not
    /// shown.
    pub fn network(&self) -> Option<Network> {
        self.network_or(self.network.get())
    }

    /// The network of the kept card, else the one that was chosen, else the one that the digits are of.
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

    /// Whether a choice is gone because the number is another one.
    pub fn choice_is_withdrawn(&self) -> bool {
        self.co_badge.borrow().is_withdrawn()
    }

    /// The buyer chose the network at this place of those that are offered.
    pub fn choose_network(&self, place: usize) {
        self.co_badge.borrow_mut().choose(place);
        self.follow_code();
    }

    /// The number of a look-up that has become due since this was asked last.
    pub fn take_due_look_up(&self) -> Option<u32> {
        self.due.take()
    }

    /// Whether a look-up with this number is about the range that is there now.
    pub fn is_latest(&self, turn: u32) -> bool {
        self.co_badge.borrow().range(turn).is_some()
    }

    /// What the gateway said of the range holds no more.
    pub fn look_up_anew(&self) {
        self.due.set(self.co_badge.borrow_mut().again());
    }

    /// What a look-up is about, if nothing newer is in question. To be sent to the gateway.
    pub fn look_up(&self, turn: u32) -> Option<JsValue> {
        let co_badge = self.co_badge.borrow();
        Some(wire::object(&[("bin", co_badge.range(turn)?)]))
    }

    /// Takes the answer to a look-up.
    pub fn looked_up(&self, turn: u32, networks: NetworkSet, preferred: Option<Network>) {
        let networks = networks.intersection(self.accepted);
        self.co_badge
            .borrow_mut()
            .answered(turn, networks, preferred);
        self.follow_code();
    }

    /// The network whose security code the card has. Told apart when the page may hear of it, because the page hears whether
    /// the code is complete.
    fn code_network(&self) -> Option<Network> {
        let entered = || {
            self.co_badge
                .borrow()
                .code_network(self.disclosure.borrow().network(), self.accepted)
        };
        self.saved.get().or_else(entered)
    }

    /// Whether the card has a security code, as far as is known.
    pub fn code_policy(&self) -> SecurityCodePolicy {
        self.code_network()
            .map_or(SecurityCodePolicy::Required, Network::security_code_policy)
    }

    /// Takes an edit: formats, follows the network, lets go of a message whose cause is gone. Gives whether the field is now
    /// full, so that the next one may have the focus.
    pub fn edited(&self, id: FieldId) -> bool {
        self.take(id, None)
    }

    /// The buyer went a step back in a field, or forth again. Gives whether there was one.
    pub fn step(&self, id: FieldId, forth: bool) -> bool {
        let stepped = self.field(id).step(forth);
        if stepped {
            self.take(id, Some(Arrival::ByParts));
        }
        stepped
    }

    /// Takes an edit. `arrival`: how it came, where it is not to be told from what the field showed last.
    fn take(&self, id: FieldId, arrival: Option<Arrival>) -> bool {
        self.stated.set(None);
        let field = self.field(id);
        let mut edited = field.format(self.code_length());
        edited.changed |= arrival.is_some();
        let text = &edited.text;
        let full = match id {
            FieldId::CardNumber => {
                let digits = text.0.bytes().filter(u8::is_ascii_digit).count();
                let arrival = arrival.unwrap_or(Arrival::of(edited.digits_before, digits));
                self.follow_network(text, edited.changed.then_some(arrival))
            }
            // More are there while the year was typed first.
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

    /// Takes the network from the number; the security code's rule follows it. `arrival`: how its digits came, if they are
    /// others now. Gives whether no digit can follow.
    fn follow_network(&self, number: &Text, arrival: Option<Arrival>) -> bool {
        let code_network = self.code_network();
        let digits = number.digits();
        if let Some(arrival) = arrival {
            let is_in_use = self.field(FieldId::CardNumber).is_in_use();
            let mut disclosure = self.disclosure.borrow_mut();
            disclosure.edited(&digits.0, arrival);
            if !is_in_use {
                disclosure.judged(&digits.0);
            }
        }
        self.network.set(claimed_network(&digits.0, self.accepted));
        let due = self.co_badge.borrow_mut().follow(&digits.0, self.accepted);
        self.due.set(due.or(self.due.get()));
        // At most keys it is the same, and the code is not read.
        if self.code_network() != code_network {
            self.follow_code();
        }
        is_certainly_full(&digits.0)
    }

    /// The security code's rule may be another one now: what is known and said of the code follows it.
    fn follow_code(&self) {
        let code = self.field(FieldId::SecurityCode);
        if self.code_policy() == SecurityCodePolicy::None && !code.is_empty() {
            code.clear();
        }
        let verdict = self.judge(FieldId::SecurityCode);
        code.facts.set(Facts {
            complete: verdict.is_ok(),
            empty: code.is_empty(),
        });
        if code.message.get().is_some_and(|message| !message.stated) {
            code.message.set(verdict.err());
        }
    }

    /// Judges a field that was left. An empty one is not wrong before the first submit, unless it was wrong before it was
    /// emptied; what was stated holds until the first edit. Gives the message to announce.
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
            if !disclosure.judged(&text.digits().0) {
                return None;
            }
            if verdict.is_ok() {
                disclosure.left_good();
            }
        }
        field.message.set(verdict.err());
        verdict.err()
    }

    /// Judges all fields, as a submit does. Gives the first that is wrong.
    pub fn check(&self) -> Option<(FieldId, Message)> {
        let mut first = None;
        self.stated.set(None);
        let number = self.field(FieldId::CardNumber).text().digits();
        self.disclosure.borrow_mut().judged(&number.0);
        for field in self.open() {
            let message = self.judge(field.id).err();
            // A message of the issuer stays until the entry is another one.
            let stated = field.message.get().filter(|message| message.stated);
            let message = message.or(stated);
            field.message.set(message);
            first = first.or(message.map(|message| (field.id, message)));
        }
        first
    }

    /// What is entered is being sent.
    pub fn sent(&self) {
        if self.saved.get().is_none() {
            self.disclosure.borrow_mut().sent();
        }
    }

    fn judge(&self, id: FieldId) -> Result<(), Message> {
        self.judge_text(id, &self.field(id).text())
    }

    fn judge_text(&self, id: FieldId, text: &Text) -> Result<(), Message> {
        match id {
            FieldId::CardNumber => {
                CardNumber::parse(&text.0, self.accepted)
                    .map(drop)
                    .map_err(|problem| Message {
                        brand: match problem {
                            CardNumberError::NotAccepted(network) => Some(network),
                            _ => None,
                        },
                        count: match problem {
                            CardNumberError::CheckDigit => text.0.len() as u8,
                            _ => 0,
                        },
                        ..Message::of(problem.code())
                    })
            }
            FieldId::Expiry => Expiry::parse(&text.0, self.today)
                .map(drop)
                .map_err(|problem| Message::of(problem.code())),
            FieldId::SecurityCode => SecurityCode::parse(&text.0, self.code_network())
                .map(drop)
                .map_err(|problem| Message {
                    count: match problem {
                        SecurityCodeError::Length(count) if self.code_network().is_some() => count,
                        _ => 0,
                    },
                    ..Message::of(problem.code())
                }),
            FieldId::HolderName => HolderName::parse(&text.0)
                .map(drop)
                .map_err(|problem| Message::of(problem.code())),
            FieldId::HolderSurname => HolderName::parse(&text.0).map(drop).map_err(|problem| {
                Message::of(match problem {
                    HolderNameError::Empty => "holder_surname_empty",
                    _ => problem.code(),
                })
            }),
            FieldId::Email => Email::parse(&text.0)
                .map(drop)
                .map_err(|problem| Message::of(problem.code())),
            FieldId::Privacy if text.0.is_empty() => Err(Message::of("privacy_empty")),
            FieldId::Privacy => Ok(()),
        }
    }

    /// How many digits the security code has; three while the network is open.
    fn code_length(&self) -> u8 {
        match self.code_network() {
            Some(network) => network.security_code_length(),
            // Typed before the number: judged only once the brand is known.
            None => 4,
        }
    }

    /// The card data as it is sent (5.3). `None` if a field is wrong.
    pub fn card_data(&self) -> Option<JsValue> {
        let items = Array::new();
        if let Some(choice) = self.choice() {
            items.push(&wire::object(&[
                ("id", "PREFERRED_NETWORK"),
                ("value", choice.chosen.code()),
                ("chosenBy", choice.by.code()),
            ]));
        }
        for field in self.open() {
            let text = field.text();
            self.judge_text(field.id, &text).ok()?;
            let plain = self.plain(field.id, &text)?;
            items.push(&wire::object(&[("id", field.id.id()), ("value", &plain.0)]));
        }
        Some(items.into())
    }

    /// The value of a field that was judged good, as the gateway takes it. To be sent there: the one place where digits leave
    /// the documents.
    fn plain(&self, id: FieldId, text: &Text) -> Option<Text> {
        Some(match id {
            FieldId::CardNumber | FieldId::SecurityCode => text.digits(),
            FieldId::Expiry => Text(Expiry::parse(&text.0, self.today).ok()?.mmyy()),
            FieldId::HolderName | FieldId::HolderSurname => {
                Text(HolderName::parse(&text.0).ok()?.as_str().into())
            }
            FieldId::Email | FieldId::Privacy => Text(text.0.trim().into()),
        })
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

    /// The number's field was emptied by the form.
    fn forget_number(&self) {
        self.follow_network(&Text(String::new()), Some(Arrival::ByParts));
    }

    /// Formats what was typed before the form was live, and judges the fields that were left since. Gives the message to
    /// announce.
    pub fn take_over(&self) -> Option<Message> {
        let mut first = None;
        for field in self.wanted().filter(|field| !field.is_empty()) {
            let raw = field.now();
            self.take(field.id, Some(Arrival::ByParts));
            field.recall(&raw, self.code_length());
            if !field.is_in_use() {
                first = first.or(self.left(field.id));
            }
        }
        first
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is selected of what was typed is selected of what is shown.
    #[test]
    fn selection_stays_on_its_digits() {
        for (raw, start, end, shown, expected) in [
            ("47617300", 2, 6, "4761 7300", "47[61 73]00"),
            ("47617300", 0, 8, "4761 7300", "[4761 7300]"),
            ("47617300", 4, 8, "4761 7300", "4761 [7300]"),
            ("47617300", 0, 4, "4761 7300", "[4761] 7300"),
            ("430", 0, 3, "04 / 30", "0[4 / 30]"),
            ("430", 1, 3, "04 / 30", "04 / [30]"),
            ("４７６１７", 0, 5, "4761 7", "[4761 7]"),
        ] {
            let raw = Entry {
                text: raw.into(),
                start,
                end,
            };
            let [start, end] = selection_in(shown, &raw);
            let marked = [&shown[..start], "[", &shown[start..end], "]", &shown[end..]].concat();
            assert_eq!(marked, expected);
        }
    }
}
