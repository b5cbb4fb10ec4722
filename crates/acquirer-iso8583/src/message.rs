//! A message: its type and its fields, as text.
//!
//! Binary fields are hexadecimal text. Values are wiped when they are dropped, and no `Debug` shows them: one of them is the card number.

use std::collections::BTreeMap;
use std::fmt;
use zeroize::Zeroizing;

/// A message of either side.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Message {
    /// The message type: four digits.
    pub message_type: String,
    fields: BTreeMap<u8, Zeroizing<String>>,
}

impl Message {
    /// A message without fields.
    pub fn new(message_type: &str) -> Message {
        Message {
            message_type: message_type.to_owned(),
            fields: BTreeMap::new(),
        }
    }

    /// Writes a field, in place of an earlier value.
    pub fn put(&mut self, number: u8, value: Zeroizing<String>) {
        self.fields.insert(number, value);
    }

    /// The value of a field.
    pub fn field(&self, number: u8) -> Option<&str> {
        self.fields.get(&number).map(|value| value.as_str())
    }

    /// The fields, by number.
    pub fn fields(&self) -> impl Iterator<Item = (u8, &str)> {
        let fields = self.fields.iter();
        fields.map(|(number, value)| (*number, value.as_str()))
    }

    pub(crate) fn remove(&mut self, number: u8) -> Option<Zeroizing<String>> {
        self.fields.remove(&number)
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<u8> = self.fields.keys().copied().collect();
        write!(f, "Message({} with fields {numbers:?})", self.message_type)
    }
}

/// Fields that every version of the standard has in the same place.
pub mod field {
    /// The amount, in minor units.
    pub const AMOUNT: u8 = 4;
    /// The system trace audit number.
    pub const TRACE_NUMBER: u8 = 11;
    /// The retrieval reference.
    pub const RETRIEVAL_REFERENCE: u8 = 37;
    /// The authorization code.
    pub const AUTHORIZATION_CODE: u8 = 38;
    /// The response code; the action code since 1993.
    pub const RESPONSE_CODE: u8 = 39;
    /// The terminal.
    pub const TERMINAL: u8 = 41;
    /// The last field of the first half; the message authentication code, if there is no second half.
    pub const FIRST_MAC: u8 = 64;
    /// The last field; the message authentication code, if there is a second half.
    pub const SECOND_MAC: u8 = 128;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_shows_a_value() {
        let mut message = Message::new("0100");
        message.put(2, Zeroizing::new(String::from("4761730000000003")));
        assert_eq!(format!("{message:?}"), "Message(0100 with fields [2])");
    }
}
