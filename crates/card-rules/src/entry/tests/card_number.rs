//! Typing of card numbers.

use super::*;

fn check(before: &str, key: Key, expected: &str) {
    super::check(type_card_number, before, key, expected, false);
}

fn typing(keys: &str, expected: &str) {
    let mut field = Field::new(type_card_number, "|");
    for key in keys.chars() {
        field.press(&Key::Text(key.to_string()));
    }
    assert_eq!(field.marked(), expected, "{keys}");
}

/// A1: gaps stand where that network prints them.
#[test]
fn gaps_stand_where_the_network_prints_them() {
    typing("4", "4|");
    typing("4761", "4761|");
    typing("47617", "4761 7|");
    typing("4761730000000003", "4761 7300 0000 0003|");
    typing("4761730000000000000", "4761 7300 0000 0000 000|");
    typing("5413330000000001", "5413 3300 0000 0001|");
    typing("3742", "3742|");
    typing("374245000000009", "3742 450000 00009|");
    typing("36148900000006", "3614 890000 0006|");
    typing("361489000000060", "3614 890000 00060|");
    typing("3614890000000600", "3614 8900 0000 0600|");
    typing("6799990000000000003", "6799 9900 0000 0000 003|");
    typing("9000000000000000000", "9000 0000 0000 0000 000|");
}

/// A2: a digit in mid-number lands at the caret, across a gap as well.
#[test]
fn a_digit_lands_at_the_caret() {
    check("41|", text("1"), "411|");
    check("|", text("4"), "4|");
    check("4761 7|300", text("9"), "4761 79|30 0");
    check("4761| 7300", text("9"), "4761 9|730 0");
    check("4761 |7300", text("9"), "4761 9|730 0");
    check("|4761 7300", text("5"), "5|476 1730 0");
    check("476|1 7300", text("9"), "4769| 1730 0");
    check("4761 7300|", text("0"), "4761 7300 0|");
}

/// A3: the digit beyond the gap goes, never the gap alone.
#[test]
fn deleting_at_a_gap_takes_the_digit_beyond_it() {
    check("4761 |7300", Key::Backspace, "476|7 300");
    check("4761| 7300", Key::Delete, "4761| 300");
    check("4761 7300 |0", Key::Backspace, "4761 730|0");
    check("3742 450000| 00009", Key::Delete, "3742 450000| 0009");
    check("4761 |7", Key::Backspace, "476|7");
    check("4761| 7", Key::Delete, "4761|");
}

#[test]
fn deleting_elsewhere_takes_the_neighbour() {
    check("4761 7300|", Key::Backspace, "4761 730|");
    check("4761 7|", Key::Backspace, "4761|");
    check("4761| 7300", Key::Backspace, "476|7 300");
    check("4761 |7300", Key::Delete, "4761| 300");
    check("|4761 7300", Key::Delete, "|7617 300");
    check("|4761", Key::Backspace, "|4761");
    check("4761|", Key::Delete, "4761|");
    check("4|", Key::Backspace, "|");
    check("4761 7300 0000|", Key::WordBackspace, "4761 7300|");
    check("4761 7300 |0000", Key::WordBackspace, "4761| 0000");
}

/// A4: what is typed replaces the selection, and the rest is regrouped.
#[test]
fn a_selection_gives_way() {
    check("4[761 73]00", text("2"), "42|00");
    check("[4761 7300]", text("5"), "5|");
    check("4761 [7300 0000] 0003", Key::Backspace, "4761| 0003");
    check("4761 [7300 0000] 0003", Key::Delete, "4761| 0003");
    check("4[761 7]300", text("12 34"), "4123 4|300");
    check("[4761 7300 0000 0003]", Key::Delete, "|");
    check("4761[ ]7300", Key::Delete, "4761| 7300");
    check("4761[ ]7300", text("9"), "4761 9|730 0");
}

/// A5: a pasted number is the same as a typed one, whatever stands between its digits.
/// A6: a pasted number is the same as a typed one, whatever stands between its digits.
#[test]
fn pasted_numbers_lose_their_dressing() {
    for pasted in [
        "4761730000000003",
        "4761-7300-0000-0003",
        "4761.7300.0000.0003",
        "4761\n7300\n0000\n0003\n",
        " 4761  7300 0000 0003 ",
        "Card: 4761x7300y00000003!",
    ] {
        check("|", text(pasted), "4761 7300 0000 0003|");
        check("[9000 0]", text(pasted), "4761 7300 0000 0003|");
    }
    check("4761 |0003", text("7300 0000"), "4761 7300 0000| 0003");
}

