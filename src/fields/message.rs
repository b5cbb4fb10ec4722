//! The message about a field, and its sentence.
//!
//! A message names its cause by a stable code, which is also the key of its text. It holds no digit of what was typed.

use super::{FIELDS, FieldId, Fields};
use crate::texts::Texts;
use crate::wire;
use payframe_card_rules::network::Network;

/// A message about a field: a key of the locale files, and the values of its placeholders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// Stable code of the cause, and key of its text.
    pub code: &'static str,
    /// `{brand}`
    pub brand: Option<Network>,
    /// `{count}`; 0 means three or four. With a wrong check digit, the length of the number.
    pub count: u8,
    /// Stated by the gateway or the issuer: stays until the first edit.
    pub stated: bool,
}

impl Message {
    /// A message with this code and nothing to fill in.
    pub(super) fn of(code: &'static str) -> Self {
        Self {
            code,
            brand: None,
            count: 0,
            stated: false,
        }
    }

    /// A message of the gateway or the issuer.
    pub fn stated(code: &'static str) -> Self {
        Self {
            stated: true,
            ..Self::of(code)
        }
    }

    /// Whether this message stays while the text is edited; `now` is the message that the text would get now. A number that is too short
    /// does not disprove a typing mistake. At another length at which the number could end, a message about the check digit is removed in any
    /// case: otherwise the form's height would tell the page whether the check digit fits.
    pub(super) fn holds_where(self, now: Self) -> bool {
        let unfinished = matches!(
            now.code,
            "card_number_too_short" | "card_number_wrong_length"
        );
        let mistake = matches!(
            self.code,
            "card_number_too_short" | "card_number_check_digit"
        );
        !self.stated && (self == now || (mistake && unfinished))
    }
}

impl Fields {
    /// The message of each field in the buyer's language; empty where there is none.
    pub fn sentences(&self, texts: &Texts) -> [String; FIELDS] {
        let word = |message| self.sentence(texts, message);
        FieldId::ALL.map(|id| self.field(id).message.get().map_or_else(String::new, word))
    }

    /// A message in the buyer's language.
    pub fn sentence(&self, texts: &Texts, message: Message) -> String {
        let mut count = String::new();
        match message.count {
            0 => count.push_str("3–4"),
            digits => wire::push_number(&mut count, digits),
        }
        let accepted = self.accepted_names();
        let brand = message.brand.map_or("", |network| network.name());
        let values = [("brand", brand), ("accepted", &accepted), ("count", &count)];
        texts.fill(message.code, &values)
    }

    /// The names of the networks that the session takes, as a list.
    pub fn accepted_names(&self) -> String {
        let mut accepted = String::new();
        for network in self.accepted.iter() {
            if !accepted.is_empty() {
                accepted.push_str(", ");
            }
            accepted.push_str(network.name());
        }
        accepted
    }

    /// Shows an error that the merchant's server found, at a field or above the button. A code that is unknown, or whose text has
    /// placeholders, gives a general text. Gives the code that is shown.
    pub fn state(&self, field: Option<&str>, code: String, texts: &Texts) -> &'static str {
        let field = field.and_then(FieldId::from_id);
        let text = texts.text(&code);
        let ours = STATED.iter().any(|start| code.starts_with(start));
        let code = match field {
            // Codes are static: the few that a merchant's server states are kept as long as the document lives.
            _ if ours && !text.is_empty() && !text.contains('{') => &*code.leak(),
            Some(_) => "field_refused",
            None => "decline_risk",
        };
        match field.map(|id| self.field(id)).filter(|field| field.wanted) {
            Some(field) => field.message.set(Some(Message::stated(code))),
            None => self.stated.set(Some(code)),
        }
        code
    }

    /// Marks the fields that the gateway refused, given as id and code. Gives the first.
    pub fn refused(&self, refused: &[(String, String)]) -> Option<FieldId> {
        let mut first = None;
        for (id, code) in refused {
            if let Some(id) = FieldId::from_id(id) {
                let code = match code.as_str() {
                    "HF0004" => "card_number_check_digit",
                    "HF0005" => "card_number_unknown_network",
                    "HF0006" => "expiry_past",
                    "HF0007" => "holder_name_symbols",
                    _ => "field_refused",
                };
                self.field(id).message.set(Some(Message::stated(code)));
                first = first.or(Some(id));
            }
        }
        first
    }
}

/// The prefixes of the codes whose texts are about an entry.
const STATED: [&str; 7] = [
    "card_number_",
    "expiry_",
    "security_code_",
    "holder_",
    "email_",
    "field_",
    "decline_",
];
