//! What a form says about the money: on its pay button, above it, and wherever the widget names the amount.
//!
//! The gateway writes it, so that it is visible at the first paint, and no browser has to make a number format before a form is
//! live. The widget writes later changes: the buyer's choices, another amount.

use super::locales::{self, InAllLanguages, LOCALES};
use payframe_money::currency_format::format_amount;
use payframe_payment_domain::operation::ActionType;
use payframe_payment_service::FormView;
use payframe_web_pages::language::{choose_texts, read_texts};
use serde::Deserialize;
use std::sync::LazyLock;

/// The texts of one form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PaymentSummary {
    /// The amount to pay.
    pub(crate) amount: String,
    /// The label of the button.
    pub(crate) pay: String,
    /// The text above the button.
    pub(crate) note: String,
}

impl PaymentSummary {
    /// For a page in this language, given by its three-letter code.
    pub(super) fn of(view: &FormView, language: &str) -> PaymentSummary {
        let sentences = Sentences::of(language);
        let amount = format_amount(view.amount, &view.currency, language);
        let fill = |text| fill(text, &amount, &view.boot.merchant);
        let (pay, note) = match view.action {
            ActionType::Pay => (&sentences.pay_amount, &sentences.pay_note),
            ActionType::PreAuth => (&sentences.hold_amount, &sentences.hold_note),
            ActionType::Verify => (&sentences.verify_card, &sentences.verify_note),
        };
        PaymentSummary {
            pay: fill(pay),
            note: fill(note),
            amount,
        }
    }
}

/// The sentences of one language, with placeholders for amount and merchant.
#[derive(Deserialize)]
struct Sentences {
    pay_amount: String,
    pay_note: String,
    hold_amount: String,
    hold_note: String,
    verify_card: String,
    verify_note: String,
}

impl Sentences {
    /// English if the language has no texts.
    fn of(language: &str) -> &'static Sentences {
        choose_texts(&*SENTENCES, [Some(language)])
    }
}

static SENTENCES: InAllLanguages<Sentences> = LazyLock::new(|| read_texts(LOCALES));

/// A text with its placeholders replaced. Placeholders inside a value are not replaced.
pub(super) fn fill(text: &str, amount: &str, merchant: &str) -> String {
    locales::fill(text, &[("amount", amount), ("merchant", merchant)])
}

#[cfg(test)]
mod tests {
    use super::super::form::tests::view;
    use super::*;
    use payframe_money::Amount;
    use payframe_money::currency_format::languages;
    use payframe_web_pages::language::FALLBACK_LANGUAGE;

    fn summary(action: ActionType, merchant: &str, language: &str) -> PaymentSummary {
        let mut view = FormView { action, ..view() };
        view.boot.merchant = merchant.to_owned();
        PaymentSummary::of(&view, language)
    }

    #[test]
    fn the_button_says_what_a_press_does() {
        for (action, language, pay, note) in [
            (
                ActionType::Pay,
                "eng",
                "Pay €35.45",
                "You pay €35.45 to Demo shop.",
            ),
            (
                ActionType::PreAuth,
                "eng",
                "Hold €35.45",
                "Demo shop holds €35.45 on your card. It is not charged yet.",
            ),
            (
                ActionType::Verify,
                "eng",
                "Save card",
                "Demo shop saves your card. Nothing is charged.",
            ),
            (
                ActionType::Pay,
                "jpn",
                "€35.45を支払う",
                "Demo shopに€35.45を支払います。",
            ),
        ] {
            let summary = summary(action, "Demo shop", language);
            assert_eq!((summary.pay.as_str(), summary.note.as_str()), (pay, note));
        }
    }

    #[test]
    fn the_amount_is_that_which_the_buyer_pays() {
        let view = FormView {
            amount: Amount::from_minor(3_952).unwrap(),
            currency: "USD".to_owned(),
            ..view()
        };
        let summary = PaymentSummary::of(&view, "ita");
        assert_eq!(summary.amount, "39,52\u{a0}USD");
        assert_eq!(summary.pay, "Paga 39,52\u{a0}USD");
    }

    #[test]
    fn a_merchants_name_is_not_looked_at_again() {
        let summary = summary(ActionType::Pay, "{amount} & {merchant}", "eng");
        assert_eq!(summary.note, "You pay €35.45 to {amount} & {merchant}.");
    }

    #[test]
    fn there_is_a_way_to_write_sums_for_every_language_of_the_form() {
        assert_eq!(languages().count(), SENTENCES.len());
        let code_of = |asked| {
            let found = Sentences::of(asked);
            let mut all = SENTENCES.iter();
            all.find_map(|(code, one)| std::ptr::eq(one, found).then_some(*code))
        };
        for (code, _) in languages() {
            assert_eq!(code_of(code), Some(code));
        }
        assert_eq!(code_of("nld"), Some(FALLBACK_LANGUAGE));
    }
}
