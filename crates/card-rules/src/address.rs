//! The parts of a billing address, by the rules of its country.
//!
//! The rules are lines of tables that the caller has ([`AddressRules::read`]), so that the widget carries no table. Whether a street exists is
//! not checked: only the bank knows the address of its customer. What a part may hold is what EMV 3-D Secure takes.

use crate::postal_code::{PostalCodeError, PostalCodeRule};
use core::fmt;

/// A part of an address, beside its country.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AddressPart {
    /// Street and house number.
    Line1,
    /// What the first line has no place for.
    Line2,
    /// The city.
    City,
    /// The state, province, county or region.
    State,
    /// The postal code.
    PostalCode,
}

/// Id of the item with the country of the billing address: two letters.
pub const BILLING_COUNTRY: &str = "BILLING_COUNTRY";

/// Id of the item with a part of the billing address.
pub const fn billing_item(part: AddressPart) -> &'static str {
    match part {
        AddressPart::Line1 => "BILLING_LINE1",
        AddressPart::Line2 => "BILLING_LINE2",
        AddressPart::City => "BILLING_CITY",
        AddressPart::State => "BILLING_STATE",
        AddressPart::PostalCode => "BILLING_POSTAL_CODE",
    }
}

/// What buyers call the states of their country.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateKind {
    /// State.
    State,
    /// Province.
    Province,
    /// County.
    County,
    /// Prefecture.
    Prefecture,
    /// Emirate.
    Emirate,
    /// Anything else.
    Region,
}

/// What a country's addresses have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressRules<'a> {
    /// The rule of its postal codes. `None`: it has none.
    pub postal_code: Option<PostalCodeRule<'a>>,
    /// Its other parts. `None`: only the postal code is asked for.
    format: Option<AddressFormat<'a>>,
    /// Code and name of each state, as in `AL Alabama|AK Alaska`. Empty: they are not listed.
    states: &'a str,
}

/// The parts, which of them are needed, and what a state is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct AddressFormat<'a> {
    parts: &'a str,
    required: &'a str,
    state: &'a str,
}

/// The text of each part, as it was typed or as it is sent.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct AddressTexts([String; 5]);

/// Why a text is not this part of an address of the country. Holds nothing of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressPartError {
    /// Nothing but blanks, and the country's addresses need it.
    #[error("missing")]
    Empty,
    /// Too long, with characters that no address has, or nothing that the country has.
    #[error("not of the country's addresses")]
    Format,
}

impl AddressPart {
    /// Every part.
    pub const ALL: [AddressPart; 5] = [
        AddressPart::Line1,
        AddressPart::Line2,
        AddressPart::City,
        AddressPart::State,
        AddressPart::PostalCode,
    ];
}

impl<'a> AddressRules<'a> {
    /// Reads the lines of a country: of its postal codes, as [`PostalCodeRule::read`] reads it; of its format, `ACSZ ACSZ state`, empty where
    /// only the postal code is asked for; and of its states, `AL Alabama|AK Alaska`.
    #[must_use]
    pub fn read(postal_code: &'a str, format: &'a str, states: &'a str) -> Self {
        let mut words = format.split(' ');
        let parts = words.next().filter(|parts| !parts.is_empty());
        Self {
            postal_code: PostalCodeRule::read(postal_code),
            format: parts.map(|parts| AddressFormat {
                parts,
                required: words.next().unwrap_or(""),
                state: words.next().unwrap_or(""),
            }),
            states,
        }
    }

