//! Messages of the protocol. One type for each; a value of it fulfils the conditions of its elements, whoever made it.
//!
//! [`Fields`] are a message before anything was checked. Elements that a message does not have are ignored, as the protocol demands. Only
//! the browser channel and payments are supported.

mod authentication;
mod challenge;
mod confirmation;
mod problem;
mod ranges;
mod results;
#[cfg(test)]
mod tests;

pub use authentication::{
    AuthenticationAnswer, AuthenticationCall, ChallengeIndicator, ChallengePreferences,
    MethodCompletion, TransactionStatus, YesNo,
};
pub use challenge::{ChallengeAnswer, ChallengeCall, WindowSize};
pub use confirmation::{
    ConfirmationInfo, Credential, PriorTransaction, SpcIncompletion, SpcTransactionData,
};
pub use problem::{Component, Problem};
pub use ranges::{PublishedRange, RangeAction, RangesAnswer, RangesCall};
pub use results::{ResultsAnswer, ResultsCall, ResultsStatus};

use crate::element::{Element, codes};
use crate::fault::{Fault, FaultCode};
use serde::de::{Deserializer as _, Error as _, MapAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;

codes! {
    /// The versions of the protocol that are supported, the oldest one first.
    #[derive(PartialOrd, Ord, Hash)]
    Version {
        /// 2.2.0
        V2_2_0 = "2.2.0",
        /// 2.3.1
        V2_3_1 = "2.3.1",
    }
}

impl Version {
    /// All of them, the newest one first.
    pub const NEWEST_FIRST: [Version; 2] = [Version::V2_3_1, Version::V2_2_0];

    /// The version with this number.
    pub fn parse(text: &str) -> Option<Version> {
        Version::NEWEST_FIRST
            .into_iter()
            .find(|version| version.code() == text)
    }
}

/// A message of the protocol.
pub trait Message: Sized {
    /// `messageType`
    const TYPE: &'static str;

    /// Reads the elements, and checks them.
    ///
    /// # Errors
    /// The first element that is missing or has another format.
    fn read_elements(fields: &Fields) -> Result<Self, Fault>;

    /// Writes the elements, with `messageType`.
    fn write(&self) -> Fields;

    /// Reads a message of this type.
    ///
    /// # Errors
    /// It is of another type, or an element is not accepted.
    fn read(fields: &Fields) -> Result<Self, Fault> {
        let of = fields.message_type()?;
        if of != Self::TYPE {
            return Err(Fault::new(FaultCode::NotAMessage, "messageType"));
        }
        fields.refuse_critical_extensions()?;
        Self::read_elements(fields)
    }
}

/// The elements of a message, before anything was checked. Without `Debug`: it may contain a card's number.
#[derive(Clone, Default, PartialEq)]
pub struct Fields(Map<String, Value>);

impl Fields {
    /// Reads the body of a request or of an answer.
    ///
    /// # Errors
    /// It is no JSON object, or has an element twice.
    pub fn parse(body: &[u8]) -> Result<Fields, Fault> {
        let mut reader = serde_json::Deserializer::from_slice(body);
        let read = reader.deserialize_map(OnlyOnce).and_then(|map| {
            reader.end()?;
            Ok(map)
        });
        read.map_err(|problem| {
            let text = problem.to_string();
            match text
                .strip_prefix(TWICE)
                .and_then(|rest| rest.split('\n').next())
            {
                Some(name) => Fault::new(FaultCode::Duplicate, name),
                None => Fault::new(FaultCode::NotAMessage, "message"),
            }
        })
    }

    /// These elements.
    pub fn of(elements: Map<String, Value>) -> Fields {
        Fields(elements)
    }

    /// The body of a message.
    pub fn to_body(&self) -> Vec<u8> {
        Value::Object(self.0.clone()).to_string().into_bytes()
    }

    /// The elements as JSON.
    pub fn into_json(self) -> Value {
        Value::Object(self.0)
    }

    /// `messageType`
    ///
    /// # Errors
    /// There is none.
    pub fn message_type(&self) -> Result<&str, Fault> {
        let found = self.0.get("messageType").and_then(Value::as_str);
        found.ok_or(Fault::new(FaultCode::NotAMessage, "messageType"))
    }

    /// An element that must be there.
    ///
    /// # Errors
    /// It is missing, or has another format.
    pub fn required<T: Element>(&self, name: &'static str) -> Result<T, Fault> {
        self.optional(name)?
            .ok_or_else(|| Fault::new(FaultCode::Missing, name))
    }

    /// An element that may be missing. One that is there must have its format: an empty one has not.
    ///
    /// # Errors
    /// It has another format.
    pub fn optional<T: Element>(&self, name: &'static str) -> Result<Option<T>, Fault> {
        let Some(value) = self.0.get(name) else {
            return Ok(None);
        };
        let read = T::read(value).ok_or_else(|| Fault::new(FaultCode::Format, name));
        read.map(Some)
    }

    /// The version of the message.
    ///
    /// # Errors
    /// It is missing, or not supported.
    pub fn version(&self) -> Result<Version, Fault> {
        match self.optional::<Version>("messageVersion") {
            Ok(Some(version)) => Ok(version),
            Ok(None) => Err(Fault::new(FaultCode::Missing, "messageVersion")),
            Err(_) => Err(Fault::new(FaultCode::Version, "messageVersion")),
        }
    }

    /// Writes an element.
    pub(crate) fn put(&mut self, name: &str, value: &impl Element) {
        self.0.insert(name.to_owned(), value.write());
    }

    /// Writes an element, if there is one.
    pub(crate) fn put_optional(&mut self, name: &str, value: Option<&impl Element>) {
        if let Some(value) = value {
            self.put(name, value);
        }
    }

    /// Writes a fixed element.
    pub(crate) fn put_text(&mut self, name: &str, value: &str) {
        self.0.insert(name.to_owned(), Value::from(value));
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    /// No extension is known here, so one that must be understood is a reason to refuse the message.
    fn refuse_critical_extensions(&self) -> Result<(), Fault> {
        let extensions = self.0.get("messageExtension");
        let Some(extensions) = extensions else {
            return Ok(());
        };
        let of = |code| Err(Fault::new(code, "messageExtension"));
        let Some(extensions) = extensions.as_array() else {
            return of(FaultCode::Format);
        };
        let most = match self.optional("messageVersion") {
            Ok(Some(Version::V2_3_1)) => 15,
            _ => 10,
        };
        if extensions.len() > most {
            return of(FaultCode::Format);
        }
        for extension in extensions {
            match extension
                .get("criticalityIndicator")
                .and_then(Value::as_bool)
            {
                None => return of(FaultCode::Format),
                Some(true) => return of(FaultCode::CriticalExtension),
                Some(false) => {}
            }
        }
        Ok(())
    }
}

/// Reads an object, and refuses an element that is there twice.
struct OnlyOnce;

impl<'de> Visitor<'de> for OnlyOnce {
    type Value = Fields;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a message")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Fields, A::Error> {
        let mut elements = Map::new();
        while let Some((name, value)) = access.next_entry::<String, Value>()? {
            if elements.contains_key(&name) {
                return Err(A::Error::custom(format!("{TWICE}{name}\n")));
            }
            elements.insert(name, value);
        }
        Ok(Fields(elements))
    }
}

const TWICE: &str = "twice: ";

/// A message: its members, the names on the wire, and which of them must always be there. Further conditions are in `check`.
macro_rules! message {
    (
        $(#[$doc:meta])*
        $name:ident = $type:literal {
            $($(#[$required_doc:meta])* $required:ident: $required_type:ty = $required_name:literal,)*
            @optional
            $($(#[$optional_doc:meta])* $optional:ident: $optional_type:ty = $optional_name:literal,)*
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub struct $name {
            /// The version of the message.
            pub version: $crate::message::Version,
            $($(#[$required_doc])* pub $required: $required_type,)*
            $($(#[$optional_doc])* pub $optional: Option<$optional_type>,)*
        }

        impl $crate::message::Message for $name {
            const TYPE: &'static str = $type;

            fn read_elements(fields: &$crate::message::Fields) -> Result<$name, $crate::fault::Fault> {
                let message = $name {
                    version: fields.version()?,
                    $($required: fields.required($required_name)?,)*
                    $($optional: fields.optional($optional_name)?,)*
                };
                message.check()?;
                Ok(message)
            }

            fn write(&self) -> $crate::message::Fields {
                let mut fields = $crate::message::Fields::default();
                fields.put_text("messageType", $type);
                fields.put("messageVersion", &self.version);
                $(fields.put($required_name, &self.$required);)*
                $(fields.put_optional($optional_name, self.$optional.as_ref());)*
                fields
            }
        }
    };
}
pub(crate) use message;

/// An element that a condition requires.
pub(crate) fn require<T: ?Sized>(element: Option<&T>, name: &str) -> Result<(), Fault> {
    match element {
        Some(_) => Ok(()),
        None => Err(Fault::new(FaultCode::Missing, name)),
    }
}
