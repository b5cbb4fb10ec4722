//! Undo and redo of a field whose text is formatted while it is typed.
//!
//! A browser drops a field's undo history as soon as a script writes into it, so the form keeps the edits itself. Use it
//! for fields whose gaps move; for other fields the browser's own undo is better. Every step that is
//! dropped is wiped from memory.

use crate::entry::{Entry, Typed};
use zeroize::Zeroizing;

/// The edits of a field, oldest first, and how many of them are done at the moment.
#[derive(Debug, Default)]
pub struct History {
    edits: Vec<[Entry; 2]>,
    done: usize,
}

impl History {
    /// The edits of a text that was typed before the form was live, as if it was typed character by character at the end. `shown` is what
    /// the field shows of it now, `typing` the function of [`crate::entry`] for the field. If typing would not have led to `shown`, as with a
    /// date that was pasted in another form, the whole is one step.
    #[must_use]
    pub fn retyped(
        text: &str,
        shown: &Entry,
        typing: impl Fn(&Entry, &str, usize) -> Typed,
    ) -> Self {
        let mut history = Self::default();
        let mut now = Entry::default();
        // Room for the gaps as well, so that no growing leaves a copy behind.
        let mut raw = Zeroizing::new(String::with_capacity(text.len() + shown.text.len() + 8));
        for key in text.chars() {
            raw.clear();
            raw.push_str(&now.text);
            raw.push(key);
            let typed = typing(&now, &raw, raw.encode_utf16().count());
            let after = Entry {
                text: typed.text,
                start: typed.caret,
                end: typed.caret,
            };
            history.edited(&now, &after);
            now = after;
        }
        if now.text != shown.text {
            history.forget();
            history.edited(&Entry::default(), shown);
        }
        history
    }

    /// Records an edit. An edit that did not change the text is ignored. Undone edits are dropped.
    pub fn edited(&mut self, before: &Entry, after: &Entry) {
        if before.text == after.text {
            return;
        }
        self.edits.truncate(self.done);
        if self.done == MOST {
            self.edits.remove(0);
        }
        self.edits.push([before.clone(), after.clone()]);
        self.done = self.edits.len();
    }

    /// The content before the latest edit that is not undone, with the caret or selection at the place of the edit.
    pub fn undo(&mut self) -> Option<Entry> {
        self.done = self.done.checked_sub(1)?;
        self.edits.get(self.done).map(|[before, _]| before.clone())
    }

    /// The content after the edit that was undone last, with the caret behind the change.
    pub fn redo(&mut self) -> Option<Entry> {
        let [_, after] = self.edits.get(self.done)?;
        self.done += 1;
        Some(after.clone())
    }

    /// Forgets everything.
    pub fn forget(&mut self) {
        *self = Self::default();
    }
}

