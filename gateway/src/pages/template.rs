//! A built page of one language, split at the places where the gateway fills in the session.
//!
//! The build leaves marks in it: `{{boot}}` inside a JSON data block, `{{theme}}` and, where there may be a pay
//! button, `{{button}}` inside attributes, `{{pay}}` and `{{promise}}` for its label and the text above it, and
//! `{{font}}` for the link to the terminal's font. Everything else is fixed at build time, so that the hashes of script and style stay valid.
//!
//! Libraries considered: askama, which writes the gateway's other pages, reads templates when the gateway is compiled. These pages are made
//! when the widget is built, and read at the start. minijinja and tera can read them then, but do not refuse a page that lacks a mark,
//! and treat all other text in braces as their own.

use super::fonts;
use super::payment_summary::PaymentSummary;
use askama::filters::{Html, escape};
use serde::Serialize;
use thiserror::Error;

/// A built page with its placeholders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PageTemplate {
    pieces: Vec<Piece>,
}

impl PageTemplate {
    /// Splits the page at its marks. A page without one of them is refused: it would ignore the session or the merchant.
    pub(crate) fn parse(page: &str, marks: Marks) -> Result<PageTemplate, TemplateError> {
        let gaps = marks.gaps();
        let mut pieces = Vec::new();
        let mut rest = page;
        while let Some((at, gap)) = next_mark(rest, gaps) {
            pieces.push(Piece::Text(rest[..at].to_owned()));
            pieces.push(Piece::Gap(gap));
            rest = &rest[at + gap.mark().len()..];
        }
        pieces.push(Piece::Text(rest.to_owned()));
        for &gap in gaps {
            let times = pieces
                .iter()
                .filter(|piece| **piece == Piece::Gap(gap))
                .count();
            if times == 0 || (gap == Gap::Boot && times > 1) {
                return Err(TemplateError {
                    mark: gap.mark(),
                    times,
                });
            }
        }
        Ok(PageTemplate { pieces })
    }

    /// The page with `boot` in its data block. A page without the marks of the button uses only the theme.
    pub(crate) fn fill(
        &self,
        boot: &impl Serialize,
        looks: Looks<'_>,
    ) -> Result<String, serde_json::Error> {
        // In a data block only `<` could end the script. In JSON it occurs only in strings, where it may be escaped.
        let boot = serde_json::to_string(boot)?.replace('<', "\\u003c");
        let (pay, note) = looks.promise.map_or_else(Default::default, |promise| {
            (escaped(&promise.pay), escaped(&promise.note))
        });
        let font = looks.font.map_or_else(String::new, fonts::link);
        let mut page = String::new();
        for piece in &self.pieces {
            page.push_str(match piece {
                Piece::Text(text) => text,
                Piece::Gap(Gap::Boot) => &boot,
                Piece::Gap(Gap::Theme) => looks.theme.as_str(),
                Piece::Gap(Gap::Button) => looks.button.as_str(),
                Piece::Gap(Gap::Pay) => &pay,
                Piece::Gap(Gap::PaymentSummary) => &note,
                Piece::Gap(Gap::Font) => &font,
            });
        }
        Ok(page)
    }
}

/// How to show a page, besides its data.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Looks<'a> {
    pub(crate) theme: Theme,
    pub(crate) button: Button,
    /// The texts of the button, on a page that has one.
    pub(crate) promise: Option<&'a PaymentSummary>,
    /// Hash of the terminal's font, if it has one.
    pub(crate) font: Option<&'a str>,
}

impl Looks<'_> {
    /// The values for a page without a button.
    pub(crate) fn without_button(theme: Theme) -> Self {
        Looks {
            theme,
            button: Button::Hidden,
            promise: None,
            font: None,
        }
    }
}

/// Which marks a page has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Marks {
    /// Boot, theme, font, button and its texts: a page that may have a pay button.
    WithButton,
    /// Boot, theme and font.
    WithoutButton,
}

impl Marks {
    fn gaps(self) -> &'static [Gap] {
        match self {
            Marks::WithButton => &[
                Gap::Boot,
                Gap::Theme,
                Gap::Button,
                Gap::Pay,
                Gap::PaymentSummary,
                Gap::Font,
            ],
            Marks::WithoutButton => &[Gap::Boot, Gap::Theme, Gap::Font],
        }
    }
}

/// A mark that a page must contain is missing, or occurs twice.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the mark {mark} is there {times} times")]
pub struct TemplateError {
    /// The mark.
    pub mark: &'static str,
    /// How often it occurs.
    pub times: usize,
}

/// Colours of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Theme {
    Auto,
    Light,
    Dark,
}

impl Theme {
    /// An unknown word is `Auto`: a wrong word must not keep a buyer from paying.
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
    /// And neither the sum nor a way to give up: the page has them too.
    None,
}

impl Button {
    /// An unknown word is `Auto`.
    pub(crate) fn parse(text: Option<&str>) -> Button {
        match text {
            Some("hidden") => Button::Hidden,
            Some("none") => Button::None,
            _ => Button::Auto,
        }
    }

    fn as_str(self) -> &'static str {
        match self {
            Button::Auto => "auto",
            Button::Hidden => "hidden",
            Button::None => "none",
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
    Pay,
    PaymentSummary,
    Font,
}

impl Gap {
    fn mark(self) -> &'static str {
        match self {
            Gap::Boot => "{{boot}}",
            Gap::Theme => "{{theme}}",
            Gap::Button => "{{button}}",
            Gap::Pay => "{{pay}}",
            Gap::PaymentSummary => "{{promise}}",
            Gap::Font => "{{font}}",
        }
    }
}

