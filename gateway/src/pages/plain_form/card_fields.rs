//! What was typed into the plain form: checked by the rules of card data, sorted into what is sent to the API, and what may be shown again.

use super::billing::SentBilling;
use payframe_card_rules::card_number::{CardNumber, CardNumberError};
use payframe_card_rules::co_badge::strictest;
use payframe_card_rules::expiry::{Date, Expiry};
use payframe_card_rules::holder::{Email, HolderName, HolderNameError};
use payframe_card_rules::network::{Network, NetworkSet};
use payframe_card_rules::secret::Secret;
use payframe_card_rules::security_code::{SecurityCode, SecurityCodeError};
use payframe_payment_domain::billing_address::BillingAddressFields;
use payframe_payment_domain::terms::CardField;
use payframe_payment_ports::BinLookup;
use payframe_payment_service::card_entry::{CONTRACT_CONSENT, INSTALLMENTS, SHOWN_SUM};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The values of a form that was sent.
#[derive(Default)]
pub(super) struct Typed {
    number: Option<Secret>,
    security_code: Option<Secret>,
    /// All others, by the names of their inputs.
    others: BTreeMap<String, String>,
}

/// A message about one field: a key of the locales, and the values of its placeholders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Problem {
    pub(super) key: &'static str,
    pub(super) brand: Option<Network>,
    /// 0: three or four.
    pub(super) count: u8,
}

/// What the fields are checked against.
pub(super) struct FieldRules<'a> {
    /// The inputs of the session, in their order.
    pub(super) fields: &'a [CardField],
    pub(super) accepted: NetworkSet,
    pub(super) today: Date,
    pub(super) bins: &'a dyn BinLookup,
    /// What is asked of the billing address.
    pub(super) billing_address: BillingAddressFields,
}

/// Card data as the API takes it.
pub(super) struct CardItems {
    /// Card number and security code.
    pub(super) card: Vec<(String, Secret)>,
    /// The array of all other items.
    pub(super) others: Value,
}

impl Problem {
    pub(super) fn of(key: &'static str) -> Problem {
        Problem {
            key,
            brand: None,
            count: 0,
        }
    }
}

/// The name of a field's input, as in the form with scripts, so that browsers fill it in.
pub(super) fn input_name(field: CardField) -> &'static str {
    match field {
        CardField::Number => "cardnumber",
        CardField::Expiry => "cc-exp",
        CardField::SecurityCode => "cvc",
        CardField::HolderName => "ccname",
        CardField::HolderSurname => "ccfamilyname",
        CardField::Email => "email",
        CardField::Privacy => "privacy",
    }
}

impl Typed {
    /// From the values of a form.
    pub(super) fn of(mut values: BTreeMap<String, String>) -> Typed {
        let mut secret = |field| values.remove(input_name(field)).map(Secret::new);
        Typed {
            number: secret(CardField::Number),
            security_code: secret(CardField::SecurityCode),
            others: values,
        }
    }

    /// The values that a page may show again: all but card number and security code.
    pub(super) fn without_secrets(&self) -> BTreeMap<String, String> {
        self.others.clone()
    }

    /// The value of an input that is no field of the card.
    pub(super) fn choice(&self, name: &str) -> &str {
        self.others.get(name).map_or("", String::as_str)
    }

