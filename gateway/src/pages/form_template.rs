//! The form page of one language, cut where the gateway fills in the session.
//!
//! The build leaves three marks in it: `{{boot}}` inside a JSON data block, `{{theme}}` and `{{button}}` inside
//! attributes. Everything else is fixed at build time, so that the hashes of script and style stay true.

use payframe_protocol::boot::Boot;
use std::fmt;

/// A form page with its gaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FormTemplate {
    pieces: Vec<Piece>,
}

impl FormTemplate {
    /// Cuts the page at its marks. A page without one of them is refused: it would ignore the session or the merchant.
    pub(crate) fn parse(page: &str) -> Result<FormTemplate, TemplateProblem> {
        let mut pieces = Vec::new();
        let mut rest = page;
        while let Some((at, gap)) = next_mark(rest) {
            pieces.push(Piece::Text(rest[..at].to_owned()));
            pieces.push(Piece::Gap(gap));
            rest = &rest[at + gap.mark().len()..];
        }
        pieces.push(Piece::Text(rest.to_owned()));
        for gap in GAPS {
            let times = pieces
                .iter()
                .filter(|piece| **piece == Piece::Gap(gap))
                .count();
            if times == 0 || (gap == Gap::Boot && times > 1) {
                return Err(TemplateProblem {
                    mark: gap.mark(),
                    times,
                });
            }
        }
        Ok(FormTemplate { pieces })
    }

    /// The page of one session.
    pub(crate) fn fill(
        &self,
        boot: &Boot,
        theme: Theme,
        button: Button,
    ) -> Result<String, serde_json::Error> {
        // In a data block only `<` could end the script; in JSON it stands in strings alone, where it may be escaped.
        let boot = serde_json::to_string(boot)?.replace('<', "\\u003c");
        let mut page = String::new();
        for piece in &self.pieces {
            page.push_str(match piece {
                Piece::Text(text) => text,
                Piece::Gap(Gap::Boot) => &boot,
                Piece::Gap(Gap::Theme) => theme.as_str(),
                Piece::Gap(Gap::Button) => button.as_str(),
            });
        }
        Ok(page)
    }
}

/// A mark that a page must hold is missing, or there twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateProblem {
    /// The mark.
    pub mark: &'static str,
    /// How often it is there.
    pub times: usize,
}

impl fmt::Display for TemplateProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the mark {} is there {} times", self.mark, self.times)
    }
}

/// Colours of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Theme {
    Auto,
    Light,
    Dark,
}

impl Theme {
    /// What is not known is `Auto`: a wrong word must not keep a buyer from paying.
    pub(crate) fn parse(text: Option<&str>) -> Theme {
        match text {
            Some("light") => Theme::Light,
            Some("dark") => Theme::Dark,
            _ => Theme::Auto,
        }
    }

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Theme::Auto => "auto",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }
}

/// Whether the form shows its own pay button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Button {
    Auto,
    Hidden,
}

impl Button {
    /// What is not known is `Auto`.
    pub(crate) fn parse(text: Option<&str>) -> Button {
        match text {
            Some("hidden") => Button::Hidden,
            _ => Button::Auto,
        }
    }

    fn as_str(self) -> &'static str {
        match self {
            Button::Auto => "auto",
            Button::Hidden => "hidden",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Gap(Gap),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gap {
    Boot,
    Theme,
    Button,
}

impl Gap {
    fn mark(self) -> &'static str {
        match self {
            Gap::Boot => "{{boot}}",
            Gap::Theme => "{{theme}}",
            Gap::Button => "{{button}}",
        }
    }
}

const GAPS: [Gap; 3] = [Gap::Boot, Gap::Theme, Gap::Button];

fn next_mark(text: &str) -> Option<(usize, Gap)> {
    GAPS.into_iter()
        .filter_map(|gap| text.find(gap.mark()).map(|at| (at, gap)))
        .min_by_key(|(at, _)| *at)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use payframe_protocol::api::{BuildState, StateObject};

    pub(crate) fn boot(merchant: &str) -> Boot {
        Boot {
            session: "m3p0".to_owned(),
            order_id: "A1B2C3".to_owned(),
            merchant_origin: "https://shop.example".to_owned(),
            version: 3,
            state: StateObject {
                state: BuildState::CardDataCollection,
                url: None,
                operation: None,
                field_set: None,
            },
            amount: "3545".to_owned(),
            currency: "EUR".to_owned(),
            minor_digits: 2,
            merchant: merchant.to_owned(),
            action_type: "PAY".to_owned(),
            closing: "FRAME".to_owned(),
            card_summary: "NONE".to_owned(),
            networks: vec!["VISA".to_owned()],
            fields: vec!["CARD_NUMBER".to_owned()],
            today: "2026-11-20".to_owned(),
            expires_at: "2026-11-20T10:05:00.000Z".to_owned(),
            sandbox: true,
        }
    }

    #[test]
    fn the_page_is_filled_at_its_marks_only() {
        let template =
            FormTemplate::parse("<a {{theme}} {{button}}>{{other}} {{boot}}</a>{{theme}}").unwrap();
        let page = template
            .fill(&boot("{{theme}}"), Theme::Dark, Button::Hidden)
            .unwrap();
        assert!(
            page.starts_with("<a dark hidden>{{other}} {\"session\":\"m3p0\""),
            "{page}"
        );
        assert!(page.ends_with("</a>dark"));
        // What is filled in is not looked at again.
        assert!(page.contains(r#""merchant":"{{theme}}""#));
    }

    #[test]
    fn a_value_cannot_end_the_data_block() {
        let template = FormTemplate::parse("{{theme}}{{button}}<script>{{boot}}</script>").unwrap();
        let hostile = boot("</script><script>alert(1)</script><!--");
        let page = template.fill(&hostile, Theme::Auto, Button::Auto).unwrap();
        assert_eq!(page.matches('<').count(), 2, "{page}");
        let json = page
            .trim_start_matches("autoauto<script>")
            .trim_end_matches("</script>");
        assert_eq!(serde_json::from_str::<Boot>(json).unwrap(), hostile);
    }

    #[test]
    fn a_page_without_a_mark_is_refused() {
        for (page, mark, times) in [
            ("{{theme}}{{button}}", "{{boot}}", 0),
            ("{{boot}}{{button}}", "{{theme}}", 0),
            ("{{boot}}{{theme}}", "{{button}}", 0),
            ("{{boot}}{{boot}}{{theme}}{{button}}", "{{boot}}", 2),
        ] {
            assert_eq!(
                FormTemplate::parse(page),
                Err(TemplateProblem { mark, times }),
                "{page}"
            );
        }
    }
}
