//! The billing address in the plain form: a list of countries, and an input for the postal code, which no script can change with the country.

use super::card_fields::{COUNTRY, POSTAL_CODE};
use super::texts::PlainTexts;
use payframe_card_rules::postal_code::PostalCodeKind;
use payframe_payment_domain::billing_address::{BillingAddressError, Country};
use payframe_protocol::boot::BootBilling;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The two inputs.
pub(super) struct ShownBilling {
    pub(super) countries: Vec<ShownCountry>,
    /// Whether none is chosen.
    pub(super) has_no_country: bool,
    pub(super) country_problem: String,
    pub(super) postal_code_label: String,
    pub(super) postal_code: String,
    pub(super) postal_code_problem: String,
}

/// One country of the list.
pub(super) struct ShownCountry {
    pub(super) code: &'static str,
    pub(super) name: &'static str,
    pub(super) is_chosen: bool,
}

impl ShownBilling {
    /// `again`: what was typed before. `wrong`: why it was refused.
    pub(super) fn of(
        asked: &BootBilling,
        texts: &PlainTexts,
        again: &BTreeMap<String, String>,
        wrong: Option<BillingAddressError>,
    ) -> ShownBilling {
        let value = |name: &str, first: &Option<String>| {
            let value = again.get(name).or(first.as_ref());
            value.cloned().unwrap_or_default()
        };
        let country = value(COUNTRY, &asked.country);
        let postal_code = value(POSTAL_CODE, &asked.postal_code);
        let rule = Country::from_code(&country).and_then(Country::postal_code_rule);
        let label = match rule.map(|rule| rule.kind) {
            Some(PostalCodeKind::Zip) => "choice_billing_zip",
            _ => "choice_billing_postal",
        };
        let said = |of: BillingAddressError, text: String| match wrong == Some(of) {
            true => text,
            false => String::new(),
        };
        let missing = texts.text("choice_billing_country_missing").to_owned();
        let example = rule.map_or_else(String::new, |rule| rule.example());
        let wrong_code = match postal_code.trim().is_empty() {
            true => texts.text("choice_billing_postal_missing").to_owned(),
            false => texts.fill("choice_billing_postal_wrong", &[("example", &example)]),
        };
        let countries: Vec<ShownCountry> = NAMES
            .get(texts.text("$tag"))
            .into_iter()
            .flatten()
            .map(|(code, name)| ShownCountry {
                code,
                name,
                is_chosen: *code == country,
            })
            .collect();
        ShownBilling {
            has_no_country: !countries.iter().any(|country| country.is_chosen),
            countries,
            country_problem: said(BillingAddressError::Country, missing),
            postal_code_label: texts.text(label).to_owned(),
            postal_code_problem: said(BillingAddressError::PostalCode, wrong_code),
            postal_code,
        }
    }

    pub(super) fn is_refused(&self) -> bool {
        !self.country_problem.is_empty() || !self.postal_code_problem.is_empty()
    }
}

/// Code and name of each country, in the order of the language, by the language's tag.
type CountryNames = BTreeMap<&'static str, Vec<(&'static str, &'static str)>>;

static NAMES: LazyLock<CountryNames> = LazyLock::new(|| {
    // The file is part of the binary, and a test reads it: this cannot fail if the tests passed.
    #[expect(clippy::expect_used)]
    serde_json::from_str(include_str!("country_names.json")).expect("names of countries")
});

#[cfg(test)]
mod tests {
    use super::super::super::locales::LOCALES;
    use super::super::card_fields::Typed;
    use super::*;
    use std::collections::BTreeSet;

    fn asked(country: Option<&str>) -> BootBilling {
        BootBilling {
            country: country.map(str::to_owned),
            postal_code: None,
            countries: BTreeMap::new(),
        }
    }

    fn typed(values: &[(&str, &str)]) -> BTreeMap<String, String> {
        let owned = |(name, value): &(&str, &str)| (String::from(*name), String::from(*value));
        values.iter().map(owned).collect()
    }

    #[test]
    fn every_language_names_every_country() {
        let all: BTreeSet<&str> = Country::all().map(Country::code).collect();
        assert_eq!(NAMES.len(), LOCALES.len());
        for text in LOCALES {
            let texts: BTreeMap<String, String> = serde_json::from_str(text).unwrap();
            let named: BTreeSet<&str> = NAMES[&*texts["$tag"]]
                .iter()
                .map(|(code, _)| *code)
                .collect();
            assert_eq!(named, all, "{}", texts["$tag"]);
        }
    }

    #[test]
    fn the_country_that_is_known_is_chosen_and_names_its_code() {
        let texts = PlainTexts::of([Some("en")]);
        for (country, chosen, label) in [
            (Some("US"), Some("United States"), "ZIP code"),
            (Some("IT"), Some("Italy"), "Postal code"),
            (None, None, "Postal code"),
        ] {
            let shown = ShownBilling::of(&asked(country), texts, &BTreeMap::new(), None);
            let found = shown.countries.iter().find(|country| country.is_chosen);
            assert_eq!(found.map(|country| country.name), chosen);
            assert_eq!(shown.has_no_country, chosen.is_none());
            assert_eq!(shown.postal_code_label, label);
            assert!(!shown.is_refused());
        }
    }

    #[test]
    fn a_refusal_names_its_input() {
        let texts = PlainTexts::of([Some("en")]);
        for (values, country, postal_code) in [
            (
                &[("country", "")][..],
                "Choose the country of your billing address.",
                "",
            ),
            (
                &[("country", "US")],
                "",
                "Enter the postal code of your billing address.",
            ),
            (
                &[("country", "GB"), ("postal-code", "1")],
                "",
                "Check the postal code: it must look like AB12 3CD.",
            ),
            (&[("country", "AE"), ("postal-code", "1")], "", ""),
        ] {
            let values = typed(values);
            let wrong = Typed::of(values.clone()).billing_problem();
            let shown = ShownBilling::of(&asked(None), texts, &values, wrong);
            assert_eq!(shown.country_problem, country);
            assert_eq!(shown.postal_code_problem, postal_code);
        }
    }
}
