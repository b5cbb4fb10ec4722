//! What the buyer does in the fields, and what follows from it.

use super::{App, say_urgently};
use crate::fields::FieldId;
use crate::page::{after_paint, suggest_email};
use crate::task::Task;
use leptos::prelude::*;
use payframe_card_rules::keys::OwnMove;
use payframe_protocol::frame::{FieldDetail, FrameMessage};

impl App {
    /// Takes an edit of a field; `typed`: whether by key, so that the focus may move on. Asked for only when it matters.
    /// What can wait until the edit is painted waits: a slow phone shows each key as soon as a form does that only formats.
    pub fn edited(&'static self, id: FieldId, typed: impl FnOnce() -> bool) {
        self.keys.edited();
        self.typed_in.set(true);
        self.pointed();
        let full = self.fields.edited(id);
        if full && typed() && moves_on() {
            let at_end = self.fields.field(id).caret_is_at_end();
            // What is typed on at a tick box would be lost.
            let next = self.fields.after(id);
            if let Some(next) = next.filter(|next| at_end && next.id != FieldId::Privacy) {
                self.with_own_move(|own| own.moved(id, next.id));
                next.focus();
            }
        }
        if !self.unsettled.replace(true) && after_paint(&self.settling).is_err() {
            self.settle();
        }
    }

    /// A field has the focus now, or one of the form's buttons.
    pub fn focused(&self, id: Option<FieldId>) {
        self.with_own_move(|own| own.focused(id));
    }

    /// The buyer typed into a field or pressed it by pointer.
    pub fn pointed(&self) {
        self.with_own_move(OwnMove::over);
    }

    /// Whether Tab or Enter in this field is part of the last move that the form made.
    pub fn takes_as_moved(&self, id: FieldId) -> bool {
        self.with_own_move(|own| own.takes(id))
    }

    fn with_own_move<T>(&self, act: impl FnOnce(&mut OwnMove<FieldId>) -> T) -> T {
        let mut own = self.own_move.get();
        let answer = act(&mut own);
        self.own_move.set(own);
        answer
    }

    /// Whether there is anything to lose that the buyer typed, also before the program came.
    pub fn has_been_typed_in(&self) -> bool {
        let mut card = self.fields.wanted().filter(|field| field.id.is_numeric());
        self.typed_in.get() || card.any(|field| !field.is_empty())
    }

    /// Shows and tells what follows from the edits since this was called last.
    pub(super) fn settle(&'static self) {
        if self.unsettled.take() {
            self.tell_late_part(Task::HearBuyer);
            self.look_up();
            self.refresh();
            self.report_change();
        }
    }

    /// A program that fills fields may say so by `change` alone, which follows any other edit as well.
    pub fn filled(&'static self, id: FieldId) {
        if self.fields.field(id).is_filled_unheard() {
            self.edited(id, || false);
        }
    }

    /// The buyer went a step back in a field, or forth again.
    pub fn stepped(&'static self, id: FieldId, forth: bool) {
        if self.fields.step(id, forth) {
            self.edited(id, || false);
        }
    }

    /// The buyer chose the network at this place of those that are offered.
    pub fn choose_network(&self, place: usize) {
        self.fields.choose_network(place);
        self.keys.edited();
        self.refresh();
        self.report_change();
    }

    /// A field lost the focus: now it may be called wrong.
    pub fn left(&self, id: FieldId) {
        let before = self.states();
        if let Some(message) = self.fields.left(id) {
            say_urgently(&self.fields.sentence(&self.texts, message));
        }
        if self.is_collecting() {
            self.refresh();
            if self.states() != before {
                self.report_change();
            }
        }
        if id == FieldId::Email {
            // Slips in addresses are looked for by a script that comes only then.
            let _ = suggest_email();
        }
        self.host
            .send(&FrameMessage::Blur(FieldDetail { field: id }));
    }
}

/// Whether the focus may move on by itself.
fn moves_on() -> bool {
    let root = document().document_element();
    root.and_then(|root| root.get_attribute("data-advance"))
        .as_deref()
        != Some("off")
}
