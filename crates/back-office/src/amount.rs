//! The form for an amount of money that is about to be moved, and reading what it sends.
//!
//! The page names the amount that is possible, and the form sends it back. If it has changed in the meantime, nothing is done
//! until the member has seen the new amount.

use super::confirm::Question;
use super::display::{digits, sum};
use super::filter::{FieldErrors, typed};
use super::idempotent_form::new_key;
use super::moment::Moment;
use super::page::{Layout, show};
use askama::Template;
use axum::response::Response;
use payframe_money::Amount;
use payframe_payment_domain::card_data_in_text;
use serde::Deserialize;

/// The possible amounts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AmountRange {
    pub(super) min: Amount,
    pub(super) max: Amount,
    pub(super) currency: String,
}

/// The fields that the form sends.
#[derive(Deserialize)]
pub(super) struct AmountForm {
    #[serde(default)]
    amount: String,
    #[serde(default)]
    description: String,
    /// The idempotency key, made with the page.
    pub(super) key: String,
    /// The largest amount that the page named.
    most: String,
    #[serde(default)]
    confirmed: String,
}

/// The page with the form.
#[derive(Template)]
#[template(path = "office-amount.html")]
pub(super) struct AmountPage<'a> {
    pub(super) layout: Layout<'a>,
    /// What will happen.
    pub(super) about: &'static str,
    pub(super) facts: Vec<(&'static str, String)>,
    pub(super) possible: &'a AmountRange,
    /// The last possible instant.
    pub(super) until: Option<Moment>,
    /// The page to go back to without an action.
    pub(super) back: String,
    pub(super) form: AmountForm,
    pub(super) errors: FieldErrors,
}

impl AmountRange {
    /// Whether only one amount is possible.
    pub(super) fn is_fixed(&self) -> bool {
        self.min == self.max
    }

    /// The amount as text for people.
    pub(super) fn text(&self) -> String {
        let most = sum(self.max, &self.currency);
        match self.is_fixed() {
            true => most,
            false => format!("{} to {most}", sum(self.min, &self.currency)),
        }
    }
}

impl AmountForm {
    /// The form before anything is typed: the whole amount that is possible.
    pub(super) fn all_of(possible: &AmountRange) -> AmountForm {
        AmountForm {
            amount: possible.max.to_typed(digits(&possible.currency)),
            description: String::new(),
            key: new_key(),
            most: possible.max.to_string(),
            confirmed: String::new(),
        }
    }

    /// The form again after a refusal: with what was typed, and what is possible now.
    pub(super) fn again(self, possible: &AmountRange) -> AmountForm {
        AmountForm {
            key: new_key(),
            most: possible.max.to_string(),
            confirmed: String::new(),
            ..self
        }
    }

    /// Whether the action was confirmed.
    pub(super) fn is_confirmed(&self) -> bool {
        !self.confirmed.is_empty()
    }

    /// The note, if there is one.
    pub(super) fn note(&self) -> Option<&str> {
        typed(&self.description)
    }

    /// The amount, if it is possible.
    pub(super) fn read(&self, possible: &AmountRange, errors: &mut FieldErrors) -> Option<Amount> {
        if self.description.trim().chars().count() > 255 {
            errors.add("description", "Write at most 255 characters.");
        } else if let Some(found) = card_data_in_text::find(&self.description) {
            let words = found.words();
            errors.add(
                "description",
                format!("This text holds {words}. Card data must not be stored here: take it out."),
            );
        }
        let amount = match possible.is_fixed() {
            true => Some(possible.max),
            false if self.amount.trim().is_empty() => {
                errors.add("amount", "Write an amount.");
                None
            }
            false => errors.amount("amount", &self.amount, &possible.currency),
        }?;
        let now = possible.text();
        if self.most != possible.max.to_string() {
            errors.add(
                "amount",
                format!("What is possible has changed meanwhile. Now: {now}."),
            );
        } else if !(possible.min..=possible.max).contains(&amount) {
            errors.add("amount", format!("Possible: {now}."));
        }
        errors.is_empty().then_some(amount)
    }

    /// The page that asks for the confirmation.
    pub(super) fn question<'a>(
        &self,
        page: AmountPage<'a>,
        label: &str,
        amount: Amount,
    ) -> Question<'a> {
        let sum = sum(amount, &page.possible.currency);
        let note = self.note().map(|note| ("Note", note.to_owned()));
        Question {
            layout: page.layout,
            about: page.about,
            facts: page.facts.into_iter().chain(note).collect(),
            label: format!("{label} {sum}"),
            sum: Some(sum),
            back: page.back,
            hidden: vec![
                ("key", self.key.clone()),
                ("most", self.most.clone()),
                ("amount", self.amount.clone()),
                ("description", self.description.clone()),
                ("confirmed", String::from("yes")),
            ],
            problem: None,
        }
    }
}

impl AmountPage<'_> {
    /// The page.
    pub(super) fn page(&self) -> Response {
        show(self.errors.status(), self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(typed: &str, most: &str, expected: Result<u64, &str>) {
        let amount = |minor| Amount::from_minor(minor).unwrap();
        let possible = AmountRange {
            min: amount(1),
            max: amount(3545),
            currency: String::from("EUR"),
        };
        let mut form = AmountForm::all_of(&possible);
        typed.clone_into(&mut form.amount);
        most.clone_into(&mut form.most);
        let mut errors = FieldErrors::default();
        let read = form.read(&possible, &mut errors);
        let read = read
            .map(Amount::minor)
            .ok_or_else(|| errors.of("amount").unwrap_or(""));
        assert_eq!(read, expected, "{typed}");
    }

    #[test]
    fn an_amount_is_one_that_the_page_named() {
        check("10", "3545", Ok(1000));
        check(" 35,45 ", "3545", Ok(3545));
        check("35.46", "3545", Err("Possible: €0.01 to €35.45."));
        check("0", "3545", Err("Possible: €0.01 to €35.45."));
        check("", "3545", Err("Write an amount."));
        check(
            "ten",
            "3545",
            Err("Write a number of EUR with at most 2 digits behind the point, as in 1234.56."),
        );
        check(
            "10",
            "4000",
            Err("What is possible has changed meanwhile. Now: €0.01 to €35.45."),
        );
    }
}