/// A6: text without digits changes nothing.
/// A14: text without digits changes nothing.
#[test]
fn text_without_digits_changes_nothing() {
    for nothing in ["x", " ", "-", "é", "😀", "abc def", "½", "\n"] {
        check("|", text(nothing), "|");
        check("47|61 7300", text(nothing), "47|61 7300");
        check("4761| 7300", text(nothing), "4761| 7300");
        check("4761 |7300", text(nothing), "4761 |7300");
        check("4761 7300|", text(nothing), "4761 7300|");
        check("4[761 7]300", text(nothing), "4761 7|300");
        check("[4761]", text(nothing), "4761|");
    }
}

/// A12: digits of another script count as the same plain digits.
#[test]
fn digits_of_other_scripts_are_digits() {
    check("|", text("٤٧٦١٧٣"), "4761 73|");
    check("4761|", text("７"), "4761 7|");
    check("47|61", text("𝟗"), "479|6 1");
    check("4761 |7300", text("😀९x"), "4761 9|730 0");
}

/// A8: at the end further digits are ignored, and the caret stays.
#[test]
fn typing_past_the_end_is_ignored() {
    check("5413 3300 0000 0001|", text("9"), "5413 3300 0000 0001|");
    check("3742 450000 00009|", text("9"), "3742 450000 00009|");
    check(
        "4761 7300 0000 0000 000|",
        text("9"),
        "4761 7300 0000 0000 000|",
    );
    check("5413 3300 0000 000[1]", text("9"), "5413 3300 0000 0009|");
    check("4761 7300 0000 0003|", text("9"), "4761 7300 0000 0003 9|");
}

/// A8: in front of others a digit too many is kept, and said to be.
#[test]
fn a_digit_too_many_in_front_of_others_is_kept_and_said() {
    let check = |before, key, expected| {
        super::check(type_card_number, before, text(key), expected, true);
    };
    check("|5413 3300 0000 0001", "5", "5|541 3330 0000 0000 1");
    check("5413 |3300 0000 0001", "9", "5413 9|330 0000 0000 1");
    check("3742 |450000 00009", "9", "3742 9|45000 000009");
    check("5413 9|330 0000 0000 1", "9", "5413 99|33 0000 0000 01");
    check("5413 3300 0000 000|1", "9", "5413 3300 0000 0009| 1");
    // Its first digit makes it another network's, whose numbers are shorter.
    check("|7424 5000 0000 9000", "3", "3|742 450000 0009000");
    super::check(
        type_card_number,
        "5|541 3330 0000 0000 1",
        Key::Backspace,
        "|5413 3300 0000 0001",
        false,
    );
}

/// A7: none is cut off unseen.
#[test]
fn pasting_past_the_end_keeps_all_and_says_so() {
    let check = |before, key, expected| super::check(type_card_number, before, key, expected, true);
    check("|", text("54133300000000019"), "5413 3300 0000 0001 9|");
    check("5413 3300|", text("000000019"), "5413 3300 0000 0001 9|");
    check(
        "|",
        text("47617300000000000001234"),
        "4761 7300 0000 0000 0001234|",
    );
    check(
        "5413 3300 0000 0001 92|",
        text("9"),
        "5413 3300 0000 0001 92|",
    );
    check(
        "5413 3300 0000 0001 92|",
        text("x"),
        "5413 3300 0000 0001 92|",
    );
    check(
        "5413 3300 0000 0001 92|",
        Key::Backspace,
        "5413 3300 0000 0001 9|",
    );
    super::check(
        type_card_number,
        "5413 3300 0000 0001 9|",
        Key::Backspace,
        "5413 3300 0000 0001|",
        false,
    );
}

/// A13: digits regroup, and the caret stays behind the same digit.
#[test]
fn another_network_regroups_behind_the_same_digit() {
    check("|7424 5000 0000 9", text("3"), "3|742 450000 0009");
    check("3|742 450000 0009", Key::Backspace, "|7424 5000 0000 9");
    check("3742 45|0000 0009", Key::Backspace, "3742 4|00000 009");
    check("[3]742 450000 0009", text("4"), "4|742 4500 0000 09");
    check("3614 890000 0000|0", text("1"), "3614 8900 0000 001|0");
    check("3614 8900 0000 001|0", Key::Backspace, "3614 890000 0000|0");
}

