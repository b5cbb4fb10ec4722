//! Tests of typing, driven through an input of our own that edits as browsers do.
//!
//! Fields are written as text: `41|1` has its caret behind "41", `4[11]1` has "11" selected.

mod card_number;
mod expiry;
mod security_code;

use super::*;
use crate::expiry::Expiry;
use proptest::prelude::*;

type Rule = fn(&Entry, &str, usize) -> Typed;

/// What a buyer does to a field.
#[derive(Clone, Debug)]
enum Key {
    /// A key, a paste, a drop: text put in the place of the selection.
    Text(String),
    Backspace,
    Delete,
    /// Backspace with the word key held: takes the digits before the caret up to a gap, and the gap behind them.
    WordBackspace,
    Select(usize, usize),
}

/// A browser's input with one of our rules behind it.
struct Field {
    rule: Rule,
    entry: Entry,
    overflow: bool,
}

impl Field {
    fn new(rule: Rule, marked: &str) -> Self {
        Self {
            rule,
            entry: read_marked(marked),
            overflow: false,
        }
    }

    fn press(&mut self, key: &Key) {
        let Entry { text, start, end } = &self.entry;
        let (start, end) = (*start, *end);
        let (from, to, with) = match key {
            Key::Select(a, b) => {
                let (a, b) = (a % (text.len() + 1), b % (text.len() + 1));
                self.entry.start = a.min(b);
                self.entry.end = a.max(b);
                return;
            }
            Key::Text(with) => (start, end, with.as_str()),
            _ if start < end => (start, end, ""),
            Key::Backspace => (start.saturating_sub(1), end, ""),
            Key::Delete => (start, (end + 1).min(text.len()), ""),
            Key::WordBackspace => (
                text[..start]
                    .trim_end_matches(['/', ' '])
                    .trim_end_matches(|c: char| c.is_ascii_digit())
                    .len(),
                end,
                "",
            ),
        };
        let raw = format!("{}{with}{}", &text[..from], &text[to..]);
        if raw == *text && with.is_empty() {
            return; // Nothing happened: browsers fire no event.
        }
        let raw_caret = from + with.encode_utf16().count();
        self.take(&raw, raw_caret);
    }

    fn take(&mut self, raw: &str, raw_caret: usize) {
        let typed = (self.rule)(&self.entry, raw, raw_caret);
        self.entry = Entry {
            text: typed.text,
            start: typed.caret,
            end: typed.caret,
        };
        self.overflow = typed.overflow;
    }

    fn marked(&self) -> String {
        let Entry { text, start, end } = &self.entry;
        if start == end {
            format!("{}|{}", &text[..*start], &text[*end..])
        } else {
            format!(
                "{}[{}]{}",
                &text[..*start],
                &text[*start..*end],
                &text[*end..]
            )
        }
    }
}

fn read_marked(marked: &str) -> Entry {
    let place = |mark: char| marked.find(mark);
    let (start, end) = match (place('|'), place('['), place(']')) {
        (Some(caret), None, None) => (caret, caret),
        (None, Some(start), Some(end)) => (start, end - 1),
        _ => panic!("no caret in {marked}"),
    };
    Entry {
        text: marked.replace(['|', '[', ']'], ""),
        start,
        end,
    }
}

fn check(rule: Rule, before: &str, key: Key, expected: &str, overflow: bool) {
    let mut field = Field::new(rule, before);
    field.press(&key);
    assert_eq!(
        (field.marked().as_str(), field.overflow),
        (expected, overflow),
        "{before} {key:?}"
    );
}

/// A code of three digits, in the form that the simulated input takes.
fn type_code_of_three(before: &Entry, raw: &str, raw_caret: usize) -> Typed {
    type_security_code(before, raw, raw_caret, 3)
}

fn text(text: &str) -> Key {
    Key::Text(text.to_owned())
}

#[test]
fn tells_whether_a_text_holds_a_digit() {
    for yes in ["4", "x4", "٤", "۴", "४", "４", "a 7 b"] {
        assert!(holds_digit(yes), "{yes}");
    }
    for no in ["", " ", "x", "/", "½", "😀", "Ⅳ"] {
        assert!(!holds_digit(no), "{no}");
    }
}

#[test]
fn nothing_of_a_field_is_printed() {
    let entry = read_marked("4761 73|");
    assert_eq!(format!("{entry:?}"), "Entry(…)");
    assert_eq!(
        format!("{:?}", type_card_number(&entry, "4761 730", 8)),
        "Typed(…)"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    /// Any edit, also of browsers, extensions and scripts.
    #[test]
    fn any_text_and_any_caret_have_an_answer(
        before in prop_oneof![any::<String>(), "[0-9 /]{0,24}"],
        raw in prop_oneof![any::<String>(), "[0-9 /x٣😀]{0,24}"],
        (start, end, caret) in (0_usize..30, 0_usize..30, 0_usize..60),
    ) {
        let entry = Entry { text: before, start, end };
        let rules: [Rule; 3] = [type_card_number, type_expiry, type_code_of_three];
        for rule in rules {
            let typed = rule(&entry, &raw, caret);
            prop_assert!(typed.caret <= typed.text.len());
            prop_assert!(typed.text == entry.text || typed.text.bytes().all(|c| c.is_ascii_digit() || c == b' ' || c == b'/'));
        }
    }

    /// An input whose selection was not known before the edit loses at most the digit of a deletion at a gap.
    #[test]
    fn a_wrong_selection_costs_no_digit(digits in "[0-9]{0,12}", (start, end) in (0_usize..20, 0_usize..20), raw in "[0-9]{1,12}", caret in 0_usize..13) {
        let entry = Entry { text: format_card_number(&digits), start, end };
        let typed = type_card_number(&entry, &raw, caret);
        let shown = typed.text.replace(' ', "");
        prop_assert!(shown == raw || shown.len() + 1 == raw.len() && raw == digits, "{} became {}", raw, shown);
    }
}
