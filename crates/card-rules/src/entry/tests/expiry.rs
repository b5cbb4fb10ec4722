//! Typing of expiries.

use super::*;

fn check(before: &str, key: Key, expected: &str) {
    super::check(type_expiry, before, key, expected, false);
}

fn typing(keys: &str, expected: &str) {
    let mut field = Field::new(type_expiry, "|");
    for key in keys.chars() {
        field.press(&Key::Text(key.to_string()));
    }
    assert_eq!(field.marked(), expected, "{keys}");
}

/// C1: leading zero and separator come where there is no doubt.
#[test]
fn zero_and_separator_come_where_there_is_no_doubt() {
    typing("0", "0|");
    typing("1", "1|");
    typing("2", "02 / |");
    typing("9", "09 / |");
    typing("12", "12 / |");
    typing("05", "05 / |");
    typing("1/", "01 / |");
    typing("1 ", "01 / |");
    typing("1-", "01 / |");
    typing("0/", "0|");
    typing("/", "|");
    typing("1228", "12 / 28|");
    typing("12/28", "12 / 28|");
    typing("12 / 28", "12 / 28|");
    typing("528", "05 / 28|");
    typing("5/28", "05 / 28|");
    typing("1/28", "01 / 28|");
    typing("05/28", "05 / 28|");
}

/// C1: no month begins with 13 to 19.
#[test]
fn thirteen_to_nineteen_are_january_and_a_year() {
    typing("13", "01 / 3|");
    typing("19", "01 / 9|");
    typing("130", "01 / 30|");
    typing("135", "01 / 35|");
    check("|", text("13"), "01 / 3|");
    check("|", text("130"), "01 / 30|");
    check("[05 / 28]", text("130"), "01 / 30|");
    check("|3", text("1"), "1|3 / ");
}

/// C3: a year that is typed first.
#[test]
fn a_year_that_is_typed_first_stands_first_until_the_month_is_there() {
    typing("203", "02 / 03|");
    typing("2030", "2030 / |");
    typing("2030-", "2030 / |");
    typing("2030-1", "2030 / 1|");
    typing("2030-12", "12 / 30|");
    typing("203012", "12 / 30|");
    typing("2030-05", "05 / 30|");
    typing("2030-5", "05 / 30|");
    typing("2028/11", "11 / 28|");
    typing("2046 10", "10 / 46|");
    typing("2030-13", "13 / 30|");
    check("2030 / |", text("12"), "12 / 30|");
    check("[2030 / 1]", text("7"), "07 / |");
    check("[2030 / 1]", Key::Delete, "|");
    check("2030 / |", text("x"), "2030 / |");
    let mut field = Field::new(type_expiry, "2030 / 1|");
    for expected in ["2030 / |", "02 / 03|", "02 / 0|", "02 / |"] {
        field.press(&Key::Backspace);
        assert_eq!(field.marked(), expected);
    }
}

/// C4: a month that does not exist is never altered unasked.
#[test]
fn a_wrong_month_is_left_as_it_is() {
    typing("00", "00 / |");
    check("|", text("13/28"), "13 / 28|");
    check("|", text("1928"), "19 / 28|");
}

#[test]
fn typing_past_the_end_is_ignored() {
    typing("12289", "12 / 28|");
}

/// A8: in front of others a digit takes the place of the one behind it.
#[test]
fn a_digit_too_many_in_front_of_others_overwrites() {
    check("|12 / 28", text("5"), "05 / |28");
    check("|12 / 28", text("0"), "0|2 / 28");
    check("1|2 / 28", text("1"), "11 / |28");
    check("12| / 28", text("3"), "12 / 3|8");
    check("12 / |28", text("3"), "12 / 3|8");
    check("12 / 2|8", text("9"), "12 / 29|");
}

/// C3: a long year that is typed.
#[test]
fn a_long_year_written_out_becomes_the_short_one() {
    typing("122028", "12 / 28|");
    typing("12/2028", "12 / 28|");
    typing("5/2031", "05 / 31|");
    typing("12202", "12 / 2|");
    typing("12203", "12 / 3|");
    check("12| / 20", text("3"), "12 / 3|0");
}

/// C2: digits go and the separator never holds the caret.
#[test]
fn deleting_backwards_goes_through_the_separator() {
    let mut field = Field::new(type_expiry, "12 / 34|");
    for expected in ["12 / 3|", "12 / |", "1|", "|", "|"] {
        field.press(&Key::Backspace);
        assert_eq!(field.marked(), expected);
    }
    check("12 / |34", Key::Backspace, "1|3 / 4");
    check("12| / 34", Key::Backspace, "1|3 / 4");
    check("02 / |", Key::Backspace, "0|");
    check("12 /| 34", Key::Backspace, "1|3 / 4");
    check("12 | / 34", Key::Backspace, "1|3 / 4");
    check("12 / 34|", Key::WordBackspace, "12 / |");
    check("12 / |34", Key::WordBackspace, "|34 / ");
}

