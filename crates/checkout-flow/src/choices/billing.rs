//! The billing address that banks compare with their own: the country, and its postal code.

use super::{BillingProblem, ChoiceEffect, FocusTarget, Sentence};
use payframe_card_rules::postal_code::{PostalCodeError, PostalCodeRule};

/// What a session knows of the billing address before the buyer does anything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AskedBilling {
    /// Two letters of the country that is chosen at first. Empty: none.
    pub country: String,
    /// The rule of its postal codes, as [`PostalCodeRule::read`] reads it.
    pub rule: String,
    /// The postal code that the merchant knows. May be empty.
    pub postal_code: String,
}

/// The billing address as far as it is entered.
#[derive(Clone, PartialEq, Eq)]
pub struct Billing {
    /// Two letters; empty before a country is chosen.
    pub country: String,
    rule: String,
    postal_code: String,
    /// What is wrong, as far as it is shown.
    pub problem: Option<BillingProblem>,
}

impl Billing {
    /// Begins with what the session knows, or goes on with what the buyer entered in the session before.
    pub(super) fn new(asked: AskedBilling, before: Option<Billing>) -> Self {
        let first = Self {
            country: asked.country,
            rule: asked.rule,
            postal_code: asked.postal_code,
            problem: None,
        };
        before.unwrap_or(first)
    }

    /// The rule of the country's postal codes. `None`: it has none, or no country is chosen.
    pub fn rule(&self) -> Option<PostalCodeRule<'_>> {
        PostalCodeRule::read(&self.rule)
    }

    /// The postal code as it was typed.
    pub fn typed(&self) -> &str {
        &self.postal_code
    }

    /// The postal code as it is sent. Empty: the country has none, or the buyer left it out.
    pub(super) fn postal_code(&self) -> String {
        let code = self
            .rule()
            .and_then(|rule| rule.parse(&self.postal_code).ok()?);
        code.map_or_else(String::new, |code| code.as_str().to_owned())
    }

    pub(super) fn choose(&mut self, country: String, rule: String) {
        self.country = country;
        self.rule = rule;
        self.problem = None;
    }

    /// Takes an edit. A message is removed when its cause is gone.
    pub(super) fn type_postal_code(&mut self, text: String) {
        self.postal_code = text;
        self.problem = self.problem.take().and_then(|_| self.judge());
    }

    /// The postal code was left. An empty one is not wrong before the first submit.
    pub(super) fn left(&mut self) -> Vec<ChoiceEffect> {
        if self.postal_code.trim().is_empty() {
            return vec![];
        }
        self.problem = self.judge();
        let said = self.problem.iter().cloned().map(Sentence::Billing);
        said.map(ChoiceEffect::Urge).collect()
    }

    /// The effects if something is missing or wrong.
    pub(super) fn missing(&mut self) -> Vec<ChoiceEffect> {
        self.problem = self.judge();
        self.say()
    }

    /// The gateway refuses the address.
    pub(super) fn refused(&mut self) -> Vec<ChoiceEffect> {
        self.problem = self.judge().or_else(|| {
            Some(match self.rule() {
                Some(rule) => wrong(rule),
                None => BillingProblem::CountryMissing,
            })
        });
        self.say()
    }

    fn say(&self) -> Vec<ChoiceEffect> {
        let Some(problem) = &self.problem else {
            return vec![];
        };
        let place = match problem {
            BillingProblem::CountryMissing => FocusTarget::BillingCountry,
            _ => FocusTarget::PostalCode,
        };
        vec![
            ChoiceEffect::Urge(Sentence::Billing(problem.clone())),
            ChoiceEffect::Focus(place),
        ]
    }

    fn judge(&self) -> Option<BillingProblem> {
        if self.country.is_empty() {
            return Some(BillingProblem::CountryMissing);
        }
        let rule = self.rule()?;
        match rule.parse(&self.postal_code).err()? {
            PostalCodeError::Empty => Some(BillingProblem::PostalCodeMissing),
            PostalCodeError::Format => Some(wrong(rule)),
        }
    }
}

fn wrong(rule: PostalCodeRule<'_>) -> BillingProblem {
    BillingProblem::PostalCodeWrong {
        example: rule.example(),
    }
}

