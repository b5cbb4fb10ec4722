//! Another e-mail address that is proposed for a likely mistake. As data; [`crate::view::email_suggestion`] draws it.

use crate::texts::Texts;
use leptos::prelude::RwSignal;
use payframe_card_rules::email::likely_address;

/// Another address, and the text for which it is proposed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmailProposal {
    typed: String,
    address: String,
}

impl EmailProposal {
    /// What is proposed for this text, if it contains a likely mistake.
    pub fn of(typed: String) -> Option<Self> {
        let address = likely_address(&typed)?;
        Some(Self { typed, address })
    }

    /// Whether it is for another text than this one.
    pub fn is_outdated(&self, typed: &str) -> bool {
        self.typed != typed
    }

    /// The address.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// What the buyer is asked.
    pub fn question(&self, texts: &Texts) -> String {
        // Isolated, so that the address is shown from left to right in every language.
        let isolated = ["\u{2066}", &self.address, "\u{2069}"].concat();
        texts.fill("email_meant", &[("email", &isolated)])
    }
}

/// What is proposed now: the signal that the view reads.
pub type ProposalSignal = RwSignal<Option<EmailProposal>>;

#[cfg(test)]
mod tests {
    use super::EmailProposal;

    #[test]
    fn proposal_is_for_what_was_typed_and_nothing_else() {
        let proposal = EmailProposal::of("ada@gmial.com".into()).unwrap();
        assert_eq!(proposal.address, "ada@gmail.com");
        assert!(!proposal.is_outdated("ada@gmial.com"));
        assert!(proposal.is_outdated("ada@gmial.co"));
    }

    #[test]
    fn nothing_is_proposed_for_an_address_without_mistake() {
        assert_eq!(EmailProposal::of("ada@gmail.com".into()), None);
    }
}
