//! Style sheets of merchants (contract 7.6): lets through only what can neither leak data nor deceive the buyer.
//!
//! A sheet is parsed, and only what is on a list is written again; no text of the sheet is copied. So a name that is hidden
//! behind escapes, a broken string or a comment in an odd place only causes its rule to be dropped. The lists
//! are here and below: [`selector`] says which elements a rule may select, [`value`] which values a property may have.
//! Nothing that loads from an address is kept, and nothing that depends on what is typed. Fetching a sheet is no part of this crate:
//! `gateway/src/style_sheets.rs` does that.
//!
//! The parser is cssparser. Libraries considered for the lists: lightningcss makes sheets smaller and keeps what it does not know. Each
//! of its releases knows more, so a list over its types would let more through without a change here. ammonia cleans HTML, but of
//! CSS only the `style` attribute, by names of properties.

#[cfg(any(test, feature = "checks"))]
pub mod checks;
mod font;
mod media;
mod property;
mod selector;
mod value;

use cssparser::{
    AtRuleParser, CowRcStr, DeclarationParser, ParseError, Parser, ParserState,
    QualifiedRuleParser, RuleBodyItemParser, RuleBodyParser, StyleSheetParser,
};

/// A filtered sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filtered {
    /// The part that was kept, rewritten.
    pub css: String,
    /// How much was dropped.
    pub dropped: Dropped,
}

/// How much of a sheet was dropped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dropped {
    /// Rules that were dropped completely.
    pub rules: usize,
    /// Declarations of the rules that were kept.
    pub declarations: usize,
}

/// Keeps only harmless rules and declarations.
pub fn filter(sheet: &str) -> Filtered {
    let mut input = Parser::new(sheet.trim_start_matches('\u{feff}'));
    input.set_nested_block_limit(DEEPEST_BLOCK);
    let mut rules = Rules {
        context: RuleContext::Stylesheet,
        fonts: 0,
        dropped: Dropped::default(),
    };
    let mut kept = Vec::new();
    let mut lost = 0;
    for rule in StyleSheetParser::new(&mut input, &mut rules) {
        match rule {
            Ok(rule) => kept.push(rule),
            Err(_) => lost += 1,
        }
    }
    rules.dropped.rules += lost;
    Filtered {
        css: kept.join("\n"),
        dropped: rules.dropped,
    }
}

/// The parser needs an error type. Nobody reads why something was dropped.
type StyleParseError = ParseError<()>;

fn unfit() -> StyleParseError {
    ParseError::custom(())
}

/// The name from the list, so that the written text is ours.
fn listed<'a>(name: &str, names: &[&'a str]) -> Result<&'a str, StyleParseError> {
    names
        .iter()
        .find(|known| known.eq_ignore_ascii_case(name))
        .copied()
        .ok_or_else(unfit)
}

/// Reads rules and writes those that are kept.
struct Rules {
    context: RuleContext,
    /// How many fonts were asked for.
    fonts: usize,
    dropped: Dropped,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RuleContext {
    Stylesheet,
    Media,
}

enum AtRule {
    FontFace,
    Media(String),
}

impl<'i> QualifiedRuleParser<'i> for Rules {
    type Prelude = String;
    type QualifiedRule = String;
    type Error = ();

    fn parse_prelude(&mut self, input: &mut Parser<'i>) -> Result<String, StyleParseError> {
        let selectors = input.parse_comma_separated_ignoring_errors(selector::selector);
        if selectors.is_empty() {
            return Err(unfit());
        }
        Ok(selectors.join(", "))
    }

    fn parse_block(
        &mut self,
        selectors: String,
        _: &ParserState,
        input: &mut Parser<'i>,
    ) -> Result<String, StyleParseError> {
        let (kept, lost) = declarations(input, Body::Style);
        if kept.is_empty() {
            return Err(unfit());
        }
        self.dropped.declarations += lost;
        Ok(format!("{selectors} {{ {} }}", kept.join("; ")))
    }
}

impl<'i> AtRuleParser<'i> for Rules {
    type Prelude = AtRule;
    type AtRule = String;
    type Error = ();

