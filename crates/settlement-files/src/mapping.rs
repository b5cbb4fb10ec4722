//! The operator's file that says what the columns of an acquirer's clearing file mean (`docs/settlement.md`).

use jiff::tz::TimeZone;
use payframe_money::minor_digits;
use payframe_payment_domain::settlement::LineKind;
use serde::Deserialize;
use thiserror::Error;

/// What the columns of a clearing file mean, and how its values are written.
#[derive(Clone, Debug)]
pub struct Mapping {
    /// The name of the format, for people.
    pub name: String,
    /// An operation is missed if no file has it after so many days.
    pub missing_after_days: u16,
    /// Only operations of this acquirer of the operator's file are missed. `None`: those of all.
    pub acquirer: Option<String>,
    pub(crate) separator: u8,
    pub(crate) skip_lines: usize,
    pub(crate) amounts: Amounts,
    pub(crate) fees: Fees,
    pub(crate) date_format: String,
    pub(crate) time_zone: TimeZone,
    pub(crate) currency: Option<String>,
    pub(crate) columns: Columns,
    pub(crate) kinds: Option<Kinds>,
}

/// How amounts are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Amounts {
    /// In minor units, digits only.
    Minor,
    /// In the major unit, with this mark before the decimals, and perhaps one between groups of digits.
    Decimal { mark: char, group: Option<char> },
}

/// What a positive fee means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Fees {
    /// The acquirer keeps it.
    Deducted,
    /// The merchant gets it: fees that the acquirer keeps are negative.
    Signed,
}

/// The names of the columns.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Columns {
    pub(crate) operation: Option<String>,
    pub(crate) order: Option<String>,
    pub(crate) retrieval_reference: Option<String>,
    pub(crate) acquirer_reference: Option<String>,
    pub(crate) kind: Option<String>,
    pub(crate) amount: String,
    pub(crate) currency: Option<String>,
    pub(crate) fee: Option<String>,
    pub(crate) net: Option<String>,
    pub(crate) payout: Option<String>,
    pub(crate) booked: String,
}

/// Which values of the column `kind` mean what.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Kinds {
    #[serde(default)]
    payment: Vec<String>,
    #[serde(default)]
    refund: Vec<String>,
    #[serde(default)]
    other: Vec<String>,
    #[serde(default)]
    skip: Vec<String>,
}

/// What a value of the column `kind` means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    Line(LineKind),
    /// A total or a heading: it is not read.
    Skip,
}