/// More keys than any card number needs, mistakes and all.
const MOST: usize = 100;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::{type_card_number, type_expiry};
    use proptest::prelude::*;

    fn entry(text: &str, caret: usize) -> Entry {
        Entry {
            text: text.into(),
            start: caret,
            end: caret,
        }
    }

    /// A field that is typed into at its end, key by key.
    fn type_keys(history: &mut History, keys: &str) -> Entry {
        let mut now = Entry::default();
        for key in keys.chars() {
            let raw = format!("{}{key}", now.text);
            let typed = type_card_number(&now, &raw, raw.len());
            let after = entry(&typed.text, typed.caret);
            history.edited(&now, &after);
            now = after;
        }
        now
    }

    /// A11: earlier values come back step by step, grouped, with the caret at the change, and go again.
    #[test]
    fn steps_lead_back_and_forth() {
        let mut history = History::default();
        type_keys(&mut history, "47617");
        let marked = |entry: Option<Entry>| entry.map(|entry| (entry.text.clone(), entry.start));
        for (text, caret) in [("4761", 4), ("476", 3), ("47", 2)] {
            assert_eq!(marked(history.undo()), Some((text.to_owned(), caret)));
        }
        assert_eq!(marked(history.redo()), Some(("476".to_owned(), 3)));
        assert_eq!(marked(history.redo()), Some(("4761".to_owned(), 4)));
        assert_eq!(marked(history.redo()), Some(("4761 7".to_owned(), 6)));
        assert_eq!(history.redo(), None);
    }

    /// A11: what was typed before the form was live comes back step by step, too.
    #[test]
    fn text_that_nobody_saw_typed_has_steps() {
        let mut number = History::retyped("47617", &entry("4761 7", 6), type_card_number);
        let texts = |history: &mut History| -> Vec<String> {
            std::iter::from_fn(|| history.undo().map(|step| step.text.clone())).collect()
        };
        assert_eq!(texts(&mut number), ["4761", "476", "47", "4", ""]);
        let mut expiry = History::retyped("430", &entry("04 / 30", 7), type_expiry);
        assert_eq!(texts(&mut expiry), ["04 / 3", "04 / ", ""]);
        let mut pasted = History::retyped("Dec 2030", &entry("12 / 30", 7), type_expiry);
        assert_eq!(texts(&mut pasted), [""]);
        assert_eq!(pasted.redo(), Some(entry("12 / 30", 7)));
    }

    /// A11: a selection that was overwritten is selected again.
    #[test]
    fn a_selection_comes_back_as_one() {
        let mut history = History::default();
        let before = Entry {
            text: "4761 7300".into(),
            start: 1,
            end: 7,
        };
        history.edited(&before, &entry("4200", 2));
        assert_eq!(history.undo(), Some(before));
        assert_eq!(history.redo(), Some(entry("4200", 2)));
    }

    #[test]
    fn another_edit_ends_what_was_undone() {
        let mut history = History::default();
        type_keys(&mut history, "476");
        history.undo();
        history.edited(&entry("47", 2), &entry("479", 3));
        assert_eq!(history.redo(), None);
        assert_eq!(history.undo(), Some(entry("47", 2)));
    }

    #[test]
    fn an_edit_that_changed_nothing_is_no_step() {
        let mut history = History::default();
        history.edited(&entry("47", 1), &entry("47", 2));
        assert_eq!((history.undo(), history.redo()), (None, None));
    }

    #[test]
    fn what_is_forgotten_does_not_come_back() {
        let mut history = History::default();
        type_keys(&mut history, "4761");
        history.forget();
        assert_eq!((history.undo(), history.redo()), (None, None));
    }

    #[test]
    fn memory_ends_somewhere() {
        let mut history = History::default();
        for turn in 0..300 {
            history.edited(
                &entry(&turn.to_string(), 0),
                &entry(&(turn + 1).to_string(), 0),
            );
        }
        let mut steps = 0;
        while history.undo().is_some() {
            steps += 1;
        }
        assert_eq!(steps, MOST);
    }

    proptest! {
        /// A11: compared with a list of all former texts and an index into it.
        #[test]
        fn it_is_a_finger_on_a_list(keys in prop::collection::vec(0_u8..12, 0..80)) {
            let mut history = History::default();
            let (mut texts, mut finger) = (vec![String::new()], 0_usize);
            for key in keys {
                match key {
                    0..=5 => {
                        let after = format!("{}{key}", texts[finger]);
                        history.edited(&entry(&texts[finger], 0), &entry(&after, 0));
                        texts.truncate(finger + 1);
                        texts.push(after);
                        finger += 1;
                    }
                    6..=8 => {
                        let expected = finger.checked_sub(1).map(|place| texts[place].clone());
                        prop_assert_eq!(history.undo().map(|entry| entry.text.clone()), expected);
                        finger = finger.saturating_sub(1);
                    }
                    _ => {
                        let expected = texts.get(finger + 1).cloned();
                        finger += usize::from(expected.is_some());
                        prop_assert_eq!(history.redo().map(|entry| entry.text.clone()), expected);
                    }
                }
            }
        }
    }
}
