//! The billing address in the plain form: a list of countries, and the inputs of the country that was chosen when the page was made. No script can
//! change them with the country; what another country needs is asked for when the form was sent.

use super::texts::PlainTexts;
use payframe_card_rules::address::{
    AddressPart, AddressPartError, AddressRules, AddressTexts, BILLING_COUNTRY, LONGEST_PART,
    StateKind, billing_item,
};
use payframe_card_rules::postal_code::PostalCodeKind;
use payframe_payment_domain::billing_address::{
    BillingAddressError, BillingAddressFields, Country,
};
use payframe_protocol::boot::BootBilling;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The inputs.
pub(super) struct ShownBilling {
    pub(super) countries: Vec<ShownCountry>,
    /// The country that is chosen. Empty: none is.
    pub(super) country: String,
    pub(super) country_problem: String,
    pub(super) parts: Vec<ShownPart>,
}

/// One country of the list.
pub(super) struct ShownCountry {
    pub(super) code: &'static str,
    pub(super) name: &'static str,
    pub(super) is_chosen: bool,
}

/// The input of one part.
pub(super) struct ShownPart {
    /// The name of the input, as in the form with scripts, so that browsers fill it in.
    pub(super) name: &'static str,
    /// Whether it needs the whole width.
    pub(super) is_wide: bool,
    pub(super) label: String,
    pub(super) longest: usize,
    pub(super) value: String,
    pub(super) problem: String,
    /// Code and name of each option. Empty: the buyer types.
    pub(super) options: Vec<(&'static str, &'static str)>,
}

/// A billing address as the form was sent.
pub(super) struct SentBilling<'a> {
    country: &'a str,
    rules: AddressRules<'static>,
    texts: AddressTexts,
}

/// What the boot data of a form asks for.
pub(super) fn asked_fields(asked: Option<&BootBilling>) -> BillingAddressFields {
    match asked {
        None => BillingAddressFields::None,
        Some(BootBilling { address: None, .. }) => BillingAddressFields::PostalCode,
        Some(_) => BillingAddressFields::Full,
    }
}

impl<'a> SentBilling<'a> {
    /// From the values of a form. A state that was chosen for another country is none.
    pub(super) fn of(values: &'a BTreeMap<String, String>, asked: BillingAddressFields) -> Self {
        let value = |name: &str| values.get(name).map_or("", String::as_str);
        let country = value(COUNTRY);
        let mut texts: AddressTexts = AddressPart::ALL
            .into_iter()
            .map(|part| (part, value(input_name(part))))
            .collect();
        let former = value(FORMER_COUNTRY);
        if !former.is_empty() && former != country {
            texts.set(AddressPart::State, String::new());
        }
        SentBilling {
            country,
            rules: rules_of(country, asked),
            texts,
        }
    }

    /// Everything that is missing or wrong.
    pub(super) fn problems(&self) -> Vec<BillingAddressError> {
        if Country::from_code(self.country).is_none() {
            return vec![BillingAddressError::Country];
        }
        let parts = self.rules.parts();
        parts
            .filter(|part| self.rules.parse(*part, self.texts.text(*part)).is_err())
            .map(BillingAddressError::Part)
            .collect()
    }

    /// Id and value of each item that is sent: of no part that the country does not have, whatever is in its input.
    pub(super) fn items(&self) -> Vec<(&'static str, String)> {
        let parts = self.rules.parts();
        let parts = parts.map(|part| (billing_item(part), self.texts.text(part).to_owned()));
        let country = (BILLING_COUNTRY, self.country.to_owned());
        std::iter::once(country).chain(parts).collect()
    }
}

