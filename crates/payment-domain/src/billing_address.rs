//! The billing address of a card, as far as a form asks for it (`form.billingAddress`): the country with its postal code, or all of it.
//!
//! Banks in several countries compare it with their own records before they approve. Which countries have which parts, states and
//! formats of postal codes is in tables (`billing_address/*.txt`); [`payframe_card_rules::address`] reads them, in the form and here alike.

use payframe_card_rules::address::{AddressPart, AddressRules, AddressTexts};
use payframe_card_rules::secret::Secret;

/// What a form asks of the billing address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BillingAddressFields {
    /// Nothing.
    #[default]
    None,
    /// The country, and the postal code where the country has them.
    PostalCode,
    /// Everything that the country's addresses have.
    Full,
}

/// A country of the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Country {
    code: &'static str,
    /// The rule of its postal codes as in the table. Empty without postal codes.
    postal_codes: &'static str,
}

/// A billing address that passed the rules of its country.
pub struct BillingAddress {
    country: Country,
    /// One for each part, in the order of [`AddressPart::ALL`].
    parts: [Option<Secret>; AddressPart::ALL.len()],
}

/// Why there is no billing address. Holds nothing of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BillingAddressError {
    /// No country of the table.
    #[error("no country")]
    Country,
    /// Missing, or nothing that an address of the country has.
    #[error("no {0:?} of the country")]
    Part(AddressPart),
}

impl BillingAddressFields {
    /// The code on the wire.
    pub fn code(self) -> &'static str {
        match self {
            BillingAddressFields::None => "NONE",
            BillingAddressFields::PostalCode => "POSTAL_CODE",
            BillingAddressFields::Full => "FULL",
        }
    }

    /// The value of a code on the wire.
    pub fn from_code(code: &str) -> Option<BillingAddressFields> {
        [
            BillingAddressFields::None,
            BillingAddressFields::PostalCode,
            BillingAddressFields::Full,
        ]
        .into_iter()
        .find(|known| known.code() == code)
    }

    /// Every code.
    pub const CODES: [&'static str; 3] = ["NONE", "POSTAL_CODE", "FULL"];
}

impl Country {
    /// Every country, by its code.
    pub fn all() -> impl Iterator<Item = Country> {
        lines(POSTAL_CODES).map(|(code, postal_codes)| Country { code, postal_codes })
    }

    /// The country of two letters of ISO 3166-1, in capitals.
    pub fn from_code(code: &str) -> Option<Country> {
        Country::all().find(|country| country.code == code)
    }

    /// The country of three letters of ISO 3166-1, in capitals, as orders store it.
    pub fn from_alpha3(code: &str) -> Option<Country> {
        match code {
            "XKX" => Country::from_code("XK"),
            _ => Country::from_code(rust_iso3166::from_alpha3(code)?.alpha2),
        }
    }

    /// Two letters of ISO 3166-1. `XK` is Kosovo, which has none there.
    pub fn code(self) -> &'static str {
        self.code
    }

    /// Three digits of ISO 3166-1. `None` for Kosovo.
    pub fn numeric(self) -> Option<String> {
        rust_iso3166::from_alpha2(self.code).map(|country| format!("{:03}", country.numeric))
    }

    /// The rule of its postal codes, as [`AddressRules::read`] reads it. Empty: it has none.
    pub fn postal_codes(self) -> &'static str {
        self.postal_codes
    }

    /// The format of its addresses, as [`AddressRules::read`] reads it.
    pub fn format(self) -> &'static str {
        of_country(FORMATS, self.code)
    }

    /// Its states, as [`AddressRules::read`] reads them. Empty: they are not listed.
    pub fn states(self) -> &'static str {
        of_country(STATES, self.code)
    }

    /// The rules of what is asked of its addresses.
    pub fn rules(self, asked: BillingAddressFields) -> AddressRules<'static> {
        match asked {
            BillingAddressFields::None => AddressRules::read("", "", ""),
            BillingAddressFields::PostalCode => AddressRules::read(self.postal_codes, "", ""),
            BillingAddressFields::Full => {
                AddressRules::read(self.postal_codes, self.format(), self.states())
            }
        }
    }
}

