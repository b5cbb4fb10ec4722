//! The shipped dialects, and what a file may not say.

use super::*;
use crate::codec::{decode, encode};
use crate::response::Meaning;
use payframe_payment_ports::acquirer::RequestedExemption;

const ASCII: &str = include_str!("../../dialects/1987-ascii.toml");
const BINARY: &str = include_str!("../../dialects/1993-binary.toml");

fn values() -> Values {
    let mut values = Values::default();
    for (value, content) in [
        (Value::CardNumber, "4761730000000003"),
        (Value::Expiry, "4012"),
        (Value::SecurityCode, "123"),
        (Value::SecurityCodeLength, "03"),
        (Value::Amount, "3545"),
        (Value::Currency, "978"),
        (Value::TransmissionTime, "1126101500"),
        (Value::LocalTime, "101500"),
        (Value::LocalDate, "1126"),
        (Value::LocalDateTime, "261126101500"),
        (Value::TraceNumber, "000017"),
        (Value::RetrievalReference, "633010000017"),
        (Value::TerminalId, "55000001"),
        (Value::MerchantId, "MERCHANT1"),
        (Value::AcquirerId, "123456"),
        (Value::EntryMode, "812"),
        (Value::OriginalType, "0100"),
        (Value::OriginalTraceNumber, "000016"),
        (Value::OriginalTransmissionTime, "1126101400"),
        (Value::OriginalLocalDateTime, "261126101400"),
        (Value::OriginalRetrievalReference, "633010000016"),
        (Value::OriginalAcquirerId, "00000123456"),
    ] {
        values.put(value, content);
    }
    values
}

#[test]
fn the_shipped_dialects_write_every_message_and_read_it_back() {
    for (text, entry_mode) in [(ASCII, "812"), (BINARY, "600050600000")] {
        let dialect = Dialect::parse(text).unwrap();
        assert_eq!(dialect.entry_mode.entered, entry_mode);
        let mut values = values();
        values.put(Value::EntryMode, entry_mode);
        for name in MessageName::ALL {
            let form = dialect.message(name).unwrap();
            let message = form.fill(&values);
            let bytes = encode(&dialect.layout, &message).unwrap();
            let read = decode(&dialect.layout, &bytes).unwrap();
            assert_eq!(read.message_type, form.message_type);
            assert_eq!(read.field(11), Some("000017"));
            let again = form.fill_again(&values);
            let repeat = form.repeat.as_ref().unwrap_or(&form.message_type);
            assert_eq!(&again.message_type, repeat);
        }
    }
}

#[test]
fn an_authorization_of_1987_in_bytes() {
    let dialect = Dialect::parse(ASCII).unwrap();
    let form = dialect.message(MessageName::Authorization).unwrap();
    let bytes = encode(&dialect.layout, &form.fill(&values())).unwrap();
    assert_eq!(
        std::str::from_utf8(&bytes).unwrap(),
        "0100723C048108C18000\
         164761730000000003000000000000003545112610150000001710150011264012812\
         5906123456633010000017\
         55000001MERCHANT1      0079203123978"
    );
}

#[test]
fn an_exemption_is_marked_as_the_dialect_says() {
    for text in [ASCII, BINARY] {
        let dialect = Dialect::parse(text).unwrap();
        let form = dialect.message(MessageName::Sale).unwrap();
        let field = |exemption: Option<RequestedExemption>| {
            let mut values = values();
            values.put(Value::SecurityCodeLength, "");
            if let Some(exemption) = exemption {
                values.put(Value::Exemption, dialect.exemption.mark(exemption));
            }
            let message = form.fill(&values);
            message.field(48).unwrap_or("").to_owned()
        };
        let unmarked = field(None);
        for (exemption, expected) in RequestedExemption::ALL
            .into_iter()
            .zip(["220204", "220202", "220207", "220203", "220205"])
        {
            assert_eq!(field(Some(exemption)), format!("{unmarked}{expected}"));
        }
    }
    // A host without marks hears of no exemption.
    let without = ASCII.replace("low_value = \"04\"\n", "");
    let dialect = Dialect::parse(&without).unwrap();
    assert_eq!(dialect.exemption.mark(RequestedExemption::LowValue), "");
}