impl ShownBilling {
    /// `again`: what was typed before. `wrong`: why it was refused.
    pub(super) fn of(
        asked: &BootBilling,
        texts: &PlainTexts,
        again: &BTreeMap<String, String>,
        wrong: &[BillingAddressError],
    ) -> ShownBilling {
        let fields = asked_fields(Some(asked));
        let country = again.get(COUNTRY).or(asked.country.as_ref());
        let country = country.cloned().unwrap_or_default();
        let rules = rules_of(&country, fields);
        let sent = SentBilling::of(again, fields);
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
        let shown = |part| {
            let value = match again.is_empty() {
                true => first_value(asked, part),
                false => sent.texts.text(part),
            };
            ShownPart {
                name: input_name(part),
                is_wide: matches!(part, AddressPart::Line1 | AddressPart::Line2),
                label: label(texts, rules, part),
                longest: match part {
                    AddressPart::PostalCode => LONGEST_POSTAL_CODE,
                    _ => LONGEST_PART,
                },
                problem: match wrong.contains(&BillingAddressError::Part(part)) {
                    true => sentence(texts, rules, part, value),
                    false => String::new(),
                },
                value: value.to_owned(),
                options: match part {
                    AddressPart::State => rules.states().collect(),
                    _ => Vec::new(),
                },
            }
        };
        let parts = match fields {
            // Another country may have postal codes.
            BillingAddressFields::PostalCode => vec![AddressPart::PostalCode],
            _ if Country::from_code(&country).is_none() => AddressPart::ALL.to_vec(),
            _ => rules.parts().collect(),
        };
        let missing = texts.text("choice_billing_country_missing");
        let is_country_wrong = wrong.contains(&BillingAddressError::Country);
        ShownBilling {
            parts: parts.into_iter().map(shown).collect(),
            country_problem: String::from(if is_country_wrong { missing } else { "" }),
            country: match countries.iter().any(|country| country.is_chosen) {
                true => country,
                false => String::new(),
            },
            countries,
        }
    }

    pub(super) fn is_refused(&self) -> bool {
        !self.country_problem.is_empty() || self.parts.iter().any(|part| !part.problem.is_empty())
    }
}

/// The rules of a country. Of none that is known: nothing but a postal code of any form.
fn rules_of(country: &str, asked: BillingAddressFields) -> AddressRules<'static> {
    match Country::from_code(country) {
        Some(country) => country.rules(asked),
        None => AddressRules::read("", "", ""),
    }
}

/// What came with the order.
fn first_value(asked: &BootBilling, part: AddressPart) -> &str {
    let address = asked.address.as_ref();
    let value = match part {
        AddressPart::Line1 => address.and_then(|address| address.line1.as_ref()),
        AddressPart::Line2 => address.and_then(|address| address.line2.as_ref()),
        AddressPart::City => address.and_then(|address| address.city.as_ref()),
        AddressPart::State => address.and_then(|address| address.state.as_ref()),
        AddressPart::PostalCode => asked.postal_code.as_ref(),
    };
    value.map_or("", String::as_str)
}

/// What the country calls a part, and that it may be left out.
fn label(texts: &PlainTexts, rules: AddressRules<'_>, part: AddressPart) -> String {
    let name = texts.text(match part {
        AddressPart::Line1 => "choice_billing_line1",
        AddressPart::Line2 => "choice_billing_line2",
        AddressPart::City => "choice_billing_city",
        AddressPart::State => match rules.state_kind() {
            StateKind::State => "choice_billing_state",
            StateKind::Province => "choice_billing_province",
            StateKind::County => "choice_billing_county",
            StateKind::Prefecture => "choice_billing_prefecture",
            StateKind::Emirate => "choice_billing_emirate",
            StateKind::Region => "choice_billing_region",
        },
        AddressPart::PostalCode => match rules.postal_code.map(|rule| rule.kind) {
            Some(PostalCodeKind::Zip) => "choice_billing_zip",
            _ => "choice_billing_postal",
        },
    });
    // Whether a part may be left out is not known before its country is.
    let is_optional = !rules.is_required(part) && rules.parts().any(|asked| asked == part);
    match is_optional || part == AddressPart::Line2 {
        true => texts.fill("choice_billing_optional", &[("field", name)]),
        false => name.to_owned(),
    }
}

/// What is wrong with a part.
fn sentence(texts: &PlainTexts, rules: AddressRules<'_>, part: AddressPart, value: &str) -> String {
    let is_missing = rules.parse(part, value) == Err(AddressPartError::Empty);
    let field = label(texts, rules, part);
    match (part, rules.postal_code) {
        (AddressPart::PostalCode, _) if is_missing => {
            texts.text("choice_billing_postal_missing").to_owned()
        }
        (AddressPart::PostalCode, Some(rule)) => {
            let example = rule.example();
            texts.fill("choice_billing_postal_wrong", &[("example", &example)])
        }
        _ if is_missing => texts.fill("choice_billing_missing", &[("field", &field)]),
        _ => texts.fill("choice_billing_wrong", &[("field", &field)]),
    }
}

fn input_name(part: AddressPart) -> &'static str {
    match part {
        AddressPart::Line1 => "address-line1",
        AddressPart::Line2 => "address-line2",
        AddressPart::City => "address-level2",
        AddressPart::State => "address-level1",
        AddressPart::PostalCode => "postal-code",
    }
}

const COUNTRY: &str = "country";

