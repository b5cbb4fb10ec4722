//! Whether the content of the fields is valid, and the card data that is sent.

use super::field::Text;
use super::{FieldId, Fields, Message};
use crate::wire;
use js_sys::Array;
use payframe_card_rules::card_number::{CardNumber, CardNumberError};
use payframe_card_rules::expiry::Expiry;
use payframe_card_rules::holder::{Email, HolderName, HolderNameError};
use payframe_card_rules::security_code::{SecurityCode, SecurityCodeError};
use wasm_bindgen::JsValue;

impl Fields {
    pub(super) fn validate(&self, id: FieldId) -> Result<(), Message> {
        self.judge_text(id, &self.field(id).text())
    }

    pub(super) fn judge_text(&self, id: FieldId, text: &Text) -> Result<(), Message> {
        match id {
            FieldId::CardNumber => {
                CardNumber::parse(&text.0, self.accepted)
                    .map(drop)
                    .map_err(|problem| Message {
                        brand: match problem {
                            CardNumberError::NotAccepted(network) => Some(network),
                            _ => None,
                        },
                        count: match problem {
                            CardNumberError::CheckDigit => text.0.len() as u8,
                            _ => 0,
                        },
                        ..Message::of(problem.code())
                    })
            }
            FieldId::Expiry => Expiry::parse(&text.0, self.today.get())
                .map(drop)
                .map_err(|problem| Message::of(problem.code())),
            FieldId::SecurityCode => SecurityCode::parse(&text.0, self.code_network())
                .map(drop)
                .map_err(|problem| Message {
                    count: match problem {
                        SecurityCodeError::Length(count) if self.code_network().is_some() => count,
                        _ => 0,
                    },
                    ..Message::of(problem.code())
                }),
            FieldId::HolderName => HolderName::parse(&text.0)
                .map(drop)
                .map_err(|problem| Message::of(problem.code())),
            FieldId::HolderSurname => HolderName::parse(&text.0).map(drop).map_err(|problem| {
                Message::of(match problem {
                    HolderNameError::Empty => "holder_surname_empty",
                    _ => problem.code(),
                })
            }),
            FieldId::Email => Email::parse(&text.0)
                .map(drop)
                .map_err(|problem| Message::of(problem.code())),
            FieldId::Privacy if text.0.is_empty() => Err(Message::of("privacy_empty")),
            FieldId::Privacy => Ok(()),
        }
    }

    /// How many digits the security code may have.
    pub(super) fn code_length(&self) -> u8 {
        match self.code_network() {
            Some(network) => network.security_code_length(),
            // Typed before the number: the length is checked once the network is known.
            None => 4,
        }
    }

    /// The card data as it is sent (5.3). `None` if a field is wrong.
    pub fn card_data(&self) -> Option<JsValue> {
        let items = Array::new();
        if let Some(choice) = self.choice() {
            items.push(&wire::object(&[
                ("id", "PREFERRED_NETWORK"),
                ("value", choice.chosen.code()),
                ("chosenBy", choice.by.code()),
            ]));
        }
        for field in self.open() {
            let text = field.text();
            self.judge_text(field.id, &text).ok()?;
            let plain = self.plain(field.id, &text)?;
            items.push(&wire::object(&[("id", field.id.id()), ("value", &plain.0)]));
        }
        Some(items.into())
    }

    /// The value of a valid field, in the gateway's format. Only to be sent to the gateway: this is the one place where digits leave
    /// the documents.
    pub(super) fn plain(&self, id: FieldId, text: &Text) -> Option<Text> {
        Some(match id {
            FieldId::CardNumber | FieldId::SecurityCode => text.digits(),
            FieldId::Expiry => Text(Expiry::parse(&text.0, self.today.get()).ok()?.mmyy()),
            FieldId::HolderName | FieldId::HolderSurname => {
                Text(HolderName::parse(&text.0).ok()?.as_str().into())
            }
            FieldId::Email | FieldId::Privacy => Text(text.0.trim().into()),
        })
    }
}
