//! Elements of a confirmation by the buyer's device (Secure Payment Confirmation, SPC), in AReq and ARes of version 2.3.1.
//!
//! ARes with `transStatus` `S` says what the browser is asked. A second AReq says what came of it.

use crate::element::{Digits, Element, Text, TransactionId, codes};
use serde_json::{Map, Value, json};
use std::fmt;

codes! {
    /// `spcIncompInd`: why there is no confirmation.
    SpcIncompletion {
        /// It did not run, or not to its end.
        NotCompleted = "01",
        /// The buyer cancelled it.
        Cancelled = "02",
        /// It took too long.
        TimedOut = "03",
    }
}

/// `spcTransData`: what the browser shows, and what the device signs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SpcTransactionData {
    /// What the device signs, base64url.
    pub challenge: Text<43, 100>,
    /// ISO 4217: three letters, or three digits from issuers that follow the first text of the version.
    pub currency: Text<3, 3>,
    /// The amount, as a decimal number.
    pub value: Text<1, 40>,
    /// How the browser names the card.
    pub instrument_name: Text<1, 40>,
    /// The address of a picture of the card.
    pub instrument_icon: Text<1, 4096>,
    /// The merchant.
    pub payee_name: Option<Text<1, 40>>,
    /// The merchant's origin.
    pub payee_origin: Option<Text<1, 2048>>,
    /// How long the browser waits, in milliseconds.
    pub timeout: Digits<5, 6>,
}

/// An entry of `webAuthnCredList`: a credential of the buyer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Credential {
    /// Its id, base64url.
    pub id: Text<16, 1000>,
    /// The domain that it belongs to.
    pub relying_party: Text<1, 2048>,
}

/// An entry of `threeDSRequestorAuthenticationInfo`: the confirmation, as the device signed it.
#[derive(Clone, PartialEq, Eq)]
pub struct ConfirmationInfo {
    /// What the browser's interface gave.
    data: Map<String, Value>,
    timestamp: Digits<12, 12>,
}

/// An entry of `threeDSRequestorPriorAuthenticationInfo`: the transaction whose ARes asked for the confirmation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PriorTransaction {
    acs_transaction_id: TransactionId,
}

impl ConfirmationInfo {
    /// The assertion as JSON, and when it was made, in UTC: YYYYMMDDHHMM. `None`: one of them has another format.
    pub fn new(assertion: &str, timestamp: &str) -> Option<ConfirmationInfo> {
        Some(ConfirmationInfo {
            data: serde_json::from_str(assertion).ok()?,
            timestamp: Digits::new(timestamp)?,
        })
    }

    /// The assertion as JSON.
    pub fn assertion(&self) -> String {
        Value::Object(self.data.clone()).to_string()
    }
}

impl PriorTransaction {
    /// The transaction with this id at the issuer's access control.
    pub fn new(acs_transaction_id: TransactionId) -> PriorTransaction {
        PriorTransaction { acs_transaction_id }
    }

    /// Its id at the issuer's access control.
    pub fn acs_transaction_id(&self) -> &TransactionId {
        &self.acs_transaction_id
    }
}

impl Element for SpcTransactionData {
    fn read(value: &Value) -> Option<SpcTransactionData> {
        let members = value.as_object()?;
        Some(SpcTransactionData {
            challenge: needed(members, "challenge")?,
            currency: needed(members, "currency")?,
            value: needed(members, "value")?,
            instrument_name: needed(members, "displayName")?,
            instrument_icon: needed(members, "icon").filter(is_picture)?,
            payee_name: allowed(members, "payeeName")?,
            payee_origin: allowed(members, "payeeOrigin")?,
            timeout: needed(members, "timeout")?,
        })
    }

    fn write(&self) -> Value {
        let mut members = Map::new();
        let mut put = |name: &str, value: Value| members.insert(name.to_owned(), value);
        put("challenge", self.challenge.write());
        put("currency", self.currency.write());
        put("value", self.value.write());
        put("displayName", self.instrument_name.write());
        put("icon", self.instrument_icon.write());
        if let Some(name) = &self.payee_name {
            put("payeeName", name.write());
        }
        if let Some(origin) = &self.payee_origin {
            put("payeeOrigin", origin.write());
        }
        put("timeout", self.timeout.write());
        Value::Object(members)
    }
}

impl Element for Credential {
    fn read(value: &Value) -> Option<Credential> {
        let members = value.as_object()?;
        Some(Credential {
            id: needed(members, "credentialIds")?,
            relying_party: needed(members, "rpID")?,
        })
    }

    fn write(&self) -> Value {
        json!({ "rpID": &*self.relying_party, "credentialIds": &*self.id })
    }
}

impl Element for ConfirmationInfo {
    fn read(value: &Value) -> Option<ConfirmationInfo> {
        let members = value.as_object()?;
        let is_confirmation = members.get("threeDSReqAuthMethod")? == SPC;
        is_confirmation.then_some(())?;
        Some(ConfirmationInfo {
            data: members.get("threeDSReqAuthData")?.as_object()?.clone(),
            timestamp: needed(members, "threeDSReqAuthTimestamp")?,
        })
    }

    fn write(&self) -> Value {
        json!({
            "threeDSReqAuthMethod": SPC,
            "threeDSReqAuthData": self.data,
            "threeDSReqAuthTimestamp": &*self.timestamp,
        })
    }
}

impl fmt::Debug for ConfirmationInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ConfirmationInfo(…)")
    }
}

impl Element for PriorTransaction {
    fn read(value: &Value) -> Option<PriorTransaction> {
        let members = value.as_object()?;
        needed(members, "threeDSReqPriorRef").map(PriorTransaction::new)
    }

    fn write(&self) -> Value {
        json!({ "threeDSReqPriorRef": &*self.acs_transaction_id })
    }
}

fn needed<T: Element>(members: &Map<String, Value>, name: &str) -> Option<T> {
    T::read(members.get(name)?)
}

/// The outer `None`: it is there, and has another format.
fn allowed<T: Element>(members: &Map<String, Value>, name: &str) -> Option<Option<T>> {
    match members.get(name) {
        None => Some(None),
        Some(value) => T::read(value).map(Some),
    }
}

/// Whether browsers fetch it as a picture, and from nowhere else than from a site.
fn is_picture(address: &Text<1, 4096>) -> bool {
    address.starts_with("https://") || address.starts_with("data:image/")
}

/// `threeDSReqAuthMethod`: Secure Payment Confirmation.
const SPC: &str = "09";
