//! RReq and RRes: the result of a challenge, from the issuer's access control through the directory server.

use super::authentication::{Category, TransactionStatus, check_methods};
use super::{message, require};
use crate::element::{AuthenticationValue, Digits, TransactionId, codes};
use crate::fault::{Fault, FaultCode};

codes! {
    /// `resultsStatus`
    ResultsStatus {
        /// RReq was received, and the result is used.
        Received = "01",
        /// The challenge was never begun.
        NotBegun = "02",
        /// It was received, and the result is not used.
        NotUsed = "03",
    }
}

message! {
    /// RReq: the result of a challenge.
    ResultsCall = "RReq" {
        /// Our id of the transaction.
        server_transaction_id: TransactionId = "threeDSServerTransID",
        /// The directory server's id of the transaction.
        ds_transaction_id: TransactionId = "dsTransID",
        /// The id of the transaction at the issuer's access control.
        acs_transaction_id: TransactionId = "acsTransID",
        /// A payment.
        category: Category = "messageCategory",
        /// How the challenge ended.
        status: TransactionStatus = "transStatus",
        /// How often the buyer tried.
        interactions: Digits<2, 2> = "interactionCounter",
        @optional
        /// Why.
        reason: Digits<2, 2> = "transStatusReason",
        /// How the buyer was authenticated. Version 2.2.0.
        authentication_type: Digits<2, 2> = "authenticationType",
        /// How the buyer was authenticated. Version 2.3.1.
        authentication_methods: Vec<Digits<2, 2>> = "authenticationMethod",
        /// Who cancelled.
        cancel: Digits<2, 2> = "challengeCancel",
        /// The proof.
        value: AuthenticationValue = "authenticationValue",
        /// The indicator for the authorization.
        eci: Digits<2, 2> = "eci",
    }
}

message! {
    /// RRes: RReq was received.
    ResultsAnswer = "RRes" {
        /// Our id of the transaction.
        server_transaction_id: TransactionId = "threeDSServerTransID",
        /// The directory server's id of the transaction.
        ds_transaction_id: TransactionId = "dsTransID",
        /// The id of the transaction at the issuer's access control.
        acs_transaction_id: TransactionId = "acsTransID",
        /// What became of RReq.
        results: ResultsStatus = "resultsStatus",
        @optional
    }
}

impl ResultsCall {
    /// The answer.
    pub fn answer(&self, results: ResultsStatus) -> ResultsAnswer {
        ResultsAnswer {
            version: self.version,
            server_transaction_id: self.server_transaction_id.clone(),
            ds_transaction_id: self.ds_transaction_id.clone(),
            acs_transaction_id: self.acs_transaction_id.clone(),
            results,
        }
    }

    fn check(&self) -> Result<(), Fault> {
        use TransactionStatus::{
            Attempted, Authenticated, Challenge, Confirmation, Decoupled, Informational,
            NotAuthenticated, Rejected, Unavailable,
        };
        match self.status {
            Authenticated => {
                require(self.value.as_ref(), "authenticationValue")?;
                self.check_methods()
            }
            Attempted => require(self.value.as_ref(), "authenticationValue"),
            NotAuthenticated => {
                require(self.reason.as_ref(), "transStatusReason")?;
                // The table has no exception for challenges that were cancelled. Nobody may have been asked in them yet, and `N` charges nobody.
                match self.cancel {
                    Some(_) => Ok(()),
                    None => self.check_methods(),
                }
            }
            Unavailable | Rejected => require(self.reason.as_ref(), "transStatusReason"),
            // A challenge is over: it cannot end in another one, or in a confirmation.
            Challenge | Confirmation | Decoupled | Informational => {
                Err(Fault::new(FaultCode::Format, "transStatus"))
            }
        }
    }

    /// That it says how the buyer was asked. EMV 3-D Secure, table A.1, requires that of `Y` and `N`.
    fn check_methods(&self) -> Result<(), Fault> {
        let (one, list) = (&self.authentication_type, &self.authentication_methods);
        check_methods(self.version, one.as_ref(), list.as_deref())
    }
}

impl ResultsAnswer {
    fn check(&self) -> Result<(), Fault> {
        Ok(())
    }
}
