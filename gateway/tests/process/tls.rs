//! TLS by the gateway itself, with certificates that the test makes.

use crate::http;
use crate::process::{Process, command};
use crate::shop::socket;
use rcgen::{CertifiedKey, KeyPair};
use reqwest::{Certificate, Client, ClientBuilder, Version};
use std::path::Path;
use std::process::Command;

pub(crate) const HOST: &str = "pay.example";

/// Puts a new certificate for [`HOST`] where the gateway reads it.
pub(crate) fn renew(folder: &Path) -> Certificate {
    let CertifiedKey { cert, signing_key } =
        rcgen::generate_simple_self_signed([HOST.to_owned()]).unwrap();
    let key: KeyPair = signing_key;
    std::fs::write(folder.join("key.pem"), key.serialize_pem()).unwrap();
    std::fs::write(folder.join("cert.pem"), cert.pem()).unwrap();
    Certificate::from_pem(cert.pem().as_bytes()).unwrap()
}

/// Sends a request like a browser that trusts only this certificate.
async fn ask(
    gateway: &Process,
    trusted: &Certificate,
    client: ClientBuilder,
) -> reqwest::Result<(Version, Option<String>, String)> {
    let address = socket(&gateway.address);
    let client: Client = client
        .no_proxy()
        .tls_built_in_root_certs(false)
        .add_root_certificate(trusted.clone())
        .resolve(HOST, address)
        .build()?;
    let url = format!("https://{HOST}:{}/health", address.port());
    let answer = client.get(url).send().await?;
    let version = answer.version();
    let strict = answer.headers().get("strict-transport-security");
    let strict = strict.map(|value| value.to_str().unwrap().to_owned());
    Ok((version, strict, answer.text().await?))
}

#[tokio::test]
async fn a_gateway_speaks_tls_and_shows_a_new_certificate_without_a_stop() {
    let folder = tempfile::tempdir().unwrap();
    let first = renew(folder.path());
    let [certificate, key] = ["cert.pem", "key.pem"].map(|file| folder.path().join(file));
    let settings = [
        ("PAYFRAME_TLS_CERT", certificate.to_str().unwrap()),
        ("PAYFRAME_TLS_KEY", key.to_str().unwrap()),
        ("PAYFRAME_ORIGIN", "https://pay.example"),
    ];
    let gateway = Process::start(&folder.path().join("data"), &settings);
    assert!(
        gateway.address.starts_with("https://"),
        "{}",
        gateway.address
    );
    // A client that connects and sends nothing keeps no other client waiting.
    let _silent = std::net::TcpStream::connect(socket(&gateway.address)).unwrap();
    let strict = Some(String::from("max-age=63072000; includeSubDomains"));
    for (client, version) in [
        (Client::builder(), Version::HTTP_2),
        (Client::builder().http1_only(), Version::HTTP_11),
    ] {
        let answer = ask(&gateway, &first, client).await.unwrap();
        assert_eq!(answer, (version, strict.clone(), String::from("ok")));
    }
    let plain = http::send(socket(&gateway.address), "GET", "/health", &[], "");
    assert!(plain.is_err() || plain.unwrap().status.is_none());

    let second = renew(folder.path());
    assert!(ask(&gateway, &second, Client::builder()).await.is_err());
    let hang_up = |gateway: &Process| {
        let pid = gateway.child.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-HUP", &pid])
                .status()
                .unwrap()
                .success()
        );
    };
    hang_up(&gateway);
    while ask(&gateway, &second, Client::builder()).await.is_err() {}
    assert!(ask(&gateway, &first, Client::builder()).await.is_err());
}

#[test]
fn a_certificate_that_cannot_be_used_stops_the_start_and_says_why() {
    let folder = tempfile::tempdir().unwrap();
    renew(folder.path());
    let kept = folder.path().join("of-the-first.pem");
    std::fs::rename(folder.path().join("key.pem"), &kept).unwrap();
    renew(folder.path());
    let certificate = folder.path().join("cert.pem");
    for (key, expected) in [
        (
            kept.to_str().unwrap(),
            "of-the-first.pem: not the key of the certificate",
        ),
        ("/nowhere/key.pem", "/nowhere/key.pem: "),
        (certificate.to_str().unwrap(), "cert.pem: "),
    ] {
        let settings = [
            ("PAYFRAME_TLS_CERT", certificate.to_str().unwrap()),
            ("PAYFRAME_TLS_KEY", key),
        ];
        let ended = command(&folder.path().join("data"), &settings)
            .output()
            .unwrap();
        let said = String::from_utf8(ended.stderr).unwrap();
        assert!(!ended.status.success() && said.contains(expected), "{said}");
    }
}
