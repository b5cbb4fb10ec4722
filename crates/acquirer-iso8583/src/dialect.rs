//! The dialect of a host, from its TOML file: `docs/iso8583.md` describes every member.

use crate::framing::{Framing, LengthHeader};
use crate::layout::{BitmapCoding, Coding, FieldLayout, Kind, Layout};
use crate::mac::{self, MacAlgorithm};
use crate::message::{Message, field};
use crate::response::{Response, Responses};
use crate::template::{Template, TemplateMember, Value, Values};
use payframe_payment_ports::acquirer::RequestedExemption;
use serde::Deserialize;
use std::collections::BTreeMap;
use thiserror::Error;

/// How a host is spoken to.
#[derive(Clone, Debug)]
pub struct Dialect {
    /// What is before each message.
    pub framing: Framing,
    /// How a message looks in bytes.
    pub layout: Layout,
    /// How the code in the last field is computed, if there is one.
    pub mac: Option<MacAlgorithm>,
    /// How the card was given.
    pub entry_mode: EntryModes,
    /// Which exemption from authentication is claimed.
    pub exemption: ExemptionMarks,
    /// The field with the scheme's transaction id in answers.
    pub scheme_id_field: Option<u8>,
    /// The response codes.
    pub responses: Responses,
    /// The response codes with which the host acknowledges a reversal.
    pub reversed: Vec<String>,
    /// Those with which it says that it knows no such message.
    pub nothing_to_reverse: Vec<String>,
    messages: BTreeMap<MessageName, MessageForm>,
}

/// A message of a dialect.
#[derive(Clone, Copy, Debug, Deserialize, Hash, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "snake_case")]
pub enum MessageName {
    /// Holds an amount.
    Authorization,
    /// Holds an amount and captures it at once.
    Sale,
    /// Checks a card without a charge.
    Verification,
    /// Captures what was held.
    Capture,
    /// Releases what was held.
    Release,
    /// Gives captured money back.
    Refund,
    /// Cancels a capture.
    Cancel,
    /// Holds more.
    Increment,
    /// Takes back a message without an answer.
    Reversal,
    /// The first message on a connection.
    SignOn,
    /// Keeps a connection alive.
    Echo,
}

/// The type and the fields of a message.
#[derive(Clone, Debug)]
pub struct MessageForm {
    /// The type.
    pub message_type: String,
    /// The type of the answer.
    pub answer: String,
    /// The type of a repetition. A message that has one is repeated until it has an answer; others are reversed. Reversals are repeated
    /// in any case.
    pub repeat: Option<String>,
    fields: BTreeMap<u8, Template>,
}

/// How the card was given, as the host writes it.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct EntryModes {
    /// The buyer entered it for this payment.
    #[serde(default)]
    pub entered: String,
    /// It was stored with an earlier payment, and the buyer is present.
    #[serde(default)]
    pub stored: String,
    /// The merchant charges a stored card without the buyer.
    #[serde(default)]
    pub merchant_initiated: String,
    /// The order came by mail or telephone.
    #[serde(default)]
    pub mail_or_telephone: String,
}

/// The exemptions that merchants claim, as the host writes them. An empty mark is not sent.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct ExemptionMarks {
    /// The amount is low.
    #[serde(default)]
    pub low_value: String,
    /// The risk of the transaction was analysed.
    #[serde(default)]
    pub transaction_risk_analysis: String,
    /// The buyer trusts the merchant.
    #[serde(default)]
    pub trusted_beneficiary: String,
    /// A payment of a series with the same amount.
    #[serde(default)]
    pub recurring_same_amount: String,
    /// The merchant has authenticated the buyer on behalf of the issuer.
    #[serde(default)]
    pub delegated_authentication: String,
}

impl ExemptionMarks {
    /// The mark of an exemption.
    pub fn mark(&self, exemption: RequestedExemption) -> &str {
        match exemption {
            RequestedExemption::LowValue => &self.low_value,
            RequestedExemption::RiskAnalysis => &self.transaction_risk_analysis,
            RequestedExemption::TrustedBeneficiary => &self.trusted_beneficiary,
            RequestedExemption::RecurringSameAmount => &self.recurring_same_amount,
            RequestedExemption::DelegatedAuthentication => &self.delegated_authentication,
        }
    }
}

