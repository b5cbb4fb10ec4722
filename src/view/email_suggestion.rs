//! Another e-mail address, where the typed one contains a likely mistake. It is a proposal below the field: what was typed stays unless the buyer
//! takes it. The address is sent to nobody.

use crate::app::{App, Form};
use crate::fields::FieldId;
use crate::page::{element, write};
use crate::texts::Texts;
use crate::view::{LocalForm, mount_before};
use leptos::prelude::*;
use payframe_card_rules::email::likely_address;
use web_sys::{Element, Node};

/// Another address, and the text for which it is proposed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmailProposal {
    typed: String,
    address: String,
}

impl EmailProposal {
    /// What is proposed for this text, if it contains a likely mistake.
    fn of(typed: String) -> Option<Self> {
        let address = likely_address(&typed)?;
        Some(Self { typed, address })
    }

    /// Whether it is for another text than this one.
    fn is_outdated(&self, typed: &str) -> bool {
        self.typed != typed
    }

    fn question(&self, texts: &Texts) -> String {
        // Isolated, so that the address is shown from left to right in every language.
        let isolated = ["\u{2066}", &self.address, "\u{2069}"].concat();
        texts.fill("email_meant", &[("email", &isolated)])
    }
}

/// What is proposed now: the signal that the view reads.
pub type ProposalSignal = RwSignal<Option<EmailProposal>>;

/// Makes the place of the proposal, if the form asks for the address: below the field; above the message of the form if the field is in a frame
/// of its own, which has no room.
pub fn draw(form: Form) {
    if !form.fields.field(FieldId::Email).wanted {
        return;
    }
    let Some((parent, next)) = place(form) else {
        return;
    };
    let proposal = ProposalSignal::new(None);
    form.email_proposal.set(Some(proposal));
    let form = StoredValue::new_local(form);
    mount_before(
        &parent,
        next,
        move || view! { <EmailMeant form proposal /> },
    );
}

fn place(form: Form) -> Option<(Element, Option<Node>)> {
    let input = form.fields.field(FieldId::Email).input();
    let is_in_page = input
        .owner_document()
        .is_some_and(|page| page == document());
    let field = input.closest(".field").ok().flatten();
    if let Some(field) = field.filter(|_| is_in_page) {
        return Some((field, None));
    }
    let message: Element = element("message").ok()?;
    Some((message.parent_element()?, Some(message.into())))
}

/// The proposal, while there is one: a button that takes it.
#[component]
fn EmailMeant(
    /// The form.
    form: LocalForm,
    /// What is proposed now.
    proposal: ProposalSignal,
) -> impl IntoView {
    move || {
        // A change of the language notifies this signal.
        form.get_value().shown.track();
        let question = proposal.with(|proposal| {
            let texts = &form.get_value().texts;
            proposal.as_ref().map(|proposal| proposal.question(texts))
        });
        question.map(|question| {
            view! {
                <div id="email-meant">
                    <button
                        type="button"
                        class="meant"
                        on:click=move |_| take(form.get_value(), proposal)
                    >
                        {question}
                    </button>
                </div>
            }
        })
    }
}

/// The buyer left the field.
pub fn suggest(form: Form) {
    let Some(signal) = form.email_proposal.get() else {
        return;
    };
    let input = form.fields.field(FieldId::Email).input();
    let typed = (!input.read_only()).then(|| input.value());
    let proposal = typed.and_then(EmailProposal::of);
    if let Some(proposal) = &proposal {
        write("polite", &proposal.question(&form.texts));
    }
    signal.set(proposal);
}

/// The buyer typed: a proposal for another text is withdrawn.
pub fn withdraw_if_changed(form: Form) {
    if let Some(signal) = form.email_proposal.get() {
        let typed = form.fields.field(FieldId::Email).input().value();
        let is_outdated = |proposal: &EmailProposal| proposal.is_outdated(&typed);
        if signal.with_untracked(|proposal| proposal.as_ref().is_some_and(is_outdated)) {
            signal.set(None);
        }
    }
}

fn take(form: Form, proposal: ProposalSignal) {
    let Some(EmailProposal { address, .. }) = proposal.get_untracked() else {
        return;
    };
    let field = form.fields.field(FieldId::Email);
    field.input().set_value(&address);
    App::edited(form, FieldId::Email, || false);
    proposal.set(None);
    field.focus();
}

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
