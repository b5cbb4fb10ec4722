//! A built page of one language, split at the places where the gateway fills in the session.
//!
//! The build leaves placeholders in it: `{{boot}}` inside a JSON data block, `{{theme}}` and, on a page with a pay
//! button, `{{button}}` and `{{cancellation}}` inside attributes, `{{pay}}` and `{{summary}}` for its label and the text above it, `{{plain}}` for
//! the address of the form without scripts, and `{{font}}` for the link to the terminal's font, with the script that a form
//! with saved cards needs. Everything else is fixed at build time, so that the hashes of script and style stay valid.
//!
//! Libraries considered: askama, which writes the gateway's other pages, reads templates when the gateway is compiled. These pages are made
//! when the widget is built, and read at the start. minijinja and tera can read them then, but do not refuse a page that lacks a placeholder,
//! and treat all other text in braces as their own.

use super::fonts;
use super::payment_summary::PaymentSummary;
use askama::filters::{Html, escape};
use payframe_web_pages::theme::Theme;
use serde::Serialize;
use thiserror::Error;

/// A built page with its placeholders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PageTemplate {
    pieces: Vec<Piece>,
}

impl PageTemplate {
    /// Splits the page at its placeholders. Each of them stands in the page, or it would ignore the session or the merchant, and only that
    /// of the boot data not twice. The build has the same rule (`assemble` in `xtask/src/pages.rs`).
    pub(crate) fn parse(
        page: &str,
        placeholders: PlaceholderSet,
    ) -> Result<PageTemplate, TemplateError> {
        let placeholders = placeholders.placeholders();
        let mut pieces = Vec::new();
        let mut rest = page;
        while let Some((at, placeholder)) = next_placeholder(rest, placeholders) {
            pieces.push(Piece::Text(rest[..at].to_owned()));
            pieces.push(Piece::Placeholder(placeholder));
            rest = &rest[at + placeholder.text().len()..];
        }
        pieces.push(Piece::Text(rest.to_owned()));
        for &placeholder in placeholders {
            let times = pieces
                .iter()
                .filter(|piece| **piece == Piece::Placeholder(placeholder))
                .count();
            if times == 0 || (placeholder == Placeholder::Boot && times > 1) {
                return Err(TemplateError {
                    placeholder: placeholder.text(),
                    times,
                });
            }
        }
        Ok(PageTemplate { pieces })
    }

    /// The page with `boot` in its data block. A page without the placeholders of the button uses only the theme.
    pub(crate) fn fill(
        &self,
        boot: &impl Serialize,
        appearance: PageAppearance<'_>,
    ) -> Result<String, serde_json::Error> {
        // In a data block only `<` could end the script. In JSON it occurs only in strings, where it may be escaped.
        let boot = serde_json::to_string(boot)?.replace('<', "\\u003c");
        let (pay, note) = appearance.summary.map_or_else(Default::default, |summary| {
            (escaped(&summary.pay), escaped(&summary.note))
        });
        let mut font = appearance.font.map_or_else(String::new, fonts::link);
        font.push_str(appearance.script.unwrap_or_default());
        let plain = escaped(appearance.plain_form);
        let mut page = String::new();
        for piece in &self.pieces {
            page.push_str(match piece {
                Piece::Text(text) => text,
                Piece::Placeholder(Placeholder::Boot) => &boot,
                Piece::Placeholder(Placeholder::Theme) => appearance.theme.as_str(),
                Piece::Placeholder(Placeholder::Button) => appearance.button.as_str(),
                Piece::Placeholder(Placeholder::Cancellation) => appearance.cancellation.as_str(),
                Piece::Placeholder(Placeholder::Pay) => &pay,
                Piece::Placeholder(Placeholder::PaymentSummary) => &note,
                Piece::Placeholder(Placeholder::Font) => &font,
                Piece::Placeholder(Placeholder::PlainForm) => &plain,
            });
        }
        Ok(page)
    }
}