/// Why a file is no dialect.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct DialectError(String);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileMembers {
    header: HeaderMembers,
    coding: CodingMembers,
    mac: Option<MacAlgorithm>,
    #[serde(default)]
    entry_mode: EntryModes,
    #[serde(default)]
    exemption: ExemptionMarks,
    scheme_id_field: Option<u8>,
    reversed: Vec<String>,
    #[serde(default)]
    nothing_to_reverse: Vec<String>,
    responses: BTreeMap<String, Response>,
    fields: BTreeMap<String, FieldLayout>,
    messages: BTreeMap<MessageName, MessageMembers>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HeaderMembers {
    length: LengthHeader,
    #[serde(default)]
    includes_itself: bool,
    #[serde(default)]
    before: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CodingMembers {
    message_type: Coding,
    bitmap: BitmapCoding,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MessageMembers {
    r#type: String,
    answer: String,
    repeat: Option<String>,
    fields: BTreeMap<String, TemplateMember>,
}

impl Dialect {
    /// Reads the text of a dialect's file.
    ///
    /// # Errors
    /// The first thing that cannot be used.
    pub fn parse(text: &str) -> Result<Dialect, DialectError> {
        let members: FileMembers =
            toml::from_str(text).map_err(|error| DialectError(error.to_string()))?;
        let before = crate::coding::from_hex(&members.header.before)
            .ok_or_else(|| refused("header.before must be hexadecimal bytes"))?;
        if members.coding.message_type == Coding::Binary {
            return Err(refused("coding.message_type must be ascii, ebcdic or bcd"));
        }
        let layout = Layout {
            message_type: members.coding.message_type,
            bitmap: members.coding.bitmap,
            fields: read_fields(members.fields)?,
        };
        for number in [field::TRACE_NUMBER, field::RESPONSE_CODE]
            .into_iter()
            .chain(members.scheme_id_field)
        {
            if !layout.fields.contains_key(&number) {
                return Err(refused(format!("fields must have {number}")));
            }
        }
        if members.mac.is_some() {
            check_mac(&layout)?;
        }
        let mut messages = BTreeMap::new();
        for (name, message) in members.messages {
            messages.insert(name, read_message(name, message, &layout)?);
        }
        for name in MessageName::REQUIRED {
            if !messages.contains_key(&name) {
                return Err(refused(format!("messages must have {}", name.code())));
            }
        }
        if members.reversed.is_empty() {
            return Err(refused(
                "reversed must have the response codes that acknowledge a reversal",
            ));
        }
        Ok(Dialect {
            framing: Framing {
                length: members.header.length,
                includes_itself: members.header.includes_itself,
                before: before.to_vec(),
            },
            layout,
            mac: members.mac,
            entry_mode: members.entry_mode,
            exemption: members.exemption,
            scheme_id_field: members.scheme_id_field,
            responses: Responses::new(members.responses).map_err(DialectError)?,
            reversed: members.reversed,
            nothing_to_reverse: members.nothing_to_reverse,
            messages,
        })
    }

    /// The form of a message. `None`: the dialect has none, so what it stands for is not possible.
    pub fn message(&self, name: MessageName) -> Option<&MessageForm> {
        self.messages.get(&name)
    }
}

impl MessageForm {
    /// Whether the value is in one of its fields.
    pub(crate) fn names(&self, value: Value) -> bool {
        self.fields
            .iter()
            .any(|(_, template)| template.names(value))
    }

    /// The message with these values.
    pub fn fill(&self, values: &Values) -> Message {
        self.filled(&self.message_type, values)
    }

    /// The same message once more.
    pub fn fill_again(&self, values: &Values) -> Message {
        self.filled(self.repeat.as_ref().unwrap_or(&self.message_type), values)
    }

    fn filled(&self, message_type: &str, values: &Values) -> Message {
        let mut message = Message::new(message_type);
        for (number, template) in &self.fields {
            if let Some(content) = template.fill(values) {
                message.put(*number, content);
            }
        }
        message
    }
}

impl MessageName {
    const REQUIRED: [MessageName; 7] = [
        MessageName::Authorization,
        MessageName::Sale,
        MessageName::Capture,
        MessageName::Refund,
        MessageName::Reversal,
        MessageName::SignOn,
        MessageName::Echo,
    ];

    const ALL: [MessageName; 11] = [
        MessageName::Authorization,
        MessageName::Sale,
        MessageName::Verification,
        MessageName::Capture,
        MessageName::Release,
        MessageName::Refund,
        MessageName::Cancel,
        MessageName::Increment,
        MessageName::Reversal,
        MessageName::SignOn,
        MessageName::Echo,
    ];

    /// Its name in the file and in the journal.
    pub fn code(self) -> &'static str {
        match self {
            MessageName::Authorization => "authorization",
            MessageName::Sale => "sale",
            MessageName::Verification => "verification",
            MessageName::Capture => "capture",
            MessageName::Release => "release",
            MessageName::Refund => "refund",
            MessageName::Cancel => "cancel",
            MessageName::Increment => "increment",
            MessageName::Reversal => "reversal",
            MessageName::SignOn => "sign_on",
            MessageName::Echo => "echo",
        }
    }

    /// The message of this name.
    pub fn from_code(code: &str) -> Option<MessageName> {
        MessageName::ALL
            .into_iter()
            .find(|name| name.code() == code)
    }

    /// Whether it asks an issuer for money, so that it is reversed and never repeated.
    fn asks_an_issuer(self) -> bool {
        matches!(
            self,
            MessageName::Authorization
                | MessageName::Sale
                | MessageName::Verification
                | MessageName::Increment
        )
    }
}

fn read_fields(
    members: BTreeMap<String, FieldLayout>,
) -> Result<BTreeMap<u8, FieldLayout>, DialectError> {
    let mut fields = BTreeMap::new();
    for (key, layout) in members {
        let number = number(&key).ok_or_else(|| refused(format!("fields.{key} {NUMBERS}")))?;
        if let Some(problem) = layout.problem() {
            return Err(refused(format!("fields.{key}: {problem}")));
        }
        fields.insert(number, layout);
    }
    Ok(fields)
}

fn read_message(
    name: MessageName,
    members: MessageMembers,
    layout: &Layout,
) -> Result<MessageForm, DialectError> {
    let at = format!("messages.{}", name.code());
    let is_type = |text: &String| text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    let types = [&members.r#type, &members.answer]
        .into_iter()
        .chain(&members.repeat);
    if !types.into_iter().all(is_type) {
        return Err(refused(format!(
            "{at}: type, answer and repeat must be four digits"
        )));
    }
    if name.asks_an_issuer() && members.repeat.is_some() {
        return Err(refused(format!(
            "{at}: repeat is for messages that are repeated; this one is reversed"
        )));
    }
    let mut fields = BTreeMap::new();
    for (key, member) in members.fields {
        let number = number(&key).filter(|number| layout.fields.contains_key(number));
        let number = number.ok_or_else(|| {
            refused(format!(
                "{at}.fields.{key} must be a field of the table [fields]"
            ))
        })?;
        let template = Template::parse(&member)
            .map_err(|name| refused(format!("{at}.fields.{key}: there is no value {name:?}")))?;
        fields.insert(number, template);
    }
    if !fields
        .get(&field::TRACE_NUMBER)
        .is_some_and(Template::is_trace_number)
    {
        return Err(refused(format!(
            "{at}.fields.11 must be \"{{trace_number}}\""
        )));
    }
    Ok(MessageForm {
        message_type: members.r#type,
        answer: members.answer,
        repeat: members.repeat,
        fields,
    })
}

fn check_mac(layout: &Layout) -> Result<(), DialectError> {
    let has_second = layout
        .fields
        .keys()
        .any(|number| *number > field::FIRST_MAC);
    let places = [field::FIRST_MAC, field::SECOND_MAC];
    for number in places.into_iter().take(if has_second { 2 } else { 1 }) {
        let fits = layout.fields.get(&number).is_some_and(|layout| {
            layout.kind == Kind::Fixed
                && layout.coding == Coding::Binary
                && layout.length == mac::BYTES
        });
        if !fits {
            return Err(refused(format!(
                "fields.{number} must be binary with length 8, because there is a mac"
            )));
        }
    }
    Ok(())
}

fn number(key: &str) -> Option<u8> {
    let number = key.parse().ok()?;
    (2..=128).contains(&number).then_some(number)
}

fn refused(problem: impl Into<String>) -> DialectError {
    DialectError(problem.into())
}

const NUMBERS: &str = "must be a number from 2 to 128";

#[cfg(test)]
mod tests;
