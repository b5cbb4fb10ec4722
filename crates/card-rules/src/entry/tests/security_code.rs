//! Typing of security codes.

use super::*;

fn check(before: &str, key: Key, expected: &str) {
    super::check(type_code_of_three, before, key, expected, false);
}

#[test]
fn digits_only_and_no_more_than_there_are() {
    check("|", text("1"), "1|");
    check("1|3", text("2"), "12|3");
    check("123|", text("4"), "123|");
    check("|123", text("4"), "4|23");
    check("1|23", text("4"), "14|3");
    check("1[2]3", text("9"), "19|3");
    check("12|", text("x"), "12|");
    check("12|", text(" "), "12|");
    check("12|", text("٣"), "123|");
    check("12|3", Key::Backspace, "1|3");
    check("12|3", Key::Delete, "12|");
    check("|", text("1 2-3"), "123|");
}

#[test]
fn a_longer_one_is_kept_and_said() {
    super::check(type_code_of_three, "|", text("1234"), "1234|", true);
    super::check(type_code_of_three, "1234|", text("5"), "1234|", true);
    super::check(type_code_of_three, "1234|", Key::Backspace, "123|", false);
}

/// B9: hint, length and help picture change while typed digits stay.
#[test]
fn four_digits_where_the_network_has_them() {
    let four: Rule = |before, raw, caret| type_security_code(before, raw, caret, 4);
    super::check(four, "123|", text("4"), "1234|", false);
    super::check(four, "1234|", text("5"), "1234|", false);
}