/// A10: a keyboard that swaps in a suggestion.
/// F4: one change per field, brand found, focus and caret left alone.
#[test]
fn an_input_that_was_filled_or_swapped_as_a_whole() {
    let fill = |before: &str, raw: &str, caret: usize, expected: &str| {
        let mut field = Field::new(type_card_number, before);
        field.take(raw, caret);
        assert_eq!(field.marked(), expected, "{before} {raw} {caret}");
    };
    fill("|", "4761730000000003", 16, "4761 7300 0000 0003|");
    fill("|", "4761730000000003", 0, "|4761 7300 0000 0003");
    fill("4761 7300|", "5413330000000001", 16, "5413 3300 0000 0001|");
    // The same number without its gaps is no deletion, wherever the caret was.
    for before in [
        "|4761 7300 0000 0003",
        "4761 |7300 0000 0003",
        "4761 7300 0000 0003|",
        "[4761 7300 0000 0003]",
    ] {
        fill(before, "4761730000000003", 16, "4761 7300 0000 0003|");
    }
    fill("4761|", "4762", 4, "4762|");
    fill("4761 73|", "4761 7", 6, "4761 7|");
    fill("4761 73|", "", 0, "|");
    fill("4761 7|3", "12345", 99, "1234 5|");
    fill("4761|", "name", 4, "4761|");
    fill("4761|", " ", 1, "|");
    // One digit too many from a keyboard that writes the whole text anew.
    fill(
        "5413 3300 0000 0001|",
        "54133300000000012",
        17,
        "5413 3300 0000 0001|",
    );
    // A gap that goes, or comes, away from where the caret was.
    fill("|4761 7300", "47617300", 4, "4761| 7300");
    fill("4761 |7300", "4761  7300", 5, "4761| 7300");
    // A caret inside of a surrogate pair stands before it.
    fill("|", "😀4😀5", 4, "4|5");
}

/// A9: a keyboard that composes delivers one change for all that was composed. Text and caret come out as if a
/// A10: a keyboard that composes delivers one change for all that was composed. Text and caret come out as if a
/// hardware keyboard had done the same.
#[test]
fn what_a_keyboard_composed_is_taken_as_a_whole() {
    let composed = |before: &str, raw: &str, caret: usize, keys: &[Key]| {
        let mut composing = Field::new(type_card_number, before);
        composing.take(raw, caret);
        let mut typing = Field::new(type_card_number, before);
        keys.iter().for_each(|key| typing.press(key));
        assert_eq!(composing.marked(), typing.marked(), "{before} {raw}");
    };
    let digits = |text: &str| {
        text.chars()
            .map(|c| Key::Text(c.into()))
            .collect::<Vec<_>>()
    };
    composed("|", "47617", 5, &digits("47617"));
    composed("4761 73|", "4761 7300", 9, &digits("00"));
    composed("4761 |73", "4761 0073", 7, &digits("00"));
    composed("4761 73|", "4761 7", 6, &[Key::Backspace]);
    composed("4761 7|", "4761 ", 5, &[Key::Backspace]);
    composed("4761 |7", "47617", 4, &[Key::Backspace]);
    composed("4761 73|", "4761 74", 7, &[Key::Backspace, text("4")]);
    composed("4761 7|3", "4761 93", 6, &[Key::Backspace, text("9")]);
    composed("4761|", "abc4761", 7, &[]);
}

/// A14: what may be refused before it happens, so that the selection stays as well.
#[test]
fn what_can_change_a_field_is_let_in() {
    for (text, number, expiry) in [
        ("4", true, true),
        ("٤", true, true),
        ("x", false, false),
        ("é4", true, true),
        ("/", false, true),
        (" - ", false, true),
        ("/x", false, false),
    ] {
        assert_eq!(
            (holds_digit(text), may_change_expiry(text)),
            (number, expiry),
            "{text}"
        );
    }
}

/// The rules in the simplest, slow form: a list of digits, and a caret that counts them.
struct Model {
    digits: Vec<char>,
    start: usize,
    end: usize,
}

impl Model {
    fn press(&mut self, key: &Key, gap_selected: bool) {
        let range = match key {
            Key::Select(..) => return,
            Key::Text(text) => {
                let typed: Vec<_> = text
                    .chars()
                    .filter_map(digit_value)
                    .map(|value| char::from(b'0' + value))
                    .collect();
                let mut after = self.digits.clone();
                after.splice(self.start..self.end, typed.iter().copied());
                let longest = usize::from(max_length(&after.iter().collect::<String>()));
                let too_many = typed.len() == 1
                    && self.end == self.digits.len()
                    && after.len() > self.digits.len()
                    && after.len() > longest;
                if typed.is_empty() || too_many {
                    self.start = self.end;
                } else {
                    self.digits = after;
                    self.start += typed.len();
                    self.end = self.start;
                }
                return;
            }
            _ if self.start < self.end || gap_selected => self.start..self.end,
            Key::Backspace => self.start.saturating_sub(1)..self.start,
            Key::Delete => self.start..(self.start + 1).min(self.digits.len()),
            Key::WordBackspace => return,
        };
        self.start = range.start;
        self.end = range.start;
        self.digits.drain(range);
    }