impl BillingAddress {
    /// Reads what a buyer chose and typed. `country`: two letters. What is not asked for, or what the country does not have, must be empty.
    ///
    /// # Errors
    /// No country of the table; or the first part that is not of that country.
    pub fn read(
        asked: BillingAddressFields,
        country: &str,
        texts: &AddressTexts,
    ) -> Result<BillingAddress, BillingAddressError> {
        let country = Country::from_code(country).ok_or(BillingAddressError::Country)?;
        let rules = country.rules(asked);
        let asked = rules.parts();
        let others = AddressPart::ALL
            .into_iter()
            .filter(|part| !rules.parts().any(|asked| asked == *part));
        let mut parts = [const { None }; AddressPart::ALL.len()];
        for part in asked.chain(others) {
            let text = rules
                .parse(part, texts.text(part))
                .map_err(|_| BillingAddressError::Part(part))?;
            if let Some(place) = parts.get_mut(part as usize) {
                *place = text.map(Secret::new);
            }
        }
        Ok(BillingAddress { country, parts })
    }

    /// The country.
    pub fn country(&self) -> Country {
        self.country
    }

    /// A part, as the country writes it. `None`: it was not asked for, the country has none, or the buyer left it out where that is allowed. A
    /// listed state is its code.
    pub fn part(&self, part: AddressPart) -> Option<&Secret> {
        self.parts.get(part as usize)?.as_ref()
    }
}

/// Where somebody lives is in no log.
impl core::fmt::Debug for BillingAddress {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("BillingAddress(…)")
    }
}

/// The country of each line of a table, and what the table says of it.
fn lines(table: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    table
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split_once(' ').unwrap_or((line, "")))
}

