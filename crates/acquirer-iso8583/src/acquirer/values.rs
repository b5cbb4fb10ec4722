//! What a message says: the values of a payment, of the settings, and of the message that it is about.

use super::IsoAcquirer;
use crate::dialect::MessageName;
use crate::journal::{JournalCard, time};
use crate::link;
use crate::template::{Value, Values};
use iso_currency::Currency;
use payframe_card_rules::digit::digit_value;
use payframe_payment_ports::acquirer::{
    AddressPart, BillingAddress, CardAuthorization, CardOrigin, Exemption, Initiator,
    SecurityCodeData, TokenCryptogram,
};
use payframe_storage::iso8583_exchanges::ExchangeRow;

impl IsoAcquirer {
    /// The values of every message about money.
    pub(super) fn values(&self, row: &ExchangeRow, card: Option<&JournalCard>) -> Values {
        let mut values = Values::default();
        let identity = &self.identity;
        let terminal = identity.terminal_id.as_ref().unwrap_or(&row.terminal_id);
        values.put(Value::Amount, row.amount.minor().to_string());
        values.put(Value::Currency, numeric(&row.currency));
        if let Some(sum) = &row.merchant_sum {
            values.put(Value::MerchantAmount, format!("{:012}", sum.amount.minor()));
            values.put(Value::MerchantCurrency, numeric(&sum.currency));
        }
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
        if let Some(address) = card.billing_address {
            for (value, content) in billing_values(address) {
                values.put(value, content);
            }
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
        if let Some(cryptogram) = cryptogram(card) {
            // Exposed to be sent to the acquirer, once: the journal has no copy.
            let value = cryptogram.value().expose();
            values.put(Value::TokenCryptogram, value);
            values.put(Value::TokenCryptogramLength, format!("{:02}", value.len()));
            values.put(Value::Eci, cryptogram.eci().unwrap_or_default());
        }
        if let Some(shared) = card.data_share {
            if let Some(eci) = &shared.eci {
                values.put(Value::Eci, eci.as_str());
            }
            values.put(Value::DsTransactionId, shared.ds_transaction_id.as_str());
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

/// The number of a currency with three digits. Empty: it has none.
fn numeric(currency: &str) -> String {
    Currency::from_code(currency)
        .map_or_else(String::new, |currency| format!("{:03}", currency.numeric()))
}

/// The cryptogram of a payment with a network token.
pub(super) fn cryptogram<'a>(card: &CardAuthorization<'a>) -> Option<&'a TokenCryptogram> {
    card.network_token?.cryptogram.as_ref()
}

/// What hosts compare of a billing address: no text that their character sets may lack. Empty: it is not there.
fn billing_values(address: &BillingAddress) -> [(Value, String); 3] {
    // Exposed to be sent to the acquirer.
    let part = |part| address.part(part).map_or("", |text| text.expose());
    let digits = part(AddressPart::Line1).chars().filter_map(digit_value);
    let digits = digits.take(LONGEST_STREET_DIGITS);
    [
        (
            Value::BillingPostalCode,
            part(AddressPart::PostalCode).to_owned(),
        ),
        (
            Value::BillingStreetDigits,
            digits.map(|digit| char::from(b'0' + digit)).collect(),
        ),
        (
            Value::BillingCountry,
            address.country().numeric().unwrap_or_default(),
        ),
    ]
}

const LONGEST_STREET_DIGITS: usize = 20;

#[cfg(test)]
mod tests {
    use super::*;
    use payframe_payment_ports::acquirer::BillingAddressFields;

    #[test]
    fn a_host_is_told_what_it_compares_of_a_billing_address() {
        use BillingAddressFields::{Full, PostalCode};
        for (asked, country, parts, expected) in [
            (
                PostalCode,
                "GB",
                ["", "", "", "", "sw1a1aa"],
                ["SW1A 1AA", "", "826"],
            ),
            (
                Full,
                "US",
                ["1 Loop, 22", "3", "Cupertino", "CA", "95014"],
                ["95014", "122", "840"],
            ),
            (Full, "AE", ["شارع ٤٢", "", "", "DU", ""], ["", "42", "784"]),
            (
                Full,
                "HK",
                ["12345678901234567890123", "", "", "Kowloon", ""],
                ["", "12345678901234567890", "344"],
            ),
        ] {
            let texts = AddressPart::ALL.into_iter().zip(parts).collect();
            let address = BillingAddress::read(asked, country, &texts).unwrap();
            assert_eq!(
                billing_values(&address).map(|(_, content)| content),
                expected
            );
        }
    }
}