/// C2: forwards as well.
#[test]
fn deleting_forwards_goes_through_the_separator() {
    let mut field = Field::new(type_expiry, "|12 / 34");
    for expected in ["|23 / 4", "|34 / ", "|4", "|", "|"] {
        field.press(&Key::Delete);
        assert_eq!(field.marked(), expected);
    }
    check("12| / 34", Key::Delete, "12 / |4");
    check("12 / |34", Key::Delete, "12 / |4");
    check("12 /| 34", Key::Delete, "12 / |4");
    check("12| / ", Key::Delete, "12 / |");
}

#[test]
fn no_deletion_adds_a_zero() {
    check("|12 / ", Key::Delete, "|2");
    check("|12 / 3", Key::Delete, "|23 / ");
    check("[1]2 / 34", Key::Delete, "|23 / 4");
}

#[test]
fn a_selection_gives_way() {
    check("[12] / 34", text("5"), "05 / |34");
    check("[12] / 34", text("1"), "1|3 / 4");
    check("12 / [34]", text("5"), "12 / 5|");
    check("[12 / 34]", text("1"), "1|");
    check("[12 / 34]", text("7"), "07 / |");
    check("[12 / 34]", Key::Delete, "|");
    check("1[2 / 3]4", Key::Backspace, "1|4 / ");
    check("12[ / ]34", Key::Backspace, "12 / |34");
}

/// A14: letters change nothing in the expiry either.
#[test]
fn text_without_digits_changes_nothing() {
    for nothing in ["x", "é", "😀", "march", "½"] {
        for field in ["|", "1|", "12| / 34", "12 / |34", "12 / 34|"] {
            check(field, text(nothing), field);
        }
    }
    for separator in ["/", " ", "-", "."] {
        check("|", text(separator), "|");
        check("0|", text(separator), "0|");
        check("12 / |", text(separator), "12 / |");
        check("12 / 3|", text(separator), "12 / 3|");
        check("12| / 34", text(separator), "12 / |34");
        check("1|3 / 4", text(separator), "01 / |34");
        check("1|2 / 34", text(separator), "1|2 / 34");
        check("[12] / 34", text(separator), "12| / 34");
    }
}

/// C3: long years, other separators, the year first.
#[test]
fn pasted_dates_are_read_whole() {
    for pasted in [
        "0528",
        "05/28",
        "05 / 28",
        "5/28",
        "05/2028",
        "5/2028",
        "05-28",
        "05.2028",
        "2028-05",
        "2028/5",
        "052028",
        "202805",
        "05/28\n",
        "٠٥/٢٨",
        "０５／２０２８",
    ] {
        check("|", text(pasted), "05 / 28|");
        check("[12 / 34]", text(pasted), "05 / 28|");
        check("12 / 34|", text(pasted), "05 / 28|");
    }
    check("|", text("13/28"), "13 / 28|");
    check("12 / |", text("28"), "12 / 28|");
    check("|", text("5"), "05 / |");
    check("|", text("exp 05/28"), "05 / 28|");
    for pasted in [
        "2030-12-31",
        "Dec 2030",
        "dec-30",
        "2030年12月",
        "31.12.2030",
    ] {
        check("|", text(pasted), "12 / 30|");
        check("[01 / 27]", text(pasted), "12 / 30|");
    }
    check("|", text("130"), "01 / 30|");
    check("1|", text("230"), "12 / 30|");
}

#[test]
fn pasting_past_the_end_keeps_all_and_says_so() {
    super::check(
        type_expiry,
        "|",
        text("4761730000000003"),
        "47 / 61730000000003|",
        true,
    );
    super::check(type_expiry, "47 / 61730|", text("1"), "47 / 61730|", true);
    super::check(type_expiry, "47 / 617|", Key::Backspace, "47 / 61|", false);
}

/// F5: shown as month and short year.
#[test]
fn an_input_that_was_filled_as_a_whole() {
    for (raw, caret) in [
        ("05/28", 5),
        ("05/28", 0),
        ("05/2028", 7),
        ("2028-05", 0),
        ("0528", 4),
    ] {
        for before in ["|", "12 / 34|", "|12 / 34", "[12 / 34]", "1|"] {
            let mut field = Field::new(type_expiry, before);
            field.take(raw, caret);
            assert_eq!(field.entry.text, "05 / 28", "{before} {raw}");
        }
    }
    // Shorter than what was there.
    for before in ["12 / 34|", "|12 / 34", "[12 / 34]"] {
        for raw in ["130", "jan-30", "Jan 30", "1/30"] {
            let mut field = Field::new(type_expiry, before);
            field.take(raw, raw.len());
            assert_eq!(field.entry.text, "01 / 30", "{before} {raw}");
        }
    }
    for (before, raw, caret, expected) in [
        ("|12 / 34", "1 / 34", 1, "1|3 / 4"),
        ("|12 / 3", "23", 2, "23 / |"),
        ("12 [/] 34", "12 34", 2, "12 / 34|"),
    ] {
        let mut field = Field::new(type_expiry, before);
        field.take(raw, caret);
        assert_eq!(field.marked(), expected, "{before} {raw}");
    }
    let mut early = Field::new(type_expiry, "|");
    early.take("5", 0);
    assert_eq!(early.entry.text, "05 / ");
}