fn of_country(table: &'static str, country: &str) -> &'static str {
    lines(table)
        .find(|(code, _)| *code == country)
        .map_or("", |(_, of)| of)
}

const POSTAL_CODES: &str = include_str!("billing_address/postal_codes.txt");
const FORMATS: &str = include_str!("billing_address/formats.txt");
const STATES: &str = include_str!("billing_address/states.txt");

#[cfg(test)]
mod tests {
    use super::*;
    use AddressPart::{City, Line1, Line2, PostalCode, State};
    use payframe_card_rules::address::LONGEST_PART;

    /// The parts of an address, or why there is none.
    fn read(
        asked: BillingAddressFields,
        country: &str,
        parts: &[(AddressPart, &str)],
    ) -> Result<String, BillingAddressError> {
        BillingAddress::read(asked, country, &parts.iter().copied().collect()).map(|address| {
            assert_eq!(address.country().code(), country);
            let parts = AddressPart::ALL.map(|part| address.part(part).map_or("", Secret::expose));
            parts.join("/")
        })
    }

    #[test]
    fn a_postal_code_is_read_by_the_rule_of_its_country() {
        use BillingAddressError::{Country, Part};
        for (country, postal_code, expected) in [
            ("US", "95014", Ok("95014")),
            ("GB", "sw1a1aa", Ok("SW1A 1AA")),
            ("AE", "", Ok("")),
            ("IE", "", Ok("")),
            ("IT", "00184", Ok("00184")),
            ("XK", "10000", Ok("10000")),
            ("US", "", Err(Part(PostalCode))),
            ("US", "SW1A 1AA", Err(Part(PostalCode))),
            ("AE", "12345", Err(Part(PostalCode))),
            ("ZZ", "12345", Err(Country)),
            ("us", "95014", Err(Country)),
            ("", "", Err(Country)),
        ] {
            let sent = [(PostalCode, postal_code)];
            let found = read(BillingAddressFields::PostalCode, country, &sent);
            let expected = expected.map(|code| format!("////{code}"));
            assert_eq!(found, expected, "{country} {postal_code}");
        }
        let more = [(PostalCode, "95014"), (City, "Cupertino")];
        let found = read(BillingAddressFields::PostalCode, "US", &more);
        assert_eq!(found, Err(Part(City)), "a city is not asked for");
    }

    #[test]
    fn a_whole_address_is_read_by_the_rules_of_its_country() {
        use BillingAddressError::Part;
        let us = [
            (Line1, "1 Loop"),
            (City, "Cupertino"),
            (State, "CA"),
            (PostalCode, "95014"),
        ];
        for (country, parts, expected) in [
            ("US", &us[..], Ok("1 Loop//Cupertino/CA/95014")),
            ("US", &us[..3], Err(Part(PostalCode))),
            ("US", &us[1..], Err(Part(Line1))),
            ("DE", &us[..], Err(Part(State))),
            (
                "DE",
                &[
                    (Line1, "Weg 1"),
                    (Line2, "Hof"),
                    (PostalCode, "10115"),
                    (City, "Berlin"),
                ],
                Ok("Weg 1/Hof/Berlin//10115"),
            ),
            (
                "JP",
                &[(PostalCode, "1540023"), (State, "13"), (Line1, "1-1")],
                Ok("1-1///13/154-0023"),
            ),
            (
                "AE",
                &[(Line1, "Street 1"), (State, "DU")],
                Ok("Street 1///DU/"),
            ),
            (
                "HK",
                &[(State, "Kowloon"), (Line1, "1 Road")],
                Ok("1 Road///Kowloon/"),
            ),
        ] {
            let found = read(BillingAddressFields::Full, country, parts);
            assert_eq!(found, expected.map(str::to_owned), "{country} {expected:?}");
        }
    }

    #[test]
    fn every_line_of_the_tables_is_a_country_with_a_rule_that_takes_its_own_example() {
        let mut before = "";
        for country in Country::all() {
            let code = country.code();
            assert!(before < code, "{code} is in its place");
            before = code;
            assert!(code == "XK" || country.numeric().is_some(), "{code}");
            let rules = country.rules(BillingAddressFields::Full);
            assert_eq!(
                rules.postal_code.is_none(),
                country.postal_codes().is_empty(),
                "{code}"
            );
            if let Some(rule) = rules.postal_code {
                let example = rule.example();
                assert!(rule.parse(&example).is_ok(), "{code}: {example}");
                assert!(example.len() <= LONGEST_POSTAL_CODE, "{code}: {example}");
            }
            assert!(
                rules.is_required(Line1) && rules.parts().any(|part| part == Line1),
                "{code}"
            );
            assert!(
                rules
                    .parts()
                    .all(|part| rules.parts().filter(|other| *other == part).count() == 1),
                "{code}"
            );
            for (state, name) in rules.states() {
                assert_eq!(
                    rules.parse(State, state),
                    Ok(Some(state.to_owned())),
                    "{code} {name}"
                );
                assert!(
                    state.len() <= 3
                        && !name.is_empty()
                        && name.chars().count() <= 2 * LONGEST_PART,
                    "{code} {name}"
                );
            }
        }
        assert!(Country::all().count() > 240);
        for table in [FORMATS, STATES] {
            assert!(lines(table).all(|(code, _)| Country::from_code(code).is_some()));
        }
        assert_eq!(lines(FORMATS).count(), Country::all().count());
    }

    /// What orders and 3-D Secure take.
    const LONGEST_POSTAL_CODE: usize = 16;

    #[test]
    fn a_country_is_found_by_the_letters_of_an_order() {
        for (alpha3, code, numeric) in [
            ("ITA", "IT", Some("380")),
            ("USA", "US", Some("840")),
            ("ALB", "AL", Some("008")),
            ("XKX", "XK", None),
        ] {
            let country = Country::from_alpha3(alpha3).unwrap();
            assert_eq!(country.code(), code);
            assert_eq!(country.numeric().as_deref(), numeric);
        }
        assert_eq!(Country::from_alpha3("ZZZ"), None);
    }

    #[test]
    fn an_address_is_in_no_debug_text() {
        let address = BillingAddress::read(
            BillingAddressFields::PostalCode,
            "US",
            &[(PostalCode, "95014")].into_iter().collect(),
        )
        .unwrap();
        assert_eq!(format!("{address:?}"), "BillingAddress(…)");
    }

    #[test]
    fn codes_are_read_as_they_are_written() {
        for code in BillingAddressFields::CODES {
            let fields = BillingAddressFields::from_code(code).unwrap();
            assert_eq!(fields.code(), code);
        }
        assert_eq!(BillingAddressFields::from_code("ALL"), None);
    }
}
