//! The form for evidence: what a member typed, and whether it may be stored.

use super::filter::FieldErrors;
use payframe_payment_domain::card_data_in_text;
use payframe_payment_domain::dispute::MOST_TEXT_CHARACTERS;
use payframe_payment_service::disputes::EvidenceTexts;
use payframe_protocol::dispute::SubmittedEvidence;
use serde::Deserialize;

/// The texts of evidence, as they were typed.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct EvidenceForm {
    /// The idempotency key, made with the page.
    pub(super) key: String,
    explanation: String,
    goods: String,
    delivery: String,
    correspondence: String,
    refund_terms: String,
}

impl EvidenceForm {
    /// What was submitted before, to be continued.
    pub(super) fn of(evidence: Option<&SubmittedEvidence>) -> EvidenceForm {
        let Some(evidence) = evidence else {
            return EvidenceForm::default();
        };
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        EvidenceForm {
            key: String::new(),
            explanation: text(&evidence.explanation),
            goods: text(&evidence.goods),
            delivery: text(&evidence.delivery),
            correspondence: text(&evidence.correspondence),
            refund_terms: text(&evidence.refund_terms),
        }
    }

    /// Name of the field, label and text of each.
    pub(super) fn fields(&self) -> [(&'static str, &'static str, &str); 5] {
        [
            ("explanation", "Why the payment is right", &self.explanation),
            ("goods", "What was sold", &self.goods),
            (
                "delivery",
                "When, how and where it was delivered",
                &self.delivery,
            ),
            (
                "correspondence",
                "What you and the buyer wrote to each other",
                &self.correspondence,
            ),
            (
                "refund_terms",
                "Terms of cancellation and refund that the buyer accepted",
                &self.refund_terms,
            ),
        ]
    }

    /// Label and text of those that say something.
    pub(super) fn texts(&self) -> Vec<(&'static str, String)> {
        let fields = self.fields().into_iter();
        let said = fields.filter(|(_, _, text)| !text.trim().is_empty());
        said.map(|(_, label, text)| (label, text.to_owned()))
            .collect()
    }

    /// What was typed, if it may be stored.
    pub(super) fn read(&self) -> Result<EvidenceTexts, FieldErrors> {
        let mut errors = FieldErrors::default();
        for (name, _, text) in self.fields() {
            if text.chars().count() > MOST_TEXT_CHARACTERS {
                let most = MOST_TEXT_CHARACTERS;
                errors.add(name, format!("Write at most {most} characters."));
            } else if let Some(found) = card_data_in_text::find(text) {
                let found = found.words();
                errors.add(name, format!("This holds {found}. Take it out."));
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let text = |text: &str| Some(text.to_owned()).filter(|text| !text.trim().is_empty());
        Ok(EvidenceTexts {
            explanation: text(&self.explanation),
            goods: text(&self.goods),
            delivery: text(&self.delivery),
            correspondence: text(&self.correspondence),
            refund_terms: text(&self.refund_terms),
        })
    }
}