/// The country for which the page listed the states.
const FORMER_COUNTRY: &str = "former-country";

/// With what buyers type between its parts.
const LONGEST_POSTAL_CODE: usize = 20;

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
    use super::*;
    use payframe_protocol::boot::BootAddress;
    use std::collections::BTreeSet;

    fn asked(country: Option<&str>) -> BootBilling {
        BootBilling {
            country: country.map(str::to_owned),
            postal_code: None,
            countries: BTreeMap::new(),
            address: None,
        }
    }

    fn asked_all(country: Option<&str>) -> BootBilling {
        BootBilling {
            address: Some(BootAddress {
                line1: Some(String::from("1 Loop")),
                line2: None,
                city: None,
                state: country.map(|_| String::from("CA")),
                formats: BTreeMap::new(),
                states: BTreeMap::new(),
            }),
            ..asked(country)
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
        for (_, text) in LOCALES {
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
            let shown = ShownBilling::of(&asked(country), texts, &BTreeMap::new(), &[]);
            let found = shown.countries.iter().find(|country| country.is_chosen);
            assert_eq!(found.map(|country| country.name), chosen);
            assert_eq!(shown.country, country.unwrap_or(""));
            assert_eq!(shown.parts[0].label, label);
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
            let wrong = SentBilling::of(&values, BillingAddressFields::PostalCode).problems();
            let shown = ShownBilling::of(&asked(None), texts, &values, &wrong);
            assert_eq!(shown.country_problem, country);
            assert_eq!(shown.parts[0].problem, postal_code);
        }
    }

    #[test]
    fn a_whole_address_has_the_inputs_of_its_country_with_what_is_known() {
        let texts = PlainTexts::of([Some("en")]);
        let shown = |country| ShownBilling::of(&asked_all(country), texts, &BTreeMap::new(), &[]);
        let labels = |shown: &ShownBilling| {
            let labels = shown.parts.iter().map(|part| part.label.clone());
            labels.collect::<Vec<_>>().join(", ")
        };
        let us = shown(Some("US"));
        assert_eq!(
            labels(&us),
            "Address, Address line 2 (optional), City, State, ZIP code"
        );
        assert_eq!((&*us.parts[0].value, &*us.parts[3].value), ("1 Loop", "CA"));
        assert!(us.parts[3].options.contains(&("CA", "California")));
        assert_eq!(
            labels(&shown(Some("DE"))),
            "Address, Address line 2 (optional), Postal code, City"
        );
        assert_eq!(
            labels(&shown(Some("IE"))),
            "Address, Address line 2 (optional), City, County (optional), Postal code (optional)"
        );
        assert_eq!(
            labels(&shown(None)),
            "Address, Address line 2 (optional), City, State or region, Postal code"
        );
    }

    #[test]
    fn everything_that_is_wrong_with_a_whole_address_is_said() {
        let texts = PlainTexts::of([Some("en")]);
        let values = typed(&[
            ("country", "US"),
            ("former-country", "US"),
            ("address-line1", "1 Loop"),
            ("address-level1", "California"),
        ]);
        let wrong = SentBilling::of(&values, BillingAddressFields::Full).problems();
        let shown = ShownBilling::of(&asked_all(None), texts, &values, &wrong);
        let problems: Vec<&str> = shown.parts.iter().map(|part| &*part.problem).collect();
        assert_eq!(
            problems,
            [
                "",
                "",
                "Fill in: City",
                "Check: State",
                "Enter the postal code of your billing address."
            ]
        );
    }

    #[test]
    fn a_state_of_the_country_before_is_none_and_what_a_country_has_not_is_not_sent() {
        let sent = |country| {
            let values = typed(&[
                ("country", country),
                ("former-country", "US"),
                ("address-line1", "1 Road"),
                ("address-level2", "Perth"),
                ("address-level1", "WA"),
                ("postal-code", "6000"),
            ]);
            let sent = SentBilling::of(&values, BillingAddressFields::Full);
            let items = sent
                .items()
                .into_iter()
                .filter(|(_, value)| !value.is_empty());
            (sent.problems(), items.map(|(id, _)| id).collect::<Vec<_>>())
        };
        let (problems, _) = sent("AU");
        assert_eq!(problems, [BillingAddressError::Part(AddressPart::State)]);
        let (problems, items) = sent("NO");
        assert_eq!(problems, []);
        assert_eq!(
            items,
            [
                "BILLING_COUNTRY",
                "BILLING_LINE1",
                "BILLING_POSTAL_CODE",
                "BILLING_CITY"
            ]
        );
    }
}
