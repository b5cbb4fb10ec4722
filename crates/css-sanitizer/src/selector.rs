//! Which elements a rule may select: those of a field's page that the contract names (7.6), by type, by field id,
//! by the merchant's own classes and by states that reveal nothing of what was typed.

use super::value::is_plain;
use super::{StyleParseError, listed, unfit};
use cssparser::{Parser, Token};

/// Reads one selector of a list and rewrites it.
pub(super) fn selector(input: &mut Parser<'_>) -> Result<String, StyleParseError> {
    let mut written = String::new();
    let mut step = Step::First;
    input.skip_whitespace();
    while let Ok(token) = input.next_including_whitespace() {
        let token = token.clone();
        match (&token, step) {
            (Token::WhiteSpace(_), Step::Within) => step = Step::Descendant,
            (Token::WhiteSpace(_), _) => {}
            (Token::Delim('>'), Step::Within | Step::Descendant) => {
                step = Step::Child;
            }
            // A pseudo-element must be the last part.
            _ if written.contains("::") => return Err(unfit()),
            _ => {
                let part = simple(&token, step, input)?;
                let before = match step {
                    Step::First | Step::Within => "",
                    Step::Descendant => " ",
                    Step::Child => " > ",
                };
                written.push_str(before);
                written.push_str(&part);
                step = Step::Within;
            }
        }
    }
    match step {
        Step::First | Step::Child => Err(unfit()),
        Step::Within | Step::Descendant => Ok(written),
    }
}

/// The position in a selector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    First,
    /// Within a compound.
    Within,
    Descendant,
    Child,
}

/// A part of a selector without a combinator.
fn simple(
    token: &Token<'_>,
    step: Step,
    input: &mut Parser<'_>,
) -> Result<String, StyleParseError> {
    match token {
        // A type is only at the start of a compound.
        Token::Ident(name) if step != Step::Within => listed(name, &TYPES).map(str::to_owned),
        Token::Delim('*') if step != Step::Within => Ok(String::from("*")),
        Token::IDHash(name) if is_field_id(name) => Ok(format!("#{name}")),
        Token::Delim('.') => match input.next_including_whitespace()? {
            Token::Ident(name) => class(name),
            _ => Err(unfit()),
        },
        Token::Colon => match input.next_including_whitespace()? {
            Token::Ident(name) => Ok(format!(":{}", listed(name, &STATES)?)),
            Token::Colon => match input.next_including_whitespace()? {
                Token::Ident(name) => Ok(format!("::{}", listed(name, &PARTS)?)),
                _ => Err(unfit()),
            },
            _ => Err(unfit()),
        },
        Token::SquareBracketBlock => input.parse_nested_block(input_type),
        _ => Err(unfit()),
    }
}

/// `[type=…]`: the only attribute that reveals nothing of what was typed.
fn input_type(input: &mut Parser<'_>) -> Result<String, StyleParseError> {
    if !input.expect_ident()?.eq_ignore_ascii_case("type") {
        return Err(unfit());
    }
    input.expect_delim('=')?;
    let value = input.expect_ident_or_string()?;
    let written = listed(value, &INPUT_TYPES)?;
    input.expect_exhausted()?;
    Ok(format!("[type=\"{written}\"]"))
}

fn class(name: &str) -> Result<String, StyleParseError> {
    if !is_plain(name) {
        return Err(unfit());
    }
    Ok(format!(".{name}"))
}

/// Ids of fields and of methods are in capital letters; ids of our own elements are not.
fn is_field_id(name: &str) -> bool {
    name.len() <= LONGEST_NAME
        && name.starts_with(|c: char| c.is_ascii_uppercase())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

const TYPES: [&str; 7] = ["html", "body", "div", "label", "input", "span", "button"];

const STATES: [&str; 10] = [
    "root",
    "hover",
    "active",
    "focus",
    "focus-visible",
    "focus-within",
    "autofill",
    "-webkit-autofill",
    "disabled",
    "placeholder-shown",
];

const PARTS: [&str; 4] = [
    "placeholder",
    "-moz-placeholder",
    "-webkit-input-placeholder",
    "selection",
];

const INPUT_TYPES: [&str; 6] = ["text", "password", "checkbox", "tel", "email", "button"];

const LONGEST_NAME: usize = 64;