    /// The parts that are asked for, in the country's order.
    pub fn parts(&self) -> impl Iterator<Item = AddressPart> + use<'a> {
        let has_postal_code = self.postal_code.is_some();
        let signs = self.format.map_or("Z", |format| format.parts);
        signs
            .chars()
            .flat_map(|sign| match sign {
                'A' => [Some(AddressPart::Line1), Some(AddressPart::Line2)],
                'C' => [Some(AddressPart::City), None],
                'S' => [Some(AddressPart::State), None],
                _ => [Some(AddressPart::PostalCode), None],
            })
            .flatten()
            .filter(move |part| *part != AddressPart::PostalCode || has_postal_code)
    }

    /// Whether an address needs this part.
    #[must_use]
    pub fn is_required(&self, part: AddressPart) -> bool {
        let sign = match part {
            AddressPart::Line1 => 'A',
            AddressPart::Line2 => return false,
            AddressPart::City => 'C',
            AddressPart::State => 'S',
            AddressPart::PostalCode => {
                return self.postal_code.is_some_and(|rule| rule.is_required);
            }
        };
        self.format
            .is_some_and(|format| format.required.contains(sign))
    }

    /// What buyers call a state.
    #[must_use]
    pub fn state_kind(&self) -> StateKind {
        match self.format.map_or("", |format| format.state) {
            "state" => StateKind::State,
            "province" => StateKind::Province,
            "county" => StateKind::County,
            "prefecture" => StateKind::Prefecture,
            "emirate" => StateKind::Emirate,
            _ => StateKind::Region,
        }
    }

    /// Code and name of each state, in the country's order. None where they are not listed: then the buyer types the state.
    pub fn states(&self) -> impl Iterator<Item = (&'a str, &'a str)> + use<'a> {
        self.states
            .split('|')
            .filter_map(|state| state.split_once(' '))
    }

    /// Reads a part: a listed state by its code, the postal code by its rule, any other part as a text. `None`: it is empty, and the country's
    /// addresses need none or have none.
    ///
    /// # Errors
    /// Empty where it is needed; or not of the country's addresses.
    pub fn parse(&self, part: AddressPart, text: &str) -> Result<Option<String>, AddressPartError> {
        if !self.parts().any(|asked| asked == part) {
            return match text.trim().is_empty() {
                true => Ok(None),
                false => Err(AddressPartError::Format),
            };
        }
        if part == AddressPart::PostalCode
            && let Some(rule) = self.postal_code
        {
            return match rule.parse(text) {
                Ok(code) => Ok(code.map(|code| code.as_str().to_owned())),
                Err(PostalCodeError::Empty) => Err(AddressPartError::Empty),
                Err(PostalCodeError::Format) => Err(AddressPartError::Format),
            };
        }
        let text = plain(text)?;
        if text.is_empty() {
            return match self.is_required(part) {
                true => Err(AddressPartError::Empty),
                false => Ok(None),
            };
        }
        let is_unlisted = part == AddressPart::State
            && self.states().next().is_some()
            && !self.states().any(|(code, _)| code == text);
        match is_unlisted {
            true => Err(AddressPartError::Format),
            false => Ok(Some(text)),
        }
    }

    /// Every part as it is sent; empty where [`AddressRules::parse`] has none. A text of a part that the country does not have is left out.
    ///
    /// # Errors
    /// The first part that is wrong, in the country's order, and why.
    pub fn parse_all(
        &self,
        texts: &AddressTexts,
    ) -> Result<AddressTexts, (AddressPart, AddressPartError)> {
        let mut parsed = AddressTexts::default();
        for part in self.parts() {
            let text = self
                .parse(part, texts.text(part))
                .map_err(|why| (part, why))?;
            parsed.set(part, text.unwrap_or_default());
        }
        Ok(parsed)
    }
}

impl AddressTexts {
    /// The text of a part.
    #[must_use]
    pub fn text(&self, part: AddressPart) -> &str {
        // One text for each part, in their order.
        self.0.get(part as usize).map_or("", String::as_str)
    }

    /// Replaces the text of a part.
    pub fn set(&mut self, part: AddressPart, text: String) {
        if let Some(place) = self.0.get_mut(part as usize) {
            *place = text;
        }
    }
}

impl<T: Into<String>> FromIterator<(AddressPart, T)> for AddressTexts {
    fn from_iter<I: IntoIterator<Item = (AddressPart, T)>>(parts: I) -> Self {
        let mut texts = Self::default();
        for (part, text) in parts {
            texts.set(part, text.into());
        }
        texts
    }
}

/// Where somebody lives is in no text for developers.
impl fmt::Debug for AddressTexts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AddressTexts(…)")
    }
}

/// The text with single blanks between its words.
fn plain(text: &str) -> Result<String, AddressPartError> {
    let mut plain = String::new();
    for word in text.split_whitespace() {
        if word.contains(char::is_control) {
            return Err(AddressPartError::Format);
        }
        if !plain.is_empty() {
            plain.push(' ');
        }
        plain.push_str(word);
    }
    match plain.chars().count() <= LONGEST_PART {
        true => Ok(plain),
        false => Err(AddressPartError::Format),
    }
}

/// How many characters a line or a name has at most, as in EMV 3-D Secure (`billAddrLine1`, `billAddrCity`).
pub const LONGEST_PART: usize = 50;

#[cfg(test)]
mod tests {
    use super::*;
    use AddressPart::{City, Line1, Line2, PostalCode, State};