    fn text(&self) -> String {
        let digits: String = self.digits.iter().collect();
        let mut groups: &[usize] = match network_of(&digits).map(crate::network::Network::code) {
            Some("AMEX") => &[4, 6],
            Some("DINERS") if digits.len() <= 15 => &[4, 6],
            _ => &[4, 4, 4, 4],
        };
        let (mut text, mut rest) = (String::new(), digits.as_str());
        while let Some((size, others)) = groups.split_first() {
            if rest.len() <= *size {
                break;
            }
            text = text + &rest[..*size] + " ";
            rest = &rest[*size..];
            groups = others;
        }
        text + rest
    }
}

fn keys() -> impl Strategy<Value = Vec<Key>> {
    let key = prop_oneof![
        8 => "[0-9]".prop_map(Key::Text),
        2 => "[0-9 -]{2,22}".prop_map(Key::Text),
        1 => "[a-z٠-٩ ½😀/]{1,3}".prop_map(Key::Text),
        1 => prop_oneof![Just("4761730000000003"), Just("374245000000009"), Just("36148900000006"), Just("5413330000000001")].prop_map(text),
        3 => Just(Key::Backspace),
        3 => Just(Key::Delete),
        4 => (0_usize..24, 0_usize..24).prop_map(|(a, b)| Key::Select(a, b)),
        4 => (0_usize..24).prop_map(|a| Key::Select(a, a)),
    ];
    prop::collection::vec(key, 1..60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    /// A1: against the plain model.
    /// A2: against the plain model.
    /// A3: against the plain model.
    /// A4: against the plain model.
    /// A5: against the plain model.
    /// A6: against the plain model.
    /// A7: against the plain model.
    /// A8: against the plain model.
    /// A13: against the plain model.
    /// A14: against the plain model.
    /// A15: against the plain model.
    #[test]
    fn no_digit_is_ever_lost_doubled_or_moved(keys in keys()) {
        let mut field = Field::new(type_card_number, "|");
        let mut model = Model { digits: Vec::new(), start: 0, end: 0 };
        for key in &keys {
            let behind = |text: &str, place: usize| text[..place].chars().filter(char::is_ascii_digit).count();
            model.start = behind(&field.entry.text, field.entry.start);
            model.end = behind(&field.entry.text, field.entry.end);
            model.press(key, field.entry.start < field.entry.end);
            let before = field.entry.clone();
            field.press(key);
            let Entry { text, start, end } = &field.entry;
            prop_assert_eq!(text, &model.text(), "{:?}", key);
            prop_assert_eq!(text, &format_card_number(&model.digits.iter().collect::<String>()));
            if matches!(key, Key::Select(..)) {
                continue;
            }
            prop_assert_eq!(start, end);
            prop_assert_eq!(behind(text, *start), model.start, "caret after {:?} in {}", key, text);
            let changed = *text != before.text;
            prop_assert!(!changed || *start == 0 || text.as_bytes()[start - 1].is_ascii_digit(), "right behind a digit: {}", field.marked());
        }
    }

    /// A8: wherever it is typed, and whatever network it makes of the number.
    #[test]
    fn no_digit_vanishes_in_front_of_others(digits in "[0-9]{1,22}", place in 0_usize..22, key in "[0-9]") {
        let place = place % digits.len();
        let mut field = Field::new(type_card_number, "|");
        field.entry.text = format_card_number(&digits);
        let caret = field.entry.text.char_indices().filter(|(_, c)| c.is_ascii_digit()).nth(place).unwrap().0;
        (field.entry.start, field.entry.end) = (caret, caret);
        field.press(&Key::Text(key.clone()));
        let expected = format!("{}{key}{}", &digits[..place], &digits[place..]);
        prop_assert_eq!(field.entry.text.replace(' ', ""), &expected[..]);
        prop_assert_eq!(field.overflow, expected.len() > usize::from(max_length(&expected)));
    }

    /// A5: pasting has the same result as typing.
    #[test]
    fn typed_and_pasted_come_to_the_same(digits in "[2-6][0-9]{0,15}") {
        let mut typed = Field::new(type_card_number, "|");
        for digit in digits.chars() {
            typed.press(&Key::Text(digit.to_string()));
        }
        let mut pasted = Field::new(type_card_number, "|");
        pasted.press(&Key::Text(digits.clone()));
        if !pasted.overflow {
            prop_assert_eq!(typed.marked(), pasted.marked());
            prop_assert_eq!(pasted.entry.text.replace(' ', ""), digits);
        }
    }
}