/// A text, escaped for the place between tags.
fn escaped(text: &str) -> String {
    match escape(text, Html) {
        Ok(escaped) => escaped.to_string(),
        Err(never) => match never {},
    }
}

fn next_mark(text: &str, gaps: &[Gap]) -> Option<(usize, Gap)> {
    gaps.iter()
        .filter_map(|&gap| text.find(gap.mark()).map(|at| (at, gap)))
        .min_by_key(|(at, _)| *at)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use payframe_protocol::api::{BuildState, StateObject};
    use payframe_protocol::boot::Boot;

    pub(crate) fn boot(merchant: &str) -> Boot {
        Boot {
            defaults: std::collections::BTreeMap::new(),
            session: "m3p0".to_owned(),
            order_id: "A1B2C3".to_owned(),
            merchant_origin: "https://shop.example".to_owned(),
            version: 3,
            state: StateObject {
                state: BuildState::CardDataCollection,
                url: None,
                operation: None,
                field_set: None,
                method: None,
                amount: None,
                seconds_left: None,
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
            card_key: "BAMC".to_owned(),
            look_up: false,
            methods: Vec::new(),
            redirect: None,
            installments: Vec::new(),
            saved: None,
            consent: None,
            offer: None,
        }
    }

    fn promise(merchant: &str) -> PaymentSummary {
        PaymentSummary {
            amount: "€1.00".to_owned(),
            pay: "Pay €1.00".to_owned(),
            note: format!("To {merchant}."),
        }
    }

    #[test]
    fn the_page_is_filled_at_its_marks_only() {
        let template = PageTemplate::parse(
            "<a {{theme}} {{button}}>{{font}}{{other}} {{boot}}</a>{{theme}}<p>{{promise}}</p><b>{{pay}}</b>",
            Marks::WithButton,
        )
        .unwrap();
        let page = template
            .fill(
                &boot("{{theme}}"),
                Looks {
                    theme: Theme::Dark,
                    button: Button::Hidden,
                    promise: Some(&promise("<{{theme}}>")),
                    font: Some("f0"),
                },
            )
            .unwrap();
        assert!(
            page.starts_with("<a dark hidden><link rel=\"stylesheet\" href=\"/fonts/f0.css\">{{other}} {\"session\":\"m3p0\""),
            "{page}"
        );
        assert!(
            page.ends_with("</a>dark<p>To &#60;{{theme}}&#62;.</p><b>Pay €1.00</b>"),
            "{page}"
        );
        // Inserted text is not searched for marks.
        assert!(page.contains(r#""merchant":"{{theme}}""#));
    }

    #[test]
    fn a_value_cannot_end_the_data_block() {
        let template = PageTemplate::parse(
            "{{theme}}{{button}}{{pay}}{{promise}}{{font}}<script>{{boot}}</script>",
            Marks::WithButton,
        )
        .unwrap();
        let hostile = boot("</script><script>alert(1)</script><!--");
        let page = template
            .fill(&hostile, Looks::without_button(Theme::Auto))
            .unwrap();
        assert_eq!(page.matches('<').count(), 2, "{page}");
        let json = page
            .trim_start_matches("autohidden<script>")
            .trim_end_matches("</script>");
        assert_eq!(serde_json::from_str::<Boot>(json).unwrap(), hostile);
    }

    #[test]
    fn a_page_without_a_mark_is_refused() {
        use Marks::{WithButton, WithoutButton};
        for (page, marks, mark, times) in [
            (
                "{{theme}}{{button}}{{pay}}{{promise}}",
                WithButton,
                "{{boot}}",
                0,
            ),
            (
                "{{boot}}{{button}}{{pay}}{{promise}}",
                WithButton,
                "{{theme}}",
                0,
            ),
            (
                "{{boot}}{{theme}}{{pay}}{{promise}}",
                WithButton,
                "{{button}}",
                0,
            ),
            (
                "{{boot}}{{theme}}{{button}}{{promise}}",
                WithButton,
                "{{pay}}",
                0,
            ),
            (
                "{{boot}}{{theme}}{{button}}{{pay}}",
                WithButton,
                "{{promise}}",
                0,
            ),
            (
                "{{boot}}{{theme}}{{button}}{{pay}}{{promise}}",
                WithButton,
                "{{font}}",
                0,
            ),
            (
                "{{boot}}{{boot}}{{theme}}{{button}}",
                WithButton,
                "{{boot}}",
                2,
            ),
            ("{{theme}}", WithoutButton, "{{boot}}", 0),
            ("{{boot}}", WithoutButton, "{{theme}}", 0),
            ("{{boot}}{{boot}}{{theme}}", WithoutButton, "{{boot}}", 2),
        ] {
            assert_eq!(
                PageTemplate::parse(page, marks),
                Err(TemplateError { mark, times }),
                "{page}"
            );
        }
    }

    #[test]
    fn a_page_without_a_button_has_two_marks() {
        let template = PageTemplate::parse(
            "{{theme}} {{button}} {{boot}}{{font}}",
            Marks::WithoutButton,
        )
        .unwrap();
        let page = template
            .fill(&1, Looks::without_button(Theme::Light))
            .unwrap();
        assert_eq!(page, "light {{button}} 1");
    }
}
