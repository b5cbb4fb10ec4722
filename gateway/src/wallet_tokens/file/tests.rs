//! Files that are taken, and what is said of those that are not.

use super::*;
use serde_json::Value;

/// A folder with keys and roots.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let fixture = include_str!("../../../../crates/wallet-tokens/fixtures/tokens.json");
    let fixture: Value = serde_json::from_str(fixture).unwrap();
    let text = |part: &str| fixture.pointer(part).unwrap().as_str().unwrap().to_owned();
    for (name, text) in [
        ("key.pem", text("/applepay/key")),
        ("root.pem", text("/applepay/root")),
        ("roots.json", fixture["googlepay"]["roots"].to_string()),
    ] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

const WHOLE: &str = "[[applepay]]\nidentifier = 'merchant.example.shop'\nmerchants = ['blumen', 'backwaren']\n\
    key_files = ['key.pem', 'key.pem']\nroot_file = 'root.pem'\n\
    [[applepay]]\nidentifier = 'merchant.example.app'\nmerchants = ['blumen']\nkey_files = ['key.pem']\nroot_file = 'root.pem'\n\
    [[googlepay]]\nrecipient = 'gateway:payframe'\nkey_files = ['key.pem']\nroot_file = 'roots.json'\n\
    [[googlepay]]\nrecipient = 'merchant:123'\nmerchants = ['backwaren']\nkey_files = ['key.pem']\nroot_file = 'roots.json'\n";

fn read(text: &str) -> Result<WalletFile, String> {
    let folder = folder();
    let path = folder.path().join("wallets.toml");
    std::fs::write(&path, text).unwrap();
    WalletFile::read(&path).map_err(|problem| problem.to_string())
}

#[test]
fn keys_are_for_the_merchants_that_the_file_names() {
    let file = read(WHOLE).unwrap();
    for (merchant_id, expected) in [("blumen", [2, 1]), ("backwaren", [1, 2]), ("other", [0, 1])] {
        let found = [
            file.applepay_of(merchant_id).count(),
            file.googlepay_of(merchant_id).count(),
        ];
        assert_eq!(found, expected, "{merchant_id}");
    }
    assert!(read("").is_ok());
}

#[test]
fn what_cannot_be_used_is_named_with_what_is_accepted() {
    for (from, to, expected) in [
        ("[[applepay]]", "[[other]]", "unknown field `other`"),
        ("root_file = 'root.pem'", "", "missing field `root_file`"),
        (
            "identifier = 'merchant.example.shop'",
            "identifier = ''",
            "identifier of applepay  must be an identifier",
        ),
        (
            "merchant.example.app",
            "merchant.example.shop",
            "identifier of applepay merchant.example.shop must be an identifier that no other",
        ),
        (
            "['blumen', 'backwaren']",
            "[]",
            "merchants of applepay merchant.example.shop must be ids of the merchants",
        ),
        (
            "['blumen', 'backwaren']",
            "['']",
            "merchants of applepay merchant.example.shop must be ids of the merchants",
        ),
        (
            "['key.pem', 'key.pem']",
            "[]",
            "key_files of applepay merchant.example.shop must be files with keys",
        ),
        (
            "['key.pem', 'key.pem']",
            "['key.pem', 'gone.pem']",
            "key_files of applepay merchant.example.shop: gone.pem: ",
        ),
        (
            "['key.pem', 'key.pem']",
            "['root.pem']",
            "must be a private key on the curve P-256",
        ),
        (
            "root_file = 'root.pem'",
            "root_file = 'key.pem'",
            "must be the wallet's root certificate",
        ),
        (
            "gateway:payframe",
            "payframe",
            "recipient of googlepay payframe must be gateway:NAME or merchant:ID",
        ),
        (
            "merchant:123'\nmerchants = ['backwaren']",
            "merchant:123'",
            "merchants of googlepay merchant:123 must be ids",
        ),
        (
            "merchant:123",
            "gateway:other",
            "merchants of googlepay gateway:other must be left out",
        ),
        (
            "merchant:123'\nmerchants = ['backwaren']",
            "gateway:payframe'",
            "must be a recipient that no other",
        ),
        (
            "root_file = 'roots.json'",
            "root_file = 'root.pem'",
            "must be the wallet's file of root keys",
        ),
    ] {
        assert!(WHOLE.contains(from), "{from}");
        let said = read(&WHOLE.replacen(from, to, 1)).err().unwrap();
        assert!(
            said.contains("wallets.toml: ") && said.contains(expected),
            "{said}"
        );
    }
    let gone = WalletFile::read(Path::new("/nowhere/wallets.toml"));
    assert!(
        gone.err()
            .unwrap()
            .to_string()
            .starts_with("/nowhere/wallets.toml: ")
    );
}