    fn parse_prelude(
        &mut self,
        name: CowRcStr<'i>,
        input: &mut Parser<'i>,
    ) -> Result<AtRule, StyleParseError> {
        if self.context == RuleContext::Media {
            return Err(unfit());
        }
        match name.to_ascii_lowercase().as_str() {
            "font-face" => Ok(AtRule::FontFace),
            "media" => media::condition(input).map(AtRule::Media),
            _ => Err(unfit()),
        }
    }

    fn parse_block(
        &mut self,
        rule: AtRule,
        _: &ParserState,
        input: &mut Parser<'i>,
    ) -> Result<String, StyleParseError> {
        match rule {
            AtRule::FontFace => {
                self.fonts += 1;
                if self.fonts > font::MOST_FONTS {
                    return Err(unfit());
                }
                let (kept, lost) = declarations(input, Body::FontFace);
                let has = |name: &str| kept.iter().any(|kept| kept.starts_with(name));
                if !has("src:") || !has("font-family:") {
                    return Err(unfit());
                }
                self.dropped.declarations += lost;
                Ok(format!("@font-face {{ {} }}", kept.join("; ")))
            }
            AtRule::Media(condition) => {
                let mut rules = Rules {
                    context: RuleContext::Media,
                    fonts: 0,
                    dropped: Dropped::default(),
                };
                let mut kept = Vec::new();
                let mut lost = 0;
                for rule in RuleBodyParser::new(input, &mut rules) {
                    match rule {
                        Ok(rule) => kept.push(rule),
                        Err(_) => lost += 1,
                    }
                }
                self.dropped.rules += rules.dropped.rules + lost;
                self.dropped.declarations += rules.dropped.declarations;
                if kept.is_empty() {
                    return Err(unfit());
                }
                Ok(format!("@media {condition} {{\n{}\n}}", kept.join("\n")))
            }
        }
    }
}

impl<'i> DeclarationParser<'i> for Rules {
    type Declaration = String;
    type Error = ();
}

impl<'i> RuleBodyItemParser<'i, String, ()> for Rules {
    fn parse_declarations(&self) -> bool {
        false
    }

    fn parse_qualified(&self) -> bool {
        true
    }
}

/// The rule to which a block of declarations belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Body {
    Style,
    FontFace,
}

/// The declarations that are kept, and how many are not. Rules inside rules count as declarations, and are dropped.
fn declarations(input: &mut Parser<'_>, mut body: Body) -> (Vec<String>, usize) {
    let mut kept = Vec::new();
    let mut lost = 0;
    for declaration in RuleBodyParser::new(input, &mut body) {
        match declaration {
            Ok(declaration) => kept.push(declaration),
            Err(_) => lost += 1,
        }
    }
    (kept, lost)
}

impl<'i> DeclarationParser<'i> for Body {
    type Declaration = String;
    type Error = ();

    fn parse_value(
        &mut self,
        name: CowRcStr<'i>,
        input: &mut Parser<'i>,
        _: &ParserState,
    ) -> Result<String, StyleParseError> {
        match self {
            Body::Style => value::declaration(&name, input),
            Body::FontFace => value::descriptor(&name, input),
        }
    }
}

impl<'i> AtRuleParser<'i> for Body {
    type Prelude = ();
    type AtRule = String;
    type Error = ();
}

impl<'i> QualifiedRuleParser<'i> for Body {
    type Prelude = ();
    type QualifiedRule = String;
    type Error = ();
}

impl<'i> RuleBodyItemParser<'i, String, ()> for Body {
    fn parse_declarations(&self) -> bool {
        true
    }

    fn parse_qualified(&self) -> bool {
        true
    }
}

/// A rule in a media rule with nested calculations needs five levels.
const DEEPEST_BLOCK: u8 = 12;

#[cfg(test)]
mod tests;
