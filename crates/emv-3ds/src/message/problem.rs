//! Erro: a message was not accepted.

use super::{Version, message};
use crate::element::{Digits, Text, TransactionId, codes};
use crate::fault::Fault;

codes! {
    /// `errorComponent`: who reports the error.
    Component {
        /// The SDK of an app.
        Sdk = "C",
        /// A 3-D Secure server.
        Server = "S",
        /// A directory server.
        Directory = "D",
        /// An issuer's access control.
        AccessControl = "A",
    }
}

message! {
    /// Erro: a message was not accepted.
    Problem = "Erro" {
        /// The code: three digits.
        code: Digits<3, 3> = "errorCode",
        /// Who reports it.
        component: Component = "errorComponent",
        /// What the code means.
        description: Text<1, 2048> = "errorDescription",
        /// Which element.
        detail: Text<1, 2048> = "errorDetail",
        @optional
        /// The type of the message that was not accepted.
        about: Text<4, 4> = "errorMessageType",
        /// Our id of the transaction.
        server_transaction_id: TransactionId = "threeDSServerTransID",
        /// The directory server's id of the transaction.
        ds_transaction_id: TransactionId = "dsTransID",
        /// The id of the transaction at the issuer's access control.
        acs_transaction_id: TransactionId = "acsTransID",
    }
}

impl Problem {
    /// This server reports a fault in a message of the type `about`.
    pub fn of(fault: &Fault, about: &str, version: Version) -> Option<Problem> {
        Some(Problem {
            version,
            code: Digits::new(fault.code.code())?,
            component: Component::Server,
            description: Text::new(fault.code.description())?,
            detail: Text::new(&fault.element)?,
            about: Text::new(about),
            server_transaction_id: None,
            ds_transaction_id: None,
            acs_transaction_id: None,
        })
    }

    fn check(&self) -> Result<(), Fault> {
        Ok(())
    }
}
