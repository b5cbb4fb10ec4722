//! What holds for every filtered sheet, as assertions: for the tests of this crate and for `crates/fuzz`.
//!
//! A sheet is read token by token, as a browser reads it, into every block and every function. So a name is refused where it means
//! something, and not where it is a name of the merchant's. The lists are of what harms, apart from the filter's lists of what is kept.

use super::{Dropped, Filtered, filter};
use cssparser::{ParseError, Parser, Token};

/// Panics if a filtered sheet has anything that loads, leaks or closes the element that it is in.
#[track_caller]
pub fn assert_harmless(css: &str) {
    if let Some(harm) = harm(css) {
        panic!("{harm}: {css}");
    }
}

/// Panics if the filter does not take what it wrote, or takes it otherwise.
#[track_caller]
pub fn assert_passes_again(once: &Filtered) {
    let twice = filter(&once.css);
    assert_eq!(twice.css, once.css);
    assert_eq!(twice.dropped, Dropped::default(), "{}", once.css);
}

/// The first thing that does harm. `None`: there is none.
fn harm(css: &str) -> Option<String> {
    // Anywhere, in quotes too: they end the element, or hide a name from whoever reads it.
    if let Some(character) = css.chars().find(|c| "<\\".contains(*c)) {
        return Some(format!("the character {character}"));
    }
    let mut input = Parser::new(css);
    block(&mut input).err().map(|problem| problem.to_string())
}

type Harm = ParseError<String>;

fn found(what: impl Into<String>) -> Result<(), Harm> {
    Err(Harm::custom(what.into()))
}

/// Reads the tokens of a sheet or of a block in it.
fn block<'i>(input: &mut Parser<'i>) -> Result<(), Harm> {
    let mut before: Vec<Token<'i>> = Vec::new();
    while let Ok(token) = input.next_including_whitespace_and_comments() {
        let token = token.clone();
        check(&token, &before)?;
        match &token {
            Token::Function(name) if name.eq_ignore_ascii_case("url") => {
                input.parse_nested_block(address)?;
            }
            Token::SquareBracketBlock => input.parse_nested_block(attribute)?,
            Token::Function(_) | Token::ParenthesisBlock | Token::CurlyBracketBlock => {
                input.parse_nested_block(block)?;
            }
            _ => {}
        }
        before.push(token);
    }
    Ok(())
}

/// Checks a token by what stands before it in its block.
fn check(token: &Token<'_>, before: &[Token<'_>]) -> Result<(), Harm> {
    let last = before.last();
    match token {
        Token::AtKeyword(name) if !is_one_of(name, &AT_RULES) => found(format!("the rule @{name}")),
        Token::Function(name) if is_one_of(without_prefix(name), &FUNCTIONS) => {
            found(format!("the function {name}()"))
        }
        Token::Function(name) | Token::Ident(name)
            if last == Some(&Token::Colon) && is_one_of(without_prefix(name), &PSEUDO_CLASSES) =>
        {
            found(format!("the pseudo-class {name}"))
        }
        Token::Colon => match named(before) {
            Some((name, _)) if is_one_of(name, &PROPERTIES) => {
                found(format!("the property {name}"))
            }
            Some((name, true)) if is_one_of(name, &SCHEMES) => {
                found(format!("an address of {name}"))
            }
            _ => Ok(()),
        },
        Token::Delim('/') if last == Some(&Token::Delim('/')) => found("an address"),
        Token::QuotedString(text) if text.contains([':', '/']) => found("an address in quotes"),
        Token::UnquotedUrl(_) => found("an address without quotes"),
        Token::Comment(_) => found("a comment"),
        broken if broken.is_parse_error() => found("a broken token"),
        _ => Ok(()),
    }
}

/// The name in front of a colon, and whether the colon follows it without a space. Not of a class, which may have any name.
fn named<'a>(before: &'a [Token<'_>]) -> Option<(&'a str, bool)> {
    let at = before
        .iter()
        .rposition(|token| !matches!(token, Token::WhiteSpace(_)))?;
    let Token::Ident(name) = &before[at] else {
        return None;
    };
    let is_class = at > 0 && before[at - 1] == Token::Delim('.');
    (!is_class).then_some((name, at + 1 == before.len()))
}

/// Reads what is in `url(…)`: one address in quotes that is inside the sheet, without anything that ends the quotes or the line.
fn address(input: &mut Parser<'_>) -> Result<(), Harm> {
    let address = input.expect_string_cloned()?;
    input.expect_exhausted()?;
    let lower = address.to_ascii_lowercase();
    let is_inside = ADDRESSES.iter().any(|start| lower.starts_with(start));
    let is_plain = |c: char| c.is_ascii_graphic() && !"\">".contains(c);
    match is_inside && address.chars().all(is_plain) {
        true => Ok(()),
        false => found("an address outside of the sheet"),
    }
}

/// Reads what is in `[…]`: every attribute but the kind of an input may tell what was typed.
fn attribute(input: &mut Parser<'_>) -> Result<(), Harm> {
    let name = input.expect_ident_cloned()?;
    if !name.eq_ignore_ascii_case("type") {
        return found(format!("the attribute {name}"));
    }
    block(input)
}

fn is_one_of(name: &str, names: &[&str]) -> bool {
    names.iter().any(|one| one.eq_ignore_ascii_case(name))
}

/// A name without a browser's prefix, as in `-webkit-image-set`.
fn without_prefix(name: &str) -> &str {
    let after = name
        .strip_prefix('-')
        .filter(|rest| !rest.starts_with('-'))
        .and_then(|rest| rest.split_once('-'));
    after.map_or(name, |(_, rest)| rest)
}

/// The rules that a sheet may have.
const AT_RULES: [&str; 2] = ["media", "font-face"];

/// How addresses begin: all are inside the sheet.
const ADDRESSES: [&str; 2] = ["data:image/", "data:font/"];

/// They load, draw or tell what a sheet has no say in.
const FUNCTIONS: [&str; 14] = [
    "attr",
    "cross-fade",
    "domain",
    "element",
    "env",
    "expression",
    "has",
    "image",
    "image-set",
    "local",
    "paint",
    "regexp",
    "src",
    "url-prefix",
];

/// They tell what was typed, or where somebody was.
const PSEUDO_CLASSES: [&str; 11] = [
    "any-link",
    "blank",
    "checked",
    "has",
    "in-range",
    "invalid",
    "out-of-range",
    "user-invalid",
    "user-valid",
    "valid",
    "visited",
];

/// They write texts into the page, or run what they load.
const PROPERTIES: [&str; 3] = ["content", "behavior", "-moz-binding"];

const SCHEMES: [&str; 10] = [
    "blob",
    "data",
    "file",
    "ftp",
    "http",
    "https",
    "javascript",
    "vbscript",
    "ws",
    "wss",
];

#[cfg(test)]
mod tests;
