//! The mode has to be set, and the start prints it.

use crate::http;
use crate::process::{Process, command};
use crate::shop::socket;
use std::path::Path;
use std::process::Command;

const PRODUCTION: [(&str, &str); 2] = [
    ("PAYFRAME_MODE", "production"),
    ("PAYFRAME_ORIGIN", "https://pay.example"),
];

/// The message of a program that does not start.
fn refusal(command: &mut Command) -> String {
    let ended = command.output().unwrap();
    assert!(!ended.status.success(), "it has started");
    assert!(ended.stdout.is_empty());
    String::from_utf8(ended.stderr).unwrap()
}

fn without_mode(data: &Path) -> Command {
    let mut command = command(data, &[]);
    command.env_remove("PAYFRAME_MODE");
    command
}

#[test]
fn without_a_mode_nothing_is_made_and_both_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    for words in [
        &[][..],
        &["keys", "list"],
        &["migrate"],
        &["merchant", "list"],
    ] {
        let said = refusal(without_mode(&data).args(words));
        for expected in ["PAYFRAME_MODE", "\n  sandbox ", "\n  production "] {
            assert!(said.contains(expected), "{words:?}: {said}");
        }
        assert!(!data.exists(), "{words:?} has made a file");
    }
    // Commands without tables work in any case.
    let pages = folder.path().join("pages");
    for words in [
        &["settings".as_ref()][..],
        &["reference".as_ref(), pages.as_os_str()],
        &["help".as_ref()],
    ] {
        let told = without_mode(&data).args(words).output().unwrap();
        assert!(
            told.status.success() && !told.stdout.is_empty(),
            "{words:?}"
        );
    }
    assert!(pages.join("api/payments.md").is_file());
    assert!(!data.exists());
}

#[test]
fn production_refuses_what_contradicts_it_and_makes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    for (setting, expected) in [
        (
            ("PAYFRAME_SANDBOX_MERCHANTS", "1"),
            "PAYFRAME_SANDBOX_MERCHANTS must be 0",
        ),
        (
            ("PAYFRAME_SANDBOX_FAULTS", "1"),
            "PAYFRAME_SANDBOX_FAULTS must be 0",
        ),
        (
            ("PAYFRAME_ALLOW_INSECURE_URLS", "1"),
            "PAYFRAME_ALLOW_INSECURE_URLS must be 0",
        ),
        (
            ("PAYFRAME_REQUIRE_ENCRYPTED_CARDS", "0"),
            "PAYFRAME_REQUIRE_ENCRYPTED_CARDS must be 1",
        ),
        (
            ("PAYFRAME_ORIGIN", "http://pay.example"),
            "PAYFRAME_ORIGIN must be scheme",
        ),
    ] {
        let [mode, origin] = PRODUCTION;
        let said = refusal(&mut command(&data, &[mode, origin, setting]));
        assert!(said.contains(expected), "{said}");
        assert!(!data.exists(), "{setting:?}");
    }
    let said = refusal(&mut command(&data, &[("PAYFRAME_MODE", "production")]));
    assert!(said.contains("PAYFRAME_ORIGIN must be set"), "{said}");
    assert!(!data.exists());
}

#[test]
fn a_start_says_its_mode_behind_the_address() {
    let folder = tempfile::tempdir().unwrap();
    let sandbox = Process::start(&folder.path().join("sandbox"), &[]);
    assert_eq!(sandbox.mode, "(sandbox: no money moves)");
    let data = folder.path().join("production");
    let production = Process::start(&data, &PRODUCTION);
    assert_eq!(
        production.mode,
        "(production: no terminal has an acquirer, nothing is charged)"
    );
    // Keys that everybody knows do not work there.
    for (gateway, expected) in [(&sandbox, 200), (&production, 401)] {
        let key = [("x-api-key", "sandbox-implicit")];
        let server = socket(&gateway.address);
        let answer = http::send(server, "GET", "/api/payment_methods", &key, "").unwrap();
        assert_eq!(answer.status, Some(expected));
    }
    assert!(data.join("gateway.db").exists());
    assert!(
        !data.join("acquirer.db").exists(),
        "nobody plays an acquirer"
    );
}

#[test]
fn the_folder_of_a_sandbox_does_not_become_productions() {
    let folder = tempfile::tempdir().unwrap();
    drop(Process::start(folder.path(), &[]));
    for words in [&[][..], &["keys", "list"]] {
        let said = refusal(command(folder.path(), &PRODUCTION).args(words));
        assert!(said.contains("the tables are a sandbox's"), "{said}");
    }
    drop(Process::start(folder.path(), &[]));
}

#[test]
fn a_production_gateways_tables_are_copied() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let _gateway = Process::start(&data, &PRODUCTION);
    let copy = folder.path().join("copy");
    let copied = command(&data, &PRODUCTION)
        .arg("backup")
        .arg(&copy)
        .output();
    assert!(copied.unwrap().status.success());
    assert!(copy.join("gateway.db").exists());
    assert!(!copy.join("acquirer.db").exists());
}
