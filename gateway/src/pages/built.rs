//! A page from the build, in every language, and its Content-Security-Policy.

use super::template::{PageAppearance, PageTemplate};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use payframe_payment_domain::terms::CardField;
use payframe_web_pages::language::{FALLBACK_LANGUAGE, choose};
use payframe_web_pages::protect;
use serde::Serialize;
use std::collections::BTreeMap;

/// The pages that the build makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PageName {
    /// The card form: every field in one document.
    Form,
    /// The form whose fields are separate frames: messages, pay button, challenge.
    FieldsHost,
    /// One input.
    Input(CardField),
    /// The button of a method.
    Button,
    /// The device check of version 2.
    DeviceCheck,
    /// Replaces a field that cannot be shown.
    UnavailableField,
}

impl PageName {
    /// The name in the manifest.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            PageName::Form => "form",
            PageName::FieldsHost => "fields-host",
            PageName::Input(field) => field.id(),
            PageName::Button => "button",
            PageName::DeviceCheck => "gdi",
            PageName::UnavailableField => "unavailable-field",
        }
    }

    /// Every page.
    pub(crate) fn all() -> impl Iterator<Item = PageName> {
        [
            PageName::Form,
            PageName::FieldsHost,
            PageName::Button,
            PageName::DeviceCheck,
            PageName::UnavailableField,
        ]
        .into_iter()
        .chain(CardField::ALL.map(PageName::Input))
    }
}

/// A built page with all its languages.
#[derive(Clone, Debug)]
pub(crate) struct BuiltPage {
    /// By three-letter code, lower case. [`FALLBACK_LANGUAGE`] is always there.
    pub(crate) languages: BTreeMap<String, PageTemplate>,
    /// Hashes of the inline scripts, as `sha256-…`.
    pub(crate) script_hashes: Vec<String>,
    /// Hashes of the inline styles, as `sha256-…`.
    pub(crate) style_hashes: Vec<String>,
}

/// Where a page's style comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sheets {
    /// The page itself.
    Own,
    /// The page itself and the merchant's filtered sheet, which contains its fonts as `data:`.
    Merchants,
}

/// How a page is to be filled.
pub(crate) struct PageContent<'a, T> {
    /// Written into the data block.
    pub(crate) boot: &'a T,
    /// A language of the page, as [`BuiltPage::language`] returns it.
    pub(crate) language: &'a str,
    pub(crate) appearance: PageAppearance<'a>,
    pub(crate) sheets: Sheets,
    /// Who may frame the page, in the words of `frame-ancestors`.
    pub(crate) ancestors: &'a str,
}

impl BuiltPage {
    /// The code of the language that fits `asked` best: language codes or tags, the most wanted first.
    pub(crate) fn language(&self, asked: [Option<&str>; 2]) -> &str {
        let languages = || self.languages.keys().map(String::as_str);
        asked
            .into_iter()
            .flatten()
            .find_map(|asked| choose(asked, languages()))
            .unwrap_or(FALLBACK_LANGUAGE)
    }

    /// The page with its headers. `None`, and a line in the log, if it cannot be made.
    pub(crate) fn answer<T: Serialize>(
        &self,
        status: StatusCode,
        content: &PageContent<'_, T>,
    ) -> Option<Response> {
        let template = self.languages.get(content.language)?;
        let html = match template.fill(content.boot, content.appearance) {
            Ok(html) => html,
            Err(problem) => {
                tracing::error!(%problem, "a built page could not be written");
                return None;
            }
        };
        let mut page = (status, Html(html)).into_response();
        let policy = self.policy(content.sheets, content.appearance.font, content.ancestors);
        protect(&mut page, &policy);
        Some(page)
    }

    /// What the page may do, and who may frame it.
    fn policy(&self, sheets: Sheets, font: Option<&str>, ancestors: &str) -> String {
        let words = |first: &[&str], hashes: &[String]| {
            let hashes = hashes.iter().map(|hash| format!("'{hash}'"));
            let words = first.iter().map(|word| (*word).to_owned());
            words.chain(hashes).collect::<Vec<_>>().join(" ")
        };
        let (own_sheets, fonts): (&[&str], _) = match (sheets, font) {
            (Sheets::Own, None) => (&[], ""),
            (Sheets::Own, Some(_)) => (&["'self'"], "font-src 'self'; "),
            (Sheets::Merchants, None) => (&["'self'"], "font-src data:; "),
            (Sheets::Merchants, Some(_)) => (&["'self'"], "font-src 'self' data:; "),
        };
        format!(
            "default-src 'none'; script-src {scripts}; style-src {styles}; img-src 'self' data:; {fonts}connect-src 'self'; \
             frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors {ancestors}; \
             require-trusted-types-for 'script'; trusted-types payframe-page",
            scripts = words(&["'self'", "'wasm-unsafe-eval'"], &self.script_hashes),
            styles = words(own_sheets, &self.style_hashes),
        )
    }
}