/// How to show a page, besides its data.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PageAppearance<'a> {
    pub(crate) theme: Theme,
    pub(crate) button: Shown,
    /// The link that cancels.
    pub(crate) cancellation: Shown,
    /// The texts of the button, on a page that has one.
    pub(crate) summary: Option<&'a PaymentSummary>,
    /// Hash of the terminal's font, if it has one.
    pub(crate) font: Option<&'a str>,
    /// The element of one more script of ours.
    pub(crate) script: Option<&'a str>,
    /// Where a browser without scripts goes, on a page with a button.
    pub(crate) plain_form: &'a str,
}

impl PageAppearance<'_> {
    /// The values for a page without a button.
    pub(crate) fn without_button(theme: Theme) -> Self {
        PageAppearance {
            theme,
            button: Shown::Hidden,
            cancellation: Shown::Auto,
            summary: None,
            font: None,
            script: None,
            plain_form: "",
        }
    }
}

/// Which placeholders a page has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlaceholderSet {
    /// Boot, theme, font, button and its texts, the way to the form without scripts: a page that may have a pay button.
    WithButton,
    /// Boot, theme and font.
    WithoutButton,
}

impl PlaceholderSet {
    fn placeholders(self) -> &'static [Placeholder] {
        match self {
            PlaceholderSet::WithButton => &[
                Placeholder::Boot,
                Placeholder::Theme,
                Placeholder::Button,
                Placeholder::Cancellation,
                Placeholder::Pay,
                Placeholder::PaymentSummary,
                Placeholder::Font,
                Placeholder::PlainForm,
            ],
            PlaceholderSet::WithoutButton => {
                &[Placeholder::Boot, Placeholder::Theme, Placeholder::Font]
            }
        }
    }
}

/// A placeholder that a page must contain is missing, or occurs twice.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the placeholder {placeholder} is there {times} times")]
pub struct TemplateError {
    /// The placeholder.
    pub placeholder: &'static str,
    /// How often it occurs.
    pub times: usize,
}

/// Whether the form shows a pay button of its own, or a link that cancels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    Auto,
    Hidden,
}

impl Shown {
    /// An unknown word is `Auto`.
    pub(crate) fn parse(text: Option<&str>) -> Shown {
        match text {
            Some("hidden") => Shown::Hidden,
            _ => Shown::Auto,
        }
    }