/// Why a mapping can not be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MappingError {
    /// It is not TOML, or has a member that does not exist; the sentence says where.
    #[error("{0}")]
    Unreadable(String),
    /// A member has a value that is not accepted.
    #[error("{member} must be {accepts}")]
    Member {
        /// The member.
        member: &'static str,
        /// The accepted values.
        accepts: &'static str,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Members {
    name: String,
    #[serde(default = "comma")]
    separator: String,
    #[serde(default)]
    skip_lines: usize,
    #[serde(default)]
    amounts: AmountsWord,
    #[serde(default = "point")]
    decimal_mark: String,
    group_mark: Option<String>,
    #[serde(default = "deducted")]
    fees: Fees,
    #[serde(default = "day")]
    date_format: String,
    #[serde(default = "utc")]
    time_zone: String,
    currency: Option<String>,
    #[serde(default = "five")]
    missing_after_days: u16,
    acquirer: Option<String>,
    columns: Columns,
    kinds: Option<Kinds>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum AmountsWord {
    #[default]
    Decimal,
    Minor,
}

impl Mapping {
    /// Reads a mapping.
    ///
    /// # Errors
    /// It is not TOML, has an unknown member, or a value that is not accepted.
    pub fn parse(text: &str) -> Result<Mapping, MappingError> {
        let members: Members = toml::from_str(text)
            .map_err(|problem| MappingError::Unreadable(problem.to_string().trim().to_owned()))?;
        members.checked()
    }
}

impl Members {
    fn checked(self) -> Result<Mapping, MappingError> {
        let refuse = |member, accepts| Err(MappingError::Member { member, accepts });
        if self.name.trim().is_empty() || self.name.chars().count() > 60 {
            return refuse("name", "1 to 60 characters");
        }
        let separator = match self.separator.as_bytes() {
            &[separator] if SEPARATORS.contains(&separator) => separator,
            _ => return refuse("separator", "one of , ; | : ^ ~ and \"\\t\""),
        };
        let (mark, group) = (one_of(&self.decimal_mark), self.group_mark.as_deref());
        let Some(mark @ ('.' | ',')) = mark else {
            return refuse("decimal_mark", "\".\" or \",\"");
        };
        let group = match group.map(one_of) {
            None => None,
            Some(Some(group)) if ".,' \u{a0}\u{202f}".contains(group) && group != mark => {
                Some(group)
            }
            Some(_) => {
                return refuse(
                    "group_mark",
                    "a point, a comma, an apostrophe or a blank, and not the decimal mark",
                );
            }
        };
        let Ok(time_zone) = TimeZone::get(&self.time_zone) else {
            return refuse("time_zone", "a name such as Europe/Rome");
        };
        if !(1..=365).contains(&self.missing_after_days) {
            return refuse("missing_after_days", "1 to 365");
        }
        let columns = &self.columns;
        match (&self.currency, &columns.currency) {
            (Some(code), None) if minor_digits(code).is_none() => {
                return refuse("currency", "the three letters of a currency, such as EUR");
            }
            (Some(_), None) | (None, Some(_)) => {}
            _ => {
                return refuse(
                    "currency",
                    "there, or else the column currency: one of the two",
                );
            }
        }
        let references = [
            &columns.operation,
            &columns.order,
            &columns.retrieval_reference,
        ];
        if references.iter().all(|column| column.is_none()) {
            return refuse(
                "columns",
                "with at least one of operation, order and retrieval_reference",
            );
        }
        if columns.kind.is_some() != self.kinds.is_some() {
            return refuse("kinds", "there with the column kind, and without it absent");
        }
        Ok(Mapping {
            name: self.name.trim().to_owned(),
            missing_after_days: self.missing_after_days,
            acquirer: self.acquirer,
            separator,
            skip_lines: self.skip_lines,
            amounts: match self.amounts {
                AmountsWord::Minor => Amounts::Minor,
                AmountsWord::Decimal => Amounts::Decimal { mark, group },
            },
            fees: self.fees,
            date_format: self.date_format,
            time_zone,
            currency: self.currency,
            columns: self.columns,
            kinds: self.kinds,
        })
    }
}

impl Kinds {
    /// What a value means; letter case does not matter.
    pub(crate) fn meaning(&self, value: &str) -> Option<Meaning> {
        let is_among = |values: &[String]| {
            let value = value.to_lowercase();
            values.iter().any(|known| known.to_lowercase() == value)
        };
        [
            (&self.payment, Meaning::Line(LineKind::Payment)),
            (&self.refund, Meaning::Line(LineKind::Refund)),
            (&self.other, Meaning::Line(LineKind::Other)),
            (&self.skip, Meaning::Skip),
        ]
        .into_iter()
        .find(|(values, _)| is_among(values))
        .map(|(_, meaning)| meaning)
    }

    /// Every value that has a meaning.
    pub(crate) fn values(&self) -> String {
        let all = [&self.payment, &self.refund, &self.other, &self.skip];
        let all: Vec<&str> = all.into_iter().flatten().map(String::as_str).collect();
        all.join(", ")
    }
}

/// What may be between columns.
const SEPARATORS: &[u8] = b",;|:^~\t";

fn one_of(text: &str) -> Option<char> {
    let mut chars = text.chars();
    let first = chars.next()?;
    chars.next().is_none().then_some(first)
}

fn comma() -> String {
    String::from(",")
}

fn point() -> String {
    String::from(".")
}

fn day() -> String {
    String::from("%Y-%m-%d")
}

fn utc() -> String {
    String::from("UTC")
}

fn deducted() -> Fees {
    Fees::Deducted
}

fn five() -> u16 {
    5
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: &str = "name = \"X\"\ncurrency = \"EUR\"\n[columns]\norder = \"Order\"\namount = \"Amount\"\nbooked = \"Day\"\n";

    #[test]
    fn a_short_mapping_has_defaults() {
        let mapping = Mapping::parse(SHORT).unwrap();
        assert_eq!((mapping.separator, mapping.missing_after_days), (b',', 5));
        assert_eq!(mapping.date_format, "%Y-%m-%d");
        let decimal = Amounts::Decimal {
            mark: '.',
            group: None,
        };
        assert_eq!((mapping.amounts, mapping.fees), (decimal, Fees::Deducted));
    }

    #[test]
    fn what_is_not_accepted_is_said_with_what_is() {
        for (from, to, said) in [
            (
                "name = \"X\"",
                "name = \"\"",
                "name must be 1 to 60 characters",
            ),
            (
                "currency = \"EUR\"",
                "currency = \"EURO\"",
                "currency must be the three letters",
            ),
            ("currency = \"EUR\"\n", "", "currency must be there"),
            (
                "currency = \"EUR\"",
                "currency = \"EUR\"\nseparator = \";;\"",
                "separator must be one of",
            ),
            (
                "currency = \"EUR\"",
                "currency = \"EUR\"\nseparator = \"\\\"\"",
                "separator must be one of",
            ),
            (
                "currency = \"EUR\"",
                "currency = \"EUR\"\ndecimal_mark = \"-\"",
                "decimal_mark must be",
            ),
            (
                "currency = \"EUR\"",
                "currency = \"EUR\"\ngroup_mark = \".\"",
                "group_mark must be",
            ),
            (
                "currency = \"EUR\"",
                "currency = \"EUR\"\ntime_zone = \"Rome\"",
                "time_zone must be a name",
            ),
            (
                "currency = \"EUR\"",
                "currency = \"EUR\"\nmissing_after_days = 0",
                "missing_after_days must be 1 to 365",
            ),
            (
                "order = \"Order\"\n",
                "",
                "columns must be with at least one of operation",
            ),
            (
                "order = \"Order\"",
                "order = \"Order\"\nkind = \"Type\"",
                "kinds must be there",
            ),
            (
                "order = \"Order\"",
                "order = \"Order\"\npan = \"Card\"",
                "unknown field `pan`",
            ),
            ("amount = \"Amount\"\n", "", "missing field `amount`"),
        ] {
            assert!(SHORT.contains(from));
            let problem = Mapping::parse(&SHORT.replace(from, to)).unwrap_err();
            assert!(problem.to_string().contains(said), "{problem}");
        }
    }
}