/// What the buyer typed is in no text for developers.
impl core::fmt::Debug for Billing {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Billing")
            .field("problem", &self.problem)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Asked, ChoiceEvent, ChoiceId, Choices, SavedCard};
    use super::*;
    use ChoiceEffect::{Focus, SubmitAnew, Urge};

    const US: &str = "zip required #####|#####-####";

    fn asked(country: &str, rule: &str) -> Asked {
        Asked {
            billing: Some(AskedBilling {
                country: country.to_owned(),
                rule: rule.to_owned(),
                postal_code: String::new(),
            }),
            ..Asked::default()
        }
    }

    fn typed(choices: &mut Choices, text: &str) -> Vec<ChoiceEffect> {
        choices.step(ChoiceEvent::PostalCodeTyped(text.to_owned()))
    }

    fn submitted(choices: &mut Choices) -> Vec<ChoiceEffect> {
        choices.step(ChoiceEvent::Submitted { now_ms: 0 })
    }

    fn urged(problem: BillingProblem, place: FocusTarget) -> Vec<ChoiceEffect> {
        vec![Urge(Sentence::Billing(problem)), Focus(place)]
    }

    fn wrong_us() -> BillingProblem {
        BillingProblem::PostalCodeWrong {
            example: "12345".to_owned(),
        }
    }

    fn problem(choices: &Choices) -> Option<BillingProblem> {
        choices
            .billing()
            .and_then(|billing| billing.problem.clone())
    }

    /// K31: nothing is sent without it.
    #[test]
    fn a_postal_code_is_asked_for_before_the_card_is_sent() {
        let (mut choices, _) = Choices::new(asked("US", US));
        assert_eq!(
            submitted(&mut choices),
            urged(BillingProblem::PostalCodeMissing, FocusTarget::PostalCode)
        );
        assert_eq!(typed(&mut choices, "9501"), [SubmitAnew]);
        assert_eq!(problem(&choices), Some(wrong_us()));
        typed(&mut choices, "950142083");
        assert_eq!(problem(&choices), None);
        assert_eq!(submitted(&mut choices), []);
        let answers = choices.answers();
        let sent = answers.billing.unwrap();
        assert_eq!((sent.country, &*sent.postal_code), ("US", "95014-2083"));
    }

    #[test]
    fn a_wrong_code_is_said_when_it_is_left_and_an_empty_one_is_not() {
        let (mut choices, _) = Choices::new(asked("US", US));
        assert_eq!(choices.step(ChoiceEvent::PostalCodeLeft), []);
        typed(&mut choices, "SW1A");
        assert_eq!(problem(&choices), None);
        assert_eq!(
            choices.step(ChoiceEvent::PostalCodeLeft),
            [Urge(Sentence::Billing(wrong_us()))]
        );
    }

    #[test]
    fn another_country_has_another_rule_and_forgets_the_message() {
        let (mut choices, _) = Choices::new(asked("US", US));
        typed(&mut choices, "SW1A 1AA");
        choices.step(ChoiceEvent::PostalCodeLeft);
        let chosen = |country: &str, rule: &str| ChoiceEvent::BillingCountryChosen {
            country: country.to_owned(),
            rule: rule.to_owned(),
        };
        choices.step(chosen("GB", "postal required @@#*_#@@"));
        assert_eq!(problem(&choices), None);
        assert_eq!(submitted(&mut choices), []);
        // Without postal codes, what was typed is not sent.
        choices.step(chosen("AE", ""));
        assert_eq!(submitted(&mut choices), []);
        let answers = choices.answers();
        let sent = answers.billing.unwrap();
        assert_eq!((sent.country, &*sent.postal_code), ("AE", ""));
    }

    #[test]
    fn a_country_must_be_chosen() {
        let (mut choices, _) = Choices::new(asked("", ""));
        assert_eq!(
            submitted(&mut choices),
            urged(BillingProblem::CountryMissing, FocusTarget::BillingCountry)
        );
    }

    #[test]
    fn a_refusal_of_the_gateway_is_said_at_the_postal_code() {
        let (mut choices, _) = Choices::new(asked("US", US));
        typed(&mut choices, "95014");
        assert_eq!(
            choices.step(ChoiceEvent::Refused(ChoiceId::Billing)),
            urged(wrong_us(), FocusTarget::PostalCode)
        );
    }

    #[test]
    fn what_was_typed_outlives_its_session_and_is_sent_with_no_saved_card() {
        let (mut choices, _) = Choices::new(asked("US", US));
        typed(&mut choices, "95014");
        let card = SavedCard {
            id: "a".to_owned(),
            network: "VISA".to_owned(),
            brand: "Visa".to_owned(),
            last4: "0003".to_owned(),
            expires: "2028-12".to_owned(),
            is_expired: false,
        };
        choices.step(ChoiceEvent::SessionRenewed(Asked {
            saved_cards: Some(vec![card]),
            ..asked("IT", "postal required #####")
        }));
        assert_eq!(choices.billing().map(Billing::typed), Some("95014"));
        choices.step(ChoiceEvent::CardChosen(Some("a".to_owned())));
        assert!(choices.answers().billing.is_none());
        typed(&mut choices, "");
        assert_eq!(submitted(&mut choices), []);
        choices.step(ChoiceEvent::CardChosen(None));
        assert_eq!(
            submitted(&mut choices),
            urged(BillingProblem::PostalCodeMissing, FocusTarget::PostalCode)
        );
    }

    #[test]
    fn what_was_typed_is_in_no_debug_text() {
        let (mut choices, _) = Choices::new(asked("US", US));
        typed(&mut choices, "95014");
        assert!(!format!("{choices:?} {:?}", choices.answers()).contains("95014"));
    }
}
