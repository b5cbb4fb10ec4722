//! A provider over TLS, as in production: by a certificate of the company's own authority.

use super::super::{Person, command, first_password};
use super::company::Company;
use super::{OTTO, asked, log_in, person};
use crate::harness::{OWN_MERCHANT, START_MS, TestApp};
use payframe_gateway::App;
use payframe_gateway::config::{Config, Mode};
use payframe_payment_ports::Clock;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use serde_json::json;
use std::path::Path;
use std::sync::Arc;

/// A company's authority.
struct Authority(Issuer<'static, KeyPair>, String);

impl Authority {
    fn new() -> Authority {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        let pem = params.self_signed(&key).unwrap().pem();
        Authority(Issuer::new(params, key), pem)
    }

    /// What a server with this name proves itself by.
    fn server(&self, name: &str) -> ServerConfig {
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        let certificate = params.signed_by(&key, &self.0).unwrap();
        let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], key)
            .unwrap()
    }
}

/// The providers' file for a company, beside the certificates of an authority.
fn settings(folder: &Path, company: &Company, authority: &Authority, more: &str) -> Config {
    let file = company.in_file("acme", OWN_MERCHANT, more);
    let path = folder.join("providers.toml");
    for (name, text) in [
        ("client-secret", "hush/hush"),
        ("ca.pem", &authority.1),
        ("providers.toml", &file),
    ] {
        std::fs::write(folder.join(name), text).unwrap();
    }
    Config {
        mode: Mode::Production,
        login_providers: Some(path),
        proxies: 1,
        ..Config::sandbox()
    }
}

/// A production gateway with the company as the provider of its merchant, where Otto works.
async fn production(company: &Company, authority: &Authority, more: &str) -> TestApp {
    let app = TestApp::with(|config| {
        let settings = settings(&config.data, company, authority, more);
        config.mode = settings.mode;
        config.login_providers = settings.login_providers;
        config.proxies = settings.proxies;
    })
    .await;
    command(&app, &["merchant", "add", OWN_MERCHANT, "Blumenladen"])
        .await
        .unwrap();
    let add = ["members", "add", OWN_MERCHANT, OTTO, "operator", "otto"];
    first_password(&app, &add).await;
    app
}

const TRUSTED: &str = "private_network = true\nca_file = 'ca.pem'\ntwo_factors_amr = ['mfa']";

#[tokio::test]
async fn in_production_people_log_in_and_out_over_tls() {
    let authority = Authority::new();
    let company = Company::start_over_tls(START_MS, authority.server("localhost"));
    let app = production(&company, &authority, TRUSTED).await;
    company.answers(|manner| manner.claims = json!({ "amr": ["mfa"], "sid": "s" }));
    let otto = person(&app, &log_in(&app, &company, "acme", &[]).await);
    let page = otto.get("/office").await;
    assert_eq!(page.status, 200);
    assert!(page.text().contains("Blumenladen"), "{}", page.text());
    // A log-out there ends it, by keys that were asked for over TLS.
    let token = company.logout_token(&json!({ "sid": "s" }));
    let path = "/office/login/provider/acme/back-channel-logout";
    let fields = [("logout_token", token.as_str())];
    let answer = Person::new(&app).send(path, &fields, &[]).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_ne!(otto.get("/office").await.status, 200);
}

/// Each differs in one thing from the one above.
#[tokio::test]
async fn a_provider_that_does_not_prove_itself_is_asked_nothing() {
    let (authority, other) = (Authority::new(), Authority::new());
    for (name, server, more) in [
        (
            "the public authorities",
            authority.server("localhost"),
            "private_network = true",
        ),
        ("another authority", other.server("localhost"), TRUSTED),
        ("another name", authority.server("other.example"), TRUSTED),
        (
            "the gateway's own network",
            authority.server("localhost"),
            "ca_file = 'ca.pem'",
        ),
    ] {
        let company = Company::start_over_tls(START_MS, server);
        let app = production(&company, &authority, more).await;
        let answer = asked(&app, "acme", &[], "192.0.2.1").await;
        assert_eq!(answer.status, 502, "{name}: {}", answer.text());
        let said = answer.text();
        assert!(said.contains("gives no usable answer"), "{name}: {said}");
        let token = company.logout_token(&json!({}));
        let path = "/office/login/provider/acme/back-channel-logout";
        let fields = [("logout_token", token.as_str())];
        let answer = Person::new(&app).send(path, &fields, &[]).await;
        assert_ne!(answer.status, 200, "{name}");
        company.answers(|manner| assert_eq!(manner.keys_asked, 0, "{name}"));
    }
}

#[tokio::test]
async fn in_production_a_provider_over_plain_http_stops_the_start() {
    let company = Company::start(START_MS).await;
    let folder = tempfile::tempdir().unwrap();
    let config = Config {
        data: folder.path().to_owned(),
        ..settings(folder.path(), &company, &Authority::new(), TRUSTED)
    };
    let said = App::open(config, Clock::system()).await.err().unwrap();
    let said = said.to_string();
    assert!(
        said.starts_with("the log-in providers (PAYFRAME_LOGIN_PROVIDERS): "),
        "{said}"
    );
    assert!(
        said.contains("issuer of the provider acme must be"),
        "{said}"
    );
}
