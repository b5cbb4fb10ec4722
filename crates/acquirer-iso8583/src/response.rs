//! What a response code means, by the table of the dialect.

use serde::Deserialize;
use std::collections::BTreeMap;

/// What a response code means for money.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Meaning {
    /// The whole amount is approved.
    Approved,
    /// A part of the amount is approved. The gateway charges whole amounts, so this is reversed, and the payment is declined.
    Partial,
    /// The issuer says no. The code with three digits says whether the card may be tried again (1xx) or not (2xx).
    Declined,
    /// The issuer says no, because the buyer was not authenticated: the gateway asks for a challenge where it can, and for the money again.
    AuthenticationRequired,
    /// The issuer could not be asked, or could not process the message. No money moved.
    Failed,
    /// Nothing is known: a payment is reversed, an advice repeated. So is a code that is not in the table.
    Unknown,
}

/// A response code of the dialect.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Response {
    /// What it means.
    pub result: Meaning,
    /// The code with three digits (ISO 8583:1993), which the gateway tells.
    pub code: String,
}

/// The response codes of a dialect.
#[derive(Clone, Debug)]
pub struct Responses(BTreeMap<String, Response>);

impl Responses {
    /// The table. `Err`: what is wrong with it.
    pub(crate) fn new(table: BTreeMap<String, Response>) -> Result<Responses, String> {
        for (code, response) in &table {
            let is_code =
                response.code.len() == 3 && response.code.bytes().all(|byte| byte.is_ascii_digit());
            if !is_code {
                return Err(format!("responses.{code}: code must be three digits"));
            }
        }
        match table.values().any(|one| one.result == Meaning::Approved) {
            true => Ok(Responses(table)),
            false => Err(String::from(
                "responses must have a code with result = \"approved\"",
            )),
        }
    }

    /// What a code means, and its three digits.
    pub fn meaning(&self, code: &str) -> (Meaning, &str) {
        match self.0.get(code) {
            Some(response) => (response.result, &response.code),
            None => (Meaning::Unknown, UNKNOWN),
        }
    }

    /// The code that says yes to a message of the host.
    pub(crate) fn approval(&self) -> &str {
        let approval = self
            .0
            .iter()
            .find(|(_, one)| one.result == Meaning::Approved);
        approval.map_or("", |(code, _)| code)
    }
}

/// "System malfunction": what is told of a code that is not in the table.
const UNKNOWN: &str = "909";
