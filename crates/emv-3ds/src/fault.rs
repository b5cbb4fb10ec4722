//! What is wrong with a message: a code of the protocol and the name of a data element. It never contains a value.

use std::fmt;
use thiserror::Error;

/// A message that cannot be accepted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{code}: {element}")]
pub struct Fault {
    /// The error code of the protocol.
    pub code: FaultCode,
    /// The name of the data element, with its path if it is inside of another one.
    pub element: String,
}

/// The error codes that this implementation reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultCode {
    /// It is not a message, or not one that belongs here.
    NotAMessage,
    /// The version is not supported.
    Version,
    /// An element that is required here is missing.
    Missing,
    /// An extension that must be understood is not.
    CriticalExtension,
    /// An element has a format that is not allowed.
    Format,
    /// An element is there twice.
    Duplicate,
    /// The transaction is not known.
    UnknownTransaction,
    /// The message does not belong to the state of its transaction.
    WrongTransaction,
    /// There was no answer in time.
    TimedOut,
    /// A failure that passes.
    Transient,
}

impl Fault {
    /// A fault of an element.
    pub fn new(code: FaultCode, element: impl Into<String>) -> Fault {
        Fault {
            code,
            element: element.into(),
        }
    }

    /// The same fault inside of an element.
    #[must_use]
    pub fn inside(self, of: &str) -> Fault {
        Fault {
            element: format!("{of}.{}", self.element),
            ..self
        }
    }
}

impl FaultCode {
    /// The code on the wire: three digits.
    pub fn code(self) -> &'static str {
        match self {
            FaultCode::NotAMessage => "101",
            FaultCode::Version => "102",
            FaultCode::Missing => "201",
            FaultCode::CriticalExtension => "202",
            FaultCode::Format => "203",
            FaultCode::Duplicate => "204",
            FaultCode::UnknownTransaction => "301",
            FaultCode::WrongTransaction => "305",
            FaultCode::TimedOut => "402",
            FaultCode::Transient => "403",
        }
    }

    /// A description for the operator of the other side.
    pub fn description(self) -> &'static str {
        match self {
            FaultCode::NotAMessage => "The message is not valid here",
            FaultCode::Version => "The message version is not supported",
            FaultCode::Missing => "A required data element is missing",
            FaultCode::CriticalExtension => "A critical message extension is not recognized",
            FaultCode::Format => "The format of a data element is not valid",
            FaultCode::Duplicate => "A data element is there twice",
            FaultCode::UnknownTransaction => "The transaction ID is not recognized",
            FaultCode::WrongTransaction => "The data does not belong to the transaction",
            FaultCode::TimedOut => "The transaction timed out",
            FaultCode::Transient => "A transient failure of the system",
        }
    }
}

impl fmt::Display for FaultCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.code(), self.description())
    }
}
