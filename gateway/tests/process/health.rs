//! The command `health`, as service managers and container runtimes call it.

use crate::process::{Process, command};
use crate::shop::socket;
use std::process::Output;

#[test]
fn a_gateway_that_answers_is_well_and_one_that_has_ended_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let gateway = Process::start(folder.path(), &[("PAYFRAME_LISTEN", "0.0.0.0:0")]);
    let listen = format!("0.0.0.0:{}", socket(&gateway.address).port());
    let ask = |question: &[&str]| -> Output {
        let mut ask = command(folder.path(), &[("PAYFRAME_LISTEN", &listen)]);
        ask.arg("health").args(question).output().unwrap()
    };
    for question in [&[][..], &["--ready"]] {
        let well = ask(question);
        assert!(well.status.success(), "{well:?}");
        assert!(well.stdout.is_empty() && well.stderr.is_empty(), "{well:?}");
    }
    drop(gateway);
    let gone = ask(&[]);
    assert_eq!(gone.status.code(), Some(1));
    let said = String::from_utf8(gone.stderr).unwrap();
    assert!(
        said.contains("nobody answers at http://127.0.0.1:"),
        "{said}"
    );
}

#[test]
fn a_gateway_with_a_certificate_for_another_name_is_asked_over_tls() {
    let folder = tempfile::tempdir().unwrap();
    crate::tls::renew(folder.path());
    let [certificate, key] = ["cert.pem", "key.pem"].map(|file| folder.path().join(file));
    let tls = [
        ("PAYFRAME_TLS_CERT", certificate.to_str().unwrap()),
        ("PAYFRAME_TLS_KEY", key.to_str().unwrap()),
    ];
    let gateway = Process::start(&folder.path().join("data"), &tls);
    let listen = socket(&gateway.address).to_string();
    let mut ask = command(&folder.path().join("data"), &tls);
    let asked = ask.env("PAYFRAME_LISTEN", &listen).arg("health").output();
    assert!(asked.unwrap().status.success());
    // Without the certificate in the settings it is asked in plain HTTP, which it does not speak.
    let mut ask = command(&folder.path().join("data"), &[]);
    let asked = ask.env("PAYFRAME_LISTEN", &listen).arg("health").output();
    assert_eq!(asked.unwrap().status.code(), Some(1));
}