/// Four places for digits; single keys only.
struct Model {
    digits: Vec<char>,
    start: usize,
    end: usize,
}

impl Model {
    fn press(&mut self, key: &Key, gap_selected: bool) {
        let range = match key {
            Key::Select(..) | Key::WordBackspace => return,
            Key::Text(key) => return self.insert(key.chars().next().unwrap(), gap_selected),
            _ if self.start < self.end || gap_selected => self.start..self.end,
            Key::Backspace => self.start.saturating_sub(1)..self.start,
            Key::Delete => self.start..(self.start + 1).min(self.digits.len()),
        };
        self.start = range.start;
        self.end = range.start;
        self.digits.drain(range);
    }

    fn insert(&mut self, key: char, gap_selected: bool) {
        if !key.is_ascii_digit() {
            let month_of_one = self.start == 1 && self.digits.len() < 4 && self.digits[0] != '0';
            if key == '/' && self.start == self.end && !gap_selected && month_of_one {
                self.digits.insert(0, '0');
                self.end = 2;
            }
            self.start = self.end;
            return;
        }
        let mut after = self.digits.clone();
        after.splice(self.start..self.end, [key]);
        if after.len() > 4 {
            if self.end == 4 && self.digits[2..] == ['2', '0'] {
                self.digits.splice(2.., [key]);
                self.end = 3;
            } else if self.end == 0 && key > '1' {
                self.digits.splice(..2, ['0', key]);
                self.end = 2;
            } else if self.end < 4 {
                self.digits[self.end] = key;
                self.end += 1;
            }
            self.start = self.end;
            return;
        }
        self.digits = after;
        self.start += 1;
        if self.start == 1 && key > '1' && self.digits.len() < 4 {
            self.digits.insert(0, '0');
            self.start = 2;
        }
        if self.start == 2 && matches!(self.digits[..], ['1', '3'..='9']) {
            self.digits.insert(0, '0');
            self.start = 3;
        }
        self.end = self.start;
    }

    fn text(&self) -> String {
        let digits: String = self.digits.iter().collect();
        if digits.len() < 2 {
            digits
        } else {
            format!("{} / {}", &digits[..2], &digits[2..])
        }
    }
}

fn keys() -> impl Strategy<Value = Vec<Key>> {
    let key = prop_oneof![
        8 => "[0-9]".prop_map(Key::Text),
        2 => "[/x]".prop_map(Key::Text),
        3 => Just(Key::Backspace),
        2 => Just(Key::Delete),
        3 => (0_usize..8, 0_usize..8).prop_map(|(a, b)| Key::Select(a, b)),
        3 => (0_usize..8).prop_map(|a| Key::Select(a, a)),
    ];
    prop::collection::vec(key, 1..60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    /// C1: against the plain model.
    /// C2: against the plain model.
    #[test]
    fn no_digit_is_ever_lost_doubled_or_moved(keys in keys()) {
        let mut field = Field::new(type_expiry, "|");
        let mut model = Model { digits: Vec::new(), start: 0, end: 0 };
        for key in &keys {
            let behind = |text: &str, place: usize| text[..place].chars().filter(char::is_ascii_digit).count();
            model.start = behind(&field.entry.text, field.entry.start);
            model.end = behind(&field.entry.text, field.entry.end);
            model.press(key, field.entry.start < field.entry.end);
            let before = field.entry.clone();
            field.press(key);
            let Entry { text, start, end } = &field.entry;
            if text.find('/') == Some(5) {
                // A year that stands first has tests of its own.
                return Ok(());
            }
            prop_assert_eq!(text, &model.text(), "{:?}", key);
            if matches!(key, Key::Select(..)) {
                continue;
            }
            prop_assert_eq!(start, end);
            prop_assert_eq!(behind(text, *start), model.start, "caret after {:?} in {}", key, text);
            let changed = *text != before.text;
            prop_assert!(!changed || !(2..=4).contains(start), "in the separator: {}", field.marked());
        }
    }

    #[test]
    fn what_is_shown_is_read_back(month in 1_u8..=12, year in 0_u8..=99) {
        let mut field = Field::new(type_expiry, "|");
        for digit in format!("{month:02}{year:02}").chars() {
            field.press(&Key::Text(digit.to_string()));
        }
        let read = Expiry::parse_shape(&field.entry.text).map(|expiry| (expiry.month(), expiry.year()));
        prop_assert_eq!(read, Ok((month, 2000 + u16::from(year))));
    }
}
