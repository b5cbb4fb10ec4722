//! The texts of hosted pages, in every language of the form, from the form's own files (`www/locales`).

use super::locales::{InAllLanguages, LOCALES};
use payframe_web_pages::language::{choose_texts, read_texts};
use serde::Deserialize;
use std::sync::LazyLock;

/// The sentences of one language that a hosted page needs.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct HostedTexts {
    #[serde(rename = "$code")]
    pub(super) code: String,
    #[serde(rename = "$tag")]
    pub(super) tag: String,
    /// `ltr` or `rtl`.
    #[serde(rename = "$dir")]
    pub(super) dir: String,
    /// Holds `{merchant}`.
    #[serde(rename = "label_hosted_title")]
    pub(super) title: String,
    #[serde(rename = "label_hosted_order")]
    pub(super) order: String,
    #[serde(rename = "label_hosted_other_ways")]
    pub(super) other_ways: String,
    /// Holds `{merchant}`.
    #[serde(rename = "label_hosted_back")]
    pub(super) back: String,
    /// Holds `{merchant}`.
    #[serde(rename = "label_hosted_leaving")]
    pub(super) leaving: String,
    #[serde(rename = "label_hosted_renewed")]
    pub(super) renewed: String,
    #[serde(rename = "label_hosted_used_title")]
    pub(super) used_title: String,
    #[serde(rename = "label_hosted_used_text")]
    pub(super) used_text: String,
    #[serde(rename = "label_hosted_link_over_title")]
    pub(super) link_over_title: String,
    /// Holds `{merchant}`.
    #[serde(rename = "label_hosted_link_over_text")]
    pub(super) link_over_text: String,
    #[serde(rename = "label_hosted_unknown_title")]
    pub(super) unknown_title: String,
    #[serde(rename = "label_hosted_unknown_text")]
    pub(super) unknown_text: String,
    #[serde(rename = "label_hosted_refused")]
    pub(super) refused: String,
    #[serde(rename = "label_hosted_terms_title")]
    pub(super) terms_title: String,
    #[serde(rename = "label_hosted_terms_missing")]
    pub(super) terms_missing: String,
    #[serde(rename = "label_hosted_terms_continue")]
    pub(super) terms_continue: String,
    pub(super) label_frame_title: String,
    pub(super) label_pay: String,
    /// Holds `{method}`.
    pub(super) label_pay_with: String,
    pub(super) label_scripts_off: String,
    pub(super) pay_with_card: String,
    pub(super) cancel_payment: String,
    pub(super) start_failed: String,
    pub(super) service_fault: String,
    pub(super) approved_title: String,
    /// Holds `{amount}` and `{merchant}`.
    pub(super) approved_text: String,
    pub(super) held_title: String,
    /// Holds `{amount}` and `{merchant}`.
    pub(super) held_text: String,
    pub(super) verified_title: String,
    pub(super) verified_text: String,
    pub(super) pending_title: String,
    /// Holds `{merchant}`.
    pub(super) pending_text: String,
    pub(super) cancelled_title: String,
    pub(super) cancelled_text: String,
    pub(super) expired_title: String,
    pub(super) expired_text: String,
    pub(super) declined_title: String,
    pub(super) too_many_tries: String,
    pub(super) failed_title: String,
}

impl HostedTexts {
    /// The texts of this language, else English.
    pub(super) fn of(asked: Option<&str>) -> &'static HostedTexts {
        choose_texts(&*TEXTS, [asked])
    }
}

/// The web tag of a language that the form has.
pub(super) fn tag_of(code: &str) -> Option<&'static str> {
    let code = code.to_ascii_lowercase();
    let found = TEXTS.iter().find(|(known, _)| *known == code);
    found.map(|(_, texts)| texts.tag.as_str())
}

static TEXTS: InAllLanguages<HostedTexts> = LazyLock::new(|| read_texts(LOCALES));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_of_the_form_has_the_texts_of_the_page() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../www/locales");
        assert_eq!(std::fs::read_dir(folder).unwrap().count(), TEXTS.len());
        for (_, texts) in TEXTS.iter() {
            for with_merchant in [
                &texts.title,
                &texts.back,
                &texts.leaving,
                &texts.link_over_text,
            ] {
                assert!(
                    with_merchant.contains("{merchant}"),
                    "{}: {with_merchant}",
                    texts.code
                );
            }
            assert!(
                ["ltr", "rtl"].contains(&texts.dir.as_str()),
                "{}",
                texts.code
            );
            assert_eq!(HostedTexts::of(Some(&texts.tag)).code, texts.code);
            assert_eq!(HostedTexts::of(Some(&texts.code)).code, texts.code);
        }
    }

    #[test]
    fn a_language_that_we_do_not_have_is_english() {
        for asked in [None, Some("tlh"), Some("")] {
            assert_eq!(HostedTexts::of(asked).code, "eng", "{asked:?}");
        }
    }
}