#[test]
fn a_dialect_may_tell_the_billing_address() {
    let code = "\"92{security_code_length}{security_code}\"";
    let asked = format!("{code}, \"8309{{billing_postal_code}}\", \"84{{billing_street_digits}}\"");
    let dialect = Dialect::parse(&ASCII.replace(code, &asked)).unwrap();
    let form = dialect.message(MessageName::Authorization).unwrap();
    let field = |told: &[(Value, &str)]| {
        let mut values = values();
        for (value, content) in told {
            values.put(*value, *content);
        }
        form.fill(&values).field(48).unwrap_or("").to_owned()
    };
    assert_eq!(field(&[]), "9203123");
    assert_eq!(
        field(&[(Value::BillingPostalCode, "95014")]),
        "9203123830995014"
    );
    assert_eq!(
        field(&[
            (Value::BillingPostalCode, "95014"),
            (Value::BillingStreetDigits, "1")
        ]),
        "9203123830995014841"
    );
}

#[test]
fn response_codes_mean_what_the_table_says_and_unknown_ones_nothing() {
    let dialect = Dialect::parse(ASCII).unwrap();
    assert_eq!(dialect.responses.meaning("00"), (Meaning::Approved, "000"));
    assert_eq!(dialect.responses.meaning("10"), (Meaning::Partial, "002"));
    assert_eq!(dialect.responses.meaning("51"), (Meaning::Declined, "116"));
    for (code, told) in [("65", "123"), ("1A", "100")] {
        let meaning = (Meaning::AuthenticationRequired, told);
        assert_eq!(dialect.responses.meaning(code), meaning);
    }
    assert_eq!(dialect.responses.meaning("91"), (Meaning::Failed, "907"));
    assert_eq!(dialect.responses.meaning("68"), (Meaning::Unknown, "911"));
    assert_eq!(dialect.responses.meaning("X9"), (Meaning::Unknown, "909"));
    assert_eq!(dialect.responses.approval(), "00");
}

#[test]
fn a_file_that_cannot_be_used_is_refused_with_its_member() {
    let check = |text: &str, from: &str, to: &str, expected: &str| {
        assert!(text.contains(from), "{from}");
        let said = Dialect::parse(&text.replacen(from, to, 1))
            .unwrap_err()
            .to_string();
        assert!(said.contains(expected), "{said}");
    };
    check(
        ASCII,
        "length = \"ascii-4\"",
        "length = \"ascii-5\"",
        "ascii-5",
    );
    check(
        ASCII,
        "[coding]",
        "[coding]\nbits = 1",
        "unknown field `bits`",
    );
    check(
        ASCII,
        "message_type = \"ascii\"",
        "message_type = \"binary\"",
        "coding.message_type must be",
    );
    check(
        ASCII,
        "3 = { length = 6",
        "129 = { length = 6",
        "fields.129 must be a number",
    );
    check(
        ASCII,
        "kind = \"ll\", length = 19",
        "kind = \"ll\", length = 100",
        "fields.2: length must be",
    );
    check(
        ASCII,
        "39 = { length = 2, coding = \"ascii\" }\n",
        "",
        "fields must have 39",
    );
    check(
        ASCII,
        "70 = \"001\"",
        "71 = \"001\"",
        "messages.sign_on.fields.71 must be a field",
    );
    check(
        ASCII,
        "{card_number}",
        "{pan}",
        "messages.authorization.fields.2: there is no value \"pan\"",
    );
    check(
        ASCII,
        "11 = \"{trace_number}\", 70",
        "11 = \"000001\", 70",
        "messages.sign_on.fields.11 must be",
    );
    check(
        ASCII,
        "answer = \"0210\"",
        "answer = \"0210\"\nrepeat = \"0201\"",
        "messages.sale: repeat is for",
    );
    check(
        ASCII,
        "answer = \"0210\"",
        "answer = \"210\"",
        "messages.sale: type, answer and repeat",
    );
    check(
        ASCII,
        "reversed = [\"00\"]",
        "reversed = []",
        "reversed must have",
    );
    check(
        ASCII,
        "code = \"116\"",
        "code = \"51\"",
        "responses.51: code must be three digits",
    );
    check(
        BINARY,
        "before = \"6000010000\"",
        "before = \"TPDU\"",
        "header.before must be",
    );
    check(
        BINARY,
        "64 = { length = 8",
        "64 = { length = 4",
        "fields.64 must be binary with length 8",
    );
    let (without, _) = ASCII.split_once("[messages.reversal]").unwrap();
    let (_, responses) = ASCII.split_once("[responses]").unwrap();
    let said = Dialect::parse(&format!("{without}[responses]{responses}")).unwrap_err();
    assert_eq!(said.to_string(), "messages must have reversal");
}
