//! What the buyer does in the fields, and what follows from it.

use super::{App, announce_assertively};
use crate::fields::FieldId;
use crate::frame_scripts::after_paint;
use crate::task::Task;
use leptos::prelude::*;
use payframe_card_rules::keys::AutoAdvance;
use wasm_bindgen::JsCast;

impl App {
    /// Takes an edit of a field. `typed` says whether it came by key, so that the focus may move on; it is called only when that matters.
    /// Everything else waits until the edit is painted, so that a slow phone shows each key as soon as possible.
    pub fn edited(&'static self, id: FieldId, typed: impl FnOnce() -> bool) {
        self.keys.edited();
        self.typed_in.set(true);
        self.pointed();
        let full = self.fields.edited(id);
        if full && typed() && moves_on() {
            let at_end = self.fields.field(id).caret_is_at_end();
            // Further keys would be lost on a check box.
            let next = self.fields.after(id);
            if let Some(next) = next.filter(|next| at_end && next.id != FieldId::Privacy) {
                self.with_auto_advance(|own| own.moved(id, next.id));
                next.focus();
            }
        }
        if !self.unsettled.replace(true) && after_paint(self.settling.unchecked_ref()).is_err() {
            self.settle();
        }
    }

    /// A field has the focus now, or one of the form's buttons.
    pub fn focused(&self, id: Option<FieldId>) {
        self.with_auto_advance(|own| own.focused(id));
    }

    /// The buyer typed into a field or pressed it by pointer.
    pub fn pointed(&self) {
        self.with_auto_advance(AutoAdvance::over);
    }

    /// Whether Tab or Enter in this field belongs to the last move of the focus that the form made.
    pub fn takes_as_moved(&self, id: FieldId) -> bool {
        self.with_auto_advance(|own| own.takes(id))
    }

    fn with_auto_advance<T>(&self, act: impl FnOnce(&mut AutoAdvance<FieldId>) -> T) -> T {
        let mut own = self.auto_advance.get();
        let answer = act(&mut own);
        self.auto_advance.set(own);
        answer
    }

    /// Whether the buyer typed anything that could be lost, also before the program was loaded.
    pub fn has_been_typed_in(&self) -> bool {
        let mut card = self.fields.wanted().filter(|field| field.id.is_numeric());
        self.typed_in.get() || card.any(|field| !field.is_empty())
    }

    /// Shows what follows from the edits since the last call, and tells the page.
    pub(super) fn settle(&'static self) {
        if self.unsettled.take() {
            self.tell_late_part(Task::BuyerActive);
            self.look_up();
            self.refresh();
            self.report_change();
        }
    }

    /// A program that fills fields may fire only `change`. `change` also follows every other edit.
    pub fn filled(&'static self, id: FieldId) {
        if self.fields.field(id).has_unprocessed_value() {
            self.edited(id, || false);
        }
    }

    /// The buyer pressed undo in a field, or redo (`forth`).
    pub fn stepped(&'static self, id: FieldId, forth: bool) {
        if self.fields.step(id, forth) {
            self.edited(id, || false);
        }
    }

    /// The buyer chose the network at this index of the offered ones.
    pub fn choose_network(&'static self, place: usize) {
        self.fields.choose_network(place);
        self.keys.edited();
        self.refresh();
        self.report_change();
    }

    /// A field lost the focus: from now on it may be marked as wrong.
    pub fn left(&'static self, id: FieldId) {
        if let Some(message) = self.fields.left(id) {
            announce_assertively(&self.fields.sentence(&self.texts, message));
        }
        if self.is_collecting() {
            self.refresh();
            self.report_change();
        }
        if id == FieldId::Email {
            self.later(Task::SuggestEmail);
        }
        self.host.left(id);
    }
}

/// Whether the focus may move on by itself.
fn moves_on() -> bool {
    let root = document().document_element();
    root.and_then(|root| root.get_attribute("data-advance"))
        .as_deref()
        != Some("off")
}
