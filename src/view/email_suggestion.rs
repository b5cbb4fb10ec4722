//! Another e-mail address, where the typed one contains a likely mistake. It is a proposal below the field: what was typed stays unless the buyer
//! takes it. The address is sent to nobody.

use crate::app::{App, Form};
use crate::fields::FieldId;
use crate::page::{element, write};
use crate::view::{LocalForm, mount_before};
use crate::view_model::{EmailProposal, ProposalSignal};
use leptos::prelude::*;
use web_sys::{Element, Node};

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
    let Some(taken) = proposal.get_untracked() else {
        return;
    };
    let field = form.fields.field(FieldId::Email);
    field.input().set_value(taken.address());
    App::edited(form, FieldId::Email, || false);
    proposal.set(None);
    field.focus();
}
