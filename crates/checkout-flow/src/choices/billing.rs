//! The billing address that banks compare with their own: the country, and its postal code or all its parts.

use super::{BillingProblem, ChoiceEffect, FocusTarget, Sentence};
use payframe_card_rules::address::{AddressPart, AddressPartError, AddressRules, AddressTexts};

/// A country with its lines of the tables, as [`AddressRules::read`] reads them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BillingCountry {
    /// Two letters. Empty: none is chosen.
    pub code: String,
    /// The rule of its postal codes.
    pub postal_codes: String,
    /// The format of its addresses. Empty: only the postal code is asked for.
    pub format: String,
    /// Its states.
    pub states: String,
}

/// Which parts are asked for, as far as a country's addresses have them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BillingParts {
    /// The postal code.
    #[default]
    PostalCode,
    /// All.
    All,
}

/// What a session knows of the billing address before the buyer does anything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AskedBilling {
    /// What is asked for.
    pub parts: BillingParts,
    /// The country that is chosen at first.
    pub country: BillingCountry,
    /// What the merchant knows.
    pub texts: AddressTexts,
}

/// The billing address as far as it is entered.
#[derive(Clone, PartialEq, Eq)]
pub struct Billing {
    asked: BillingParts,
    country: BillingCountry,
    texts: AddressTexts,
    /// What is wrong, as far as it is shown, in the order of the country.
    problems: Vec<BillingProblem>,
}

impl BillingCountry {
    /// What its addresses have.
    pub fn rules(&self) -> AddressRules<'_> {
        AddressRules::read(&self.postal_codes, &self.format, &self.states)
    }
}

impl Billing {
    /// Begins with what the session knows, or goes on with what the buyer entered in the session before.
    pub(super) fn new(asked: AskedBilling, before: Option<Billing>) -> Self {
        let mut first = Self {
            asked: asked.parts,
            country: asked.country,
            texts: asked.texts,
            problems: vec![],
        };
        let Some(before) = before else {
            return first;
        };
        // This session may ask for more than the one before, or for less.
        if before.asked == first.asked {
            return before;
        }
        if before.country.code == first.country.code {
            first.texts.set(
                AddressPart::PostalCode,
                before.texts.text(AddressPart::PostalCode).to_owned(),
            );
        }
        first
    }

    /// What is asked for.
    pub fn asked(&self) -> BillingParts {
        self.asked
    }

    /// Two letters; empty before a country is chosen.
    pub fn country(&self) -> &str {
        &self.country.code
    }

    /// What the country's addresses have.
    pub fn rules(&self) -> AddressRules<'_> {
        self.country.rules()
    }

    /// A part as it was typed.
    pub fn typed(&self, part: AddressPart) -> &str {
        self.texts.text(part)
    }

    /// What is wrong with a part, or without one with the country, as far as it is shown.
    pub fn problem(&self, part: Option<AddressPart>) -> Option<&BillingProblem> {
        self.problems.iter().find(|problem| problem.part() == part)
    }

    /// The parts as they are sent. Empty: the country has none, or the buyer left it out.
    pub(super) fn parts(&self) -> AddressTexts {
        self.rules().parse_all(&self.texts).unwrap_or_default()
    }

    /// Takes another country. Its states are others, even where their codes are the same.
    pub(super) fn choose(&mut self, country: BillingCountry) {
        if country.code != self.country.code {
            self.texts.set(AddressPart::State, String::new());
        }
        self.country = country;
        self.problems = vec![];
    }

    /// Takes an edit. A message is removed when its cause is gone.
    pub(super) fn edit(&mut self, part: AddressPart, text: String) {
        self.texts.set(part, text);
        let is_shown = self.problem(Some(part)).is_some();
        self.show(part, is_shown);
    }

    /// A part was left. An empty one is not wrong before the first submit.
    pub(super) fn left(&mut self, part: AddressPart) -> Vec<ChoiceEffect> {
        if self.texts.text(part).trim().is_empty() {
            return vec![];
        }
        self.show(part, true);
        let said = self.problem(Some(part)).cloned().map(Sentence::Billing);
        said.into_iter().map(ChoiceEffect::Urge).collect()
    }

    /// The effects if something is missing or wrong.
    pub(super) fn missing(&mut self) -> Vec<ChoiceEffect> {
        self.problems = self.judge();
        self.say()
    }

    /// The gateway refuses the part; without one, the country.
    pub(super) fn refused(&mut self, part: Option<AddressPart>) -> Vec<ChoiceEffect> {
        self.problems = self.judge();
        if self.problems.is_empty() {
            self.problems.push(match part {
                Some(part) => self.wrong(part),
                None => BillingProblem::CountryMissing,
            });
        }
        self.say()
    }

    /// Says the first problem, and moves the focus to its input.
    fn say(&self) -> Vec<ChoiceEffect> {
        let Some(problem) = self.problems.first() else {
            return vec![];
        };
        let place = match problem.part() {
            None => FocusTarget::BillingCountry,
            Some(part) => FocusTarget::BillingPart(part),
        };
        vec![
            ChoiceEffect::Urge(Sentence::Billing(problem.clone())),
            ChoiceEffect::Focus(place),
        ]
    }

    /// Shows whether the part is wrong, or that nothing is.
    fn show(&mut self, part: AddressPart, is_shown: bool) {
        self.problems.retain(|problem| problem.part() != Some(part));
        let judged = self.judge_part(part).filter(|_| is_shown);
        self.problems.extend(judged);
    }

    fn judge(&self) -> Vec<BillingProblem> {
        if self.country.code.is_empty() {
            return vec![BillingProblem::CountryMissing];
        }
        let parts = self.rules().parts();
        parts.filter_map(|part| self.judge_part(part)).collect()
    }

    fn judge_part(&self, part: AddressPart) -> Option<BillingProblem> {
        let read = self.rules().parse(part, self.texts.text(part));
        Some(match (read.err()?, part) {
            (AddressPartError::Empty, AddressPart::PostalCode) => BillingProblem::PostalCodeMissing,
            (AddressPartError::Empty, part) => BillingProblem::PartMissing(part),
            (AddressPartError::Format, part) => self.wrong(part),
        })
    }

    fn wrong(&self, part: AddressPart) -> BillingProblem {
        match (part, self.rules().postal_code) {
            (AddressPart::PostalCode, Some(rule)) => BillingProblem::PostalCodeWrong {
                example: rule.example(),
            },
            _ => BillingProblem::PartWrong(part),
        }
    }
}