    fn as_str(self) -> &'static str {
        match self {
            Shown::Auto => "auto",
            Shown::Hidden => "hidden",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Placeholder(Placeholder),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Placeholder {
    Boot,
    Theme,
    Button,
    Cancellation,
    Pay,
    PaymentSummary,
    Font,
    PlainForm,
}

impl Placeholder {
    fn text(self) -> &'static str {
        match self {
            Placeholder::Boot => "{{boot}}",
            Placeholder::Theme => "{{theme}}",
            Placeholder::Button => "{{button}}",
            Placeholder::Cancellation => "{{cancellation}}",
            Placeholder::Pay => "{{pay}}",
            Placeholder::PaymentSummary => "{{summary}}",
            Placeholder::Font => "{{font}}",
            Placeholder::PlainForm => "{{plain}}",
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

fn next_placeholder(text: &str, placeholders: &[Placeholder]) -> Option<(usize, Placeholder)> {
    placeholders
        .iter()
        .filter_map(|&placeholder| text.find(placeholder.text()).map(|at| (at, placeholder)))
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
                sum: None,
                offer: None,
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
            diagnostics: true,
            watch: false,
            card_key: "BAMC".to_owned(),
            look_up: false,
            methods: Vec::new(),
            redirect: None,
            installments: Vec::new(),
            saved: None,
            consent: None,
            billing: None,
            offer: None,
        }
    }

    fn summary(merchant: &str) -> PaymentSummary {
        PaymentSummary {
            amount: "€1.00".to_owned(),
            pay: "Pay €1.00".to_owned(),
            note: format!("To {merchant}."),
        }
    }

    #[test]
    fn the_page_is_filled_at_its_placeholders_only() {
        let template = PageTemplate::parse(
            "<a {{theme}} {{button}} {{cancellation}}>{{font}}{{other}} {{boot}}</a>{{theme}}<p>{{summary}}</p><b>{{pay}}</b><a href=\"{{plain}}\">",
            PlaceholderSet::WithButton,
        )
        .unwrap();
        let page = template
            .fill(
                &boot("{{theme}}"),
                PageAppearance {
                    theme: Theme::Dark,
                    button: Shown::Hidden,
                    cancellation: Shown::Auto,
                    summary: Some(&summary("<{{theme}}>")),
                    font: Some("f0"),
                    script: Some("<script src=\"/a.js\"></script>"),
                    plain_form: "/form/plain?a=1&b=\"",
                },
            )
            .unwrap();
        assert!(
            page.starts_with("<a dark hidden auto><link rel=\"stylesheet\" href=\"/fonts/f0.css\"><script src=\"/a.js\"></script>{{other}} {\"session\":\"m3p0\""),
            "{page}"
        );
        assert!(
            page.ends_with("</a>dark<p>To &#60;{{theme}}&#62;.</p><b>Pay €1.00</b><a href=\"/form/plain?a=1&#38;b=&#34;\">"),
            "{page}"
        );
        // Inserted text is not searched for placeholders.
        assert!(page.contains(r#""merchant":"{{theme}}""#));
    }

    #[test]
    fn a_value_cannot_end_the_data_block() {
        let template = PageTemplate::parse(
            "{{theme}}{{button}}{{cancellation}}{{pay}}{{summary}}{{font}}{{plain}}<script>{{boot}}</script>",
            PlaceholderSet::WithButton,
        )
        .unwrap();
        let hostile = boot("</script><script>alert(1)</script><!--");
        let page = template
            .fill(&hostile, PageAppearance::without_button(Theme::Auto))
            .unwrap();
        assert_eq!(page.matches('<').count(), 2, "{page}");
        let json = page
            .trim_start_matches("autohiddenauto<script>")
            .trim_end_matches("</script>");
        assert_eq!(serde_json::from_str::<Boot>(json).unwrap(), hostile);
    }

    #[test]
    fn a_page_without_a_placeholder_is_refused() {
        use PlaceholderSet::{WithButton, WithoutButton};
        for (page, placeholders, placeholder, times) in [
            (
                "{{theme}}{{button}}{{cancellation}}{{pay}}{{summary}}",
                WithButton,
                "{{boot}}",
                0,
            ),
            (
                "{{boot}}{{button}}{{pay}}{{summary}}",
                WithButton,
                "{{theme}}",
                0,
            ),
            (
                "{{boot}}{{theme}}{{pay}}{{summary}}",
                WithButton,
                "{{button}}",
                0,
            ),
            (
                "{{boot}}{{theme}}{{button}}{{pay}}{{summary}}",
                WithButton,
                "{{cancellation}}",
                0,
            ),
            (
                "{{boot}}{{theme}}{{button}}{{cancellation}}{{summary}}",
                WithButton,
                "{{pay}}",
                0,
            ),
            (
                "{{boot}}{{theme}}{{button}}{{cancellation}}{{pay}}",
                WithButton,
                "{{summary}}",
                0,
            ),
            (
                "{{boot}}{{theme}}{{button}}{{cancellation}}{{pay}}{{summary}}",
                WithButton,
                "{{font}}",
                0,
            ),
            (
                "{{boot}}{{theme}}{{button}}{{cancellation}}{{pay}}{{summary}}{{font}}",
                WithButton,
                "{{plain}}",
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
                PageTemplate::parse(page, placeholders),
                Err(TemplateError { placeholder, times }),
                "{page}"
            );
        }
    }

    #[test]
    fn each_placeholder_but_that_of_the_boot_data_may_be_there_twice() {
        let all = PlaceholderSet::WithButton.placeholders();
        let whole: String = all.iter().map(|placeholder| placeholder.text()).collect();
        for placeholder in all {
            let twice = format!("{whole}{}", placeholder.text());
            let parsed = PageTemplate::parse(&twice, PlaceholderSet::WithButton);
            assert_eq!(
                parsed.is_ok(),
                *placeholder != Placeholder::Boot,
                "{placeholder:?}"
            );
        }
    }

    #[test]
    fn a_page_without_a_button_has_two_placeholders() {
        let template = PageTemplate::parse(
            "{{theme}} {{button}} {{boot}}{{font}}",
            PlaceholderSet::WithoutButton,
        )
        .unwrap();
        let page = template
            .fill(&1, PageAppearance::without_button(Theme::Light))
            .unwrap();
        assert_eq!(page, "light {{button}} 1");
    }
}
