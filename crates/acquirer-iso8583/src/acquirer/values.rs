//! What a message says: the values of a payment, of the settings, and of the message that it is about.

use super::IsoAcquirer;
use crate::dialect::MessageName;
use crate::journal::{JournalCard, time};
use crate::link;
use crate::template::{Value, Values};
use iso_currency::Currency;
use payframe_payment_ports::acquirer::{
    CardAuthorization, CardOrigin, Exemption, Initiator, SecurityCodeData,
};
use payframe_storage::iso8583_exchanges::ExchangeRow;

impl IsoAcquirer {
    /// The values of every message about money.
    pub(super) fn values(&self, row: &ExchangeRow, card: Option<&JournalCard>) -> Values {
        let mut values = Values::default();
        let identity = &self.identity;
        let terminal = identity.terminal_id.as_ref().unwrap_or(&row.terminal_id);
        let currency = Currency::from_code(&row.currency);
        let currency = currency.map(|currency| format!("{:03}", currency.numeric()));
        values.put(Value::Amount, row.amount.minor().to_string());
        values.put(Value::Currency, currency.unwrap_or_default());
        values.put(Value::TerminalId, terminal.as_str());
        values.put(Value::MerchantId, identity.merchant_id.as_str());
        values.put(Value::AcquirerId, identity.acquirer_id.as_str());
        values.put(Value::MerchantCategory, identity.merchant_category.as_str());
        values.put(Value::MerchantLocation, identity.merchant_location.as_str());
        if let Some(card) = card {
            values.put(Value::CardNumber, card.number.as_str());
            values.put(Value::Expiry, card.expiry.as_str());
        }
        values
    }

    pub(super) fn put_authorization(&self, values: &mut Values, card: &CardAuthorization<'_>) {
        if let SecurityCodeData::Given(code) = card.security_code {
            // Exposed to be sent to the acquirer, once: the journal has no copy.
            values.put(Value::SecurityCode, code.expose());
            let length = code.expose().len();
            values.put(Value::SecurityCodeLength, format!("{length:02}"));
        }
        let modes = &self.dialect.entry_mode;
        let mode = match (card.exemption, card.initiator, card.origin) {
            (Exemption::MailOrTelephone, _, _) => &modes.mail_or_telephone,
            (_, Initiator::Merchant, _) => &modes.merchant_initiated,
            (_, Initiator::Cardholder, CardOrigin::Stored) => &modes.stored,
            (_, Initiator::Cardholder, CardOrigin::Entered) => &modes.entered,
        };
        values.put(Value::EntryMode, mode.as_str());
        if let Exemption::Requested(exemption) = card.exemption {
            values.put(Value::Exemption, self.dialect.exemption.mark(exemption));
        }
        if let Some(first) = &card.first_scheme_id {
            values.put(Value::FirstSchemeId, first.as_str());
        }
        if let Some(evidence) = &card.authentication {
            values.put(Value::Eci, &*evidence.eci);
            values.put(
                Value::AuthenticationValue,
                evidence.authentication_value.as_str(),
            );
            values.put(Value::DsTransactionId, evidence.ds_transaction_id.as_str());
        }
    }

    pub(super) fn put_original(&self, values: &mut Values, original: &ExchangeRow) {
        let name = MessageName::from_code(&original.message);
        let form = name.and_then(|name| self.dialect.message(name));
        let numbers = &original.numbers;
        let at = |format| time(numbers.sent_ms, format);
        if let Some(form) = form {
            values.put(Value::OriginalType, form.message_type.as_str());
        }
        values.put(
            Value::OriginalTraceNumber,
            format!("{:06}", numbers.trace_number),
        );
        values.put(Value::OriginalTransmissionTime, at(link::TRANSMISSION_TIME));
        values.put(Value::OriginalLocalDateTime, at(link::LOCAL_DATE_TIME));
        values.put(
            Value::OriginalRetrievalReference,
            numbers.retrieval_reference.as_str(),
        );
        values.put(
            Value::OriginalAuthorizationCode,
            original.answer.authorization_code.as_str(),
        );
        values.put(
            Value::OriginalAcquirerId,
            format!("{:0>11}", self.identity.acquirer_id),
        );
    }
}
