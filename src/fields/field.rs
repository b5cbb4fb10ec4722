//! One adopted input: its content, how an edit changes it, and its history.

use super::{FieldId, Message};
use crate::page::element;
use leptos::prelude::document;
use payframe_card_rules::digit::digit_value;
use payframe_card_rules::entry::{
    Entry, Typed, holds_digit, may_change_expiry, type_card_number, type_expiry, type_security_code,
};
use payframe_card_rules::history::History;
use std::cell::{Cell, Ref, RefCell};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{HtmlInputElement, InputEvent};
use zeroize::Zeroize;

/// One field: its input, and what is known of its content.
pub struct Field {
    /// Which one.
    pub id: FieldId,
    /// Whether the session asks for it.
    pub wanted: bool,
    /// In whichever document of our origin it is; in no document while its frame is missing.
    pub(super) input: RefCell<HtmlInputElement>,
    /// What is said about it.
    pub message: Cell<Option<Message>>,
    pub(super) facts: Cell<Facts>,
    /// The content before an edit: the last content of the field, or that at the start of a composition.
    pub(super) before: RefCell<Entry>,
    /// It was marked as wrong, and has not been right since.
    pub(super) was_wrong: Cell<bool>,
    pub(super) history: RefCell<History>,
    pub(super) composing: Cell<bool>,
}

/// What is known of a field's content. Stored, because every keystroke reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Facts {
    pub(super) empty: bool,
    pub(super) complete: bool,
}

impl Field {
    pub(super) fn adopt(id: FieldId, wanted: bool) -> Result<Self, JsValue> {
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

    /// The content of the input, in a copy that is wiped when dropped.
    pub(super) fn text(&self) -> Text {
        let input = self.input();
        Text(match self.id {
            FieldId::Privacy if !input.checked() => String::new(),
            FieldId::Privacy => "true".into(),
            _ => input.value(),
        })
    }

    /// Binds to the current input. It gets the content of the former one, unless it has content of its own.
    pub(super) fn rebind(&self) -> Result<(), JsValue> {
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

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.text().0.trim().is_empty()
    }

    pub(super) fn has_focus(&self) -> bool {
        let input = self.input();
        input
            .owner_document()
            .and_then(|document| document.active_element())
            .is_some_and(|active| active == ***input)
    }

    /// Whether it has the focus. If not, a field with content was left, or filled by a program.
    pub fn is_in_use(&self) -> bool {
        let document = self.input().owner_document();
        self.has_focus() && document.is_some_and(|document| document.has_focus().unwrap_or(true))
    }

    /// Whether its content differs from the last one that was processed, as after a program that fills fields and fires only
    /// `change`.
    pub fn has_unprocessed_value(&self) -> bool {
        self.before.borrow().text != self.text().0
    }

    /// Moves the focus into the field, with the caret at the end.
    pub fn focus(&self) {
        // If the browser refuses the focus, nothing can be done.
        let _ = self.input().focus();
    }

    /// Whether the buyer types at the end of the text.
    pub fn caret_is_at_end(&self) -> bool {
        let caret = self.input().selection_start().ok().flatten();
        self.has_focus() && caret.is_some_and(|caret| caret as usize == self.text().0.len())
    }

    pub(super) fn clear(&self) {
        self.input().set_value("");
        self.input().set_checked(false);
        self.facts.set(EMPTY);
        self.was_wrong.set(false);
        self.before.take();
        self.history.borrow_mut().forget();
    }

    /// Stores the content before an edit, and stops an edit that would change nothing, so that the selection stays. If
    /// the edit is the browser's own undo (`Some(false)`) or redo (`Some(true)`), it is stopped, and [`Self::step`] has to do it.
    pub fn before_edit(&self, event: &InputEvent) -> Option<bool> {
        if !self.id.is_numeric() {
            return None;
        }
        let data = event.data();
        if data.is_none() && self.is_formatted() {
            // An edit without text may be an undo.
            let kind = event.input_type();
            if kind.starts_with("history") {
                event.prevent_default();
                return Some(kind.ends_with("Redo"));
            }
        }
        // A composition is one edit, counted from its start.
        let composing = event.is_composing();
        if !(self.composing.replace(composing) && composing) {
            self.before.replace(self.now());
        }
        let in_vain = data.is_some_and(|mut data| {
            let may_change = match self.id {
                // A slash completes a month of one digit.
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

    /// The composition has ended. Its result is an edit like any other.
    pub fn composed(&self) {
        self.composing.set(false);
    }

    /// Whether a script moves gaps in it, so that the browser drops its own undo history.
    pub fn is_formatted(&self) -> bool {
        matches!(self.id, FieldId::CardNumber | FieldId::Expiry)
    }

    /// Shows the content of one step back, or forth. Gives whether there was such a step.
    pub(super) fn step(&self, forth: bool) -> bool {
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

    /// The content of the input, and its selection.
    pub(super) fn now(&self) -> Entry {
        let input = self.input();
        let place =
            |place: Result<Option<u32>, JsValue>| place.ok().flatten().unwrap_or(0) as usize;
        Entry {
            text: input.value(),
            start: place(input.selection_start()),
            end: place(input.selection_end()),
        }
    }

    pub(super) fn select(&self, start: usize, end: usize) {
        // Text inputs always have a selection.
        let _ = self.input().set_selection_range(start as u32, end as u32);
    }

    /// Rewrites the field after an edit, with the caret behind the same digit. During a composition the field is not touched.
    pub(super) fn format(&self, code_length: u8) -> Edited {
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
        // Behind the dropped text, which is selected.
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
            // Setting the value moves the caret to the end. Setting it there again would cost a layout during
            // the keystroke.
            if caret != text.len() && self.has_focus() {
                self.select(caret, caret);
            }
        }
        Edited {
            overflow,
            ..Edited::of(&before, Text(text))
        }
    }

    /// Applies the field's rule of typing.
    pub(super) fn typed(&self, before: &Entry, raw: &str, caret: usize, code_length: u8) -> Typed {
        match self.id {
            FieldId::CardNumber => type_card_number(before, raw, caret),
            FieldId::Expiry => type_expiry(before, raw, caret),
            _ => type_security_code(before, raw, caret, code_length),
        }
    }

    /// The field was rewritten for the first time; `raw` is its former content. The selection is restored, and what was typed
    /// can be undone step by step.
    pub(super) fn recall(&self, raw: &Entry, code_length: u8) {
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

/// The result of an edit of a field.
pub(super) struct Edited {
    /// Its content now.
    pub(super) text: Text,
    /// It has more digits than any valid value.
    pub(super) overflow: bool,
    /// Whether the content has changed.
    pub(super) changed: bool,
    /// How many digits there were before; 0 if all of them were selected.
    pub(super) digits_before: usize,
}

impl Edited {
    pub(super) fn of(before: &Entry, text: Text) -> Self {
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

/// The selection of `raw`, in the formatted text: from before its first digit to behind its
/// last one. Counted from the end, because zeros are added in front.
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

pub(super) const EMPTY: Facts = Facts {
    empty: true,
    complete: false,
};

/// A copy of the content of a field; wiped when dropped.
pub(super) struct Text(pub(super) String);

impl Text {
    pub(super) fn digits(&self) -> Text {
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

/// The element of a field. If there is none, one outside of every document: it keeps the content of a removed frame.
fn input(id: FieldId) -> Result<HtmlInputElement, JsValue> {
    element(id.id()).or_else(|_| Ok(document().create_element("input")?.unchecked_into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The digits that were selected in the typed text are selected in the formatted text.
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