    const ZIP: &str = "zip required #####|#####-####";

    fn us() -> AddressRules<'static> {
        AddressRules::read(ZIP, "ACSZ ACSZ state", "CA California|NY New York")
    }

    fn ireland() -> AddressRules<'static> {
        AddressRules::read("postal optional ***_****", "ACSZ AC county", "")
    }

    fn japan() -> AddressRules<'static> {
        AddressRules::read(
            "postal required ###-####",
            "ZSA ZSA prefecture",
            "13 東京都",
        )
    }

    #[test]
    fn the_parts_are_in_the_order_of_the_country() {
        let parts = |rules: AddressRules<'_>| rules.parts().collect::<Vec<_>>();
        assert_eq!(parts(us()), [Line1, Line2, City, State, PostalCode]);
        assert_eq!(parts(japan()), [PostalCode, State, Line1, Line2]);
        // Only the postal code is asked for, or not even that.
        assert_eq!(parts(AddressRules::read(ZIP, "", "")), [PostalCode]);
        assert_eq!(parts(AddressRules::read("", "", "")), []);
        assert_eq!(
            parts(AddressRules::read("", "ACZ AC", "")),
            [Line1, Line2, City]
        );
    }

    #[test]
    fn a_part_is_read_by_the_rules_of_its_country() {
        use AddressPartError::{Empty, Format};
        let long = "x".repeat(LONGEST_PART);
        let longer = format!("{long}x");
        for (rules, part, typed, expected) in [
            (
                us(),
                Line1,
                " 1  Infinite\u{a0}Loop ",
                Ok(Some("1 Infinite Loop")),
            ),
            (us(), Line1, " ", Err(Empty)),
            (us(), Line1, "1\u{7}Loop", Err(Format)),
            (us(), Line2, "", Ok(None)),
            (us(), City, &long, Ok(Some(&*long))),
            (us(), City, &longer, Err(Format)),
            (us(), State, "CA", Ok(Some("CA"))),
            (us(), State, "California", Err(Format)),
            (us(), State, "", Err(Empty)),
            (us(), PostalCode, "95014", Ok(Some("95014"))),
            (us(), PostalCode, "", Err(Empty)),
            (us(), PostalCode, "1", Err(Format)),
            (ireland(), State, "Co. Cork", Ok(Some("Co. Cork"))),
            (ireland(), State, "", Ok(None)),
            (ireland(), PostalCode, "", Ok(None)),
            (japan(), City, "", Ok(None)),
            (japan(), City, "Tokyo", Err(Format)),
        ] {
            let read = rules.parse(part, typed);
            let read = read.as_ref().map(Option::as_deref).map_err(|why| *why);
            assert_eq!(read, expected, "{part:?} {typed}");
        }
    }

    #[test]
    fn an_address_is_read_at_once_and_the_first_wrong_part_is_named() {
        let parts = [(Line1, " 1 Loop"), (City, "Cupertino"), (State, "XX")];
        let mut texts: AddressTexts = parts.into_iter().collect();
        let wrong = us().parse_all(&texts);
        assert_eq!(wrong, Err((State, AddressPartError::Format)));
        texts.set(State, "CA".to_owned());
        texts.set(PostalCode, "950142083".to_owned());
        let read = us().parse_all(&texts).unwrap();
        let parts = AddressPart::ALL.map(|part| read.text(part));
        assert_eq!(parts, ["1 Loop", "", "Cupertino", "CA", "95014-2083"]);
        // What the country has not is not sent.
        let read = AddressRules::read("", "A A", "").parse_all(&texts).unwrap();
        assert_eq!(
            AddressPart::ALL.map(|part| read.text(part)),
            ["1 Loop", "", "", "", ""]
        );
    }

    #[test]
    fn states_have_the_name_that_buyers_use() {
        assert_eq!(us().state_kind(), StateKind::State);
        assert_eq!(ireland().state_kind(), StateKind::County);
        assert_eq!(japan().state_kind(), StateKind::Prefecture);
        assert_eq!(
            us().states().collect::<Vec<_>>(),
            [("CA", "California"), ("NY", "New York")]
        );
        assert_eq!(ireland().states().count(), 0);
    }

    #[test]
    fn what_was_typed_is_in_no_debug_text() {
        let texts: AddressTexts = [(City, "Cupertino")].into_iter().collect();
        assert_eq!(format!("{texts:?}"), "AddressTexts(…)");
    }
}
