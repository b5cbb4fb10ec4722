//! The message below a choice or an input.

use leptos::prelude::*;

/// What it says.
pub enum Note {
    /// An error, or something that is missing.
    Bad(String),
    /// A confirmation.
    Plain(String),
}

/// The place of the message. It is on the page from the beginning, because inputs are described by it.
#[component]
pub fn NoteBelow(
    /// Id of the place.
    id: String,
    /// The message, while there is one.
    note: Option<Note>,
) -> impl IntoView {
    let note = note.map(|note| {
        let (class, text) = match note {
            Note::Bad(text) => ("bad", text),
            Note::Plain(text) => ("", text),
        };
        view! { <span class=class>{text}</span> }
    });
    view! {
        <p id=id class="note">
            {note}
        </p>
    }
}