/// What the buyer typed is in no text for developers.
impl core::fmt::Debug for Billing {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Billing")
            .field("problems", &self.problems)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Asked, ChoiceEvent, ChoiceId, Choices, SavedCard};
    use super::*;
    use ChoiceEffect::{Focus, SubmitAnew, Urge};

    use AddressPart::{City, Line1, PostalCode, State};

    const US: &str = "zip required #####|#####-####";

    fn country(code: &str, postal_codes: &str) -> BillingCountry {
        BillingCountry {
            code: code.to_owned(),
            postal_codes: postal_codes.to_owned(),
            ..BillingCountry::default()
        }
    }

    /// All parts of an address in the United States, or elsewhere.
    fn whole(code: &str, states: &str) -> BillingCountry {
        BillingCountry {
            format: "ACSZ ACSZ state".to_owned(),
            states: states.to_owned(),
            ..country(code, US)
        }
    }

    fn asking(country: BillingCountry) -> Asked {
        Asked {
            billing: Some(AskedBilling {
                parts: match country.format.is_empty() {
                    true => BillingParts::PostalCode,
                    false => BillingParts::All,
                },
                country,
                ..AskedBilling::default()
            }),
            ..Asked::default()
        }
    }

    fn asked(code: &str, postal_codes: &str) -> Asked {
        asking(country(code, postal_codes))
    }

    fn edited(choices: &mut Choices, part: AddressPart, text: &str) -> Vec<ChoiceEffect> {
        choices.step(ChoiceEvent::BillingEdited(part, text.to_owned()))
    }

    fn typed(choices: &mut Choices, text: &str) -> Vec<ChoiceEffect> {
        edited(choices, PostalCode, text)
    }

    fn submitted(choices: &mut Choices) -> Vec<ChoiceEffect> {
        choices.submit(0)
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
        choices.billing()?.problems.first().cloned()
    }

    /// K31: nothing is sent without it.
    #[test]
    fn a_postal_code_is_asked_for_before_the_card_is_sent() {
        let (mut choices, _) = Choices::new(asked("US", US));
        assert_eq!(
            submitted(&mut choices),
            urged(
                BillingProblem::PostalCodeMissing,
                FocusTarget::BillingPart(PostalCode)
            )
        );
        assert_eq!(typed(&mut choices, "9501"), [SubmitAnew]);
        assert_eq!(problem(&choices), Some(wrong_us()));
        typed(&mut choices, "950142083");
        assert_eq!(problem(&choices), None);
        assert_eq!(submitted(&mut choices), []);
        let answers = choices.answers();
        let sent = answers.billing.unwrap();
        assert_eq!(
            (sent.country, sent.texts.text(PostalCode)),
            ("US", "95014-2083")
        );
    }

    #[test]
    fn a_wrong_code_is_said_when_it_is_left_and_an_empty_one_is_not() {
        let (mut choices, _) = Choices::new(asked("US", US));
        assert_eq!(choices.step(ChoiceEvent::BillingLeft(PostalCode)), []);
        typed(&mut choices, "SW1A");
        assert_eq!(problem(&choices), None);
        assert_eq!(
            choices.step(ChoiceEvent::BillingLeft(PostalCode)),
            [Urge(Sentence::Billing(wrong_us()))]
        );
    }

    #[test]
    fn another_country_has_another_rule_and_forgets_the_message() {
        let (mut choices, _) = Choices::new(asked("US", US));
        typed(&mut choices, "SW1A 1AA");
        choices.step(ChoiceEvent::BillingLeft(PostalCode));
        let chosen = |code, rule| ChoiceEvent::BillingCountryChosen(country(code, rule));
        choices.step(chosen("GB", "postal required @@#*_#@@"));
        assert_eq!(problem(&choices), None);
        assert_eq!(submitted(&mut choices), []);
        // Without postal codes, what was typed is not sent.
        choices.step(chosen("AE", ""));
        assert_eq!(submitted(&mut choices), []);
        let answers = choices.answers();
        let sent = answers.billing.unwrap();
        assert_eq!((sent.country, sent.texts.text(PostalCode)), ("AE", ""));
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
            choices.refuse(ChoiceId::Billing(Some(PostalCode))),
            urged(wrong_us(), FocusTarget::BillingPart(PostalCode))
        );
        assert_eq!(
            choices.refuse(ChoiceId::Billing(None)),
            urged(BillingProblem::CountryMissing, FocusTarget::BillingCountry)
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
        choices.renew(Asked {
            saved_cards: Some(vec![card]),
            ..asked("IT", "postal required #####")
        });
        assert_eq!(
            choices.billing().map(|billing| billing.typed(PostalCode)),
            Some("95014")
        );
        choices.step(ChoiceEvent::CardChosen(Some("a".to_owned())));
        assert!(choices.answers().billing.is_none());
        typed(&mut choices, "");
        assert_eq!(submitted(&mut choices), []);
        choices.step(ChoiceEvent::CardChosen(None));
        assert_eq!(
            submitted(&mut choices),
            urged(
                BillingProblem::PostalCodeMissing,
                FocusTarget::BillingPart(PostalCode)
            )
        );
    }

    /// K31: every part that is missing is named, and the first one has the focus.
    #[test]
    fn a_whole_address_is_asked_for_before_the_card_is_sent() {
        let (mut choices, _) = Choices::new(asking(whole("US", "CA California|NY New York")));
        edited(&mut choices, City, "Cupertino");
        assert_eq!(
            submitted(&mut choices),
            urged(
                BillingProblem::PartMissing(Line1),
                FocusTarget::BillingPart(Line1)
            )
        );
        let shown = |choices: &Choices, part| {
            let billing = choices.billing().unwrap();
            billing.problem(Some(part)).cloned()
        };
        assert_eq!(
            shown(&choices, State),
            Some(BillingProblem::PartMissing(State))
        );
        assert_eq!(
            shown(&choices, PostalCode),
            Some(BillingProblem::PostalCodeMissing)
        );
        assert_eq!(shown(&choices, City), None);
        for (part, text) in [(Line1, "1  Loop"), (State, "CA"), (PostalCode, "95014")] {
            edited(&mut choices, part, text);
            assert_eq!(shown(&choices, part), None, "{part:?}");
        }
        assert_eq!(submitted(&mut choices), []);
        let sent = choices.answers().billing.unwrap().texts;
        let sent = AddressPart::ALL.map(|part| sent.text(part).to_owned());
        assert_eq!(sent, ["1 Loop", "", "Cupertino", "CA", "95014"]);
    }

    #[test]
    fn another_country_has_other_states_even_with_the_same_code() {
        let (mut choices, _) = Choices::new(asking(whole("US", "WA Washington")));
        edited(&mut choices, State, "WA");
        let same = whole("US", "WA Washington");
        choices.step(ChoiceEvent::BillingCountryChosen(same));
        let state = |choices: &Choices| choices.billing().unwrap().typed(State).to_owned();
        assert_eq!(state(&choices), "WA");
        let other = whole("AU", "WA Western Australia");
        choices.step(ChoiceEvent::BillingCountryChosen(other));
        assert_eq!(state(&choices), "");
    }

    #[test]
    fn a_session_that_asks_for_more_begins_anew_with_the_postal_code() {
        let (mut choices, _) = Choices::new(asked("US", US));
        typed(&mut choices, "95014");
        choices.renew(asking(whole("US", "")));
        let billing = choices.billing().unwrap();
        assert_eq!(billing.typed(PostalCode), "95014");
        assert_eq!(billing.rules().parts().count(), 5);
        choices.renew(asked("GB", ""));
        assert_eq!(choices.billing().unwrap().typed(PostalCode), "");
    }

    #[test]
    fn what_was_typed_is_in_no_debug_text() {
        let (mut choices, _) = Choices::new(asked("US", US));
        typed(&mut choices, "95014");
        assert!(!format!("{choices:?} {:?}", choices.answers()).contains("95014"));
    }
}
