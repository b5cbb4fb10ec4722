//! The content of requests, one struct for each body and each query: names, forms, limits and the meaning of each member. The OpenAPI
//! document and the reference are made from these structs ([`schema`]).
//!
//! The contract reports errors member by member, in an order of its own, so no body fails as a whole: a member with
//! the right name is taken as it was sent ([`Member`], [`Part`], [`Parts`]), and checked by [`super::fields`] afterwards.
//! Members that are in no struct are ignored (contract 1.2).

pub(crate) mod actions;
pub(crate) mod catalogue;
pub(crate) mod creation;
pub(crate) mod customer;
pub(crate) mod disputes;
pub(crate) mod external_3ds;
pub(crate) mod forms;
pub(crate) mod frame;
pub(crate) mod fulfilment;
pub(crate) mod order;
pub(crate) mod payment_session;
pub(crate) mod queries;
pub(crate) mod reservation;
pub(crate) mod reservation_charges;
pub(crate) mod schema;
pub(crate) mod server_to_server;
pub(crate) mod session;
pub(crate) mod test_clock;
pub(crate) mod wallet;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::fmt;

/// A member as it was sent. Absent and `null` are the same (contract 1.2).
#[derive(Clone, Default)]
pub(crate) struct Member(Option<Value>);

impl Member {
    /// The value, if one was sent.
    pub(crate) fn sent(&self) -> Option<&Value> {
        self.0.as_ref()
    }

    /// Whether something was sent.
    pub(crate) fn is_there(&self) -> bool {
        self.0.is_some()
    }
}

/// The value may belong to a card, so it is never written.
impl fmt::Debug for Member {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.is_there() { "sent" } else { "not sent" })
    }
}

impl<'de> Deserialize<'de> for Member {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Member, D::Error> {
        Option::deserialize(deserializer).map(Member)
    }
}

/// An object as it was sent, with the members of `T`. If there is no object, all its members are absent.
#[derive(Debug, Default)]
pub(crate) struct Part<T> {
    sent: Sent,
    members: T,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Sent {
    #[default]
    Nothing,
    Object,
    SomethingElse,
}

impl<T: DeserializeOwned + Default> Part<T> {
    /// Reads an object. `null` is not an object.
    pub(crate) fn of(value: &Value) -> Part<T> {
        Part::read(value.is_object(), value)
    }

    fn read<'de>(is_object: bool, value: impl Deserializer<'de>) -> Part<T> {
        if !is_object {
            return Part {
                sent: Sent::SomethingElse,
                members: T::default(),
            };
        }
        Part {
            sent: Sent::Object,
            // Members accept every value, so an object is never refused.
            members: T::deserialize(value).unwrap_or_default(),
        }
    }
}

impl<T> Part<T> {
    /// The members.
    pub(crate) fn members(&self) -> &T {
        &self.members
    }

    /// Whether something was sent, an object or anything else.
    pub(crate) fn is_there(&self) -> bool {
        self.sent != Sent::Nothing
    }

    /// Whether an object was sent.
    pub(crate) fn is_object(&self) -> bool {
        self.sent == Sent::Object
    }
}

impl<'de, T: DeserializeOwned + Default> Deserialize<'de> for Part<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Part<T>, D::Error> {
        let sent: Option<Value> = Option::deserialize(deserializer)?;
        // By value: a part deep in a body is not copied again at each level.
        let read = |sent: Value| Part::read(sent.is_object(), sent);
        Ok(sent.map(read).unwrap_or_default())
    }
}

/// An array of objects as it was sent.
#[derive(Debug)]
pub(crate) struct Parts<T> {
    is_there: bool,
    /// `None` if there is no array.
    elements: Option<Vec<Part<T>>>,
}

impl<T> Parts<T> {
    /// Whether something was sent, an array or anything else.
    pub(crate) fn is_there(&self) -> bool {
        self.is_there
    }

    /// The elements of what was sent, if that is an array.
    pub(crate) fn elements(&self) -> Option<&[Part<T>]> {
        self.elements.as_deref()
    }
}

impl<T> Default for Parts<T> {
    fn default() -> Parts<T> {
        Parts {
            is_there: false,
            elements: None,
        }
    }
}

impl<'de, T: DeserializeOwned + Default> Deserialize<'de> for Parts<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Parts<T>, D::Error> {
        let sent: Option<Value> = Option::deserialize(deserializer)?;
        let is_there = sent.is_some();
        let read = |element: Value| Part::read(element.is_object(), element);
        let elements = match sent {
            Some(Value::Array(elements)) => Some(elements.into_iter().map(read).collect()),
            _ => None,
        };
        Ok(Parts { is_there, elements })
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod lenience {
    use super::catalogue::CreateTerms;
    use super::*;
    use serde_json::json;

    #[test]
    fn no_body_fails_as_a_whole() {
        for (body, is_object, is_named, texts) in [
            (json!(null), false, false, None),
            (json!([1]), false, false, None),
            (json!({}), true, false, None),
            (
                json!({ "name": null, "termsAndConditions": null }),
                true,
                false,
                None,
            ),
            (
                json!({ "name": [1], "termsAndConditions": "x" }),
                true,
                true,
                None,
            ),
            (
                json!({ "name": "a", "termsAndConditions": [null, {}] }),
                true,
                true,
                Some(2),
            ),
        ] {
            let part: Part<CreateTerms> = Part::of(&body);
            let sent = part.members();
            let found = sent.terms_and_conditions.elements().map(<[_]>::len);
            assert_eq!(part.is_object(), is_object, "{body}");
            assert_eq!(sent.name.is_there(), is_named, "{body}");
            assert_eq!(found, texts, "{body}");
        }
    }
}
