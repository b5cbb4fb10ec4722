//! What the members of an acquirer over ISO 8583 may be, in each place.

use super::*;

const ISO: &str = r#"
[[acquirer]]
name = "bank"
protocol = "iso8583"
host = "host.example"
port = 8583
dialect_file = "dialect.toml"
acquirer_id = "123456"
merchant_id = "MERCHANT1"
"#;

const ASCII: &str = include_str!("../../../crates/acquirer-iso8583/dialects/1987-ascii.toml");
const BINARY: &str = include_str!("../../../crates/acquirer-iso8583/dialects/1993-binary.toml");

/// Reads a file with this text, beside a dialect.
fn read(text: &str, dialect: &str, place: Place) -> Result<(), SettingsFileError> {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("acquirers.toml", text);
    write("dialect.toml", dialect);
    write("mac.key", "0123456789ABCDEFFEDCBA9876543210");
    write("short.key", "0123456789ABCDEF");
    write("empty.pem", "");
    let file = AcquirerFile::read(&folder.path().join("acquirers.toml"), place)?;
    let [bank] = file.others() else {
        panic!("{file:?}");
    };
    settings(&file, bank).map(|_| ())
}

#[test]
fn production_takes_a_host_over_tls_and_a_sandbox_also_a_plain_one_of_the_same_machine() {
    read(ISO, ASCII, Place::Production).unwrap();
    let with_code = format!("{ISO}mac_key_file = 'mac.key'\n");
    read(&with_code, BINARY, Place::Production).unwrap();
    let local = ISO.replacen("host.example", "127.0.0.1", 1);
    let plain = format!("{local}tls = false\ntest_endpoint = true\n");
    read(&plain, ASCII, Place::Sandbox).unwrap();
}

#[test]
fn what_cannot_be_used_is_named_with_its_acquirer() {
    let check = |text: &str, dialect: &str, expected: &str| {
        let said = read(text, dialect, Place::Production)
            .unwrap_err()
            .to_string();
        assert!(said.contains(expected), "{said}");
    };
    let with = |member: &str| format!("{ISO}{member}\n");
    let other = |from: &str, to: &str| ISO.replacen(from, to, 1);
    check(
        &other("merchant_id", "merchant"),
        ASCII,
        "acquirer bank: unknown field `merchant`",
    );
    check(
        &other("port = 8583\n", ""),
        ASCII,
        "acquirer bank: missing field `port`",
    );
    check(
        &with("tls = false"),
        ASCII,
        "tls of acquirer bank must be true in production",
    );
    check(
        &other("8583\n", "0\n"),
        ASCII,
        "port of acquirer bank must be a number",
    );
    check(
        &other("123456", "12345X"),
        ASCII,
        "acquirer_id of acquirer bank must be 1 to 11 digits",
    );
    check(
        &other("MERCHANT1", ""),
        ASCII,
        "merchant_id of acquirer bank must be",
    );
    check(
        &with("connections = 0"),
        ASCII,
        "connections of acquirer bank must be",
    );
    check(
        &with("answer_seconds = 121"),
        ASCII,
        "answer_seconds of acquirer bank must be",
    );
    check(
        &with("echo_seconds = 4"),
        ASCII,
        "echo_seconds of acquirer bank must be",
    );
    check(
        &other("dialect.toml", "none.toml"),
        ASCII,
        "dialect_file of acquirer bank must be",
    );
    check(
        ISO,
        &ASCII.replacen("{card_number}", "{pan}", 1),
        "messages.authorization.fields.2: there is no value \"pan\"",
    );
    check(
        ISO,
        BINARY,
        "mac_key_file of acquirer bank must be the path of a file with a key",
    );
    check(
        &with("mac_key_file = 'short.key'"),
        BINARY,
        "mac_key_file of acquirer bank must be",
    );
    check(
        &with("mac_key_file = 'mac.key'"),
        ASCII,
        "mac_key_file of acquirer bank must be left out",
    );
    check(
        &with("ca_file = 'empty.pem'"),
        ASCII,
        "ca_file of acquirer bank must be",
    );
    check(
        &with("client_key_file = 'mac.key'"),
        ASCII,
        "client_certificate_file of acquirer bank must be",
    );
}

#[test]
fn a_sandbox_takes_no_plain_connection_to_another_machine() {
    let plain = format!("{ISO}tls = false\ntest_endpoint = true\n");
    let said = read(&plain, ASCII, Place::Sandbox).unwrap_err().to_string();
    assert!(
        said.ends_with("true, unless the host is on the same machine"),
        "{said}"
    );
}
