//! CReq and CRes: the challenge in the buyer's browser. A 3-D Secure server writes CReq, and an issuer the final CRes; what is between them
//! is the issuer's page.
//!
//! CRes comes from a browser, so nothing is decided by it.

use super::authentication::{TransactionStatus, YesNo};
use super::{Fields, Message, message};
use crate::element::{TransactionId, codes};
use crate::fault::{Fault, FaultCode};
use base64::Engine as _;
use base64::engine::GeneralPurpose;
use base64::engine::general_purpose::{GeneralPurposeConfig, URL_SAFE_NO_PAD};
use base64::{alphabet::URL_SAFE, engine::DecodePaddingMode};

codes! {
    /// `challengeWindowSize`: the size of the frame for the issuer's page.
    WindowSize {
        /// 250 × 400
        Small = "01",
        /// 390 × 400
        Medium = "02",
        /// 500 × 600
        Large = "03",
        /// 600 × 400
        Wide = "04",
        /// The whole window.
        Full = "05",
    }
}

message! {
    /// CReq: the browser asks for the issuer's page.
    ChallengeCall = "CReq" {
        /// Our id of the transaction.
        server_transaction_id: TransactionId = "threeDSServerTransID",
        /// The id of the transaction at the issuer's access control.
        acs_transaction_id: TransactionId = "acsTransID",
        /// The size of the frame.
        window: WindowSize = "challengeWindowSize",
        @optional
    }
}

message! {
    /// The final CRes: the challenge is over.
    ChallengeAnswer = "CRes" {
        /// Our id of the transaction.
        server_transaction_id: TransactionId = "threeDSServerTransID",
        /// The id of the transaction at the issuer's access control.
        acs_transaction_id: TransactionId = "acsTransID",
        /// How it ended, according to the browser.
        status: TransactionStatus = "transStatus",
        @optional
        /// Whether it is over.
        completion: YesNo = "challengeCompletionInd",
    }
}

impl ChallengeCall {
    /// A message of these values.
    pub fn new(
        version: super::Version,
        server_transaction_id: TransactionId,
        acs_transaction_id: TransactionId,
        window: WindowSize,
    ) -> ChallengeCall {
        ChallengeCall {
            version,
            server_transaction_id,
            acs_transaction_id,
            window,
        }
    }

    /// As a browser posts it: the value of `creq`.
    pub fn to_form_value(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.write().to_body())
    }

    /// Reads the value of `creq`, as a browser posts it.
    ///
    /// # Errors
    /// It is not a CReq.
    pub fn of_form_value(text: &str) -> Result<ChallengeCall, Fault> {
        ChallengeCall::read(&fields_of(text, "creq")?)
    }

    /// The final answer: the challenge is over, and ended so.
    pub fn answer(&self, status: TransactionStatus) -> ChallengeAnswer {
        ChallengeAnswer {
            version: self.version,
            server_transaction_id: self.server_transaction_id.clone(),
            acs_transaction_id: self.acs_transaction_id.clone(),
            status,
            completion: Some(YesNo::Yes),
        }
    }

    fn check(&self) -> Result<(), Fault> {
        Ok(())
    }
}

impl ChallengeAnswer {
    /// As a browser posts it: the value of `cres`.
    pub fn to_form_value(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.write().to_body())
    }

    /// Reads the value of `cres`, as a browser posts it.
    ///
    /// # Errors
    /// It is not a CRes.
    pub fn of_form_value(text: &str) -> Result<ChallengeAnswer, Fault> {
        ChallengeAnswer::read(&fields_of(text, "cres")?)
    }

    fn check(&self) -> Result<(), Fault> {
        match self.completion {
            Some(YesNo::No) => Err(Fault::new(FaultCode::Format, "challengeCompletionInd")),
            Some(YesNo::Yes) | None => Ok(()),
        }
    }
}

fn fields_of(text: &str, name: &str) -> Result<Fields, Fault> {
    let body = LENIENT.decode(text);
    Fields::parse(&body.map_err(|_| Fault::new(FaultCode::NotAMessage, name))?)
}

/// Some issuers pad what they encode.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &URL_SAFE,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);
