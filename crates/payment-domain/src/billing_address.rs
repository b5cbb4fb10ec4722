//! The billing address of a card, as far as a form asks for it (`form.billingAddress`): the country, and its postal code.
//!
//! Banks in several countries compare the postal code with their own records before they approve. Which countries have codes, and
//! of which formats, is a table (`postal_codes.txt`); [`payframe_card_rules::postal_code`] reads it, in the form and here alike.

use payframe_card_rules::postal_code::PostalCodeRule;
use payframe_card_rules::secret::Secret;

/// What a form asks of the billing address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BillingAddressFields {
    /// Nothing.
    #[default]
    None,
    /// The country, and the postal code where the country has them.
    PostalCode,
}

/// A country of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Country {
    code: &'static str,
    /// Its rule as in the table. Empty without postal codes.
    rule: &'static str,
}

/// A billing address that passed the rules of its country.
pub struct BillingAddress {
    country: Country,
    postal_code: Option<Secret>,
}

/// Why there is no billing address. Holds nothing of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BillingAddressError {
    /// No country of the table.
    #[error("no country")]
    Country,
    /// Missing, or of no format of the country.
    #[error("no postal code of the country")]
    PostalCode,
}

impl BillingAddressFields {
    /// The code on the wire.
    pub fn code(self) -> &'static str {
        match self {
            BillingAddressFields::None => "NONE",
            BillingAddressFields::PostalCode => "POSTAL_CODE",
        }
    }

    /// The value of a code on the wire.
    pub fn from_code(code: &str) -> Option<BillingAddressFields> {
        [BillingAddressFields::None, BillingAddressFields::PostalCode]
            .into_iter()
            .find(|known| known.code() == code)
    }

    /// Every code.
    pub const CODES: [&'static str; 2] = ["NONE", "POSTAL_CODE"];
}

impl Country {
    /// Every country, by its code.
    pub fn all() -> impl Iterator<Item = Country> {
        TABLE
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| {
                let (code, rule) = line.split_once(' ').unwrap_or((line, ""));
                Country { code, rule }
            })
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

    /// The rule of its postal codes, as [`PostalCodeRule::read`] reads it. Empty: it has none.
    pub fn rule_text(self) -> &'static str {
        self.rule
    }

    /// The rule of its postal codes. `None`: it has none.
    pub fn postal_code_rule(self) -> Option<PostalCodeRule<'static>> {
        PostalCodeRule::read(self.rule)
    }
}

impl BillingAddress {
    /// Reads what a buyer chose and typed. `country`: two letters. A postal code of a country that has none must be empty.
    ///
    /// # Errors
    /// No country of the table; or no postal code of that country.
    pub fn read(country: &str, postal_code: &str) -> Result<BillingAddress, BillingAddressError> {
        let country = Country::from_code(country).ok_or(BillingAddressError::Country)?;
        let postal_code = match country.postal_code_rule() {
            Some(rule) => rule
                .parse(postal_code)
                .map_err(|_| BillingAddressError::PostalCode)?
                .map(|code| Secret::new(code.as_str().to_owned())),
            None if postal_code.trim().is_empty() => None,
            None => return Err(BillingAddressError::PostalCode),
        };
        Ok(BillingAddress {
            country,
            postal_code,
        })
    }

    /// The country.
    pub fn country(&self) -> Country {
        self.country
    }

    /// The postal code, as the country writes it. `None`: the country has none, or the buyer left it out where that is allowed.
    pub fn postal_code(&self) -> Option<&Secret> {
        self.postal_code.as_ref()
    }
}

/// Where somebody lives is in no log.
impl core::fmt::Debug for BillingAddress {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("BillingAddress(…)")
    }
}

const TABLE: &str = include_str!("billing_address/postal_codes.txt");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_read_by_the_rule_of_its_country() {
        for (country, postal_code, expected) in [
            ("US", "95014", Ok(Some("95014"))),
            ("GB", "sw1a1aa", Ok(Some("SW1A 1AA"))),
            ("AE", "", Ok(None)),
            ("IE", "", Ok(None)),
            ("IT", "00184", Ok(Some("00184"))),
            ("XK", "10000", Ok(Some("10000"))),
            ("US", "", Err(BillingAddressError::PostalCode)),
            ("US", "SW1A 1AA", Err(BillingAddressError::PostalCode)),
            ("AE", "12345", Err(BillingAddressError::PostalCode)),
            ("ZZ", "12345", Err(BillingAddressError::Country)),
            ("us", "95014", Err(BillingAddressError::Country)),
            ("", "", Err(BillingAddressError::Country)),
        ] {
            let address = BillingAddress::read(country, postal_code);
            let read = address.as_ref().map_err(|why| *why).map(|address| {
                assert_eq!(address.country().code(), country);
                address.postal_code().map(Secret::expose)
            });
            assert_eq!(read, expected, "{country} {postal_code}");
        }
    }

    #[test]
    fn every_line_of_the_table_is_a_country_with_a_rule_that_takes_its_own_example() {
        let mut before = "";
        for country in Country::all() {
            let code = country.code();
            assert!(before < code, "{code} is in its place");
            before = code;
            assert!(code == "XK" || country.numeric().is_some(), "{code}");
            let rule = country.postal_code_rule();
            assert_eq!(rule.is_none(), country.rule_text().is_empty(), "{code}");
            if let Some(rule) = rule {
                let example = rule.example();
                assert!(rule.parse(&example).is_ok(), "{code}: {example}");
                assert!(example.len() <= LONGEST, "{code}: {example}");
            }
        }
        assert!(Country::all().count() > 240);
    }

    /// What orders and 3-D Secure take.
    const LONGEST: usize = 16;

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
        let address = BillingAddress::read("US", "95014").unwrap();
        assert_eq!(format!("{address:?}"), "BillingAddress(…)");
    }

    #[test]
    fn codes_are_read_as_they_are_written() {
        for code in BillingAddressFields::CODES {
            let fields = BillingAddressFields::from_code(code).unwrap();
            assert_eq!(fields.code(), code);
        }
        assert_eq!(BillingAddressFields::from_code("FULL"), None);
    }
}
