//! Conditions of `@media`: sizes, and what the buyer prefers. The page itself decides the frame's size.

use super::{StyleParseError, listed, unfit};
use cssparser::{Parser, Token};

/// Reads a condition and rewrites it.
pub(super) fn condition(input: &mut Parser<'_>) -> Result<String, StyleParseError> {
    let mut written = String::new();
    while let Ok(token) = input.next() {
        let token = token.clone();
        let word = match &token {
            Token::Comma => {
                written.push(',');
                continue;
            }
            Token::Ident(name) => listed(name, &WORDS)?.to_owned(),
            Token::ParenthesisBlock => input.parse_nested_block(feature)?,
            _ => return Err(unfit()),
        };
        if !written.is_empty() {
            written.push(' ');
        }
        written.push_str(&word);
    }
    if written.is_empty() {
        return Err(unfit());
    }
    Ok(written)
}

/// `(name: value)` or `(name)`.
fn feature(input: &mut Parser<'_>) -> Result<String, StyleParseError> {
    let name = listed(input.expect_ident()?, &FEATURES)?;
    if input.is_exhausted() {
        return Ok(format!("({name})"));
    }
    input.expect_colon()?;
    let value = match input.next()? {
        Token::Ident(value) => listed(value, &VALUES)?.to_owned(),
        Token::Dimension { value, unit, .. } => {
            let unit = listed(unit, &["px", "em", "rem"])?;
            let number = super::value::number(*value)?;
            format!("{number}{unit}")
        }
        Token::Number { value: 0.0, .. } => String::from("0"),
        _ => return Err(unfit()),
    };
    input.expect_exhausted()?;
    Ok(format!("({name}: {value})"))
}

const WORDS: [&str; 6] = ["and", "or", "not", "only", "all", "screen"];

const FEATURES: [&str; 10] = [
    "width",
    "min-width",
    "max-width",
    "prefers-color-scheme",
    "prefers-reduced-motion",
    "prefers-contrast",
    "forced-colors",
    "hover",
    "pointer",
    "orientation",
];

const VALUES: [&str; 14] = [
    "light",
    "dark",
    "reduce",
    "no-preference",
    "more",
    "less",
    "custom",
    "active",
    "none",
    "hover",
    "fine",
    "coarse",
    "portrait",
    "landscape",
];