    /// The billing address.
    pub(super) fn billing(&self, asked: BillingAddressFields) -> SentBilling<'_> {
        SentBilling::of(&self.others, asked)
    }

    /// Card data for the API, with the sum that the page showed; or the problem of each field that is wrong.
    pub(super) fn items(
        &self,
        rules: &FieldRules<'_>,
        shown: &str,
    ) -> Result<CardItems, Vec<(CardField, Problem)>> {
        let mut card = Vec::new();
        let mut others = vec![json!({ "id": SHOWN_SUM, "value": shown })];
        let mut problems = Vec::new();
        for &field in rules.fields {
            match self.plain(field, rules) {
                Ok(None) => {}
                Ok(Some(value)) if is_secret(field) => card.push((field.id().to_owned(), value)),
                // No card data: exposed to be sent.
                Ok(Some(value)) => {
                    others.push(json!({ "id": field.id(), "value": value.expose() }))
                }
                Err(problem) => problems.push((field, problem)),
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let billing = match rules.billing_address {
            BillingAddressFields::None => Vec::new(),
            asked => self.billing(asked).items(),
        };
        let choices = [
            (INSTALLMENTS, self.choice("installments").to_owned()),
            (CONTRACT_CONSENT, self.choice("consent").to_owned()),
        ];
        for (id, value) in choices.into_iter().chain(billing) {
            if !value.is_empty() {
                others.push(json!({ "id": id, "value": value }));
            }
        }
        Ok(CardItems {
            card,
            others: Value::Array(others),
        })
    }

    /// The value of a valid field, in the API's format. `None`: nothing to send.
    fn plain(&self, field: CardField, rules: &FieldRules<'_>) -> Result<Option<Secret>, Problem> {
        let text = self.text(field);
        let value = match field {
            CardField::Number => {
                let number = CardNumber::parse(text, rules.accepted).map_err(number_problem)?;
                // Exposed to be sent.
                number.expose().to_owned()
            }
            CardField::SecurityCode => {
                let network = self.network(rules);
                match SecurityCode::parse(text, network) {
                    // Exposed to be sent.
                    Ok(Some(code)) => code.expose().to_owned(),
                    Ok(None) => return Ok(None),
                    Err(problem) => return Err(code_problem(problem, network)),
                }
            }
            CardField::Expiry => Expiry::parse(text, rules.today)
                .map_err(|problem| Problem::of(problem.code()))?
                .mmyy(),
            CardField::HolderName => HolderName::parse(text)
                .map_err(|problem| Problem::of(problem.code()))?
                .as_str()
                .to_owned(),
            CardField::HolderSurname => HolderName::parse(text)
                .map_err(|problem| match problem {
                    HolderNameError::Empty => Problem::of("holder_surname_empty"),
                    other => Problem::of(other.code()),
                })?
                .as_str()
                .to_owned(),
            CardField::Email => Email::parse(text)
                .map_err(|problem| Problem::of(problem.code()))?
                .as_str()
                .to_owned(),
            CardField::Privacy if text.is_empty() => return Err(Problem::of("privacy_empty")),
            CardField::Privacy => String::from("true"),
        };
        Ok(Some(Secret::new(value)))
    }

    fn text(&self, field: CardField) -> &str {
        let secret = match field {
            CardField::Number => &self.number,
            CardField::SecurityCode => &self.security_code,
            _ => return self.choice(input_name(field)),
        };
        // Exposed to be checked.
        secret.as_ref().map_or("", Secret::expose)
    }

    /// The network whose rules apply to the security code, if the number is valid.
    fn network(&self, rules: &FieldRules<'_>) -> Option<Network> {
        let number = CardNumber::parse(self.text(CardField::Number), rules.accepted).ok()?;
        let issuer = rules.bins.issuer_of(number.bin(8));
        let networks = issuer.networks.intersection(rules.accepted);
        strictest(networks).or(Some(number.network()))
    }
}

/// Whether no page shows the value again.
pub(super) fn is_secret(field: CardField) -> bool {
    matches!(field, CardField::Number | CardField::SecurityCode)
}

/// The problem of a field that the API refused, by its code.
pub(super) fn refused(code: &str) -> Problem {
    Problem::of(match code {
        "HF0004" => "card_number_check_digit",
        "HF0005" => "card_number_unknown_network",
        "HF0006" => "expiry_past",
        "HF0007" => "holder_name_symbols",
        _ => "field_refused",
    })
}

fn number_problem(problem: CardNumberError) -> Problem {
    Problem {
        brand: match problem {
            CardNumberError::NotAccepted(network) => Some(network),
            _ => None,
        },
        ..Problem::of(problem.code())
    }
}

fn code_problem(problem: SecurityCodeError, network: Option<Network>) -> Problem {
    Problem {
        count: match problem {
            SecurityCodeError::Length(count) if network.is_some() => count,
            _ => 0,
        },
        ..Problem::of(problem.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use payframe_payment_ports::bin_lookup::PublicRanges;

    const GOOD: [(&str, &str); 4] = [
        ("cardnumber", "4761 7300 0000 0003"),
        ("cc-exp", "12 / 30"),
        ("cvc", "123"),
        ("ccname", "Ada  Lovelace"),
    ];

    fn items(changed: &[(&str, &str)]) -> Result<CardItems, Vec<(CardField, Problem)>> {
        let values = GOOD.iter().chain(changed);
        let typed = Typed::of(
            values
                .map(|&(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
        );
        let rules = FieldRules {
            fields: &[
                CardField::Number,
                CardField::Expiry,
                CardField::SecurityCode,
                CardField::HolderName,
            ],
            accepted: NetworkSet::from_codes(["VISA", "AMEX"]),
            today: Date {
                year: 2026,
                month: 11,
                day: 20,
            },
            bins: &PublicRanges,
            billing_address: BillingAddressFields::None,
        };
        typed.items(&rules, "3545 EUR")
    }

    #[test]
    fn number_and_code_are_apart_from_what_goes_into_a_document() {
        let items = items(&[("installments", "3")]).ok().unwrap();
        let card: Vec<(&str, &str)> = items
            .card
            .iter()
            .map(|(id, value)| (id.as_str(), value.expose()))
            .collect();
        assert_eq!(
            card,
            [
                ("CARD_NUMBER", "4761730000000003"),
                ("SECURITY_CODE", "123")
            ]
        );
        assert_eq!(
            items.others,
            json!([
                { "id": "SHOWN_SUM", "value": "3545 EUR" },
                { "id": "EXPIRATION_DATE", "value": "1230" },
                { "id": "CARDHOLDER_NAME", "value": "Ada Lovelace" },
                { "id": "INSTALLMENTS", "value": "3" },
            ])
        );
    }

    #[test]
    fn each_wrong_field_has_its_message() {
        for (name, value, field, key) in [
            ("cardnumber", "", CardField::Number, "card_number_empty"),
            (
                "cardnumber",
                "4761730000000004",
                CardField::Number,
                "card_number_check_digit",
            ),
            ("cc-exp", "12 / 20", CardField::Expiry, "expiry_past"),
            (
                "cvc",
                "1234",
                CardField::SecurityCode,
                "security_code_length",
            ),
            ("ccname", "", CardField::HolderName, "holder_name_empty"),
        ] {
            let problems = items(&[(name, value)]).err().unwrap();
            let found: Vec<_> = problems
                .iter()
                .map(|(field, why)| (*field, why.key))
                .collect();
            assert_eq!(found, [(field, key)], "{name}={value}");
        }
    }
}
